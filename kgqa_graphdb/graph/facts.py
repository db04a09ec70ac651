"""Edges as facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kgqa_graphdb.graph.edges import Edge
from kgqa_graphdb.graph.reader import GraphReader
from kgqa_graphdb.types import Entity, Fact, Point, Scalar, Step


def edge_fact(graph: GraphReader, step: Step, edge: Edge, known: Mapping[str, Entity]) -> Fact:
    """An edge as one fact between its ends, with its qualifiers, in the direction that its relation has."""
    ends = (known[edge.left], known[edge.right])
    head, tail = reversed(ends) if step.inverse else ends
    return Fact(head, step.relation, tail, named_qualifiers(graph.mapping.qualifier_keys, edge))


def named_qualifiers(keys: Sequence[str], edge: Edge) -> tuple[tuple[str, Scalar], ...]:
    """The qualifiers of an edge with their keys; several values of one are one text."""
    return tuple(
        (key, ", ".join(map(str, value)) if isinstance(value, tuple) and not isinstance(value, Point) else value)
        for key, value in zip(keys, edge.qualifiers, strict=False)
        if value is not None
    )
