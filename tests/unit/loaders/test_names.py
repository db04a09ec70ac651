"""Names files, and ids that are names with underscores."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.names import NamedBlocks, read_names, with_names
from kgqa_loaders.recognise import open_source
from kgqa_loaders.records import BlockSource, InMemorySource, Named, Record, Reject, Triple


def facts(tmp_path: Path, text: str = "/m/01\t/a/b/c\t/m/02\n/m/01\t/a/b/d\t/m/03\n") -> BlockSource:
    path = tmp_path / "facts.tsv"
    path.write_text(text, encoding="utf-8")
    source = open_source(str(path))
    assert isinstance(source, BlockSource)
    return source


def names_of(tmp_path: Path, *contents: str) -> list[Record]:
    """The records on names that files of that content add to the facts."""
    files = []
    for number, content in enumerate(contents):
        path = tmp_path / f"names{number}"
        path.write_text(content, encoding="utf-8")
        files.append(str(path))
    records = with_names(facts(tmp_path), files).records()
    return [record for record in records if isinstance(record, (Named, Reject))]


def test_lines_give_names_to_the_entities_that_there_are(tmp_path: Path) -> None:
    assert names_of(tmp_path, "/m/01\tAnn Lee\n/m/99\tNobody\n/m/03\tBo\tA person.\n") == [
        Named("/m/01", "Ann Lee", line=1),
        Named("/m/03", "Bo", description="A person.", line=3),
    ]


def test_underscores_are_spaces_where_no_name_has_a_space(tmp_path: Path) -> None:
    assert names_of(tmp_path, "/m/01\tAnn_Lee\n/m/02\tBo\n") == [
        Named("/m/01", "Ann Lee", line=1),
        Named("/m/02", "Bo", line=2),
    ]
    kept = names_of(tmp_path, "/m/01\tsnake_case\n/m/02\tAnn Lee\n")
    assert kept[0] == Named("/m/01", "snake_case", line=1)


def test_descriptions_behind_dashes_are_taken_off(tmp_path: Path) -> None:
    assert names_of(tmp_path, "/m/01\tAnn Lee -- A painter -- of towers.\n") == [
        Named("/m/01", "Ann Lee", description="A painter -- of towers.", line=1)
    ]


def test_json_gives_labels_alternatives_and_descriptions(tmp_path: Path) -> None:
    table = {
        "/m/01": {"label": "Ann Lee", "alternatives": ["A. Lee", None], "description": None, "other": 1},
        "/m/02": "Bo",
        "/m/03": ["Cy", "Cyrus"],
        "/m/04": {},
    }
    found = names_of(tmp_path, json.dumps(table))
    assert found == [
        Reject(0, "names0: it gives '/m/04' no name", "{}"),
        Named("/m/01", "Ann Lee", ("A. Lee",)),
        Named("/m/02", "Bo"),
        Named("/m/03", "Cy", ("Cyrus",)),
    ]


def test_the_first_file_has_the_first_say(tmp_path: Path) -> None:
    found = names_of(tmp_path, "/m/01\tAnn Lee\n", json.dumps({"/m/01": "Lee, Ann"}))
    assert [(record.name, record.rank) for record in found if isinstance(record, Named)] == [
        ("Ann Lee", 0),
        ("Lee, Ann", 1),
    ]


def test_a_line_without_a_name_is_a_reject(tmp_path: Path) -> None:
    found = names_of(tmp_path, "/m/01\n/m/02\tBo\n")
    assert found[0] == Reject(1, "names0: it is no id and name with a tab between", "/m/01")


def test_each_block_names_its_own_entities_also_in_another_process(tmp_path: Path) -> None:
    (tmp_path / "names").write_text("/m/01\tAnn Lee\n")
    source: NamedBlocks = pickle.loads(pickle.dumps(with_names(facts(tmp_path), [str(tmp_path / "names")])))  # noqa: S301 - our own
    (block,) = source.blocks()
    assert list(source.parse(block)) == list(source.records())
    assert Named("/m/01", "Ann Lee", line=1) in list(source.parse(block))


def test_a_source_without_blocks_is_named_too(tmp_path: Path) -> None:
    (tmp_path / "names").write_text("a\tAnn\n")
    source = with_names(InMemorySource("held", [Triple(1, "a", "r", "b")]), [str(tmp_path / "names")])
    assert list(source.records()) == [Triple(1, "a", "r", "b"), Named("a", "Ann", line=1)]


def test_other_names_are_another_content(tmp_path: Path) -> None:
    (tmp_path / "names").write_text("/m/01\tAnn\n")
    plain = facts(tmp_path)
    assert with_names(plain, []) is plain
    assert with_names(plain, [str(tmp_path / "names")]).checksum() != plain.checksum()


def test_a_names_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="no names file"):
        read_names([str(tmp_path / "nothing")])
    (tmp_path / "broken").write_text('{"a": ')
    with pytest.raises(LoadError, match="as JSON"):
        read_names([str(tmp_path / "broken")])


def test_ids_that_are_names_with_underscores_get_spaces_and_stay_aliases(tmp_path: Path) -> None:
    source = facts(tmp_path, "ann_lee_of_york\tspouse\tbo\nbo\tspouse\tann_lee_of_york\n")
    assert [record for record in source.records() if isinstance(record, Named)] == [
        Named("ann_lee_of_york", "ann lee of york", ("ann_lee_of_york",))
    ]
    assert all(isinstance(record, Triple) for record in facts(tmp_path, "ann_lee\tspouse\tBo Li\n").records())
