"""Files that a training goes on from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from kgqa_graphdb.types import Floats

if TYPE_CHECKING:
    from torch import Tensor


def arrays_of(state: Mapping[str, Tensor]) -> dict[str, Floats]:
    """A module's weights as arrays of their own, by name.

    :param state: its ``state_dict``
    """
    return {name: value.detach().cpu().numpy().copy() for name, value in state.items()}


def write_state(state: Mapping[str, Any], file: Path) -> None:
    """Write what a training goes on from: the file is whole or not there."""
    part = file.with_name(f"{file.name}.part")
    torch.save(state, part)
    part.replace(file)


def read_state(file: Path) -> dict[str, Any]:
    """What :func:`write_state` wrote, on the CPU."""
    state: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=True)
    return state
