"""Other words for a schema's nouns: from the encoder, one noun each, no inflections; drawn anew in each question."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from kgqa_graphdb.language.english import noun_stem
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.data import synonyms as module
from kgqa_graphdb.train.data.compose import Composer
from kgqa_graphdb.train.data.phrases import nouns_of
from kgqa_graphdb.train.data.synonyms import SynonymAugmenter, SynonymFinder
from kgqa_graphdb.types import Vectors
from tests.unit.rank.graphs import HAS_ENCODER, kings, schema_of

ANGLES = {
    "wife": 0, "spouse": 8, "husband": -10, "married": 20, "wifely": 3, "far": -60, "city": 90, "town": 98, "towns": 97,
    "families": 150, "family": 148, "clan": 155, "new": 230, "news": 181, "paper": 180, "office": 205,
    "place of birth": 206,
}  # fmt: skip
"""Words as directions in a plane, in degrees."""


class Plane:
    """An encoder whose words lie in a plane; without a fingerprint nothing of it is kept on disk."""

    fingerprint = ""

    def __init__(self, name: str) -> None:
        self.dim = 2

    def words(self) -> list[str]:
        return [word for word in ANGLES if " " not in word]

    def encode(self, texts: Sequence[str]) -> Vectors:
        angles = np.radians([ANGLES[text] for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def found(*nouns: str) -> dict[str, tuple[str, ...]]:
    return SynonymFinder("").of(nouns)


@pytest.fixture
def plane(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "OnnxEncoder", Plane)


@pytest.mark.usefixtures("plane")
def test_words_are_those_near_to_a_noun_that_do_not_begin_as_it_does() -> None:
    assert found("wife", "city") == {"wife": ("spouse", "husband", "married"), "city": ("town",)}
    assert found("clan", "paper")["clan"] == ("family",), "a plural is the same word"
    assert found("paper")["paper"][0] == "news", "which is no plural of new"
    assert "office" in found("place of birth")["place of birth"], "of is no stem"


@pytest.mark.usefixtures("plane")
def test_a_word_stands_for_the_noun_that_it_is_nearest_to(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found("wife", "married") == {"wife": ("spouse", "husband")}
    monkeypatch.setattr(module, "MOST", 1)
    assert found("wife") == {"wife": ("spouse",)}
    monkeypatch.setattr(module, "ALIKE", 0.9999)
    assert found("wife") == {}
    assert found() == {}


@pytest.mark.parametrize(
    ("part", "stem"),
    [("films", "film"), ("film", "film"), ("bus", "bus"), ("religion", "relig"), ("churches", "churc")],
)
def test_words_of_one_stem_begin_with_their_singular(part: str, stem: str) -> None:
    assert noun_stem(part) == stem


def test_a_noun_is_said_by_one_word_throughout_a_question() -> None:
    mapping, _ = kings()
    schema = Schema(mapping)
    assert {"father", "spouse"} <= set(nouns_of(schema))
    composer = Composer(schema, Random(0), {"spouse": ("husband", "wife"), "father": ("dad",)})
    path = schema.rows([mapping.step(">father"), mapping.step(">spouse")])
    asked = {composer.question(path).rstrip("?") for _ in range(20_000)}
    assert {"what is the spouse of [X]'s father", "what is the wife of [X]'s dad", "find [X]'s dad's spouse"} <= asked
    assert not any("husband" in text and "wife" in text for text in asked)


def test_without_other_words_steps_are_said_as_they_are() -> None:
    mapping, _ = schema_of([(make_relation("wife"), "man", "woman")])
    phrases = Composer(Schema(mapping), Random(0))._phrases
    respoken = SynonymAugmenter([phrases[0]], {}, Random(0))
    assert respoken[0] is phrases[0]
    often = SynonymAugmenter([phrases[0]], {"wife": ("spouse",)}, Random(0))
    said = set()
    for _ in range(50):
        often.begin()
        assert often[0].nouns == often[0].nouns
        said.add(often[0].nouns)
    assert said == {("wife",), ("spouse",)}


@pytest.mark.skipif(not HAS_ENCODER, reason="the default text encoder's package is not installed")
def test_the_usual_encoder_knows_wives_and_husbands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WORDS", 6_000)
    alike = found("spouse", "religion", "river")
    assert {"husband", "wife"} <= set(alike["spouse"])
    assert not any(word.startswith("relig") for word in alike.get("religion", ()))
