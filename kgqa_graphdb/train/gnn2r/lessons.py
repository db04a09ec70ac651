"""What step I learns from: questions with their subgraphs, and which entities of these are answers."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np

from kgqa_graphdb.client import KGQA
from kgqa_graphdb.errors import CypherError, SubgraphError, UsageError
from kgqa_graphdb.export import ExportedGraph, IndexedSubgraph, SubgraphSettings, cut_subgraph
from kgqa_graphdb.gnn2r.asked import AskedQuestion, asked_question
from kgqa_graphdb.gnn2r.graphs import Inverse, QuestionGraph
from kgqa_graphdb.gnn2r.subgraphs import numbers_of
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.link.asked import parse_question
from kgqa_graphdb.mining.exported import gold_numbers
from kgqa_graphdb.questions import Pair
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.spelling import Vocabulary
from kgqa_graphdb.steps import Steps, together
from kgqa_graphdb.train.settings import Progress
from kgqa_graphdb.types import Ints

log = logging.getLogger(__name__)
LINKED_AT_ONCE = 64
MAX_HOPS = 3
"""Where nobody says how many hops, as the network has layers."""
REACHED = 0.99
"""Of the answers within :data:`MAX_HOPS`: fewer hops that reach so many are enough."""
SAMPLED = 300
"""Questions that the number of hops is chosen on."""
NO_TOPIC, NO_FACTS, NO_ANSWER, ALL_ANSWERS = (
    "no topic", "a topic without facts, or too many", "no answer in the subgraph", "nothing but answers there",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A question, its subgraph and its answers.

    :ivar id: of its pair
    :ivar text: with the topics masked, as the encoder reads it
    :ivar graph: the subgraph
    :ivar answers: entities of it that are answers, ascending; shape (answers,); one or more
    :ivar golds: answers that there are, in the subgraph or not
    """

    id: str
    text: str
    graph: QuestionGraph
    answers: Ints
    golds: int


@dataclass(frozen=True, slots=True)
class Topics:
    """A pair with what its question is about, as numbers of an exported graph.

    :ivar text: with the topics masked
    :ivar topics: none: the question names nothing that the graph has
    :ivar asked: the topics as entities; ``None``: none is known
    """

    pair: Pair
    text: str = ""
    topics: tuple[int, ...] = ()
    asked: AskedQuestion | None = None


def linked_pairs(kg: KGQA, exported: ExportedGraph, pairs: Sequence[Pair], progress: Progress) -> list[Topics]:
    """Link the questions of pairs, some side by side."""
    vocabulary = Schema(kg.graph.mapping).vocabulary
    found: list[Topics] = []
    linker = NameLinker()
    for start in range(0, len(pairs), LINKED_AT_ONCE):
        some = pairs[start : start + LINKED_AT_ONCE]
        asked = kg.perform(together(_asked(pair, linker, kg.graph, vocabulary) for pair in some))
        for pair, one in zip(some, asked, strict=True):
            numbers = [number for entity in one.entities for number in numbers_of(exported, entity)] if one else []
            found.append(Topics(pair, one.text if one else "", tuple(dict.fromkeys(numbers)), one))
        progress(len(found), len(pairs))
    return found


def _asked(pair: Pair, linker: NameLinker, graph: Graph, vocabulary: Vocabulary) -> Steps[AskedQuestion | None]:
    try:
        question = parse_question(pair.question, pair.topics)
        links = yield from linker.link(question, graph)
    except (CypherError, UsageError) as error:
        log.warning("question %s is left out: %s", pair.id, error)
        return None
    known = [link for link in links if link.other is None]
    return asked_question(question.text, known, vocabulary) if known else None


def lessons_of(
    exported: ExportedGraph,
    linked: Sequence[Topics],
    settings: SubgraphSettings,
    inverse: Inverse,
    progress: Progress = lambda done, total: None,
) -> tuple[list[Lesson], Counter[str]]:
    """The lessons of pairs, and why others are left out, with how many are for that reason."""
    lessons: list[Lesson] = []
    left_out: Counter[str] = Counter()
    make = partial(QuestionGraph.of, relations=exported.num_relations, inverse=inverse)
    for done, one in enumerate(linked, start=1):
        index = cut_for(exported, one, settings)
        if isinstance(index, str):
            left_out[index] += 1
        else:
            golds = [gold_numbers(exported, gold) for gold in one.pair.answers]
            answers = np.flatnonzero(np.isin(index.nodes, [number for some in golds for number in some]))
            if 0 < answers.size < index.nodes.size:
                lessons.append(Lesson(one.pair.id, one.text, make(index), answers, len(golds)))
            else:
                left_out[ALL_ANSWERS if answers.size else NO_ANSWER] += 1
        progress(done, len(linked))
    return lessons, left_out


def cut_for(exported: ExportedGraph, one: Topics, settings: SubgraphSettings) -> IndexedSubgraph | str:
    """A question's subgraph, or why there is none."""
    if not one.topics:
        return NO_TOPIC
    try:
        return cut_subgraph(exported, one.topics, settings)
    except SubgraphError:
        return NO_FACTS


def enough_hops(exported: ExportedGraph, linked: Sequence[Topics], settings: SubgraphSettings) -> int:
    """The least hops within which nearly all answers lie that lie within the most."""
    reached: Counter[int] = Counter()
    for one in islice((one for one in linked if one.topics), SAMPLED):
        index = cut_for(exported, one, settings)
        if not isinstance(index, str):
            golds = [number for gold in one.pair.answers for number in gold_numbers(exported, gold)]
            reached.update(index.distances[np.isin(index.nodes, golds)].tolist())
    for hops in range(1, settings.hops):
        if sum(count for distance, count in reached.items() if distance <= hops) >= REACHED * reached.total():
            return hops
    return settings.hops
