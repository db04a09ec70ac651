"""What networks of step I share in torch: questions and the words of relations as vectors, and how entities begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence

from kgqa_graphdb.gnn2r.graphs import GraphBatch, Inverse
from kgqa_graphdb.types import Floats


@dataclass(frozen=True, slots=True)
class BatchTensors:
    """A :class:`GraphBatch` on a device."""

    question: Tensor
    distance: Tensor
    sender: Tensor
    relation: Tensor
    edges: Tensor  # (2, edges): message, receiver

    @classmethod
    def of(cls, batch: GraphBatch, device: torch.device) -> BatchTensors:
        """The columns that the network reads."""
        columns = (batch.question, batch.distance, batch.sender, batch.relation)
        question, distance, sender, relation = (torch.from_numpy(one).to(device) for one in columns)
        edges = torch.stack([torch.from_numpy(batch.message), torch.from_numpy(batch.receiver)]).to(device)
        return cls(question, distance, sender, relation, edges)

    @property
    def ends(self) -> Tensor:
        """The entities that each edge joins: sender, receiver; shape (2, edges)."""
        return torch.stack([self.sender[self.edges[0]], self.edges[1]])


class TextNetwork(nn.Module):
    """What reads questions and the words of relations.

    :param width: dim of the encoder
    :param dim: of all vectors
    """

    def __init__(self, width: int, dim: int) -> None:
        super().__init__()
        self.dim = dim
        self.general = nn.GRU(width, dim, batch_first=True, bidirectional=True)
        self.layerwise = nn.GRU(width, dim, batch_first=True, bidirectional=True)
        self.relation = nn.GRU(width, dim, batch_first=True)

    def tell_directions_apart(self, inverse: Inverse) -> None:
        """Give relations that are walked backwards a vector of their own, where they are relations of their own."""
        if inverse == "apart":
            self.inverse = nn.Parameter(torch.randn(self.dim) / self.dim**0.5)

    def relations(self, tokens: Tensor, mask: Tensor, inverse: Tensor) -> Tensor:
        """Vectors of relations; shape (relations, dim).

        :param tokens: shape (relations, tokens, width)
        :param mask: where there is a token; shape (relations, tokens)
        :param inverse: which are walked backwards and are then relations of their own; shape (relations,)
        """
        found: Tensor = self.relation(_packed(tokens, mask))[1][0]  # (relations, dim)
        if hasattr(self, "inverse"):
            found = found + inverse.to(found.dtype).unsqueeze(-1) * self.inverse
        return found

    def questions(self, tokens: Tensor, mask: Tensor, layers: int) -> tuple[Tensor, list[Tensor]]:
        """The vector of each question, and that of each for each layer; shape (questions, dim) each.

        :param tokens: shape (questions, tokens, width)
        :param mask: where there is a token; shape (questions, tokens)
        """
        packed = _packed(tokens, mask)
        state, by_layer = None, []
        for _ in range(layers):  # a layer goes on from what the one before had in mind
            state = self.layerwise(packed, state)[1]  # (2, questions, dim)
            by_layer.append(state.mean(dim=0))
        return self.general(packed)[1].mean(dim=0), by_layer

    def beginnings(self, batch: BatchTensors, others: Tensor, question: Tensor) -> Tensor:
        """Entities before the first round: topics are as their question, others as is given; shape (entities, dim)."""
        return torch.where((batch.distance == 0).unsqueeze(-1), question[batch.question], others)

    def away(self, batch: BatchTensors, distance: nn.Embedding) -> Tensor:
        """What is known of entities so many hops from the topics; shape (entities, dim)."""
        found: Tensor = distance(batch.distance.clamp(max=distance.num_embeddings - 1))
        return found


def euclidean(one: Tensor, other: Tensor) -> Tensor:
    """Distances between the rows of two, shape (rows,)."""
    found: Tensor = (one - other).float().square().sum(dim=-1).add(1e-12).sqrt()
    return found


def _packed(tokens: Tensor, mask: Tensor) -> PackedSequence:
    return pack_padded_sequence(tokens, mask.sum(dim=1).cpu(), batch_first=True, enforce_sorted=False)


def padded(texts: Sequence[Floats]) -> tuple[Tensor, Tensor]:
    """Texts' vectors filled up behind, shape (texts, tokens, width), and where there is a token."""
    tokens = nn.utils.rnn.pad_sequence([torch.tensor(one) for one in texts], batch_first=True)
    sizes = torch.tensor([len(one) for one in texts])
    return tokens, torch.arange(tokens.shape[1]) < sizes.unsqueeze(-1)
