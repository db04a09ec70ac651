"""Where in a question a topic is named that the asker gave: it is named somehow, if at all."""

from __future__ import annotations

from collections.abc import Set
from itertools import groupby

from kgqa_graphdb.graph import Named
from kgqa_graphdb.link.places import exact_places, has_capital, near_place
from kgqa_graphdb.link.text import STOP_WORDS, Folded, folded_text, stem
from kgqa_graphdb.types import Link

LIKE = 0.75
"""How like its name the words for a topic must be."""
Span = tuple[int, int]


def named_span(text: Folded, topic: Named, original: str, relation_words: Set[str]) -> Span | None:
    """Where a question has a topic's name, as typed; ``None``: nowhere. A word for a relation alone names nothing.

    :param original: the question as typed
    :param relation_words: without the "s" of plurals
    """
    exact = [
        place
        for place in exact_places(text, topic, original)
        if " " in text.text[place.start : place.end]
        or not _says(text, place.span, relation_words)
        or has_capital(original, *text.original(*place.span))
    ]
    best = max(exact, key=lambda place: (place.end - place.start, place.quality), default=None)
    return text.original(*best.span) if best else None


def meant_span(text: Folded, topic: Named, original: str, linked: Link | None, relation_words: Set[str]) -> Span | None:
    """Where a question that has not a topic's name speaks of it, as typed; ``None``: nowhere.

    What it is linked by, what is like its name, or the most of its words that stand together; but "married" is no
    Marie.

    :param linked: where the question is linked to it
    """
    if linked and not _words(folded_text(original[linked.start : linked.end])) & relation_words:
        return linked.start, linked.end
    near = near_place(folded_text(topic.entity.name), text.text, LIKE)
    if near and not _says(text, near[:2], relation_words):
        return text.original(*near[:2])
    common = _common(text, topic, relation_words)
    return text.original(*common) if common else None


def _common(text: Folded, topic: Named, relation_words: Set[str]) -> Span | None:
    """The longest stretch of a name's words; of one word alone, stop words apart, none that is for a relation."""
    own = {word for name in (topic.entity.name, *topic.aliases) for word in folded_text(name).split()}
    found: list[Span] = []
    place = 0
    for of_name, run in groupby(text.text.split(), own.__contains__):
        words, start = list(run), place
        place += sum(len(word) + 1 for word in words)
        while of_name and words and words[0] in STOP_WORDS:
            start += len(words.pop(0)) + 1
        while of_name and words and words[-1] in STOP_WORDS:
            words.pop()
        content = [word for word in words if word not in STOP_WORDS]
        span = start, start + len(" ".join(words))
        if of_name and (len(content) > 1 or (content and not _says(text, span, relation_words))):
            found.append(span)
    return max(found, key=lambda span: span[1] - span[0], default=None)


def _says(text: Folded, span: Span, relation_words: Set[str]) -> bool:
    """Whether a stretch of a folded question has words for a relation."""
    return bool(_words(text.text[slice(*span)]) & relation_words)


def _words(folded: str) -> set[str]:
    return {stem(word) for word in folded.split()}
