"""Examples on one graph's schema, their steps as rows of it; and negatives that are made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kgqa_graphdb.rank.question import read_question
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.data.examples import Example, Side
from kgqa_graphdb.types import Entity

MAX_PATHS = 64
"""Good paths of an example that are trained on: the best, of equals the shortest. On a graph whose things share names
the path that was meant may have dozens of shorter ones before it."""
MAX_DISTRACTORS = 64
"""Steps of another topic that are shown beside a question's own."""
F1_POWER = 4.0
"""A path that is half as good as the best counts this power of a half."""


@dataclass(frozen=True, slots=True)
class Item:
    """An example on one graph's schema.

    :ivar text: the question, as the encoder reads it
    :ivar starts: rows of the steps that leave the topic
    :ivar paths: rows of the steps of good paths; empty: nothing is right, as from a wrong topic
    :ivar weights: what each path counts beside the best, 0..1
    :ivar worth: F1 of the best path: what the example counts
    :ivar wrong: text and starts of the question read from wrong topics
    :ivar sides: the question read from each of two topics whose paths meet
    :ivar topic: that the question is about, where anybody asked it; its element id may not be known
    """

    text: str
    starts: tuple[int, ...]
    paths: tuple[tuple[int, ...], ...]
    weights: tuple[float, ...]
    worth: float
    wrong: tuple[tuple[str, tuple[int, ...]], ...] = ()
    sides: tuple[Item, ...] = ()
    topic: Entity | None = None


def items_of(examples: Sequence[Example], schema: Schema) -> list[Item]:
    """The examples that a ranker of this schema can learn from; those without a path are left out."""
    found = []
    for example in examples:
        item = _item(example, schema)
        if item is not None:
            wrong = tuple((_text(one.question, schema), _rows(one.starts, schema)) for one in example.wrong)
            sides = tuple(side for one in example.sides if (side := _item(one, schema)))
            found.append(replace(item, wrong=wrong, sides=sides, topic=example.topic))
    return found


def _item(read: Example | Side, schema: Schema) -> Item | None:
    """What is learned from a reading of a question; ``None``: no path of this schema is good."""
    rows = _rows(read.starts, schema)
    paths = [path for path in read.paths if all(code in schema.row_of for code in path.codes)][:MAX_PATHS]
    if not paths or not rows:
        return None
    best = paths[0].f1
    return Item(
        text=_text(read.question, schema),
        starts=tuple(sorted({*rows, *(schema.row_of[path.codes[0]] for path in paths)})),
        paths=tuple(tuple(schema.row_of[code] for code in path.codes) for path in paths),
        weights=tuple((path.f1 / best) ** F1_POWER for path in paths),
        worth=best,
    )


def _rows(codes: Iterable[str], schema: Schema) -> tuple[int, ...]:
    return tuple(sorted({schema.row_of[code] for code in codes if code in schema.row_of}))


def _text(question: str, schema: Schema) -> str:
    return read_question(question, schema.vocabulary).text


def wrong_topic_negative(item: Item, which: int) -> Item:
    """A negative: an item read from one of its wrong topics, so that nothing is right."""
    text, starts = item.wrong[which]
    return replace(item, text=text, starts=starts, paths=(), weights=())


class DistractorSampler:
    """Samples distractors: steps that leave topics like a question's own.

    :param items: that topics are taken from
    """

    def __init__(self, items: Sequence[Item]) -> None:
        self._all = [item.starts for item in items]
        self._having: dict[int, list[tuple[int, ...]]] = {}
        for starts in self._all:
            for row in starts:
                self._having.setdefault(row, []).append(starts)

    def distracted(self, item: Item, rng: np.random.Generator) -> Item:
        """An item with distractors: steps of another topic that shares one with it, as many as a third topic has."""
        if not item.starts:
            return item
        others = self._having.get(item.starts[int(rng.integers(len(item.starts)))])
        if not others:
            return item
        other = others[int(rng.integers(len(others)))]
        count = min(len(other), MAX_DISTRACTORS, len(self._all[int(rng.integers(len(self._all)))]))
        more = rng.choice(other, count, replace=False).tolist()
        return replace(item, starts=tuple(sorted({*item.starts, *more})))
