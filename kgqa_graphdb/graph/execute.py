"""Executing plans: first the set of answers, then the facts that prove them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from kgqa_graphdb.compile import answers_statement
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph.proof import Proof, nodes_of, starts_of, walk_facts
from kgqa_graphdb.graph.reader import GraphReader
from kgqa_graphdb.graph.walk import Answers, Memo
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
    Result,
    either_ways,
    tells_amounts,
    yields_values,
)
from kgqa_graphdb.reductions import REDUCTIONS
from kgqa_graphdb.steps import Read, Steps, ask, together
from kgqa_graphdb.types import Entity, Fact, Node, RawEdge, RawNode, Scalar, Value


def node_order(node: Node) -> tuple[bool, Any, str]:
    """Sorts answers: numbers by size, everything else by name, then id."""
    if isinstance(node, Value) and isinstance(node.value, int | float):
        return (False, node.value, "")
    return (True, node.name, node.id if isinstance(node, Entity) else "")


def _sorted(nodes: Iterable[Node]) -> tuple[Node, ...]:
    return tuple(sorted(set(nodes), key=node_order))


def execute(graph: GraphReader, plan: Plan, memo: Memo) -> Steps[Result]:
    """See :meth:`kgqa_graphdb.graph.Graph.execute`."""
    if isinstance(plan, Native):
        return (yield from _native(graph, plan))
    found = yield from _answers(graph, plan, memo)
    proof = yield from _prove(graph, plan, frozenset(found.nodes), memo)
    return Result(plan, found.nodes, proof.facts, found.truncated or proof.truncated, _amounts(plan, found))


def _amounts(plan: Plan, found: Answers) -> tuple[Value, ...]:
    """By what the answers were ranked or grouped."""
    if not (
        tells_amounts(plan) or (isinstance(plan, Aggregate) and REDUCTIONS[plan.op].family == "ranking" and plan.by)
    ):
        return ()
    return tuple(Value(found.values[node][0], _amount_unit(plan)) for node in found.nodes)


def _amount_unit(plan: Plan) -> str:
    match plan:
        case Group(of=by) | Aggregate(by=by) if by:
            return by[-1].relation.unit
        case Aggregate(over=over):
            return _amount_unit(over)
        case _:
            return ""


def _answers(graph: GraphReader, plan: Plan, memo: Memo) -> Steps[Answers]:
    match plan:
        case Follow():
            return (yield from _follow(graph, plan, memo))
        case Combine():
            return (yield from _combine(graph, plan, memo))
        case Every() | Aggregate() | Group() | Onward():
            return (yield from server_answers(graph, plan, memo))
        case Cite():
            return Answers(_sorted(plan.nodes))
        case Native():
            raise UsageError("Cypher that was written by hand can't be combined with other plans")


def _prove(graph: GraphReader, plan: Plan, kept: Set[Node], memo: Memo) -> Steps[Proof]:
    """The facts on the ways to those answers that are kept."""
    match plan:
        case Follow():
            walk = yield from graph.walk(plan, memo)
            return (yield from walk_facts(graph, walk, _sorted(kept), memo))
        case Combine():
            parts = plan.parts[:1] if plan.op == "not" else plan.parts
            shown = [kept] * len(parts)
            if plan.op == "or":  # what one part alone gives may be on the ways of another
                every = yield from together(_answers(graph, part, memo) for part in parts)
                shown = [kept & set(own.nodes) for own in every]
            proofs = yield from together(_prove(graph, *one, memo) for one in zip(parts, shown, strict=True))
            return _join(proofs)
        case Aggregate():
            return (yield from _prove_aggregate(graph, plan, kept, memo))
        case Group():
            return (yield from _prove_group(graph, plan, kept, memo))
        case Onward():
            return (yield from _prove_onward(graph, plan, kept, memo))
        case Cite():
            return Proof(plan.facts)
        case Every() | Native():
            return Proof()


def _join(proofs: Iterable[Proof]) -> Proof:
    facts: dict[Fact, None] = {}
    truncated = False
    for proof in proofs:
        facts.update(dict.fromkeys(proof.facts))
        truncated = truncated or proof.truncated
    return Proof(tuple(facts), truncated)


# ── follow ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _follow(graph: GraphReader, plan: Follow, memo: Memo) -> Steps[Answers]:
    walk = yield from graph.walk(plan, memo)
    last = plan.path[-1].relation
    if walk.end is not None:
        return Answers(_sorted(Value(value, last.unit) for _, value in walk.values), walk.truncated)
    # One statement names the answers and, if they are few, all that the proof will show.
    nodes = nodes_of(graph, walk, walk.hops)
    if len(nodes) <= 2 * graph.max_facts:
        yield from graph.describe(sorted(nodes), memo)
    entities = yield from graph.describe(walk.ends, memo)
    return Answers(_sorted(entities.values()), walk.truncated)


# ── combine, and what the server works out ────────────────────────────────────────────────────────────────────────────


def _combine(graph: GraphReader, plan: Combine, memo: Memo) -> Steps[Answers]:
    if len(plan.parts) < 2:
        raise UsageError(f"'{plan.op}' needs at least two parts")
    parts = yield from together(_answers(graph, part, memo) for part in plan.parts)
    first, *others = (set(part.nodes) for part in parts)
    match plan.op:
        case "and":
            kept = first.intersection(*others)
        case "or":
            kept = first.union(*others)
        case "not":
            kept = first.difference(*others)
    return Answers(_sorted(kept), any(part.truncated for part in parts))


def server_answers(graph: GraphReader, plan: Plan, memo: Memo) -> Steps[Answers]:
    """The answers that one statement gives: the server counts, sums and compares, however many there are."""
    if plan in memo.answers:
        return memo.answers[plan]
    rows = yield from ask(Read(answers_statement(graph.mapping, plan, graph.max_edges + 1)))
    kept = rows[: graph.max_edges]
    compared_by: defaultdict[Node, list[Scalar]] = defaultdict(list)
    if yields_values(plan):
        for value, compared in kept:
            compared_by[Value(value, _unit(plan))].append(compared)
    else:
        known = yield from graph.describe((element_id for element_id, _ in kept), memo)
        for element_id, compared in kept:
            if element_id in known:
                compared_by[known[element_id]].append(compared)
    nodes = _sorted(compared_by)
    if isinstance(plan, Aggregate) and REDUCTIONS[plan.op].family == "ranking":  # the sort is stable: ties by name
        nodes = tuple(sorted(nodes, key=lambda node: compared_by[node][0], reverse=plan.op != "min"))
    memo.answers[plan] = Answers(nodes, len(rows) > len(kept), dict(compared_by))
    return memo.answers[plan]


def _unit(plan: Plan) -> str:
    """The unit of the values that a plan yields."""
    match plan:
        case Follow() | Onward():
            return plan.path[-1].relation.unit
        case Aggregate(op, over, by):
            return "" if REDUCTIONS[op].family == "answers" else by[-1].relation.unit if by else _unit(over)
        case Group(by=by, years=years):
            return "" if years else by[-1].relation.unit
        case _:
            return ""


def _prove_aggregate(graph: GraphReader, plan: Aggregate, kept: Set[Node], memo: Memo) -> Steps[Proof]:
    if REDUCTIONS[plan.op].yields_value:  # all that is under it counts
        kept = frozenset((yield from _answers(graph, plan.over, memo)).nodes)
    proofs = [(yield from _prove(graph, plan.over, kept, memo))]
    if isinstance(plan.value, Plan):
        bounds = yield from _answers(graph, plan.value, memo)
        proofs.append((yield from _prove(graph, plan.value, frozenset(bounds.nodes), memo)))
    if not plan.by:
        return _join(proofs)
    compared = (yield from server_answers(graph, plan, memo)).values
    groups: defaultdict[object, list[Entity]] = defaultdict(list)
    for node in [node for node in _sorted(kept) if isinstance(node, Entity)][: graph.max_facts]:
        # One whose greatest value is 9 is not shown to have 7 too, as another has at best; where two paths from it
        # meet is its own.
        best = compared[node][0] if plan.op in ("max", "min") and node in compared else None
        groups[node if plan.meets else best].append(node)
    inside = (yield from _answers(graph, plan.within, memo)) if plan.within is not None else None
    shown = yield from together(_prove_values(graph, plan, nodes, compared, inside, memo) for nodes in groups.values())
    return _join((*proofs, *shown))


def _prove_values(
    graph: GraphReader,
    plan: Aggregate,
    nodes: Sequence[Entity],
    compared: Mapping[Node, Sequence[Scalar]],
    inside: Answers | None,
    memo: Memo,
) -> Steps[Proof]:
    """The facts on the ways from answers to what they were compared by.

    :param inside: the answers of ``within``, if there is one
    """
    starts = tuple(node.element_id for node in nodes)
    by = either_ways(plan.by)
    walks = yield from together(graph.walker.walk(starts, path, memo) for path in (*by, *plan.meets))
    walk, others = walks[0], walks[len(by) :]
    last = {end for way in walks[: len(by)] for end in way.ends}.intersection(*(other.ends for other in others))
    within: frozenset[Node] = frozenset()
    if inside is not None:
        within = frozenset(one for one in inside.nodes if isinstance(one, Entity) and one.element_id in last)
        last = {one.element_id for one in within if isinstance(one, Entity)}
    ends: Iterable[Node]
    unit = plan.by[-1].relation.unit
    if walk.end is None:
        ends = (yield from graph.describe(sorted(last), memo)).values()
    elif plan.each or plan.op == "measure" or REDUCTIONS[plan.op].yields_value:
        ends = (Value(value, unit) for _, value in walk.values)
    else:
        ends = (Value(value, unit) for node in nodes for value in compared.get(node, ()))
    shown = _sorted(ends)
    proofs = yield from together(walk_facts(graph, one, shown, memo, last) for one in walks)
    under = (yield from _prove(graph, plan.within, within, memo)) if plan.within is not None else Proof()
    cut = inside is not None and inside.truncated
    return _join((*proofs, under, Proof(truncated=cut)))


def _prove_group(graph: GraphReader, plan: Group, kept: Set[Node], memo: Memo) -> Steps[Proof]:
    """The facts on the ways to groups, and to what is summed up of them."""
    over = yield from _answers(graph, plan.over, memo)
    some = [node for node in over.nodes if isinstance(node, Entity)][: graph.max_facts]
    walk = yield from graph.walker.walk(tuple(node.element_id for node in some), plan.by, memo)
    wanted = {node.value for node in kept if isinstance(node, Value)}
    found = [(node, value) for node, value in walk.values if (year_of(value) if plan.years else value) in wanted]
    unit = plan.by[-1].relation.unit
    proof = yield from walk_facts(graph, walk, _sorted({Value(value, unit) for _, value in found}), memo)
    holders = {node for node, _ in found}
    if len(plan.by) > 1:  # who leads to which holder is not known
        holders = set(walk.starts)
    counted = [node for node in some if node.element_id in holders]
    under = yield from _prove(graph, plan.over, frozenset(counted), memo)
    proofs = [under, proof, Proof(truncated=len(over.nodes) > len(some))]
    if plan.of:
        summed = yield from graph.walker.walk(tuple(node.element_id for node in counted), plan.of, memo)
        values = _sorted({Value(value, plan.of[-1].relation.unit) for _, value in summed.values})
        proofs.append((yield from walk_facts(graph, summed, values, memo)))
    return _join(proofs)


def _prove_onward(graph: GraphReader, plan: Onward, kept: Set[Node], memo: Memo) -> Steps[Proof]:
    """The facts on the ways from a plan's answers, and those that lead to them."""
    over = yield from _answers(graph, plan.over, memo)
    starts = tuple(node.element_id for node in over.nodes if isinstance(node, Entity))
    walk = yield from graph.walker.walk(starts, plan.path, memo)
    led = starts_of(graph, walk, _sorted(kept))
    proof = yield from walk_facts(graph, walk, _sorted(kept), memo)
    begun = frozenset(node for node in over.nodes if isinstance(node, Entity) and node.element_id in led)
    under = yield from _prove(graph, plan.over, begun, memo)
    return _join((under, proof, Proof(truncated=over.truncated)))


def year_of(value: Scalar) -> int | None:
    """The year of a moment, as its text begins; ``None``: it is none."""
    text = str(value)[:4]
    return int(text) if text.isdecimal() else None


# ── statements that nobody compiled ──────────────────────────────────────────────────────────────────────────────────


def _native(graph: GraphReader, plan: Native) -> Steps[Result]:
    """Nodes and values of the statement's rows are the answers, its relationships the facts."""
    rows = yield from ask(Read(plan.statement))
    nodes: dict[str, RawNode] = {}
    edges: list[RawEdge] = []
    values: list[Value] = []
    stack: list[Any] = [value for row in reversed(rows) for value in reversed(row)]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            if any(isinstance(inner, RawEdge) for inner in value):  # a path: its nodes are on the way, no answers
                edges.extend(inner for inner in value if isinstance(inner, RawEdge))
            else:
                stack.extend(reversed(value))
        elif isinstance(value, RawEdge):
            edges.append(value)
        elif isinstance(value, RawNode):
            nodes[value.element_id] = value
        elif value is not None:
            values.append(Value(value if isinstance(value, str | int | float) else str(value)))
    answers: list[Node] = [graph.entity(node.element_id, node.labels, node.properties) for node in nodes.values()]
    by_type = graph.mapping.by_type
    known = yield from graph.describe(end for edge in edges for end in (edge.head, edge.tail))
    facts = [
        Fact(known[edge.head], by_type["edge", edge.type][-1], known[edge.tail])
        for edge in edges
        if ("edge", edge.type) in by_type and edge.head in known and edge.tail in known
    ]
    cut = len(facts) > graph.max_facts
    return Result(plan, _sorted([*answers, *values]), tuple(dict.fromkeys(facts))[: graph.max_facts], cut)
