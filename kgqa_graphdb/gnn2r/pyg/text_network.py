"""What networks of step I share in torch: questions and the words of relations as vectors, and how entities begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence

from kgqa_graphdb.gnn2r.graphs import GraphBatch, Inverse
from kgqa_graphdb.gnn2r.rounds import Round, rounds_of
from kgqa_graphdb.types import Floats, Ints


@dataclass(frozen=True, slots=True)
class RoundTensors:
    """A :class:`Round` on a device."""

    question: Tensor
    sender: Tensor
    relation: Tensor
    edges: Tensor  # (2, edges): message, receiver
    before: Tensor

    @classmethod
    def of(cls, one: Round, device: torch.device) -> RoundTensors:
        """Its columns."""
        question, sender, relation, before = _on(device, one.question, one.sender, one.relation, one.before)
        return cls(question, sender, relation, _edges(device, one), before)

    @property
    def question_after(self) -> Tensor:
        """The question of each class after the round; shape (classes after,)."""
        return self.question[self.before]


@dataclass(frozen=True, slots=True)
class RoundsTensors:
    """:class:`Rounds` on a device."""

    distance: Tensor
    rounds: tuple[RoundTensors, ...]
    entity: Tensor


@dataclass(frozen=True, slots=True)
class BatchTensors:
    """A :class:`GraphBatch` on a device."""

    batch: GraphBatch
    question: Tensor
    distance: Tensor
    sender: Tensor
    relation: Tensor
    edges: Tensor  # (2, edges): message, receiver

    @classmethod
    def of(cls, batch: GraphBatch, device: torch.device) -> BatchTensors:
        """The columns that the network reads."""
        columns = (batch.question, batch.distance, batch.sender, batch.relation)
        question, distance, sender, relation = _on(device, *columns)
        return cls(batch, question, distance, sender, relation, _edges(device, batch))

    def rounds(self, count: int) -> RoundsTensors:
        """So many rounds of messages among classes of entities; see :mod:`kgqa_graphdb.gnn2r.rounds`."""
        device, found = self.question.device, rounds_of(self.batch, count)
        distance, entity = _on(device, found.distance, found.entity)
        return RoundsTensors(distance, tuple(RoundTensors.of(one, device) for one in found.rounds), entity)

    @property
    def ends(self) -> Tensor:
        """The entities that each edge joins: sender, receiver; shape (2, edges)."""
        return torch.stack([self.sender[self.edges[0]], self.edges[1]])


def _on(device: torch.device, *columns: Ints) -> list[Tensor]:
    return [torch.from_numpy(one).to(device) for one in columns]


def _edges(device: torch.device, one: GraphBatch | Round) -> Tensor:
    return torch.stack(_on(device, one.message, one.receiver))


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

    def beginnings(self, distance: Tensor, others: Tensor, question: Tensor) -> Tensor:
        """Entities before the first round: topics are as their question, others as is given; shape (entities, dim).

        :param distance: hops of each from the nearest topic; shape (entities,)
        :param question: of each; shape (entities, dim)
        """
        return torch.where((distance == 0).unsqueeze(-1), question, others)

    def away(self, distance: Tensor, known: nn.Embedding) -> Tensor:
        """What is known of entities so many hops from the topics; shape (entities, dim)."""
        found: Tensor = known(distance.clamp(max=known.num_embeddings - 1))
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
