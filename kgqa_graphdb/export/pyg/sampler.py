"""Samples neighbours for PyTorch Geometric's loaders in numpy: its own sampler needs the package pyg-lib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch_geometric.sampler import (
    BaseSampler,
    EdgeSamplerInput,
    HeteroSamplerOutput,
    NegativeSampling,
    NodeSamplerInput,
)
from torch_geometric.sampler.neighbor_sampler import edge_sample, node_sample

from kgqa_graphdb.export.pyg.stores import EdgeType, FactStore
from kgqa_graphdb.export.subgraph import runs
from kgqa_graphdb.types import Ints


class FactSampler(BaseSampler):
    """Samples up to so many edges of each type to each entity, hop by hop, without repeats.

    Give it to ``NeighborLoader`` or ``LinkNeighborLoader`` as ``neighbor_sampler``. Its time grows with the edges that
    the sampled entities have, so an entity of a million facts costs milliseconds.

    :param num_neighbors: edges of a type to an entity in each hop; -1: all
    :param seed: of what is drawn; each of a loader's workers draws other numbers, by the seed that torch gives it
    """

    def __init__(self, facts: FactStore, num_neighbors: Sequence[int], *, seed: int = 0) -> None:
        super().__init__()
        self._sources, self._starts, self._facts = facts.csc()
        self._counts = dict(facts.nodes.counts)
        self._num_neighbors = list(num_neighbors)
        self._seed = seed
        self._random = np.random.default_rng(seed)
        self._worker: int | None = None

    @property
    def edge_permutation(self) -> dict[EdgeType, torch.Tensor | None]:
        """The number of the fact that an edge is, by edge type."""
        return self._facts

    def sample_from_nodes(self, index: NodeSamplerInput, **kwargs: Any) -> HeteroSamplerOutput:
        """The subgraph around entities."""
        return node_sample(index, self._sample)

    def sample_from_edges(
        self, index: EdgeSamplerInput, neg_sampling: NegativeSampling | None = None
    ) -> HeteroSamplerOutput:
        """The subgraph around the ends of edges."""
        return edge_sample(index, self._sample, self._counts, False, None, neg_sampling)

    def _sample(self, seed: Mapping[str, torch.Tensor], seed_time: Any = None) -> HeteroSamplerOutput:
        nodes = {kind: [np.zeros(0, np.int64)] for kind in self._counts}
        for kind, given in seed.items():
            nodes[kind] = [np.asarray(given, dtype=np.int64)]
        edges: dict[EdgeType, list[tuple[Ints, Ints, Ints]]] = {one: [] for one in self._sources}
        frontier = {kind: parts[0] for kind, parts in nodes.items()}
        for count in self._num_neighbors:
            found: dict[str, list[Ints]] = {kind: [] for kind in self._counts}
            for edge_type, drawn in edges.items():
                targets = frontier[edge_type[2]]
                owner, places = self._draw(self._starts[edge_type].numpy(), targets, count)
                sources = self._sources[edge_type].numpy()[places]
                drawn.append((sources, targets[owner], places))
                found[edge_type[0]].append(sources)
            for kind, some in found.items():
                new = np.setdiff1d(np.concatenate([np.zeros(0, np.int64), *some]), np.concatenate(nodes[kind]))
                nodes[kind].append(new)
                frontier[kind] = new
        return self._output(nodes, edges)

    def _draw(self, starts: Ints, targets: Ints, count: int) -> tuple[Ints, Ints]:
        """Places of edges to targets, at most ``count`` to each, and the place of the target that each is of."""
        first, end = starts[targets], starts[targets + 1]
        places, owner = runs(first, end), np.repeat(np.arange(targets.size), end - first)
        if count < 0 or not places.size:
            return owner, places
        order = np.lexsort((self._numbers().random(places.size), owner))
        rank = np.arange(places.size) - np.repeat(np.cumsum(end - first) - (end - first), end - first)
        chosen = np.sort(order[rank < count])
        return owner[chosen], places[chosen]

    def _numbers(self) -> np.random.Generator:
        """The random numbers of the process that asks: in a worker its own, and in each epoch others."""
        worker = torch.utils.data.get_worker_info()
        if worker is not None and worker.seed != self._worker:
            self._worker = worker.seed
            self._random = np.random.default_rng([self._seed, worker.seed])
        return self._random

    def _output(
        self, nodes: Mapping[str, list[Ints]], edges: Mapping[EdgeType, list[tuple[Ints, Ints, Ints]]]
    ) -> HeteroSamplerOutput:
        all_nodes = {kind: np.concatenate(some) for kind, some in nodes.items()}
        order = {kind: np.argsort(some, kind="stable") for kind, some in all_nodes.items()}

        def local(kind: str, numbers: Ints) -> torch.Tensor:
            if not numbers.size:
                return torch.zeros(0, dtype=torch.long)
            ascending = all_nodes[kind][order[kind]]
            return torch.from_numpy(order[kind][np.searchsorted(ascending, numbers)])

        rows, columns, facts = {}, {}, {}
        for edge_type, drawn in edges.items():
            sources, targets, places = (np.concatenate([one[at] for one in drawn]) for at in range(3))
            rows[edge_type] = local(edge_type[0], sources)
            columns[edge_type] = local(edge_type[2], targets)
            facts[edge_type] = torch.from_numpy(places)
        return HeteroSamplerOutput(
            node={kind: torch.from_numpy(some) for kind, some in all_nodes.items()},
            row=rows,
            col=columns,
            edge=facts,
            num_sampled_nodes={kind: [some.size for some in parts] for kind, parts in nodes.items()},
            num_sampled_edges={one: [part[0].size for part in drawn] for one, drawn in edges.items()},
        )
