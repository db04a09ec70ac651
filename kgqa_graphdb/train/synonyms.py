"""Other words for what a schema calls things: those that the text encoder holds for nearly the same."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from kgqa_graphdb.encode import OnnxEncoder
from kgqa_graphdb.types import Vectors

if TYPE_CHECKING:
    from kgqa_graphdb.train.compose import Ways

log = logging.getLogger(__name__)
ALIKE = 0.65
"""Cosine of a noun and a word that may stand for it: "spouse" has .87 with "husband", "religion" .68 with "faith",
"genre" .62 with "thriller"."""
MOST = 5
"""Words for a noun."""
MOST_WORDS = 16_000
"""Of the encoder's vocabulary: the first ones, which are the more frequent in BERT's."""
SAME_STEM = 5
"""Letters, or the whole word, that words of one stem begin with: "religious" is no other word for "religion"."""
SAID_OTHERWISE = 0.4
"""How often a noun is said by another word."""
AT_ONCE = 256


def synonyms(nouns: Sequence[str], encoder: str) -> dict[str, tuple[str, ...]]:
    """Words that can stand for nouns, nearest first; a word stands for the noun that it is nearest to, for no other.

    :param encoder: its name; see :func:`kgqa_graphdb.encode.locate_encoder`
    :raises EncoderError: the encoder can't be found or run
    """
    if not nouns:
        return {}
    words, vectors = _vocabulary(encoder)
    near = OnnxEncoder(encoder).encode(nouns) @ vectors.T  # (nouns, words)
    nearest = near.argmax(axis=0)
    known = frozenset(words)
    found: dict[str, tuple[str, ...]] = {}
    for row, noun in enumerate(nouns):
        best = [place for place in np.argsort(-near[row])[: 4 * MOST].tolist() if near[row, place] >= ALIKE]
        own = (_singular(words[place], known) for place in best if nearest[place] == row)
        stems = tuple(part[:SAME_STEM] for part in noun.split())
        others = tuple(dict.fromkeys(word for word in own if not word.startswith(stems)))[:MOST]
        if others:
            found[noun] = others
    log.info("other words for %d of %d nouns", len(found), len(nouns))
    return found


@cache
def _vocabulary(encoder: str) -> tuple[list[str], Vectors]:
    """An encoder's words and their vectors, shape (words, dim)."""
    made = OnnxEncoder(encoder)
    words = made.words()[:MOST_WORDS]
    chunks = [made.encode(words[start : start + AT_ONCE]) for start in range(0, len(words), AT_ONCE)]
    return words, np.concatenate(chunks) if chunks else np.zeros((0, made.dim), dtype=np.float32)


def _singular(word: str, known: frozenset[str]) -> str:
    return word[:-1] if word.endswith("s") and word[:-1] in known else word


class Respoken:
    """The words of steps, in each question some nouns said by others.

    :param alike: other words for nouns
    """

    def __init__(self, ways: Sequence[Ways], alike: Mapping[str, Sequence[str]], rng: Random) -> None:
        self._ways, self._alike, self._rng = ways, alike, rng
        self._said: dict[str, str] = {}

    def begin(self) -> None:
        """Another question, in which other nouns may be said otherwise."""
        self._said = {}

    def __getitem__(self, row: int) -> Ways:
        ways = self._ways[row]
        if not self._alike:
            return ways
        return replace(ways, nouns=self._of(ways.nouns), owned=self._of(ways.owned), kinds=self._of(ways.kinds))

    def _of(self, nouns: tuple[str, ...]) -> tuple[str, ...]:
        for noun in nouns:
            if noun not in self._said:
                others = self._alike.get(noun, ())
                said = others and self._rng.random() < SAID_OTHERWISE
                self._said[noun] = self._rng.choice(others) if said else noun
        return tuple(self._said[noun] for noun in nouns)
