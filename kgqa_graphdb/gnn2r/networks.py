"""The networks that step I can be: the paper's, in numpy, and others that torch runs."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, TypeAlias

from kgqa_graphdb.errors import MissingExtraError
from kgqa_graphdb.gnn2r.graphs import GraphBatch
from kgqa_graphdb.gnn2r.network import StepOneNetwork
from kgqa_graphdb.types import Bools, Floats

NetworkKind: TypeAlias = Literal["gnn2r", "attention", "walker", "ungated", "plain"]
"""The paper's; graph attention over relations (as NSM and ReaRev); walks along relations (as TransferNet); the paper's
without its gates; and also without its attention."""


class AnswerNetwork(Protocol):
    """The forward pass of step I."""

    @property
    def dim(self) -> int:
        """Length of a relation's vector."""
        ...

    def relations(self, tokens: Sequence[Floats], inverse: Bools) -> Floats:
        """Vectors of relations, shape (relations, dim).

        :param tokens: of the words of each its tokens' vectors, shape (tokens, dim of the encoder)
        :param inverse: whether each is walked backwards, and is then a relation of its own; shape (relations,)
        """
        ...

    def distances(self, batch: GraphBatch, tokens: Sequence[Floats], relations: Floats) -> Floats:
        """Distance of each entity from its question, 0 or more; shape (entities,).

        :param tokens: of each question its tokens' vectors, shape (tokens, dim of the encoder)
        :param relations: vectors of the batch's relations, shape (used, dim)
        """
        ...


def open_network(kind: NetworkKind, weights: Mapping[str, Floats], layers: int) -> AnswerNetwork:
    """A network with the weights that it has learned.

    :raises MissingExtraError: it is of PyTorch Geometric, which is not installed
    """
    if kind == "gnn2r":
        return StepOneNetwork(weights, layers)
    try:
        with warnings.catch_warnings():  # of torch, about what PyTorch Geometric does with it
            warnings.simplefilter("ignore")
            from kgqa_graphdb.gnn2r.pyg.beside import TorchNetwork
    except ImportError as error:
        raise MissingExtraError(str(error.name), "gnn") from error
    return TorchNetwork(kind, weights, layers)
