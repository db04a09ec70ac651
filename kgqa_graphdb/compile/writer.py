"""What statements are written with: names, parameters, the clauses of a path, subqueries."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kgqa_graphdb.compile.hops import Pattern, kind_of, label_filter, where
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.mapping.hops import Turn, end_of, hops_of
from kgqa_graphdb.queries import quote
from kgqa_graphdb.types import Entity, Path


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
    kind = kind_of(writer.mapping, entity.labels)
    pattern = f"({variable}{label_filter(writer.mapping, (kind.label,))})"
    if kind.key is None or entity.id == entity.element_id:  # the node has no key
        return pattern, f"elementId({variable}) = {writer.parameter(stem, entity.element_id or entity.id)}"
    key, wanted = f"{variable}.{quote(kind.key)}", writer.parameter(stem, entity.id)
    if writer.mapping.owned or not re.fullmatch(r"-?\d{1,18}", entity.id, re.ASCII):
        return pattern, f"{key} = {wanted}"
    # A company's keys may be numbers, ours are texts; a list of both still seeks in an index.
    return pattern, f"{key} IN [{wanted}, toIntegerOrNull({wanted})]"


def walk_clauses(
    writer: Writer, start: str, path: Path, topic: str, last: str = ""
) -> tuple[list[str], list[str], str, str]:
    """MATCH clauses of a path from a bound node.

    :param last: a bound node that the path must lead to; empty: any
    :return: clauses, names of the path variables, the name of the last node, and the expression of the end:
        that node, or the property of it or of the last relationship
    """
    mapping = writer.mapping
    clauses: list[str] = []
    paths: list[str] = []
    node = start
    hops, end = hops_of(mapping, path), end_of(mapping, path)
    before: Pattern | None = None
    for position, hop in enumerate(hops):
        between = [writer.name("n") for _ in hop.legs[1:]]
        reached = last if last and position == len(hops) - 1 else writer.name("n")
        edges, name = [writer.name("r") for _ in hop.legs], writer.name("p")
        pattern = Pattern.of(mapping, hop, node, reached, between, edges)
        conditions = list(pattern.conditions)
        if mapping.walk == "no_backtrack" and before is not None:
            turn = Turn.between(hops[position - 1], hop)
            conditions += [f"{reached} <> {before.nodes[0]}"] if turn.back else []
            conditions += [f"{pattern.nodes[1]} <> {before.nodes[-2]}"] if turn.leg_back else []
        if mapping.walk == "exclude_topic" and topic:
            conditions += [f"{one} <> {topic}" for one in pattern.nodes[1:]]
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
