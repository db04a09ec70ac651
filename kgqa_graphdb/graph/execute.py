"""Executing plans: first the set of answers, then the facts that prove them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph.proof import Proof, nodes_of, walk_facts
from kgqa_graphdb.graph.walk import Memo, Walk, values_by_start
from kgqa_graphdb.plan import Aggregate, Cite, Combine, Follow, Native, Plan, Result
from kgqa_graphdb.steps import Read, Steps, ask, together
from kgqa_graphdb.types import Entity, Fact, Node, RawEdge, RawNode, Scalar, Value

if TYPE_CHECKING:
    from kgqa_graphdb.graph import Graph


@dataclass(frozen=True, slots=True)
class _Answers:
    """A plan's answers, sorted, and whether a cap cut them."""

    nodes: tuple[Node, ...]
    truncated: bool = False


def node_order(node: Node) -> tuple[bool, Any, str]:
    """Sorts answers: numbers by size, everything else by name, then id."""
    if isinstance(node, Value) and isinstance(node.value, int | float):
        return (False, node.value, "")
    return (True, node.name, node.id if isinstance(node, Entity) else "")


def _sorted(nodes: Iterable[Node]) -> tuple[Node, ...]:
    return tuple(sorted(set(nodes), key=node_order))


def execute(graph: Graph, plan: Plan, memo: Memo) -> Steps[Result]:
    """See :meth:`kgqa_graphdb.graph.Graph.execute`."""
    if isinstance(plan, Native):
        return (yield from _native(graph, plan))
    found = yield from _answers(graph, plan, memo)
    proof = yield from _prove(graph, plan, frozenset(found.nodes), memo)
    return Result(plan, found.nodes, proof.facts, found.truncated or proof.truncated)


def _answers(graph: Graph, plan: Plan, memo: Memo) -> Steps[_Answers]:
    match plan:
        case Follow():
            return (yield from _follow(graph, plan, memo))
        case Combine():
            return (yield from _combine(graph, plan, memo))
        case Aggregate():
            return (yield from _aggregate(graph, plan, memo))
        case Cite():
            return _Answers(_sorted(plan.nodes))
        case Native():
            raise UsageError("Cypher that was written by hand can't be combined with other plans")


def _prove(graph: Graph, plan: Plan, kept: Set[Node], memo: Memo) -> Steps[Proof]:
    """The facts on the ways to those answers that are kept."""
    match plan:
        case Follow():
            walk = yield from _walk(graph, plan, memo)
            return (yield from walk_facts(graph, walk, _sorted(kept), memo))
        case Combine():
            parts = plan.parts[:1] if plan.op == "not" else plan.parts
            proofs = yield from together(_prove(graph, part, kept, memo) for part in parts)
            return _join(proofs)
        case Aggregate():
            return (yield from _prove_aggregate(graph, plan, kept, memo))
        case Cite():
            return Proof(plan.facts)
        case Native():
            return Proof()


def _join(proofs: Iterable[Proof]) -> Proof:
    facts: dict[Fact, None] = {}
    truncated = False
    for proof in proofs:
        facts.update(dict.fromkeys(proof.facts))
        truncated = truncated or proof.truncated
    return Proof(tuple(facts), truncated)


# ── follow ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _walk(graph: Graph, plan: Follow, memo: Memo) -> Steps[Walk]:
    pinned = plan.to.element_id if plan.to else None
    starts = (plan.topic.element_id,)
    return (yield from graph.walker.walk(starts, plan.path, memo, topics=starts, pinned=pinned))


def _follow(graph: Graph, plan: Follow, memo: Memo) -> Steps[_Answers]:
    walk = yield from _walk(graph, plan, memo)
    last = plan.path[-1].relation
    if walk.end is not None:
        return _Answers(_sorted(Value(value, last.unit) for _, value in walk.values), walk.truncated)
    # One statement names the answers and, if they are few, all that the proof will show.
    nodes = nodes_of(graph, walk, walk.hops)
    if len(nodes) <= 2 * graph.max_facts:
        yield from graph.describe(sorted(nodes), memo)
    entities = yield from graph.describe(walk.ends, memo)
    return _Answers(_sorted(entities.values()), walk.truncated)


# ── combine and aggregate ────────────────────────────────────────────────────────────────────────────────────────────


def _combine(graph: Graph, plan: Combine, memo: Memo) -> Steps[_Answers]:
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
    return _Answers(_sorted(kept), any(part.truncated for part in parts))


def _aggregate(graph: Graph, plan: Aggregate, memo: Memo) -> Steps[_Answers]:
    over = yield from _answers(graph, plan.over, memo)
    if plan.op == "count":
        return _Answers((Value(len(over.nodes)),), over.truncated)
    if plan.op == "exists":
        return _Answers((Value(bool(over.nodes)),), over.truncated)
    walk, values = yield from _compared(graph, plan, over.nodes, memo)
    kept = _chosen(values, plan)
    entities = {node.element_id: node for node in over.nodes if isinstance(node, Entity)}
    return _Answers(_sorted(entities[element_id] for element_id in kept), over.truncated or walk.truncated)


def _prove_aggregate(graph: Graph, plan: Aggregate, kept: Set[Node], memo: Memo) -> Steps[Proof]:
    if plan.op in ("count", "exists"):
        over = yield from _answers(graph, plan.over, memo)
        return (yield from _prove(graph, plan.over, frozenset(over.nodes), memo))
    walk, values = yield from _compared(graph, plan, tuple(kept), memo)
    wanted = {Value(value, walk.path[-1].relation.unit) for held in _chosen(values, plan).values() for value in held}
    under = yield from _prove(graph, plan.over, kept, memo)
    compared = yield from walk_facts(graph, walk, _sorted(wanted), memo)
    return _join((under, compared))


def _compared(
    graph: Graph, plan: Aggregate, nodes: Sequence[Node], memo: Memo
) -> Steps[tuple[Walk, dict[str, list[Scalar]]]]:
    """The values that answers are compared by; element id → values."""
    if not plan.by or plan.by[-1].relation.kind == "edge":
        raise UsageError(f"'{plan.op}' compares values: the last step of 'by' must be a property")
    starts = tuple(node.element_id for node in _sorted(nodes) if isinstance(node, Entity))
    walk = yield from graph.walker.walk(starts, plan.by, memo)
    return walk, values_by_start(walk, graph.mapping.walk)


def _chosen(values: dict[str, list[Scalar]], plan: Aggregate) -> dict[str, list[Scalar]]:
    """The nodes whose values win or compare as wanted, and those values."""
    chosen: defaultdict[str, list[Scalar]] = defaultdict(list)
    if plan.op in ("max", "min"):
        everything: list[Any] = [value for held in values.values() for value in held]
        if not everything:
            return {}
        best = max(everything) if plan.op == "max" else min(everything)
        return {node: [best] for node, held in values.items() if best in held}
    if plan.value is None:
        raise UsageError(f"'{plan.op}' needs a value to compare with")
    for node, held in values.items():
        for value in held:
            if _compares(value, plan.op, plan.value):
                chosen[node].append(value)
    return dict(chosen)


def _compares(value: Any, op: str, wanted: Any) -> bool:
    if op == "=":
        return bool(value == wanted)
    try:
        return bool(value < wanted if op == "<" else value > wanted)
    except TypeError:  # a text against a number: Cypher compares these to null
        return False


# ── statements that nobody compiled ──────────────────────────────────────────────────────────────────────────────────


def _native(graph: Graph, plan: Native) -> Steps[Result]:
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
