"""Step I over one graph: how far the entities of a question's subgraph are from it, and which are answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from kgqa_graphdb.encode import TokenEncoder
from kgqa_graphdb.export.manifest import RelationInfo
from kgqa_graphdb.export.named import relation_words
from kgqa_graphdb.export.words import told_apart
from kgqa_graphdb.gnn2r.files import Gnn2rFiles
from kgqa_graphdb.gnn2r.graphs import QuestionGraph, side_by_side
from kgqa_graphdb.gnn2r.networks import AnswerNetwork
from kgqa_graphdb.rank.blas import one_thread
from kgqa_graphdb.rank.recent import RecentTokens
from kgqa_graphdb.types import Floats, Ints

EDGES_AT_ONCE = 200_000
"""Of the subgraphs that are reasoned over side by side; a subgraph that has more is reasoned over alone."""
DECIMALS = 4
"""Of a distance: entities that look alike from the topics differ in the fifth only, by the order of sums."""


class ReasonRequest(NamedTuple):
    """A question to reason about.

    :ivar text: with its topics masked, as the encoder reads it
    :ivar graph: its subgraph
    """

    text: str
    graph: QuestionGraph


class StepOne:
    """Reasons over subgraphs of one graph; the vectors of its relations are computed once.

    :param relations: of the graph, in the order of their numbers
    """

    def __init__(self, network: AnswerNetwork, encoder: TokenEncoder, relations: Sequence[RelationInfo]) -> None:
        self._network = network
        self._encoder = encoder
        self._tokens = RecentTokens(encoder)
        self._words = relation_words(told_apart(relations))
        self._known = np.zeros(len(self._words), dtype=bool)
        self._vectors = np.zeros((len(self._words), network.dim), dtype=np.float32)

    @classmethod
    def of(cls, files: Gnn2rFiles, relations: Sequence[RelationInfo]) -> StepOne:
        """With a saved model."""
        return cls(files.network, files.encoder, relations)

    def distances(self, items: Sequence[ReasonRequest]) -> list[Floats]:
        """Distance of each entity of a question's subgraph from the question, of many questions at a time.

        :return: of each question, shape (entities,)
        :raises EncoderError: the encoder can't be run
        """
        found: list[Floats] = []
        for some in _portions(items):
            batch = side_by_side([item.graph for item in some])
            tokens = self._tokens.read([item.text for item in some])
            relations = self._relations(batch.relations)
            with one_thread():
                distances = self._network.distances(batch, tokens, relations)
            found += np.split(np.round(distances, DECIMALS), batch.starts[1:-1])
        return found

    def _relations(self, numbers: Ints) -> Floats:
        """Vectors of relations, shape (numbers, dim)."""
        missing = numbers[~self._known[numbers]]
        if missing.size:
            tokens = self._encoder.encode_tokens([self._words[number] for number in missing.tolist()])
            self._vectors[missing] = self._network.relations(tokens, missing >= len(self._words) // 2)
            self._known[missing] = True
        return self._vectors[numbers]


def answer_set(distances: Floats, threshold: float) -> Ints:
    """The entities that are at most so many times as far from the question as the nearest, nearest first.

    :param distances: shape (entities,)
    :param threshold: 1 or more
    """
    order = np.argsort(distances, kind="stable")
    chosen: Ints = order[distances[order] <= threshold * distances[order[0]]]
    return chosen


def _portions(items: Sequence[ReasonRequest]) -> Iterator[list[ReasonRequest]]:
    some: list[ReasonRequest] = []
    edges = 0
    for item in items:
        size = item.graph.receiver.size
        if some and edges + size > EDGES_AT_ONCE:
            yield some
            some, edges = [], 0
        some.append(item)
        edges += size
    if some:
        yield some
