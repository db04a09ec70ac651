"""The figures of subgraphs whose shape is known."""

from __future__ import annotations

import pytest

from kgqa_graphdb.rerank.metrics import Shape, shape_of
from tests.unit.rerank.graphs import candidate_graph


@pytest.mark.parametrize(
    ("triples", "figures"),
    [
        ([("topic", "moon_of", "c")], Shape(2, 1, 1 / 2, 0, 1)),
        ([("topic", "moon_of", "c"), ("c", "has_moon", "topic")], Shape(2, 2, 1, 1, 1)),
        ([("topic", "moon_of", "c"), ("topic", "orbits", "c")], Shape(2, 1, 1 / 2, 0, 1)),
        ([("topic", "a", "b"), ("b", "a", "c")], Shape(3, 2, 1 / 3, 0, 2)),
        ([("topic", "a", "b"), ("b", "a", "c"), ("c", "a", "topic")], Shape(3, 3, 1 / 2, 1, 0)),
        # a triangle without a way round, and a tail
        ([("topic", "a", "b"), ("b", "a", "c"), ("topic", "a", "c"), ("d", "a", "c")], Shape(4, 4, 1 / 3, 0, 1)),
        ([("topic", "a", "c"), ("c", "a", "c")], Shape(2, 2, 1, 1, 1)),
    ],
)  # fmt: skip
def test_the_shape_of_small_graphs(triples: list[tuple[str, str, str]], figures: Shape) -> None:
    assert shape_of(candidate_graph(triples, "c")) == figures


def test_a_complete_graph_has_every_circuit() -> None:
    names = ("topic", "b", "c")
    triples = [(head, "a", tail) for head in names for tail in names if head != tail]
    assert shape_of(candidate_graph(triples, "c")) == Shape(3, 6, 1, 5, 0)
