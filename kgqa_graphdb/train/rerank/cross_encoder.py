"""A cross-encoder in training: it reads a question and a linearised subgraph as a pair of texts."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from kgqa_graphdb.encode import locate_weights
from kgqa_graphdb.errors import EncoderError
from kgqa_graphdb.rerank.files import ONNX, TOKENIZER
from kgqa_graphdb.rerank.sequences import SequenceRanker
from kgqa_graphdb.train.rerank.fit import Shown
from kgqa_graphdb.train.rerank.save import network_of, save_ranker

if TYPE_CHECKING:
    from torch import Tensor


ALIKE = 16
"""Pairs that are read at once; a short one beside a long one is mostly padding."""


class CrossEncoderScorer:
    """A cross-encoder that begins with the weights of a model.

    :param name: a folder or a hub id; empty: the usual text encoder
    :param max_tokens: of a question and a sequence
    :raises EncoderError: it can't be found or read
    """

    def __init__(self, name: str, max_tokens: int) -> None:
        from sentence_transformers.cross_encoder import CrossEncoder

        folder = name or str(locate_weights(name))
        try:
            self.model = CrossEncoder(folder, num_labels=1, device="cpu")
        except (OSError, ValueError, KeyError) as error:
            raise EncoderError(f"{folder} can't be read as a cross-encoder: {error}") from error
        self.network = network_of(self.model)
        self.max_tokens = max_tokens

    def key(self, shown: Shown) -> Hashable:
        """Question and sequence."""
        case, place = shown
        return case.text, case.sequences[place]

    def size(self, shown: Shown) -> int:
        """Characters of the sequence."""
        case, place = shown
        return len(case.sequences[place])

    def logits(self, shown: Sequence[Shown]) -> Tensor:
        """The score of each; shape (shown,). Those of like length are read together."""
        order = sorted(range(len(shown)), key=lambda place: self.size(shown[place]))
        parts = [self._read([shown[place] for place in order[start : start + ALIKE]])
                 for start in range(0, len(order), ALIKE)]  # fmt: skip
        found = torch.cat(parts)
        return found[torch.argsort(torch.tensor(order, device=found.device))]

    def _read(self, shown: Sequence[Shown]) -> Tensor:
        inputs = self.model.tokenizer(
            [case.text for case, _ in shown], [case.sequences[place] for case, place in shown], padding=True,
            truncation="only_second", max_length=self.max_tokens, return_tensors="pt",
        ).to(next(self.network.parameters()).device)  # fmt: skip
        found: Tensor = self.network(**inputs).logits[:, 0]
        return found

    def save(self, folder: Path) -> SequenceRanker:
        """Write it as ONNX, with its tokenizer.

        :raises MissingExtraError: ``onnx`` or ``onnxruntime`` is not installed
        """
        save_ranker(self.model, folder)
        return SequenceRanker(folder / ONNX, folder / TOKENIZER, self.max_tokens)
