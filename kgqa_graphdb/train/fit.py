"""Fits a ranker of relation paths: the marginal likelihood of all good paths of a question."""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from kgqa_graphdb.encode.characters import WEIGHTS_PREFIX
from kgqa_graphdb.rank.choices import NO_ROWS, choices_of
from kgqa_graphdb.rank.decoder import FAR_BELOW
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.batches import Batch, Crowd, batch_of, drawn, misread
from kgqa_graphdb.train.courses import Course
from kgqa_graphdb.train.network import Network, arrays_of, write_state
from kgqa_graphdb.train.readers import Reader
from kgqa_graphdb.types import Bools, Floats, Ints

log = logging.getLogger(__name__)
Progress = Callable[[int, int], None]
LEEWAY = 0.02
"""How much less than the best a later look's score may be to be taken in its place. With 300 questions so much is
chance, and later weights are better for what held-out questions hardly ask: paths that no pair has."""
SIDES = 0.5
"""Share of the questions of two topics that are read from one of both."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to train.

    :ivar steps: batches at most
    :ivar batch: questions in a batch
    :ivar rate: learning rate of the network
    :ivar encoder_rate: that of an encoder that learns too; ``None``: the same
    :ivar absent: share of questions shown without the steps that answer them, from which it learns to give nothing
    :ivar wrong: share of questions read from a wrong topic, where they have one, from which it learns the same
    :ivar crowded: share of the questions of pairs that are shown with the steps of another topic beside their own: what
        is asked next may have many more ways on than what was asked
    :ivar token_dropout: share of tokens that are not shown
    :ivar composed: share of composed questions, where there are both kinds
    :ivar check: batches between two looks at the held-out questions
    :ivar patience: looks without a gain after which it ends
    """

    steps: int = 2_000
    batch: int = 64
    rate: float = 1e-3
    encoder_rate: float | None = None
    absent: float = 0.1
    wrong: float = 0.2
    crowded: float = 0.8
    token_dropout: float = 0.1
    composed: float = 0.5
    check: int = 200
    patience: int = 5
    seed: int = 0


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


@dataclass(slots=True)
class Fitted:
    """What came of it.

    :ivar weights: by name; of the last look that was as good as the best
    :ivar history: step, loss and, where something is held out, its score, of each look
    :ivar best_step: the batches that they were trained on
    """

    weights: dict[str, Floats]
    history: list[dict[str, float]] = field(default_factory=list)
    seconds: float = 0.0
    best_step: int = 0


class Fit:
    """One training. A batch is of one graph, since steps are compared with those of its schema only.

    Graphs are drawn by the square root of how many questions they have: evenly, a small graph's few questions would be
    learned by heart; by their number, it would hardly be seen.

    :param courses: what is learned from each graph
    :param reader: reads questions and the steps' words; what it has of weights is trained too
    :param judge: scores weights on held-out questions; more is better. ``None``: nothing is held out, and the last
        weights are kept
    :param what: digest of what is trained on; a checkpoint of something else is not gone on from
    """

    def __init__(
        self,
        courses: Sequence[Course],
        reader: Reader,
        judge: Callable[[Mapping[str, Floats]], float] | None,
        options: Options,
        what: str = "",
    ) -> None:
        self.device = reader.device
        torch.manual_seed(options.seed)
        self.rng = np.random.default_rng(options.seed)
        self.options = options
        self._what = json.dumps([what, asdict(options)])
        self.reader = reader
        self.judge = judge
        self.network = Network(reader.width).to(self.device)
        self.trained = torch.nn.ModuleList([self.network, reader.network])
        self.courses = courses
        self._crowds = [Crowd(course.train) for course in courses]
        # Drawn beforehand, by a generator of their own: nothing to keep for going on, and other draws do not change.
        shares = np.sqrt([course.shown for course in courses])
        turns = np.random.default_rng(options.seed)
        self._turns = turns.choice(len(courses), options.steps, p=shares / shares.sum()).tolist()
        rates = [options.rate, options.encoder_rate or options.rate]
        groups = [
            {"params": list(part.parameters()), "lr": rate} for part, rate in zip(self.trained, rates, strict=True)
        ]
        self.optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(
            self.optimiser, rates, total_steps=options.steps + 1, pct_start=0.06
        )

    def run(
        self,
        max_hops: int,
        checkpoint: Path | None,
        progress: Progress,
    ) -> Fitted:
        """Train until nothing is gained any more.

        :param checkpoint: file to go on from; none: nothing is kept
        """
        options, best, since = self.options, -math.inf, 0
        fitted = Fitted(weights={})
        first, spent = 0, 0.0
        if checkpoint and checkpoint.exists():
            first, best, since, spent, fitted = self._resume(checkpoint)
        if since >= options.patience:
            return fitted
        started = time.perf_counter() - spent
        losses: list[float] = []
        for step in range(first, options.steps):
            losses.append(self._step(self._turns[step], max_hops))
            progress(step + 1, options.steps)
            if (step + 1) % options.check and step + 1 < options.steps:
                continue
            weights = self.weights()
            look = {"step": step + 1, "loss": float(np.mean(losses))}
            if self.judge:
                look["held_out"] = self.judge(weights)
            score = look.get("held_out", best)
            gained = score > best or not self.judge
            fitted.history.append(look)
            log.info("%s", ", ".join(f"{name} {value:.4g}" for name, value in look.items()))
            losses = []
            since = 0 if gained else since + 1
            best = max(best, score)
            if score >= best - LEEWAY:
                fitted.weights, fitted.best_step = weights, step + 1
            fitted.seconds = time.perf_counter() - started
            if checkpoint:
                self._keep(checkpoint, step + 1, best, since, fitted)
            if since >= options.patience:
                log.info("nothing gained for %d looks: done", since)
                break
        return fitted

    def weights(self) -> dict[str, Floats]:
        """The weights as they are now."""
        return arrays_of(self.network.state_dict() | self.reader.network.state_dict(prefix=WEIGHTS_PREFIX))

    def _step(self, graph: int, max_hops: int) -> float:
        items, composed = self.courses[graph].train, self.courses[graph].composed
        share = self.options.composed if items and composed else float(not items)
        of_made = (self.rng.random(self.options.batch) < share).tolist()
        sides = [composed if made else items for made in of_made]
        chosen = [side[int(self.rng.integers(len(side)))] for side in sides]
        if any(item.sides for item in chosen):  # as often from one of two topics as from the one that says most alone
            chosen = [
                item.sides[int(self.rng.integers(len(item.sides)))] if turn and item.sides else item
                for item, turn in zip(chosen, self._some(SIDES), strict=True)
            ]
        if any(item.wrong for item in chosen):
            chosen = [
                misread(item, int(self.rng.integers(len(item.wrong)))) if turn and item.wrong else item
                for item, turn in zip(chosen, self._some(self.options.wrong), strict=True)
            ]
        if not all(of_made):  # composed questions are shown with whatever may leave such a topic
            # Read from a wrong topic, a question is not: a step that is right could come to it by chance.
            chosen = [
                self._crowds[graph].around(item, self.rng) if crowd and item.paths and not made else item
                for item, crowd, made in zip(chosen, self._some(self.options.crowded), of_made, strict=True)
            ]
        batch = batch_of(chosen, len(self.courses[graph].schema.steps), self._some(self.options.absent))
        self.trained.train()
        loss = self._loss(batch, graph, max_hops)
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.trained.parameters(), 1.0)
        self.optimiser.step()
        self.schedule.step()
        return float(loss.item())

    def _some(self, share: float) -> list[bool]:
        """Which questions of a batch are shown otherwise."""
        return (self.rng.random(self.options.batch) < share).tolist()

    def _loss(self, batch: Batch, graph: int, max_hops: int) -> torch.Tensor:
        """Minus the log of the probability of all good paths together, a mean over the questions."""
        device, network, count = self.device, self.network, len(batch.texts)
        tokens, mask = self._tokens(batch.texts)
        keys, values = network.read(tokens)
        vectors, schema = self.reader.steps(graph), self.courses[graph].schema
        log_p = torch.zeros(len(batch.owners), device=device)
        # Paths that begin alike share a state until they part: a question may have a hundred good ones.
        states = network.start.expand(count, -1)
        at, asked, lasts = batch.owners.copy(), np.arange(count), NO_ROWS
        for hop in range(min(batch.chosen.shape[1], max_hops)):  # after the last hop nothing is left but to stop
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

    # ── going on where it ended ──────────────────────────────────────────────────────────────────────────────────────

    def _keep(self, checkpoint: Path, step: int, best: float, since: int, fitted: Fitted) -> None:
        state = {
            "what": self._what, "step": step, "best": best, "since": since,
            "seconds": fitted.seconds, "history": fitted.history, "weights": self.trained.state_dict(),
            "optimiser": self.optimiser.state_dict(), "schedule": self.schedule.state_dict(),
            "best_step": fitted.best_step,
            "chosen": {name: torch.from_numpy(value) for name, value in fitted.weights.items()},
            "torch": torch.get_rng_state(), "cuda": self._cuda_state(),
            "numpy": json.dumps(self.rng.bit_generator.state),
        }  # fmt: skip
        write_state(state, checkpoint)

    def _cuda_state(self) -> torch.Tensor | None:
        """Where the device's random numbers are; ``None``: it has none of its own."""
        return torch.cuda.get_rng_state(self.device) if self.device.type == "cuda" else None

    def _resume(self, checkpoint: Path) -> tuple[int, float, int, float, Fitted]:
        state: dict[str, Any] = torch.load(checkpoint, map_location="cpu", weights_only=True)
        if state["what"] != self._what:
            log.info("the checkpoint is of another training: beginning anew")
            return 0, -math.inf, 0, 0.0, Fitted({})
        # Whatever device it was written on: what is loaded goes to that of the parameters.
        self.trained.load_state_dict(state["weights"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.schedule.load_state_dict(state["schedule"])
        torch.set_rng_state(state["torch"])
        if state["cuda"] is not None and self.device.type == "cuda":
            torch.cuda.set_rng_state(state["cuda"], self.device)
        self.rng.bit_generator.state = json.loads(state["numpy"])
        weights = {name: value.numpy() for name, value in state["chosen"].items()}
        log.info("going on from step %d", state["step"])
        fitted = Fitted(weights, state["history"], state["seconds"], state["best_step"])
        return state["step"], state["best"], state["since"], state["seconds"], fitted
