"""KGTK's edge files, labelled triples and statements with pairs of qualifiers."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from kgqa_graphdb.types import Point
from kgqa_loaders.names import with_names
from kgqa_loaders.recognise import open_sources
from kgqa_loaders.records import Literal, Named, ReadOptions, Record, RelationNote, Statement, Triple
from kgqa_loaders.wikidata import kgtk
from tests.unit.loaders.wikidata_samples import rejects


def read(tmp_path: Path, text: str, format_name: str, **options: object) -> list[Record]:
    path = tmp_path / "table.tsv"
    path.write_text(text, encoding="utf-8")
    opened = open_sources([str(path)], options=ReadOptions(**options))  # type: ignore[arg-type]
    assert opened.formats == (format_name,)
    return list(opened.source.records())


def rows(*lines: str) -> str:
    return "".join(line.replace(" ~ ", "\t") + "\n" for line in lines)


EDGES = rows(
    "id ~ node1 ~ label ~ node2",
    "l1 ~ Q1 ~ label ~ 'Made Island'@en",
    "l2 ~ Q1 ~ label ~ 'Eiland'@nl",
    "a1 ~ Q1 ~ alias ~ 'Isle'@en|'The Isle'@en",
    "d1 ~ Q1 ~ description ~ 'what isn\\'t there'@en",
    "e1 ~ Q1 ~ P31 ~ Q2",
    "e2 ~ Q1 ~ P17 ~ Q3",
    "q1 ~ e2 ~ P580 ~ ^1912-00-00T00:00:00Z/9",
    "q2 ~ e2 ~ P642 ~ Q5",
    "e3 ~ Q1 ~ P571 ~ ^1911-05-03T00:00:00Z/11",
    "e4 ~ Q1 ~ P2046 ~ +3.5Q712226",
    "e5 ~ Q1 ~ P1082 ~ +1200[+1150,+1250]",
    "e6 ~ Q1 ~ P625 ~ @12.5/-70.25",
    'e7 ~ Q1 ~ P227 ~ "X\\|77"',
    "e8 ~ Q1 ~ P22 ~ somevalue",
    "e9 ~ Q1 ~ P1 ~ Q7|Q8",
    "e10 ~ P17 ~ property_type ~ item",
    "e11 ~ P17 ~ label ~ 'country'@en",
    "e12 ~ Q1 ~ score ~ 2.5e-3",
)


def test_kgtk_edges(tmp_path: Path) -> None:
    records = read(tmp_path, EDGES, "kgtk")
    assert not rejects(records)
    assert Named("Q1", "Made Island", line=2) in records
    assert Named("Q1", aliases=("The Isle",), line=4) in records
    assert Named("Q1", description="what isn't there", line=5) in records
    assert Triple(6, "Q1", "P31", "Q2") in records
    assert Statement(7, "Q1", "P17", "Q3", {"P580": 1912, "P642": "Q5"}, "e2") in records
    assert {record[1:] for record in records if isinstance(record, Literal)} == {
        ("Q1", "P571", date(1911, 5, 3)), ("Q1", "P2046_Q712226", 3.5), ("Q1", "P1082", 1200),
        ("Q1", "P625", Point(-70.25, 12.5)), ("Q1", "P227", "X|77"), ("P17", "property_type", "item"),
        ("Q1", "score", 0.0025), ("e5", "value", 1200), ("e5", "upper", 1250), ("e5", "lower", 1150),
    }  # fmt: skip
    assert Named("e8", "unknown value", labels=("Value",), line=15) in records
    assert {record.tail for record in records if isinstance(record, Triple) and record.relation == "P1"} == {"Q7", "Q8"}
    assert RelationNote("P17", label="country") in records


def test_kgtk_ranks_and_further_columns(tmp_path: Path) -> None:
    text = rows("id ~ node1 ~ label ~ node2 ~ rank ~ node2;label ~ source",
                "e1 ~ Q1 ~ P6 ~ Q2 ~ normal ~  ~ ", "e2 ~ Q1 ~ P6 ~ Q3 ~ preferred ~ 'Three'@en ~ Q9",
                "e3 ~ Q1 ~ P7 ~ Q4 ~ deprecated ~  ~ ").replace(" \n", "\t\n")  # fmt: skip
    text = text.replace("normal\t\t\n", "normal\t\t\n")
    records = read(tmp_path, text, "kgtk")
    assert [record for record in records if isinstance(record, Triple | Statement)] == [
        Statement(3, "Q1", "P6", "Q3", {"source": "Q9"}, "e2")
    ]
    assert Named("Q3", "Three", line=3) in records


def test_kgtk_names_for_columns_and_no_id(tmp_path: Path) -> None:
    text = rows("subject ~ predicate ~ object", "Q1 ~ P31 ~ Q2", "Q1 ~ P1 ~ True")
    assert read(tmp_path, text, "kgtk") == [Triple(2, "Q1", "P31", "Q2"), Literal(3, "Q1", "P1", True)]


def test_kgtk_qualifier_far_from_its_edge_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kgtk, "WINDOW", 2)
    text = rows("id ~ node1 ~ label ~ node2", *(f"Q1-P1-Q{n} ~ Q1 ~ P1 ~ Q{n}" for n in range(2, 9)),
                "x ~ Q1-P1-Q2 ~ P580 ~ Q5", "y ~ Q1-P1-Q8 ~ P580 ~ Q5")  # fmt: skip
    records = read(tmp_path, text, "kgtk")
    assert [reject.line for reject in rejects(records)] == [9]
    assert sum(isinstance(record, Triple) for record in records) == 6
    assert sum(isinstance(record, Statement) for record in records) == 1


def test_kgtk_quotation_marks_escaped_twice(tmp_path: Path) -> None:
    text = rows("node1 ~ label ~ node2", "Q1 ~ description ~ 'an engine\\\\'s \\\\\"part\\\\\"'@en")
    assert read(tmp_path, text, "kgtk") == [Named("Q1", description='an engine\'s "part"', line=2)]


@pytest.mark.parametrize(
    "cell", ['"open', "'no language'", "^soon", "@north/south", "+5[1", "^1900-02-30T00:00:00Z/11"]
)
def test_kgtk_value_that_is_none_is_listed(tmp_path: Path, cell: str) -> None:
    records = read(tmp_path, rows("id ~ node1 ~ label ~ node2", f"e1 ~ Q1 ~ P1 ~ {cell}"), "kgtk")
    assert [reject.line for reject in rejects(records)] == [2]


LABELLED = rows("Q1 ~ Made Island ~ P17 ~ country ~ Q3 ~ Made Land", "Q3 ~ Made Land ~ P36 ~ capital ~ Q4 ~ ")


def test_labelled_triples_bring_their_names(tmp_path: Path) -> None:
    assert read(tmp_path, LABELLED, "wikidata-labelled") == [
        Named("Q1", "Made Island", line=1), Named("Q3", "Made Land", line=1), RelationNote("P17", label="country"),
        Triple(1, "Q1", "P17", "Q3"), RelationNote("P36", label="capital"), Triple(2, "Q3", "P36", "Q4"),
    ]  # fmt: skip


def test_labelled_line_of_another_shape_is_listed(tmp_path: Path) -> None:
    records = read(tmp_path, LABELLED * 5 + "Q1\tP17\tQ3\nX\t\tP17\t\tQ3\t\n", "wikidata-labelled")
    assert [reject.line for reject in rejects(records)] == [11, 12]


STATEMENTS = "Q1,P17,Q3\nQ1,P6,Q4,P580,Q5\nQ1,P6,Q4,P580,Q5,P580,Q6,P582,Q7\n"


def test_statements_have_their_pairs_as_qualifiers(tmp_path: Path) -> None:
    assert read(tmp_path, STATEMENTS, "wikidata-statements") == [
        Triple(1, "Q1", "P17", "Q3"),
        Statement(2, "Q1", "P6", "Q4", {"P580": "Q5"}),
        Statement(3, "Q1", "P6", "Q4", {"P580": ["Q5", "Q6"], "P582": "Q7"}),
    ]


def test_statement_with_half_a_pair_is_listed(tmp_path: Path) -> None:
    records = read(tmp_path, STATEMENTS * 4 + "Q1,P6,Q4,P580\nQ1,Q6,Q4\nQ1,P6,\n", "wikidata-statements")
    assert [reject.line for reject in rejects(records)] == [13, 14, 15]


def test_classes_of_tables_can_be_labels(tmp_path: Path) -> None:
    assert read(tmp_path, "Q1,P31,Q3\nQ1,P6,Q4\n", "wikidata-statements", types="both") == [
        Named("Q1", labels=("Q3",), line=1), Triple(1, "Q1", "P31", "Q3"), Triple(2, "Q1", "P6", "Q4")
    ]  # fmt: skip


def test_names_files_name_entities_properties_and_qualifiers(tmp_path: Path) -> None:
    (tmp_path / "names.json").write_text('{"Q1": "Made Island", "P6": "head", "P580": "start", "Q99": "elsewhere"}')
    (tmp_path / "statements.txt").write_text("Q1,P6,Q4,P580,Q5\n" * 3)
    opened = open_sources([str(tmp_path / "statements.txt")])
    records = list(with_names(opened.source, [str(tmp_path / "names.json")]).records())
    assert {record for record in records if isinstance(record, RelationNote)} == {
        RelationNote("P6", label="head"), RelationNote("P580", label="start"),
    }  # fmt: skip
    assert [(record.entity_id, record.name) for record in records if isinstance(record, Named)] == [
        ("Q1", "Made Island")
    ]
