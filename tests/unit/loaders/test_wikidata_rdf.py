"""Wikidata's RDF: truthy lines, and statements with qualifiers, ranks and value nodes, in three syntaxes."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from kgqa_graphdb.types import Point
from kgqa_loaders.recognise import open_sources
from kgqa_loaders.records import BlockSource, Literal, Named, ReadOptions, Record, RelationNote, Statement, Triple
from kgqa_loaders.wikidata import window
from tests.unit.loaders.wikidata_samples import rejects

pyoxigraph = pytest.importorskip("pyoxigraph")

PREFIXES = """@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix ontolex: <http://www.w3.org/ns/lemon/ontolex#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix schema: <http://schema.org/> .
@prefix geo: <http://www.opengis.net/ont/geosparql#> .
@prefix prov: <http://www.w3.org/ns/prov#> .
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix data: <https://www.wikidata.org/wiki/Special:EntityData/> .
@prefix s: <http://www.wikidata.org/entity/statement/> .
@prefix ref: <http://www.wikidata.org/reference/> .
@prefix v: <http://www.wikidata.org/value/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix wdtn: <http://www.wikidata.org/prop/direct-normalized/> .
@prefix p: <http://www.wikidata.org/prop/> .
@prefix ps: <http://www.wikidata.org/prop/statement/> .
@prefix psv: <http://www.wikidata.org/prop/statement/value/> .
@prefix pq: <http://www.wikidata.org/prop/qualifier/> .
@prefix pqv: <http://www.wikidata.org/prop/qualifier/value/> .
@prefix pr: <http://www.wikidata.org/prop/reference/> .
@prefix wdno: <http://www.wikidata.org/prop/novalue/> .

"""
ID = "0A1B2C3D-0000-4000-8000-00000000000"
ISLAND = f"""data:Q100 a schema:Dataset ;
\tschema:about wd:Q100 ;
\tschema:version "7"^^xsd:integer .

wd:Q100 a wikibase:Item ;
\trdfs:label "Made Island"@en ;
\tskos:prefLabel "Made Island"@en ;
\tschema:name "Made Island"@en ;
\trdfs:label "Verzonnen Eiland"@nl ;
\tskos:altLabel "The Island"@en ;
\tschema:description "island that is made up"@en ;
\twdt:P17 wd:Q300 ;
\twdt:P571 "1911-05-03T00:00:00Z"^^xsd:dateTime ;
\twdt:P1082 "+1200"^^xsd:decimal ;
\twdt:P625 "Point(-70.25 12.5)"^^geo:wktLiteral ;
\twdt:P18 <http://commons.wikimedia.org/wiki/Special:FilePath/Made%20island.jpg> ;
\twdtn:P227 <http://example.org/X-77> ;
\twdt:P22 _:aaa .

wd:Q100 p:P17 s:Q100-{ID}1 .

s:Q100-{ID}1 a wikibase:Statement ,
\t\twikibase:BestRank ;
\twikibase:rank wikibase:NormalRank ;
\tps:P17 wd:Q300 ;
\tpq:P580 "1912-01-01T00:00:00Z"^^xsd:dateTime ;
\tpqv:P580 v:11111aaaa ;
\tpq:P642 wd:Q5, wd:Q6 ;
\tprov:wasDerivedFrom ref:22222bbbb .

v:11111aaaa a wikibase:TimeValue ;
\twikibase:timeValue "1912-01-01T00:00:00Z"^^xsd:dateTime ;
\twikibase:timePrecision "9"^^xsd:integer ;
\twikibase:timeTimezone "0"^^xsd:integer ;
\twikibase:timeCalendarModel wd:Q1985727 .

ref:22222bbbb a wikibase:Reference ;
\tpr:P248 wd:Q7 .

wd:Q100 p:P1082 s:Q100-{ID}2, s:Q100-{ID}3 .

s:Q100-{ID}2 a wikibase:Statement ,
\t\twikibase:BestRank ;
\twikibase:rank wikibase:PreferredRank ;
\tps:P1082 "+1200"^^xsd:decimal ;
\tpsv:P1082 v:33333cccc .

s:Q100-{ID}3 a wikibase:Statement ;
\twikibase:rank wikibase:NormalRank ;
\tps:P1082 "+900"^^xsd:decimal .

v:33333cccc a wikibase:QuantityValue ;
\twikibase:quantityAmount "+1200"^^xsd:decimal ;
\twikibase:quantityUpperBound "+1250"^^xsd:decimal ;
\twikibase:quantityLowerBound "+1200"^^xsd:decimal ;
\twikibase:quantityUnit wd:Q199 .

wd:Q100 p:P22 s:Q100-{ID}4 ;
\tp:P40 s:Q100-{ID}5 .

s:Q100-{ID}4 a wikibase:Statement ,
\t\twikibase:BestRank ;
\twikibase:rank wikibase:NormalRank ;
\tps:P22 _:bbb .

s:Q100-{ID}5 a wikibase:Statement ,
\t\twikibase:BestRank ,
\t\twdno:P40 ;
\twikibase:rank wikibase:NormalRank .

wd:P17 a wikibase:Property ;
\trdfs:label "country"@en ;
\tschema:description "state that it is in"@en ;
\twikibase:propertyType wikibase:WikibaseItem ;
\twikibase:directClaim wdt:P17 .

wdt:P17 a owl:ObjectProperty .

wd:Q109 owl:sameAs wd:Q100 .
"""


def guid(number: int) -> str:
    return f"Q100${ID}{number}"


def open_text(tmp_path: Path, text: str, **options: object) -> list[Record]:
    path = tmp_path / "dump"
    path.write_text(text, encoding="utf-8")
    opened = open_sources([str(path)], options=ReadOptions(**options))  # type: ignore[arg-type]
    assert opened.formats == ("wikidata-rdf",)
    return list(opened.source.records())


def as_ntriples(turtle: str) -> str:
    found = pyoxigraph.parse(turtle, pyoxigraph.RdfFormat.TURTLE)
    return "".join(f"{quad.subject} {quad.predicate} {quad.object} .\n" for quad in found)


def as_json_lines(turtle: str) -> str:
    found = pyoxigraph.parse(turtle, pyoxigraph.RdfFormat.TURTLE)
    rows = (
        {"subject": str(quad.subject), "predicate": str(quad.predicate), "object": str(quad.object)} for quad in found
    )
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_statements_are_put_together(tmp_path: Path) -> None:
    records = open_text(tmp_path, PREFIXES + ISLAND)
    facts = [record._replace(line=0) for record in records if isinstance(record, Literal | Triple)]
    statements = {record.statement_id: record for record in records if isinstance(record, Statement)}
    assert statements[guid(1)].qualifiers == {"P580": 1912, "P642": ["Q5", "Q6"]}
    assert statements[guid(2)].tail == guid(2)
    assert statements[guid(4)].tail == guid(4)
    assert set(statements) == {guid(1), guid(2), guid(4)}
    assert set(facts) == {
        Literal(0, "Q100", "P571", date(1911, 5, 3)), Literal(0, "Q100", "P625", Point(-70.25, 12.5)),
        Literal(0, "Q100", "P18", "Made island.jpg"), Literal(0, "Q100", "P1082", 1200),
        Literal(0, guid(2), "value", 1200), Literal(0, guid(2), "upper", 1250),
    }  # fmt: skip
    [none] = rejects(records)
    assert none.text == guid(5)


def test_names_and_notes_are_read(tmp_path: Path) -> None:
    records = open_text(tmp_path, PREFIXES + ISLAND)
    named = [record for record in records if isinstance(record, Named) and record.entity_id == "Q100"]
    assert [record.name for record in named if record.name] == ["Made Island"]
    assert {alias for record in named for alias in record.aliases} == {"The Island", "Q109"}
    assert [record.description for record in named if record.description] == ["island that is made up"]
    assert RelationNote("P17", label="country") in records
    assert RelationNote("P17", description="state that it is in") in records


@pytest.mark.parametrize("convert", [as_ntriples, as_json_lines])
def test_other_syntaxes_give_the_same(tmp_path: Path, convert: object) -> None:
    assert callable(convert)
    same = {repr(_unnumbered(record)) for record in open_text(tmp_path, PREFIXES + ISLAND)}
    assert {repr(_unnumbered(record)) for record in open_text(tmp_path, convert(PREFIXES + ISLAND))} == same


def _unnumbered(record: Record) -> object:
    if isinstance(record, tuple):
        return record._replace(line=0)
    return [getattr(record, key) for key in record.__slots__ if key != "line"]  # type: ignore[attr-defined]


def test_ranks_and_references_are_kept_if_asked(tmp_path: Path) -> None:
    records = open_text(tmp_path, PREFIXES + ISLAND, ranks="all", references=True)
    statements = {record.statement_id: record for record in records if isinstance(record, Statement)}
    assert statements[guid(1)].qualifiers["references"] == ["P248 Q7"]
    assert statements[guid(3)].qualifiers == {"rank": "normal"}
    assert Literal(1, "Q100", "P1082", 900) not in records


def test_value_that_was_written_long_before_is_still_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window, "STATEMENTS", 20)
    monkeypatch.setattr(window, "_RECENT", 5)
    others = "".join(
        f"wd:Q{number} p:P2 s:Q{number}-{ID}1 .\n\ns:Q{number}-{ID}1 ps:P2 wd:Q3 ; pq:P585 "
        f'"{number}-01-01T00:00:00Z"^^xsd:dateTime ; pqv:P585 v:{number}0 .\n\nv:{number}0 a wikibase:TimeValue ; '
        f'wikibase:timeValue "{number}-01-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision "9"^^xsd:integer .\n\n'
        for number in range(1000, 1100)
    )
    again = f'wd:Q8 p:P2 s:Q8-{ID}1 .\n\ns:Q8-{ID}1 ps:P2 wd:Q4 ; pq:P580 "1912-01-01T00:00:00Z"^^xsd:dateTime ; ' \
            "pqv:P580 v:11111aaaa .\n"  # fmt: skip
    records = open_text(tmp_path, PREFIXES + ISLAND + "\n" + others + again)
    assert len(rejects(records)) == 1  # the one without a value
    years = [
        record.qualifiers["P585"] for record in records if isinstance(record, Statement) and "P585" in record.qualifiers
    ]
    assert years == list(range(1000, 1100))
    assert Statement(0, "Q8", "P2", "Q4", {"P580": 1912}, f"Q8${ID}1") in [
        Statement(0, record.head, record.relation, record.tail, record.qualifiers, record.statement_id)
        for record in records if isinstance(record, Statement)
    ]  # fmt: skip


def test_values_at_the_end_of_a_long_document_are_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window, "LAG", 5)
    first, _, values = ISLAND.partition("v:11111aaaa a wikibase:TimeValue")
    many = "".join(f"wd:Q{number} wdt:P2 wd:Q3 .\n\n" for number in range(1000, 1200))
    records = open_text(
        tmp_path, PREFIXES + first + many + "v:11111aaaa a wikibase:TimeValue" + values, references=True
    )
    statements = {record.statement_id: record for record in records if isinstance(record, Statement)}
    assert statements[guid(1)].qualifiers == {"P580": 1912, "P642": ["Q5", "Q6"], "references": ["P248 Q7"]}


def test_statement_without_its_node_and_node_without_its_rest_are_listed(tmp_path: Path) -> None:
    text = PREFIXES + f"wd:Q1 wdt:P5 wd:Q2 ; p:P5 s:Q1-{ID}1 .\n\ns:odd-id a wikibase:Statement .\n"
    records = open_text(tmp_path, text)
    assert Triple(27, "Q1", "P5", "Q2") in [r._replace(line=27) for r in records if isinstance(r, Triple)]
    assert {reject.text for reject in rejects(records)} == {f"Q1-{ID}1", "odd-id"}


def test_paragraph_that_is_no_turtle_costs_itself_only(tmp_path: Path) -> None:
    text = PREFIXES + "wd:Q1 wdt:P5 wd:Q2 .\n\nwd:Q2 wdt:P5 ;; nonsense\n\nwd:Q3 wdt:P5 wd:Q4 .\n"
    records = open_text(tmp_path, text)
    assert [record[1:] for record in records if isinstance(record, Triple)] == [("Q1", "P5", "Q2"), ("Q3", "P5", "Q4")]
    [reject] = rejects(records)
    assert reject.line == text[: text.index("nonsense")].count("\n") + 1
    assert "nonsense" in reject.text


def test_page_about_it_names_what_has_no_label(tmp_path: Path) -> None:
    article = ('<https://en.wikipedia.org/wiki/Someone> a schema:Article ;\n\tschema:about wd:Q1 ;\n'
               '\tschema:inLanguage "en" ;\n\tschema:name "Someone"@en .\n')  # fmt: skip
    records = open_text(tmp_path, PREFIXES + article + "\nwd:Q1 a wikibase:Item .\n")
    assert [record.name for record in records if isinstance(record, Named) and record.name] == ["Someone"]
    records = open_text(tmp_path, PREFIXES + article + '\nwd:Q1 a wikibase:Item ; rdfs:label "Some One"@en .\n')
    assert [record.name for record in records if isinstance(record, Named) and record.name] == ["Some One"]


def test_lexeme_goes_by_its_own_word(tmp_path: Path) -> None:
    text = PREFIXES + ('wd:L7 a wikibase:Lexeme, ontolex:LexicalEntry ;\n\trdfs:label "saari"@fi ;\n'
        '\twikibase:lemma "saari"@fi ;\n\tdct:language wd:Q1412 ;\n\twikibase:lexicalCategory wd:Q1084 ;\n'
        '\tontolex:lexicalForm wd:L7-F1 .\n\nwd:L7-F1 a wikibase:Form ;\n\tontolex:representation "saaren"@fi ;\n'
        '\trdfs:label "saaren"@fi ;\n\twikibase:grammaticalFeature wd:Q8 .\n')  # fmt: skip
    records = open_text(tmp_path, text)
    assert not rejects(records)
    assert {record[1:] for record in records if isinstance(record, Triple)} == {
        ("L7", "lexemeLanguage", "Q1412"), ("L7", "lexicalCategory", "Q1084"), ("L7", "form", "L7-F1"),
        ("L7-F1", "grammaticalFeature", "Q8"),
    }  # fmt: skip
    assert {(r.entity_id, r.name) for r in records if isinstance(r, Named) and r.name} == {
        ("L7", "saari"),
        ("L7-F1", "saaren"),
    }


# ── truthy lines ─────────────────────────────────────────────────────────────────────────────────────────────────────

WD, WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
TRUTHY = f"""<{WD}Q1> <{WDT}P31> <{WD}Q5> .
<{WD}Q1> <http://www.w3.org/2000/01/rdf-schema#label> "Caf\\u00E9"@en .
<{WD}Q1> <http://www.w3.org/2000/01/rdf-schema#label> "Kaffee"@de .
<{WD}Q1> <http://www.w3.org/2004/02/skos/core#altLabel> "Coffee house"@en .
<{WD}Q1> <http://schema.org/description> "place"@en .
<{WD}Q1> <{WDT}P569> "1952-03-11T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .
<{WD}Q1> <{WDT}P22> <http://www.wikidata.org/.well-known/genid/abc> .
<{WD}Q1> <{WDT}P856> <https://example.org/a> .
<https://www.wikidata.org/wiki/Special:EntityData/Q1> <http://schema.org/name> "page" .
"""


def test_truthy_lines_are_facts_by_themselves(tmp_path: Path) -> None:
    path = tmp_path / "truthy.nt"
    path.write_text(TRUTHY + f"<{WD}Q1> <http://www.wikidata.org/prop/P31> <{WD}statement/Q1-{ID}1> .\n")
    opened = open_sources([str(path)])
    assert opened.formats == ("wikidata-rdf",)  # it names a statement
    path.write_text(TRUTHY)
    opened = open_sources([str(path)])
    assert opened.formats == ("wikidata-truthy",)
    assert isinstance(opened.source, BlockSource)
    assert list(opened.source.records()) == [
        Triple(1, "Q1", "P31", "Q5"),
        Named("Q1", "Café", line=2),
        Named("Q1", aliases=("Coffee house",), line=4),
        Named("Q1", description="place", line=5),
        Literal(6, "Q1", "P569", date(1952, 3, 11)),
        Named("Q1$abc", "unknown value", labels=("Value",), line=7),
        Statement(7, "Q1", "P22", "Q1$abc", {}, "Q1$abc"),
        Literal(8, "Q1", "P856", "https://example.org/a"),
    ]


def test_truthy_reading_lists_what_it_can_not_use(tmp_path: Path) -> None:
    path = tmp_path / "truthy.nt"
    path.write_text(
        TRUTHY * 3
        + f"<{WD}Q1> <http://www.wikidata.org/prop/P31> <{WD}statement/Q1-{ID}1> .\n"
        + f'<{WD}Q1> <http://example.org/odd> "x" .\n<{WD}Q1> <{WDT}P1> .\n'
    )
    opened = open_sources([str(path)], "wikidata-truthy", ReadOptions(types="labels"))
    records = list(opened.source.records())
    assert [reject.line for reject in rejects(records)] == [28, 29, 30]
    assert Named("Q1", labels=("Q5",), line=1) in records
