"""Trains a reranker of a ranker's paths on the questions of pairs; :mod:`kgqa_graphdb.rank.rerank` runs it."""

from __future__ import annotations

import json
import logging
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from kgqa_graphdb.encode.characters import WEIGHTS_PREFIX
from kgqa_graphdb.errors import EncoderError
from kgqa_graphdb.rank.model import QUESTION_ENCODER, RERANKER_CONFIG, RERANKER_WEIGHTS
from kgqa_graphdb.rank.rerank import LEARNED, Learned, PathReranker, PathRows
from kgqa_graphdb.rank.trained import RERANKED, TrainedRanker, step_texts
from kgqa_graphdb.train.batches import Item
from kgqa_graphdb.train.courses import Stage
from kgqa_graphdb.train.judge import searched
from kgqa_graphdb.train.network import arrays_of
from kgqa_graphdb.train.readers import Reader, make_reader
from kgqa_graphdb.types import Floats

if TYPE_CHECKING:
    from torch import Tensor

log = logging.getLogger(__name__)
EPOCHS = 6
BATCH = 16
RATE = 1e-3
ENCODER_RATE = 5e-5
DROPOUT = 0.2
"""Of a question's vector."""
TOKEN_DROPOUT = 0.1
"""Share of tokens that are not shown."""
WORDS_ALONE = 0.5
"""Share of the questions that paths are compared with by their words alone."""
MAX_QUESTIONS = 6_000
"""That are trained on, of all graphs together; a random sample of more. With an encoder that learns a thousand take one
and a half minutes on 2 cores."""
MAX_GOOD = 6
"""Good paths of a question that are compared with the others."""
LEAST_SEEN = 2
"""Questions that a path must be good for to have a vector of its own."""
NEGLIGIBLE = 1e-9
"""What a wrong path counts beside a good one."""
SPREAD = 0.005
"""Standard deviation of the vectors of steps and paths before the training: next to nothing."""


class BiEncoder(nn.Module):
    """One vector for a question and one for a path; see :mod:`kgqa_graphdb.rank.rerank`.

    :param width: dim of the encoder
    :param steps: that have vectors of their own
    :param paths: that have
    :param max_hops: of the longest path
    """

    def __init__(self, width: int, steps: int, paths: int, max_hops: int) -> None:
        super().__init__()
        self.question = nn.Linear(width, width)
        self.first, self.last = (nn.Linear(width, width, bias=False) for _ in range(2))
        sizes = dict(zip(LEARNED, (steps, steps, paths), strict=True))
        tables = {name: nn.Embedding(size + 1, width) for name, size in sizes.items()}
        self.learned = nn.ModuleDict(tables)
        self.length = nn.Linear(width, max_hops)
        self.scale = nn.Parameter(torch.tensor(3.0))
        self.drop = nn.Dropout(DROPOUT)
        for layer in (self.question, self.first, self.last):
            nn.init.eye_(layer.weight)
        for table in tables.values():
            nn.init.normal_(table.weight, std=SPREAD)

    def forward(self, questions: Tensor, paths: _Paths, by_words: Tensor) -> Tensor:
        """Logits of paths, shape (paths,).

        :param questions: shape (questions, width), unit L2 norm
        :param by_words: shape (questions,): whether what was learned of steps and paths is left out
        """
        questions = self.drop(questions)
        asked = self.question(questions)[paths.owners]
        last = self.last(paths.last)
        longer = (paths.lengths > 1)[:, None]
        words = torch.where(longer, (self.first(paths.first) + last) / 2, last)
        known = sum(table(rows) for table, rows in zip(self.learned.values(), paths.rows, strict=True))
        vectors = words + torch.where(by_words[paths.owners][:, None], 0.0, known)
        fits = (vectors * asked).sum(dim=-1) * self.scale.exp()
        found: Tensor = fits + self.length(questions)[paths.owners, paths.lengths - 1]
        return found


@dataclass(frozen=True, slots=True)
class _Paths:
    """The paths of a batch.

    :ivar owners: shape (paths,): the question of each
    :ivar lengths: shape (paths,): hops
    :ivar first: shape (paths, width): vectors of the words of the first steps
    :ivar last: of the same shape
    :ivar rows: shape (paths,) each: in the tables of what is learned
    """

    owners: Tensor
    lengths: Tensor
    first: Tensor
    last: Tensor
    rows: tuple[Tensor, Tensor, Tensor]


@dataclass(frozen=True, slots=True)
class _Question:
    """What is compared for a question.

    :ivar graph: which of those that are trained on
    :ivar weights: shape (paths,): what each path counts beside the best, 0..1; 0: a wrong one
    """

    text: str
    worth: float
    graph: int
    paths: tuple[PathRows, ...]
    weights: Floats


@dataclass(frozen=True, slots=True)
class Reranking:
    """A reranker that was trained.

    :ivar keep: writes it to a folder of its own
    :ivar seconds: that it took
    """

    reranker: PathReranker
    keep: Callable[[Path], None]
    seconds: float = 0.0


def train_reranker(
    rankers: Sequence[TrainedRanker], items: Sequence[Sequence[Item]], encoder: str, max_hops: int, seed: int,
    stage: Stage,
) -> Reranking:  # fmt: skip
    """Train a reranker of what rankers propose.

    :param rankers: of one model, for one graph each
    :param items: of each graph the questions that are trained on
    :param encoder: what reads questions; it learns, too, where it is one that can
    :param max_hops: of the longest path
    """
    started = time.perf_counter()
    questions = [
        question
        for graph, (ranker, some) in enumerate(zip(rankers, items, strict=True))
        for question in _compared(ranker, some, graph, max_hops, MAX_QUESTIONS // len(rankers), seed)
    ]
    reader = _reader(encoder, rankers, seed)
    learning = _Learning(questions, rankers, reader, max_hops, seed)
    total = EPOCHS * len(learning.batches())
    optimiser = torch.optim.AdamW(
        [
            {"params": list(learning.network.parameters()), "lr": RATE},
            {"params": list(reader.network.parameters()), "lr": ENCODER_RATE},
        ],
        weight_decay=0.01,
    )
    rates = [RATE, ENCODER_RATE]
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rates, total_steps=total + 1, pct_start=0.1)
    trained = nn.ModuleList([learning.network, reader.network])
    trained.train()
    progress, done = stage("Training the reranker", total), 0
    for epoch in range(EPOCHS):
        losses = []
        for batch in learning.batches():
            loss = learning.loss(batch)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(trained.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            losses.append(loss.item())
            done += 1
            progress(done, total)
        log.info("reranker, epoch %d: loss %.4g", epoch + 1, np.mean(losses))
    return replace(learning.result(), seconds=time.perf_counter() - started)


class _Learning:
    """One training of a reranker."""

    def __init__(
        self, questions: Sequence[_Question], rankers: Sequence[TrainedRanker], reader: Reader, max_hops: int, seed: int
    ) -> None:
        torch.manual_seed(seed)
        self._rng = np.random.default_rng(seed)
        self._questions, self._rankers, self._reader = questions, rankers, reader
        codes = [[step.code for step in ranker.schema.steps] for ranker in rankers]
        self._codes_of = [
            {path: tuple(codes[question.graph][row] for row in path) for path in question.paths}
            for question in questions
        ]
        good = Counter(
            codes_of[path]
            for question, codes_of in zip(questions, self._codes_of, strict=True)
            for path, weight in zip(question.paths, question.weights, strict=True)
            if weight > 0
        )
        self._paths = sorted(path for path, count in good.items() if count >= LEAST_SEEN)
        self._steps = sorted({end for some in self._codes_of for path in some.values() for end in (path[0], path[-1])})
        self._path_row = {path: row for row, path in enumerate(self._paths)}
        self._step_row = {code: row for row, code in enumerate(self._steps)}
        self.network = BiEncoder(reader.width, len(self._steps), len(self._paths), max_hops).to(reader.device)
        self._words = torch.cat([reader.steps(graph).detach() for graph in range(len(rankers))])
        self._offsets = [0, *accumulate(len(some) for some in codes)]

    def batches(self) -> list[list[int]]:
        """All questions in another order, some at a time."""
        order = self._rng.permutation(len(self._questions)).tolist()
        return [order[start : start + BATCH] for start in range(0, len(order), BATCH)]

    def loss(self, batch: Sequence[int]) -> Tensor:
        """Minus the log of the probability of all good paths together, a mean over the questions."""
        device, some = self._reader.device, [self._questions[number] for number in batch]
        vectors, mask = self._reader.read([question.text for question in some])
        mask[:, 1:] &= self._rng.random((mask.shape[0], mask.shape[1] - 1)) >= TOKEN_DROPOUT
        shown = torch.from_numpy(mask).to(device)[..., None]
        read = functional.normalize((vectors * shown).sum(dim=1) / shown.sum(dim=1), dim=-1)
        by_words = torch.from_numpy(self._rng.random(len(some)) < WORDS_ALONE).to(device)
        logits = self.network(read, self._gathered(batch), by_words)
        losses = []
        for question, own in zip(some, logits.split([len(question.paths) for question in some]), strict=True):
            weights = torch.from_numpy(question.weights).to(device).clamp(min=NEGLIGIBLE)
            losses.append(-question.worth * torch.logsumexp(own.log_softmax(dim=0) + weights.log(), dim=0))
        return torch.stack(losses).sum() / sum(question.worth for question in some)

    def _gathered(self, batch: Sequence[int]) -> _Paths:
        device = self._reader.device
        owners, lengths, words, rows = [], [], [], []
        for place, number in enumerate(batch):
            question = self._questions[number]
            offset = self._offsets[question.graph]
            for path in question.paths:
                codes = self._codes_of[number][path]
                owners.append(place)
                lengths.append(len(path))
                words.append((offset + path[0], offset + path[-1]))
                whole = self._path_row.get(codes, len(self._paths))
                rows.append((self._step_row[codes[0]], self._step_row[codes[-1]], whole))
        first, last = torch.tensor(words, device=device).T
        steps, ends, wholes = torch.tensor(rows, device=device).T
        return _Paths(
            torch.tensor(owners, device=device), torch.tensor(lengths, device=device),
            self._words[first], self._words[last], (steps, ends, wholes),
        )  # fmt: skip

    def result(self) -> Reranking:
        """What was learned, as it is run and as it is kept."""
        own = arrays_of(self.network.state_dict())
        read = arrays_of(self._reader.network.state_dict(prefix=WEIGHTS_PREFIX))
        learned = Learned(self._steps, self._paths, *(own[f"learned.{name}.weight"] for name in LEARNED))
        reranker = PathReranker(self._reader.encoder(read), own, learned)

        def keep(folder: Path) -> None:
            from safetensors.numpy import save_file

            folder.mkdir(exist_ok=True)
            self._reader.keep(read, folder)
            save_file({name: value.astype(np.float16) for name, value in own.items()}, folder / RERANKER_WEIGHTS)
            about = {"encoder": QUESTION_ENCODER if read else "", "codes": self._steps, "paths": self._paths}
            (folder / RERANKER_CONFIG).write_text(json.dumps(about, ensure_ascii=False) + "\n", encoding="utf-8")

        return Reranking(reranker, keep)


def _compared(
    ranker: TrainedRanker, items: Sequence[Item], graph: int, max_hops: int, most: int, seed: int
) -> list[_Question]:
    """The good paths of each question and what is proposed beside them; of a random sample of at most so many."""
    some = random.Random(seed).sample(items, min(most, len(items)))
    found = []
    for item, (likely, _, _) in searched(ranker, some, max_hops, RERANKED):
        weights = dict(zip(item.paths, item.weights, strict=True))
        good = sorted(item.paths, key=lambda path: -weights[path])[:MAX_GOOD]
        paths = (*good, *(path for path, _ in likely if path not in good))
        counts = np.array([weights.get(path, 0.0) for path in paths], dtype=np.float32)
        found.append(_Question(item.text, item.worth, graph, paths, counts))
    return found


def _reader(encoder: str, rankers: Sequence[TrainedRanker], seed: int) -> Reader:
    """Reads questions and learns to, where the encoder is one that can."""
    texts = [step_texts(ranker.schema) for ranker in rankers]
    try:
        return make_reader(encoder, (), texts, seed, fine_tune=True)
    except EncoderError as error:
        log.info("the reranker's encoder stays as it is: %s", error)
        return make_reader(encoder, (), texts, seed)
