"""Rounds of messages among classes of entities that know the same so far, instead of among entities.

Two entities of a question's subgraph that are as far from its topics are alike to the network of the paper until a
message tells them apart: one that only one of them receives, or receives more often. So what is computed for one entity
of a class holds for all, and the distances are what they would be. It is colour refinement (Weisfeiler & Leman 1968),
which says what such a network can tell apart (Xu et al. 2019); of MetaQA's subgraphs of 500 entities it leaves a
thirtieth of the first round's messages and half of the second's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kgqa_graphdb.gnn2r.graphs import GraphBatch
from kgqa_graphdb.types import Ints

SEED = 0
"""Of the numbers that classes are told apart by."""


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """One round.

    :ivar question: of each class before it; shape (classes before,)
    :ivar sender: class before the round that sends each message; shape (messages,)
    :ivar relation: place among the batch's relations of its relation; shape (messages,)
    :ivar message: which message each edge carries; shape (edges,)
    :ivar receiver: class after the round that each edge leads to, ascending; shape (edges,)
    :ivar before: class before the round that each class after it is a part of; shape (classes after,)
    """

    question: Ints
    sender: Ints
    relation: Ints
    message: Ints
    receiver: Ints
    before: Ints

    @property
    def question_after(self) -> Ints:
        """The question of each class after the round; shape (classes after,)."""
        return self.question[self.before]


@dataclass(frozen=True, slots=True, eq=False)
class Rounds:
    """All rounds over a batch of subgraphs.

    :ivar distance: hops of each class before the first round from the nearest topic; shape (classes,)
    :ivar rounds: one or more, in order
    :ivar entity: class after the last round of each entity; shape (entities,)
    """

    distance: Ints
    rounds: tuple[Round, ...]
    entity: Ints


def rounds_of(batch: GraphBatch, count: int) -> Rounds:
    """So many rounds over a batch; at first what is as far from the topics of one question is alike."""
    far = int(batch.distance.max()) + 1
    first, entity = np.unique(batch.question * far + batch.distance, return_inverse=True)
    question, rounds = first // far, []
    for _ in range(count):
        one, entity = _round(batch, question, entity)
        rounds.append(one)
        question = one.question_after
    return Rounds(first % far, tuple(rounds), entity)


def _round(batch: GraphBatch, question: Ints, entity: Ints) -> tuple[Round, Ints]:
    """A round, and the class of each entity after it.

    :param question: of each class before it
    :param entity: class of each entity before it
    """
    relations = batch.relations.size
    sent, alike = np.unique(entity[batch.sender] * relations + batch.relation, return_inverse=True)  # (messages,)
    # Sums of random numbers stand for the messages that an entity receives, and for its class: those of two that differ
    # are equal once in 2⁶⁴ times. A fixed mixing of bits will not do: of some twice the one is the other.
    drawn = np.random.default_rng(SEED).integers(2**64, size=sent.size + question.size, dtype=np.uint64)
    received = drawn[sent.size + entity]
    if batch.receiver.size:
        starts = np.flatnonzero(np.diff(batch.receiver, prepend=-1))
        received[batch.receiver[starts]] += np.add.reduceat(drawn[alike][batch.message], starts)
    _, chosen, after = np.unique(received, return_index=True, return_inverse=True)
    is_chosen = np.zeros(entity.size, dtype=bool)
    is_chosen[chosen] = True
    edges = np.flatnonzero(is_chosen[batch.receiver])
    receiver = after[batch.receiver[edges]]
    order = np.argsort(receiver, kind="stable")
    return Round(
        question=question, sender=sent // relations, relation=sent % relations,
        message=alike[batch.message[edges[order]]], receiver=receiver[order], before=entity[chosen],
    ), after  # fmt: skip
