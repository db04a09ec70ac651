"""The methods, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from kgqa_graphdb.errors import UsageError, nearest
from kgqa_graphdb.methods.paths import Paths
from kgqa_graphdb.methods.protocols import Linker, Method, PathModel, Ranker

METHODS: Mapping[str, Callable[[Path | str | None, int, float | None], Method]] = MappingProxyType({"paths": Paths.of})
"""Name → what makes it as :func:`make_method` does. Each has a class of tests of its own."""

__all__ = ["METHODS", "Linker", "Method", "PathModel", "Paths", "Ranker", "make_method"]


def make_method(
    name: str, model: Path | str | None = None, readings: int = 1, abstain_below: float | None = None
) -> Method:
    """The method of that name.

    :param model: folder of a trained model
    :param readings: of a question that are answered together at most, where they are about as likely
    :param abstain_below: 0..1, what is less likely to have an answer is not answered; ``None``: what the model says
    :raises UsageError: there is none, and the message names them all; or the folder holds no such model
    """
    if name not in METHODS:
        raise UsageError(f"there is no method {name!r}{nearest(name, METHODS)}; choose from: {', '.join(METHODS)}")
    return METHODS[name](model, readings, abstain_below)
