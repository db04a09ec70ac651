"""A saved ranker: what is no such folder is refused with a cure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kgqa_graphdb.encode.characters import CHARACTERS, Alphabet, CharacterEncoder
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.models import CARD
from kgqa_graphdb.rank.model import WEIGHTS, read_model
from kgqa_graphdb.types import Floats
from tests.unit.rank.networks import DETAILS, character_weights, random_weights, save


def saved(folder: Path, more: Mapping[str, Floats] | None = None, **card: Any) -> Path:
    pytest.importorskip("safetensors", reason="safetensors is not installed")
    save(folder, random_weights() | dict(more or {}), **card)
    return folder


def test_what_was_saved_is_read(tmp_path: Path) -> None:
    model = read_model(saved(tmp_path / "model"))
    assert (model.least_fit, model.relations, model.card.walk) == (0.25, frozenset("ab"), None)
    assert model.asked == frozenset("a")
    assert (model.calibration.slope, model.calibration.offset) == (1.5, -0.5)
    np.testing.assert_array_equal(model.decoder.begin(1)[0], random_weights()["start"])


def test_weights_of_half_the_size_compute_in_full(tmp_path: Path) -> None:
    path = saved(tmp_path / "model")
    save(path, {name: value.astype(np.float16) for name, value in random_weights().items()})
    begun = read_model(path).decoder.begin(1)
    assert begun.dtype == np.float32
    np.testing.assert_allclose(begun[0], random_weights()["start"], rtol=1e-3)


def test_an_encoder_of_characters_is_in_the_folder(tmp_path: Path) -> None:
    weights = character_weights(len(Alphabet("河X")))
    model = read_model(saved(tmp_path / "model", weights, encoder=CHARACTERS, details=replace(DETAILS, alphabet="河X")))
    wanted = CharacterEncoder("河X", weights)
    assert (model.encoder.name, model.encoder.fingerprint) == (CHARACTERS, wanted.fingerprint)
    np.testing.assert_array_equal(model.encoder.encode(["X河"]), wanted.encode(["X河"]))


def test_a_folder_without_a_model_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no trained model: it has no model\.json; kgqa train paths makes one"):
        read_model(tmp_path)


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ({"method": "gnn"}, "is a model of the method gnn, not of paths: use it with --method gnn"),
        ({"format": 1}, r"another version of kgqa \(format 1\); train it again: kgqa train paths"),
        ({"format": 9}, r"another version of kgqa \(format 9\); train it again: kgqa train paths"),
    ],
)
def test_another_method_or_format_is_refused(tmp_path: Path, card: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_model(saved(tmp_path / "model", **card))


def test_broken_files_are_named(tmp_path: Path) -> None:
    folder = saved(tmp_path / "model")
    (folder / WEIGHTS).write_bytes(b"nothing")
    with pytest.raises(UsageError, match=r"decoder\.safetensors can't be read"):
        read_model(folder)
    text = (folder / CARD).read_text(encoding="utf-8")
    (folder / CARD).write_text(text[:20], encoding="utf-8")
    with pytest.raises(UsageError, match=r"model\.json can't be read"):
        read_model(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"least_fitt": 0.5}, r"the key 'details\.least_fitt' is unknown; nearest: 'least_fit'"),
        ({"training": {"histori": []}}, r"the key 'details\.training\.histori' is unknown; nearest: 'history'"),
        ({"calibration": ["much", 0]}, r"'details\.calibration\.0' can't be 'much'"),
        ({"least_fit": "0.5"}, r"'details\.least_fit' can't be '0\.5'"),
    ],
)
def test_wrong_details_are_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    folder = saved(tmp_path / "model")
    card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    card["details"] |= change
    (folder / CARD).write_text(json.dumps(card), encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        read_model(folder)
