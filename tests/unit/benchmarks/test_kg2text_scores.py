"""Texts for triples are split so that dev has what train has not, and scored."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kgqa_graphdb.train.lora.examples import kg2text_examples
from tests.unit.benchmarks.scripts import run_script

PATTERNS = ["directed_by", "written_by", "starred_actors", "release_year", "has_genre", "in_language"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """400 entries on films of our own, of six relations; a name has a comma, one ends in brackets."""
    asked = "Your task is to transform a knowledge graph to a sentence. The knowledge graph is: {}. The sentence is:"
    entries = []
    for number in range(400):
        relation = PATTERNS[number % 6]
        triples = f"(Big, Big Film {number}, {relation}, Ann (actor)) (Up {number}, {relation}, Bob)"
        text = f"Ann (actor) made Big, Big Film {number}; Bob made Up {number}."
        entries.append({"instruction": asked.format(triples), "input": "", "output": text})
    folder = tmp_path / "kg2text" / "rra"
    folder.mkdir(parents=True)
    (folder / "MetaQA-kg2text-dev.json").write_text(json.dumps(entries))
    return tmp_path


def test_dev_is_not_in_train_and_the_same_each_time(data: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run_script("kg2text_scores.py", "metaqa", "--split", str(tmp_path / name), data=data)
    files = [tmp_path / "one" / "train.jsonl", tmp_path / "one" / "dev.jsonl"]
    train, dev = ([json.loads(line) for line in file.read_text().splitlines()] for file in files)
    assert (len(train), len(dev)) == (100, 300)
    assert not {one["triples"] for one in train} & {one["triples"] for one in dev}
    assert [file.read_text() for file in files] == [(tmp_path / "two" / file.name).read_text() for file in files]
    assert len(kg2text_examples(files)) == 400


def test_names_with_commas_and_brackets_are_one_name(data: Path, tmp_path: Path) -> None:
    run_script("kg2text_scores.py", "metaqa", "--split", str(tmp_path), data=data)
    lines = (tmp_path / "train.jsonl").read_text().splitlines()
    kept = re.compile(r"\(Big, Big Film \d+, [a-z ]+, Ann \(actor\)\) \(Up \d+, [a-z ]+, Bob\)")
    assert all(kept.fullmatch(json.loads(line)["triples"]) for line in lines)


def test_templates_are_scored(data: Path) -> None:
    table = run_script("kg2text_scores.py", "metaqa", "--limit", "20", data=data)
    row = re.search(r"\| templates \| all \| 20 \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|", table)
    assert row is not None, table
    assert all(0 < float(one) < 100 for one in row.groups())


def test_missing_data_is_named(tmp_path: Path) -> None:
    said = run_script("kg2text_scores.py", "webnlg", "--split", str(tmp_path), data=tmp_path, rc=1)
    assert "no texts for webnlg" in said
