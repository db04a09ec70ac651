"""Plans as one statement: for a person to paste into Neo4j Browser, and to execute what no hop can.

A statement is in the graph's own keys; each of its rows has the columns ``answer`` (a node or a value), ``facts`` (the
paths, or for a property the node, that prove it) and, where answers were compared, ``value``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from kgqa_graphdb.compile.hops import PREFIX, Pattern, label_filter, where
from kgqa_graphdb.compile.writer import Handle, Writer, at_entity, called, indented, walk_clauses
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.mapping.hops import Hop, check_path
from kgqa_graphdb.plan import (
    Aggregate,
    Cite,
    Combine,
    Every,
    Follow,
    Group,
    Native,
    Onward,
    Plan,
    either_ways,
    tells_amounts,
    yields_values,
)
from kgqa_graphdb.queries import quote
from kgqa_graphdb.reductions import REDUCTIONS
from kgqa_graphdb.types import Entity, Path, Relation, Statement, Step, Value

MAX_RANKED = 20_001
"""Answers that are put in order by their values; ties beyond are left out."""


def _block(writer: Writer, plan: Plan, at: str = "") -> str:
    """A statement with the columns ``answer`` and ``facts``; it can stand alone or in ``CALL () { … }``.

    :param at: a bound node, imported by the ``CALL`` around: the rows are of it alone; none if it is no answer
    """
    match plan:
        case Follow():
            return _follow_block(writer, plan, at)
        case Every():
            return _every_block(writer, plan, at)
        case Onward():
            return _onward_block(writer, plan, at)
        case Combine():
            return _combine_block(writer, plan, at)
        case Aggregate():
            return _aggregate_block(writer, plan, at)
        case Group():
            return _group_block(writer, plan)
        case Cite():
            return _cite_block(writer, plan, at)
        case Native():
            raise UsageError("Cypher that was written by hand can't be combined with other plans")


def _follow_block(writer: Writer, plan: Follow, at: str) -> str:
    check_path(plan.path)
    start = writer.name("n")
    pattern, condition = at_entity(writer, start, plan.topic, "topic")
    clauses, paths, last, end = walk_clauses(writer, start, plan.path, start, at)
    lines = [f"MATCH {pattern} WHERE {condition}", *clauses]
    if plan.to is not None:
        _, pinned = at_entity(writer, last, plan.to, "end")
        lines.append(f"WITH * WHERE {pinned}")
    return "\n".join([*lines, *_walked(writer, plan.path, paths, last, end)])


def _walked(writer: Writer, path: Path, paths: Sequence[str], last: str, end: str, before: str = "") -> list[str]:
    """The last clauses of a walk, which return its ends and the facts on it.

    :param before: the facts that led to where it begins; empty: none
    """
    lines: list[str] = []
    if end != last:
        value = writer.name("value")
        lines, end = [f"UNWIND {end} AS {value}"], value
    shown = f"[{', '.join([*paths, *([last] if _is_on_node(path) else [])])}]"
    return [*lines, f"RETURN {end} AS answer, {writer.facts(f'{before} + {shown}' if before else shown)} AS facts"]


def _onward_block(writer: Writer, plan: Onward, at: str) -> str:
    check_path(plan.path)
    if yields_values(plan.over):
        raise UsageError("no path leads on from values")
    answer = writer.name("a")
    clauses, paths, last, end = walk_clauses(writer, answer, plan.path, "", at)
    kept = f"{at}, " if at else ""
    before = f"WITH DISTINCT {kept}answer AS {answer}, {writer.all_facts('facts')} AS facts"
    return "\n".join(
        [called(_block(writer, plan.over)), before, *clauses, *_walked(writer, plan.path, paths, last, end, "facts")]
    )


def _combine_block(writer: Writer, plan: Combine, at: str) -> str:
    if len(plan.parts) < 2:
        raise UsageError(f"'{plan.op}' needs at least two parts")
    parts = []
    for number, part in enumerate(plan.parts):
        parts.append(f"{called(_block(writer, part, at), at)}\nRETURN answer, facts, {number} AS part")
    keep = {
        "and": f"WHERE size(parts) = {len(plan.parts)}",
        "or": "",
        "not": "WHERE parts = [0]",
    }[plan.op]
    met = ["WITH answer, collect(DISTINCT part) AS parts, collect(facts) AS ways", *([keep] if keep else [])]
    return "\n".join([called("\nUNION ALL\n".join(parts), at), *met, "UNWIND ways AS facts", "RETURN answer, facts"])


def _every_block(writer: Writer, plan: Every, at: str) -> str:
    node = at or writer.name("n")
    mapping = writer.mapping
    labels = "".join(f":{quote(label)}" for label in dict.fromkeys((mapping.label, plan.label)) if label)
    if mapping.apart:
        labels = label_filter(mapping, (plan.label,) if plan.label else ())
    found = f"WITH {node} WHERE {node}{labels}" if at else f"MATCH ({node}{labels})"
    return f"{found}\nRETURN {node} AS answer, [] AS facts"


def _aggregate_block(writer: Writer, plan: Aggregate, at: str) -> str:
    reduction = REDUCTIONS[plan.op]
    if at and reduction.family != "comparison":
        raise UsageError(f"'{plan.op}' is of many, and can't be asked of one")
    bound = _bound(writer, plan.value) if isinstance(plan.value, Plan) else ""
    over = f"{called(_block(writer, plan.over, at), at)}\n"
    if reduction.family == "answers":
        return f"{over}RETURN {reduction.cypher.format('answer')} AS answer, {writer.all_facts('facts')} AS facts"
    rows = over + _compared_rows(writer, plan)
    if reduction.family == "values":
        return f"{rows}\nRETURN {reduction.cypher.format('value')} AS answer, {writer.all_facts('facts')} AS facts"
    if plan.op == "measure":
        return f"{rows}\nRETURN answer, facts, value"
    if reduction.family == "ranking":
        return f"{rows}\n{_extreme(writer, plan)}"
    if bound:
        rows = f"{bound}\n{called(f'{rows}{chr(10)}RETURN answer, facts, value', at)}"
        return f"{rows}\nWITH * WHERE {_compares_with_bounds(plan)}\nRETURN answer, facts + told AS facts, value"
    if plan.value is None:
        raise UsageError(f"'{plan.op}' needs a value to compare with")
    wanted = writer.parameter("value", plan.value)
    return f"{rows}\nWITH * WHERE {reduction.cypher.format(wanted)}\nRETURN answer, facts, value"


def _bound(writer: Writer, plan: Plan) -> str:
    """One row: the values that a plan yields as ``bounds``, and their facts as ``told``."""
    if not yields_values(plan):
        raise UsageError("what is compared with must be values")
    block = f"{called(_block(writer, plan))}\nRETURN collect(answer) AS bounds, {writer.all_facts('facts')} AS told"
    return called(block)


def _compares_with_bounds(plan: Aggregate) -> str:
    if plan.op == "=":
        return "value IN bounds"
    if plan.op in ("contains", "starts"):
        raise UsageError(f"'{plan.op}' looks for one text")
    return f"size(bounds) > 0 AND all(bound IN bounds WHERE value {plan.op} bound)"


def _compared_rows(writer: Writer, plan: Aggregate) -> str:
    """From rows of answers to rows of an answer, the facts on a way to a value of its, and that ``value``."""
    if not plan.by:
        if not yields_values(plan.over):
            raise UsageError(f"'{plan.op}' needs a path to the values: 'by'")
        value = "value" if tells_amounts(plan.over) else "answer AS value"
        return f"WITH answer, facts, {value}"
    if yields_values(plan.over):
        raise UsageError(f"'{plan.op}' can't go on from values: 'by' must be empty")
    check_path(plan.by)
    answer = writer.name("a")
    either = len(either_ways(plan.by)) > 1 and len(writer.mapping.legs(plan.by[0])) == 1
    clauses, paths, last, end = walk_clauses(writer, answer, plan.by, "", either=either)
    to_nodes = plan.by[-1].relation.kind == "edge"
    shown = [*paths, *([last] if _is_on_node(plan.by) else [])]
    for path in plan.meets:
        if not (to_nodes and path[-1].relation.kind == "edge"):
            raise UsageError("only paths to entities can meet")
        check_path(path)
        more, also, _, _ = walk_clauses(writer, answer, path, "", last)
        clauses, shown = [*clauses, *more], [*shown, *also]
    none_counts = to_nodes and (plan.op in ("<", "<=") or (plan.op, plan.value) == ("=", 0))
    clauses = [f"OPTIONAL {clause}" for clause in clauses] if none_counts else clauses
    shown_facts = writer.facts(f"facts + [{', '.join(shown)}]")
    # Of an answer that is reached in several ways each counts once.
    lines = [f"WITH DISTINCT answer AS {answer}, {writer.all_facts('facts')} AS facts", *clauses]
    condition = f"{shown[-1]} IS NOT NULL" if plan.meets else ""
    if plan.within is not None:
        inside, number = writer.name("inside"), writer.name("ways")
        block = called(_block(writer, plan.within, last), last)
        block += f"\nRETURN {writer.all_facts('facts')} AS {inside}, count(*) AS {number}"
        lines.append(called(block, last))
        condition = f"{condition} AND {number} > 0" if condition else f"{number} > 0"
        if writer.proves:
            shown_facts = f"{shown_facts} + {inside}"
        if not none_counts:
            lines.append(f"WITH * WHERE {number} > 0")
    if to_nodes:
        if none_counts:
            condition = condition or f"{end} IS NOT NULL"
            shown_facts = writer.facts(f"CASE WHEN {condition} THEN {shown_facts} ELSE facts END")
            end = f"CASE WHEN {condition} THEN {end} END"
        collected = writer.all_facts(shown_facts)
        return "\n".join([*lines, f"WITH {answer} AS answer, count(DISTINCT {end}) AS value, {collected} AS facts"])
    lines.append(f"UNWIND {end} AS value")
    if plan.each:
        value = REDUCTIONS[plan.each].cypher.format("value")
        return "\n".join(
            [*lines, f"WITH {answer} AS answer, {value} AS value, {writer.all_facts(shown_facts)} AS facts"]
        )
    return "\n".join([*lines, f"WITH {answer} AS answer, {shown_facts} AS facts, value"])


def _group_block(writer: Writer, plan: Group) -> str:
    """Rows of a value, the facts that lead to it, and how many answers have it, or the sum or mean of theirs."""
    check_path(plan.by)
    if yields_values(plan.over) or plan.by[-1].relation.kind != "property":
        raise UsageError("only entities can be grouped, and only by values")
    answer = writer.name("a")
    clauses, paths, last, end = walk_clauses(writer, answer, plan.by, "")
    lines = [called(_block(writer, plan.over))]
    lines += [
        f"WITH DISTINCT answer AS {answer}, {writer.all_facts('facts')} AS facts",
        *clauses,
        f"UNWIND {end} AS key",
    ]
    value, shown = f"count(DISTINCT {answer})", [*paths, last]
    if plan.of:
        check_path(plan.of)
        more, also, holder, number = walk_clauses(writer, answer, plan.of, "")
        lines += [*more, f"UNWIND {number} AS number"]
        value, shown = REDUCTIONS[plan.each or "sum"].cypher.format("number"), [*shown, *also, holder]
    shown_facts = writer.all_facts(writer.facts(f"facts + [{', '.join(shown)}]"))
    key = "toInteger(left(toString(key), 4))" if plan.years else "key"
    lines.append(f"WITH {key} AS answer, {value} AS value, {shown_facts} AS facts WHERE answer IS NOT NULL")
    return "\n".join([*lines, "RETURN answer, facts, value"])


def _is_on_node(path: Path) -> bool:
    return path[-1].relation.kind == "property"


def _extreme(writer: Writer, plan: Aggregate) -> str:
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


def _cite_block(writer: Writer, plan: Cite, at: str = "") -> str:
    """The cited nodes and facts, found again by their keys; a fact's row has no answer.

    One part for each form of node and of fact, however many there are: a part for each would take seconds to plan.
    """
    if at:
        if len(plan.nodes) != 1 or plan.facts or not isinstance(plan.nodes[0], Entity):
            raise UsageError("what was chosen by a reader can't be asked of one")
        _, condition = at_entity(writer, at, plan.nodes[0], "node")
        return f"WITH {at} WHERE {condition}\nRETURN {at} AS answer, [] AS facts"
    nodes: dict[Handle, list[str]] = {}
    holders: dict[Handle, list[str]] = {}
    edges: dict[tuple[Relation, Handle, Handle], list[list[str]]] = {}
    for node in plan.nodes:
        if isinstance(node, Entity) and _is_found_again(writer, node):
            _add(nodes, Handle.of(writer, node))
    for fact in plan.facts:
        if not all(_is_found_again(writer, end) for end in (fact.head, fact.tail) if isinstance(end, Entity)):
            continue
        head = Handle.of(writer, fact.head)
        if isinstance(fact.tail, Entity):
            tail = Handle.of(writer, fact.tail)
            form = (fact.relation, replace(head, value=""), replace(tail, value=""))
            edges.setdefault(form, []).append([head.value, tail.value])
        elif fact.relation.kind == "property":
            _add(holders, head)
        else:
            raise UsageError(f"the fact '{fact.relation.id}' of {fact.head.name!r} has no tail that can be found again")
    parts = [_cited_nodes(writer, form, found, "node") for form, found in nodes.items()]
    parts += [_cited_edges(writer, form, pairs) for form, pairs in edges.items()]
    parts += [_cited_nodes(writer, form, found, "head") for form, found in holders.items()]
    if values := [node.value for node in plan.nodes if isinstance(node, Value)]:
        parts.append(f"UNWIND {writer.parameter('values', values)} AS answer\nRETURN answer, [] AS facts")
    return "\nUNION ALL\n".join(parts) or "UNWIND [] AS answer\nRETURN answer, [] AS facts"


def _is_found_again(writer: Writer, entity: Entity) -> bool:
    """Whether a statement can name an entity: not where only the server's handle would, and somebody sees it."""
    return entity.is_called or not writer.proves


def _add(forms: dict[Handle, list[str]], handle: Handle) -> None:
    forms.setdefault(replace(handle, value=""), []).append(handle.value)


def _cited_nodes(writer: Writer, form: Handle, found: Sequence[str], stem: Literal["node", "head"]) -> str:
    """Nodes that are answers, or heads that hold a value that is cited."""
    node, one = writer.name("n"), writer.name("one")
    shown = f"{node} AS answer, [] AS facts" if stem == "node" else f"null AS answer, [{node}] AS facts"
    return (
        f"UNWIND {writer.parameter(stem, list(found))} AS {one}\n"
        f"MATCH {form.pattern(node)} WHERE {form.condition(node, one)}\nRETURN {shown}"
    )


def _cited_edges(writer: Writer, form: tuple[Relation, Handle, Handle], pairs: Sequence[Sequence[str]]) -> str:
    """Facts of one relation between nodes."""
    relation, head_form, tail_form = form
    head, tail, one, name = writer.name("n"), writer.name("n"), writer.name("one"), writer.name("p")
    step = Step(relation)
    hop = Hop(step, writer.mapping.legs(step))
    between, edges = [writer.name("n") for _ in hop.legs[1:]], [writer.name("r") for _ in hop.legs]
    walked = Pattern.of(writer.mapping, hop, head, tail, between, edges)
    return (
        f"UNWIND {writer.parameter('fact', list(pairs))} AS {one}\n"
        f"MATCH {head_form.pattern(head)} WHERE {head_form.condition(head, f'{one}[0]')}\n"
        f"MATCH {tail_form.pattern(tail)} WHERE {tail_form.condition(tail, f'{one}[1]')}\n"
        f"MATCH {name} = {walked.text}{where(walked.conditions)}\n"
        f"RETURN null AS answer, [{name}] AS facts"
    )


def replay_statement(mapping: GraphMapping, plan: Plan) -> Statement:
    """The one statement that reproduces a plan's answers and proof in Neo4j Browser.

    :raises UsageError: the plan can't be executed
    """
    if isinstance(plan, Native):
        return plan.statement
    writer = Writer(mapping)
    text = _block(writer, plan)
    return Statement(f"{PREFIX}\n{text}", dict(writer.parameters), replays="facts")


def answers_statement(mapping: GraphMapping, plan: Plan, limit: int) -> Statement:
    """A plan's answers without their proof. Returns rows of an element id, or a value, and what was compared or null.

    :raises UsageError: the plan can't be executed
    """
    writer = Writer(mapping, proves=False)
    block = _block(writer, plan)
    valued = isinstance(plan, Group) or (isinstance(plan, Aggregate) and not REDUCTIONS[plan.op].yields_value)
    compared = "value" if valued else "null"
    answer = "answer" if yields_values(plan) else "elementId(answer)"
    limited = writer.parameter("limit", limit)
    return Statement(
        f"{PREFIX}\nCALL () {{\n{indented(block)}\n}}\nRETURN DISTINCT {answer} AS answer, {compared} AS value "
        f"LIMIT {limited}",
        dict(writer.parameters),
    )
