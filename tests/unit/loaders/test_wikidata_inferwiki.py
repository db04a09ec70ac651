"""InferWiki's facts: relations by their labels, which other files turn into properties; wrong facts stay out."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.joined import properties_by_label
from kgqa_loaders.recognise import open_source, open_sources
from kgqa_loaders.records import Named, Record, Reject, RelationNote, Triple
from kgqa_loaders.wikidata.inferwiki import InferWiki

TRAIN = "Q1\tlocated_in\tQ2\nQ1\tspoken,_written_or_sung\tQ3\n"
TEST = "Q4\tlocated_in\tQ2\tn-1\tP0,P4\t1,4\nQ4\tmade_up\tQ1\t1-1\tP2\t1\n"
WRONG = "Q4\tlocated_in\tQ1\t-1\nQ3\tlocated_in\tQ1\t0c\n"


def read(folder: Path, **files: str) -> list[Record]:
    """The records of some files, named by keyword."""
    paths = []
    for name, text in files.items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        paths.append(str(path))
    return list(open_sources(paths).source.records())


def facts(records: list[Record]) -> list[tuple[str, str, str]]:
    return [(record.head, record.relation, record.tail) for record in records if isinstance(record, Triple)]


def test_relations_become_the_properties_that_are_labelled_so(tmp_path: Path) -> None:
    records = read(
        tmp_path, train=TRAIN, test=TEST, labels='{"P131": "located in", "P1412": "spoken, written or sung", "Q1": "x"}'
    )
    assert facts(records) == [
        ("Q1", "P131", "Q2"),
        ("Q1", "P1412", "Q3"),
        ("Q4", "P131", "Q2"),
        ("Q4", "made_up", "Q1"),
    ]
    assert any(isinstance(record, RelationNote) and record.label == "located in" for record in records)
    assert any(isinstance(record, RelationNote) and record.label == "spoken, written or sung" for record in records)


def test_without_labels_relations_keep_their_names(tmp_path: Path) -> None:
    records = read(tmp_path, train=TRAIN)
    assert facts(records) == [("Q1", "located_in", "Q2"), ("Q1", "spoken,_written_or_sung", "Q3")]
    assert RelationNote("located_in", label="located in", rank=9_000) in records


def test_properties_that_lists_of_labels_lack_are_known(tmp_path: Path) -> None:
    records = read(tmp_path, train="Q1\taspect_ratio\tQ2\n", labels='{"P131": "located in"}')
    assert facts(records) == [("Q1", "P2061", "Q2")]


def test_a_label_of_two_properties_stands_for_none_and_an_alias_for_what_has_no_such_label() -> None:
    names = {
        "P1": [Named("P1", "made by", aliases=("author", "maker"))],
        "P2": [Named("P2", "author")],
        "P3": [Named("P3", "twin")],
        "P4": [Named("P4", "Twin")],
        "Q5": [Named("Q5", "human")],
    }
    assert properties_by_label(names) == {"made by": "P1", "maker": "P1", "author": "P2"}


def test_files_of_wrong_facts_are_skipped_and_refused_by_themselves(tmp_path: Path) -> None:
    for name, text in (("train.txt", TRAIN), ("test_pos.txt", TEST), ("test_neg.txt", WRONG)):
        (tmp_path / name).write_text(text)
    opened = open_sources([str(tmp_path)])
    assert [Path(name).name for name in opened.skipped] == ["test_neg.txt"]
    with pytest.raises(LoadError, match="marks facts as wrong or unknown"):
        open_source(str(tmp_path / "test_neg.txt"))


def test_what_is_no_fact_is_rejected(tmp_path: Path) -> None:
    records = read(tmp_path, train="\ufeff" + TRAIN * 9 + "Q1\tlocated_in\n\n")
    assert [record.line for record in records if isinstance(record, Reject)] == [19]
    assert len(facts(records)) == 18


def test_other_processes_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "train"
    path.write_text(TRAIN)
    source = InferWiki(path, "train").with_properties({"located in": "P131"})
    other: InferWiki = pickle.loads(pickle.dumps(source))  # noqa: S301 - our own
    assert facts(list(other.records()))[0] == ("Q1", "P131", "Q2")
