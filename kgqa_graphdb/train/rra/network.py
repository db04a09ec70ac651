"""The predictor's classifiers in torch; :mod:`kgqa_graphdb.rra.network` is their forward pass in numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch.nn.functional as functional
from torch import nn

from kgqa_graphdb.rank.decoder import FAR_BELOW
from kgqa_graphdb.rra.network import HEADS, HOPS, STEPS

if TYPE_CHECKING:
    from torch import Tensor

DIM = 256
"""Width of the hidden layer."""
DROPOUT = 0.2


class Classifier(nn.Module):
    """Pools a text's tokens by learned queries and tells its class; see :mod:`kgqa_graphdb.rra.network`.

    :param width: dim of the encoder
    """

    def __init__(self, width: int, classes: int) -> None:
        super().__init__()
        self.attend = nn.Linear(width, HEADS, bias=False)
        self.hidden = nn.Linear(HEADS * width, DIM)
        self.out = nn.Linear(DIM, classes)
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, tokens: Tensor, mask: Tensor) -> Tensor:
        """Log-probabilities, shape (texts, classes).

        :param tokens: shape (texts, tokens, width)
        :param mask: shape (texts, tokens): whether there is a token
        """
        logits = self.attend(tokens).masked_fill(~mask[:, :, None], float(FAR_BELOW))
        pooled = (logits.softmax(dim=1).transpose(1, 2) @ tokens).flatten(1)  # (texts, heads * width)
        hidden = functional.gelu(self.hidden(self.drop(pooled)), approximate="tanh")
        found: Tensor = self.out(self.drop(hidden)).log_softmax(dim=-1)
        return found


class Predictor(nn.Module):
    """Both classifiers.

    :param width: dim of the encoder
    :param max_hops: the most hops that a question may have
    :param steps: that are told apart
    """

    def __init__(self, width: int, max_hops: int, steps: int) -> None:
        super().__init__()
        self.add_module(HOPS, Classifier(width, max_hops))
        self.add_module(STEPS, Classifier(width, steps))

    def classify(self, which: str, tokens: Tensor, mask: Tensor) -> Tensor:
        """Log-probabilities of one classifier, shape (texts, classes)."""
        found: Tensor = self.get_submodule(which)(tokens, mask)
        return found
