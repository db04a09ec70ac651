"""Weights of a trained model as arrays, in safetensors files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from kgqa_graphdb.errors import MissingExtraError, UsageError
from kgqa_graphdb.types import Floats


def read_weights(file: Path) -> dict[str, Floats]:
    """Weights by name, as float32 whatever precision they are kept in.

    :raises UsageError: the file can't be read
    :raises MissingExtraError: safetensors is not installed
    """
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load_file
    except ImportError as error:
        raise MissingExtraError("safetensors", "local") from error
    try:
        stored = load_file(file)
    except (SafetensorError, OSError) as error:
        raise UsageError(f"{file} can't be read: {error}; train it again") from error
    return {name: value.astype(np.float32, copy=False) for name, value in stored.items()}


def write_weights(weights: Mapping[str, Floats], file: Path) -> None:
    """Write weights by name, in the precision that they have.

    :raises MissingExtraError: safetensors is not installed
    """
    try:
        from safetensors.numpy import save_file
    except ImportError as error:
        raise MissingExtraError("safetensors", "local") from error
    save_file({name: np.ascontiguousarray(value) for name, value in weights.items()}, file)
