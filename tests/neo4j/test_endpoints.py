"""What paths lead to, as a reranker looks at it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.errors import ReadTimeoutError
from kgqa_graphdb.graph import EndpointStats, Graph
from kgqa_graphdb.graph import endpoints as looking
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.train.data.items import Item
from kgqa_graphdb.train.data.prober import PathProber
from kgqa_graphdb.types import Entity
from tests.neo4j.graphs import Made, make_graph, random_triples, remove_graph
from tests.neo4j.test_plans import HEIGHTS, some_paths


@pytest.fixture(scope="module")
def made(driver: neo4j.Driver) -> Iterator[Made]:
    graph = make_graph(driver, "ends", random_triples(seed=5), dict(HEIGHTS))
    yield graph
    remove_graph(driver, graph)


def test_ends_are_as_many_as_brute_force_finds_and_say_what_leaves_them(driver: neo4j.Driver, made: Made) -> None:
    graph = made.under("exclude_topic")
    some = some_paths(graph)
    nothing = 0
    for topic in ("e1", "e2"):
        with Neo4jIO(driver) as io:
            found = run(Graph(graph.mapping).endpoint_stats(graph.entities[topic], some), io)
            leaving = run(Graph(graph.mapping).first_steps(list(graph.entities.values())), io)
        assert found is not None
        for path, ends in zip(some, found, strict=True):
            reached = graph.reached(topic, path)
            if path[-1].relation.kind == "property":
                assert ends == EndpointStats(len(reached), values=True)
                continue
            assert (ends.count, ends.values) == (len(reached), False)
            assert len(ends.leaving) == min(len(reached), looking.SHOWN)
            assert set(ends.leaving) <= {leaving[graph.entities[str(end)].element_id] for end in reached}
            nothing += not reached
    assert nothing


def test_what_takes_too_long_is_not_seen(driver: neo4j.Driver, made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> None:
        raise ReadTimeoutError("late")

    monkeypatch.setattr(looking, "_stats", late)
    with Neo4jIO(driver) as io:
        assert run(Graph(made.mapping).endpoint_stats(made.entities["e1"], some_paths(made)), io) is None


def test_in_training_the_topics_of_questions_are_looked_from(driver: neo4j.Driver, made: Made) -> None:
    schema = Schema(made.mapping)
    some = [path for path in some_paths(made) if len(path) == 1]
    rows = [schema.rows(path) for path in some]
    topics = [replace(made.entities[name], element_id="") for name in ("e1", "e2")]
    items = [Item("who", (), (rows[0],), (1.0,), 1.0, topic=topic) for topic in (*topics, None, Entity("gone", "gone"))]
    with KGQA(driver, graph=made.mapping.graph, mapping=made.mapping) as kg:
        prober = PathProber(kg, kg.graph, schema)
        first, second, unknown, gone = prober.ends(items, [rows] * len(items))
        again = prober.ends(items[:1], [rows[:1]])
    with Neo4jIO(driver) as io:
        for name, found in (("e1", first), ("e2", second)):
            assert found == run(Graph(made.mapping).endpoint_stats(made.entities[name], some), io)
    assert (unknown, gone) == (None, None)
    assert again == [first[:1] if first else None]
