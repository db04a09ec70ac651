"""Folders of before there were model cards: converted they are the same ranker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kgqa_graphdb.encode import CHARACTERS
from kgqa_graphdb.encode.characters import Alphabet
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.models import CARD, read_card
from kgqa_graphdb.rank.convert import convert_model
from kgqa_graphdb.rank.decoder import Decoder
from kgqa_graphdb.rank.model import PathModelFiles, read_details, read_model
from kgqa_graphdb.rank.search import SearchRequest
from kgqa_graphdb.rank.trained import TrainedRanker
from tests.unit.rank.networks import character_weights, random_weights
from tests.unit.rank.test_trained import MAPPING

ALPHABET = "abcdefghijklmnopqrstuvwxyz X"
WEIGHTS = random_weights() | character_weights(len(Alphabet(ALPHABET)))
ABOUT = {
    "model": "paths", "version": 4, "kgqa-graphdb": "0.0.9", "encoder": CHARACTERS, "question_encoder": "",
    "alphabet": ALPHABET, "reranker": False, "encoder_fingerprint": "f00d", "max_hops": 2, "given_topics": True,
    "walk": "free", "graph": "rivers", "graph_fingerprint": "beef", "graphs": ["rivers"],
    "graph_fingerprints": {"rivers": "beef"}, "relations": ["a", "b"], "asked_relations": ["a"],
    "options": {"steps": 40, "rate": 1e-3, "encoder_rate": None, "seed": 3}, "least_fit": 0.25,
    "calibration": [1.5, -0.5], "paraphrase": "", "questions": 60, "composed": 0, "held_out": 6, "mined": 0.9,
    "metrics": {"held_out_f1": 0.8}, "history": [{"step": 20, "loss": 1.5, "held_out": 0.8}], "seconds": 1.5,
}  # fmt: skip


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return made_before(tmp_path / "old")


def made_before(folder: Path, **about: Any) -> Path:
    save_file = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed").save_file
    folder.mkdir()
    save_file(WEIGHTS, folder / "decoder.safetensors")
    (folder / "config.json").write_text(json.dumps(ABOUT | about, indent=1) + "\n", encoding="utf-8")
    (folder / "train.log").write_text("loss 1.5\n", encoding="utf-8")
    return folder


def test_elsewhere_it_is_refused_with_the_command_that_converts_it(old: Path) -> None:
    for read in (read_card, read_model):
        with pytest.raises(UsageError, match=rf"older version of kgqa; convert it: kgqa models convert {old}"):
            read(old)


@pytest.mark.parametrize("name", [None, "new"])
def test_the_ranker_of_a_converted_folder_is_the_same(old: Path, name: str | None) -> None:
    output = old.with_name(name) if name else None
    card = convert_model(old, output)
    folder = output or old
    assert (folder / "train.log").exists()
    assert not (folder / "config.json").exists()
    assert (old / "config.json").exists() == (output is not None)
    kept, details = read_details(folder)
    assert kept == card
    assert (card.method, card.kgqa_version, card.seed, card.graphs) == ("paths", "0.0.9", 3, {"rivers": "beef"})
    assert (card.graph, card.walk, card.encoder, card.encoder_fingerprint) == ("rivers", "free", CHARACTERS, "f00d")
    assert (details.max_hops, details.given_topics, details.alphabet) == (2, True, ALPHABET)
    assert (details.training.questions, details.training.history[0]["loss"]) == (60, 1.5)
    model = read_model(folder)
    before = PathModelFiles(
        model.encoder, Decoder(WEIGHTS), least_fit=0.25, calibration=model.calibration, relations=frozenset("ab"),
        asked=frozenset("a"),
    )  # fmt: skip
    assert (model.least_fit, model.calibration, model.relations, model.asked) == (
        before.least_fit, (1.5, -0.5), before.relations, before.asked,
    )  # fmt: skip
    rankers = [TrainedRanker(MAPPING, one) for one in (model, before)]
    starts = tuple(range(len(rankers[0].schema.steps)))
    one, other = (ranker.search([SearchRequest("where does X end", starts, 2, 8)]) for ranker in rankers)
    assert one == other
    np.testing.assert_array_equal(rankers[0].step_rows(), rankers[1].step_rows())


def test_what_can_not_be_converted_says_why(old: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"too old to convert \(3\); train it again"):
        convert_model(made_before(tmp_path / "older", version=3))
    with pytest.raises(UsageError, match=r"is not empty; name another folder with --output"):
        convert_model(old, tmp_path)
    with pytest.raises(UsageError, match=r"is no trained model"):
        convert_model(tmp_path)
    wrong = made_before(tmp_path / "wrong", least_fit="much")
    with pytest.raises(UsageError, match=r"config\.json: 'details\.least_fit' can't be 'much'"):
        convert_model(wrong)
    assert not (wrong / CARD).exists()
    broken = made_before(tmp_path / "broken", options=[])
    with pytest.raises(UsageError, match=r"config\.json lacks what a model of version 4 has; train it again"):
        convert_model(broken)
    convert_model(old)
    with pytest.raises(UsageError, match=r"needs no conversion"):
        convert_model(old)
