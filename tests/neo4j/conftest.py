"""Every test in this folder needs a real Neo4j."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb import KGQA, demo
from kgqa_graphdb.encode import CachedEncoder, OnnxEncoder
from kgqa_graphdb.errors import EncoderError
from kgqa_loaders.drop import drop
from kgqa_loaders.recognise import open_source
from kgqa_loaders.relations import read_relations
from kgqa_loaders.write import load


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


@pytest.fixture(scope="module")
def space(driver: neo4j.Driver) -> Iterator[str]:
    """The demo graph under a name that no one else uses."""
    name = f"ask{uuid.uuid4().hex[:10]}"
    load(driver, open_source(str(demo.FACTS_FILE)), graph=name, relations=read_relations(demo.RELATIONS_FILE))
    yield name
    drop(driver, name)


@pytest.fixture
def kg(driver: neo4j.Driver, space: str, encoder: CachedEncoder) -> KGQA:
    """A client of the demo graph."""
    return KGQA(driver, graph=space, encoder=encoder)
