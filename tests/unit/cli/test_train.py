"""Which graph a file of questions is of."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgqa_graphdb.cli.train import files_of
from kgqa_graphdb.errors import UsageError


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
