"""The noun for what a question asks for: where it stands, and what stands before it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from kgqa_graphdb.language.english import base_form
from kgqa_graphdb.language.english_words import AUXILIARIES, BOUNDARIES, DIMENSIONS, PLAIN_PREPOSITIONS, RELATIVE
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.parse.lexicon import Kind

MAX_MODIFIERS = 8
"""Words before the noun for what is asked for."""


def head(words: list[str], nouns: Mapping[str, Kind]) -> tuple[int, int, Kind | None]:
    """Where the noun for what is asked for stands, of how many words it is, and its kind."""
    for place in range(min(MAX_MODIFIERS, len(words))):
        for size in (3, 2, 1):
            if kind := nouns.get(" ".join(words[place : place + size])):
                return place, size, kind
        if words[place] in BOUNDARIES or words[place] == TOPIC:
            break
    return 0, 0, None


def unknown_head(words: list[str], values: Collection[str], noun: str) -> tuple[list[str], str, list[str]]:
    """What stands before the noun for what is asked for, where no kind is called so, that noun, and the rest.

    "the 2 widest moons of X" asks for moons; "the greatest diameter of X" asks for what X has.

    :param noun: what else the noun is
    """
    ends = RELATIVE | BOUNDARIES | PLAIN_PREPOSITIONS | AUXILIARIES | {TOPIC}
    acts = [is_participle(word) and not _follows_rank(words, at) for at, word in enumerate(words)]
    end = next((at for at, word in enumerate(words) if word in ends or acts[at]), len(words))
    ranks = next((at for at, word in enumerate(words[:end]) if word in DIMENSIONS), end)
    before = words[: end - 1] if ranks < end - 1 and words[end - 1] not in values else []
    after = words[len(before) :]
    clause = after[1:2] and after[1] in ("that", "which", "who", "whom", "whose")
    if clause and after[0] not in ends:
        return before, after[0], after[2:]
    return before, noun, after


def is_participle(word: str) -> bool:
    """Whether a word is a form that begins a clause: "launched", "starring"."""
    return word.endswith("ing") or (bool(base_form(word)) and not word.endswith("s"))


def _follows_rank(words: list[str], at: int) -> bool:
    """Whether a word belongs to a superlative: "the earliest launched probe"."""
    return at > 0 and words[at - 1] in DIMENSIONS
