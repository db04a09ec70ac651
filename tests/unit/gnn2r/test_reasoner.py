"""Step I in numpy: what it computes by hand, and that questions side by side do not change each other."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from kgqa_graphdb.errors import MissingExtraError
from kgqa_graphdb.gnn2r import reasoner
from kgqa_graphdb.gnn2r.graphs import QuestionGraph
from kgqa_graphdb.gnn2r.network import StepOneNetwork
from kgqa_graphdb.gnn2r.networks import open_network
from kgqa_graphdb.gnn2r.reasoner import ReasonRequest, StepOne, answer_set
from kgqa_graphdb.types import Floats
from tests.unit.export.made import FAMILY, exported
from tests.unit.gnn2r.test_graphs import around
from tests.unit.rank.networks import WIDTH, WordEncoder

DIM = 4


def weights(seed: int = 0) -> dict[str, Floats]:
    """A network that was not trained, of one layer."""
    rng = np.random.default_rng(seed)
    shapes: dict[str, tuple[int, ...]] = {"entity": (DIM,), "inverse": (DIM,), "distance.weight": (3, DIM)}
    for name in ("general", "layerwise", "relation"):
        for way in ("", "_reverse") if name != "relation" else ("",):
            shapes |= {
                f"{name}.weight_ih_l0{way}": (3 * DIM, WIDTH), f"{name}.weight_hh_l0{way}": (3 * DIM, DIM),
                f"{name}.bias_ih_l0{way}": (3 * DIM,), f"{name}.bias_hh_l0{way}": (3 * DIM,),
            }  # fmt: skip
    for name in ("sender", "relation", "attend_message", "attend_question", "gate_entity", "gate_question"):
        shapes[f"layers.0.{name}.weight"] = (DIM, DIM)
        shapes[f"layers.0.{name}.bias"] = (DIM,)
    shapes |= {"layers.0.attend.weight": (1, DIM), "layers.0.gate.weight": (1, DIM)}
    return {name: (rng.normal(size=shape) / 2).astype(np.float32) for name, shape in shapes.items()}


@pytest.fixture
def requests(tmp_path: Path) -> list[ReasonRequest]:
    graph = exported(tmp_path / "family")
    made = [around(graph, topic) for topic in ("Ann", "Eve", "Bob")]
    texts = ("who is a child of x", "friend of x", "x")
    return [ReasonRequest(text, QuestionGraph.of(index, 2, "apart")) for text, index in zip(texts, made, strict=True)]


def step_one(tmp_path: Path, **changed: Floats) -> StepOne:
    relations = exported(tmp_path / "again").manifest.relations
    return StepOne(StepOneNetwork(weights() | changed, 1), WordEncoder(), relations)


def test_questions_side_by_side_are_as_far_as_alone(
    requests: list[ReasonRequest], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = step_one(tmp_path).distances(requests)
    assert [one.shape for one in together] == [one.graph.distance.shape for one in requests]
    alone = [step_one(tmp_path).distances([one])[0] for one in requests]
    monkeypatch.setattr(reasoner, "EDGES_AT_ONCE", 10)
    portions = step_one(tmp_path).distances(requests)
    for one, other, third in zip(together, alone, portions, strict=True):
        np.testing.assert_allclose(one, other, atol=2e-4)
        np.testing.assert_allclose(one, third, atol=2e-4)


def test_where_the_gate_keeps_what_entities_have_a_topic_lies_on_its_question(
    requests: list[ReasonRequest], tmp_path: Path
) -> None:
    """Both scores of the gate are alike, so an entity keeps half of what it has; without messages it keeps all."""
    closed = {"layers.0.gate.weight": np.zeros((1, DIM), np.float32)}
    one_way = requests[2]._replace(
        graph=QuestionGraph(np.array([0, 1]), *(np.array([one]) for one in (0, 0, 0, 1)))
    )  # Bob tells someone something, and hears nothing
    found = step_one(tmp_path, **closed).distances([one_way])[0]
    assert found[0] == 0
    assert found[1] > 0
    both = step_one(tmp_path, **closed).distances([requests[2]])[0]
    assert both[0] > 0


def test_entities_that_look_alike_from_the_topic_are_as_far(tmp_path: Path) -> None:
    graph = exported(tmp_path / "twins", (*FAMILY[:2], ("Ann", "friend", "Eve")))
    index = around(graph, "Ann")
    found = step_one(tmp_path).distances([ReasonRequest("x", QuestionGraph.of(index, 2, "apart"))])[0]
    by_name = {graph.names[number]: distance for number, distance in zip(index.nodes.tolist(), found, strict=True)}
    assert by_name["Bob"] == by_name["Cid"] != by_name["Eve"]


def test_answers_are_what_is_nearly_as_near_as_the_nearest() -> None:
    distances = np.array([2.0, 1.0, 1.2, 1.3], dtype=np.float32)
    assert answer_set(distances, 1.0).tolist() == [1]
    assert answer_set(distances, 1.25).tolist() == [1, 2]
    assert answer_set(distances, 2.0).tolist() == [1, 2, 3, 0]
    assert answer_set(np.zeros(2, np.float32), 1.5).tolist() == [0, 1]


def test_only_the_papers_network_answers_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "kgqa_graphdb.gnn2r.pyg.beside", raising=False)
    assert open_network("gnn2r", weights(), 1).dim == DIM
    with pytest.raises(MissingExtraError, match=r"'torch'.*\[gnn\]"):
        open_network("walker", weights(), 1)
