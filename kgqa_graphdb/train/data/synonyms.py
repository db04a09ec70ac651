"""Synonyms of what a schema calls things: words whose vectors the text encoder puts near."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import numpy as np

from kgqa_graphdb.encode import CachedEncoder, OnnxEncoder
from kgqa_graphdb.language.english import noun_stem, singular_of
from kgqa_graphdb.language.english_words import PREPOSITIONS
from kgqa_graphdb.train.data.phrases import StepPhrases
from kgqa_graphdb.types import Vectors

log = logging.getLogger(__name__)
ALIKE = 0.65
"""Cosine of a noun and a word that may stand for it: "spouse" has .87 with "husband", "religion" .68 with "faith",
"genre" .62 with "thriller"."""
MOST = 5
"""Words for a noun."""
MOST_WORDS = 16_000
"""Of the encoder's vocabulary: the first ones, which are the more frequent in BERT's."""
ONE_WORD = 0.75
"""Cosine of a word and its plural, at least."""
REPLACED = 0.4
"""How often a noun is replaced by a synonym."""
AT_ONCE = 256


class SynonymFinder:
    """Finds synonyms of nouns in an encoder's vocabulary, which is embedded once, and kept on disk.

    :param encoder: its name; see :func:`kgqa_graphdb.encode.locate_encoder`
    """

    def __init__(self, encoder: str) -> None:
        self._model = OnnxEncoder(encoder)
        self._encoder = CachedEncoder(self._model)
        self._words: list[str] = []
        self._vectors: Vectors = np.zeros((0, 0), dtype=np.float32)

    def of(self, nouns: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Words that can stand for nouns, nearest first; each for the noun that it is nearest to, for no other.

        :raises EncoderError: the encoder can't be found or run
        """
        if not nouns:
            return {}
        self._read()
        near = self._encoder.encode(nouns) @ self._vectors.T  # (nouns, words)
        nearest = near.argmax(axis=0)
        row_of = {word: row for row, word in enumerate(self._words)}
        found: dict[str, tuple[str, ...]] = {}
        for row, noun in enumerate(nouns):
            stems = tuple(noun_stem(part) for part in noun.split() if part not in PREPOSITIONS)
            best = [place for place in np.argsort(-near[row])[: 4 * MOST].tolist() if near[row, place] >= ALIKE]
            own = (self._singular(place, row_of) for place in best if nearest[place] == row)
            others = tuple(dict.fromkeys(word for word in own if not word.startswith(stems)))[:MOST]
            if others:
                found[noun] = others
        log.info("other words for %d of %d nouns", len(found), len(nouns))
        return found

    def _read(self) -> None:
        if not self._words:
            self._words = self._model.words()[:MOST_WORDS]
            chunks = [self._words[start : start + AT_ONCE] for start in range(0, len(self._words), AT_ONCE)]
            empty: Vectors = np.zeros((0, self._encoder.dim), dtype=np.float32)
            self._vectors = np.concatenate([empty, *(self._encoder.encode(chunk, keep=True) for chunk in chunks)])

    def _singular(self, place: int, row_of: Mapping[str, int]) -> str:
        """A word, or that of which it is the plural: "families" is of "family", "news" is not of "new"."""
        word = self._words[place]
        single = singular_of(word)
        row = row_of.get(single)
        return single if row is not None and self._vectors[row] @ self._vectors[place] >= ONE_WORD else word


class SynonymAugmenter:
    """The words of steps, some nouns replaced by synonyms in each question.

    :param alike: other words for nouns
    """

    def __init__(self, phrases: Sequence[StepPhrases], alike: Mapping[str, Sequence[str]], rng: Random) -> None:
        self._phrases, self._alike, self._rng = phrases, alike, rng
        self._said: dict[str, str] = {}

    def begin(self) -> None:
        """Begin another question, in which other nouns may be replaced."""
        self._said = {}

    def __getitem__(self, row: int) -> StepPhrases:
        phrases = self._phrases[row]
        if not self._alike:
            return phrases
        return replace(
            phrases, nouns=self._of(phrases.nouns), owned=self._of(phrases.owned), kinds=self._of(phrases.kinds)
        )

    def _of(self, nouns: tuple[str, ...]) -> tuple[str, ...]:
        for noun in nouns:
            if noun not in self._said:
                others = self._alike.get(noun, ())
                said = others and self._rng.random() < REPLACED
                self._said[noun] = self._rng.choice(others) if said else noun
        return tuple(self._said[noun] for noun in nouns)
