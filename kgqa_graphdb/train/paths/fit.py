"""Fits a ranker of relation paths: the marginal likelihood of all good paths of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch

from kgqa_graphdb.rank.choices import NO_ROWS, choices_of
from kgqa_graphdb.rank.decoder import FAR_BELOW
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.data.items import DistractorSampler, wrong_topic_negative
from kgqa_graphdb.train.data.sets import TrainingSet
from kgqa_graphdb.train.paths.batches import Batch, batch_of, drawn
from kgqa_graphdb.train.paths.network import Network
from kgqa_graphdb.train.paths.readers import Reader
from kgqa_graphdb.train.reading import Judge, ReadingOptions, ReadingTrainer
from kgqa_graphdb.types import Bools, Floats, Ints

TWO_TOPIC_SHARE = 0.5
"""Share of the questions of two topics that are read from one of both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(ReadingOptions):
    """How to train; see :class:`kgqa_graphdb.train.reading.ReadingOptions`.

    :ivar absent: share of questions shown without the steps that answer them, from which it learns to give nothing
    :ivar wrong: share of questions read from a wrong topic, where they have one, from which it learns the same
    :ivar distractors: share of the questions of pairs that are shown with the steps of another topic beside their own:
        what is asked next may have many more ways on than what was asked
    :ivar token_dropout: share of tokens that are not shown
    :ivar composed: share of composed questions, where there are both kinds
    """

    absent: float = 0.1
    wrong: float = 0.2
    distractors: float = 0.8
    token_dropout: float = 0.1
    composed: float = 0.5


class Compared(NamedTuple):
    """What comes next at a hop, and what it is compared with.

    :ivar columns: shape (columns,): rows of steps, then of stopping and of nothing
    :ivar target: shape (paths,): the columns that are right
    :ivar allowed: shape (states, columns)
    :ivar bias: shape (columns,): what is added to the logits
    """

    columns: Ints
    target: Ints
    allowed: Bools
    bias: Floats


class PathTrainer(ReadingTrainer[Options, Network]):
    """Trains a ranker's network. A batch is of one graph, since steps are compared with those of its schema only.

    Graphs are drawn by the square root of how many questions they have: evenly, a small graph's few questions would be
    learned by heart; by their number, it would hardly be seen.

    :param sets: what is learned from each graph
    :param reader: reads questions and the steps' words; what it has of weights is trained too
    :param judge: scores weights on held-out questions; more is better. ``None``: nothing is held out, and the last
        weights are kept
    :param max_hops: of the longest path
    :param what: digest of what is trained on
    """

    def __init__(
        self,
        sets: Sequence[TrainingSet],
        reader: Reader,
        judge: Judge | None,
        options: Options,
        max_hops: int,
        what: str = "",
    ) -> None:
        super().__init__(reader, Network, judge, options, what)
        self.sets = sets
        self._max_hops = max_hops
        self._samplers = [DistractorSampler(one.train) for one in sets]
        # Drawn beforehand, by a generator of their own: nothing to keep for going on, and other draws do not change.
        shares = np.sqrt([one.shown for one in sets])
        turns = np.random.default_rng(options.seed)
        self._turns = turns.choice(len(sets), options.steps, p=shares / shares.sum()).tolist()

    def loss(self, step: int) -> torch.Tensor:
        """The loss of a batch.

        :param step: its number, which says which graph it is of
        """
        graph = self._turns[step]
        return self._loss(self._batch(graph), graph)

    def _batch(self, graph: int) -> Batch:
        """Questions of a graph, some of them negatives, with distractors, or without the steps that are right."""
        items, composed = self.sets[graph].train, self.sets[graph].composed
        share = self.options.composed if items and composed else float(not items)
        of_made = (self.rng.random(self.options.batch) < share).tolist()
        sides = [composed if made else items for made in of_made]
        chosen = [side[int(self.rng.integers(len(side)))] for side in sides]
        if any(item.sides for item in chosen):  # as often from one of two topics as from the one that says most alone
            chosen = [
                item.sides[int(self.rng.integers(len(item.sides)))] if turn and item.sides else item
                for item, turn in zip(chosen, self._some(TWO_TOPIC_SHARE), strict=True)
            ]
        if any(item.wrong for item in chosen):
            chosen = [
                wrong_topic_negative(item, int(self.rng.integers(len(item.wrong)))) if turn and item.wrong else item
                for item, turn in zip(chosen, self._some(self.options.wrong), strict=True)
            ]
        if not all(of_made):  # composed questions are shown with whatever may leave such a topic
            # Read from a wrong topic, a question is not: a step that is right could come to it by chance.
            chosen = [
                self._samplers[graph].distracted(item, self.rng) if turn and item.paths and not made else item
                for item, turn, made in zip(chosen, self._some(self.options.distractors), of_made, strict=True)
            ]
        return batch_of(chosen, len(self.sets[graph].schema.steps), self._some(self.options.absent))

    def _some(self, share: float) -> list[bool]:
        """Which questions of a batch are shown otherwise."""
        return (self.rng.random(self.options.batch) < share).tolist()

    def _loss(self, batch: Batch, graph: int) -> torch.Tensor:
        """Minus the log of the probability of all good paths together, a mean over the questions."""
        device, network, count = self.device, self.network, len(batch.texts)
        tokens, mask = self._tokens(batch.texts)
        keys, values = network.read(tokens)
        vectors, schema = self.reader.steps(graph), self.sets[graph].schema
        log_p = torch.zeros(len(batch.owners), device=device)
        # Paths that begin alike share a state until they part: a question may have a hundred good ones.
        states = network.start.expand(count, -1)
        at, asked, lasts = batch.owners.copy(), np.arange(count), NO_ROWS
        for hop in range(min(batch.chosen.shape[1], self._max_hops)):  # after the last hop nothing is left but to stop
            live = np.flatnonzero(batch.chosen[:, hop] >= 0)
            own = at[live]
            compared = self._compared(schema, batch.starts, lasts, own, batch.chosen[live, hop])
            columns, target, allowed, bias = map(self._tensor, compared)
            steps, of = network.steps(vectors[columns[:-2]]), self._tensor(asked)
            logits = network.score(states, keys[of], values[of], mask[of], steps)
            found = (logits + bias).masked_fill(~allowed, float(FAR_BELOW)).log_softmax(dim=-1)
            log_p = log_p.index_add(0, self._tensor(live), found[self._tensor(own), target])
            inner = len(compared.columns) - 2
            going_on = compared.target < inner
            ways = own[going_on] * inner + compared.target[going_on]
            ways, at[live[going_on]] = np.unique(ways, return_inverse=True)
            before, step = np.divmod(ways, inner)
            asked, lasts = asked[before], compared.columns[step]
            states = network.gru(steps[self._tensor(step)], states[self._tensor(before)])
        owners = self._tensor(batch.owners)
        weighted = log_p + self._tensor(batch.log_weights)
        top = torch.full((count,), float(FAR_BELOW), device=device).scatter_reduce(0, owners, weighted.detach(), "amax")
        total = torch.zeros(count, device=device).scatter_add(0, owners, (weighted - top[owners]).exp())
        worth = self._tensor(batch.worth)
        return -((top + total.log()) * worth).sum() / worth.sum()

    def _compared(self, schema: Schema, starts: Sequence[Ints], lasts: Ints, at: Ints, chosen: Ints) -> Compared:
        """What is compared at a hop: all that may come next, or some of it.

        :param starts: of each question the rows of the steps that may come first
        :param lasts: shape (states,): rows of the last steps; none: nothing has begun, and each question has a state
        :param at: shape (paths,): the state of each path that goes on
        :param chosen: shape (paths,): what comes next in it
        """
        stop, begun = len(schema.steps), len(lasts) > 0
        known, of = np.unique(lasts, return_inverse=True) if begun else (NO_ROWS, np.arange(len(starts)))
        after = [schema.followers(int(last)) for last in known] if begun else starts
        right = chosen[chosen < stop]
        choices, bias = drawn(choices_of(after, stop, right, begun=begun), right, self.rng)
        allowed = choices.allowed[of]
        target = np.searchsorted(choices.columns, chosen)
        allowed[at, target] = True  # a path that was mined is there, whatever the schema says
        return Compared(choices.columns, target, allowed, bias)

    def _tensor(self, values: np.ndarray[Any, Any]) -> torch.Tensor:
        return torch.from_numpy(values).to(self.device)

    def _tokens(self, texts: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor]:
        """Token vectors of a batch, some left out, and which there are."""
        vectors, mask = self.reader.read(texts)
        for row, size in enumerate(mask.sum(axis=1).tolist()):
            mask[row, 1:size] &= self.rng.random(size - 1) >= self.options.token_dropout
        return vectors, self._tensor(mask)
