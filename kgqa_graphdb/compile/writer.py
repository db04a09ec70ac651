"""What statements are written with: names, parameters, the clauses of a path, subqueries."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from kgqa_graphdb.compile.hops import Pattern, heads_filter, kind_of, label_filter, where
from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.mapping.hops import Turn, end_of, hops_of
from kgqa_graphdb.queries import quote
from kgqa_graphdb.types import Entity, Path

_INTEGER = re.compile(r"-?\d{1,19}", re.ASCII)
_MOST = 2**63 - 1
"""The greatest of Neo4j's integers."""


@dataclass(slots=True)
class Writer:
    """Collects parameters and hands out names while a statement is written.

    :ivar proves: facts are wanted, not only answers
    """

    mapping: GraphMapping
    proves: bool = True
    parameters: dict[str, object] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def name(self, stem: str) -> str:
        self.counts[stem] = self.counts.get(stem, 0) + 1
        number = self.counts[stem]
        return stem if number == 1 and stem.isalpha() and len(stem) > 1 else f"{stem}{number}"

    def parameter(self, stem: str, value: object) -> str:
        name = self.name(stem)
        self.parameters[name] = value
        return f"${name}"

    def facts(self, expression: str) -> str:
        """An expression of facts, where they are wanted."""
        return expression if self.proves else "[]"

    def all_facts(self, expression: str) -> str:
        """The same of many rows together; an aggregate in any case: a constant would be a group that may be empty."""
        return f"reduce(all = [], some IN collect({expression}) | all + some)" if self.proves else "collect(null)"


def at_entity(writer: Writer, variable: str, entity: Entity, stem: str) -> tuple[str, str]:
    """A node pattern and the condition that pins it to an entity."""
    handle = Handle.of(writer, entity)
    return handle.pattern(variable), handle.condition(variable, writer.parameter(stem, handle.value))


@dataclass(frozen=True, slots=True)
class Handle:
    """How a node is found again. Handles that differ in their value alone are of one form.

    :ivar by: ``key``: the property that identifies it; ``name``: what it is called, where it has no key; ``element``:
        the server's own handle, which is in no statement that anybody sees, unless the asker gave it
    :ivar number: in the graph the value may be a number
    :ivar labels: the label expression of the node
    """

    kind: EntityKind
    labels: str
    by: Literal["key", "name", "element"]
    number: bool
    value: str

    @classmethod
    def of(cls, writer: Writer, entity: Entity) -> Handle:
        """How an entity is found again."""
        kind = kind_of(writer.mapping, entity.labels)
        labels = label_filter(writer.mapping, (kind.label,))
        if kind.key is not None and entity.has_key:
            return cls(kind, labels, "key", not writer.mapping.owned and _is_integer(entity.id), entity.id)
        if writer.proves and entity.is_called and kind.names:
            return cls(kind, labels, "name", _is_integer(entity.name), entity.name)
        return cls(kind, labels, "element", False, entity.element_id or entity.id)

    def pattern(self, variable: str) -> str:
        """A pattern of the node."""
        return f"({variable}{self.labels})"

    def condition(self, variable: str, wanted: str) -> str:
        """The condition that the node is the one of a value.

        :param wanted: the value's expression
        """
        if self.by == "element":
            return f"elementId({variable}) = {wanted}"
        keys = [f"{variable}.{quote(key)}" for key in ([self.kind.key or ""] if self.by == "key" else self.kind.names)]
        if len(keys) > 1:  # a first name and a surname
            parts = f"[part IN [{', '.join(keys)}] WHERE part <> '' | toString(part)]"
            return f"reduce(text = '', part IN {parts} | trim(text + ' ' + part)) = {wanted}"
        # A company's keys may be numbers, ours are texts; a list of both still seeks in an index.
        return f"{keys[0]} IN [{wanted}, toIntegerOrNull({wanted})]" if self.number else f"{keys[0]} = {wanted}"


def _is_integer(text: str) -> bool:
    """Whether a text is an integer that Neo4j can hold."""
    return bool(_INTEGER.fullmatch(text)) and abs(int(text)) <= _MOST


def walk_clauses(
    writer: Writer, start: str, path: Path, topic: str, last: str = "", *, either: bool = False
) -> tuple[list[str], list[str], str, str]:
    """MATCH clauses of a path from a bound node.

    :param last: a bound node that the path must lead to; empty: any
    :param either: the path is one step, over one relationship, and is walked both ways
    :return: clauses, names of the path variables, the name of the last node, and the expression of the end:
        that node, or the property of it or of the last relationship
    """
    mapping = writer.mapping
    clauses: list[str] = []
    paths: list[str] = []
    node = start
    hops, end = hops_of(mapping, path), end_of(mapping, path)
    heads = heads_filter(mapping, end) if end is not None and end.kind == "property" else ""
    if heads and not hops:
        clauses.append(f"WITH * WHERE {node}{heads}")
    before: Pattern | None = None
    for position, hop in enumerate(hops):
        between = [writer.name("n") for _ in hop.legs[1:]]
        reached = last if last and position == len(hops) - 1 else writer.name("n")
        edges, name = [writer.name("r") for _ in hop.legs], writer.name("p")
        if either:
            pattern = Pattern.either_way(mapping, hop, node, reached, edges[0])
        else:
            pattern = Pattern.of(mapping, hop, node, reached, between, edges)
        conditions = [*pattern.conditions, *pattern.tests(hop.step, writer.parameter)]
        if mapping.walk == "no_backtrack" and before is not None:
            turn = Turn.between(hops[position - 1], hop)
            conditions += [f"{reached} <> {before.nodes[0]}"] if turn.back else []
            conditions += [f"{pattern.nodes[1]} <> {before.nodes[-2]}"] if turn.leg_back else []
        if mapping.walk == "exclude_topic" and topic:
            conditions += [f"{one} <> {topic}" for one in pattern.nodes[1:]]
        if heads and position == len(hops) - 1:
            conditions.append(f"{reached}{heads}")
        clauses.append(f"MATCH {name} = {pattern.text}{where(conditions)}")
        paths.append(name)
        node, before = reached, pattern
    if end is None:
        return clauses, paths, node, node
    if end.kind == "property":
        return clauses, paths, node, f"{node}.{quote(end.type)}"
    return clauses, paths, node, before.qualifier(end.type) if before else "null"


def called(block: str, at: str = "") -> str:
    """A block as a subquery."""
    return f"CALL ({at}) {{\n{indented(block)}\n}}"


def indented(block: str) -> str:
    return "\n".join("  " + line for line in block.splitlines())
