"""The facts among some entities: the subgraph that they induce."""

from __future__ import annotations

from collections.abc import Sequence

from kgqa_graphdb.graph.facts import edge_fact
from kgqa_graphdb.graph.neighbours import neighbour_reader
from kgqa_graphdb.graph.reader import GraphReader
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Fact


def facts_among(graph: GraphReader, entities: Sequence[Entity]) -> Steps[tuple[Fact, ...]]:
    """See :meth:`kgqa_graphdb.graph.Graph.facts_among`."""
    known = {entity.element_id: entity for entity in entities}
    around = yield from neighbour_reader(graph, valued=False).read(list(known), list(known))
    found: dict[tuple[str, str, str, object], Fact] = {}
    for node in known:  # a hub is missing: its facts are found from their other end
        for step, edges in around[node].edges.items() if node in around else ():
            for edge in edges:
                left, right = (edge.right, edge.left) if step.inverse else (edge.left, edge.right)
                key = (left, step.relation.id, right, edge.qualifiers)
                found.setdefault(key, edge_fact(graph, step, edge, known))
    places = {node: place for place, node in enumerate(known)}
    order = sorted(found, key=lambda key: (places[key[0]], places[key[2]], key[1], str(key[3])))
    return tuple(found[key] for key in order)
