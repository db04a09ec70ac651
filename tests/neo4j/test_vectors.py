"""The vector index: made, kept up to date, resumed, used for what names do not say, and removed."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import neo4j
import numpy as np
import pytest

from kgqa_graphdb import KGQA, Reply
from kgqa_graphdb.encode import CachedEncoder, OnnxEncoder
from kgqa_graphdb.errors import EncoderError, UsageError
from kgqa_graphdb.lm import ScriptedModel
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation, read_mapping, write_mapping
from kgqa_graphdb.types import Vectors
from kgqa_loaders.drop import drop
from kgqa_loaders.recognise import open_source
from kgqa_loaders.vectors import digest, entity_text, index_vectors, remove_vectors
from kgqa_loaders.write import load

FACTS = """\
Mars\thas moon\tPhobos
Mars\thas moon\tDeimos
Saturn\thas moon\tTitan
Phobos\tdiscovered by\tAsaph Hall
Titan\tdiscovered by\tChristiaan Huygens
Venera 7\tlanded on\tVenus
Mars\tis a\tplanet
"""
DESCRIPTIONS = {
    "Mars": "the red planet, reddish from the iron oxide in its dust",
    "Saturn": "the ringed planet, a gas giant",
    "Venus": "the hottest planet, under thick clouds of acid",
    "Asaph Hall": "American astronomer",
    "Christiaan Huygens": "Dutch scientist who built the pendulum clock",
}


class CountingEncoder:
    """A real encoder that counts what it embeds; ``stop_after`` texts it is interrupted."""

    def __init__(self, inner: OnnxEncoder | StandInEncoder, stop_after: int = 10**9) -> None:
        self.inner = inner
        self.texts: list[str] = []
        self.stop_after = stop_after

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def dim(self) -> int:
        return self.inner.dim

    @property
    def fingerprint(self) -> str:
        return self.inner.fingerprint

    def encode(self, texts: Sequence[str]) -> Vectors:
        if len(self.texts) >= self.stop_after:
            raise KeyboardInterrupt
        self.texts += texts
        return self.inner.encode(texts)


class StandInEncoder:
    """Vectors of the letters of a text: enough to tell one encoder's vectors from another's."""

    def __init__(self, name: str, dim: int) -> None:
        self.name, self.dim, self.fingerprint = name, dim, f"{name}:{dim}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        found = np.full((len(texts), self.dim), 0.01, dtype=np.float32)
        for row, text in enumerate(texts):
            for char in text.lower():
                found[row, ord(char) % self.dim] += 1
        unit: Vectors = found / np.linalg.norm(found, axis=1, keepdims=True)
        return unit


@pytest.fixture(scope="module")
def encoder() -> OnnxEncoder:
    """The machine's encoder; tests of what it finds are skipped where there is none."""
    found = OnnxEncoder()
    try:
        found.encode(["a"])
    except EncoderError as error:
        pytest.skip(f"no text encoder: {error}")
    return found


@pytest.fixture
def worlds(driver: neo4j.Driver, graph_name: str, tmp_path: Path) -> str:
    """A small loaded graph whose entities have descriptions."""
    (tmp_path / "facts.tsv").write_text(FACTS, encoding="utf-8")
    load(driver, open_source(str(tmp_path / "facts.tsv"), "tsv"), graph=graph_name)
    describe(driver, graph_name, DESCRIPTIONS)
    return graph_name


def describe(driver: neo4j.Driver, graph: str, descriptions: dict[str, str]) -> None:
    for name, text in descriptions.items():
        driver.execute_query(f"MATCH (n:`KG_{graph}` {{name: $name}}) SET n.description = $text", name=name, text=text)


def vectors_of(driver: neo4j.Driver, graph: str) -> dict[str, list[float]]:
    query = f"MATCH (n:`KG_{graph}`) WHERE n._kgqa_vector IS NOT NULL RETURN n.name AS name, n._kgqa_vector AS vector"
    return {row["name"]: list(row["vector"]) for row in driver.execute_query(query).records}


def vector_indexes(driver: neo4j.Driver, graph: str) -> list[Any]:
    query = "SHOW VECTOR INDEXES YIELD name, state, options WHERE name STARTS WITH $name RETURN name, state, options"
    return driver.execute_query(query, name=f"KG_{graph}").records


def mapping_of(driver: neo4j.Driver, graph: str) -> GraphMapping:
    return KGQA(driver, graph=graph).graph.mapping


def linked(reply: Reply) -> list[str]:
    return [link.entity.name for link in reply.answer.links]


# ── making it ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_entity_gets_a_vector_and_the_encoder_is_noted(driver: neo4j.Driver, worlds: str) -> None:
    encoder = StandInEncoder("letters", 8)
    report = index_vectors(driver, mapping_of(driver, worlds), encoder)
    stored = vectors_of(driver, worlds)
    assert report.entities == report.embedded == len(stored) == 10
    texts = {name: f"{name}: {DESCRIPTIONS[name]}" if name in DESCRIPTIONS else name for name in stored}
    for name, text in texts.items():
        assert stored[name] == pytest.approx(encoder.encode([text])[0], abs=1e-6)
    [index] = vector_indexes(driver, worlds)
    assert index["state"] == "ONLINE"
    config = index["options"]["indexConfig"]
    assert (config["vector.dimensions"], config["vector.similarity_function"].lower()) == (8, "cosine")
    assert mapping_of(driver, worlds).vectors == report.vectors
    assert (report.vectors.encoder, report.vectors.dimension) == ("letters", 8)


def test_run_again_it_embeds_only_what_is_new_or_changed(driver: neo4j.Driver, worlds: str, tmp_path: Path) -> None:
    encoder = CountingEncoder(StandInEncoder("letters", 8))
    index_vectors(driver, mapping_of(driver, worlds), encoder)
    encoder.texts.clear()
    assert index_vectors(driver, mapping_of(driver, worlds), encoder).embedded == 0
    (tmp_path / "more.tsv").write_text("Jupiter\thas moon\tIo\n", encoding="utf-8")
    load(driver, open_source(str(tmp_path / "more.tsv"), "tsv"), graph=worlds)
    describe(driver, worlds, {"Venus": "the morning star"})
    assert index_vectors(driver, mapping_of(driver, worlds), encoder).embedded == 3
    assert sorted(encoder.texts) == ["Io", "Jupiter", "Venus: the morning star"]


def test_an_interrupted_run_goes_on_where_it_was(
    driver: neo4j.Driver, worlds: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgqa_loaders.vectors.BATCH", 3)
    encoder = CountingEncoder(StandInEncoder("letters", 8), stop_after=6)
    with pytest.raises(KeyboardInterrupt):
        index_vectors(driver, mapping_of(driver, worlds), encoder)
    assert len(vectors_of(driver, worlds)) == 6
    assert mapping_of(driver, worlds).vectors is None  # a half-filled index would hide entities
    encoder.stop_after = 10**9
    report = index_vectors(driver, mapping_of(driver, worlds), encoder)
    assert (report.entities, report.embedded) == (10, 4)
    assert len(set(encoder.texts)) == len(encoder.texts) == 10


def test_another_encoder_is_refused_until_all_is_embedded_anew(driver: neo4j.Driver, worlds: str) -> None:
    index_vectors(driver, mapping_of(driver, worlds), StandInEncoder("letters", 8))
    with pytest.raises(UsageError, match="--rebuild"):
        index_vectors(driver, mapping_of(driver, worlds), StandInEncoder("others", 16))
    report = index_vectors(driver, mapping_of(driver, worlds), StandInEncoder("others", 16), rebuild=True)
    assert report.embedded == 10
    assert {len(vector) for vector in vectors_of(driver, worlds).values()} == {16}
    [index] = vector_indexes(driver, worlds)
    assert index["options"]["indexConfig"]["vector.dimensions"] == 16


def test_removing_takes_vectors_and_index_away(driver: neo4j.Driver, worlds: str) -> None:
    index_vectors(driver, mapping_of(driver, worlds), StandInEncoder("letters", 8))
    assert remove_vectors(driver, mapping_of(driver, worlds)) == 10
    assert not vectors_of(driver, worlds)
    assert not vector_indexes(driver, worlds)
    assert mapping_of(driver, worlds).vectors is None


def test_dropping_the_graph_drops_its_vector_index(driver: neo4j.Driver, worlds: str) -> None:
    index_vectors(driver, mapping_of(driver, worlds), StandInEncoder("letters", 8))
    drop(driver, worlds)
    assert not vector_indexes(driver, worlds)


def test_the_text_of_an_entity_is_its_names_and_what_describes_it() -> None:
    assert entity_text(["Mars", ["Ares", "Mars", None], "a planet"], 2) == "Mars, Ares: a planet"
    assert entity_text([None, None, ["one", "two"]], 2) == "one two"
    assert entity_text([None, "", None], 2) == ""
    assert digest("Mars", "a") != digest("Mars", "b")


# ── asking ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "question",
    ["Which moons does the red planet have?", "Which moons does [the red planet] have?"],
)
def test_a_description_finds_whom_names_do_not(
    driver: neo4j.Driver, worlds: str, encoder: OnnxEncoder, question: str
) -> None:
    kg = KGQA(driver, graph=worlds, encoder=CachedEncoder(encoder))
    before = kg.ask(question)
    assert "Mars" not in linked(before)
    index_vectors(driver, mapping_of(driver, worlds), encoder)
    reply = KGQA(driver, graph=worlds, encoder=CachedEncoder(encoder)).ask(question)
    assert "Mars" in linked(reply)
    assert set(reply.names) == {"Phobos", "Deimos"}


def test_a_name_comes_before_a_meaning(driver: neo4j.Driver, worlds: str, encoder: OnnxEncoder) -> None:
    questions = ["Which moons does Saturn, not the red planet, have?", "what is the planet"]
    before = [linked(KGQA(driver, graph=worlds, encoder=encoder).ask(question)) for question in questions]
    index_vectors(driver, mapping_of(driver, worlds), encoder)
    kg = KGQA(driver, graph=worlds, encoder=CachedEncoder(encoder))
    assert [linked(kg.ask(question)) for question in questions] == before
    described, named = (
        next(link.score for link in kg.ask(question).answer.links if link.entity.name == name)
        for question, name in (("which moons does red planet have", "Mars"), ("which moons does Mars have", "Mars"))
    )
    assert described < named
    assert linked(kg.ask("Which moons does Saturm have?"))[0] == "Saturn"


@pytest.mark.parametrize("nearest", [1, 3])
def test_topics_of_a_neighbourhood_are_the_entities_most_like_the_question(
    driver: neo4j.Driver, worlds: str, encoder: OnnxEncoder, nearest: int
) -> None:
    index_vectors(driver, mapping_of(driver, worlds), encoder)
    model = ScriptedModel({}, "Phobos\nDeimos")
    settings = {"topics": "similarity", "nearest": nearest, "hops": 1}
    kg = KGQA(
        driver, graph=worlds, encoder=CachedEncoder(encoder), method="neighbourhood", language_model=model,
        settings=settings,
    )  # fmt: skip
    reply = kg.ask("Which moons does the red planet have?")
    assert linked(reply)[0] == "Mars"
    assert len(linked(reply)) == nearest
    assert set(reply.names) == {"Phobos", "Deimos"}
    scores = [link.score for link in reply.answer.links]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[-1] <= scores[0] < 1
    assert reply.to_dict()["linked"][0]["mention"] == ""


def test_vectors_of_another_encoder_are_not_used(
    driver: neo4j.Driver, worlds: str, encoder: OnnxEncoder, caplog: pytest.LogCaptureFixture
) -> None:
    index_vectors(driver, mapping_of(driver, worlds), StandInEncoder("letters", encoder.dim))
    reply = KGQA(driver, graph=worlds, encoder=CachedEncoder(encoder)).ask("Who built [the pendulum clock]?")
    assert not linked(reply)
    assert "another text encoder" in caplog.text


def test_an_index_that_was_dropped_by_hand_costs_a_warning(
    driver: neo4j.Driver, worlds: str, encoder: OnnxEncoder, caplog: pytest.LogCaptureFixture
) -> None:
    index_vectors(driver, mapping_of(driver, worlds), encoder)
    driver.execute_query(f"DROP INDEX `KG_{worlds}_vectors`")
    reply = KGQA(driver, graph=worlds, encoder=CachedEncoder(encoder)).ask("Who built [the pendulum clock]?")
    assert reply.abstained
    assert "kgqa index" in caplog.text


# ── a graph that we did not load ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def shop(driver: neo4j.Driver) -> Iterator[GraphMapping]:
    """Somebody else's graph, of two labels."""
    name = f"shop{uuid.uuid4().hex[:8]}"
    driver.execute_query(
        f"CREATE (:`{name}_Film` {{title: 'Quiet Dunes', tagline: 'a desert planet and its giant worms'}})"
        f"-[:MADE_BY]->(:`{name}_Studio` {{name: 'Lantern Works'}}), (:`{name}_Film` {{title: 'Tin Boats'}}),"
        f"(:`{name}_Studio` {{street: 'nameless'}})"
    )
    yield GraphMapping(
        graph=name,
        entities=(EntityKind(f"{name}_Film", "title", ("title",)), EntityKind(f"{name}_Studio", "name", ("name",))),
        relations=(make_relation("MADE_BY"), make_relation("tagline", kind="property")),
    )
    for label in (f"{name}_Film", f"{name}_Studio"):
        driver.execute_query(f"MATCH (n:`{label}`) DETACH DELETE n")
        driver.execute_query(f"DROP INDEX `{name}_kgqa_{label}_vectors` IF EXISTS")


def test_a_graph_that_was_not_loaded_is_written_to_only_when_told(
    driver: neo4j.Driver, shop: GraphMapping, encoder: OnnxEncoder, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="--write-properties"):
        index_vectors(driver, shop, encoder)
    report = index_vectors(driver, shop, encoder, write_properties=True)
    assert (report.entities, report.embedded) == (3, 3)  # one has neither name nor description
    write_mapping(replace(shop, vectors=report.vectors), tmp_path / "shop.toml")
    mapping = read_mapping(tmp_path / "shop.toml")
    assert mapping.vectors == report.vectors
    kg = KGQA(driver, graph=shop.graph, mapping=mapping, encoder=CachedEncoder(encoder))
    reply = kg.ask("Who made [the film about huge worms in a desert]?")
    assert linked(reply)[0] == "Quiet Dunes"
    assert reply.names == ("Lantern Works",)
    assert index_vectors(driver, mapping, encoder, write_properties=True).embedded == 0
    assert remove_vectors(driver, mapping) == 3
    left = driver.execute_query(
        f"MATCH (n:`{shop.graph}_Film`) RETURN count(n._kgqa_vector) + count(n._kgqa_vector_of) AS left"
    )
    assert left.records[0]["left"] == 0
