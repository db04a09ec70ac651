"""Networks beside that of the paper for step I, of PyTorch Geometric's own layers; they learn and answer with torch.

They read what the paper's reads and give what it gives, distances of entities from their question, so that a model of
either is trained, saved and asked the same way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
import torch.nn.functional as functional
from torch import Tensor, nn  # PyG reads the annotations of what it calls when it runs
from torch_geometric.nn import SimpleConv, TransformerConv
from torch_geometric.utils import softmax

from kgqa_graphdb.gnn2r.graphs import GraphBatch, Inverse
from kgqa_graphdb.gnn2r.pyg.paper import PlainNetwork, UngatedNetwork
from kgqa_graphdb.gnn2r.pyg.text_network import BatchTensors, TextNetwork, euclidean, padded
from kgqa_graphdb.types import Bools, Floats

HEADS = 4
FURTHEST = 2.0
"""The distance of an entity that no walk arrives at."""


class AttentionNetwork(TextNetwork):
    """Graph attention over relations that the question weighs, a round for each hop, as readers such as NSM and ReaRev
    pass messages; what is near to the question's vector in the end is an answer.

    The relation is in the message itself, not only in its weight: an entity that has one neighbour alone would not know
    how they are joined. Source: Y. Shi et al., Masked Label Prediction (2021), for the layer;
    G. He et al. (2021), C. Mavromatis and G. Karypis (2022) for the reader.

    :param hops: the furthest that an entity is from a topic
    """

    def __init__(self, width: int, *, dim: int, layers: int, hops: int, inverse: Inverse) -> None:
        super().__init__(width, dim)
        self.distance = nn.Embedding(hops + 1, dim)
        self.layers = nn.ModuleList(TransformerConv(dim, dim // HEADS, HEADS, edge_dim=dim) for _ in range(layers))
        self.norms = nn.ModuleList(nn.LayerNorm(dim) for _ in range(layers))
        self.found = nn.Linear(dim, dim)
        self.tell_directions_apart(inverse)

    def forward(self, batch: BatchTensors, tokens: Tensor, mask: Tensor, relations: Tensor) -> Tensor:
        """Distance of each entity from its question; shape (entities,)."""
        question, by_layer = self.questions(tokens, mask, len(self.layers))
        entities = self.beginnings(batch.distance, self.away(batch.distance, self.distance), question[batch.question])
        for layer, norm, focus in zip(self.layers, self.norms, by_layer, strict=True):
            along = relations[batch.relation] * focus[batch.question[batch.sender]]  # (messages, dim)
            received = layer(entities, batch.ends, along[batch.edges[0]])
            entities = norm(entities + functional.relu(received))
        return euclidean(self.found(entities), question[batch.question])


class PathWalker(TextNetwork):
    """Walks from the topics, hop by hop along the relation that the question asks for, and keeps of each entity how
    surely it arrives there.

    Source: J. Shi et al., TransferNet (2021)
    """

    def __init__(self, width: int, *, dim: int, layers: int, hops: int, inverse: Inverse) -> None:
        super().__init__(width, dim)
        self.walk = SimpleConv(aggr="sum")
        self.wanted, self.hops = nn.Linear(dim, dim), nn.Linear(dim, layers)
        self.tell_directions_apart(inverse)

    def forward(self, batch: BatchTensors, tokens: Tensor, mask: Tensor, relations: Tensor) -> Tensor:
        """:data:`FURTHEST` less how surely a walk ends at each entity, 1..2; shape (entities,)."""
        question, by_hop = self.questions(tokens, mask, self.hops.out_features)
        share = self.hops(question).softmax(dim=-1)[batch.question].float()  # (entities, hops)
        there = (batch.distance == 0).float().unsqueeze(-1)  # (entities, 1)
        found = torch.zeros_like(there)
        asked = batch.question[batch.sender] * len(relations) + batch.relation  # (messages,)
        pairs, place = torch.unique(asked, return_inverse=True)  # a question and a relation of its subgraph each
        own, relation = pairs // len(relations), pairs % len(relations)
        for hop, focus in enumerate(by_hop):
            score = (relations[relation] * self.wanted(focus)[own]).sum(dim=-1).float() / self.dim**0.5  # (pairs,)
            taken = softmax(score, own, num_nodes=len(question))[place]  # (messages,)
            there = self.walk(there, batch.ends, taken[batch.edges[0]])
            there = there / there.detach().clamp(min=1)  # several walks to one entity are no more than sure
            found = found + share[:, hop : hop + 1] * there
        return FURTHEST - found.squeeze(-1)


NETWORKS: Mapping[str, type[AttentionNetwork | PathWalker | UngatedNetwork]] = {
    "attention": AttentionNetwork, "walker": PathWalker, "ungated": UngatedNetwork, "plain": PlainNetwork,
}  # fmt: skip


class TorchNetwork:
    """A network that has learned, asked as the paper's is in numpy.

    :param kind: of :data:`NETWORKS`
    :param weights: by the names of its own
    """

    def __init__(self, kind: str, weights: Mapping[str, Floats], layers: int) -> None:
        width, dim = weights["general.weight_ih_l0"].shape[1], weights["general.weight_hh_l0"].shape[1]
        hops = max(len(weights.get("distance.weight", "")) - 1, 0)
        inverse: Inverse = "apart" if "inverse" in weights else "same"
        self._network = NETWORKS[kind](width, dim=dim, layers=layers, hops=hops, inverse=inverse).eval()
        self._network.load_state_dict({name: torch.tensor(weights[name]) for name in self._network.state_dict()})

    @property
    def dim(self) -> int:
        """Length of a relation's vector."""
        return self._network.dim

    def relations(self, tokens: Sequence[Floats], inverse: Bools) -> Floats:
        """Vectors of relations, shape (relations, dim)."""
        with torch.inference_mode():
            found: Floats = self._network.relations(*padded(tokens), torch.from_numpy(inverse)).numpy()
        return found

    def distances(self, batch: GraphBatch, tokens: Sequence[Floats], relations: Floats) -> Floats:
        """Distance of each entity from its question; shape (entities,)."""
        with torch.inference_mode():
            tensors = BatchTensors.of(batch, torch.device("cpu"))
            found: Floats = self._network(tensors, *padded(tokens), torch.from_numpy(relations)).numpy()
        return found
