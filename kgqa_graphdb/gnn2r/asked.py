"""What a linked question is about, as its subgraph and the network take it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgqa_graphdb.link.topics import likely_links, mask_topic, topics_of
from kgqa_graphdb.rank.question import read_question
from kgqa_graphdb.rank.spelling import Vocabulary
from kgqa_graphdb.types import Entity, Link

MAX_TOPICS = 5
"""Entities that a subgraph lies around, the likeliest: of one name several may be meant."""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question and its topics.

    :ivar text: with the topics masked, as the encoder reads it
    :ivar topics: for each place where one is named the entities that may be meant there
    """

    text: str
    topics: tuple[tuple[Entity, ...], ...]

    @property
    def entities(self) -> tuple[Entity, ...]:
        """All topics, without repeats."""
        return tuple(dict.fromkeys(entity for some in self.topics for entity in some))


def asked_question(text: str, links: Sequence[Link], vocabulary: Vocabulary | None = None) -> AskedQuestion:
    """A question and the entities that its likely links name.

    :param links: at least one, likeliest first
    :param vocabulary: words one slip away from one of these are read as that
    """
    likely = likely_links(links)
    first, *others = places = topics_of(text, likely)
    once = {link.entity: link for link in reversed(places)}  # who is named again is one topic, at the first place
    apart = [link for link in places if once[link.entity] is link][:MAX_TOPICS]
    named = [[link.entity for link in likely if (link.start, link.end) == (one.start, one.end)] for one in apart]
    room = MAX_TOPICS - len(apart) + 1
    topics = tuple(tuple(dict.fromkeys(some))[:room] for some in named)
    return AskedQuestion(read_question(mask_topic(text, first, others), vocabulary).text, topics)
