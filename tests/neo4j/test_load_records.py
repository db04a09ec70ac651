"""Loading what richer sources bring: typed values, statements, descriptions, notes on relations; and ``sync``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.types import Point
from kgqa_loaders.batches import Batches
from kgqa_loaders.records import GUESS_RANK, InMemorySource, Literal, Named, Record, RelationNote, Statement, Triple
from kgqa_loaders.relations import spec
from kgqa_loaders.write import LoadReport, load

pytestmark = pytest.mark.neo4j

RECORDS: tuple[Record, ...] = (
    Named("Q1", "Mars", ("Red Planet",), ("Planet",), "the fourth planet"),
    Named("Q1", "Ares", rank=1),
    Named("Q2", "Sun", labels=("Star",)),
    Triple(4, "Q1", "P1", "Q2"),
    Literal(5, "Q1", "mass", 6.4e23),
    Literal(6, "Q1", "moons", 2),
    Literal(7, "Q1", "seen", date(1610, 9, 1)),
    Literal(8, "Q1", "landed", datetime(2021, 2, 18, 20, 55, tzinfo=UTC)),
    Literal(9, "Q1", "place", Point(137.4, -4.6)),
    Literal(10, "Q1", "code", "M4"),
    Literal(11, "Q1", "code", 4),
    Literal(12, "Q2", "inhabited", False),
    Statement(13, "Q3", "visited", "Q1", {"in": 1997, "cost": 2.5, "crew": ["none", "a rover"]}),
    Statement(14, "Q3", "visited", "Q1", {"in": 2021, "on": date(2021, 2, 18), "at": Point(77.5, 18.4)}, "mission-2"),
    Literal(15, "Q3", "visited", "once"),
    Named("Q3", "NASA"),
    RelationNote("P1", label="orbits", inverse="orbited by", description="what a body goes round", heads=("Planet",)),
    RelationNote("visited", label="visited"),
    RelationNote("in", label="year"),
)


def in_memory(records: Sequence[Record]) -> InMemorySource:
    return InMemorySource("a test", records, "0" * 64)


def stored(driver: neo4j.Driver, graph: str) -> tuple[dict[str, Any], list[Any], dict[str, Any], dict[str, Any]]:
    """Entities with labels and properties, facts with properties, relations' meta nodes, the graph's meta node."""
    label = f"`KG_{graph}`"
    nodes = driver.execute_query(f"MATCH (n:{label}) RETURN n.entity_id, labels(n), properties(n)").records  # type: ignore[arg-type]
    facts = driver.execute_query(
        f"MATCH (h:{label})-[r]->(t) RETURN h.entity_id, type(r), t.entity_id, properties(r)"  # type: ignore[arg-type]
    ).records
    relations = driver.execute_query(
        "MATCH (r:_KGQA_Relation {graph: $graph}) RETURN r.relation, properties(r)", graph=graph
    ).records
    meta = driver.execute_query("MATCH (g:_KGQA_Graph {graph: $graph}) RETURN properties(g)", graph=graph).records
    return (
        {i: (set(labels) - {"Entity", f"KG_{graph}"}, properties) for i, labels, properties in nodes},
        sorted((list(fact) for fact in facts), key=str),
        dict(relation.values() for relation in relations),
        meta[0][0],
    )


def counts(report: LoadReport) -> tuple[int, ...]:
    return (
        report.added_entities, report.added_facts, report.added_literals,
        report.removed_entities, report.removed_facts,
    )  # fmt: skip


def test_values_names_and_statements_are_stored_with_their_types(driver: neo4j.Driver, graph_name: str) -> None:
    report = load(driver, in_memory(RECORDS), graph=graph_name)
    nodes, facts, relations, meta = stored(driver, graph_name)
    labels, mars = nodes["Q1"]
    assert labels == {"Planet"}
    assert (mars["name"], mars["aliases"], mars["description"]) == ("Mars", ["Ares", "Red Planet"], "the fourth planet")
    assert (mars["mass"], mars["moons"], mars["code"]) == (6.4e23, 2, ["4", "M4"])
    assert mars["seen"].to_native() == date(1610, 9, 1)
    assert mars["landed"].to_native() == datetime(2021, 2, 18, 20, 55, tzinfo=UTC)
    assert (mars["place"].longitude, mars["place"].latitude) == (137.4, -4.6)
    assert nodes["Q2"][1]["inhabited"] is False
    assert nodes["Q3"][1]["visited"] == "once"
    by_type = [(head, type_, tail) for head, type_, tail, _ in facts]
    assert by_type == [("Q1", "P1", "Q2"), ("Q3", "visited", "Q1"), ("Q3", "visited", "Q1")]
    second, first = sorted((fact[3] for fact in facts[1:]), key=lambda held: held["statement_id"] != "mission-2")
    assert {key: value for key, value in first.items() if key != "statement_id"} == {
        "in": 1997, "cost": 2.5, "crew": ["a rover", "none"],
    }  # fmt: skip
    assert (second["statement_id"], second["in"], second["at"].longitude) == ("mission-2", 2021, 77.5)
    assert (report.entities, report.facts, report.literals) == (3, 3, 9)
    assert (meta["statements"], meta["classes"], meta["state"]) == (2, ["Planet", "Star"], "complete")
    kinds = {name: (row["kind"], row["type"], row["of"]) for name, row in relations.items()}
    assert kinds["visited"] == ("edge", "visited", "")
    assert kinds["visited (value)"] == ("property", "visited", "")
    assert kinds["visited.in"] == ("qualifier", "in", "visited")
    assert (relations["P1"]["label"], relations["P1"]["inverse"]) == ("orbits", "orbited by")
    assert relations["visited.in"]["label"] == "year"
    assert [relations[name]["datatype"] for name in ("mass", "moons", "seen", "place", "code", "inhabited")] == [
        "float", "integer", "date", "point", "string", "boolean",
    ]  # fmt: skip


def test_second_load_in_any_order_changes_nothing(driver: neo4j.Driver, graph_name: str) -> None:
    load(driver, in_memory(RECORDS), graph=graph_name)
    before = stored(driver, graph_name)
    report = load(driver, in_memory(RECORDS[::-1]), graph=graph_name)
    assert counts(report) == (0, 0, 0, 0, 0)
    assert stored(driver, graph_name) == before


def test_loads_one_after_the_other_make_the_same_graph_as_one(driver: neo4j.Driver, graph_name: str) -> None:
    load(driver, in_memory(RECORDS), graph=graph_name)
    whole = stored(driver, graph_name)
    other = f"{graph_name}b"
    load(driver, in_memory(RECORDS[9:]), graph=other)
    load(driver, in_memory(RECORDS[:9]), graph=other)
    parts = stored(driver, other)
    load(driver, in_memory(RECORDS), graph=other)
    assert parts[:2] == whole[:2]
    assert {name: row["kind"] for name, row in parts[2].items()} == {n: row["kind"] for n, row in whole[2].items()}


def test_changed_qualifiers_of_a_statement_are_written(driver: neo4j.Driver, graph_name: str) -> None:
    load(driver, in_memory(RECORDS), graph=graph_name)
    report = load(driver, in_memory([Statement(1, "Q3", "visited", "Q1", {"in": 2022}, "mission-2")]), graph=graph_name)
    assert counts(report) == (0, 0, 0, 0, 0)
    facts = stored(driver, graph_name)[1]
    assert [fact[3] for fact in facts if fact[3].get("statement_id") == "mission-2"] == [
        {"statement_id": "mission-2", "in": 2022}
    ]


def test_sync_takes_away_what_the_source_no_longer_has(driver: neo4j.Driver, graph_name: str) -> None:
    load(driver, in_memory(RECORDS), graph=graph_name)
    less: list[Record] = [
        Named("Q1", "Mars", labels=("World",)),
        Literal(2, "Q1", "moons", 3),
        Statement(3, "Q3", "visited", "Q1", {"in": 2021, "on": date(2021, 2, 18)}, "mission-2"),
        Triple(4, "Q1", "near", "Q4"),
    ]
    report = load(driver, in_memory(less), graph=graph_name, sync=True)
    assert (report.removed_entities, report.removed_facts) == (1, 2)
    nodes, facts, relations, meta = stored(driver, graph_name)
    assert nodes == {
        "Q1": ({"World"}, {"entity_id": "Q1", "name": "Mars", "moons": 3}),
        "Q3": (set(), {"entity_id": "Q3", "name": "Q3"}),
        "Q4": (set(), {"entity_id": "Q4", "name": "Q4"}),
    }
    assert [fact[:3] for fact in facts] == [["Q1", "near", "Q4"], ["Q3", "visited", "Q1"]]
    assert set(relations) == {"moons", "near", "visited", "visited.in", "visited.on"}
    assert (meta["entities"], meta["facts"], meta["literals"], meta["classes"]) == (3, 2, 1, ["World"])
    assert counts(load(driver, in_memory(less), graph=graph_name, sync=True)) == (0, 0, 0, 0, 0)


def test_sync_leaves_what_others_attached(driver: neo4j.Driver, graph_name: str) -> None:
    load(driver, in_memory(RECORDS), graph=graph_name)
    driver.execute_query(
        f"MATCH (n:`KG_{graph_name}` {{entity_id: 'Q2'}}) CREATE (n)-[:SEEN_BY]->(:Tester{graph_name})"  # type: ignore[arg-type]
    )
    try:
        report = load(driver, in_memory([Triple(1, "Q1", "near", "Q3")]), graph=graph_name, sync=True)
        assert report.removed_entities == 0
        assert "others have attached" in report.notes[0]
    finally:
        driver.execute_query(f"MATCH (n:Tester{graph_name}) DETACH DELETE n")  # type: ignore[arg-type]


def test_person_s_words_win_over_the_source_s(driver: neo4j.Driver, graph_name: str) -> None:
    words = {"P1": spec("P1", label="circles", inverse="circled by")}
    load(driver, in_memory(RECORDS), graph=graph_name, relations=words)
    load(driver, in_memory(RECORDS), graph=graph_name)
    relations = stored(driver, graph_name)[2]
    assert (relations["P1"]["label"], relations["P1"]["description"]) == ("circles", "what a body goes round")


def test_statements_and_values_are_asked(driver: neo4j.Driver, graph_name: str) -> None:
    load(driver, in_memory(RECORDS), graph=graph_name)
    kg = KGQA(driver, graph=graph_name)
    assert [value.value for value in kg.ask("What is the place of Mars?").values] == [Point(137.4, -4.6)]
    assert [value.value for value in kg.ask("how many moons does Mars have?").values] == [2]
    assert [entity.name for entity in kg.ask("what orbits the Sun?").entities] == ["Mars"]


def test_sync_that_was_cut_off_is_completed(
    driver: neo4j.Driver, graph_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(driver, in_memory(RECORDS), graph=graph_name)
    less = [Triple(1, "Q1", "P1", "Q2"), Named("Q1", labels=("World",))]
    for stage in ("create_entities", "set_details", "delete_facts", "delete_entities"):
        with monkeypatch.context() as patch:

            def fail(*_: object) -> None:
                raise KeyboardInterrupt

            patch.setattr(Batches, stage, fail)
            with pytest.raises(KeyboardInterrupt):
                load(driver, in_memory(less), graph=graph_name, sync=True)
    load(driver, in_memory(less), graph=graph_name, sync=True)
    nodes, facts, relations, _ = stored(driver, graph_name)
    assert nodes == {
        "Q1": ({"World"}, {"entity_id": "Q1", "name": "Q1"}),
        "Q2": (set(), {"entity_id": "Q2", "name": "Q2"}),
    }
    assert [fact[:3] for fact in facts] == [["Q1", "P1", "Q2"]]
    assert set(relations) == {"P1"}


def test_export_of_a_loaded_graph_stays_apart_from_it(driver: neo4j.Driver, graph_name: str) -> None:
    load(driver, in_memory(RECORDS), graph=graph_name)
    before = stored(driver, graph_name)
    copy = f"{graph_name}b"
    load(
        driver,
        in_memory([Named("Q1", "Mars", labels=("Entity", f"KG_{graph_name}", "_KGQA_Graph", "Planet"))]),
        graph=copy,
    )
    assert stored(driver, graph_name) == before
    assert stored(driver, copy)[0] == {"Q1": ({"Planet"}, {"entity_id": "Q1", "name": "Mars"})}


def test_what_a_person_says_of_a_relation_holds_for_every_record(driver: neo4j.Driver, graph_name: str) -> None:
    declared = {
        "size": spec("size", kind="property", datatype="integer"),
        "nick": spec("nick", kind="alias"),
        "year": replace(spec("year"), declared=("kind",)),
    }
    records = [
        Triple(1, "a", "size", "5"),
        Statement(2, "b", "size", "6", {}),
        Statement(3, "c", "size", "7", {"since": 1990}),
        Literal(4, "a", "nick", 7),
        Literal(5, "a", "year", 1990),
    ]
    for relations in (declared, declared, {}):
        report = load(driver, in_memory(records), graph=graph_name, relations=relations)
        assert report.rejected == 1
    nodes, facts, relations_stored, _ = stored(driver, graph_name)
    assert {name: own[1].get("size") for name, own in nodes.items()} == {"a": 5, "b": 6, "1990": None}
    assert nodes["a"][1]["aliases"] == ["7"]
    assert [fact[:3] for fact in facts] == [["a", "year", "1990"]]
    assert {name: row["kind"] for name, row in relations_stored.items()} == {
        "size": "property", "nick": "alias", "year": "edge",
    }  # fmt: skip


def test_guesses_do_not_win_over_what_was_said_before(driver: neo4j.Driver, graph_name: str) -> None:
    load(
        driver,
        in_memory([Triple(1, "a", "dir", "b"), RelationNote("dir", label="director", heads=("Film",))]),
        graph=graph_name,
    )
    guess = RelationNote("dir", label="dir", rank=GUESS_RANK, tails=("Person",))
    load(driver, in_memory([Triple(1, "c", "dir", "b"), guess]), graph=graph_name)
    row = stored(driver, graph_name)[2]["dir"]
    assert (row["label"], row["heads"], row["tails"]) == ("director", ["Film"], ["Person"])


def test_values_of_mixed_types_are_the_same_in_any_order(driver: neo4j.Driver, graph_name: str) -> None:
    first = [
        Literal(1, "a", "v", 5),
        Literal(2, "a", "v", 6.5),
        Statement(3, "a", "r", "b", {"n": [5, 2.5], "none": []}),
    ]
    second: list[Record] = [Literal(4, "a", "v", "x")]
    load(driver, in_memory(first), graph=graph_name)
    load(driver, in_memory(second), graph=graph_name)
    apart = stored(driver, graph_name)[:2]
    assert apart[0]["a"][1]["v"] == ["5", "6.5", "x"]
    assert counts(load(driver, in_memory(first), graph=graph_name)) == (0, 0, 0, 0, 0)
    assert load(driver, in_memory([*first, *second]), graph=graph_name, sync=True).changed_entities == 0
    assert stored(driver, graph_name)[:2] == apart
    load(driver, in_memory([Literal(1, "a", "v", 1)]), graph=graph_name, sync=True)
    load(driver, in_memory([Literal(1, "a", "v", True)]), graph=graph_name, sync=True)
    assert stored(driver, graph_name)[0]["a"][1]["v"] is True


def test_qualifier_named_like_a_relation_hides_it_not(driver: neo4j.Driver, graph_name: str) -> None:
    records = [Statement(1, "a", "film", "b", {"year": 1990}), Triple(2, "b", "film.year", "y90")]
    load(driver, in_memory(records), graph=graph_name)
    before = stored(driver, graph_name)
    assert {name: row["kind"] for name, row in before[2].items()} == {
        "film": "edge", "film.year": "edge", "film.year (qualifier)": "qualifier",
    }  # fmt: skip
    load(driver, in_memory(records), graph=graph_name)
    assert stored(driver, graph_name) == before


def test_relation_over_two_facts_stays_one_at_the_second_load(driver: neo4j.Driver, graph_name: str) -> None:
    records = [
        Triple(1, "film", "starring", "part"),
        Triple(2, "part", "actor", "person"),
        RelationNote("starring", kind="leg"),
        RelationNote("actor", kind="leg"),
        RelationNote("starring..actor", label="actor", via=(">starring", ">actor")),
    ]
    load(driver, in_memory(records), graph=graph_name)
    before = stored(driver, graph_name)
    load(driver, in_memory(records[:2]), graph=graph_name)
    assert stored(driver, graph_name)[2] == before[2]
    assert before[2]["starring..actor"]["via"] == [">starring", ">actor"]
