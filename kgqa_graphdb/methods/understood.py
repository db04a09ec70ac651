"""What was recognised of a question that names no entity: kinds and what those have, and what can be asked instead."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kgqa_graphdb.language import ENGLISH
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.parse import EnglishParser, Lexicon, Parser
from kgqa_graphdb.types import Relation

MAX_SHOWN = 6
"""Properties that are listed."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Recognised:
    """The words of a graph that a question has.

    :ivar nouns: for kinds, as they stand in the question → the label of the kind
    :ivar properties: what the properties are called that it names
    :ivar has: what the properties of the first kind are called
    :ivar example: a question about all of that kind that is understood; empty: none is known
    """

    nouns: dict[str, str]
    properties: tuple[str, ...]
    has: tuple[str, ...]
    example: str

    @property
    def note(self) -> str:
        """What was recognised, and what can be asked, for the asker."""
        kinds = " and ".join(f"{noun!r} (all {label})" for noun, label in self.nouns.items())
        parts = [f"recognised in the question: {', '.join([kinds, *map(repr, self.properties)])}"]
        if self.has:
            more = f" and {len(self.has) - MAX_SHOWN} more" if len(self.has) > MAX_SHOWN else ""
            parts.append(f"{next(iter(self.nouns.values()))} has: {', '.join(self.has[:MAX_SHOWN])}{more}")
        if self.example:
            parts.append(f'this graph can be asked, for instance: "{self.example}"')
        return "; ".join(parts)


def recognised(text: str, mapping: GraphMapping, parser: Parser | None = None) -> Recognised | None:
    """What a question has of a graph's words; ``None`` where it names no kind of entities.

    :param parser: that must understand the example, which is in English; ``None``: that of English
    """
    lexicon = Lexicon.of(mapping)
    words = _WORD.findall(text)
    longest = max((noun.count(" ") + 1 for noun in lexicon.nouns), default=0)
    nouns: dict[str, str] = {}
    place = 0
    while place < len(words):
        size = next(
            (n for n in range(longest, 0, -1) if " ".join(words[place : place + n]).lower() in lexicon.nouns), 0
        )
        if size:
            noun = " ".join(words[place : place + size])
            nouns[noun] = lexicon.nouns[noun.lower()].label
        place += size or 1
    if not nouns:
        return None
    lowered = f" {' '.join(words).lower()} "
    named = [called for called in sorted(lexicon.phrases) if f" {called} " in lowered]
    label = next(iter(nouns.values()))
    has = dict.fromkeys(one.phrase for one in mapping.relations if _is_of(one, label))
    english = mapping.language.code == ENGLISH.code
    example = _example(label, lexicon, mapping, parser or EnglishParser()) if english else ""
    return Recognised(nouns, tuple(named), tuple(has), example)


def _is_of(relation: Relation, label: str) -> bool:
    return relation.kind == "property" and (not relation.heads or label in relation.heads)


def _example(label: str, lexicon: Lexicon, mapping: GraphMapping, parser: Parser) -> str:
    for noun in dict.fromkeys(noun for noun, kind in lexicon.nouns.items() if kind.label == label and not kind.by):
        question = f"How many {mapping.language.plural_of(noun)} are there?"
        parsed = parser.parse(question, lexicon)
        if parsed.wants == "count" and parsed.kind and parsed.kind.label == label and not parsed.unsure:
            return question
    return ""
