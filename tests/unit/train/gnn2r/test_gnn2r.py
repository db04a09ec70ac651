"""The training of step I: the loss by hand, torch and numpy agree, a small graph is learned, the folder is whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from kgqa_graphdb.encode import CHARACTERS
from kgqa_graphdb.export import ExportedGraph, SubgraphSettings
from kgqa_graphdb.gnn2r.files import read_details, read_model
from kgqa_graphdb.gnn2r.graphs import Inverse, QuestionGraph, side_by_side
from kgqa_graphdb.gnn2r.network import StepOneNetwork
from kgqa_graphdb.gnn2r.networks import NetworkKind
from kgqa_graphdb.gnn2r.reasoner import ReasonRequest, StepOne
from kgqa_graphdb.questions import Gold, Pair
from kgqa_graphdb.train.settings import Training
from tests.unit.export.made import exported

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("torch_geometric", reason="PyTorch Geometric is not installed")
pytest.importorskip("safetensors", reason="safetensors is not installed")

import torch  # noqa: TID253 - what needs it is skipped where it is not installed

from kgqa_graphdb.gnn2r.pyg import paper
from kgqa_graphdb.gnn2r.pyg.beside import NETWORKS, TorchNetwork
from kgqa_graphdb.gnn2r.pyg.text_network import BatchTensors
from kgqa_graphdb.train.gnn2r import fit as fitting
from kgqa_graphdb.train.gnn2r.fit import StepOneOptions, StepOneTrainer, margin_loss, pairs_of
from kgqa_graphdb.train.gnn2r.judge import best_threshold, hits_at_1, mean_f1
from kgqa_graphdb.train.gnn2r.lessons import (
    ALL_ANSWERS,
    NO_ANSWER,
    NO_FACTS,
    NO_TOPIC,
    Lesson,
    Topics,
    enough_hops,
    lessons_of,
)
from kgqa_graphdb.train.gnn2r.train import LessonSet, StepOneSettings, exported_for, train_on_lessons
from kgqa_graphdb.train.paths.make_reader import make_reader

PARENTS = tuple((f"p{number}", "child", f"c{number}{one}") for number in range(4) for one in "ab")
TRIPLES = (*PARENTS, *((f"c{number}a", "lives in", f"t{number % 2}") for number in range(4)))
SUBGRAPHS = SubgraphSettings(hops=2, max_nodes=20)
TRAINING = Training(encoder=CHARACTERS, steps=40)


@pytest.fixture
def graph(tmp_path: Path) -> ExportedGraph:
    return exported(tmp_path / "graph", TRIPLES, alone=["hermit"])


def pair(text: str, answers: Sequence[str]) -> Pair:
    return Pair(text, text, tuple(Gold(name=name) for name in answers))


def lessons(graph: ExportedGraph, inverse: Inverse = "apart") -> list[Lesson]:
    """Children of parents, parents of children, and towns of children; the direction tells two of them apart."""
    asked = [(f"p{number}", "offspring of X", [f"c{number}a", f"c{number}b"]) for number in range(4)]
    asked += [(child, "mother of X", [parent]) for parent, _, child in PARENTS]
    asked += [(child, "home of X", [town]) for child, _, town in TRIPLES[8:]]
    asked += [(parent, "homes of offspring of X", [f"t{number % 2}"]) for number, parent in enumerate(("p0", "p1"))]
    topics = [Topics(pair(text, answers), text, tuple(graph.find(topic))) for topic, text, answers in asked]
    found, left_out = lessons_of(graph, topics, SUBGRAPHS, inverse)
    assert not left_out
    return found


def lesson_set(graph: ExportedGraph, inverse: Inverse = "apart") -> LessonSet:
    some = lessons(graph, inverse)
    return LessonSet(graph, SUBGRAPHS, some, some, Counter({NO_TOPIC: 2}), len(some) + 2)


def stage(name: str, total: int) -> Callable[[int, int], None]:
    return lambda done, of: None


def interrupted(name: str, total: int) -> Callable[[int, int], None]:
    """A stage that is cut off at its fifth step."""

    def progress(done: int, of: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    return progress


def made_lesson(distances: int, answers: Sequence[int], golds: int = 1) -> Lesson:
    nothing = np.zeros(0, np.int64)
    own = QuestionGraph(np.zeros(distances, np.int64), nothing, nothing, nothing, nothing)
    return Lesson("1", "x", own, np.array(answers), golds)


@pytest.mark.parametrize(
    ("owned", "cut_off", "fresh"), [(True, False, True), (False, True, True), (False, False, False)]
)
def test_a_graph_that_was_not_loaded_is_exported_anew_for_a_new_training(
    tmp_path: Path, owned: bool, cut_off: bool, fresh: bool
) -> None:
    """Its new facts are not noticed; where a training goes on the old ones are right."""
    mapping = SimpleNamespace(owned=owned)
    kg = SimpleNamespace(
        graph=SimpleNamespace(mapping=mapping), graph_name="g",
        open_export=lambda folder: ("opened", folder), export=lambda folder, progress: ("exported", folder),
    )  # fmt: skip
    if cut_off:
        (tmp_path / "checkpoint.pt").touch()
    client: Any = kg
    assert exported_for(client, tmp_path, None, stage) == ("opened" if fresh else "exported", tmp_path / "export")
    assert exported_for(client, tmp_path, tmp_path / "given", stage) == ("opened", tmp_path / "given")


# ── what is learned ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_questions_that_teach_nothing_are_left_out_for_a_reason(graph: ExportedGraph) -> None:
    [hermit], [child] = graph.find("hermit"), graph.find("c1b")
    asked = [
        Topics(pair("no topic", ["t0"])),
        Topics(pair("alone", ["t0"]), "x", (hermit,)),
        Topics(pair("too far", ["c3a"]), "x", (child,)),
        Topics(pair("all", ["c1b", "p1"]), "x", (child,)),
        Topics(pair("good", ["p1", "nobody"]), "x", (child,)),
    ]
    found, left_out = lessons_of(graph, asked, SubgraphSettings(hops=1), "apart")
    assert left_out == {NO_TOPIC: 1, NO_FACTS: 1, NO_ANSWER: 1, ALL_ANSWERS: 1}
    assert [(one.id, one.answers.tolist(), one.golds) for one in found] == [("good", [1], 2)]


def test_as_many_hops_are_taken_as_reach_nearly_all_answers(graph: ExportedGraph) -> None:
    near = [Topics(pair("q", [parent]), "x", tuple(graph.find(child))) for parent, _, child in PARENTS]
    assert enough_hops(graph, near, SubgraphSettings(hops=3)) == 1
    far = Topics(pair("q", ["t0"]), "x", tuple(graph.find("p0")))
    assert enough_hops(graph, [*near, far], SubgraphSettings(hops=3)) == 2


def test_the_loss_is_how_much_nearer_than_by_the_margin_non_answers_are() -> None:
    distance = torch.tensor([1.0, 3.0, 1.5, 2.0, 0.5])
    # Question 1: answer at 1.0, others at 3.0 (far enough) and 1.5 (short of .5). Question 2: answer at 2.0, other 0.5.
    answers, others = torch.tensor([0, 0, 3]), torch.tensor([1, 2, 4])
    loss = margin_loss(distance, answers, others, 1.0, 2)
    assert loss.item() == pytest.approx((0 + 0.5 + 2.5) / 2)
    assert margin_loss(distance, answers[:1], others[:1], 2.5, 1).item() == pytest.approx(0.5)


def test_pairs_are_all_answers_with_all_others_or_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    some = [made_lesson(3, [1]), made_lesson(4, [0, 3])]
    rng = np.random.default_rng(0)
    answers, others = pairs_of(some, np.array([0, 3, 7]), rng)
    assert list(zip(answers.tolist(), others.tolist(), strict=True)) == [(1, 0), (1, 2), (3, 4), (3, 5), (6, 4), (6, 5)]
    monkeypatch.setattr(fitting, "MAX_PAIRS", 3)
    answers, others = pairs_of(some, np.array([0, 3, 7]), rng)
    assert len(set(zip(answers.tolist(), others.tolist(), strict=True))) == 5


def test_hits_f1_and_threshold_by_hand() -> None:
    some = [made_lesson(3, [1]), made_lesson(3, [0, 1], golds=3)]
    distances = [np.array(one, dtype=np.float32) for one in ([1.0, 1.0, 2.0], [1.0, 1.2, 1.5])]
    assert hits_at_1(some, distances) == pytest.approx((0.5 + 1) / 2)  # of two as near one is right
    assert mean_f1(some, distances, 1.0) == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert mean_f1(some, distances, 1.2) == pytest.approx((2 / 3 + 4 / 5) / 2)
    assert best_threshold(some, distances) == 1.2


# ── the network ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("inverse", ["apart", "same", "none"])
def test_torch_and_numpy_reason_alike(graph: ExportedGraph, inverse: Inverse) -> None:
    torch.manual_seed(0)
    made = paper.StepOneNetwork(6, dim=5, layers=2, hops=2 if inverse != "same" else 0, inverse=inverse).eval()
    some = lessons(graph, inverse)[:5]
    batch = side_by_side([lesson.graph for lesson in some])
    rng = np.random.default_rng(0)
    words, texts = (
        [rng.normal(size=(size, 6)).astype(np.float32) for size in sizes]
        for sizes in ([1 + number % 3 for number in range(batch.relations.size)], (2, 5, 3, 1, 4))
    )
    backwards = batch.relations >= graph.num_relations
    ours = StepOneNetwork({name: value.numpy() for name, value in made.state_dict().items()}, 2)
    relations = ours.relations(words, backwards)
    found = ours.distances(batch, texts, relations)
    tokens, mask = padded(words)
    theirs = made.relations(tokens, mask, torch.from_numpy(backwards))
    np.testing.assert_allclose(relations, theirs.detach().numpy(), atol=1e-5)
    tensors = BatchTensors.of(batch, torch.device("cpu"))
    expected = made(tensors, *padded(texts), theirs).detach().numpy()
    np.testing.assert_allclose(found, expected, atol=1e-5)


def padded(texts: Sequence[np.ndarray]) -> tuple[torch.Tensor, torch.Tensor]:
    width = max(map(len, texts))
    tokens, mask = torch.zeros(len(texts), width, texts[0].shape[1]), torch.zeros(len(texts), width, dtype=torch.bool)
    for row, vectors in enumerate(texts):
        tokens[row, : len(vectors)] = torch.from_numpy(vectors)
        mask[row, : len(vectors)] = True
    return tokens, mask


@pytest.mark.parametrize("kind", list(NETWORKS))
def test_networks_beside_it_reason_alike_when_they_are_read_again_and_alone(graph: ExportedGraph, kind: str) -> None:
    torch.manual_seed(0)
    made = NETWORKS[kind](6, dim=8, layers=2, hops=2, inverse="apart").eval()
    some = lessons(graph)[:5]
    batch = side_by_side([lesson.graph for lesson in some])
    rng = np.random.default_rng(0)
    words = [rng.normal(size=(2, 6)).astype(np.float32) for _ in range(batch.relations.size)]
    texts = [rng.normal(size=(size, 6)).astype(np.float32) for size in (2, 5, 3, 1, 4)]
    read = TorchNetwork(kind, {name: value.numpy() for name, value in made.state_dict().items()}, 2)
    relations = read.relations(words, batch.relations >= graph.num_relations)
    together = read.distances(batch, texts, relations)
    tensors = BatchTensors.of(batch, torch.device("cpu"))
    np.testing.assert_allclose(
        together, made(tensors, *padded(texts), torch.from_numpy(relations)).detach().numpy(), atol=1e-5
    )
    for own, text, start, end in zip(some, texts, batch.starts, batch.starts[1:], strict=False):
        alone = side_by_side([own.graph])
        known = relations[np.searchsorted(batch.relations, alone.relations)]
        np.testing.assert_allclose(read.distances(alone, [text], known), together[start:end], atol=1e-5)


def test_a_walk_arrives_where_the_relations_lead_that_are_asked_for(graph: ExportedGraph) -> None:
    walker = NETWORKS["walker"](1, dim=1, layers=2, hops=2, inverse="apart").eval()
    child, home = 20.0, -20.0
    with torch.no_grad():
        for one in walker.parameters():
            one.zero_()
        walker.wanted.bias.fill_(1.0)  # type: ignore[operator,union-attr]  # each hop asks for what is above 0
        walker.hops.bias.copy_(torch.tensor([30.0, 0.0]))  # type: ignore[operator,union-attr]  # one hop is asked for
    (lesson,) = [one for one in lessons(graph) if one.text == "offspring of X"][:1]
    batch = side_by_side([lesson.graph])
    vectors = torch.tensor([[child if number == 0 else home] for number in batch.relations.tolist()])
    tensors = BatchTensors.of(batch, torch.device("cpu"))
    found = walker(tensors, *padded([np.ones((1, 1), dtype=np.float32)]), vectors).detach().numpy()
    assert np.flatnonzero(found < 1.01).tolist() == sorted(lesson.answers.tolist())
    assert (np.delete(found, lesson.answers) > 1.99).all()


# ── the whole training ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("kind", "least"), [("gnn2r", 1.0), ("attention", 1.0), ("walker", 0.88), ("ungated", 1.0)])
def test_a_small_graph_is_learned_and_the_folder_is_whole(
    graph: ExportedGraph, tmp_path: Path, kind: NetworkKind, least: float
) -> None:
    """A walker takes more batches to learn the two of the eighteen questions that are two hops long."""
    output = tmp_path / "model"
    output.mkdir()
    some, settings = lesson_set(graph), StepOneSettings(network=kind)
    made = train_on_lessons(some, output, {"family": "f"}, training=TRAINING, settings=settings, stage=stage)
    assert (made.questions, made.mined) == (20, 0.9)
    assert made.held_out >= least
    card, details = read_details(output)
    assert (card.method, card.graphs, card.encoder) == ("gnn2r", {"family": "f"}, CHARACTERS)
    assert (details.hops, details.max_nodes, details.layers, details.inverse) == (2, 20, 3, "apart")
    assert details.network == kind
    assert details.training.metrics.keys() == {"hits_at_1", "f1"}
    assert details.training.metrics["hits_at_1"] == made.held_out
    assert details.training.metrics["f1"] >= least
    assert details.training.left_out == 2
    assert {path.name for path in output.iterdir()} - {"training.svg"} == {"model.json", "step-one.safetensors"}
    step_one = StepOne.of(read_model(output), graph.manifest.relations)
    found = step_one.distances([ReasonRequest(one.text, one.graph) for one in some.train])
    assert hits_at_1(some.train, found) == made.held_out
    assert mean_f1(some.train, found, details.threshold) == details.training.metrics["f1"]


def test_lessons_have_facts_from_tail_to_head_as_the_setting_says(graph: ExportedGraph) -> None:
    settings: tuple[tuple[Inverse, set[int]], ...] = (("apart", {0, 2}), ("same", {0}))
    for inverse, relations in settings:
        own = next(one.graph for one in lessons(graph, inverse) if one.text == "mother of X")
        assert relations <= set(own.relation.tolist())
        assert (2 in own.relation) == (inverse == "apart")


def test_a_training_does_not_go_on_with_relations_of_other_words(graph: ExportedGraph, tmp_path: Path) -> None:
    relations = graph.manifest.relations
    changed = [relations[0].model_copy(update={"phrase": "something else"}), *relations[1:]]
    other = replace(graph, manifest=graph.manifest.model_copy(update={"relations": changed}))

    def train(source: ExportedGraph, folder: Path, stage: Callable[[str, int], Callable[[int, int], None]]) -> bytes:
        folder.mkdir(exist_ok=True)
        some, training = replace(lesson_set(graph), exported=source), replace(TRAINING, steps=10)
        train_on_lessons(some, folder, {}, training=training, settings=StepOneSettings(), stage=stage)
        return (folder / "step-one.safetensors").read_bytes()

    with pytest.raises(KeyboardInterrupt):
        train(graph, tmp_path / "cut", interrupted)
    assert train(other, tmp_path / "cut", stage) == train(other, tmp_path / "whole", stage)


def test_accelerate_can_take_the_steps(graph: ExportedGraph) -> None:
    """So that a training of one's own, on several devices, is a loop around the trainer's loss."""
    from accelerate import Accelerator

    some = lesson_set(graph)
    reader = make_reader(CHARACTERS, [lesson.text for lesson in some.train], [some.words], 0)
    trainer = StepOneTrainer(some.train, some.words, reader, None, StepOneOptions(rate=2e-3), SUBGRAPHS.hops)
    accelerator = Accelerator(cpu=True)
    parameters = [*trainer.network.parameters(), *reader.network.parameters()]
    trainer.network, optimiser = accelerator.prepare(trainer.network, torch.optim.Adam(parameters, lr=2e-3))
    losses = []
    for step in range(8):
        optimiser.zero_grad()
        loss = trainer.loss(step)
        accelerator.backward(loss)
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 2


def test_a_training_that_was_cut_off_ends_as_one_that_was_not(graph: ExportedGraph, tmp_path: Path) -> None:
    training, folders = replace(TRAINING, steps=10), (tmp_path / "whole", tmp_path / "cut")
    for folder in folders:
        folder.mkdir()

    def train(folder: Path, stage: Callable[[str, int], Callable[[int, int], None]]) -> None:
        train_on_lessons(lesson_set(graph), folder, {}, training=training, settings=StepOneSettings(), stage=stage)

    train(folders[0], stage)
    with pytest.raises(KeyboardInterrupt):
        train(folders[1], interrupted)
    assert (folders[1] / "checkpoint.pt").exists()
    train(folders[1], stage)
    whole, cut = ((folder / "step-one.safetensors").read_bytes() for folder in folders)
    assert whole == cut
