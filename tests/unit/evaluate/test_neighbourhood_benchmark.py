"""The figures of the neighbourhood benchmark: the paper's count all names that a model gave, ours what was grounded."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from kgqa_graphdb.evaluate import Predicted, score
from kgqa_graphdb.evaluate.outcome import Outcome
from kgqa_graphdb.questions import Gold

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("benchmarks.neighbourhood")


def outcome(gold: str, answers: str, ungrounded: tuple[str, ...] | None = (), error: str = "") -> Outcome:
    golds = tuple(Gold(name=name) for name in gold)
    predicted = tuple(Predicted("", name, 1 / place) for place, name in enumerate(answers, start=1))
    scores = None if error else score(predicted, golds)
    return Outcome("1", "q?", golds, predicted, scores, error=error, ungrounded=ungrounded)


def test_the_papers_f1_is_of_the_means_and_counts_names_from_outside(script: Any) -> None:
    found = script.figures_of([outcome("ab", "ab", ("x", "y")), outcome("a", "", ()), outcome("a", "", None, "no")])
    assert found["paper"] == {"precision": 0.25, "recall": 0.5, "f1": 0.3333}
    assert (found["precision"], found["recall"], found["f1"]) == (0.5, 0.5, 0.5)
    assert found["ungrounded"] == 0.5
    assert (found["questions"], found["errors"]) == (3, 1)


def test_hits_are_among_the_first_one_three_and_ten(script: Any) -> None:
    figures = script.Figures()
    for best in ("abc", "bca", "xyz"):
        script.add_hits("ends", list(best), frozenset("a"), figures)
    means = {name: one["mean"] for name, one in figures.to_dict().items()}
    assert means == {"ends_at_1": 0.3333, "ends_at_3": 0.6667, "ends_at_10": 0.6667}
    low, high = figures.to_dict()["ends_at_3"]["interval"]
    assert 0 <= low < 0.6667 < high <= 1
