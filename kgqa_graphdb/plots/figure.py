"""Plots as files: the same data give the same bytes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgqa_graphdb.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def new_figure(height: float, extra: str = "report") -> tuple[Figure, Any]:
    """An empty figure, 8 inches wide, and its axes.

    :param height: in inches
    :param extra: of this package that brings matplotlib
    :raises MissingExtraError: matplotlib is not installed
    """
    try:
        from matplotlib import rcParams
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("matplotlib", extra) from error
    rcParams["svg.hashsalt"] = "kgqa"  # the same plot is the same file
    figure = Figure(figsize=(8.0, height), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def write_svg(figure: Figure, path: Path) -> None:
    """Write a figure.

    :raises OSError: the file can't be written
    """
    figure.savefig(path, format="svg", metadata={"Date": None})
