"""Figures of a training, as a model card has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kgqa_graphdb.models.card import STRICT


@dataclass(frozen=True, slots=True)
class TrainingFigures:
    """Figures of a training, for people.

    :ivar options: how it was trained
    :ivar questions: that were learned
    :ivar held_out: questions that it was judged by
    :ivar left_out: questions that could not be learned
    :ivar metrics: on the questions held out
    :ivar history: step, loss and score of each evaluation
    """

    __pydantic_config__ = STRICT

    options: Mapping[str, float | str | bool | None] = field(default_factory=dict)
    questions: int = 0
    held_out: int = 0
    left_out: int = 0
    metrics: Mapping[str, float] = field(default_factory=dict)
    history: tuple[Mapping[str, float], ...] = ()
    seconds: float = 0.0
