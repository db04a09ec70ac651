"""Who does what to whom where the ends of relations are of different kinds, over a proposed mapping."""

from __future__ import annotations

from collections.abc import Iterator

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import CachedEncoder
from tests.neo4j.databases import asked_as_proposed
from tests.neo4j.direction_of_kinds_questions import ANSWERED_BY_OTHERS, FACTS, OPEN, SHUT
from tests.neo4j.test_direction import wrong

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def races(empty: neo4j.Driver, encoder: CachedEncoder) -> Iterator[KGQA]:
    """A client of the made graph, with an untouched proposal of a mapping; the server holds nothing else."""
    for (head, type_, tail), facts in FACTS.items():
        empty.execute_query(
            f"UNWIND $facts AS fact MERGE (a:{head} {{name: fact[0]}}) MERGE (b:{tail} {{name: fact[1]}}) "
            f"CREATE (a)-[r:{type_}]->(b) SET r = fact[2]",
            facts=[list(fact) for fact in facts],
        )
    with asked_as_proposed(empty, "races", encoder) as kg:
        yield kg


@pytest.mark.parametrize("asked", [OPEN, SHUT], ids=["open", "shut"])
def test_the_fact_the_other_way_round_is_no_answer(races: KGQA, asked: str) -> None:
    assert set(wrong(races, asked)) <= ANSWERED_BY_OTHERS
