"""Step I in torch, its messages passed by PyTorch Geometric; :mod:`kgqa_graphdb.gnn2r.network` says what it is.

Two networks are less of it: what the paper leaves out, one after the other, to see what it is worth (table V).
"""

from __future__ import annotations

from typing import ClassVar

import torch
import torch.nn.functional as functional
from torch import Tensor, nn  # PyG reads the annotations of what it calls when it runs
from torch_geometric.nn import MessagePassing
from torch_geometric.utils import softmax

from kgqa_graphdb.gnn2r.graphs import Inverse
from kgqa_graphdb.gnn2r.network import LEAKY_SLOPE
from kgqa_graphdb.gnn2r.pyg.text_network import BatchTensors, RoundTensors, TextNetwork, euclidean

DIM = 256
"""As in the paper's code."""
LAYERS = 3


class PlainLayer(MessagePassing):
    """One round of messages: each entity becomes the mean of what reaches it, whatever the question is."""

    def __init__(self, dim: int) -> None:
        super().__init__(aggr="sum")
        self.sender = nn.Linear(dim, dim, bias=False)
        self.relation = nn.Linear(dim, dim)

    def forward(
        self, one: RoundTensors, entities: Tensor, relations: Tensor, focus: Tensor, question: Tensor
    ) -> Tensor:
        """Classes of entities after the round; shape (classes after, dim).

        :param entities: before it; shape (classes before, dim)
        :param relations: shape (used, dim)
        :param focus: vectors of the questions for this layer; shape (questions, dim)
        :param question: vectors of the questions; shape (questions, dim)
        """
        size = (len(one.sender), len(one.before))
        messages = torch.tanh(
            self.sender(entities).index_select(0, one.sender) + self.relation(relations).index_select(0, one.relation)
        )
        score = self.scores(messages, focus, one)
        weight = softmax(score[one.edges[0]].float(), one.edges[1], num_nodes=size[1]).to(messages.dtype)  # (edges,)
        kept = entities.index_select(0, one.before)
        gathered = self.propagate(one.edges, x=(messages, kept), weight=weight, size=size)
        share = self.share(gathered, entities, question, one)  # (classes after, 1)
        share = share * torch.zeros_like(share).index_fill(0, one.edges[1], 1.0)  # what nothing reaches stays
        return share * gathered + (1 - share) * kept

    def message(self, x_j: Tensor, weight: Tensor) -> Tensor:
        """What an edge carries; shape (edges, dim)."""
        return x_j * weight.unsqueeze(-1)

    def scores(self, messages: Tensor, focus: Tensor, one: RoundTensors) -> Tensor:
        """How much each message counts among those that reach a class; shape (messages,)."""
        return torch.zeros_like(messages[:, 0])

    def share(self, gathered: Tensor, entities: Tensor, question: Tensor, one: RoundTensors) -> Tensor:
        """How much of each class is new after the round, 0..1; shape (classes after, 1).

        :param gathered: what reaches each; shape (classes after, dim)
        :param entities: before the round; shape (classes before, dim)
        """
        return torch.ones_like(gathered[:, :1])


class UngatedLayer(PlainLayer):
    """What entities send is weighed by the question."""

    def __init__(self, dim: int) -> None:
        super().__init__(dim)
        self.attend_message = nn.Linear(dim, dim, bias=False)
        self.attend_question = nn.Linear(dim, dim)
        self.attend = nn.Linear(dim, 1, bias=False)

    def scores(self, messages: Tensor, focus: Tensor, one: RoundTensors) -> Tensor:
        """As the question's vector for the layer has it."""
        asked = self.attend_question(focus).index_select(0, one.question[one.sender])  # (messages, dim)
        found: Tensor = self.attend(functional.leaky_relu(self.attend_message(messages) + asked, LEAKY_SLOPE))
        return found.squeeze(-1)


class MessageLayer(UngatedLayer):
    """What entities send is weighed by the question, and what they keep as well."""

    def __init__(self, dim: int) -> None:
        super().__init__(dim)
        self.gate_entity = nn.Linear(dim, dim, bias=False)
        self.gate_question = nn.Linear(dim, dim)
        self.gate = nn.Linear(dim, 1, bias=False)

    def share(self, gathered: Tensor, entities: Tensor, question: Tensor, one: RoundTensors) -> Tensor:
        """By how well the new and the old go with the question."""
        wanted = self.gate_question(question)  # (questions, dim)
        new, old = (
            self.gate(functional.leaky_relu(self.gate_entity(some) + wanted.index_select(0, of), LEAKY_SLOPE))
            for some, of in ((gathered, one.question_after), (entities, one.question))
        )  # (classes after, 1), (classes before, 1)
        return torch.sigmoid(new - old.index_select(0, one.before))


class StepOneNetwork(TextNetwork):
    """Distances of entities from questions; the paper's.

    :param width: dim of the encoder
    :param hops: the furthest that an entity is from a topic; 0: distances from topics are not read
    """

    layer: ClassVar[type[PlainLayer]] = MessageLayer

    def __init__(
        self, width: int, *, dim: int = DIM, layers: int = LAYERS, hops: int = 3, inverse: Inverse = "apart"
    ) -> None:
        super().__init__(width, dim)
        self.entity = nn.Parameter(torch.randn(dim) / dim**0.5)
        if hops:
            self.distance = nn.Embedding(hops + 1, dim)
            nn.init.normal_(self.distance.weight, std=dim**-0.5)
        self.tell_directions_apart(inverse)
        self.layers = nn.ModuleList(self.layer(dim) for _ in range(layers))

    def forward(self, batch: BatchTensors, tokens: Tensor, mask: Tensor, relations: Tensor) -> Tensor:
        """Distance of each entity from its question; shape (entities,).

        :param tokens: of the questions; shape (questions, tokens, width)
        :param mask: where there is a token; shape (questions, tokens)
        :param relations: vectors of the batch's relations; shape (used, dim)
        """
        question, by_layer = self.questions(tokens, mask, len(self.layers))
        classes = batch.rounds(len(self.layers))
        entities = self.entity.expand(len(classes.distance), -1)
        if hasattr(self, "distance"):
            entities = entities + self.away(classes.distance, self.distance)
        entities = self.beginnings(classes.distance, entities, question[classes.rounds[0].question])
        for layer, one, focus in zip(self.layers, classes.rounds, by_layer, strict=True):
            entities = layer(one, entities, relations, focus, question)
        found = euclidean(entities, question.index_select(0, classes.rounds[-1].question_after))
        return found[classes.entity]


class UngatedNetwork(StepOneNetwork):
    """Entities are what reaches them: the paper's network without its gates."""

    layer = UngatedLayer


class PlainNetwork(UngatedNetwork):
    """Messages count alike, too: the question is nothing but where topics begin and where answers are to come to."""

    layer = PlainLayer
