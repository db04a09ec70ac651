"""Every test in this folder needs a real Neo4j."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import CachedEncoder, OnnxEncoder
from kgqa_graphdb.errors import EncoderError
from kgqa_graphdb.managed import Connection
from tests.neo4j.databases import clear


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.neo4j)


@pytest.fixture(scope="session")
def encoder() -> CachedEncoder:
    """The machine's encoder; tests of what it ranks are skipped where there is none."""
    found = CachedEncoder(OnnxEncoder())
    try:
        found.encode(["a"])
    except EncoderError as error:
        pytest.skip(f"no text encoder: {error}")
    return found


@pytest.fixture(scope="module")
def empty(managed: Connection) -> Iterator[neo4j.Driver]:
    """A driver to a server that holds nothing else: what is proposed is for a whole database."""
    with neo4j.GraphDatabase.driver(managed.uri, auth=managed.auth) as driver:
        clear(driver)
        yield driver
        clear(driver)


@pytest.fixture
def kg(driver: neo4j.Driver, space: str, encoder: CachedEncoder) -> KGQA:
    """A client of the demo graph."""
    return KGQA(driver, graph=space, encoder=encoder)
