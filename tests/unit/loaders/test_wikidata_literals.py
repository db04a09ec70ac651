"""LiterallyWikidata's numbers, times and places."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from kgqa_graphdb.types import Point
from kgqa_loaders.recognise import open_sources
from kgqa_loaders.records import Literal, Record, Reject, RelationNote

XSD = "http://www.w3.org/2001/XMLSchema#"


def read(tmp_path: Path, *rows: tuple[str, str, str, str]) -> list[Record]:
    """The records of rows of entity, property, text and datatype."""
    path = tmp_path / "numeric_literals.txt"
    path.write_text("".join(f'{head}\t{key}\t"{text}"^^<{XSD}{kind}>\n' for head, key, text, kind in rows))
    opened = open_sources([str(path)])
    assert opened.formats == ("wikidata-literals",)
    return list(opened.source.records())


def test_numbers_are_typed_and_each_unit_has_a_relation_of_its_own(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        ("Q1", "P1082_Q199", "+2025", "decimal"),
        ("Q1", "P1081", "0.702", "decimal"),
        ("Q1", "P2048_Q11573", "+1.5", "decimal"),
        ("Q2", "P2048_Q11573", "+2.0", "decimal"),
    )
    assert found == [
        Literal(1, "Q1", "P1082", 2025),
        Literal(2, "Q1", "P1081", 0.702),
        RelationNote("P2048_Q11573", unit="m", like="P2048"),
        Literal(3, "Q1", "P2048_Q11573", 1.5),
        Literal(4, "Q2", "P2048_Q11573", 2),
    ]


def test_times_are_dates(tmp_path: Path) -> None:
    found = read(tmp_path, ("Q1", "P569", "1969-07-20T00:00:00Z", "dateTime"))
    assert found == [Literal(1, "Q1", "P569", date(1969, 7, 20))]


def test_latitude_and_longitude_make_a_point(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        ("Q1", "P625_Latitude", "12.5", "double"),
        ("Q2", "P625_Latitude", "1", "double"),
        ("Q1", "P625_Longtiude", "-70", "double"),
        ("Q2", "P625_Longitude", "2", "double"),
    )
    assert found == [Literal(1, "Q1", "P625", Point(-70.0, 12.5)), Literal(2, "Q2", "P625", Point(2.0, 1.0))]


def test_coordinates_that_do_not_pair_are_rejected(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        ("Q1", "P625_Latitude", "12.5", "double"),
        ("Q2", "P625_Latitude", "1", "double"),
        ("Q2", "P625_Latitude", "3", "double"),
        ("Q2", "P625_Longtiude", "2", "double"),
        ("Q3", "P625_Latitude", "95", "double"),
        ("Q3", "P625_Longtiude", "2", "double"),
    )
    assert [(record.line, record.reason) for record in found if isinstance(record, Reject)] == [
        (1, "1 latitudes and 0 longitudes are no one place"),
        (2, "2 latitudes and 1 longitudes are no one place"),
        (5, "latitude 95.0, longitude 2.0 is no place"),
    ]
    assert len(found) == 3


def test_what_is_no_value_is_rejected(tmp_path: Path) -> None:
    rows = [("Q1", "P1081", "0.702", "decimal")] * 9
    found = read(tmp_path, *rows, ("Q1", "P1081", "many", "decimal"), ("Q1", "P569", "1969", "dateTime"))
    assert [record.line for record in found if isinstance(record, Reject)] == [10, 11]
