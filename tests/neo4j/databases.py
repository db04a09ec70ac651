"""Whole databases, as a company has them: cleared, and asked over a mapping that nobody corrected."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import neo4j

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import CachedEncoder
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.survey import propose, survey
from tests.graphs import drop_schema


def clear(driver: neo4j.Driver) -> None:
    """Delete all that a database holds."""
    driver.execute_query("MATCH (n) DETACH DELETE n")
    drop_schema(driver, "type <> 'LOOKUP'")


@contextmanager
def asked_as_proposed(driver: neo4j.Driver, name: str, encoder: CachedEncoder) -> Iterator[KGQA]:
    """A client of a database, with the mapping that is proposed for it."""
    with Neo4jIO(driver) as io:
        mapping = propose(name, run(survey(), io)).mapping
    with KGQA(driver, graph=name, mapping=mapping, encoder=encoder) as kg:
        yield kg
