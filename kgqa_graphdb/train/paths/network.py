"""The trained ranker's network in torch; :mod:`kgqa_graphdb.rank.decoder` is its forward pass in numpy."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as functional
from torch import nn

from kgqa_graphdb.rank.decoder import FAR_BELOW, HEADS

if TYPE_CHECKING:
    from torch import Tensor

DIM = 256
DROPOUT = 0.1


class Network(nn.Module):
    """Scores the next step of relation paths; see :mod:`kgqa_graphdb.rank.decoder`.

    :param width: dim of the encoder
    :param dim: of the states
    """

    def __init__(self, width: int, dim: int = DIM) -> None:
        super().__init__()
        self.dim = dim
        self.key = nn.Linear(width, dim)
        self.value = nn.Linear(width, dim)
        self.step = nn.Linear(width, dim)
        self.query = nn.Linear(dim, dim)
        self.gru = nn.GRUCell(dim, dim)
        self.out = nn.Sequential(nn.Linear(2 * dim, dim), nn.GELU(approximate="tanh"), nn.Linear(dim, dim))
        self.start = nn.Parameter(torch.zeros(dim))
        self.ends = nn.Parameter(torch.randn(2, width) / math.sqrt(width))
        self.scale = nn.Parameter(torch.tensor(2.5))
        self.drop = nn.Dropout(DROPOUT)

    def steps(self, vectors: Tensor) -> Tensor:
        """Steps, stopping and nothing, shape (steps + 2, dim).

        :param vectors: shape (steps, width)
        """
        found: Tensor = self.step(torch.cat([vectors, self.ends]))
        return found

    def read(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values, shape (questions, heads, tokens, dim of a head) each.

        :param tokens: shape (questions, tokens, width)
        """
        shape = (*tokens.shape[:2], HEADS, self.dim // HEADS)
        return self.key(tokens).view(shape).transpose(1, 2), self.value(tokens).view(shape).transpose(1, 2)

    def score(self, states: Tensor, keys: Tensor, values: Tensor, mask: Tensor, steps: Tensor) -> Tensor:
        """Logits, shape (paths, steps + 2).

        :param states: shape (paths, dim)
        :param keys: of each path's question, as ``values`` and ``mask``, shape (paths, …)
        :param mask: shape (paths, tokens): whether there is a token
        :param steps: what :meth:`steps` gave
        """
        query = self.query(states).view(len(states), HEADS, -1, 1)
        weight = (keys @ query)[..., 0] / math.sqrt(self.dim // HEADS)  # (paths, heads, tokens)
        weight = weight.masked_fill(~mask[:, None], float(FAR_BELOW)).softmax(dim=-1)
        seen = (weight[:, :, None] @ values).reshape(len(states), self.dim)
        wanted = self.out(torch.cat([states, self.drop(seen)], dim=-1)) + seen
        found: Tensor = functional.normalize(wanted, dim=-1) @ functional.normalize(steps, dim=-1).T * self.scale.exp()
        return found
