"""The plot of a training: what it shows, and that a training does not fail for want of it."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kgqa_graphdb.plots import PLOT, plot_training

HISTORY = [{"step": 20, "loss": 3.0, "held_out": 0.2}, {"step": 40, "loss": 1.5, "held_out": 0.6}]


def test_loss_and_held_out_score_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    whole = plot_training(HISTORY, 40, tmp_path)
    assert whole == tmp_path / PLOT
    drawn = whole.read_text("utf-8")
    assert ElementTree.fromstring(drawn).tag.endswith("svg")  # noqa: S314 - our own
    assert {"<!-- loss -->", "<!-- held-out score -->", "<!-- step -->"} <= {line.strip() for line in drawn.split("\n")}
    again = plot_training(HISTORY, 40, tmp_path)
    assert again is not None
    assert again.read_text("utf-8") == drawn


def test_without_held_out_questions_the_loss_alone_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    made = plot_training([{"step": 20, "loss": 3.0}], 20, tmp_path)
    assert made is not None
    assert "held-out" not in made.read_text("utf-8")


def test_without_matplotlib_the_log_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with caplog.at_level(logging.WARNING):
        assert plot_training(HISTORY, 40, tmp_path) is None
    assert "kgqa-graphdb[train]" in caplog.text
    assert not list(tmp_path.iterdir())
