"""The noun for what a question asks for: where it stands, and what stands before it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from kgqa_graphdb.language.english import base_form, singular_of
from kgqa_graphdb.language.english_words import AUXILIARIES, BOUNDARIES, DIMENSIONS, PLAIN_PREPOSITIONS, RELATIVE
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.parse.lexicon import Kind

MAX_MODIFIERS = 8
"""Words before the noun for what is asked for."""


def head(words: list[str], nouns: Mapping[str, Kind]) -> tuple[int, int, Kind | None]:
    """Where the noun for what is asked for stands, of how many words it is, and its kind.

    Of nouns that stand together the last is meant: "premium customers" are customers.
    """
    for place in range(min(MAX_MODIFIERS, len(words))):
        if found := _noun_at(words, place, nouns):
            while _may_be_modifier(words, *found) and (after := _noun_at(words, found[0] + found[1], nouns)):
                found = after
            return found
        if words[place] in BOUNDARIES or words[place] == TOPIC:
            break
    return 0, 0, None


def _noun_at(words: list[str], place: int, nouns: Mapping[str, Kind]) -> tuple[int, int, Kind] | None:
    for size in (3, 2, 1):
        if place + size <= len(words) and (kind := nouns.get(" ".join(words[place : place + size]))):
            return place, size, kind
    return None


def _may_be_modifier(words: list[str], place: int, size: int, kind: Kind) -> bool:
    """Whether a noun may stand before another that says what is meant: a label in the singular."""
    return kind.by is None and singular_of(words[place + size - 1]) == words[place + size - 1]


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
