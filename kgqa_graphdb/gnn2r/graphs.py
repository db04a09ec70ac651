"""Question subgraphs as the network reads them: edges in both directions, and many subgraphs side by side in one.

What an entity sends along a relation is the same whoever receives it, so there is one message for each pair of sender
and relation, however many edges carry it: exact, and a fraction of the work where hubs are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from kgqa_graphdb.export import IndexedSubgraph
from kgqa_graphdb.types import Ints

Inverse: TypeAlias = Literal["apart", "same", "none"]
"""How facts are walked from tail to head: as relations of their own, as the same relation (the paper),
or not at all."""


@dataclass(frozen=True, slots=True, eq=False)
class QuestionGraph:
    """A question's subgraph; its topics come first, and are at distance 0.

    :ivar distance: hops of each entity from the nearest topic; shape (entities,)
    :ivar sender: entity that sends each message; shape (messages,)
    :ivar relation: number of the relation along which it does, plus the number of relations where it is walked
        backwards; shape (messages,)
    :ivar message: which message each edge carries; shape (edges,)
    :ivar receiver: entity that each edge leads to, ascending; shape (edges,)
    """

    distance: Ints
    sender: Ints
    relation: Ints
    message: Ints
    receiver: Ints

    @classmethod
    def of(cls, index: IndexedSubgraph, relations: int, inverse: Inverse) -> QuestionGraph:
        """The edges of a subgraph.

        :param relations: how many relations the graph has
        """
        sender, receiver, relation = index.head, index.tail, index.relation
        if inverse != "none":
            sender, receiver = np.concatenate([sender, receiver]), np.concatenate([receiver, sender])
            relation = np.concatenate([relation, relation + (relations if inverse == "apart" else 0)])
        order = np.argsort(receiver, kind="stable")
        sender, receiver, relation = sender[order], receiver[order], relation[order]
        sent, message = np.unique(sender * (2 * relations) + relation, return_inverse=True)
        return cls(index.distances, sent // (2 * relations), sent % (2 * relations), message.ravel(), receiver)


@dataclass(frozen=True, slots=True, eq=False)
class GraphBatch:
    """Subgraphs of several questions side by side: nothing joins one with another.

    :ivar starts: first entity of each question, and how many entities there are; shape (questions + 1,)
    :ivar question: of each entity; shape (entities,)
    :ivar distance: hops from the nearest topic; shape (entities,)
    :ivar relations: numbers of the relations that messages are sent along, ascending; shape (used,)
    :ivar sender: entity that sends each message; shape (messages,)
    :ivar relation: place among ``relations`` of its relation; shape (messages,)
    :ivar message: which message each edge carries; shape (edges,)
    :ivar receiver: entity that each edge leads to, ascending; shape (edges,)
    """

    starts: Ints
    question: Ints
    distance: Ints
    relations: Ints
    sender: Ints
    relation: Ints
    message: Ints
    receiver: Ints


def side_by_side(graphs: Sequence[QuestionGraph]) -> GraphBatch:
    """Subgraphs of several questions as one.

    :param graphs: one or more
    """
    entities = [graph.distance.size for graph in graphs]
    starts, messages = _starts(entities), _starts([graph.sender.size for graph in graphs])
    relations, relation = np.unique(np.concatenate([graph.relation for graph in graphs]), return_inverse=True)
    return GraphBatch(
        starts=starts,
        question=np.repeat(np.arange(len(graphs)), entities),
        distance=np.concatenate([graph.distance for graph in graphs]),
        relations=relations,
        sender=np.concatenate([graph.sender + start for graph, start in zip(graphs, starts, strict=False)]),
        relation=relation.ravel(),
        message=np.concatenate([graph.message + start for graph, start in zip(graphs, messages, strict=False)]),
        receiver=np.concatenate([graph.receiver + start for graph, start in zip(graphs, starts, strict=False)]),
    )


def _starts(sizes: Sequence[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
