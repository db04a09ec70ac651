"""The words for a measure, among those of a condition."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kgqa_graphdb.language.english_words import DIMENSIONS, EACH, FILLERS, HIGH, LOW, PLAIN_PREPOSITIONS
from kgqa_graphdb.reductions import ReductionName


def stripped(words: Sequence[str], values: Collection[str] = ()) -> str:
    """Words that say what is compared; between them prepositions stay: "units in stock".

    :param values: nouns for what entities have, of which one may be called as a total is: "a total above 15"
    """
    kept = [word for word in words if (word not in FILLERS or word in values) and word not in EACH]
    while kept and kept[0] in PLAIN_PREPOSITIONS:
        del kept[0]
    while kept and kept[-1] in PLAIN_PREPOSITIONS:
        del kept[-1]
    if all(word in HIGH or word in LOW or word in DIMENSIONS for word in kept):
        kept += [word for word in words if word in values and word in EACH][:1]
    return " ".join(kept)


def each_of(words: Sequence[str], measure: str) -> ReductionName:
    """What of several numbers is meant, by words that are not those of the measure itself."""
    return next((EACH[word] for word in words if word in EACH and word not in measure.split()), "")
