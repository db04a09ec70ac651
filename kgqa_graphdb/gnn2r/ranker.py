"""Step II: which pattern says what the question asks, by the likeness of its words to the question's.

Source: R. Wang et al., GNN2R (2023), section IV-B. The sentence encoder is fine-tuned by
:mod:`kgqa_graphdb.train.gnn2r.step_two`; here it runs on onnxruntime, and each expression is encoded once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from kgqa_graphdb.encode import CachedEncoder, TokenEncoder
from kgqa_graphdb.gnn2r.asked import AskedQuestion
from kgqa_graphdb.gnn2r.expressions import expression, wh_word
from kgqa_graphdb.gnn2r.patterns import Patterns
from kgqa_graphdb.steps import Compute, Steps, ask
from kgqa_graphdb.types import Floats, Scored, Vectors


class PooledEncoder:
    """Embeds texts by the mean of their tokens' vectors, at unit norm.

    :param tokens: gives the vectors of tokens
    """

    def __init__(self, tokens: TokenEncoder) -> None:
        self._tokens = tokens

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self._tokens.name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._tokens.dim

    @property
    def fingerprint(self) -> str:
        """Empty: its vectors are in no cache on disk."""
        return ""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts.

        :return: shape (texts, dim), float32, unit L2 norm
        :raises EncoderError: the encoder can't be run
        """
        means = np.array([vectors.mean(axis=0) for vectors in self._tokens.encode_tokens(texts)], dtype=np.float32)
        found: Vectors = means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)
        return found


class RankRequest(NamedTuple):
    """Expressions to compare with a question.

    :ivar text: the question, its topics masked
    :ivar expressions: one or more
    """

    text: str
    expressions: tuple[str, ...]


class StepTwo:
    """Compares questions with expressions.

    :param encoder: the fine-tuned one
    """

    def __init__(self, encoder: TokenEncoder) -> None:
        self._encoder = CachedEncoder(PooledEncoder(encoder))

    def similarities(self, items: Sequence[RankRequest]) -> list[Floats]:
        """The cosine of each expression and its question, -1..1 (11); shape (expressions,) each.

        :raises EncoderError: the encoder can't be run
        """
        texts = list(dict.fromkeys(text for item in items for text in (item.text, *item.expressions)))
        place = {text: number for number, text in enumerate(texts)}
        vectors = self._encoder.encode(texts)  # (texts, dim)
        return [
            vectors[[place[text] for text in item.expressions]] @ vectors[place[item.text]] for item in items
        ]  # (expressions,) each


def ranked_patterns(
    step_two: StepTwo, asked: AskedQuestion, patterns: Patterns, phrases: Mapping[str, str], weight: float = 0.0
) -> Steps[Patterns]:
    """Candidate patterns by how like the question their expressions are; of equals the first stays first.

    :param phrases: of each relation's id; see :func:`kgqa_graphdb.export.words.phrases_of`
    :param weight: what :attr:`Patterns.nearness` counts beside the cosine; 0: nothing, as in the paper
    """
    if not patterns.ranked:
        return patterns
    wh = wh_word(asked.text)
    expressions = tuple(expression(wh, one.item.sides, phrases) for one in patterns.ranked)
    alike: Floats = yield from ask(Compute(step_two.similarities, RankRequest(asked.text, expressions)))
    found = alike + weight * np.array(patterns.nearness, dtype=np.float32)
    order = np.argsort(-found, kind="stable").tolist()
    ranked = tuple(Scored(patterns.ranked[place].item, float(found[place])) for place in order)
    return Patterns(ranked, patterns.truncated)
