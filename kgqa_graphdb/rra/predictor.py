"""Predicts relation paths: how many hops a question has, then one step after the other.

Source: Y. Wu et al., Retrieve-Rewrite-Answer (2023). Each step is a class, and is predicted from the question and the
steps before it, ``question | step | step``; a path's score is the product of its steps' probabilities.

Where this leaves the paper:

- Steps that do not leave what the path has reached, by the graph or its schema, are left out; there all relations are
  candidates.
- Of the paths at each hop the likeliest go on, a beam; there K steps of each path do, K to the power of the hops in
  all, of which the likeliest are executed in the end.
- A path's score has the probability of its number of hops as a factor, and paths of every number that is likely at all
  compete; there the likeliest number alone counts, so that one wrong number is a wrong answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from kgqa_graphdb.language.names import scope_of
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.rank.recent import RecentTokens
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rra.files import PredictorFiles
from kgqa_graphdb.types import Floats, Step

LEAST_HOPS = 0.01
"""How likely a number of hops must be for paths of so many to be looked for."""
Rows = tuple[int, ...]
"""A path as rows of the schema's steps."""


class PredictRequest(NamedTuple):
    """A question to predict paths for.

    :ivar text: with its topic masked, as the encoder reads it
    :ivar starts: rows of the steps that leave its topic
    :ivar hops: that it has; ``None``: they are predicted
    :ivar paths: that are wanted, and that are gone on from at each hop
    """

    text: str
    starts: Rows
    hops: int | None
    paths: int


class Predicted(NamedTuple):
    """What is predicted for a question.

    :ivar hops: the likeliest number of hops
    :ivar paths: with their scores, best first
    """

    hops: int
    paths: list[tuple[Rows, float]]


def step_words(step: Step) -> str:
    """What a step is called after a question; relations of one name differ by what stands before it in their ids."""
    scope = scope_of(step.relation.id)
    return f"{scope}: {step.phrase}" if scope else step.phrase


def with_steps(text: str, words: Iterable[str]) -> str:
    """A question and the steps that were taken, as the encoder reads them.

    :param words: of the steps
    """
    return " | ".join((text, *words))


class PathPredictor:
    """Predicts relation paths of one graph.

    :param files: the saved model
    """

    def __init__(self, mapping: GraphMapping, files: PredictorFiles, schema: Schema | None = None) -> None:
        self.schema = schema or Schema(mapping)
        self.files = files
        self._words = [step_words(step) for step in self.schema.steps]
        self._tokens = RecentTokens(files.encoder)
        self._class_of = {self.schema.row_of[code]: place for place, code in enumerate(files.codes)
                          if code in self.schema.row_of}  # fmt: skip

    @property
    def max_hops(self) -> int:
        """The longest path that it can predict."""
        return self.files.hops.classes

    def rows(self, codes: Iterable[str]) -> Rows:
        """Rows of the steps that the schema has."""
        return tuple(sorted({self.schema.row_of[code] for code in codes if code in self.schema.row_of}))

    def predict(self, items: Sequence[PredictRequest]) -> list[Predicted]:
        """The likeliest paths of each question that its topic and the schema allow; many questions at a time.

        :raises EncoderError: the model's encoder can't be run
        """
        likely = [self._hops_of(item, log_p) for item, log_p in zip(items, self._hops_p(items), strict=True)]
        beams: list[list[tuple[Rows, float]]] = [[((), 1.0)] for _ in items]
        done: list[list[tuple[Rows, float]]] = [[] for _ in items]
        for hop in range(1, 1 + max((max(own) for own in likely if own), default=0)):
            for place, own in enumerate(likely):
                if hop > max(own, default=0):
                    beams[place] = []
            grown = self._grown(items, beams)
            for place, (item, paths) in enumerate(zip(items, grown, strict=True)):
                share = likely[place].get(hop, 0.0)
                done[place] += [(path, share * p) for path, p in paths[: item.paths] if share]
                beams[place] = [(path, p) for path, p in paths if not self.schema.terminal[path[-1]]][: item.paths]
        return [
            Predicted(max(own, key=lambda hops: own[hops], default=0), sorted(found, key=_order)[: item.paths])
            for item, own, found in zip(items, likely, done, strict=True)
        ]

    def _hops_p(self, items: Sequence[PredictRequest]) -> Floats:
        """Probabilities of the numbers of hops, shape (questions, numbers)."""
        if not items:
            return np.zeros((0, self.max_hops), dtype=np.float32)
        found: Floats = np.exp(self.files.hops.log_p(self._tokens.read([item.text for item in items])))
        return found

    def _hops_of(self, item: PredictRequest, p: Floats) -> dict[int, float]:
        """The numbers of hops that paths are looked for of, with their probabilities."""
        if item.hops is not None:
            return {item.hops: 1.0}
        return {place + 1: float(one) for place, one in enumerate(p) if one >= LEAST_HOPS}

    def _grown(
        self, items: Sequence[PredictRequest], beams: Sequence[Sequence[tuple[Rows, float]]]
    ) -> list[list[tuple[Rows, float]]]:
        """The paths of each question with one step more, best first."""
        texts = [
            [with_steps(item.text, (self._words[row] for row in path)) for path, _ in beam]
            for item, beam in zip(items, beams, strict=True)
        ]
        distinct = list(dict.fromkeys(text for some in texts for text in some))
        if not distinct:
            return [[] for _ in items]
        of_text = dict(zip(distinct, np.exp(self.files.steps.log_p(self._tokens.read(distinct))), strict=True))
        grown = []
        for item, beam, some in zip(items, beams, texts, strict=True):
            found = []
            for (path, p), text in zip(beam, some, strict=True):
                rows = self.schema.followers(path[-1]).tolist() if path else item.starts
                known = [row for row in rows if row in self._class_of]
                shares = of_text[text][[self._class_of[row] for row in known]].tolist()
                found += [((*path, row), p * share) for row, share in zip(known, shares, strict=True)]
            grown.append(sorted(found, key=_order))
        return grown


def _order(one: tuple[Rows, float]) -> tuple[float, int, Rows]:
    path, p = one
    return -p, len(path), path
