"""The methods by name: this package's own, and those that other packages bring."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType

from kgqa_graphdb.errors import KgqaError, UsageError, nearest
from kgqa_graphdb.methods.spec import MethodSpec

METHODS: Mapping[str, str] = MappingProxyType(
    {
        "paths": "kgqa_graphdb.methods.paths",
        "composed": "kgqa_graphdb.methods.composed",
        "neighbourhood": "kgqa_graphdb.methods.neighbourhood",
        "rra": "kgqa_graphdb.methods.rra",
        "gnn2r": "kgqa_graphdb.methods.gnn2r",
        "rerank": "kgqa_graphdb.methods.rerank",
    }
)
"""This package's methods: name → the module whose ``SPEC`` it is, imported when it is asked for. Each has a class of
tests that inherits ``MethodTestCase``."""
GROUP = "kgqa_graphdb.methods"
"""Entry points of this group are further methods: each names a :class:`MethodSpec`."""


def method_spec(name: str) -> MethodSpec:
    """The method of that name.

    :raises UsageError: there is none, and the message names them all; or its package is broken
    """
    if name in METHODS:
        spec: MethodSpec = import_module(METHODS[name]).SPEC
        return spec
    found = _entry_points()
    if name in found:
        return _loaded(found[name])
    known = [*METHODS, *found]
    raise UsageError(f"there is no method {name!r}{nearest(name, known)}; choose from: {', '.join(known)}")


def all_methods() -> tuple[list[MethodSpec], list[str]]:
    """All methods, this package's first, and why others can't be used, a sentence each."""
    specs, broken = [method_spec(name) for name in METHODS], []
    for point in _entry_points().values():
        try:
            specs.append(_loaded(point))
        except KgqaError as error:
            broken.append(str(error))
    return specs, broken


def _entry_points() -> dict[str, EntryPoint]:
    """Further methods by name; this package's own can't be replaced."""
    return {point.name: point for point in sorted(entry_points(group=GROUP)) if point.name not in METHODS}


def _loaded(point: EntryPoint) -> MethodSpec:
    package = point.dist.name if point.dist else point.value
    try:
        spec = point.load()
    except (ImportError, AttributeError, NameError, SyntaxError, TypeError, ValueError) as error:
        raise UsageError(f"method {point.name!r} of package {package!r} can't be loaded: {error}") from error
    if not isinstance(spec, MethodSpec) or spec.name != point.name:
        raise UsageError(
            f"method {point.name!r} of package {package!r} is none: {point.value} must be a MethodSpec of that name"
        )
    return spec
