"""Where in a question a topic is named that the asker gave: it is named somehow, if at all."""

from __future__ import annotations

from itertools import groupby

from kgqa_graphdb.graph import Named
from kgqa_graphdb.language.folding import Folded, folded_text, with_symbols
from kgqa_graphdb.link.places import exact_places, has_capital, near_place
from kgqa_graphdb.link.words import LinkWords
from kgqa_graphdb.types import Link

LIKE = 0.75
"""How like its name the words for a topic must be."""
Span = tuple[int, int]


def named_span(text: Folded, topic: Named, original: str, words: LinkWords) -> Span | None:
    """Where a question has a topic's name, as typed; ``None``: nowhere. A word for a relation alone names nothing.

    :param original: the question as typed
    """
    exact = [
        place
        for place in exact_places(text, topic, original)
        if " " in text.text[place.start : place.end]
        or not _says(text, place.span, words)
        or has_capital(original, *text.original(*place.span))
    ]
    best = max(exact, key=lambda place: (place.end - place.start, place.quality), default=None)
    return with_symbols(original, *text.original(*best.span)) if best else None


def meant_span(text: Folded, topic: Named, original: str, linked: Link | None, words: LinkWords) -> Span | None:
    """Where a question that has not a topic's name speaks of it, as typed; ``None``: nowhere.

    What it is linked by, what is like its name, or the most of its words that stand together; but "married" is no
    Marie.

    :param linked: where the question is linked to it
    """
    if linked and not words.any_for_relation(folded_text(original[linked.start : linked.end]).split()):
        return linked.start, linked.end
    near = near_place(folded_text(topic.entity.name), text.text, LIKE, words)
    if near and not _says(text, near[:2], words):
        return text.original(*near[:2])
    common = _common(text, topic, words)
    return text.original(*common) if common else None


def _common(text: Folded, topic: Named, words: LinkWords) -> Span | None:
    """The longest stretch of a name's words; of one word alone, stop words apart, none that is for a relation."""
    own = {word for name in (topic.entity.name, *topic.aliases) for word in folded_text(name).split()}
    found: list[Span] = []
    place = 0
    for of_name, run in groupby(text.text.split(), own.__contains__):
        same, start = list(run), place
        place += sum(len(word) + 1 for word in same)
        while of_name and same and same[0] in words.stop:
            start += len(same.pop(0)) + 1
        while of_name and same and same[-1] in words.stop:
            same.pop()
        content = words.content(same)
        span = start, start + len(" ".join(same))
        if of_name and (len(content) > 1 or (content and not _says(text, span, words))):
            found.append(span)
    return max(found, key=lambda span: span[1] - span[0], default=None)


def _says(text: Folded, span: Span, words: LinkWords) -> bool:
    """Whether a stretch of a folded question has words for a relation."""
    return words.any_for_relation(text.text[slice(*span)].split())
