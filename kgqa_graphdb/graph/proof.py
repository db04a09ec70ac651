"""The facts that prove a walk's answers.

A step that is made of several relationships shows all of them where what lies between its ends has names; else it is
one fact, between the ends or with the value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from kgqa_graphdb.graph.edges import Edge, edges_to
from kgqa_graphdb.graph.facts import edge_fact, named_qualifiers
from kgqa_graphdb.graph.reader import GraphReader
from kgqa_graphdb.graph.walk import Memo, Walk
from kgqa_graphdb.mapping.hops import Hop, end_labels
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Fact, Node, Scalar, Step, Value


@dataclass(frozen=True, slots=True)
class Proof:
    """Facts in walking order, and whether the cap cut them."""

    facts: tuple[Fact, ...] = ()
    truncated: bool = False


def walk_facts(
    graph: GraphReader, walk: Walk, kept: Sequence[Node], memo: Memo, holders: Set[str] | None = None
) -> Steps[Proof]:
    """The facts of a walk that lead to some answers: in walking order, each hop's by the names of their ends.

    :param kept: the answers, sorted
    :param holders: nodes whose values alone are meant; ``None``: all
    """
    values, ends = _ends_of(walk, kept, holders)
    hops, cut = edges_to(walk.hops, walk.rules, ends, graph.max_facts)
    shown = nodes_of(graph, walk, hops) | (set() if walk.route else set(values))
    known = yield from graph.describe(sorted(shown), memo)
    facts: dict[Fact, None] = {}
    for hop, edges in zip(walk.route, hops, strict=False):
        found = [pair for edge in edges for pair in _facts_of(graph, hop, edge, known)]
        facts.update((fact, None) for _, fact in sorted(found, key=lambda pair: (pair[0], *_fact_order(pair[1]))))
    if walk.end is not None and walk.end.kind == "property":
        shown_facts = set(_value_facts(graph, walk, hops, values, known))
        facts.update(dict.fromkeys(sorted(shown_facts, key=_fact_order)[: graph.max_facts]))
    return Proof(tuple(facts), cut)


def starts_of(graph: GraphReader, walk: Walk, kept: Sequence[Node]) -> set[str]:
    """The nodes from which a walk leads to some answers."""
    _, ends = _ends_of(walk, kept)
    if not walk.hops:
        return set(ends)
    (first, *_), _ = edges_to(walk.hops, walk.rules, ends, graph.max_facts)
    return {edge.left for edge in first}


def _ends_of(
    walk: Walk, kept: Sequence[Node], holders: Set[str] | None = None
) -> tuple[Mapping[str, Sequence[Scalar]], list[str]]:
    """The values among some answers by the nodes that hold them, and the nodes at which a walk's edges end there."""
    if walk.end is None:
        return {}, [node.element_id for node in kept if isinstance(node, Entity)]
    values: defaultdict[str, list[Scalar]] = defaultdict(list)
    wanted, unit = set(kept), walk.path[-1].relation.unit
    for node, value in walk.values:
        if Value(value, unit) in wanted and (holders is None or node in holders):
            values[node].append(value)
    return values, list(values)


def nodes_of(graph: GraphReader, walk: Walk, hops: Sequence[Iterable[Edge]]) -> set[str]:
    """The nodes of some edges that a proof may call by their names; nothing is read of other nodes."""
    found: set[str] = set()
    for hop, edges in zip(walk.route, hops, strict=False):
        inside, at_end = _may_be_named(graph, hop.legs[:-1]), _is_entity(graph, hop)
        for edge in edges:
            found.add(edge.left)
            found.update(edge.between if inside else ())
            if at_end:
                found.add(edge.right)
    return found


def _is_entity(graph: GraphReader, hop: Hop) -> bool:
    """Whether a hop arrives at entities; one that leads to a value may arrive at what only holds that."""
    return hop.step.relation.kind == "edge" or _may_be_named(graph, hop.legs[-1:])


def _may_be_named(graph: GraphReader, legs: Iterable[Step]) -> bool:
    """Whether the nodes at which some legs of a hop arrive may be entities."""
    kinds = {kind.label for kind in graph.mapping.entities}
    return bool(graph.mapping.label) or all(kinds & set(end_labels(leg)) for leg in legs)


def _is_named(graph: GraphReader, entity: Entity | None) -> bool:
    """Whether a person can tell a node by what it is called."""
    return entity is not None and (entity.name != entity.id if graph.mapping.owned else entity.is_called)


def _all_named(graph: GraphReader, nodes: Iterable[str], known: Mapping[str, Entity]) -> bool:
    return all(_is_named(graph, known.get(node)) for node in nodes)


def _facts_of(graph: GraphReader, hop: Hop, edge: Edge, known: Mapping[str, Entity]) -> Iterator[tuple[int, Fact]]:
    """The facts of an edge, each with its place in the hop."""
    nodes = (edge.left, *edge.between, edge.right)
    leads_to_value = hop.step.relation.kind == "property"  # that is a fact of its own
    if any(node not in known for node in (edge.left, *(() if leads_to_value else (edge.right,)))):
        return
    if hop.step.relation.via and _all_named(graph, nodes[1:] if leads_to_value else edge.between, known):
        for place, leg in enumerate(hop.legs):
            qualifiers = named_qualifiers(graph.mapping.qualifier_keys, edge) if place == len(hop.legs) - 1 else ()
            ends = (known[nodes[place]], known[nodes[place + 1]])
            head, tail = reversed(ends) if leg.inverse else ends
            yield place, Fact(head, leg.relation, tail, qualifiers)
    elif not leads_to_value:
        yield 0, edge_fact(graph, hop.step, edge, known)


def _value_facts(
    graph: GraphReader,
    walk: Walk,
    hops: Sequence[Iterable[Edge]],
    values: Mapping[str, Sequence[Scalar]],
    known: Mapping[str, Entity],
) -> Iterator[Fact]:
    """The facts of the property that a path ends in."""
    relation = walk.path[-1].relation
    if not relation.via:
        for node, own in values.items():
            if node in known:
                yield from (Fact(known[node], relation, Value(value, relation.unit)) for value in own)
        return
    for edge in hops[-1] if hops else ():  # a walk that leads nowhere ends before it is over
        named = _all_named(graph, (*edge.between, edge.right), known)
        holder = known.get(edge.right if named else edge.left)
        if holder is not None:
            shown = graph.mapping.legs(walk.path[-1])[-1].relation if named else relation
            yield from (Fact(holder, shown, Value(value, relation.unit)) for value in values.get(edge.right, ()))


def _fact_order(fact: Fact) -> tuple[str, str, str]:
    return (fact.head.name, fact.tail.name, str(fact.qualifiers))
