"""JSON lines and Parquet: facts, nodes, and what APOC exports."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgqa_graphdb.errors import LoadError
from kgqa_graphdb.types import Point
from kgqa_loaders.normal import REJECT, VALUE, normalise
from kgqa_loaders.recognise import open_source
from kgqa_loaders.records import Literal, Named, Record, Reject, RelationNote, Statement, Triple
from kgqa_loaders.relations import parse_relations
from kgqa_loaders.tables import JsonLines, Parquet
from tests.unit.loaders.samples import APOC_JSON, JSON_FACTS, JSON_NODES, parquet


def read(tmp_path: Path, content: bytes) -> list[Record]:
    path = tmp_path / "some.jsonl"
    path.write_bytes(content)
    return list(JsonLines(path, "some.jsonl").records())


def test_facts_have_qualifiers_or_values(tmp_path: Path) -> None:
    assert read(tmp_path, JSON_FACTS) == [
        Statement(1, "ann", "boss of", "ben", {"since": 2020}),
        Triple(2, "ben", "knows", "cleo"),
        Literal(3, "ben", "age", 22),
    ]


def test_nodes_have_names_labels_and_properties(tmp_path: Path) -> None:
    assert read(tmp_path, JSON_NODES) == [
        Named("ann", "Ann As", labels=("Person",), line=1), Literal(1, "ann", "born", 1970),
        Named("ben", "Ben", labels=("Person",), line=2), Literal(2, "ben", "tags", "young"),
        Literal(2, "ben", "tags", "tall"),
    ]  # fmt: skip


@pytest.mark.parametrize("content", [APOC_JSON, b"[" + APOC_JSON.strip().replace(b"\n", b",\n") + b"\n]\n"])
def test_export_of_apoc_is_read(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "some.json"
    path.write_bytes(content)
    assert list(open_source(str(path)).records()) == [
        Named("7", "Ann", labels=("Person",), line=1), Named("8", "Ben", labels=("Person",), line=2),
        Statement(3, "7", "BOSS_OF", "8", {"since": 2020}),
    ]  # fmt: skip


def test_place_is_a_point_and_null_is_nothing(tmp_path: Path) -> None:
    content = b'{"id": 7, "home": {"crs": "wgs-84", "latitude": 1.5, "longitude": 2}, "born": null, "x": []}'
    assert read(tmp_path, content) == [Named("7", line=1), Literal(1, "7", "home", Point(2.0, 1.5))]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ('{"crs": "wgs-84", "latitude": 1.5, "longitude": 2, "height": null}', Point(2.0, 1.5)),
        ('{"crs": "wgs-84-3d", "latitude": 1.5, "longitude": 2, "height": 100}',
         "{latitude:1.5, longitude:2.0, height:100.0}"),
    ],
)  # fmt: skip
def test_place_keeps_its_height(place: str, value: object, tmp_path: Path) -> None:
    node = f'{{"type": "node", "id": "7", "labels": [], "properties": {{"at": {place}}}}}'
    assert read(tmp_path, node.encode())[1:] == [Literal(1, "7", "at", value)]


NODE_ROWS = {
    "json lines": '{"id": "7", "name": "Ann", %s}\n',
    "apoc": '{"type": "node", "id": "7", "labels": [], "properties": {"name": "Ann", %s}}\n',
}
SEEN = parse_relations({"relations": {"seen": {"kind": "property", "datatype": "datetime"}}})


@pytest.mark.parametrize("row", NODE_ROWS.values(), ids=NODE_ROWS)
@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("2020-07-02T00:00:00[Europe/Berlin]", "2020-07-02T00:00:00+02:00"),
        ("2020-01-02T00:00:00+01:00[Europe/Berlin]", "2020-01-02T00:00:00+01:00"),
        ("2020-07-02T00:00:00", "2020-07-02T00:00:00+00:00"),
        ("2020-07-02T00:00:00[Mars/Base]", None),
    ],
)
def test_a_time_with_a_zone_is_what_it_is_in_csv(row: str, text: str, stored: str | None, tmp_path: Path) -> None:
    (tmp_path / "some.csv").write_text(f":ID,name,seen:datetime\n7,Ann,{text}\n")
    in_csv = list(open_source(str(tmp_path / "some.csv")).records())
    in_json = read(tmp_path, (row % f'"seen": "{text}"').encode())
    found = [
        [
            (one.c, one.d) if one.kind == VALUE else one.b
            for one in normalise(records, SEEN)
            if one.kind in VALUE + REJECT
        ]
        for records in (in_csv, in_json)
    ]
    wanted = ("datetime", stored) if stored else f"seen: {text!r} is no datetime"
    assert found == [[wanted], [wanted]]


@pytest.mark.parametrize("row", NODE_ROWS.values(), ids=NODE_ROWS)
def test_vectors_are_left_out_with_a_note(row: str, tmp_path: Path) -> None:
    numbers = [0.5] * 40
    vectors = f'"embedding": [0.5, 0.25, 0.5], "long": {numbers}, "sizes": [1.5, 2.5]'
    *notes, named, first, second = read(tmp_path, (row % vectors).encode())
    assert notes == [RelationNote(key, left_out="numbers in a list: a vector") for key in ("embedding", "long")]
    assert (named, first, second) == (
        Named("7", "Ann", line=1),
        Literal(1, "7", "sizes", 1.5),
        Literal(1, "7", "sizes", 2.5),
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"head": "a", "relation": "r"}', "neither a fact"),
        (b'{"head": "a", "relation": "r", "tail": ""}', "the tail is empty"),
        (b'{"head": "", "relation": "r", "tail": "b"}', "the head is empty"),
        (b'{"head": "a", "relation": "r", "tail": 3, "since": 4}', "can't have qualifiers"),
        (b'{"id": "a"', "no JSON"),
        (b"[1, 2]", "no JSON"),
        (b"17", "no JSON object"),
        (b"[" * 100_000, "no JSON"),
        (b'{"id": "\xff"}', "not UTF-8"),
    ],
)
def test_wrong_line_is_rejected(line: bytes, reason: str, tmp_path: Path) -> None:
    first, second = read(tmp_path, line + b'\n{"id": "b", "name": "Ben"}\n')
    assert isinstance(first, Reject)
    assert reason in first.reason
    assert second == Named("b", "Ben", line=2)


@pytest.mark.parametrize(
    ("value", "reason"), [('{"y": 1}', "x holds a nested object"), ("[[1]]", "x holds a list in a")]
)
def test_wrong_value_costs_no_other(value: str, reason: str, tmp_path: Path) -> None:
    row = f'{{"id": "a", "name": "Ann", "x": {value}, "born": 1970}}'
    named, born, reject = read(tmp_path, row.encode() + b"\n")
    assert (named, born) == (Named("a", "Ann", line=1), Literal(1, "a", "born", 1970))
    assert isinstance(reject, Reject)
    assert reject.reason.startswith(reason)
    assert reject.text == row


def table(tmp_path: Path, rows: list[dict[str, object]]) -> list[Record]:
    path = tmp_path / "some.parquet"
    path.write_bytes(parquet(rows, tmp_path))
    return list(Parquet(path, "some.parquet").records())


def test_parquet_of_facts_by_name(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"since": 2020, "Subject": "ann", "Predicate": "knows", "Object": "ben"},
        {"since": None, "Subject": "ben", "Predicate": "knows", "Object": "cleo"},
    ]
    assert table(tmp_path, rows) == [
        Statement(1, "ann", "knows", "ben", {"since": 2020}), Triple(2, "ben", "knows", "cleo")
    ]  # fmt: skip


def test_parquet_of_facts_by_position(tmp_path: Path) -> None:
    assert table(tmp_path, [{"a": 1, "b": "knows", "c": 2}]) == [Triple(1, "1", "knows", "2")]
    assert table(tmp_path, [{"a": "ann", "b": "age", "c": 2}]) == [Literal(1, "ann", "age", 2)]


def test_parquet_of_nodes(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"id": "ann", "name": "Ann", "labels": ["Person"], "born": 1970}]
    assert table(tmp_path, rows) == [Named("ann", "Ann", labels=("Person",), line=1), Literal(1, "ann", "born", 1970)]


def test_parquet_without_facts_or_nodes_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="facts need head, relation and tail"):
        table(tmp_path, [{"x": 1, "y": 2}])


def test_parquet_of_many_rows_numbers_them(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"head": f"h{at}", "relation": "r", "tail": "t"} for at in range(25_000)]
    records = table(tmp_path, rows)
    assert [getattr(record, "line", 0) for record in records] == list(range(1, 25_001))
