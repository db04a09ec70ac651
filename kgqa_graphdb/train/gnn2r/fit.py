"""Fits step I: answers come nearer to their question than all else in its subgraph, by a margin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional

from kgqa_graphdb.gnn2r.graphs import GraphBatch, Inverse, side_by_side
from kgqa_graphdb.gnn2r.networks import NetworkKind
from kgqa_graphdb.gnn2r.pyg.beside import NETWORKS as BESIDE
from kgqa_graphdb.gnn2r.pyg.paper import DIM, LAYERS, StepOneNetwork
from kgqa_graphdb.gnn2r.pyg.text_network import BatchTensors, TextNetwork
from kgqa_graphdb.train.gnn2r.lessons import Lesson
from kgqa_graphdb.train.paths.readers import Reader
from kgqa_graphdb.train.reading import Judge, ReadingOptions, ReadingTrainer
from kgqa_graphdb.types import Ints

if TYPE_CHECKING:
    from torch import Tensor

MAX_PAIRS = 50_000
"""Pairs of an answer and a non-answer of one question; of more a random sample is learned, as in the paper's code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOneOptions(ReadingOptions):
    """How step I is trained; see :class:`kgqa_graphdb.train.reading.ReadingOptions`.

    :ivar batch: questions in a batch, as in the paper's code
    :ivar rate: learning rate; that code has 5e-4
    :ivar margin: by which an answer must be nearer than a non-answer; the paper has 1.0, 0.5 for CWQ and PQ-2
    :ivar dim: of all vectors
    :ivar layers: how often messages are passed
    :ivar inverse: how facts are walked from tail to head
    :ivar network: what learns
    """

    check: int = 100
    batch: int = 16
    rate: float = 5e-4
    patience: int = 8
    tolerance: float = 0.0
    margin: float = 1.0
    dim: int = DIM
    layers: int = LAYERS
    inverse: Inverse = "apart"
    network: NetworkKind = "gnn2r"


class StepOneTrainer(ReadingTrainer[StepOneOptions, TextNetwork]):
    """Trains the network of step I.

    :param lessons: what is learned
    :param words: of the graph's relations: from head to tail, then from tail to head
    :param reader: reads texts; what it has of weights is trained too
    :param judge: scores weights on held-out questions
    :param hops: the furthest that an entity is from a topic
    :param what: digest of what is trained on
    """

    def __init__(
        self,
        lessons: Sequence[Lesson],
        words: Sequence[str],
        reader: Reader,
        judge: Judge | None,
        options: StepOneOptions,
        hops: int,
        what: str = "",
    ) -> None:
        def network(width: int) -> TextNetwork:
            made = StepOneNetwork if options.network == "gnn2r" else BESIDE[options.network]
            return made(width, dim=options.dim, layers=options.layers, hops=hops, inverse=options.inverse)

        super().__init__(reader, network, judge, options, what)
        self.lessons = lessons
        self.words = words

    def loss(self, step: int) -> Tensor:
        """The margin loss of some questions."""
        chosen = self.rng.choice(len(self.lessons), min(self.options.batch, len(self.lessons)), replace=False)
        some = [self.lessons[place] for place in chosen.tolist()]
        batch = side_by_side([lesson.graph for lesson in some])
        answers, others = pairs_of(some, batch.starts, self.rng)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            distance = self._distances(some, batch)
        near, far = (torch.from_numpy(one).to(self.device) for one in (answers, others))
        return margin_loss(distance, near, far, self.options.margin, len(some))

    def _distances(self, some: Sequence[Lesson], batch: GraphBatch) -> Tensor:
        words = [self.words[number] for number in batch.relations.tolist()]
        inverse = torch.from_numpy(batch.relations >= len(self.words) // 2).to(self.device)
        tokens, there = self.reader.read([*(lesson.text for lesson in some), *words])
        mask = torch.from_numpy(there).to(self.device)
        relations = self.network.relations(tokens[len(some) :], mask[len(some) :], inverse)
        tensors = BatchTensors.of(batch, self.device)
        found: Tensor = self.network(tensors, tokens[: len(some)], mask[: len(some)], relations)
        return found


def margin_loss(distance: Tensor, answers: Tensor, others: Tensor, margin: float, questions: int) -> Tensor:
    """How much nearer than by a margin non-answers are than answers, summed over pairs, a question's mean (10).

    :param distance: of entities; shape (entities,)
    :param answers: the answer of each pair; shape (pairs,)
    :param others: its non-answer; shape (pairs,)
    :param questions: that the pairs are of
    """
    return functional.relu(distance[answers] - distance[others] + margin).sum() / questions


def pairs_of(lessons: Sequence[Lesson], starts: Ints, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """All pairs of an answer and a non-answer of each question, or :data:`MAX_PAIRS` drawn at random.

    :param starts: first entity of each question
    :return: the answers and the non-answers, by their numbers in the batch; shape (pairs,) each
    """
    answers, others = [], []
    for lesson, start in zip(lessons, starts.tolist(), strict=False):
        rest = np.setdiff1d(np.arange(lesson.graph.distance.size), lesson.answers, assume_unique=True)
        count = lesson.answers.size * rest.size
        chosen = np.arange(count) if count <= MAX_PAIRS else rng.choice(count, MAX_PAIRS, replace=False)
        answers.append(start + lesson.answers[chosen // rest.size])
        others.append(start + rest[chosen % rest.size])
    return np.concatenate(answers), np.concatenate(others)
