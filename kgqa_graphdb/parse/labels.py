"""Where a question says that something carries a further label: "premium customers", "which customers are premium"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kgqa_graphdb.language.english_words import FILLERS
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.parse.lexicon import Kind
from kgqa_graphdb.parse.parsed import Condition


def other_label(word: str, kind: Kind, nouns: Mapping[str, Kind]) -> str:
    """The label that a noun names beside the kind that is asked for; empty: none."""
    named = nouns.get(word)
    return named.label if named and named.by is None and named.label != kind.label else ""


def with_label(one: Condition, kind: Kind | None, nouns: Mapping[str, Kind], *, whether: bool) -> Condition:
    """A condition with the label that its words say they carry: "which are premium", "is X a premium customer?".

    :param whether: it is asked whether the topic carries it
    """
    if one.comparisons or one.value or one.same or (one.topic and not whether) or (kind is None and not one.topic):
        return one
    own = {noun for noun, named in nouns.items() if kind and named.label == kind.label}
    words = [word for word in one.text.split() if word not in own | FILLERS | {TOPIC}]
    if whether and len(words) == 2 and all(word in nouns and nouns[word].by is None for word in words):
        words = words[:1]  # "is X a premium customer?": what is premium is a customer
    named = nouns.get(" ".join(words))
    if named is None or named.by or (kind and named.label == kind.label):
        return one
    return replace(one, label=named.label)
