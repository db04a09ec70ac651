"""The encoder of characters in torch; :mod:`kgqa_graphdb.encode.characters` is its forward pass in numpy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import torch
from torch import nn

from kgqa_graphdb.encode.characters import BEGIN, PADDING, UNKNOWN, WINDOW, readable

if TYPE_CHECKING:
    from torch import Tensor

DIM = 128
LAYERS = 2
DROPOUT = 0.1
UNREAD = 0.05
"""Share of the characters that are shown as unknown, so that unknown ones do not surprise."""
LEAST_SEEN = 2
"""A character of fewer questions is not learned."""


class CharacterNetwork(nn.Module):
    """Vectors of characters in their surroundings; see :mod:`kgqa_graphdb.encode.characters`.

    :param symbols: how many there are
    """

    def __init__(self, symbols: int, dim: int = DIM, layers: int = LAYERS) -> None:
        super().__init__()
        self.embedding = nn.Embedding(symbols, dim, padding_idx=PADDING)
        self.layers = nn.ModuleList(nn.Conv1d(dim, dim, WINDOW, padding=WINDOW // 2) for _ in range(layers))
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, symbols: Tensor) -> Tensor:
        """Vectors, shape (texts, symbols, dim); of padding 0.

        :param symbols: shape (texts, symbols)
        """
        there = (symbols != PADDING)[:, :, None]
        if self.training:
            unread = torch.rand(symbols.shape).to(symbols.device) < UNREAD
            symbols = symbols.masked_fill(unread & (symbols != BEGIN) & there[:, :, 0], UNKNOWN)
        vectors: Tensor = self.embedding(symbols) * there
        for layer in self.layers:
            seen = layer(self.drop(vectors).transpose(1, 2)).transpose(1, 2)
            vectors = (vectors + seen.relu()) * there
        return vectors


def alphabet_of(questions: Iterable[str], words: Iterable[str]) -> str:
    """The characters that a training can teach.

    :param questions: of each at least :data:`LEAST_SEEN` have it
    :param words: of the graph, all of which count
    """
    counts = Counter(character for text in questions for character in set(readable(text)))
    known = {character for character, count in counts.items() if count >= LEAST_SEEN}
    return "".join(sorted(known.union(*map(readable, words))))
