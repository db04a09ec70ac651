"""The words that relations are told by: their phrases, and what else tells apart those that have the same.

Of PathQuestion-Large's 363 and 411 relations 97 and 108 share their phrase with others: "release" is said of a
recording and of a track. Read by their phrases alone they would be one relation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from kgqa_graphdb.export.manifest import RelationInfo
from kgqa_graphdb.language.names import levels, words_of


def told_apart(relations: Sequence[RelationInfo]) -> tuple[RelationInfo, ...]:
    """Relations with phrases of which no two are alike: what is shared is followed by words of the relation's id."""
    there = Counter(one.phrase for one in relations)
    back = Counter(one.inverse_phrase for one in relations)

    def apart(phrase: str, relation: str, counts: Counter[str]) -> str:
        return _with_id(phrase, relation) if counts[phrase] > 1 else phrase

    return tuple(
        one.model_copy(
            update={
                "phrase": apart(one.phrase, one.id, there), "inverse_phrase": apart(one.inverse_phrase, one.id, back),
            }
        )
        for one in relations
    )  # fmt: skip


def phrases_of(relations: Sequence[RelationInfo]) -> Mapping[str, str]:
    """Of each relation's id its phrase from head to tail, of which no two are alike."""
    return {one.id: one.phrase for one in told_apart(relations)}


def _with_id(phrase: str, relation: str) -> str:
    """A phrase, and what the relation is of where its id says that: "release (music recording)"."""
    of = " ".join(words_of(level) for level in levels(relation)[:-1])
    return f"{phrase} ({of or words_of(relation)})"
