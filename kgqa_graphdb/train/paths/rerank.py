"""Trains a reranker of a ranker's paths on the questions of pairs; :mod:`kgqa_graphdb.rank.rerank` runs it."""

from __future__ import annotations

import hashlib
import json
import logging
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, count, islice
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from kgqa_graphdb.encode import TokenEncoder
from kgqa_graphdb.encode.bert import WEIGHTS
from kgqa_graphdb.encode.characters import WEIGHTS_PREFIX
from kgqa_graphdb.errors import EncoderError
from kgqa_graphdb.rank.memory import Asked, Memory
from kgqa_graphdb.rank.model import MEMORY, QUESTION_ENCODER, RERANKER, RERANKER_CONFIG, RERANKER_WEIGHTS
from kgqa_graphdb.rank.rerank import LEARNED, UNSEEN, Learned, PathReranker, PathRows, Seen, means_of, see
from kgqa_graphdb.rank.search import SearchResult
from kgqa_graphdb.rank.trained import RERANKED, TrainedRanker, step_texts
from kgqa_graphdb.train.checkpoint import arrays_of
from kgqa_graphdb.train.data.items import Item
from kgqa_graphdb.train.data.prober import PathProber
from kgqa_graphdb.train.loop import train_model
from kgqa_graphdb.train.paths.biencoder import BiEncoder, Paths
from kgqa_graphdb.train.paths.judge import SEARCHED, searched
from kgqa_graphdb.train.paths.make_reader import make_reader
from kgqa_graphdb.train.paths.readers import Reader
from kgqa_graphdb.train.settings import Progress, Stage
from kgqa_graphdb.train.trainer import LoopOptions, Optimisation
from kgqa_graphdb.types import Floats

if TYPE_CHECKING:
    from torch import Tensor

log = logging.getLogger(__name__)
MEMBERS = 5
"""Trainings that differ in their seeds; what is kept is the mean of their weights, which begin alike (model soups:
Wortsman et al. 2022)."""
EPOCHS = 6
BATCH = 16
RATE = 1e-3
ENCODER_RATE = 5e-5
TOKEN_DROPOUT = 0.1
"""Share of tokens that are not shown."""
WORDS_ALONE = 0.5
"""Share of the questions that paths are compared with by their words alone."""
NOT_LOOKED = 0.1
"""Share of the questions of which nobody knows what their paths lead to."""
MAX_QUESTIONS = 6_000
"""That are trained on, of all graphs together; a random sample of more. With an encoder that learns a thousand take
five minutes on 2 cores."""
MAX_GOOD = 6
"""Good paths of a question that are compared with the others."""
WARM_UP = 0.1
"""Share of the batches in which the learning rates rise."""
LEAST_SEEN = 2
"""Questions that a path must be good for to have a vector of its own."""
NEGLIGIBLE = 1e-9
"""What a wrong path counts beside a good one."""


@dataclass(frozen=True, slots=True)
class _Question:
    """What is compared for a question.

    :ivar graph: which of those that are trained on
    :ivar weights: shape (paths,): what each path counts beside the best, 0..1; 0: a wrong one
    :ivar seen: what each path leads to
    """

    text: str
    worth: float
    graph: int
    paths: tuple[PathRows, ...]
    weights: Floats
    seen: Seen


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
    rankers: Sequence[TrainedRanker], items: Sequence[Sequence[Item]], probers: Sequence[PathProber | None],
    encoder: str, max_hops: int, seed: int, stage: Stage, output: Path,
) -> Reranking:  # fmt: skip
    """Train a reranker of what rankers propose; the same call goes on after the last training that was done.

    :param rankers: of one model, for one graph each
    :param items: of each graph the questions that are trained on
    :param probers: into each graph; ``None``: nobody sees what paths lead to
    :param encoder: what reads questions; it learns, too, where it is one that can
    :param max_hops: of the longest path
    :param output: folder for what each training came to, until :func:`forget` takes that away
    """
    started = time.perf_counter()
    drawn = [random.Random(seed).sample(some, min(MAX_QUESTIONS // len(rankers), len(some))) for some in items]
    total = sum(map(len, drawn))
    looked, done, questions = stage("Looking where paths lead", total), count(1), []
    for graph, (ranker, some, prober) in enumerate(zip(rankers, drawn, probers, strict=True)):
        for question in _compared(ranker, some, prober, graph, max_hops):
            questions.append(question)
            looked(next(done), total)
    reader = _reader(encoder, rankers, seed)
    steps = [ranker.schema.steps for ranker in rankers]
    shown = [
        (one.text, one.worth, one.graph, one.paths, one.weights.tolist(), one.seen.sizes.tolist()) for one in questions
    ]
    what = hashlib.sha256(repr((shown, steps, max_hops, reader.fingerprint)).encode()).hexdigest()[:16]
    each = _batches_of(questions)
    progress, members = stage("Training the reranker", MEMBERS * each), []
    for member in range(MEMBERS):
        trainer = RerankerTrainer(questions, rankers, reader.afresh(()), max_hops, seed + member, what)
        file = output / f"{RERANKER}-{what}-{seed + member}.pt"
        fitted = train_model(trainer, file, _part_of(progress, member * each, MEMBERS * each))
        members.append(fitted.weights)
    mean = {name: sum(one[name] for one in members) / MEMBERS for name in members[0]}
    trainer.optimisation.parts.load_state_dict({name: torch.as_tensor(value) for name, value in mean.items()})
    return replace(trainer.result(), seconds=time.perf_counter() - started)


def _batches_of(questions: Sequence[_Question]) -> int:
    """Batches that a training learns from, in all."""
    return EPOCHS * ceil(len(questions) / BATCH)


def _part_of(progress: Progress, before: int, total: int) -> Progress:
    """The progress of a part that comes after others."""
    return lambda done, _: progress(before + done, total)


def forget(output: Path) -> None:
    """Take away what :func:`train_reranker` would go on from."""
    for file in output.glob(f"{RERANKER}-*.pt*"):
        file.unlink()


class RerankerTrainer:
    """Trains a reranker from all questions, some times over.

    :param what: digest of what is trained on
    """

    def __init__(
        self, questions: Sequence[_Question], rankers: Sequence[TrainedRanker], reader: Reader, max_hops: int,
        seed: int, what: str = "",
    ) -> None:  # fmt: skip
        torch.manual_seed(seed)
        self.rng = np.random.default_rng(seed)
        self.device = reader.device
        steps = _batches_of(questions)
        self.options = LoopOptions(steps=steps, check=steps // EPOCHS, seed=seed)
        self.identity = f"{what} {self.options}"
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
        parts = nn.ModuleList([self.network, reader.network])
        self.optimisation = Optimisation(parts, [RATE, ENCODER_RATE], steps, WARM_UP)
        self._words = torch.cat([reader.steps(graph).detach() for graph in range(len(rankers))])
        self._offsets = [0, *accumulate(len(some) for some in codes)]

    def loss(self, step: int) -> Tensor:
        """The loss of a batch; see :meth:`loss_of`."""
        place = step % self.options.check
        if not place:
            self._order = self._batches()
        return self.loss_of(self._order[place])

    def weights(self) -> dict[str, Floats]:
        """The weights as they are now."""
        return arrays_of(self.optimisation.parts.state_dict())

    def evaluate(self, weights: Mapping[str, Floats]) -> float | None:
        """Nothing is held out."""
        return None

    def _batches(self) -> list[list[int]]:
        """All questions in another order, some at a time."""
        order = self.rng.permutation(len(self._questions)).tolist()
        return [order[start : start + BATCH] for start in range(0, len(order), BATCH)]

    def loss_of(self, batch: Sequence[int]) -> Tensor:
        """Minus the log of the probability of all good paths together, a mean over the questions."""
        device, some = self._reader.device, [self._questions[number] for number in batch]
        vectors, mask = self._reader.read([question.text for question in some])
        mask[:, 1:] &= self.rng.random((mask.shape[0], mask.shape[1] - 1)) >= TOKEN_DROPOUT
        shown = torch.from_numpy(mask).to(device)[..., None]
        read = functional.normalize((vectors * shown).sum(dim=1) / shown.sum(dim=1), dim=-1)
        by_words = torch.from_numpy(self.rng.random(len(some)) < WORDS_ALONE).to(device)
        logits = self.network(read, self._gathered(batch), by_words)
        losses = []
        for question, own in zip(some, logits.split([len(question.paths) for question in some]), strict=True):
            weights = torch.from_numpy(question.weights).to(device).clamp(min=NEGLIGIBLE)
            losses.append(-question.worth * torch.logsumexp(own.log_softmax(dim=0) + weights.log(), dim=0))
        return torch.stack(losses).sum() / sum(question.worth for question in some)

    def _gathered(self, batch: Sequence[int]) -> Paths:
        device = self._reader.device
        owners, lengths, words, rows, kinds, sizes = [], [], [], [], [], []
        for place, number in enumerate(batch):
            question = self._questions[number]
            looked = self.rng.random() >= NOT_LOOKED
            kinds.append(question.seen.kinds * looked)
            sizes.append(question.seen.sizes if looked else np.full(len(question.paths), UNSEEN))
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
        return Paths(
            torch.tensor(owners, device=device), torch.tensor(lengths, device=device),
            self._words[first], self._words[last], (steps, ends, wholes),
            torch.from_numpy(np.concatenate(kinds)).to(device), torch.from_numpy(np.concatenate(sizes)).to(device),
        )  # fmt: skip

    def result(self) -> Reranking:
        """What was learned, as it is run and as it is kept."""
        own = arrays_of(self.network.state_dict())
        read = arrays_of(self._reader.network.state_dict(prefix=WEIGHTS_PREFIX))
        learned = Learned(self._steps, self._paths, *(own[f"learned.{name}.weight"] for name in LEARNED))
        encoder = self._reader.encoder(read)
        memory = self._memory(encoder)
        reranker = PathReranker(encoder, own, learned, memory)

        def keep(folder: Path) -> None:
            from safetensors.numpy import save_file

            folder.mkdir(exist_ok=True)
            self._reader.keep(read, folder)
            # They are in the encoder's ONNX file as well, and nothing is trained from a reranker's.
            (folder / QUESTION_ENCODER / WEIGHTS).unlink(missing_ok=True)
            weights = own | {MEMORY: memory.vectors}
            save_file({name: value.astype(np.float16) for name, value in weights.items()}, folder / RERANKER_WEIGHTS)
            about = {"encoder": QUESTION_ENCODER if read else "", "codes": self._steps, "paths": self._paths,
                     "asked_paths": memory.paths, "asked": memory.asked}  # fmt: skip
            (folder / RERANKER_CONFIG).write_text(json.dumps(about, ensure_ascii=False) + "\n", encoding="utf-8")

        return Reranking(reranker, keep)

    def _memory(self, encoder: TokenEncoder) -> Memory:
        """The questions as they are read now, and what is good for them."""
        rows: dict[tuple[str, ...], int] = {}
        asked = []
        for number, question in enumerate(self._questions):
            for path, weight in zip(question.paths, question.weights.tolist(), strict=True):
                if weight > 0:
                    row = rows.setdefault(self._codes_of[number][path], len(rows))
                    asked.append(Asked(number, row, weight / float(question.weights.sum())))
        texts = [question.text for question in self._questions]
        parts = [texts[start : start + SEARCHED] for start in range(0, len(texts), SEARCHED)]
        return Memory(np.concatenate([means_of(encoder.encode_tokens(some)) for some in parts]), list(rows), asked)


def _compared(
    ranker: TrainedRanker, items: Sequence[Item], prober: PathProber | None, graph: int, max_hops: int
) -> Iterator[_Question]:
    """The good paths of each question, those proposed beside them that lead anywhere, and what they all lead to."""
    found, words = searched(ranker, items, max_hops, RERANKED), ranker.step_words()
    while some := list(islice(found, SEARCHED)):
        asked, each = [item for item, _ in some], [_good_and_likely(item, one) for item, one in some]
        ends = prober.ends(asked, each) if prober else [None] * len(each)
        for item, paths, own in zip(asked, each, ends, strict=True):
            weights = dict(zip(item.paths, item.weights, strict=True))
            if own is not None:
                kept = [place for place, path in enumerate(paths) if own[place].count or path in weights]
                paths, own = tuple(paths[place] for place in kept), [own[place] for place in kept]
            counts = np.array([weights.get(path, 0.0) for path in paths], dtype=np.float32)
            seen = see(own, len(paths), ranker.schema, words)
            yield _Question(item.text, item.worth, graph, paths, counts, seen)


def _good_and_likely(item: Item, found: SearchResult) -> tuple[PathRows, ...]:
    weights = dict(zip(item.paths, item.weights, strict=True))
    good = sorted(item.paths, key=lambda path: -weights[path])[:MAX_GOOD]
    return (*good, *(path for path, _ in found.paths if path not in good))


def _reader(encoder: str, rankers: Sequence[TrainedRanker], seed: int) -> Reader:
    """Reads questions and learns to, where the encoder is one that can."""
    texts = [step_texts(ranker.schema) for ranker in rankers]
    try:
        return make_reader(encoder, (), texts, seed, fine_tune=True)
    except EncoderError as error:
        log.info("the reranker's encoder stays as it is: %s", error)
        return make_reader(encoder, (), texts, seed)
