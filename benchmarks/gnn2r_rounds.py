"""What it saves to compute entities that know the same once: step I of GNN2R with classes of entities, and one by one.

    kgqa export --graph pq3 --output pq3-export
    python -m benchmarks.gnn2r_rounds --graph pq3 --questions PQ-3H.txt --export pq3-export --hops 3

Both sides have the same weights, drawn at random, and the same questions; they take turns. *Ask* is the forward pass in
numpy, a question at a time; *learn* a batch of 16 in torch, forwards and backwards. Both run on one thread. The largest
difference between the distances is printed, too.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, median

import numpy as np

from benchmarks.common import environment, linked_sample
from kgqa_graphdb import KGQA
from kgqa_graphdb.export import SubgraphSettings
from kgqa_graphdb.gnn2r import network
from kgqa_graphdb.gnn2r.graphs import GraphBatch, side_by_side
from kgqa_graphdb.gnn2r.network import StepOneNetwork
from kgqa_graphdb.gnn2r.rounds import Round, Rounds, rounds_of
from kgqa_graphdb.rank.blas import one_thread
from kgqa_graphdb.train.gnn2r.lessons import lessons_of
from kgqa_graphdb.types import Floats, Ints

WIDTH, TOKENS, BATCH, LAYERS = 384, 9, 16, 3
Way = Callable[[GraphBatch, int], Rounds]


def one_by_one(batch: GraphBatch, count: int) -> Rounds:
    """Each entity as a class of its own."""
    every: Ints = np.arange(batch.distance.size)
    one = Round(batch.question, batch.sender, batch.relation, batch.message, batch.receiver, every)
    return Rounds(batch.distance, (one,) * count, every)


WAYS: dict[str, Way] = {"one by one": one_by_one, "classes": rounds_of}


class Sides:
    """Both sides: what takes turns is which classes there are."""

    def __init__(self, relations: int) -> None:
        import torch

        from kgqa_graphdb.gnn2r.pyg import text_network
        from kgqa_graphdb.gnn2r.pyg.paper import StepOneNetwork as TorchNetwork

        torch.manual_seed(0)
        torch.set_num_threads(1)
        self._modules = network, text_network
        self._torch = TorchNetwork(WIDTH, layers=LAYERS)
        self._numpy = StepOneNetwork({name: one.numpy() for name, one in self._torch.state_dict().items()}, LAYERS)
        rng = np.random.default_rng(0)
        self._vectors = rng.normal(size=(relations, self._numpy.dim)).astype(np.float32)
        self._tokens = [rng.normal(size=(TOKENS, WIDTH)).astype(np.float32) for _ in range(BATCH)]

    def take(self, way: Way) -> None:
        """Compute this way from now on."""
        for module in self._modules:
            module.rounds_of = way  # type: ignore[attr-defined]

    def ask(self, batch: GraphBatch) -> Floats:
        """The forward pass in numpy."""
        return self._numpy.distances(batch, self._tokens[: len(batch.starts) - 1], self._vectors[batch.relations])

    def learn(self, batch: GraphBatch) -> Floats:
        """A batch in torch, forwards and backwards."""
        import torch

        from kgqa_graphdb.gnn2r.pyg.text_network import BatchTensors, padded

        tensors = BatchTensors.of(batch, torch.device("cpu"))
        tokens, mask = padded(self._tokens[: len(batch.starts) - 1])
        distance = self._torch(tensors, tokens, mask, torch.from_numpy(self._vectors[batch.relations]))
        distance.sum().backward()
        self._torch.zero_grad()
        found: Floats = distance.detach().numpy()
        return found


def compared(sides: Sides, work: Callable[[GraphBatch], Floats], batches: Sequence[GraphBatch]) -> None:
    """Do the same work both ways, in turns, and print what it took."""
    took: dict[str, list[float]] = {name: [] for name in WAYS}
    apart = 0.0
    for batch in batches:
        found = []
        for name, way in WAYS.items():
            sides.take(way)
            began = time.process_time()
            found.append(work(batch))
            took[name].append((time.process_time() - began) * 1000)
        apart = max(apart, float(np.abs(found[0] - found[1]).max()))
    medians = {name: median(some) for name, some in took.items()}
    print(
        f"{work.__name__:<6} {medians['one by one']:>10.1f} {medians['classes']:>8.1f}"
        f" {medians['one by one'] / medians['classes']:>6.2f}   differ by {apart:.1e} at most"
    )


def main() -> None:
    """Cut subgraphs, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--export", type=Path, required=True, help="folder that kgqa export wrote")
    parser.add_argument("--hops", type=int, default=3)
    parser.add_argument("--nodes", type=int, default=500)
    parser.add_argument("--count", type=int, default=160)
    options = parser.parse_args()
    warnings.simplefilter("ignore", FutureWarning)  # of PyG, about torch
    with KGQA.connect(options.graph) as kg:
        exported, linked = linked_sample(kg, options.export, options.questions, options.count)
    lessons, _ = lessons_of(exported, linked, SubgraphSettings(options.hops, options.nodes), "apart")
    graphs = [lesson.graph for lesson in lessons]
    alone = [side_by_side([graph]) for graph in graphs]
    together = [side_by_side(graphs[at : at + BATCH]) for at in range(0, len(graphs) - BATCH + 1, BATCH)]
    print(environment())
    print(f"{len(graphs)} questions of {options.graph}; a subgraph's mean entities and messages, by round:")
    for name, way in WAYS.items():
        shapes = [[(one.before.size, one.sender.size) for one in way(batch, LAYERS).rounds] for batch in alone]
        means = [f"{mean(n for n, _ in of):.0f} {mean(m for _, m in of):.0f}" for of in zip(*shapes, strict=True)]
        print(f"  {name:<10} {', '.join(means)}")
    sides = Sides(2 * exported.num_relations)
    print(f"{'':<6} {'one by one':>10} {'classes':>8} {'ratio':>6}   medians, processor ms")
    with one_thread():
        compared(sides, sides.ask, alone)
        compared(sides, sides.learn, together)


if __name__ == "__main__":
    main()
