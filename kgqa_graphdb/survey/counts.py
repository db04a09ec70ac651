"""How many nodes and relationships there are, by the server's counts, without those of graphs that we loaded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kgqa_graphdb import queries
from kgqa_graphdb.errors import CypherError, UnknownNameError
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.survey.choice import LOADED, OWN, Choice
from kgqa_graphdb.types import Rows, Statement

_TOGETHER = 25
"""Patterns that are counted in one statement."""


def rows_of(name: str, parameters: Mapping[str, object] | None = None, **splices: str) -> Steps[Rows]:
    """The rows of a statement of ``cypher/survey/``."""
    statement = Statement(queries.load(f"survey/{name}").cypher(**splices), parameters or {})
    return (yield from ask(Read(statement)))


@dataclass(frozen=True, slots=True)
class Counts:
    """What takes part in a mapping.

    :ivar nodes: label → nodes
    :ivar relationships: type → relationships
    :ivar ends: type → labels of heads and of tails
    :ivar apart: labels of loaded graphs, whose nodes take no part
    """

    nodes: Mapping[str, int]
    relationships: Mapping[str, int]
    ends: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
    apart: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Raw:
    """The counts of everything in the database.

    :ivar heads: type → label of heads → relationships; 1 or more where they were not counted
    """

    nodes: dict[str, int]
    types: dict[str, int]
    heads: dict[str, dict[str, int]]
    tails: dict[str, dict[str, int]]


def count(choice: Choice) -> Steps[Counts]:
    """What takes part, counted.

    :raises UsageError: the choice names a label or a type that is not there
    """
    try:
        [[data]] = yield from rows_of("counts")
        raw = _from_stats(data)
    except (CypherError, UnknownNameError):  # some users may not call that
        raw = yield from _one_by_one()
    choice.check([label for label in raw.nodes if not label.startswith(OWN)], raw.types)
    apart = tuple(sorted(label for label in raw.nodes if label.startswith(LOADED) and not choice.takes_label(label)))
    labels = [label for label in sorted(raw.nodes) if choice.takes_label(label)]
    nodes = {label: raw.nodes[label] for label in labels}
    if apart:
        nodes = dict(
            zip(labels, (yield from _count([f"(:{_without(label, apart)})" for label in labels])), strict=True)
        )
    own = {label for label, number in nodes.items() if number}
    loaded = {type_: sum(heads.get(label, 0) for label in apart) for type_, heads in raw.heads.items()}
    relationships = {
        type_: number - loaded.get(type_, 0)
        for type_, number in raw.types.items()
        if choice.takes_type(type_) and number > loaded.get(type_, 0)
    }
    ends = yield from _ends(raw, {type_: loaded.get(type_, 0) for type_ in relationships}, own, apart)
    return Counts({label: nodes[label] for label in labels if label in own}, relationships, ends, apart)


def _without(label: str, apart: Iterable[str]) -> str:
    """A label expression of the nodes of a label that no loaded graph has."""
    return queries.quote(label) + "".join(f"&!{queries.quote(other)}" for other in apart)


def _from_stats(data: Mapping[str, Sequence[Mapping[str, object]]]) -> _Raw:
    nodes: dict[str, int] = {}
    for row in data["nodes"]:
        label, number = row.get("label"), row["count"]
        if isinstance(label, str) and isinstance(number, int) and number:
            nodes[label] = number
    raw = _Raw(nodes, {}, {}, {})
    for row in data["relationships"]:
        type_, number = row.get("relationshipType"), row["count"]
        if not isinstance(type_, str) or not isinstance(number, int) or not number or type_.startswith(OWN):
            continue
        head, tail = row.get("startLabel"), row.get("endLabel")
        if isinstance(head, str):
            raw.heads.setdefault(type_, {})[head] = number
        elif isinstance(tail, str):
            raw.tails.setdefault(type_, {})[tail] = number
        else:
            raw.types[type_] = number
    return raw


def _one_by_one() -> Steps[_Raw]:
    labels = [label for (label,) in (yield from rows_of("labels"))]
    raw = _Raw({}, {}, {}, {})
    for type_, head, tail in (yield from rows_of("ends")):
        if not type_.startswith(OWN):
            raw.heads.setdefault(type_, {})[head] = 1
            raw.tails.setdefault(type_, {})[tail] = 1
    numbers = yield from _count([f"(:{queries.quote(label)})" for label in labels])
    raw.nodes.update({label: number for label, number in zip(labels, numbers, strict=True) if number})
    numbers = yield from _count([f"()-[:{queries.quote(type_)}]->()" for type_ in raw.heads])
    raw.types.update(zip(raw.heads, numbers, strict=True))
    loaded = [(type_, label) for type_ in raw.heads for label in raw.nodes if label.startswith(LOADED)]
    numbers = yield from _count([f"(:{queries.quote(label)})-[:{queries.quote(type_)}]->()" for type_, label in loaded])
    for (type_, label), number in zip(loaded, numbers, strict=True):
        raw.heads[type_][label] = number
    return raw


def _ends(
    raw: _Raw, loaded: Mapping[str, int], own: set[str], apart: Sequence[str]
) -> Steps[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]]:
    """Type → labels of heads and of tails; where loaded graphs have a type too, each label is looked for.

    :param loaded: type → relationships of it in loaded graphs
    """
    looked: list[tuple[str, str, str]] = []
    for type_, number in loaded.items():
        if number:
            looked += [(type_, label, "head") for label in raw.heads.get(type_, {}) if label in own]
            looked += [(type_, label, "tail") for label in raw.tails.get(type_, {}) if label in own]
    patterns = []
    for type_, label, side in looked:
        node, edge = f"(:{_without(label, apart)})", f"[:{queries.quote(type_)}]"
        patterns.append(f"{node}-{edge}->()" if side == "head" else f"()-{edge}->{node}")
    exists = yield from _count(patterns, "EXISTS")
    there = {one for one, found in zip(looked, exists, strict=True) if found}
    ends = {}
    for type_, number in loaded.items():
        sides = []
        for side, labels in (("head", raw.heads.get(type_, {})), ("tail", raw.tails.get(type_, {}))):
            sides.append(
                tuple(sorted(one for one in labels if one in own and (not number or (type_, one, side) in there)))
            )
        ends[type_] = (sides[0], sides[1])
    return ends


def _count(patterns: Sequence[str], how: str = "COUNT") -> Steps[list[int]]:
    """How often patterns occur; where the server keeps a count of one, nothing is read.

    :param how: ``COUNT``, or ``EXISTS``: whether they do
    """
    found: list[int] = []
    for start in range(0, len(patterns), _TOGETHER):
        counts = ", ".join(f"{how} {{ {pattern} }}" for pattern in patterns[start : start + _TOGETHER])
        [[some]] = yield from ask(Read(Statement(f"CYPHER 5\nRETURN [{counts}] AS counts")))
        found += some
    return found
