"""What a person says of a training, what they are shown while it runs, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kgqa_graphdb.client import KGQA
from kgqa_graphdb.questions import Pair

STEPS = 2_000
MORE_STEPS = 600
"""For each graph but the first: chains of steps take long to learn over several schemas. Of six graphs, the one asked
without pairs, 150 of MetaQA's dev questions of 3 hops had 84.0 after 2,000 batches in all and 96.7 after 5,000."""
Progress = Callable[[int, int], None]
"""Called with (done, total)."""
Stage = Callable[[str, int], Progress]
"""Called with (name, total) when a stage of the training begins; returns what is called with its progress."""


@dataclass(frozen=True, slots=True)
class Source:
    """A graph, and what people asked of it.

    :ivar pairs: to train on; may be empty
    :ivar dev: to hold out; where no graph has any, a tenth of each graph's pairs is, by their wording
    """

    kg: KGQA
    pairs: Sequence[Pair] = ()
    dev: Sequence[Pair] = ()


@dataclass(frozen=True, slots=True)
class Training:
    """What a person says of a training.

    :ivar encoder: reads questions and the steps' words; see :func:`kgqa_graphdb.encode.locate_encoder`;
        :data:`kgqa_graphdb.encode.CHARACTERS`: one that is trained too
    :ivar fine_tune: the encoder that reads questions learns, too
    :ivar rerank: train a reranker of the proposed paths, too, where there is something to gain
    :ivar steps: batches to train on at most; ``None``: :data:`STEPS`, and :data:`MORE_STEPS` for each further graph
    :ivar composed: questions composed from schemas that are shown too: shared out evenly among graphs of which there
        are pairs, so many of each other; ``None``: see
        :func:`composed_count`
    :ivar max_hops: longest path that is looked for
    :ivar given_topics: learn from the topics that pairs give, not from those that are linked
    :ivar paraphrase: language model that says composed questions in other words, too; empty: none
    """

    encoder: str = ""
    fine_tune: bool = False
    rerank: bool = True
    steps: int | None = None
    composed: int | None = None
    max_hops: int = 3
    given_topics: bool = False
    seed: int = 0
    paraphrase: str = ""

    def batches(self, graphs: int) -> int:
        """Batches to train on at most, of so many graphs."""
        return self.steps or STEPS + MORE_STEPS * (graphs - 1)


@dataclass(frozen=True, slots=True)
class Trained:
    """What came of a training.

    :ivar mined: share of the questions for which there is a path to an answer, 0..1
    :ivar held_out: mean F1, of the best path's, that the likeliest path has on held-out questions, 0..1; of several
        graphs the mean
    :ivar steps: batches after which nothing was gained any more
    """

    output: Path
    questions: int
    mined: float
    held_out: float
    steps: int
    seconds: float
