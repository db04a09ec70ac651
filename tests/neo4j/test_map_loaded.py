"""A company's graph in a database that holds a loaded graph, too, whose nodes have labels of the company's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.catalog import apart_from_loaded
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.survey import Choice, Survey, check_mapping, names_index, propose, survey

LABELS = ("Steward", "Wharf", "Crane")
LOADED = "KG_wharfdump"
MAKE = f"""
CREATE (ada:Steward {{stewardId: 40001, name: 'Ada Brink', grade: 'senior'}}),
       (bo:Steward {{stewardId: 40002, name: 'Bo Lund', grade: 'junior'}}),
       (long:Wharf {{name: 'Long Wharf', depth: 9}}), (low:Wharf {{name: 'Low Wharf', depth: 4}}),
       (ada)-[:TENDS {{since: 2001}}]->(long), (bo)-[:TENDS]->(low),
       (long)-[:HOISTS_BY]->(:Crane {{code: 'CR-17', name: 'Big Blue', reach: 30}}),
       (cy:Entity:{LOADED}:Steward {{entity_id: 'Cy Moor', name: 'Cy Moor', stewardId: '40001', rank: 'chief'}}),
       (di:Entity:{LOADED}:Steward {{entity_id: 'Di Nash', name: 'Di Nash'}}),
       (again:Entity:{LOADED}:Wharf {{entity_id: 'Long Wharf', name: 'Long Wharf'}}),
       (inn:Entity:{LOADED}:Tavern {{entity_id: 'Old Inn', name: 'Old Inn'}}),
       (cy)-[:TENDS {{hours: 3}}]->(again), (di)-[:TENDS]->(again), (inn)-[:TENDS]->(again), (cy)-[:DRINKS_AT]->(inn),
       (again)-[:OWNED_BY]->(di)
"""
EVERYTHING = f"any(label IN labels(n) WHERE label IN [{', '.join(map(repr, LABELS))}, '{LOADED}'])"


@pytest.fixture(scope="module")
def found(driver: neo4j.Driver) -> Iterator[Survey]:
    driver.execute_query(MAKE)
    yield look(driver)
    driver.execute_query(f"MATCH (n) WHERE {EVERYTHING} DETACH DELETE n")
    driver.execute_query("DROP INDEX wharves_kgqa_names IF EXISTS")


def look(driver: neo4j.Driver, choice: Choice | None = None) -> Survey:
    with Neo4jIO(driver) as io:
        return run(survey(choice=choice or Choice()), io)


def mapping_of(found: Survey) -> GraphMapping:
    """The proposal, without what other tests left in the database."""
    mapping = propose("wharves", found).mapping
    kinds = tuple(kind for kind in mapping.entities if kind.label in LABELS)
    kept = {r.id for r in mapping.relations if {*r.heads, *r.tails} & set(LABELS)}
    relations = tuple(r for r in mapping.relations if r.id in kept or r.of in kept)
    return GraphMapping("wharves", kinds, relations)


def test_only_the_companys_own_nodes_and_relationships_are_counted(found: Survey) -> None:
    assert {one.label: one.nodes for one in found.labels if one.label in LABELS} == {
        "Steward": 2,
        "Wharf": 2,
        "Crane": 1,
    }
    types = {one.type: one for one in found.types}
    assert (types["TENDS"].relationships, types["TENDS"].heads, types["TENDS"].tails) == (2, ("Steward",), ("Wharf",))
    assert LOADED in found.apart


def test_what_only_a_loaded_graph_has_takes_no_part(found: Survey) -> None:
    labels, types = {one.label for one in found.labels}, {one.type for one in found.types}
    assert not labels & {"Entity", "Tavern", LOADED}
    assert not types & {"DRINKS_AT", "OWNED_BY"}
    properties = {prop.key for one in found.labels if one.label in LABELS for prop in one.properties}
    assert properties == {"stewardId", "name", "grade", "depth", "reach", "code"}


def test_the_key_of_a_label_is_not_lost_to_a_loaded_node_that_has_its_value(found: Survey) -> None:
    keys = {kind.label: kind.key for kind in mapping_of(found).entities}
    assert keys == {"Steward": "stewardId", "Wharf": "name", "Crane": "code"}


def test_no_drift_comes_of_a_loaded_graph(driver: neo4j.Driver, found: Survey) -> None:
    with Neo4jIO(driver) as io:
        drift = run(check_mapping(mapping_of(found), look(driver)), io)
    ours = {*LABELS, "TENDS", "DRINKS_AT", "OWNED_BY", "Tavern", "Entity", LOADED}
    assert [one for one in drift if one.thing.split(".")[0] in ours] == []


# ── what takes part ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_labels_and_types_are_chosen(driver: neo4j.Driver, found: Survey) -> None:
    some = look(driver, Choice(labels=("Steward", "Wharf")))
    assert [one.label for one in some.labels] == ["Steward", "Wharf"]
    assert [one.type for one in some.types] == ["TENDS"]
    less = look(driver, Choice(labels=LABELS, types=("HOISTS_BY",)))
    assert [one.type for one in less.types] == ["HOISTS_BY"]


def test_labels_and_types_are_excluded(driver: neo4j.Driver, found: Survey) -> None:
    some = look(driver, Choice(exclude=("Crane", "TENDS")))
    assert "Crane" not in {one.label for one in some.labels}
    assert not {one.type for one in some.types} & {"TENDS", "HOISTS_BY"}


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (Choice(labels=("Stewart",)), "'Stewart'; nearest: 'Steward'"),
        (Choice(types=("TEND",)), "'TEND'; nearest: 'TENDS'"),
        (Choice(exclude=("Cranes",)), "'Cranes' is neither a label nor a relationship type; nearest: 'Crane'"),
    ],
)
def test_what_is_not_there_is_refused_with_the_nearest(
    driver: neo4j.Driver, found: Survey, choice: Choice, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        look(driver, choice)


def test_a_loaded_graph_takes_part_when_its_label_is_named(driver: neo4j.Driver, found: Survey) -> None:
    some = look(driver, Choice(labels=("Steward", LOADED)))
    assert {one.label: one.nodes for one in some.labels} == {"Steward": 4, LOADED: 4}
    mapping = propose("both", some).mapping
    with Neo4jIO(driver) as io:
        assert LOADED not in run(apart_from_loaded(mapping), io).apart


def test_the_label_that_loaded_graphs_share_stands_for_their_own_where_only_they_carry_it(
    driver: neo4j.Driver, found: Survey
) -> None:
    mapping = mapping_of(found)
    meta = (
        "OPTIONAL MATCH (g:_KGQA_Graph) WITH coalesce(sum(g.entities), 0) AS known "
        "CREATE (:_KGQA_Graph {graph: 'quays', entities: COUNT { (:Entity) } - known})"
    )
    driver.execute_query("CREATE (:Entity:KG_quays {name: 'First Quay'})")
    with Neo4jIO(driver) as io:
        assert {LOADED, "KG_quays"} <= {*run(apart_from_loaded(mapping), io).apart}
        driver.execute_query(meta)
        shared = run(apart_from_loaded(mapping), io)
        assert shared.apart == ("Entity",)
        with KGQA(driver, graph="wharves", mapping=shared) as kg:
            reply = kg.ask("Which stewards are there?")
            assert (set(reply.names), "KG_" in str(reply.cypher)) == ({"Ada Brink", "Bo Lund"}, False)
            assert reply.cypher is not None
            rows = driver.execute_query(reply.cypher.text, dict(reply.cypher.parameters)).records
            assert {row["answer"]["name"] for row in rows} == {"Ada Brink", "Bo Lund"}
        driver.execute_query("CREATE (:Entity:Steward {name: 'Eli Pratt', stewardId: 40003})")  # a company's own word
        assert {LOADED, "KG_quays"} <= {*run(apart_from_loaded(mapping), io).apart}
    driver.execute_query("MATCH (n) WHERE n:KG_quays OR n.name = 'Eli Pratt' OR n.graph = 'quays' DELETE n")


# ── answers ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module", params=["by scan", "by index"])
def kg(request: pytest.FixtureRequest, driver: neo4j.Driver, found: Survey) -> Iterator[KGQA]:
    mapping = mapping_of(found)
    if request.param == "by index":
        driver.execute_query(names_index("wharves_kgqa_names", mapping.entities).text)
        driver.execute_query("CALL db.awaitIndexes(60)")
        mapping = replace(mapping, fulltext="wharves_kgqa_names")
    with KGQA(driver, graph="wharves", mapping=mapping) as it:
        yield it


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who tends Long Wharf?", {"Ada Brink"}),
        ("How many stewards are there?", {2}),
        ("How many wharves are there?", {2}),
        ("What is the depth of Long Wharf?", {9}),
        ("Which wharf does Ada Brink tend?", {"Long Wharf"}),
        ("What is the grade of steward 40001?", {"senior"}),
        ("What is the reach of CR-17?", {30}),
        ("Which wharf does Cy Moor tend?", set()),
    ],
)
def test_nodes_of_a_loaded_graph_are_neither_topics_nor_answers(
    driver: neo4j.Driver, kg: KGQA, question: str, expected: set[object]
) -> None:
    reply = kg.ask(question)
    assert {getattr(node.item, "value", node.item.name) for node in reply.answers} == expected, reply.text
    if reply.cypher is not None and expected:
        rows = driver.execute_query(reply.cypher.text, dict(reply.cypher.parameters)).records
        answers = {getattr(row["answer"], "element_id", row["answer"]) for row in rows}
        assert answers == {getattr(n.item, "element_id", None) or n.item.value for n in reply.answers}
