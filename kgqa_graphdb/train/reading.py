"""A network over an encoder's vectors, in training: what the trainers of both predictors of relation paths share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Generic, TypeAlias, TypeVar

import numpy as np
import torch
from torch import nn

from kgqa_graphdb.encode.characters import WEIGHTS_PREFIX
from kgqa_graphdb.train.checkpoint import arrays_of
from kgqa_graphdb.train.paths.readers import Reader
from kgqa_graphdb.train.trainer import LoopOptions, Optimisation
from kgqa_graphdb.types import Floats

WARM_UP = 0.06
"""Share of the batches in which the learning rates rise, as in the code of Retrieve-Rewrite-Answer."""
Judge: TypeAlias = Callable[[Mapping[str, Floats]], float]
"""Scores weights on held-out questions; more is better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions(LoopOptions):
    """How to train; see :class:`kgqa_graphdb.train.trainer.LoopOptions`.

    :ivar batch: questions in a batch, as in the code of Retrieve-Rewrite-Answer
    :ivar rate: learning rate of the network. That code has 4e-5 for all of BERT; what is learned here begins with
        nothing
    :ivar encoder_rate: that of an encoder that learns too; ``None``: the same
    """

    batch: int = 64
    rate: float = 1e-3
    encoder_rate: float | None = None


OptionsT = TypeVar("OptionsT", bound=ReadingOptions)
NetworkT = TypeVar("NetworkT", bound=nn.Module)


class ReadingTrainer(Generic[OptionsT, NetworkT]):
    """A network and the encoder that it reads with.

    :param reader: reads texts; what it has of weights is trained too
    :param make_network: makes the network, for vectors of a width
    :param judge: ``None``: nothing is held out, and the last weights are kept
    :param what: digest of what is trained on
    """

    def __init__(
        self, reader: Reader, make_network: Callable[[int], NetworkT], judge: Judge | None, options: OptionsT, what: str
    ) -> None:
        self.device = reader.device
        torch.manual_seed(options.seed)
        self.rng = np.random.default_rng(options.seed)
        self.options = options
        self.identity = json.dumps([what, asdict(options)])
        self.reader, self.judge = reader, judge
        self.network = make_network(reader.width).to(self.device)
        parts = nn.ModuleList([self.network, reader.network])
        rates = [options.rate, options.encoder_rate or options.rate]
        self.optimisation = Optimisation(parts, rates, options.steps, WARM_UP)

    def evaluate(self, weights: Mapping[str, Floats]) -> float | None:
        """How good weights are on held-out questions; ``None``: none are held out."""
        return self.judge(weights) if self.judge else None

    def weights(self) -> dict[str, Floats]:
        """The weights as they are now."""
        return arrays_of(self.network.state_dict() | self.reader.network.state_dict(prefix=WEIGHTS_PREFIX))
