"""Step I in torch, its messages passed by PyTorch Geometric; :mod:`kgqa_graphdb.gnn2r.network` says what it is."""

from __future__ import annotations

import torch
import torch.nn.functional as functional
from torch import Tensor, nn  # PyG reads the annotations of what it calls when it runs
from torch_geometric.nn import MessagePassing
from torch_geometric.utils import softmax

from kgqa_graphdb.gnn2r.beside import BatchTensors, TextNetwork, euclidean
from kgqa_graphdb.gnn2r.graphs import Inverse
from kgqa_graphdb.gnn2r.network import LEAKY_SLOPE

DIM = 256
"""As in the paper's code."""
LAYERS = 3


class MessageLayer(MessagePassing):
    """One round of messages: what entities send is weighed by the question, and what they keep as well."""

    def __init__(self, dim: int) -> None:
        super().__init__(aggr="sum")
        self.sender = nn.Linear(dim, dim, bias=False)
        self.relation = nn.Linear(dim, dim)
        self.attend_message = nn.Linear(dim, dim, bias=False)
        self.attend_question = nn.Linear(dim, dim)
        self.attend = nn.Linear(dim, 1, bias=False)
        self.gate_entity = nn.Linear(dim, dim, bias=False)
        self.gate_question = nn.Linear(dim, dim)
        self.gate = nn.Linear(dim, 1, bias=False)

    def forward(
        self, batch: BatchTensors, entities: Tensor, relations: Tensor, focus: Tensor, question: Tensor
    ) -> Tensor:
        """Entities after the round; shape (entities, dim).

        :param relations: shape (used, dim)
        :param focus: vectors of the questions for this layer; shape (questions, dim)
        :param question: vectors of the questions; shape (questions, dim)
        """
        size = (len(batch.sender), len(entities))
        messages = torch.tanh(self.sender(entities)[batch.sender] + self.relation(relations)[batch.relation])
        asked = self.attend_question(focus)[batch.question[batch.sender]]  # (messages, dim)
        score = self.attend(functional.leaky_relu(self.attend_message(messages) + asked, LEAKY_SLOPE)).squeeze(-1)
        weight = softmax(score[batch.edges[0]].float(), batch.edges[1], num_nodes=size[1]).to(
            messages.dtype
        )  # (edges,)
        gathered = self.propagate(batch.edges, x=(messages, entities), weight=weight, size=size)
        wanted = self.gate_question(question)[batch.question]  # (entities, dim)
        new, old = (
            self.gate(functional.leaky_relu(self.gate_entity(one) + wanted, LEAKY_SLOPE))
            for one in (gathered, entities)
        )  # (entities, 1) each
        reached = torch.zeros_like(new).index_fill(0, batch.edges[1], 1.0)
        share = torch.sigmoid(new - old) * reached
        return share * gathered + (1 - share) * entities

    def message(self, x_j: Tensor, weight: Tensor) -> Tensor:
        """What an edge carries; shape (edges, dim)."""
        return x_j * weight.unsqueeze(-1)


class StepOneNetwork(TextNetwork):
    """Distances of entities from questions.

    :param width: dim of the encoder
    :param hops: the furthest that an entity is from a topic; 0: distances from topics are not read
    """

    def __init__(
        self, width: int, *, dim: int = DIM, layers: int = LAYERS, hops: int = 3, inverse: Inverse = "apart"
    ) -> None:
        super().__init__(width, dim)
        self.entity = nn.Parameter(torch.randn(dim) / dim**0.5)
        if hops:
            self.distance = nn.Embedding(hops + 1, dim)
            nn.init.normal_(self.distance.weight, std=dim**-0.5)
        self.tell_directions_apart(inverse)
        self.layers = nn.ModuleList(MessageLayer(dim) for _ in range(layers))

    def forward(self, batch: BatchTensors, tokens: Tensor, mask: Tensor, relations: Tensor) -> Tensor:
        """Distance of each entity from its question; shape (entities,).

        :param tokens: of the questions; shape (questions, tokens, width)
        :param mask: where there is a token; shape (questions, tokens)
        :param relations: vectors of the batch's relations; shape (used, dim)
        """
        question, by_layer = self.questions(tokens, mask, len(self.layers))
        entities = self.entity.expand(len(batch.distance), -1)
        if hasattr(self, "distance"):
            entities = entities + self.distance(batch.distance.clamp(max=self.distance.num_embeddings - 1))
        entities = torch.where((batch.distance == 0).unsqueeze(-1), question[batch.question], entities)
        for layer, focus in zip(self.layers, by_layer, strict=True):
            entities = layer(batch, entities, relations, focus, question)
        return euclidean(entities, question[batch.question])


def margin_loss(distance: Tensor, answers: Tensor, others: Tensor, margin: float, questions: int) -> Tensor:
    """How much nearer than by a margin non-answers are than answers, summed over pairs, a question's mean (10).

    :param distance: of entities; shape (entities,)
    :param answers: the answer of each pair; shape (pairs,)
    :param others: its non-answer; shape (pairs,)
    :param questions: that the pairs are of
    """
    return functional.relu(distance[answers] - distance[others] + margin).sum() / questions
