"""Values that are missing, dates of relationships, counts and sums with conditions, over a made museum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import CachedEncoder
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.survey import propose, survey
from tests.neo4j.value_questions import FACTS, LABELS, OPEN, SHUT


def mapping_of(driver: neo4j.Driver) -> GraphMapping:
    """The untouched proposal, without what other tests left in the database."""
    with Neo4jIO(driver) as io:
        found = propose("museum", run(survey(), io)).mapping
    own = [one for one in found.relations if {*one.heads, *one.tails} & {*LABELS}]
    own = [replace(one, heads=_own(one.heads), tails=_own(one.tails)) for one in own]
    names = {one.id for one in own}
    qualifiers = [one for one in found.relations if one.of in names]
    kinds = tuple(kind for kind in found.entities if kind.label in LABELS)
    return GraphMapping("museum", kinds, tuple(dict.fromkeys((*own, *qualifiers))))


def _own(labels: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(label for label in labels if label in LABELS)


@pytest.fixture(scope="module")
def kg(driver: neo4j.Driver, encoder: CachedEncoder) -> Iterator[KGQA]:
    driver.execute_query(FACTS)
    with KGQA(driver, graph="museum", mapping=mapping_of(driver), encoder=encoder) as opened:
        yield opened
    driver.execute_query("MATCH (n) WHERE any(label IN labels(n) WHERE label IN $kinds) DETACH DELETE n", kinds=LABELS)


def answered(kg: KGQA, question: str) -> str:
    """The answers to a question as the gold has them."""
    reply = kg.ask(question)
    values = [round(one.value, 6) if isinstance(one.value, float) else one.value for one in reply.values]
    found = sorted(map(str, values)) or sorted(reply.names)
    words = {"True": "yes", "False": "no"}
    return " ; ".join(words.get(one, one.removesuffix(".0")) for one in found) or "NONE"


def right(kg: KGQA, text: str) -> list[bool]:
    """Which questions of a text are answered as they should be."""
    lines = [line.partition(" => ") for line in text.split("\n")[1:-1]]
    return [answered(kg, question) == gold for question, _, gold in lines]


def test_a_value_is_that_of_what_is_asked_about_or_none(kg: KGQA) -> None:
    assert all(right(kg, OPEN))


def test_so_is_that_of_questions_not_looked_at_before(kg: KGQA) -> None:
    assert sum(right(kg, SHUT)) >= 13  # of 14


def test_what_is_missing_is_named(kg: KGQA) -> None:
    assert "the graph has no date of birth of Rolf Aker" in kg.ask("When was Rolf Aker born?").text
    assert "the graph has no hours of Uma Stein and Old Heron" in (
        kg.ask("How many hours did Uma Stein restore Old Heron?").text
    )
