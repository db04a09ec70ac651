"""Values of the server become ours, those too that Python has no class for."""

from __future__ import annotations

from datetime import date

import neo4j
import pytest

from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import Read, ask, run
from kgqa_graphdb.types import Statement


@pytest.mark.parametrize(
    ("cypher", "value"),
    [
        ("date('1970-01-02')", date(1970, 1, 2)),
        ("date('-0044-03-15')", "-0044-03-15"),
        ("date('0000-02-29')", "0000-02-29"),
        ("date('-0001-12-31')", "-0001-12-31"),
        ("date('+12000-01-01')", "+12000-01-01"),
        ("localdatetime('-0044-03-15T09:05:07')", "-0044-03-15T09:05:07"),
        ("datetime('+12000-01-01T23:00:00Z')", "+12000-01-01T23:00:00"),
        ("[date('-0044-03-15'), null]", ["-0044-03-15", None]),
        ("duration('P1D')", "P1D"),
    ],
)
def test_a_moment_of_any_year_is_read(driver: neo4j.Driver, cypher: str, value: object) -> None:
    with Neo4jIO(driver) as io:
        assert run(ask(Read(Statement(f"RETURN {cypher} AS value"))), io) == [[value]]
