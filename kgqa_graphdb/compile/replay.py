"""Plans as one statement: for a person to paste into Neo4j Browser, and to execute what no hop can.

A statement is in the graph's own keys; each of its rows has the columns ``answer`` (a node or a value), ``facts`` (the
paths, or for a property the node, that prove it) and, where answers were compared, ``value``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kgqa_graphdb.compile.hops import PREFIX, Pattern, kind_of, where
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.hops import Hop, Turn, check_path, end_of, hops_of
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.plan import COMPARISONS, Aggregate, Cite, Combine, Every, Follow, Native, Plan, yields_values
from kgqa_graphdb.queries import quote
from kgqa_graphdb.types import Entity, Fact, Path, Statement, Step, Value

MAX_RANKED = 20_001
"""Answers that are put in order by their values; ties beyond are left out."""


@dataclass(slots=True)
class _Writer:
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
    before: Pattern | None = None
    for position, hop in enumerate(hops):
        between = [writer.name("n") for _ in hop.legs[1:]]
        reached, edges, name = writer.name("n"), [writer.name("r") for _ in hop.legs], writer.name("p")
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


def _block(writer: _Writer, plan: Plan) -> str:
    """A statement with the columns ``answer`` and ``facts``; it can stand alone or in ``CALL () { … }``."""
    match plan:
        case Follow():
            return _follow_block(writer, plan)
        case Every():
            return _every_block(writer, plan)
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
    told = writer.facts(f"[{', '.join(facts)}]")
    return "\n".join([*lines, f"RETURN {end} AS answer, {told} AS facts"])


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


def _every_block(writer: _Writer, plan: Every) -> str:
    node = writer.name("n")
    labels = dict.fromkeys(label for label in (writer.mapping.label, plan.label) if label)
    return f"MATCH ({node}{''.join(f':{quote(label)}' for label in labels)})\nRETURN {node} AS answer, [] AS facts"


_REDUCED = {"sum": "sum", "mean": "avg"}
_COMPARED = {
    "contains": "toLower(toString(value)) CONTAINS toLower({})",
    "starts": "toLower(toString(value)) STARTS WITH toLower({})",
}


def _aggregate_block(writer: _Writer, plan: Aggregate) -> str:
    over = f"CALL () {{\n{_indent(_block(writer, plan.over))}\n}}\n"
    if plan.op in ("count", "exists"):
        number = "count(DISTINCT answer)" if plan.op == "count" else "count(answer) > 0"
        return f"{over}RETURN {number} AS answer, {writer.all_facts('facts')} AS facts"
    rows = over + _compared_rows(writer, plan)
    if plan.op in ("sum", "mean"):
        return f"{rows}\nRETURN {_REDUCED[plan.op]}(value) AS answer, {writer.all_facts('facts')} AS facts"
    if plan.op in ("max", "min"):
        return f"{rows}\n{_extreme(writer, plan)}"
    if plan.value is None:
        raise UsageError(f"'{plan.op}' needs a value to compare with")
    wanted = writer.parameter("value", plan.value)
    compares = _COMPARED.get(plan.op, f"value {plan.op} {{}}").format(wanted)
    return f"{rows}\nWITH * WHERE {compares}\nRETURN answer, facts, value"


def _compared_rows(writer: _Writer, plan: Aggregate) -> str:
    """From rows of answers to rows of an answer, the facts on a way to a value of its, and that ``value``."""
    if not plan.by:
        if not yields_values(plan.over):
            raise UsageError(f"'{plan.op}' needs a path to the values: 'by'")
        return "WITH answer, facts, answer AS value"
    if yields_values(plan.over):
        raise UsageError(f"'{plan.op}' can't go on from values: 'by' must be empty")
    check_path(plan.by)
    answer = writer.name("a")
    clauses, paths, last, end = _walk(writer, answer, plan.by, "")
    none_counts = plan.by[-1].relation.kind == "edge" and (plan.op in ("<", "<=") or (plan.op, plan.value) == ("=", 0))
    clauses = [f"OPTIONAL {clause}" for clause in clauses] if none_counts else clauses
    told = writer.facts(f"facts + [{', '.join([*paths, *([last] if _is_on_node(plan.by) else [])])}]")
    # Of an answer that is reached in several ways each counts once.
    lines = [f"WITH DISTINCT answer AS {answer}, {writer.all_facts('facts')} AS facts", *clauses]
    if plan.by[-1].relation.kind == "edge":
        if none_counts:
            told = writer.facts(f"CASE WHEN {end} IS NULL THEN facts ELSE facts + [{', '.join(paths)}] END")
        collected = writer.all_facts(told)
        return "\n".join([*lines, f"WITH {answer} AS answer, count(DISTINCT {end}) AS value, {collected} AS facts"])
    lines.append(f"UNWIND {end} AS value")
    if plan.each:
        value = f"{_REDUCED[plan.each]}(value)"
        return "\n".join([*lines, f"WITH {answer} AS answer, {value} AS value, {writer.all_facts(told)} AS facts"])
    return "\n".join([*lines, f"WITH {answer} AS answer, {told} AS facts, value"])


def _is_on_node(path: Path) -> bool:
    return path[-1].relation.kind == "property"


def _extreme(writer: _Writer, plan: Aggregate) -> str:
    """The answers with the greatest or the least values."""
    order, compares = ("DESC", ">=") if plan.op == "max" else ("ASC", "<=")
    return (
        f"WITH answer, {plan.op}(value) AS best, collect({{facts: facts, value: value}}) AS ways\n"
        f"ORDER BY best {order} LIMIT {MAX_RANKED}\n"
        "WITH collect({answer: answer, best: best, ways: ways}) AS rows\n"
        f"WITH rows, coalesce(rows[{plan.most - 1}], rows[-1]).best AS bound\n"
        "UNWIND rows AS row\n"
        f"WITH row WHERE row.best {compares} bound\n"
        "UNWIND row.ways AS way\n"
        "WITH row, way WHERE way.value = row.best\n"
        "RETURN row.answer AS answer, way.facts AS facts, row.best AS value"
    )


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
    walked = Pattern.of(writer.mapping, hop, head, tail, between, edges)
    pinned = [condition, tail_condition, *walked.conditions]
    return (
        f"MATCH {pattern}, {tail_pattern}, {name} = {walked.text}{where(pinned)}\n"
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


def answers_statement(mapping: GraphMapping, plan: Plan, limit: int) -> Statement:
    """A plan's answers without their proof. Returns rows of an element id, or a value, and what was compared or null.

    :raises UsageError: the plan can't be executed
    """
    writer = _Writer(mapping, proves=False)
    block = _block(writer, plan)
    compared = "value" if isinstance(plan, Aggregate) and plan.op in (*COMPARISONS, "max", "min") else "null"
    answer = "answer" if yields_values(plan) else "elementId(answer)"
    limited = writer.parameter("limit", limit)
    return Statement(
        f"{PREFIX}\nCALL () {{\n{_indent(block)}\n}}\nRETURN DISTINCT {answer} AS answer, {compared} AS value "
        f"LIMIT {limited}",
        dict(writer.parameters),
    )
