"""A real server understands every statement file, and returns the columns that its header names."""

from __future__ import annotations

import neo4j
import pytest

from kgqa_graphdb import queries

pytestmark = pytest.mark.neo4j


NODE_NUMBERS = ("export/nodes", "export/entities", "export/facts")
"""They call ``id()``, which is deprecated, but which Cypher 5 keeps: a number is a fifth as long as an element id."""


def columns_of(header: str) -> list[str]:
    """Column names of a header's returns line: ``name type · name type; one row per …``."""
    if header.split()[0].rstrip(",;.") in ("none", "nothing"):
        return []
    return [part.split()[0] for part in header.split("·")]


@pytest.mark.parametrize("name", tuple(queries.names()))
def test_server_plans_the_statement_and_returns_the_named_columns(driver: neo4j.Driver, name: str) -> None:
    query = queries.load(name)
    text = query.cypher(**{splice: f"KG_test_{splice}" for splice in query.splices})
    with driver.session() as session:
        result = session.run(f"EXPLAIN {text}")  # type: ignore[arg-type]
        columns = list(result.keys())
        statuses = result.consume().gql_status_objects
    assert columns == columns_of(query.header["returns"])
    deprecated = {status.status_description for status in statuses if status.raw_classification == "DEPRECATION"}
    if name in NODE_NUMBERS:
        deprecated = {one for one in deprecated if "id" not in one.split()}
    assert not deprecated
