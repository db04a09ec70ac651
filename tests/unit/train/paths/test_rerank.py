"""Training a reranker: torch and numpy score alike, it learns what people ask, and it is kept where that gains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch  # noqa: TID253 - what needs it is skipped where it is not installed

from kgqa_graphdb.encode import OnnxEncoder
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import EndpointStats
from kgqa_graphdb.rank.model import (
    QUESTION_ENCODER,
    RERANKER,
    RERANKER_CONFIG,
    PathModelFiles,
    read_model,
    read_reranker,
)
from kgqa_graphdb.rank.rerank import PathRows
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.search import SearchRequest, SearchResult
from kgqa_graphdb.rank.trained import TrainedRanker
from kgqa_graphdb.train.data.items import Item
from kgqa_graphdb.train.data.prober import PathProber
from kgqa_graphdb.train.data.sets import TrainingSet
from kgqa_graphdb.train.loop import Fitted
from kgqa_graphdb.train.paths import rerank, run
from kgqa_graphdb.train.paths.judge import Judged
from kgqa_graphdb.train.paths.rerank import Reranking, train_reranker
from kgqa_graphdb.train.paths.train import train_on_sets
from kgqa_graphdb.train.settings import Progress, Training
from tests.unit.encode.models import tiny_weights, write_model
from tests.unit.rank.networks import made_model
from tests.unit.train.data.test_compose import RIVERS

SCHEMA = Schema(RIVERS)
FLOWS, MAPPED, COUNTRY = (SCHEMA.row_of[f">{name}"] for name in ("flows_into", "mapped_by", "mouth_country"))
BACK = SCHEMA.row_of["<mouth_country"]
ASKED = {"who directed": (MAPPED,), "the sea": (FLOWS,), "a film": (COUNTRY,), "into a river": (COUNTRY, BACK)}
ITEMS = [
    Item(f"{text} {end}", (FLOWS, MAPPED, COUNTRY), (path,), (1.0,), 1.0)
    for text, path in ASKED.items()
    for end in ("", "the", "a", "flows", "film", "the film")
]


SEEN = {
    (MAPPED,): EndpointStats(1, leaving=((">flows_into",),)),
    (FLOWS,): EndpointStats(20, leaving=((), (">mouth_country",))),
    (COUNTRY,): EndpointStats(3, values=True),
    (COUNTRY, BACK): EndpointStats(0),
}


class Seeing(PathProber):
    """Knows what paths lead to without a graph."""

    def __init__(self) -> None:
        pass

    def ends(self, items: Sequence[Item], paths: Sequence[Sequence[PathRows]]) -> list[list[EndpointStats] | None]:
        return [[SEEN[path] for path in some] for some in paths]


class Undecided(TrainedRanker):
    """Holds all paths for equally likely."""

    def search(self, items: Sequence[SearchRequest]) -> list[SearchResult]:
        likely = [(path, 0.2) for path in ASKED.values()]
        return [SearchResult(likely[: item.limit], 0.1, len(likely)) for item in items]


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KGQA_CACHE", str(tmp_path / "cache"))
    return write_model(tmp_path / "tiny", tiny_weights())


def stage(name: str, total: int) -> Callable[[int, int], None]:
    return lambda done, of: None


def ranker_of(encoder: Path) -> TrainedRanker:
    return Undecided(RIVERS, PathModelFiles(OnnxEncoder(str(encoder)), made_model().decoder), SCHEMA)


def trained(encoder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[TrainedRanker, Reranking]:
    # The tiny encoder knows nothing yet: what is learned so far away from where it begins has no mean worth having.
    for name, value in {"EPOCHS": 90, "RATE": 0.02, "ENCODER_RATE": 0.003, "MEMBERS": 1}.items():
        monkeypatch.setattr(rerank, name, value)
    ranker = ranker_of(encoder)
    return ranker, train_reranker([ranker], [ITEMS], [None], str(encoder), 2, 0, stage, encoder.parent)


def right(ranker: TrainedRanker, reranker: rerank.PathReranker) -> float:
    """Share of the questions whose path is the first."""
    order = list(ASKED.values())
    vectors = reranker.read([item.text for item in ITEMS])
    first = [order[reranker.log_p(vector, order, SCHEMA, ranker.step_words()).argmax()] for vector in vectors]
    return float(np.mean([path == item.paths[0] for path, item in zip(first, ITEMS, strict=True)]))


def test_it_learns_what_people_ask_and_reads_the_same_from_its_folder(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranker, reranking = trained(tiny, monkeypatch)
    assert right(ranker, reranking.reranker) > 0.8
    reranking.keep(tmp_path / "kept")
    assert not [*(tmp_path / "kept" / QUESTION_ENCODER).glob("*.safetensors")]  # they are in the ONNX file
    kept = read_reranker(tmp_path / "kept", OnnxEncoder(str(tiny)))
    texts = [item.text for item in ITEMS]
    before, after = (one.read(texts) for one in (reranking.reranker, kept))
    np.testing.assert_allclose(before, after, atol=1e-4)
    assert right(ranker, kept) == right(ranker, reranking.reranker)
    # And it remembers what was asked: of each question its own path first.
    codes = [SCHEMA.codes(path) for path in ASKED.values()]
    for item, vector in zip(ITEMS, after, strict=True):
        shares, again = (one.memory.log_shares(vector, codes) for one in (reranking.reranker, kept))
        np.testing.assert_allclose(shares, again, atol=0.05)
        assert codes[again.argmax()] == SCHEMA.codes(item.paths[0])


def test_it_learns_from_what_paths_lead_to(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of paths that nothing else tells apart the one that leads to little is right, now this and now that."""

    class OneLeadsToLittle(Seeing):
        def ends(self, items: Sequence[Item], paths: Sequence[Sequence[PathRows]]) -> list[list[EndpointStats] | None]:
            return [
                [EndpointStats(2 if path in item.paths else 40) for path in some]
                for item, some in zip(items, paths, strict=True)
            ]

    for name, value in {"EPOCHS": 20, "RATE": 0.02, "MEMBERS": 1, "LEAST_SEEN": 99}.items():
        monkeypatch.setattr(rerank, name, value)
    ranker = ranker_of(tiny)
    items = [Item(f"who {number}", (), (path,), (1.0,), 1.0) for number in range(8) for path in ASKED.values()]
    reranking = train_reranker([ranker], [items], [OneLeadsToLittle()], str(tiny), 2, 0, stage, tiny.parent)
    order = list(ASKED.values())
    (vector,) = reranking.reranker.read(["who 1"])
    for place in range(len(order)):
        ends = [EndpointStats(2 if place == other else 40) for other in range(len(order))]
        scores = reranking.reranker.log_p(vector, order, SCHEMA, ranker.step_words(), ends)
        assert scores.argmax() == place


def test_torch_and_numpy_score_alike(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rerank, "EPOCHS", 1)
    ranker = ranker_of(tiny)
    questions = list(rerank._compared(ranker, ITEMS, Seeing(), 0, 2))
    reader = rerank._reader(str(tiny), [ranker], 0)
    learning = rerank.RerankerTrainer(questions, [ranker], reader, 2, 0)
    network = learning.network
    for weights in (*network.learned.parameters(), *network.kind.parameters(), *network.size.parameters()):
        torch.nn.init.normal_(weights, std=0.3)
    monkeypatch.setattr(rerank, "NOT_LOOKED", 0.0)
    learning.network.eval()
    reranker = learning.result().reranker
    gathered = learning._gathered([0, 1])
    vectors = reranker.read([question.text for question in questions[:2]])
    with torch.no_grad():
        by_words, by_both = (
            learning.network(torch.from_numpy(vectors), gathered, torch.full((2,), alone)).split(
                [len(question.paths) for question in questions[:2]]
            )
            for alone in (True, False)
        )
    for place, question in enumerate(questions[:2]):
        wanted = (by_words[place].log_softmax(0) + by_both[place].log_softmax(0)) / 2
        ends = [SEEN[path] for path in question.paths]
        found = reranker.log_p(vectors[place], question.paths, SCHEMA, ranker.step_words(), ends)
        np.testing.assert_allclose(found, wanted.numpy(), atol=1e-3)
        unseen = reranker.log_p(vectors[place], question.paths, SCHEMA, ranker.step_words())
        assert np.abs(unseen - found).max() > 0.01


def test_what_is_kept_is_the_mean_of_some_trainings_and_none_is_done_twice(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned: list[torch.Tensor] = []
    fit = rerank.train_model

    def noted(trainer: rerank.RerankerTrainer, file: Path, progress: Progress) -> Fitted:
        is_new = not file.exists()
        if is_new and len(learned) == cut_off:
            raise KeyboardInterrupt
        fitted = fit(trainer, file, progress)
        learned.extend([trainer.network.first.weight.detach().clone()] if is_new else [])
        return fitted

    def train(seed: int) -> Reranking:
        progress.clear()
        return train_reranker([ranker_of(tiny)], [ITEMS], [None], str(tiny), 2, seed, counted, tmp_path)

    def counted(name: str, total: int) -> Callable[[int, int], None]:
        return lambda done, of: progress.append((done, of)) if name == "Training the reranker" else None

    monkeypatch.setattr(rerank, "train_model", noted)
    monkeypatch.setattr(rerank, "EPOCHS", 1)
    monkeypatch.setattr(rerank, "MEMBERS", 3)
    progress: list[tuple[int, int]] = []
    batches, cut_off = 2, 2  # batches of 24 questions
    with pytest.raises(KeyboardInterrupt):
        train(0)
    cut_off = -1
    reranking = train(0)
    assert progress == [(2, 6), (4, 6), (5, 6), (6, 6)]
    assert len(learned) == rerank.MEMBERS == progress[-1][1] / batches
    assert not torch.equal(learned[0], learned[1])
    mean = torch.stack(learned).mean(dim=0)
    np.testing.assert_allclose(reranking.reranker.weights["first.weight"], mean.numpy(), atol=1e-6)
    train(7)  # another training
    assert len(learned) == 2 * rerank.MEMBERS
    rerank.forget(tmp_path)
    assert not [*tmp_path.glob("*.pt*")]


def test_an_encoder_that_can_not_learn_stays_as_it_is(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    OnnxEncoder(str(tiny)).encode(["a"])
    (built,) = (path for path in tiny.parent.rglob("model.onnx"))
    monkeypatch.setattr(rerank, "EPOCHS", 2)
    ranker = ranker_of(built.parent)
    reranking = train_reranker([ranker], [ITEMS], [None], str(built.parent), 2, 0, stage, tmp_path)
    reranking.keep(tmp_path / "kept")
    assert not (tmp_path / "kept" / QUESTION_ENCODER).exists()
    one, other = (
        reranker.log_p(reranker.read(["who directed"])[0], list(ASKED.values()), SCHEMA, ranker.step_words())
        for reranker in (reranking.reranker, read_reranker(tmp_path / "kept", OnnxEncoder(str(built.parent))))
    )
    np.testing.assert_allclose(one, other, atol=0.02)


@pytest.mark.parametrize("change", [0.1, 0.0, -0.1])
def test_it_is_kept_unless_held_out_questions_lose(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: float
) -> None:
    def outcomes(
        ranker: TrainedRanker, items: Sequence[Item], max_hops: int, prober: PathProber | None
    ) -> list[Judged]:
        return [Judged(0.5 + change * (ranker.model.reranker is not None), 0.5, 0.5)]

    monkeypatch.setattr(rerank, "EPOCHS", 1)
    monkeypatch.setattr(run, "judged", outcomes)
    kept = change >= 0
    training_set = TrainingSet(RIVERS, SCHEMA, asked=ITEMS, train=ITEMS[:20], held_out=ITEMS[20:], pairs=len(ITEMS))
    output = tmp_path / "model"
    (output / RERANKER).mkdir(parents=True)
    (output / RERANKER / "of_an_earlier_training").touch()
    training = Training(encoder=str(tiny), steps=2, max_hops=2)
    told: list[str] = []

    def hear(name: str, total: int) -> Callable[[int, int], None]:
        told.append(name)
        return stage(name, total)

    train_on_sets([training_set], output, training=training, stage=hear, again=True)
    model = read_model(output)
    assert (model.reranker is not None, (output / RERANKER).exists()) == (kept, kept)
    assert told.count("Training the reranker") == 1 + kept
    assert not (output / RERANKER / "of_an_earlier_training").exists()
    if model.reranker:
        assert {">flows_into", ">mapped_by"} <= set(model.reranker.learned.codes)
        (output / RERANKER / RERANKER_CONFIG).unlink()
        with pytest.raises(UsageError, match=r"config\.json can't be read"):
            read_model(output)
