"""Links what a question describes rather than names, "the red planet", through the graph's vector index.

Asked only where names do not fit well: it takes an embedding of each stretch of words that may be a description.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from kgqa_graphdb.compile import describe_keys
from kgqa_graphdb.compile.lookup import nearest_statement
from kgqa_graphdb.errors import CypherError, EncoderError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.language.folding import Folded, folded_text, occurrences
from kgqa_graphdb.link.words import LinkWords
from kgqa_graphdb.steps import Embed, Read, Steps, ask
from kgqa_graphdb.types import Entity, VectorIndexes

log = logging.getLogger(__name__)

MAX_SPANS = 24
"""Stretches that are embedded, 1 to 2 ms each."""
MAX_SPAN_WORDS = 12
PER_SPAN = 5
"""Entities that the index gives for each."""
MIN_COSINE = 0.4
"""Below this texts have nothing to do with each other; all-MiniLM-L6-v2 gives unrelated ones 0 to 0.3."""
BEHIND = 0.12
"""Hits that are so much farther than the nearest are left out."""
MEANING = 0.7
"""What the nearest meaning is worth where an exact name is worth 1: less than a misspelled one (0.74 at least)."""
WITH_RELATION = 0.85
"""What a stretch that holds a word for a relation is worth: that word says what is asked, not of whom."""


@dataclass(frozen=True, slots=True)
class Hit:
    """An entity near in meaning to a stretch of a folded text.

    :ivar quality: 0..0.7, see :data:`MEANING`
    """

    entity: Entity
    start: int
    end: int
    quality: float


def descriptions_in(text: Folded, words: LinkWords) -> list[tuple[int, int]]:
    """Stretches that may describe an entity, shortest first: from one word that is no stop word to another.

    Stretches of words for relations alone are left out.
    """
    places: list[tuple[int, int]] = []
    place = 0
    for word in text.text.split():
        places.append((place, place + len(word)))
        place += len(word) + 1
    # Runs of words between stop words; "the king of the north" is two of them.
    runs: list[list[int]] = []
    for number, (start, end) in enumerate(places):
        if text.text[start:end] in words.stop:
            continue
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    found = []
    for first, (begin, _) in enumerate(runs):
        for last in range(first, len(runs)):
            finish = runs[last][1]
            if finish - begin >= MAX_SPAN_WORDS:
                break
            start, end = places[begin][0], places[finish][1]
            if not words.are_for_relations(words.content(text.text[start:end].split())):
                found.append((start, end))
    return sorted(found, key=lambda span: span[1] - span[0])[:MAX_SPANS]


@dataclass(frozen=True, slots=True)
class NearEntity:
    """An entity near in meaning to a text.

    :ivar place: of the text among those that were asked for
    :ivar cosine: of their vectors, -1..1
    """

    place: int
    entity: Entity
    cosine: float


def nearest_entities(
    texts: tuple[str, ...], indexes: VectorIndexes, graph: Graph, limit: int
) -> Steps[list[NearEntity]]:
    """The entities nearest in meaning to each of some texts.

    :param indexes: the graph's
    :param limit: entities that each index gives for a text
    :raises EncoderError: there is no encoder, or it is not the one that made the vectors
    :raises CypherError: an index is gone
    """
    vectors = yield from ask(Embed(texts, encoder=indexes.fingerprint))
    rows = yield from ask(Read(nearest_statement(graph.mapping, indexes.indexes, vectors.tolist(), limit)))
    columns = describe_keys(graph.mapping)
    return [
        # Neo4j's score of a cosine index is (1 + cosine) / 2
        NearEntity(place, graph.entity(element_id, some, dict(zip(columns, values, strict=True))), 2 * score - 1)
        for place, ids, labels, keys, scores in rows
        for element_id, some, values, score in zip(ids, labels, keys, scores, strict=True)
    ]


def near_in_meaning(
    original: str, text: Folded, spans: Sequence[tuple[int, int]], words: LinkWords, graph: Graph
) -> Steps[list[Hit]]:
    """The entities nearest in meaning to stretches of a question, best first, each at its best stretch.

    None when the encoder or the index is not there any more: a log warning says so.

    :param original: the question as typed, of which ``text`` is folded
    """
    indexes = graph.mapping.vectors
    if indexes is None or not spans:
        return []
    parts = [slice(*text.original(start, end)) for start, end in spans]
    try:
        found = yield from nearest_entities(tuple(original[part] for part in parts), indexes, graph, PER_SPAN)
    except (EncoderError, CypherError) as error:
        log.warning(
            "the vector index of graph %r is not used: %s; see to it with: kgqa index --graph %s --vectors",
            graph.name, error, graph.name,
        )  # fmt: skip
        return []
    best: dict[str, tuple[float, Hit]] = {}
    for near in found:
        start, end = spans[near.place]
        holds_relation = words.any_for_relation(text.text[start:end].split())
        worth = near.cosine * (WITH_RELATION if holds_relation else 1.0)
        element_id = near.entity.element_id
        if near.cosine >= MIN_COSINE and (element_id not in best or best[element_id][0] < worth):
            best[element_id] = (worth, Hit(near.entity, start, end, MEANING * min(worth, 1.0)))
    # "planet" is nearer to "the red planet" than Mars is; a name that stands there does not raise the bar.
    described = (worth for worth, hit in best.values() if not _is_inside(hit, text))
    nearest = max(described, default=0.0)
    kept = [hit for worth, hit in best.values() if worth >= nearest - BEHIND]
    return sorted(kept, key=lambda hit: (-hit.quality, hit.entity.name, hit.entity.id))


def _is_inside(hit: Hit, text: Folded) -> bool:
    """Whether the name of what was found stands in the stretch that found it."""
    return next(occurrences(folded_text(hit.entity.name), text.text[hit.start : hit.end]), None) is not None
