"""The methods, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from kgqa_graphdb.errors import UsageError, nearest
from kgqa_graphdb.methods.paths import Paths
from kgqa_graphdb.methods.protocols import Linker, Method, PathModel, Ranker

METHODS: Mapping[str, Callable[[], Method]] = MappingProxyType({"paths": Paths})
"""Name → maker. Each has a class of tests of its own."""

__all__ = ["METHODS", "Linker", "Method", "PathModel", "Paths", "Ranker", "make_method"]


def make_method(name: str) -> Method:
    """The method of that name.

    :raises UsageError: there is none; the message names them all
    """
    if name not in METHODS:
        raise UsageError(f"there is no method {name!r}{nearest(name, METHODS)}; choose from: {', '.join(METHODS)}")
    return METHODS[name]()
