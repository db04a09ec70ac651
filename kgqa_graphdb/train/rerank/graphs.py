"""A Graphormer in training: it reads subgraphs without names, their relations' words and, where it does, questions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from kgqa_graphdb.encode import Encoder
from kgqa_graphdb.models import write_weights
from kgqa_graphdb.rerank.encodings import WalkedStep, encoded
from kgqa_graphdb.rerank.files import GRAPHORMER
from kgqa_graphdb.rerank.graphormer import GraphormerNetwork, GraphRanker
from kgqa_graphdb.rerank.shown import RelationWords, RoleGraph
from kgqa_graphdb.train.checkpoint import arrays_of
from kgqa_graphdb.train.rerank.cases import Case
from kgqa_graphdb.train.rerank.fit import Shown
from kgqa_graphdb.train.rerank.network import Graphormer, StructureData, Vectors, structure_data

if TYPE_CHECKING:
    from torch import Tensor


MOST_KEPT = 20_000
"""Subgraphs that are kept as tensors: some 150 MB."""


class GraphScorer:
    """A Graphormer that begins with nothing.

    :param cases: all whose candidates will be scored
    :param words: of the graph's relations
    :param encoder: reads these, and questions
    :raises EncoderError: the encoder can't be read or run
    """

    def __init__(self, cases: Sequence[Case], words: RelationWords, encoder: Encoder, *, reads_question: bool) -> None:
        self._encoder, self._reads_question = encoder, reads_question
        relations = dict.fromkeys(one for case in cases for graph in case.graphs for *_, one in graph.edges)
        steps: list[WalkedStep] = [(relation, back) for relation in relations for back in (False, True)]
        self._number = {step: place for place, step in enumerate(steps)}
        texts = list(dict.fromkeys(case.text for case in cases)) if reads_question else []
        self._question = {text: place for place, text in enumerate(texts)}
        vectors = encoder.encode([*(words[relation][back] for relation, back in steps), *texts])
        self._vectors = Vectors(
            torch.from_numpy(np.ascontiguousarray(vectors[: len(steps)])),
            torch.tensor([float(back) for _, back in steps]),
            torch.from_numpy(np.ascontiguousarray(vectors[len(steps) :])),
        )
        self._data: dict[RoleGraph, StructureData] = {}
        self.network = Graphormer(vectors.shape[1], reads_question=reads_question)

    def key(self, shown: Shown) -> Hashable:
        """The subgraph and, where it is read, the question."""
        case, place = shown
        return case.text if self._reads_question else "", case.graphs[place]

    def size(self, shown: Shown) -> int:
        """Nodes of the subgraph."""
        case, place = shown
        return len(case.graphs[place].roles)

    def logits(self, shown: Sequence[Shown]) -> Tensor:
        """The score of each; shape (shown,)."""
        device = self.network.virtual.device
        if self._vectors.words.device != device:
            own = self._vectors
            self._vectors = Vectors(own.words.to(device), own.inverse.to(device), own.questions.to(device))
        question = torch.tensor([self._question.get(case.text, 0) for case, _ in shown], device=device)
        found: Tensor = self.network([self._read(case.graphs[place]) for case, place in shown], question, self._vectors)
        return found

    def _read(self, graph: RoleGraph) -> StructureData:
        if len(self._data) >= MOST_KEPT:
            self._data.clear()
        if graph not in self._data:
            self._data[graph] = structure_data(encoded(graph), self._number)
        return self._data[graph]

    def save(self, folder: Path) -> GraphRanker:
        """Write its weights."""
        weights = arrays_of(self.network.state_dict())
        write_weights(weights, folder / GRAPHORMER)
        return GraphRanker(GraphormerNetwork(weights), self._encoder)
