"""Which graph a file of questions is of."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgqa_graphdb.cli.train import files_of
from kgqa_graphdb.cli.train_gnn2r import of_step_two
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.train.gnn2r.train import TrainedSteps


def test_a_file_is_of_the_graph_that_stands_before_it_or_of_the_only_one(tmp_path: Path) -> None:
    found = files_of(["films=a.txt", "b.txt", "films=c.txt"], ["rivers"], "--questions")
    assert found == {"films": [Path("a.txt"), Path("c.txt")], "rivers": [Path("b.txt")]}


def test_a_file_may_have_an_equals_sign_in_its_name(tmp_path: Path) -> None:
    odd = tmp_path / "films=new.txt"
    odd.touch()
    assert files_of([str(odd), f"rivers={odd}"], ["films"], "--dev") == {"films": [odd], "rivers": [odd]}


@pytest.mark.parametrize("graphs", [[], ["films", "rivers"]])
@pytest.mark.parametrize("text", ["a.txt", "=a.txt"])
def test_a_file_of_nobody_knows_which_graph_is_refused(graphs: list[str], text: str) -> None:
    with pytest.raises(UsageError, match=r"--dev GRAPH=.*a\.txt"):
        files_of([text], graphs, "--dev")


@pytest.mark.parametrize(
    ("step_two", "f1", "said"),
    [
        (True, 0.8125, "F1 81.2%"),
        (True, None, "no question that was held out has a path"),
        (False, None, "not trained"),
    ],
)
def test_what_step_two_reached_is_said_or_why_not(tmp_path: Path, step_two: bool, f1: float | None, said: str) -> None:
    assert said in of_step_two(TrainedSteps(tmp_path, 10, 1.0, 0.9, 20, 3.0, step_two=step_two, held_out_two=f1))
