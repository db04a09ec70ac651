"""BERT (Devlin et al. 2019) in torch, to be fine-tuned; :mod:`kgqa_graphdb.encode.bert` writes the same as ONNX.

Weights have the names that publishers give them, so what was trained takes its place among theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as functional
from torch import nn

from kgqa_graphdb.types import Floats

if TYPE_CHECKING:
    from torch import Tensor

DROPOUT = 0.1
_LAYER = "encoder.layer"


class Embeddings(nn.Module):
    """Vectors of tokens at their places, all of type 0.

    :param config: the model's ``config.json``
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__()
        dim = int(config["hidden_size"])
        self.word_embeddings = nn.Embedding(int(config["vocab_size"]), dim)
        self.position_embeddings = nn.Embedding(int(config["max_position_embeddings"]), dim)
        self.token_type_embeddings = nn.Embedding(int(config.get("type_vocab_size", 2)), dim)
        self.LayerNorm = nn.LayerNorm(dim, eps=float(config.get("layer_norm_eps", 1e-12)))

    def forward(self, ids: Tensor) -> Tensor:
        """Vectors, shape (texts, tokens, dim).

        :param ids: shape (texts, tokens)
        """
        places = self.position_embeddings.weight[: ids.shape[1]] + self.token_type_embeddings.weight[0]
        found: Tensor = self.LayerNorm(self.word_embeddings(ids) + places)
        return found


class Output(nn.Module):
    """A matrix, and what it is added to.

    :param width: of what comes in
    :param dim: of what it is added to
    """

    def __init__(self, width: int, dim: int, epsilon: float) -> None:
        super().__init__()
        self.dense = nn.Linear(width, dim)
        self.LayerNorm = nn.LayerNorm(dim, eps=epsilon)
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, new: Tensor, x: Tensor) -> Tensor:
        """Vectors, shape (texts, tokens, dim).

        :param new: shape (texts, tokens, width)
        :param x: shape (texts, tokens, dim)
        """
        found: Tensor = self.LayerNorm(self.drop(self.dense(new)) + x)
        return found


class Layer(nn.Module):
    """One layer: attention, then two matrices, each added to what came in.

    :param config: the model's ``config.json``
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__()
        dim, inner = int(config["hidden_size"]), int(config["intermediate_size"])
        epsilon = float(config.get("layer_norm_eps", 1e-12))
        self.heads = int(config["num_attention_heads"])
        parts = nn.ModuleDict({name: nn.Linear(dim, dim) for name in ("query", "key", "value")})
        self.attention = nn.ModuleDict({"self": parts, "output": Output(dim, dim, epsilon)})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(dim, inner)})
        self.output = Output(inner, dim, epsilon)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Vectors, shape (texts, tokens, dim).

        :param x: of the same shape
        :param mask: shape (texts, 1, 1, tokens): whether there is a token
        """
        texts, tokens, dim = x.shape
        shape = (texts, tokens, self.heads, dim // self.heads)
        query, key, value = (
            self.attention["self"].get_submodule(name)(x).view(shape).transpose(1, 2)
            for name in ("query", "key", "value")
        )
        dropout = DROPOUT if self.training else 0.0
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropout)
        x = self.attention["output"](mixed.transpose(1, 2).reshape(x.shape), x)
        found: Tensor = self.output(functional.gelu(self.intermediate["dense"](x)), x)
        return found


class Bert(nn.Module):
    """A BERT whose upper layers learn; what is below them is as it was.

    :param config: the model's ``config.json``
    :param weights: by their published names
    :param trained: how many layers learn, from the last
    """

    def __init__(self, config: Mapping[str, Any], weights: Mapping[str, Floats], trained: int) -> None:
        super().__init__()
        count = int(config["num_hidden_layers"])
        self.first = max(0, count - trained)
        vocabulary = len(weights["embeddings.word_embeddings.weight"])
        self.embeddings = Embeddings({**config, "vocab_size": vocabulary})
        layers = [Layer(config) for _ in range(count)]
        _load(self.embeddings, weights, "embeddings")
        for number, layer in enumerate(layers):
            _load(layer, weights, f"{_LAYER}.{number}")
        self.lower = nn.ModuleList(layers[: self.first])
        self.upper = nn.ModuleList(layers[self.first :])
        for part in (self.embeddings, self.lower):
            part.requires_grad_(False)

    def forward(self, ids: Tensor, mask: Tensor, upper: nn.ModuleList | None = None) -> Tensor:
        """Vectors of tokens, shape (texts, tokens, dim); those where there is no token say nothing.

        :param ids: shape (texts, tokens)
        :param mask: of that shape: whether there is a token
        :param upper: layers to use instead of the model's own
        """
        return self.above(self.below(ids, mask), mask, upper)

    def below(self, ids: Tensor, mask: Tensor) -> Tensor:
        """What the layers that do not learn make of tokens; shape (texts, tokens, dim)."""
        there = mask[:, None, None]
        with torch.no_grad():
            x = self.embeddings(ids)
            for layer in self.lower.eval():
                x = layer(x, there)
        found: Tensor = x
        return found

    def above(self, x: Tensor, mask: Tensor, upper: nn.ModuleList | None = None) -> Tensor:
        """What the layers that learn make of that; see :meth:`forward`."""
        there = mask[:, None, None]
        for layer in self.upper if upper is None else upper:
            x = layer(x, there)
        return x

    def named(self, weights: Mapping[str, Floats]) -> dict[str, Floats]:
        """Weights of the upper layers by their published names.

        :param weights: by their names in ``upper``: "0.output.dense.weight"
        """
        found = {}
        for name, value in weights.items():
            number, _, rest = name.partition(".")
            found[f"{_LAYER}.{self.first + int(number)}.{rest}"] = value
        return found


def _load(module: nn.Module, weights: Mapping[str, Floats], prefix: str) -> None:
    """Give a module its weights.

    :raises KeyError: one of them is not there
    """
    own = {name: torch.from_numpy(weights[f"{prefix}.{name}"].copy()) for name in module.state_dict()}
    module.load_state_dict(own)
