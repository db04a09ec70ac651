"""A replay of a company's graph finds what was answered: properties by label, keys that are numbers, no keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import neo4j
import pytest

from kgqa_graphdb.graph import Graph
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.plan import Aggregate, Cite, Follow, Plan
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Entity, Fact, Value

DIRECTED = make_relation("RP_DIRECTED")
PRICE = make_relation("price", kind="property", heads=("RpFilm",))
MAPPING = GraphMapping(
    "replays",
    (
        EntityKind("RpPerson", "no", ("first", "last")),
        EntityKind("RpFilm", None, ("title",)),
        EntityKind("RpShow", None, ("title",)),
    ),
    (DIRECTED, PRICE),
)
MADE = """CREATE (ann:RpPerson {no: 10, first: 'Ann', last: 'Lee', price: 7})
CREATE (ann)-[:RP_DIRECTED]->(:RpFilm {title: 'Up', price: 5})
CREATE (ann)-[:RP_DIRECTED]->(:RpFilm {title: 1984, price: 6})
CREATE (ann)-[:RP_DIRECTED]->(:RpShow {title: 'Gig', price: 100})
CREATE (ann)-[:RP_DIRECTED]->(:RpShow)"""


@pytest.fixture(scope="module")
def entities(driver: neo4j.Driver) -> Iterator[dict[str, Entity]]:
    """The graph's nodes by their names."""
    driver.execute_query(MADE)
    steps = driver.execute_query("MATCH (n:RpPerson|RpFilm|RpShow) RETURN elementId(n)").records
    with Neo4jIO(driver) as io:
        known = run(Graph(MAPPING).describe([row[0] for row in steps]), io)
    yield {entity.name: entity for entity in known.values()}
    driver.execute_query("MATCH (n:RpPerson|RpFilm|RpShow) DETACH DELETE n")


def executed(driver: neo4j.Driver, plan: Plan) -> set[Any]:
    with Neo4jIO(driver) as io:
        return {node.name for node in run(Graph(MAPPING).execute(plan), io).nodes}


def replayed(driver: neo4j.Driver, plan: Plan) -> tuple[set[Any], int]:
    """Names of the answers, and how many facts were returned."""
    statement = Graph(MAPPING).statement(plan)
    assert "elementId" not in statement.text
    found: set[Any] = set()
    facts = 0
    for row in driver.execute_query(statement.text, dict(statement.parameters)).records:  # type: ignore[arg-type]
        node = row["answer"]
        facts += len(row["facts"])
        if isinstance(node, neo4j.graph.Node):
            parts = [str(node[key]) for key in ("first", "last", "title") if node.get(key)]
            found.add(" ".join(parts))
        elif node is not None:
            found.add(str(node))
    return found, facts


def test_nodes_without_a_key_are_called_by_name_and_show_no_element_id(entities: dict[str, Entity]) -> None:
    assert set(entities) == {"Ann Lee", "Up", "1984", "Gig", "(no name)"}
    assert entities["Ann Lee"].id == "10"
    assert {name for name, entity in entities.items() if entity.has_key} == {"Ann Lee"}


@pytest.mark.parametrize("topic", ["Ann Lee"])
def test_a_property_is_read_where_it_is_mapped_in_answers_and_in_replays(
    driver: neo4j.Driver, entities: dict[str, Entity], topic: str
) -> None:
    directed, price = MAPPING.step(">RP_DIRECTED"), MAPPING.step(">price")
    films = Follow(entities[topic], (directed,))
    wanted: dict[Plan, set[str]] = {
        Follow(entities[topic], (directed, price)): {"5", "6"},
        Follow(entities[topic], (price,)): set(),
        Aggregate("max", films, by=(price,)): {"1984"},
        Aggregate("sum", films, by=(price,)): {"11"},
        Aggregate(">", films, by=(price,), value=5): {"1984"},
    }
    for plan, names in wanted.items():
        assert executed(driver, plan) == names, plan
        assert replayed(driver, plan)[0] == names, plan


def test_a_walk_from_a_node_without_a_key_is_replayed_by_its_name(
    driver: neo4j.Driver, entities: dict[str, Entity]
) -> None:
    for name in ("Up", "1984", "Gig"):
        plan = Follow(entities[name], (MAPPING.step("<RP_DIRECTED"),))
        assert executed(driver, plan) == replayed(driver, plan)[0] == {"Ann Lee"}


def test_what_is_cited_is_found_again_whatever_its_key(driver: neo4j.Driver, entities: dict[str, Entity]) -> None:
    ann, up, year, gig, nameless = (entities[name] for name in ("Ann Lee", "Up", "1984", "Gig", "(no name)"))
    facts = [Fact(ann, DIRECTED, film) for film in (up, year, gig, nameless)]
    plan = Cite((ann, up, year, nameless, Value(7)), (*facts, Fact(up, PRICE, Value(5))))
    assert replayed(driver, plan) == ({"Ann Lee", "Up", "1984", "7"}, 4)  # nothing names the one without a name
