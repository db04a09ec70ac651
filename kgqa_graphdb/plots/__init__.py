"""Plots as files: of a training, and of an evaluation's report."""

from kgqa_graphdb.plots.figure import new_figure, write_svg
from kgqa_graphdb.plots.training import PLOT, plot_training

__all__ = ["PLOT", "new_figure", "plot_training", "write_svg"]
