"""A Graphormer in torch, its batches made by PyTorch Geometric; :mod:`kgqa_graphdb.rerank.graphormer` says what it
is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as functional
from torch import Tensor, nn
from torch_geometric.data import Batch, Data
from torch_geometric.utils import to_dense_adj, to_dense_batch

from kgqa_graphdb.rank.decoder import FAR_BELOW
from kgqa_graphdb.rerank.encodings import DISTANCES, FURTHEST, MOST_DEGREE, VIRTUAL, EncodedGraph, WalkedStep
from kgqa_graphdb.rerank.shown import ROLES

DIM = 64
HEADS = 4
LAYERS = 4
DROPOUT = 0.1


@dataclass(frozen=True, slots=True)
class Vectors:
    """What the text encoder says, each of unit norm.

    :ivar words: of steps; shape (steps, width)
    :ivar inverse: 1 where a step is walked from tail to head, else 0; shape (steps,)
    :ivar questions: shape (questions, width)
    """

    words: Tensor
    inverse: Tensor
    questions: Tensor


class StructureData(Data):
    """A subgraph's structure; ``pair`` numbers its pairs of nodes, of which ``pair_index`` has the ends."""

    def __inc__(self, key: str, value: Any, *args: Any, **kwargs: Any) -> Any:
        return len(self.distance) if key == "pair" else super().__inc__(key, value, *args, **kwargs)


def structure_data(graph: EncodedGraph, number: Mapping[WalkedStep, int]) -> StructureData:
    """A subgraph as PyTorch Geometric puts it side by side with others.

    :param number: of the steps, in their :class:`Vectors`
    """
    places = torch.arange(graph.nodes)
    steps = torch.tensor([number[one] for one in graph.steps], dtype=torch.long)
    return StructureData(
        num_nodes=graph.nodes,
        role=torch.from_numpy(graph.role),
        in_degree=torch.from_numpy(graph.in_degree),
        out_degree=torch.from_numpy(graph.out_degree),
        pair_index=torch.stack([places.repeat_interleave(graph.nodes), places.repeat(graph.nodes)]),
        distance=torch.from_numpy(graph.distance.ravel()),
        pair=torch.from_numpy(graph.pair),
        hop=torch.from_numpy(graph.hop),
        step=steps[torch.from_numpy(graph.step)],
        share=torch.from_numpy(graph.share),
    )


class GraphormerLayer(nn.Module):
    """Attention that is told of the structure, and a hidden layer, each after normalisation."""

    def __init__(self, dim: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.norm_attend = nn.LayerNorm(dim)
        self.attend = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
        self.norm_feed = nn.LayerNorm(dim)
        self.up = nn.Linear(dim, dim)
        self.down = nn.Linear(dim, dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, states: Tensor, bias: Tensor) -> Tensor:
        """States after the layer; shape (graphs, nodes, dim).

        :param bias: of attention, far below zero where there is no node; shape (graphs, heads, nodes, nodes)
        """
        graphs, size, dim = states.shape
        each = self.attend(self.norm_attend(states)).view(graphs, size, 3, self.heads, dim // self.heads)
        query, key, value = each.permute(2, 0, 3, 1, 4)  # (graphs, heads, nodes, dim / heads) each
        weight = (query @ key.transpose(2, 3) / (dim // self.heads) ** 0.5 + bias).softmax(dim=-1)
        attended = (self.drop(weight) @ value).transpose(1, 2).reshape(graphs, size, dim)
        states = states + self.drop(self.out(attended))
        hidden = functional.gelu(self.up(self.norm_feed(states)), approximate="tanh")
        return states + self.drop(self.down(hidden))


class Graphormer(nn.Module):
    """Scores of subgraphs.

    :param width: dim of the text encoder
    :param reads_question: see :mod:`kgqa_graphdb.rerank.graphormer`
    """

    def __init__(
        self,
        width: int,
        *,
        reads_question: bool,
        dim: int = DIM,
        heads: int = HEADS,
        layers: int = LAYERS,
        dropout: float = DROPOUT,
    ) -> None:
        super().__init__()
        self.role = nn.Embedding(ROLES, dim)
        self.in_degree = nn.Embedding(MOST_DEGREE + 1, dim)
        self.out_degree = nn.Embedding(MOST_DEGREE + 1, dim)
        self.spatial = nn.Embedding(DISTANCES, heads)
        for one in (self.role, self.in_degree, self.out_degree, self.spatial):
            nn.init.normal_(one.weight, std=dim**-0.5)
        self.virtual = nn.Parameter(torch.randn(dim) * dim**-0.5)
        self.relation = nn.Linear(width, dim)
        self.inverse = nn.Parameter(torch.randn(dim) * dim**-0.5)
        self.along = nn.Parameter(torch.randn(FURTHEST, heads, dim) * dim**-0.5)
        self.reads_question = reads_question
        if reads_question:
            self.question = nn.Linear(width, dim)
            self.compared = nn.Linear(width, dim)
            self.asked = nn.Linear(width, dim)
            self.likeness = nn.Parameter(torch.randn(dim))
        self.layers = nn.ModuleList(GraphormerLayer(dim, heads, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(dim)
        self.score = nn.Linear(dim, 1)
        self.drop = nn.Dropout(dropout)

    def forward(self, graphs: Sequence[StructureData], question: Tensor, vectors: Vectors) -> Tensor:
        """The score of each subgraph; shape (graphs,).

        :param graphs: one or more
        :param question: of each its place among the questions' vectors; shape (graphs,)
        """
        batch = Batch.from_data_list(list(graphs)).to(question.device)
        edges = self._edges(batch, question, vectors)  # (path steps, dim)
        nodes = self.role(batch.role) + self.in_degree(batch.in_degree) + self.out_degree(batch.out_degree)
        virtual = self.virtual.expand(len(question), -1)
        if self.reads_question:
            nodes = nodes + self._around(batch, edges)
            virtual = virtual + self.question(_scaled(vectors.questions))[question]
        dense, there = to_dense_batch(nodes, batch.batch)  # (graphs, nodes, dim), (graphs, nodes)
        states = self.drop(torch.cat([virtual.unsqueeze(1), dense], dim=1))
        bias = self._bias(batch, edges, there)
        for layer in self.layers:
            states = layer(states, bias)
        return self.score(self.norm(states[:, 0])).squeeze(-1)

    def _edges(self, batch: Batch, question: Tensor, vectors: Vectors) -> Tensor:
        """The vector of each step on a shortest path; shape (path steps, dim)."""
        words = _scaled(vectors.words)
        edges = (self.relation(words) + vectors.inverse.unsqueeze(-1) * self.inverse)[batch.step]
        if self.reads_question:
            asked = question[batch.batch[batch.pair_index[0]][batch.pair]]
            both = self.compared(words)[batch.step] * self.asked(_scaled(vectors.questions))[asked]
            alike = (vectors.words[batch.step] * vectors.questions[asked]).sum(dim=-1, keepdim=True)
            edges = edges + both + alike * self.likeness
        return edges

    def _around(self, batch: Batch, edges: Tensor) -> Tensor:
        """The mean of the steps to each node's neighbours; shape (all nodes, dim)."""
        first = batch.pair_index[0]
        near = batch.distance == 1
        total = edges.new_zeros(batch.num_nodes, edges.shape[1])
        own = near[batch.pair]
        total = total.index_add(0, first[batch.pair[own]], edges[own] * batch.share[own].unsqueeze(-1))
        neighbours = total.new_zeros(batch.num_nodes).index_add(0, first, near.to(total.dtype))
        return total / neighbours.clamp(min=1).unsqueeze(-1)

    def _bias(self, batch: Batch, edges: Tensor, there: Tensor) -> Tensor:
        """What attention is given beside the nodes' vectors; shape (graphs, heads, 1 + nodes, 1 + nodes)."""
        along = torch.einsum("sd,fhd->sfh", edges, self.along)
        own = along[torch.arange(len(edges), device=edges.device), batch.hop] * batch.share.unsqueeze(-1)
        of_pair = self.spatial(batch.distance).index_add(0, batch.pair, own)  # (pairs, heads)
        dense = to_dense_adj(batch.pair_index, batch.batch, of_pair, max_num_nodes=there.shape[1])
        virtual = self.spatial.weight[VIRTUAL].view(1, -1, 1, 1)
        bias = dense.permute(0, 3, 1, 2)
        graphs, heads, size, _ = bias.shape
        bias = torch.cat([virtual.expand(graphs, heads, 1, size), bias], dim=2)
        bias = torch.cat([virtual.expand(graphs, heads, size + 1, 1), bias], dim=3)
        missing = functional.pad(~there, (1, 0), value=False)[:, None, None]  # (graphs, 1, 1, 1 + nodes)
        return bias.masked_fill(missing, float(FAR_BELOW))


def _scaled(vectors: Tensor) -> Tensor:
    return vectors * vectors.shape[1] ** 0.5
