"""CSV: what neo4j-admin would make of a file is what we make of it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LoadError
from kgqa_graphdb.types import Point
from kgqa_loaders.csv_graph import CsvGraph, parse_header
from kgqa_loaders.recognise import open_source, open_sources
from kgqa_loaders.records import Literal, Named, Record, Reject, RelationNote, Statement, Triple


def read(tmp_path: Path, text: str, file: str = "some.csv") -> list[Record]:
    path = tmp_path / file
    path.write_text(text)
    return list(open_source(str(path)).records())


def values(records: list[Record]) -> dict[str, object]:
    return {record.relation: record.value for record in records if isinstance(record, Literal)}


def test_node_has_id_name_labels_and_typed_values(tmp_path: Path) -> None:
    header = (
        ":ID(P),name,born:int,height:float,paid:boolean,when:date,at:datetime,home:point{crs:WGS-84},x:IGNORE,:LABEL"
    )
    row = (
        '7,"Ann, ""A""",1970,1.5,true,2020-01-02,2020-01-02T03:04:05[UTC],"{latitude:1.5, longitude:2}",no,Person;Boss'
    )
    named, *rest = read(tmp_path, f"{header}\n{row}\n")
    assert named == Named("P:7", 'Ann, "A"', labels=("Person", "Boss"), line=2)
    assert values(rest) == {
        "born": 1970, "height": 1.5, "paid": True, "when": date(2020, 1, 2),
        "at": datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC), "home": Point(2.0, 1.5),
    }  # fmt: skip


def test_id_with_a_name_is_a_property_too(tmp_path: Path) -> None:
    assert values(read(tmp_path, "nr:ID{id-type:long},:LABEL\n7,A\n")) == {"nr": 7}
    assert values(read(tmp_path, ":ID,:LABEL\n7,A\n")) == {}


def test_list_is_a_value_for_each_item(tmp_path: Path) -> None:
    records = read(tmp_path, ":ID,tags:string[]\n7,a;b\n")
    assert [record.value for record in records if isinstance(record, Literal)] == ["a", "b"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_relationships_have_qualifiers(delimiter: str, tmp_path: Path) -> None:
    lines = [":START_ID(P),:TYPE,:END_ID(F),roles:string[],pay:int", "1,ACTED_IN,1,Neo:Trinity,5", "1,DIRECTED,2,,"]
    text = "\n".join(line.replace(",", delimiter).replace(":T", ";T" if ":Tr" in line else ":T") for line in lines)
    if delimiter == ";":
        text = text.replace("Neo;Trinity", '"Neo;Trinity"')
    acted, directed = read(tmp_path, text + "\n")
    assert acted == Statement(2, "P:1", "ACTED_IN", "F:1", {"roles": ["Neo", "Trinity"], "pay": 5})
    assert directed == Triple(3, "P:1", "DIRECTED", "F:2")


def test_header_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "people-header.csv").write_text("id:ID,name,:LABEL\n")
    (tmp_path / "people.csv").write_text("1,Ann,Person\n")
    (tmp_path / "people-2.csv").write_text("2,Ben,Person\n")
    (tmp_path / "knows_header.csv").write_text(":START_ID,:END_ID,:TYPE\n")
    (tmp_path / "knows_part1.csv").write_text("1,2,KNOWS\n")
    opened = open_sources([str(tmp_path)])
    assert opened.formats == ("csv",) * 5
    records = list(opened.source.records())
    assert {record.name for record in records if isinstance(record, Named)} == {"Ann", "Ben"}
    assert [record for record in records if isinstance(record, Triple)] == [Triple(1, "1", "KNOWS", "2")]


def test_without_a_type_column_the_file_names_the_relation(tmp_path: Path) -> None:
    assert read(tmp_path, ":START_ID,:END_ID\n1,2\n", "KNOWS.csv") == [Triple(2, "1", "KNOWS", "2")]


def test_export_of_apoc_holds_nodes_and_relationships(tmp_path: Path) -> None:
    header = '"_id","_labels","name","_start","_end","_type","since"'
    text = f'{header}\n"0",":Person:Boss","Ann",,,,\n,,,"0","1","KNOWS","2020"\n'
    node, edge = read(tmp_path, text)
    assert node == Named("0", "Ann", labels=("Person", "Boss"), line=2)
    assert edge == Statement(3, "0", "KNOWS", "1", {"since": "2020"})


def test_table_of_triples_has_qualifiers(tmp_path: Path) -> None:
    records = read(tmp_path, "subject,source,predicate,object\nann,diary,knows,ben\nben,,knows,cleo\n")
    assert records == [Statement(2, "ann", "knows", "ben", {"source": "diary"}), Triple(3, "ben", "knows", "cleo")]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("1,Ann,2,more", "4 columns instead of 3"), ('1,"Ann,3', "not closed"),
        ('1,"A"nn,3', "quotes are wrong"), ("1,A\x00nn,3", "NUL"),
    ],
)  # fmt: skip
def test_wrong_row_is_rejected_and_the_next_is_read(row: str, reason: str, tmp_path: Path) -> None:
    records = read(tmp_path, f":ID,name,born:int\n{row}\n2,Ben,7\n")
    assert isinstance(records[0], Reject)
    assert reason in records[0].reason
    assert records[0].line == 2
    assert records[1:] == [Named("2", "Ben", line=3), Literal(3, "2", "born", 7)]


@pytest.mark.parametrize("cell", ["unknown", '"1,970"', "1970.0", "9999999999999999999"])
def test_wrong_cell_costs_no_other(cell: str, tmp_path: Path) -> None:
    text = cell.strip('"')
    reject, *rest = read(tmp_path, f"id:ID,name,born:int,height:float,:LABEL\n1,Ann,{cell},1.5,Person\n")
    assert reject == Reject(2, f"born: {text!r} is no integer", f"1,Ann,{text},1.5,Person")
    assert rest == [Named("1", "Ann", labels=("Person",), line=2), *rest[1:]]
    assert values(rest)["height"] == 1.5
    assert "born" not in values(rest)


def test_wrong_qualifier_costs_no_fact_and_wrong_item_no_list(tmp_path: Path) -> None:
    reject, fact = read(tmp_path, ":START_ID,:TYPE,:END_ID,since:int,pay:int[]\n1,KNOWS,2,never,1;x;3\n")[1:]
    assert isinstance(reject, Reject)
    assert fact == Statement(2, "1", "KNOWS", "2", {"pay": [1, 3]})


def test_vector_is_left_out_with_a_note(tmp_path: Path) -> None:
    note, named, *rest = read(tmp_path, ":ID,name,embedding:float[],sizes:float[]\n1,Ann,0.5;0.25;0.5,1.5;2.5\n")
    assert note == RelationNote("embedding", left_out="numbers in a list: a vector")
    assert named == Named("1", "Ann", line=2)
    assert [record.value for record in rest if isinstance(record, Literal)] == [1.5, 2.5]


@pytest.mark.parametrize(
    ("column", "cell", "value"),
    [
        ("datetime", "2020-07-02T00:00:00[Europe/Berlin]", "2020-07-02T00:00:00+02:00"),
        ("datetime", "2020-01-02T00:00:00[Europe/Berlin]", "2020-01-02T00:00:00+01:00"),
        ("datetime", "2020-07-02T00:00:00+02:00[Europe/Berlin]", "2020-07-02T00:00:00+02:00"),
        ("datetime", "2020-07-02T00:00:00[+05:30]", "2020-07-02T00:00:00+05:30"),
        ("datetime", "2020-07-02T00:00:00", "2020-07-02T00:00:00+00:00"),
        ("datetime{timezone:Europe/Stockholm}", "2020-07-02T00:00:00", "2020-07-02T00:00:00+02:00"),
        ("datetime{timezone:Europe/Stockholm}", "2020-07-02", "2020-07-02T00:00:00+02:00"),
        ("datetime{timezone:Europe/Stockholm}", "20200702T0000Z", "2020-07-02T00:00:00+00:00"),
        ("datetime{timezone:-03:00}", "2020-07-02T00:00:00", "2020-07-02T00:00:00-03:00"),
        ("localdatetime", "2020-07-02T01:02:03", "2020-07-02T01:02:03"),
    ],
)
def test_moment_keeps_its_zone(column: str, cell: str, value: str, tmp_path: Path) -> None:
    found = values(read(tmp_path, f":ID,seen:{column}\n1,{cell}\n"))["seen"]
    assert isinstance(found, datetime)
    assert found.isoformat() == value


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("datetime", "2020-07-02T00:00:00[Mars/Base]"), ("datetime", "2020-07-02T00:00:00Z[../../etc/passwd]"),
        ("datetime", "2020-07-02T00:00:00[Europe]"), ("datetime{timezone:Mars/Base}", "2020-07-02T00:00:00"),
    ],
)  # fmt: skip
def test_moment_in_no_zone_is_rejected(column: str, cell: str, tmp_path: Path) -> None:
    reject, named = read(tmp_path, f":ID,seen:{column}\n1,{cell}\n")
    assert isinstance(reject, Reject)
    assert "datetime" in reject.reason
    assert named == Named("1", line=2)


@pytest.mark.parametrize(
    ("column", "cell", "value"),
    [
        ("point", "{latitude:1.5, longitude:2.5}", Point(2.5, 1.5)),
        ("point{crs:WGS-84}", "{x:2.5, y:1.5}", Point(2.5, 1.5)),
        ("point{crs:wgs-84-3d}", "{latitude:1.5, longitude:2.5, height:100}",
         "{latitude:1.5, longitude:2.5, height:100}"),
        ("point", "{x:1,y:2,z:3}", "{x:1,y:2,z:3}"), ("point{crs:cartesian}", "{x:1,y:2}", "{x:1,y:2}"),
    ],
)  # fmt: skip
def test_point_keeps_its_height(column: str, cell: str, value: object, tmp_path: Path) -> None:
    assert values(read(tmp_path, f':ID,at:{column}\n1,"{cell}"\n')) == {"at": value}


def test_text_in_quotes_may_hold_line_ends(tmp_path: Path) -> None:
    first, second = read(tmp_path, ':ID,name\n1,"Ann\nA."\n2,Ben\n')
    assert first == Named("1", "Ann\nA.", line=2)
    assert second == Named("2", "Ben", line=4)


def test_relationship_without_an_end_is_rejected(tmp_path: Path) -> None:
    assert read(tmp_path, ":START_ID,:END_ID,:TYPE\n1,,KNOWS\n") == [Reject(2, "the tail is empty", "1,,KNOWS")]


def test_plain_table_says_which_header_it_needs(tmp_path: Path) -> None:
    path = tmp_path / "orders.csv"
    path.write_text("orderID,customerID\n1,ANN\n")
    with pytest.raises(LoadError, match=r"orders\.csv .*'orderID,customerID'.*:START_ID"):
        list(CsvGraph(path, "orders.csv").records())


def test_header_of_an_unknown_type_is_none() -> None:
    assert parse_header(":ID,born:integre") is None
    assert parse_header("just words") is None
