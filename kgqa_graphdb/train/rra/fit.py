"""Fits a predictor of relation paths: the likelihood of the hops and steps of all good paths of a question.

The paper has one gold path a question, whose number of hops and whose steps are classes, each with a cross-entropy.
Mined from answers alone, a question may have several paths that are as good; the loss is then that of all of them
together, and with one path it is the paper's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from kgqa_graphdb.rank.decoder import FAR_BELOW
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rra.network import HOPS, STEPS
from kgqa_graphdb.rra.predictor import step_words, with_steps
from kgqa_graphdb.train.data.items import Item
from kgqa_graphdb.train.paths.readers import Reader
from kgqa_graphdb.train.reading import Judge, ReadingOptions, ReadingTrainer
from kgqa_graphdb.train.rra.network import Predictor

if TYPE_CHECKING:
    from torch import Tensor

MAX_GOOD = 8
"""Good paths of a question that are learned: the best, of equals the shortest."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question and its good paths, as texts and classes.

    :ivar texts: the question, and with the steps of each beginning of a path; distinct
    :ivar turns: of each path the place of each step's text among ``texts``, and its class
    :ivar weights: what each path counts beside the best, 0..1
    """

    texts: tuple[str, ...]
    turns: tuple[tuple[tuple[int, int], ...], ...]
    weights: tuple[float, ...]


def codes_of(items: Sequence[Item], schema: Schema) -> tuple[str, ...]:
    """The codes of the steps on good paths, which are the classes; sorted."""
    return tuple(sorted({schema.steps[row].code for item in items for path in item.paths for row in path}))


def lessons_of(items: Sequence[Item], schema: Schema, codes: Sequence[str]) -> list[Lesson]:
    """What is learned from questions.

    :param codes: of the steps, in the order of their classes
    """
    class_of = {schema.row_of[code]: place for place, code in enumerate(codes) if code in schema.row_of}
    words = [step_words(step) for step in schema.steps]
    found = []
    for item in items:
        texts: dict[str, int] = {item.text: 0}
        turns, weights = [], []
        for path, weight in list(zip(item.paths, item.weights, strict=True))[:MAX_GOOD]:
            before = [with_steps(item.text, (words[row] for row in path[:hop])) for hop in range(len(path))]
            places = [texts.setdefault(text, len(texts)) for text in before]
            turns.append(tuple(zip(places, (class_of[row] for row in path), strict=True)))
            weights.append(weight)
        found.append(Lesson(tuple(texts), tuple(turns), tuple(weights)))
    return found


class PredictorTrainer(ReadingTrainer[ReadingOptions, Predictor]):
    """Trains both classifiers.

    :param lessons: what is learned
    :param reader: reads texts; what it has of weights is trained too
    :param judge: scores weights on held-out questions; ``None``: nothing is held out, and the last weights are kept
    :param sizes: the most hops that a question may have, and the number of classes of steps
    :param what: digest of what is trained on
    """

    def __init__(
        self,
        lessons: Sequence[Lesson],
        reader: Reader,
        judge: Judge | None,
        options: ReadingOptions,
        sizes: tuple[int, int],
        what: str = "",
    ) -> None:
        super().__init__(reader, lambda width: Predictor(width, *sizes), judge, options, what)
        self.lessons = lessons

    def loss(self, step: int) -> Tensor:
        """The negative log-likelihood of the good paths of some questions."""
        chosen = self.rng.choice(len(self.lessons), min(self.options.batch, len(self.lessons)), replace=False)
        some = [self.lessons[place] for place in chosen.tolist()]
        tokens, there = self.reader.read([text for lesson in some for text in lesson.texts])
        mask = torch.from_numpy(there).to(self.device)
        first = np.cumsum([0, *(len(lesson.texts) for lesson in some[:-1])]).tolist()
        hops = self.network.classify(HOPS, tokens[first], mask[first])
        steps = self.network.classify(STEPS, tokens, mask)
        most = max(len(lesson.turns) for lesson in some)
        log_p = hops.new_full((len(some), most), float(FAR_BELOW))
        for place, (lesson, start) in enumerate(zip(some, first, strict=True)):
            for number, (turns, weight) in enumerate(zip(lesson.turns, lesson.weights, strict=True)):
                rows, classes = zip(*turns, strict=True)
                of_steps = steps[[start + row for row in rows], list(classes)].sum()
                log_p[place, number] = hops[place, len(turns) - 1] + of_steps + float(np.log(weight))
        return -log_p.logsumexp(dim=1).mean()
