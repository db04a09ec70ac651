"""Classes of entities that know the same: what is computed for a class is what would be for each entity."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.gnn2r_rounds import one_by_one
from kgqa_graphdb.export import ExportedGraph, SubgraphSettings, cut_subgraph
from kgqa_graphdb.gnn2r import network
from kgqa_graphdb.gnn2r.graphs import GraphBatch, Inverse, QuestionGraph, side_by_side
from kgqa_graphdb.gnn2r.network import StepOneNetwork
from kgqa_graphdb.gnn2r.rounds import rounds_of
from tests.unit.export.made import exported

DIM, WIDTH, LAYERS = 5, 6, 3
RELATIONS = 4


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> ExportedGraph:
    """Facts drawn at random, two facts of one relation between the same two among them, and a star of equal leaves."""
    rng = np.random.default_rng(0)
    facts = [(f"n{a}", f"r{r}", f"n{b}") for a, r, b in rng.integers((0, 0, 0), (25, RELATIONS, 25), (60, 3)).tolist()]
    facts += [(f"leaf{number}", "r0", "n0") for number in range(9)]
    return exported(tmp_path_factory.mktemp("graph"), sorted(set(facts)))


def batch_of(graph: ExportedGraph, inverse: Inverse, hops: int = 2) -> GraphBatch:
    settings = SubgraphSettings(hops=hops, max_nodes=0)
    cut = [cut_subgraph(graph, graph.entities(some), settings) for some in (["n0"], ["n1", "n2"], ["leaf3"])]
    return side_by_side([QuestionGraph.of(index, RELATIONS, inverse) for index in cut])


@pytest.mark.parametrize("inverse", ["apart", "same", "none"])
@pytest.mark.parametrize("hops", [1, 2, 3])
def test_distances_are_those_of_each_entity_alone(
    made: ExportedGraph, inverse: Inverse, hops: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = batch_of(made, inverse, hops)
    rng = np.random.default_rng(1)
    own = StepOneNetwork(weights(rng), LAYERS)
    texts = [rng.normal(size=(size, WIDTH)).astype(np.float32) for size in (2, 5, 3)]
    relations = rng.normal(size=(batch.relations.size, DIM)).astype(np.float32)
    found = own.distances(batch, texts, relations)
    monkeypatch.setattr(network, "rounds_of", one_by_one)
    expected = own.distances(batch, texts, relations)
    assert np.ptp(expected) > 0.1
    np.testing.assert_allclose(found, expected, atol=1e-5)


def weights(rng: np.random.Generator) -> dict[str, np.ndarray]:
    shapes = {"entity": (DIM,), "distance.weight": (4, DIM)}
    for name in ("general", "layerwise"):
        for way in ("", "_reverse"):
            shapes |= {f"{name}.weight_ih_l0{way}": (3 * DIM, WIDTH), f"{name}.weight_hh_l0{way}": (3 * DIM, DIM)}
            shapes |= {f"{name}.bias_ih_l0{way}": (3 * DIM,), f"{name}.bias_hh_l0{way}": (3 * DIM,)}
    for number in range(LAYERS):
        for name in ("sender", "attend_message", "gate_entity", "relation", "attend_question", "gate_question"):
            shapes |= {f"layers.{number}.{name}.weight": (DIM, DIM), f"layers.{number}.{name}.bias": (DIM,)}
        for name in ("attend", "gate"):
            shapes |= {f"layers.{number}.{name}.weight": (1, DIM)}
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


def test_a_message_that_arrives_twice_is_none_that_arrives_once() -> None:
    """Of each of many relations one entity receives the message of one topic, another that of two, which are alike."""
    relations = np.arange(400)
    once, twice = 2 + 2 * relations, 3 + 2 * relations
    receiver = np.concatenate([once, twice, twice])
    sender = np.repeat([0, 0, 1], relations.size)
    order = np.argsort(receiver, kind="stable")
    distance = np.minimum(np.arange(2 + 2 * relations.size) // 2, 1)
    graph = QuestionGraph(distance, sender[order], np.tile(relations, 3)[order], np.arange(order.size), receiver[order])
    found = rounds_of(side_by_side([graph]), 1).entity
    assert len(set(found.tolist())) == 1 + 2 * relations.size


def test_leaves_that_receive_the_same_stay_one_class(made: ExportedGraph) -> None:
    batch = side_by_side([QuestionGraph.of(cut_subgraph(made, made.entities(["n0"])), RELATIONS, "apart")])
    found = rounds_of(batch, LAYERS)
    leaves = [place for place in range(batch.distance.size) if (batch.receiver == place).sum() == 1]
    senders = {place: batch.sender[batch.message[batch.receiver == place]].item() for place in leaves}
    of_hub = [place for place, sender in senders.items() if sender == 0]
    assert len(of_hub) >= 8
    assert len(set(found.entity[of_hub].tolist())) <= RELATIONS * 2
    assert len(found.rounds[-1].before) < batch.distance.size


def test_what_arrives_twice_is_not_what_arrives_once(tmp_path: Path) -> None:
    """Entities that differ in nothing but in how often they receive a message."""
    graph = exported(tmp_path / "twice", [("t", "r0", "a"), ("t", "r0", "b"), ("a", "r1", "x"), ("a", "r1", "y"),
                                          ("b", "r1", "x"), ("a", "r1", "z")])  # fmt: skip
    cut = cut_subgraph(graph, graph.entities(["t"]), SubgraphSettings(hops=2))
    place = {graph.names[number]: at for at, number in enumerate(cut.nodes.tolist())}
    batch = side_by_side([QuestionGraph.of(cut, RELATIONS, "none")])
    entity = rounds_of(batch, 2).entity
    assert entity[place["y"]] == entity[place["z"]] != entity[place["x"]]


def test_questions_without_facts_or_alike_keep_classes_of_their_own(made: ExportedGraph) -> None:
    graph = QuestionGraph.of(cut_subgraph(made, made.entities(["n0"])), RELATIONS, "apart")
    nothing = np.zeros(0, dtype=np.int64)
    bare = QuestionGraph(np.zeros(1, dtype=np.int64), nothing, nothing, nothing, nothing)
    found = rounds_of(side_by_side([graph, graph, bare]), LAYERS)
    one, other, last = np.split(found.entity, [graph.distance.size, 2 * graph.distance.size])
    assert not set(one.tolist()) & set(other.tolist())
    assert found.rounds[-1].question_after[one].tolist() == [0] * len(one)
    assert found.rounds[-1].question_after[last].tolist() == [2]
    assert len(set(one.tolist())) == len(set(other.tolist()))
