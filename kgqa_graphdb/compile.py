"""Plans to Cypher, and the one-hop statements that execution is composed of.

:mod:`kgqa_graphdb.link.lookup` looks names up; nothing else writes Cypher.

A hop starts at ``WHERE elementId(n) IN $ids`` with a literal relationship type: that serves every graph, and there are
few texts, so the server's plan cache stays warm. A replay is one statement in the graph's own keys, for a person to
paste into Neo4j Browser; every replayed row has the columns ``answer`` (a node or a value) and ``facts`` (the paths, or
for a property the node, that prove it).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.hops import Hop, Turn, check_path, end_labels, end_of, hops_of, inverts
from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.plan import Aggregate, Cite, Combine, Follow, Native, Plan
from kgqa_graphdb.queries import quote
from kgqa_graphdb.types import Entity, Fact, Path, Relation, Statement, Step, Value

PREFIX = "CYPHER 5"


def kind_of(mapping: GraphMapping, labels: Sequence[str]) -> EntityKind:
    """The first entity kind of the mapping that a node's labels fit; the first of all when none does."""
    return next((kind for kind in mapping.entities if kind.label in labels), mapping.entities[0])


def label_filter(mapping: GraphMapping, labels: Sequence[str] = ()) -> str:
    """A label expression that keeps a pattern inside the graph: ``:`KG_metaqa` ``, or empty for any node.

    :param labels: labels that the relation's own end carries, when the mapping knows them
    """
    wanted = [mapping.label] if mapping.label else list(labels) or [kind.label for kind in mapping.entities]
    return ":" + "|".join(quote(label) for label in wanted)


def qualifier_keys(mapping: GraphMapping) -> tuple[str, ...]:
    """The relationship properties that may be read, sorted."""
    return tuple(sorted({relation.type for relation in mapping.qualifiers}))


def _arrow(step: Step, name: str) -> str:
    body = f"-[{name}:{quote(step.relation.type)}]-"
    return f"<{body}" if step.inverse else f"{body}>"


# ── one-hop statements ───────────────────────────────────────────────────────────────────────────────────────────────


def hop_statement(mapping: GraphMapping, hop: Hop, ids: Sequence[str], limit: int, *, ordered: bool) -> Statement:
    """One hop from every node of a frontier.

    Returns one row: the element ids of the nodes left, those arrived at, for each the mapped qualifiers if the graph
    has any, and where the hop has several legs those of the nodes between.

    :param limit: at most so many facts
    :param ordered: cut by key, not as the facts come; slower, for when there are more than ``limit``
    """
    pattern = _Pattern.of(mapping, hop, "n", "m", [f"m{number}" for number in range(1, len(hop.legs))])
    columns = ["collect(elementId(n)) AS left", "collect(elementId(m)) AS reached"]
    if mapping.qualifiers:
        readable = {relation.type for relation in mapping.qualifiers if relation.of in ("", hop.step.relation.id)}
        told = [pattern.qualifier(key) if key in readable else "null" for key in qualifier_keys(mapping)]
        columns.append(f"collect([{', '.join(told)}]) AS qualifiers")
    if pattern.between:
        columns.append(f"collect([{', '.join(f'elementId({name})' for name in pattern.between)}]) AS between")
    names = [*pattern.nodes, *pattern.edges]
    order = " ORDER BY " + ", ".join(_sort_key(mapping, name) for name in ("n", "m")) if ordered else ""
    return Statement(
        f"{PREFIX}\n"
        "MATCH (n) WHERE elementId(n) IN $ids\n"
        f"MATCH {pattern.text}{_where(pattern.conditions)}\n"
        f"WITH {', '.join(names)}{order} LIMIT $limit\n"
        f"RETURN {', '.join(columns)}",
        {"ids": list(ids), "limit": limit},
    )


def _where(conditions: Sequence[str]) -> str:
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """The pattern of a hop: variables of its nodes and relationships, in walking order.

    :ivar conditions: what bars going back inside the hop: a sibling, a child of one's parent, is not oneself
    """

    text: str
    nodes: tuple[str, ...]
    edges: tuple[str, ...]
    conditions: tuple[str, ...]

    @property
    def between(self) -> tuple[str, ...]:
        """The variables of the nodes between the hop's ends."""
        return self.nodes[1:-1]

    @classmethod
    def of(
        cls, mapping: GraphMapping, hop: Hop, start: str, end: str, between: Sequence[str], edges: Sequence[str] = ()
    ) -> _Pattern:
        """The pattern from a bound node, with the names given; relationships are ``r``, ``r1``, … without names."""
        nodes = (start, *between, end)
        named = tuple(edges) or (("r",) if len(hop.legs) == 1 else tuple(f"r{n}" for n in range(1, len(hop.legs) + 1)))
        text = f"({start})"
        for position, (leg, edge) in enumerate(zip(hop.legs, named, strict=True)):
            last = position == len(hop.legs) - 1
            labels = hop.labels if last else end_labels(leg)
            # What lies between entities need not be one, nor need what only holds a value.
            is_entity = last and hop.step.relation.kind == "edge"
            wanted = label_filter(mapping, labels) if is_entity or labels or mapping.label else ""
            text += f"{_arrow(leg, edge)}({nodes[position + 1]}{wanted})"
        turns = [n for n in range(1, len(hop.legs)) if inverts(hop.legs[n - 1], hop.legs[n])]
        return cls(text, nodes, named, tuple(f"{nodes[n + 1]} <> {nodes[n - 1]}" for n in turns))

    def qualifier(self, key: str) -> str:
        """The expression of a qualifier: a property of the relationship, or of what lies between the ends."""
        holders = [f"{name}.{quote(key)}" for name in (*self.between, *self.edges)]
        return holders[0] if len(holders) == 1 else f"coalesce({', '.join(holders)})"


def _sort_key(mapping: GraphMapping, name: str) -> str:
    keys = list(dict.fromkeys(kind.key for kind in mapping.entities if kind.key))
    parts = [f"toString({name}.{quote(key)})" for key in keys]
    return f"coalesce({', '.join([*parts, f'elementId({name})'])})"


def property_statement(relation: Relation, ids: Sequence[str], limit: int) -> Statement:
    """The values of a property of every node of a frontier. Returns one row: element ids, and the values of each."""
    key = quote(relation.type)
    return Statement(
        f"{PREFIX}\n"
        f"MATCH (n) WHERE elementId(n) IN $ids AND n.{key} IS NOT NULL\n"
        f"WITH n ORDER BY elementId(n) LIMIT $limit\n"
        f"RETURN collect(elementId(n)) AS left, collect(n.{key}) AS values",
        {"ids": list(ids), "limit": limit},
    )


def describe_keys(mapping: GraphMapping) -> tuple[str, ...]:
    """The properties that identify and name entities: the only ones that :func:`describe_statement` reads."""
    keys: dict[str, None] = {}
    for kind in mapping.entities:
        keys.update(dict.fromkeys([*([kind.key] if kind.key else []), *kind.names]))
    return tuple(keys)


def describe_statement(mapping: GraphMapping, ids: Sequence[str]) -> Statement:
    """Labels, keys and names of nodes. Returns one row: element ids, labels, values of :func:`describe_keys`."""
    keys = ", ".join(f"n.{quote(key)}" for key in describe_keys(mapping))
    return Statement(
        f"{PREFIX}\n"
        "MATCH (n) WHERE elementId(n) IN $ids\n"
        f"RETURN collect(elementId(n)) AS ids, collect(labels(n)) AS labels, collect([{keys}]) AS keys",
        {"ids": list(ids)},
    )


# ── replays ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class _Writer:
    """Collects parameters and hands out names while a replay is written."""

    mapping: GraphMapping
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


def _at_entity(writer: _Writer, variable: str, entity: Entity, stem: str) -> tuple[str, str]:
    """A node pattern and the condition that pins it to an entity."""
    kind = kind_of(writer.mapping, entity.labels)
    pattern = f"({variable}:{quote(kind.label)})"
    if kind.key is None or entity.id == entity.element_id:  # the node has no key
        return pattern, f"elementId({variable}) = {writer.parameter(stem, entity.element_id or entity.id)}"
    key, wanted = f"{variable}.{quote(kind.key)}", writer.parameter(stem, entity.id)
    if writer.mapping.owned or not re.fullmatch(r"-?\d{1,18}", entity.id, re.ASCII):
        return pattern, f"{key} = {wanted}"
    # A company's keys may be numbers, ours are texts; a list of both still seeks in an index.
    return pattern, f"{key} IN [{wanted}, toIntegerOrNull({wanted})]"


def _walk(writer: _Writer, start: str, path: Path, topic: str) -> tuple[list[str], list[str], str, str]:
    """MATCH clauses of a path from a bound node.

    :return: clauses, names of the path variables, the name of the last node, and the expression of the end:
        that node, or the property of it or of the last relationship
    """
    mapping = writer.mapping
    clauses: list[str] = []
    paths: list[str] = []
    node = start
    hops, end = hops_of(mapping, path), end_of(mapping, path)
    before: _Pattern | None = None
    for position, hop in enumerate(hops):
        between = [writer.name("n") for _ in hop.legs[1:]]
        reached, edges, name = writer.name("n"), [writer.name("r") for _ in hop.legs], writer.name("p")
        pattern = _Pattern.of(mapping, hop, node, reached, between, edges)
        conditions = list(pattern.conditions)
        if mapping.walk == "no_backtrack" and before is not None:
            turn = Turn.between(hops[position - 1], hop)
            conditions += [f"{reached} <> {before.nodes[0]}"] if turn.back else []
            conditions += [f"{pattern.nodes[1]} <> {before.nodes[-2]}"] if turn.leg_back else []
        if mapping.walk == "exclude_topic" and topic:
            conditions += [f"{one} <> {topic}" for one in pattern.nodes[1:]]
        clauses.append(f"MATCH {name} = {pattern.text}{_where(conditions)}")
        paths.append(name)
        node, before = reached, pattern
    if end is None:
        return clauses, paths, node, node
    if end.kind == "property":
        return clauses, paths, node, f"{node}.{quote(end.type)}"
    return clauses, paths, node, before.qualifier(end.type) if before else "null"


def _block(writer: _Writer, plan: Plan) -> str:
    """A statement with the columns ``answer`` and ``facts``; it can stand alone or in ``CALL () { … }``."""
    match plan:
        case Follow():
            return _follow_block(writer, plan)
        case Combine():
            return _combine_block(writer, plan)
        case Aggregate():
            return _aggregate_block(writer, plan)
        case Cite():
            return _cite_block(writer, plan)
        case Native():
            raise UsageError("Cypher that was written by hand can't be combined with other plans")


def _follow_block(writer: _Writer, plan: Follow) -> str:
    check_path(plan.path)
    start = writer.name("n")
    pattern, condition = _at_entity(writer, start, plan.topic, "topic")
    clauses, paths, last, end = _walk(writer, start, plan.path, start)
    lines = [f"MATCH {pattern} WHERE {condition}", *clauses]
    if plan.to is not None:
        _, pinned = _at_entity(writer, last, plan.to, "end")
        lines.append(f"WITH * WHERE {pinned}")
    facts = [*paths, *([last] if plan.path[-1].relation.kind == "property" else [])]
    if end != last:
        value = writer.name("value")
        lines.append(f"UNWIND {end} AS {value}")
        end = value
    return "\n".join([*lines, f"RETURN {end} AS answer, [{', '.join(facts)}] AS facts"])


def _indent(block: str) -> str:
    return "\n".join("  " + line for line in block.splitlines())


def _combine_block(writer: _Writer, plan: Combine) -> str:
    if len(plan.parts) < 2:
        raise UsageError(f"'{plan.op}' needs at least two parts")
    parts = []
    for number, part in enumerate(plan.parts):
        inner = f"CALL () {{\n{_indent(_block(writer, part))}\n}}"
        parts.append(f"{inner}\nRETURN answer, facts, {number} AS part")
    keep = {
        "and": f"WHERE size(parts) = {len(plan.parts)}",
        "or": "",
        "not": "WHERE parts = [0]",
    }[plan.op]
    return (
        "CALL () {\n"
        + _indent("\nUNION ALL\n".join(parts))
        + f"\n}}\nWITH answer, collect(DISTINCT part) AS parts, collect(facts) AS ways\n{keep}\n".lstrip("\n")
        + "UNWIND ways AS facts\n"
        "RETURN answer, facts"
    )


def _aggregate_block(writer: _Writer, plan: Aggregate) -> str:
    inner = f"CALL () {{\n{_indent(_block(writer, plan.over))}\n}}\n"
    flat = "reduce(all = [], some IN collect(facts) | all + some)"
    if plan.op == "count":
        return f"{inner}RETURN count(DISTINCT answer) AS answer, {flat} AS facts"
    if plan.op == "exists":
        return f"{inner}RETURN count(answer) > 0 AS answer, {flat} AS facts"
    check_path(plan.by)
    if plan.by[-1].relation.kind == "edge":
        raise UsageError(f"'{plan.op}' compares values: the last step of 'by' must be a property")
    outer = writer.name("a")
    clauses, paths, last, end = _walk(writer, outer, plan.by, "")
    facts = [*paths, *([last] if plan.by[-1].relation.kind == "property" else [])]
    lines = [f"WITH answer AS {outer}, facts", *clauses, f"UNWIND {end} AS value"]
    lines.append(f"WITH {outer} AS answer, facts + [{', '.join(facts)}] AS facts, value")
    if plan.op in ("max", "min"):
        lines.append(f"WITH collect({{answer: answer, facts: facts, value: value}}) AS rows, {plan.op}(value) AS best")
        lines.append("UNWIND rows AS row WITH row WHERE row.value = best")
        lines.append("RETURN row.answer AS answer, row.facts AS facts")
    else:
        if plan.value is None:
            raise UsageError(f"'{plan.op}' needs a value to compare with")
        lines.append(f"WITH * WHERE value {plan.op} {writer.parameter('value', plan.value)}")
        lines.append("RETURN answer, facts")
    return inner + "\n".join(lines)


def _cite_block(writer: _Writer, plan: Cite) -> str:
    """The cited nodes and facts, found again by their keys; a fact's row has no answer."""
    parts: list[str] = []
    values = [node.value for node in plan.nodes if isinstance(node, Value)]
    for node in plan.nodes:
        if isinstance(node, Entity):
            variable = writer.name("n")
            pattern, condition = _at_entity(writer, variable, node, "node")
            parts.append(f"MATCH {pattern} WHERE {condition}\nRETURN {variable} AS answer, [] AS facts")
    for fact in plan.facts:
        parts.append(_cited_fact(writer, fact))
    if values:
        parts.append(f"UNWIND {writer.parameter('values', values)} AS answer\nRETURN answer, [] AS facts")
    if not parts:
        return "UNWIND [] AS answer\nRETURN answer, [] AS facts"
    return "\nUNION ALL\n".join(parts)


def _cited_fact(writer: _Writer, fact: Fact) -> str:
    head = writer.name("n")
    pattern, condition = _at_entity(writer, head, fact.head, "head")
    if not isinstance(fact.tail, Entity):
        if fact.relation.kind == "property":
            return f"MATCH {pattern} WHERE {condition}\nRETURN null AS answer, [{head}] AS facts"
        raise UsageError(f"the fact '{fact.relation.id}' of {fact.head.name!r} has no tail that can be found again")
    tail, name = writer.name("n"), writer.name("p")
    tail_pattern, tail_condition = _at_entity(writer, tail, fact.tail, "tail")
    step = Step(fact.relation)
    hop = Hop(step, writer.mapping.legs(step))
    between, edges = [writer.name("n") for _ in hop.legs[1:]], [writer.name("r") for _ in hop.legs]
    walked = _Pattern.of(writer.mapping, hop, head, tail, between, edges)
    pinned = [condition, tail_condition, *walked.conditions]
    return (
        f"MATCH {pattern}, {tail_pattern}, {name} = {walked.text}{_where(pinned)}\n"
        f"RETURN null AS answer, [{name}] AS facts"
    )


def replay_statement(mapping: GraphMapping, plan: Plan) -> Statement:
    """The one statement that reproduces a plan's answers and proof in Neo4j Browser.

    :raises UsageError: the plan can't be executed
    """
    if isinstance(plan, Native):
        return plan.statement
    writer = _Writer(mapping)
    text = _block(writer, plan)
    return Statement(f"{PREFIX}\n{text}", dict(writer.parameters), replays="facts")
