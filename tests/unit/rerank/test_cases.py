"""The file of cases: what was written is read, whatever ranker learns from it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.rerank.shown import CANDIDATE, TOPIC, RoleGraph
from kgqa_graphdb.train.rerank.cases import Case, _kept

GRAPH = RoleGraph((TOPIC, CANDIDATE), ((0, 1, "author"), (1, 0, "wrote")))
CASES = [
    Case("1", "who wrote it", ("a, b, c", "x"), (GRAPH, GRAPH), ((1.0, 0.5), (0.0, 0.25)), (True, False)),
    Case("2", "and this", (), (), (), ()),
]
HEAD = json.dumps({"of": "digest"})


def written(file: Path, end: str = "") -> Path:
    lines = [HEAD, *(json.dumps(asdict(one)) for one in CASES)]
    file.write_text("\n".join(lines) + "\n" + end, encoding="utf-8")
    return file


def test_cases_are_read_as_they_were_written_subgraphs_too(tmp_path: Path) -> None:
    found = _kept(written(tmp_path / "cases.jsonl"), HEAD)
    assert found == CASES
    assert len({*found[0].graphs, GRAPH}) == 1
    request = found[0].request({"author": ("author", "works of")})
    assert (request.question, request.sequences, request.graphs) == ("who wrote it", ("a, b, c", "x"), (GRAPH, GRAPH))
    assert [case.teaches for case in found] == [True, False]


def test_a_line_that_was_cut_off_is_not_read_and_a_file_of_other_questions_is_left_alone(tmp_path: Path) -> None:
    file = written(tmp_path / "cases.jsonl", end='{"id": "3", "te')
    assert _kept(file, HEAD) == CASES
    assert file.read_text(encoding="utf-8").count("\n") == 3
    before = file.read_bytes()
    with pytest.raises(UsageError, match="other questions"):
        _kept(file, json.dumps({"of": "another"}))
    assert file.read_bytes() == before
    assert _kept(tmp_path / "none", HEAD) == []
    (tmp_path / "begun").touch()
    assert _kept(tmp_path / "begun", HEAD) == []
