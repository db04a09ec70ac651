"""The figures of subgraphs whose shape is known."""

from __future__ import annotations

import pytest

from kgqa_graphdb.rerank.metrics import GraphMetrics, graph_metrics, mean_metrics
from tests.unit.rerank.graphs import candidate_graph


@pytest.mark.parametrize(
    ("triples", "figures"),
    [
        ([("topic", "moon_of", "c")], GraphMetrics(2, 1, 1 / 2, 0, 1)),
        ([("topic", "moon_of", "c"), ("c", "has_moon", "topic")], GraphMetrics(2, 2, 1, 1, 1)),
        ([("topic", "moon_of", "c"), ("topic", "orbits", "c")], GraphMetrics(2, 1, 1 / 2, 0, 1)),
        ([("topic", "a", "b"), ("b", "a", "c")], GraphMetrics(3, 2, 1 / 3, 0, 2)),
        ([("topic", "a", "b"), ("b", "a", "c"), ("c", "a", "topic")], GraphMetrics(3, 3, 1 / 2, 1, 0)),
        # a triangle without a way round, and a tail
        ([("topic", "a", "b"), ("b", "a", "c"), ("topic", "a", "c"), ("d", "a", "c")], GraphMetrics(4, 4, 1 / 3, 0, 1)),
        ([("topic", "a", "c"), ("c", "a", "c")], GraphMetrics(2, 2, 1, 1, 1)),
    ],
)  # fmt: skip
def test_the_shape_of_small_graphs(triples: list[tuple[str, str, str]], figures: GraphMetrics) -> None:
    assert graph_metrics(candidate_graph(triples, "c")) == figures


def test_a_complete_graph_has_every_circuit() -> None:
    names = ("topic", "b", "c")
    triples = [(head, "a", tail) for head in names for tail in names if head != tail]
    assert graph_metrics(candidate_graph(triples, "c")) == GraphMetrics(3, 6, 1, 5, 0)


def test_means_are_of_each_figure() -> None:
    one, other = GraphMetrics(2, 1, 0.5, 0, 1), GraphMetrics(4, 2, 0.25, 2, 1)
    assert mean_metrics([one, other]) == GraphMetrics(3, 1.5, 0.375, 1, 1)
    assert mean_metrics([]) is None
