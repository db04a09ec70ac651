"""Who does what to whom where the ends of relations are of different kinds, over a proposed mapping."""

from __future__ import annotations

from collections.abc import Iterator

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import CachedEncoder
from kgqa_graphdb.managed import ManagedServer
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.survey import propose, survey
from tests.neo4j.direction_of_kinds_questions import ANSWERED_BY_OTHERS, FACTS, OPEN, SHUT
from tests.neo4j.test_direction import wrong

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def races(tmp_path_factory: pytest.TempPathFactory, encoder: CachedEncoder) -> Iterator[KGQA]:
    """A client of the made graph, with an untouched proposal of a mapping; the server holds nothing else."""
    server = ManagedServer(tmp_path_factory.mktemp("races") / "home")
    at = server.start()
    with neo4j.GraphDatabase.driver(at.uri, auth=at.auth) as driver:
        for (head, type_, tail), facts in FACTS.items():
            driver.execute_query(
                f"UNWIND $facts AS fact MERGE (a:{head} {{name: fact[0]}}) MERGE (b:{tail} {{name: fact[1]}}) "
                f"CREATE (a)-[r:{type_}]->(b) SET r = fact[2]",
                facts=[list(fact) for fact in facts],
            )
        with Neo4jIO(driver) as io:
            mapping = propose("races", run(survey(), io)).mapping
        with KGQA(driver, graph="races", mapping=mapping, encoder=encoder) as kg:
            yield kg
    server.remove()


@pytest.mark.parametrize("asked", [OPEN, SHUT], ids=["open", "shut"])
def test_the_fact_the_other_way_round_is_no_answer(races: KGQA, asked: str) -> None:
    assert set(wrong(races, asked)) <= ANSWERED_BY_OTHERS
