"""A plot of a training: loss and held-out score at each evaluation."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from kgqa_graphdb.errors import MissingExtraError
from kgqa_graphdb.plots.figure import new_figure, write_svg

log = logging.getLogger(__name__)
PLOT = "training.svg"


def plot_training(
    history: Sequence[Mapping[str, float]], best_step: int, output: Path, name: str = PLOT
) -> Path | None:
    """Write a plot to a model's folder.

    :param history: of each evaluation its ``step``, ``loss`` and, if something is held out, ``held_out``
    :param best_step: the evaluation whose weights were kept
    :param name: of the file
    :return: the file; ``None``: matplotlib is not installed, which the log says
    """
    try:
        figure, axes = new_figure(4.0, "train")
    except MissingExtraError as error:
        log.warning("no plot of the training: %s", error)  # hours of training are not to end in an error over it
        return None
    steps = [look["step"] for look in history]
    axes.plot(steps, [look["loss"] for look in history], marker="o", color="C0")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("step")
    axes.set_ylabel("loss", color="C0")
    scored = [(look["step"], look["held_out"]) for look in history if "held_out" in look]
    if scored:
        right = axes.twinx()
        right.spines["top"].set_visible(False)
        right.plot(*zip(*scored, strict=True), marker="o", color="C1")
        right.set_ylabel("held-out score", color="C1")
        right.axvline(best_step, color="#555", linestyle=":")
        right.annotate(" best", (best_step, right.get_ylim()[0]), color="#555")
    path = output / name
    write_svg(figure, path)
    return path
