"""A Graphormer that scores candidates by their subgraphs, in numpy; :mod:`kgqa_graphdb.train.rerank.network` is it in
torch.

Source: C. Ying et al., Do Transformers Really Perform Badly for Graph Representation? (2021), which M. Salnikov et al.
(2023), section 3.4, rank candidates with. Numbers in brackets are the equations of the former.

Where this leaves the papers:

- It is small, and learns from nothing; there a network of twelve layers is gone on with that was trained on molecules.
- A node begins as its role (topic, between, candidate) beside its degrees; of an edge it reads what the text encoder
  makes of the relation's words, in the direction in which it is walked, so that relations need not be known.
- With the question (``graphormer-question``, ours) the virtual node begins as the question, relations are compared with
  it, and nodes begin with the relations around them, too; without, as in the papers, the question is not read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from kgqa_graphdb.encode import CachedEncoder, Encoder
from kgqa_graphdb.rank.blas import one_thread
from kgqa_graphdb.rank.decoder import FAR_BELOW, gelu
from kgqa_graphdb.rerank.encodings import FURTHEST, VIRTUAL, DenseBatch, dense_batch, encoded
from kgqa_graphdb.rerank.shown import RankRequest, RelationWords, RoleGraph
from kgqa_graphdb.types import Bools, Floats, Ints

AT_ONCE = 256
"""Subgraphs of a batch; those of like size are read together."""
EPSILON = np.float32(1e-5)
"""Of layer normalisation, as torch has it."""


class GraphormerNetwork:
    """The forward pass.

    :param weights: by the names of :class:`kgqa_graphdb.train.rerank.network.Graphormer`
    """

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = weights
        self._layers = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
        self._heads = weights["spatial.weight"].shape[1]

    @property
    def reads_question(self) -> bool:
        """Whether it reads the question."""
        return "question.weight" in self._weights

    def scores(self, batch: DenseBatch, words: Floats, question: Ints, questions: Floats) -> Floats:
        """The score of each subgraph; shape (graphs,).

        :param words: vectors of the words of the batch's steps, shape (steps, width), unit norm
        :param question: of each subgraph its place among ``questions``; shape (graphs,)
        :param questions: shape (questions, width), unit norm
        """
        w = self._weights
        edges = self._edges(batch, words, question, questions)  # (path steps, dim)
        nodes = (
            w["role.weight"][batch.role] + w["in_degree.weight"][batch.in_degree]
            + w["out_degree.weight"][batch.out_degree]
        )  # (graphs, nodes, dim) (5)  # fmt: skip
        virtual = np.repeat(w["virtual"][None], len(nodes), axis=0)  # (graphs, dim)
        if self.reads_question:
            nodes = nodes + self._around(batch, edges)
            virtual = virtual + self._linear(_scaled(questions), "question")[question]
        states = np.concatenate([virtual[:, None], nodes], axis=1)  # (graphs, 1 + nodes, dim)
        bias = self._bias(batch, edges)
        there = np.pad(batch.there, ((0, 0), (1, 0)), constant_values=True)
        for number in range(self._layers):
            states = self._layer(f"layers.{number}", states, bias, there)
        read = self._linear(self._normal(states[:, 0], "norm"), "score")
        found: Floats = read[:, 0]
        return found

    def _edges(self, batch: DenseBatch, words: Floats, question: Ints, questions: Floats) -> Floats:
        """The vector of each step on a shortest path; shape (path steps, dim)."""
        w = self._weights
        inverse = np.array([back for _, back in batch.steps], dtype=np.float32).reshape(-1, 1)
        scaled = _scaled(words)
        edges: Floats = (self._linear(scaled, "relation") + inverse * w["inverse"])[batch.step]
        if self.reads_question:
            asked = question[batch.graph]
            both = self._linear(scaled, "compared")[batch.step] * self._linear(_scaled(questions), "asked")[asked]
            alike = (words @ questions.T)[batch.step, asked]  # (path steps,)
            edges = edges + both + alike[:, None] * w["likeness"]
        return edges

    def _around(self, batch: DenseBatch, edges: Floats) -> Floats:
        """The mean of the steps to each node's neighbours; shape (graphs, nodes, dim)."""
        near = batch.distance[batch.graph, batch.first, batch.second] == 1
        total = np.zeros((*batch.role.shape, edges.shape[1]), dtype=np.float32)
        np.add.at(total, (batch.graph[near], batch.first[near]), edges[near] * batch.share[near, None])
        neighbours = (batch.distance == 1).sum(axis=2, keepdims=True)
        found: Floats = (total / np.maximum(neighbours, 1)).astype(np.float32)
        return found

    def _bias(self, batch: DenseBatch, edges: Floats) -> Floats:
        """What attention is given beside the nodes' vectors (6), (7); shape (graphs, heads, 1 + nodes, 1 + nodes)."""
        w = self._weights
        graphs, size = batch.role.shape
        along = (edges @ w["along"].reshape(FURTHEST * self._heads, -1).T).reshape(-1, FURTHEST, self._heads)
        own = along[np.arange(len(edges)), batch.hop] * batch.share[:, None]  # (path steps, heads)
        bias = np.empty((graphs, size + 1, size + 1, self._heads), dtype=np.float32)
        bias[:] = w["spatial.weight"][VIRTUAL]
        bias[:, 1:, 1:] = w["spatial.weight"][batch.distance]
        np.add.at(bias, (batch.graph, batch.first + 1, batch.second + 1), own)
        return bias.transpose(0, 3, 1, 2)

    def _layer(self, name: str, states: Floats, bias: Floats, there: Bools) -> Floats:
        """States after attention and a hidden layer (8), (9); shape (graphs, 1 + nodes, dim)."""
        graphs, size, dim = states.shape
        each = self._linear(self._normal(states, f"{name}.norm_attend"), f"{name}.attend")
        query, key, value = each.reshape(graphs, size, 3, self._heads, -1).transpose(2, 0, 3, 1, 4)
        logits = query @ key.swapaxes(2, 3) / np.float32(np.sqrt(dim // self._heads)) + bias
        logits = np.where(there[:, None, None], logits, FAR_BELOW)
        weight = np.exp(logits - logits.max(axis=-1, keepdims=True))
        weight = weight / weight.sum(axis=-1, keepdims=True)  # (graphs, heads, 1 + nodes, 1 + nodes)
        attended = (weight @ value).swapaxes(1, 2).reshape(graphs, size, dim)
        states = states + self._linear(attended, f"{name}.out")
        hidden = gelu(self._linear(self._normal(states, f"{name}.norm_feed"), f"{name}.up"))
        found: Floats = states + self._linear(hidden, f"{name}.down")
        return found

    def _linear(self, x: Floats, name: str) -> Floats:
        found: Floats = x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return found

    def _normal(self, x: Floats, name: str) -> Floats:
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + EPSILON)
        found: Floats = centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return found


def _scaled(vectors: Floats) -> Floats:
    """Vectors of unit norm with components of about 1, as layers that learn from nothing like them."""
    found: Floats = vectors * np.float32(np.sqrt(vectors.shape[1]))
    return found


class GraphRanker:
    """Ranks candidates with a Graphormer.

    :param encoder: reads questions and relations' words, as it did in the training
    """

    def __init__(self, network: GraphormerNetwork, encoder: Encoder) -> None:
        self._network = network
        self._encoder = CachedEncoder(encoder)

    def scores(self, items: Sequence[RankRequest]) -> list[Floats]:
        """The score of each candidate, shape (candidates,) each; what looks alike is read once.

        :raises EncoderError: the encoder can't be read or run
        """
        found: list[Floats] = [np.zeros(0, dtype=np.float32)] * len(items)
        of_graph: defaultdict[int, list[int]] = defaultdict(list)  # relations of one id may differ in other graphs
        for place, item in enumerate(items):
            of_graph[id(item.words)].append(place)
        for places in of_graph.values():
            own = self._of_graph([items[place] for place in places])
            for place, scores in zip(places, own, strict=True):
                found[place] = scores
        return found

    def _of_graph(self, items: Sequence[RankRequest]) -> list[Floats]:
        """The scores of candidates of one graph."""
        questions: dict[str, int] = {}
        number: dict[tuple[int, RoleGraph], int] = {}
        places = []
        for item in items:
            question = questions.setdefault(item.question, len(questions)) if self._network.reads_question else 0
            places.append([number.setdefault((question, graph), len(number)) for graph in item.graphs])
        vectors = self._encoder.encode(list(questions)) if questions else np.zeros((0, 0), dtype=np.float32)
        scores = self._scored(list(number), vectors, items[0].words)
        return [scores[own] for own in places]

    def _scored(self, pairs: Sequence[tuple[int, RoleGraph]], questions: Floats, words: RelationWords) -> Floats:
        """The score of each pair of a question and a subgraph; shape (pairs,).

        :param questions: shape (questions, width)
        """
        structures = {graph: encoded(graph) for _, graph in pairs}
        order = sorted(range(len(pairs)), key=lambda place: structures[pairs[place][1]].nodes)
        found = np.zeros(len(pairs), dtype=np.float32)
        for start in range(0, len(order), AT_ONCE):
            some = order[start : start + AT_ONCE]
            batch = dense_batch([structures[pairs[place][1]] for place in some])
            vectors = self._encoder.encode([words[relation][back] for relation, back in batch.steps])
            with one_thread():
                asked = np.array([pairs[place][0] for place in some])
                found[some] = self._network.scores(batch, vectors, asked, questions)
        return found
