"""Question subgraphs as the network reads them: both directions, shared messages, several side by side."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kgqa_graphdb.export import ExportedGraph, IndexedSubgraph, SubgraphSettings, cut_subgraph
from kgqa_graphdb.gnn2r.graphs import Inverse, QuestionGraph, side_by_side
from tests.unit.export.made import exported

STAR = (*((f"leaf{number}", "of", "hub") for number in range(6)), ("hub", "in", "root"))


@pytest.fixture
def star(tmp_path: Path) -> ExportedGraph:
    return exported(tmp_path / "star", STAR)


def around(graph: ExportedGraph, topic: str, hops: int = 2, max_nodes: int = 0) -> IndexedSubgraph:
    return cut_subgraph(graph, graph.entities([topic]), SubgraphSettings(hops=hops, max_nodes=max_nodes))


def edges(graph: QuestionGraph) -> set[tuple[int, int, int]]:
    """Sender, relation, receiver of each edge."""
    sender, relation = graph.sender[graph.message], graph.relation[graph.message]
    return set(zip(sender.tolist(), relation.tolist(), graph.receiver.tolist(), strict=True))


def test_facts_are_walked_both_ways_as_relations_of_their_own_as_one_or_one_way(star: ExportedGraph) -> None:
    index = around(star, "hub", hops=1)
    of, within = star.relation_number("of"), star.relation_number("in")
    root = index.nodes.tolist().index(star.find("root")[0])
    leaf = index.nodes.tolist().index(star.find("leaf0")[0])
    found = {way: edges(QuestionGraph.of(index, 2, way)) for way in ("apart", "same", "none")}
    assert {len(some) for some in found.values()} == {14, 7}
    assert {(leaf, of, 0), (0, of + 2, leaf), (0, within, root), (root, within + 2, 0)} <= found["apart"]
    assert {(leaf, of, 0), (0, of, leaf), (0, within, root), (root, within, 0)} <= found["same"]
    assert found["none"] == {one for one in found["apart"] if one[1] < 2}


def test_what_an_entity_sends_along_a_relation_is_one_message(star: ExportedGraph) -> None:
    graph = QuestionGraph.of(around(star, "hub", hops=1), 2, "apart")
    assert graph.receiver.size == 14  # the hub sends to its six leaves one message, and one to the root
    assert graph.sender.size == 9
    assert graph.receiver.tolist() == sorted(graph.receiver.tolist())


def test_distances_are_hops_from_the_topic_and_the_budget_is_kept(star: ExportedGraph) -> None:
    assert sorted(QuestionGraph.of(around(star, "leaf0"), 2, "apart").distance.tolist()) == [0, 1, *[2] * 6]
    small = QuestionGraph.of(around(star, "leaf0", max_nodes=3), 2, "apart")
    assert small.distance.tolist() == [0, 1, 2]
    assert small.receiver.max() == 2


@pytest.mark.parametrize("way", ["apart", "none"])
def test_nothing_joins_subgraphs_that_stand_side_by_side(star: ExportedGraph, way: Inverse) -> None:
    graphs = [QuestionGraph.of(around(star, topic, hops=1), 2, way) for topic in ("hub", "root", "leaf0")]
    batch = side_by_side(graphs)
    assert batch.starts.tolist() == [0, 8, 10, 12]
    assert batch.question.tolist() == [0] * 8 + [1] * 2 + [2] * 2
    assert (batch.question[batch.sender[batch.message]] == batch.question[batch.receiver]).all()
    assert (np.diff(batch.receiver) >= 0).all()
    for graph, start, end in zip(graphs, batch.starts[:-1], batch.starts[1:], strict=True):
        own = (batch.receiver >= start) & (batch.receiver < end)
        sender = batch.sender[batch.message[own]] - start
        relation = batch.relations[batch.relation[batch.message[own]]]
        receiver = batch.receiver[own] - start
        found = set(zip(sender.tolist(), relation.tolist(), receiver.tolist(), strict=True))
        assert found == edges(graph)
