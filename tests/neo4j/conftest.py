"""Every test in this folder needs a real Neo4j."""

from __future__ import annotations

from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import CachedEncoder, OnnxEncoder
from kgqa_graphdb.errors import EncoderError


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.neo4j)


@pytest.fixture(scope="module")
def encoder() -> CachedEncoder:
    """The machine's encoder; tests of what it ranks are skipped where there is none."""
    found = CachedEncoder(OnnxEncoder())
    try:
        found.encode(["a"])
    except EncoderError as error:
        pytest.skip(f"no text encoder: {error}")
    return found


@pytest.fixture
def kg(driver: neo4j.Driver, space: str, encoder: CachedEncoder) -> KGQA:
    """A client of the demo graph."""
    return KGQA(driver, graph=space, encoder=encoder)
