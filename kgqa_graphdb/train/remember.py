"""Which questions a ranker remembers beside what it learned from them, and how much that counts."""

from __future__ import annotations

import logging
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from kgqa_graphdb.encode import TokenEncoder
from kgqa_graphdb.rank.memory import MAX_QUESTIONS, Codes, Memory, question_vector
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.batches import Item

log = logging.getLogger(__name__)
WEIGHTS = (0.25, 0.5, 0.75, 1.0)
GAIN = 0.002
"""F1 that remembering must gain on held-out questions: else the network alone does."""
AT_ONCE = 64


def remember(asked: Sequence[tuple[Schema, Sequence[Item]]], encoder: TokenEncoder, seed: int) -> Memory | None:
    """The questions of some graphs and their good paths, but for those of two topics; ``None``: there are none.

    :param seed: of which are left out where there are too many
    :raises EncoderError: the encoder can't be run
    """
    by_text: defaultdict[str, list[tuple[float, dict[Codes, float]]]] = defaultdict(list)
    for schema, items in asked:
        for item in items:
            if not item.sides:
                codes = (tuple(schema.steps[row].code for row in path) for path in item.paths)
                by_text[item.text].append((item.worth, dict(zip(codes, item.weights, strict=True))))
    if not by_text:
        return None
    texts = sorted(random.Random(seed).sample(sorted(by_text), min(MAX_QUESTIONS, len(by_text))))
    chunks = (texts[start : start + AT_ONCE] for start in range(0, len(texts), AT_ONCE))
    vectors = [question_vector(tokens) for some in chunks for tokens in encoder.encode_tokens(some)]
    return Memory.of({text: by_text[text] for text in texts}, np.stack(vectors))


def fitting(memory: Memory | None, judge: Callable[[Memory | None], float]) -> Memory | None:
    """A memory that counts as much as is best on held-out questions; ``None``: it gains nothing there.

    :param judge: F1 of the best paths with a memory, 0..1
    """
    if memory is None:
        return None
    alone = judge(None)
    some = [replace(memory, weight=weight) for weight in WEIGHTS]
    scores = [judge(one) for one in some]
    log.info("held-out F1 with what is remembered, by what it counts: %s; without %.4f",
             dict(zip(WEIGHTS, np.round(scores, 4).tolist(), strict=True)), alone)  # fmt: skip
    best = int(np.argmax(scores))
    return some[best] if scores[best] >= alone + GAIN else None
