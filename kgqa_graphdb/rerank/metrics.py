"""What shape subgraphs have: the figures of the paper's table 3, by networkx.

The paper does not say which graph each figure is of. Here nodes, edges, density and cycles are those of the directed
graph, in which several facts from one node to another are one edge: its means, 3.31 edges among 2.98 nodes and a
density of .61, fit that, and of an undirected graph the density would be twice as much. Bridges are those of the graph
without directions, as networkx knows no others; the paper's 2.96 among 2.98 nodes are more than such a graph can have.
"""

from __future__ import annotations

from dataclasses import dataclass

from kgqa_graphdb.errors import MissingExtraError
from kgqa_graphdb.rerank.subgraphs import CandidateGraph
from kgqa_graphdb.types import Entity


@dataclass(frozen=True, slots=True)
class Shape:
    """Figures of a subgraph.

    :ivar nodes: entities
    :ivar edges: ordered pairs of nodes that a fact joins
    :ivar density: edges, of those that there could be, 0..1; more where facts join nodes with themselves
    :ivar cycles: elementary circuits along the facts' directions: two nodes that point at each other are one
    :ivar bridges: pairs of nodes without which, whatever the directions, the graph would fall into more parts
    """

    nodes: int
    edges: int
    density: float
    cycles: int
    bridges: int


def shape_of(graph: CandidateGraph) -> Shape:
    """The figures of a subgraph.

    :raises MissingExtraError: networkx is not installed
    """
    try:
        import networkx
    except ImportError as error:
        raise MissingExtraError("networkx", "viz") from error
    directed: networkx.DiGraph[Entity] = networkx.DiGraph()
    directed.add_nodes_from(graph.nodes)
    directed.add_edges_from((fact.head, fact.tail) for fact in graph.facts if isinstance(fact.tail, Entity))
    return Shape(
        nodes=directed.number_of_nodes(),
        edges=directed.number_of_edges(),
        density=float(networkx.density(directed)),
        cycles=sum(1 for _ in networkx.simple_cycles(directed)),
        bridges=sum(1 for _ in networkx.bridges(directed.to_undirected())),
    )
