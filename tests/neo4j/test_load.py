"""Loading on a real server: counts, what a second load does, awkward names, typed values, relations' words."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.catalog import GraphInfo, graph_fingerprint, graphs, loaded_mapping
from kgqa_graphdb.errors import ConfigError, LoadError, UnknownGraphError
from kgqa_graphdb.language import CHINESE, ENGLISH
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_loaders import write
from kgqa_loaders.drop import drop
from kgqa_loaders.recognise import open_source
from kgqa_loaders.records import LoadOptions, Named, Record, Triple
from kgqa_loaders.relations import parse_relations, spec
from kgqa_loaders.server import Server
from kgqa_loaders.write import LoadReport, load

pytestmark = pytest.mark.neo4j

FILMS = [
    ("Kismet", "directed_by", "William Dieterle"),
    ("Kismet", "starred_actors", "Marlene Dietrich"),
    ("Shanghai Express", "starred_actors", "Marlene Dietrich"),
    ("Shanghai Express", "directed_by", "Josef von Sternberg"),
]


@dataclass(frozen=True)
class Listed:
    """A source made in a test."""

    listed: tuple[Record, ...]
    describe: str = "a list"

    def checksum(self) -> str:
        return str(hash(self.listed))

    def records(self) -> Iterator[Record]:
        yield from self.listed


def triples(facts: Iterable[tuple[str, str, str]]) -> Listed:
    return Listed(tuple(Triple(line, *fact) for line, fact in enumerate(facts, start=1)))


def facts_in(driver: neo4j.Driver, graph: str) -> list[tuple[str, str, str]]:
    """Every fact of a graph, duplicates included, sorted."""
    text = f"MATCH (h:`KG_{graph}`)-[r]->(t:`KG_{graph}`) RETURN h.entity_id, type(r), t.entity_id"
    return sorted((row[0], row[1], row[2]) for row in driver.execute_query(text).records)  # type: ignore[arg-type]


def nodes_in(driver: neo4j.Driver, graph: str) -> dict[str, dict[str, Any]]:
    """Properties of every entity of a graph, by id."""
    rows = driver.execute_query(f"MATCH (n:`KG_{graph}`) RETURN n.entity_id, properties(n)").records  # type: ignore[arg-type]
    return {row[0]: row[1] for row in rows}


def everything(driver: neo4j.Driver, graph: str) -> list[Any]:
    """All that is stored of a graph, meta nodes included."""
    meta = driver.execute_query(
        "MATCH (m:_KGQA_Graph|_KGQA_Relation {graph: $graph}) "
        "RETURN labels(m) AS labels, properties(m) AS properties ORDER BY elementId(m)",
        graph=graph,
    )
    return [facts_in(driver, graph), nodes_in(driver, graph), [record.data() for record in meta.records]]


def mapping_of(driver: neo4j.Driver, graph: str) -> GraphMapping:
    with Neo4jIO(driver) as io:
        return run(loaded_mapping(graph), io)


def info_of(driver: neo4j.Driver, graph: str) -> GraphInfo:
    with Neo4jIO(driver) as io:
        return next(info for info in run(graphs(), io) if info.graph == graph)


def test_a_graph_keeps_its_language(driver: neo4j.Driver, graph_name: str) -> None:
    for language in ("zh", ""):  # a later load that names none leaves it
        load(driver, triples([("盗梦空间", "导演", "诺兰")]), graph=graph_name, options=LoadOptions(language=language))
        with KGQA(driver, graph=graph_name) as kg:
            assert kg.graph.mapping.language == CHINESE
            assert kg.ask("42?").text.startswith("无法回答这个问题：")
    load(driver, triples([("盗梦空间", "导演", "诺兰")]), graph=graph_name, options=LoadOptions(language="en"))
    with KGQA(driver, graph=graph_name) as kg:
        assert kg.graph.mapping.language == ENGLISH


def added(report: LoadReport) -> tuple[int, int, int]:
    return report.added_entities, report.added_facts, report.added_literals


def test_facts_are_loaded_and_counted_in_the_database(driver: neo4j.Driver, graph_name: str) -> None:
    report = load(driver, triples([*FILMS, FILMS[0]]), graph=graph_name, options=LoadOptions(licence="CC0-1.0"))
    assert facts_in(driver, graph_name) == sorted(FILMS)
    assert (report.entities, report.facts, report.relations, added(report)) == (5, 4, 2, (5, 4, 0))
    info = info_of(driver, graph_name)
    assert (info.entities, info.facts, info.source, info.licence) == (5, 4, "a list", "CC0-1.0")
    assert (info.owned, info.state) == (True, "complete")


def test_second_load_changes_nothing(driver: neo4j.Driver, graph_name: str) -> None:
    specs = parse_relations({"relations": {"height": {"kind": "property", "datatype": "integer"}}})
    source = triples([*FILMS, ("Marlene Dietrich", "height", "168")])
    load(driver, source, graph=graph_name, relations=specs)
    before = everything(driver, graph_name)
    report = load(driver, source, graph=graph_name, relations=specs)
    assert added(report) == (0, 0, 0)
    assert (report.facts, report.literals) == (4, 1)
    assert everything(driver, graph_name) == before


def test_another_file_adds_its_facts(driver: neo4j.Driver, graph_name: str) -> None:
    load(driver, triples(FILMS[:3]), graph=graph_name)
    report = load(driver, triples([FILMS[3], FILMS[0], ("Kismet", "has_tags", "bd-r")]), graph=graph_name)
    assert added(report) == (2, 2, 0)
    assert facts_in(driver, graph_name) == sorted([*FILMS, ("Kismet", "has_tags", "bd-r")])
    assert {relation.id for relation in mapping_of(driver, graph_name).relations} == {
        "directed_by",
        "starred_actors",
        "has_tags",
    }


def test_fingerprint_is_another_when_facts_or_relations_are_others(driver: neo4j.Driver, graph_name: str) -> None:
    def fingerprint() -> str:
        with Neo4jIO(driver) as io:
            return run(graph_fingerprint(mapping_of(driver, graph_name)), io)

    load(driver, triples(FILMS), graph=graph_name)
    first = fingerprint()
    load(driver, triples(FILMS), graph=graph_name)
    assert fingerprint() == first
    load(driver, triples([("Kismet", "directed_by", "Somebody")]), graph=graph_name)
    second = fingerprint()
    load(driver, triples([("Kismet", "owned_by", "Somebody")]), graph=graph_name)
    assert len({first, second, fingerprint()}) == 3


def test_facts_deleted_by_hand_come_back(driver: neo4j.Driver, graph_name: str) -> None:
    load(driver, triples(FILMS), graph=graph_name)
    driver.execute_query(f"MATCH (:`KG_{graph_name}`)-[r:directed_by]->() DELETE r")  # type: ignore[arg-type]
    driver.execute_query(  # as many facts as before, but others
        f"MATCH (h:`KG_{graph_name}` {{name: 'Kismet'}}), (t:`KG_{graph_name}`) WITH h, t ORDER BY t.name LIMIT 2 "  # type: ignore[arg-type]
        "CREATE (h)-[:starred_actors]->(t)"
    )
    report = load(driver, triples(FILMS), graph=graph_name)
    assert report.added_facts == 2
    assert set(FILMS) < set(facts_in(driver, graph_name))


def test_facts_come_in_batches_and_many_pages(
    driver: neo4j.Driver, graph_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgqa_loaders.batches.BATCH", 7)
    monkeypatch.setattr("kgqa_loaders.stored_graph.PAGE", 10)
    facts = sorted({(f"e{n % 31}", f"r{n % 3}", f"e{n * 7 % 31}") for n in range(200)})
    reported: list[tuple[int, int | None]] = []
    load(driver, triples(facts), graph=graph_name, progress=lambda done, total=None: reported.append((done, total)))
    assert facts_in(driver, graph_name) == facts
    assert reported[-1] == (31 + len(facts), 31 + len(facts))
    assert [done for done, _ in reported] == sorted(done for done, _ in reported)
    assert added(load(driver, triples(facts), graph=graph_name)) == (0, 0, 0)


def test_awkward_names_are_exact(driver: neo4j.Driver, graph_name: str) -> None:
    awkward = [
        ("back`tick``s", "rel`ation", "new\nline"),
        ("😀", "emoji 😀", "quote ' \" \\"),
        ("\\u0041", "\\u0060) DETACH DELETE (n", "A"),
        ("new\nline", "line\nbreak", "`"),
    ]
    load(driver, triples(awkward), graph=graph_name)
    assert facts_in(driver, graph_name) == sorted(awkward)
    assert {relation.type for relation in mapping_of(driver, graph_name).relations} == {fact[1] for fact in awkward}
    assert added(load(driver, triples(awkward), graph=graph_name)) == (0, 0, 0)


def test_typed_values_are_properties(driver: neo4j.Driver, graph_name: str) -> None:
    kinds = {"height": "integer", "born": "date", "alive": "boolean", "name": "string"}
    specs = {name: spec(name, kind="property", datatype=kind) for name, kind in kinds.items()}  # type: ignore[arg-type]
    facts = [
        ("Mars", "height", "21"), ("Mars", "height", "3"), ("Mars", "born", "1977-05-25"), ("Mars", "alive", "no"),
        ("Mars", "name", "Rotes"), ("Venus", "height", "tall"), ("Venus", "orbits", "Sun"),
    ]  # fmt: skip
    report = load(driver, triples(facts), graph=graph_name, relations=specs)
    assert (report.entities, report.facts, report.literals, report.rejected) == (3, 1, 5, 1)
    mars = nodes_in(driver, graph_name)["Mars"]
    assert mars.pop("born").to_native() == date(1977, 5, 25)
    assert mars == {"entity_id": "Mars", "name": "Mars", "height": [3, 21], "alive": False, "name_": "Rotes"}
    mapping = mapping_of(driver, graph_name)
    assert (mapping.relation("name").type, mapping.relation("name").kind) == ("name_", "property")
    more = load(driver, triples([("Mars", "height", "4"), ("Sun", "height", "9")]), graph=graph_name)
    assert (more.added_literals, more.literals) == (2, 7)
    assert nodes_in(driver, graph_name)["Mars"]["height"] == [3, 4, 21]


def test_aliases_are_searchable_names(driver: neo4j.Driver, graph_name: str) -> None:
    specs = {"aka": spec("aka", kind="alias")}
    facts = [("Mars", "aka", "Red Planet"), ("Mars", "aka", "Ares"), ("Mars", "aka", "Mars"), ("Mars", "orbits", "Sun")]
    load(driver, triples(facts), graph=graph_name, relations=specs)
    load(driver, triples([("Mars", "aka", "Quatre")]), graph=graph_name)
    assert nodes_in(driver, graph_name)["Mars"]["aliases"] == ["Ares", "Quatre", "Red Planet"]
    mapping = mapping_of(driver, graph_name)
    assert [relation.id for relation in mapping.relations] == ["orbits"]
    found = driver.execute_query(
        "CALL db.index.fulltext.queryNodes($index, 'quatre') YIELD node RETURN node.name", index=mapping.fulltext
    )
    assert [record[0] for record in found.records] == ["Mars"]


def test_names_and_classes_of_a_source_are_kept(driver: neo4j.Driver, graph_name: str) -> None:
    records = (Named("Q1", "Earth", ("Terra",), ("Planet",)), Triple(2, "Q2", "orbits", "Q1"))
    load(driver, Listed(records), graph=graph_name)
    before = everything(driver, graph_name)
    assert before[1]["Q1"] == {"entity_id": "Q1", "name": "Earth", "aliases": ["Terra"]}
    labels = driver.execute_query(f"MATCH (n:`KG_{graph_name}` {{entity_id: 'Q1'}}) RETURN labels(n)").records[0][0]  # type: ignore[arg-type]
    assert set(labels) == {"Entity", f"KG_{graph_name}", "Planet"}
    load(driver, Listed(records), graph=graph_name)
    assert everything(driver, graph_name) == before


def test_next_steps_are_those_that_the_facts_allow(driver: neo4j.Driver, graph_name: str) -> None:
    specs = {"height": spec("height", kind="property", datatype="integer")}
    load(driver, triples([*FILMS, ("Marlene Dietrich", "height", "168")]), graph=graph_name, relations=specs)
    steps = mapping_of(driver, graph_name).next_steps
    films = (">directed_by", ">starred_actors")
    assert steps == {
        ">directed_by": ("<directed_by",),
        "<directed_by": films,
        ">starred_actors": (">height", "<starred_actors"),
        "<starred_actors": films,
    }
    load(driver, triples([("William Dieterle", "aaa", "Berlin")]), graph=graph_name)
    steps = mapping_of(driver, graph_name).next_steps
    assert set(steps[">directed_by"]) == {"<directed_by", ">aaa"}
    assert set(steps["<aaa"]) == {"<directed_by", ">aaa"}


def test_relations_file_loaded_again_changes_the_words_only(driver: neo4j.Driver, graph_name: str) -> None:
    load(driver, triples(FILMS), graph=graph_name)
    steps = dict(mapping_of(driver, graph_name).next_steps)
    words = {"directed_by": spec("directed_by", label="director", inverse="films directed by"), "none": spec("none")}
    report = load(driver, triples(FILMS), graph=graph_name, relations=words)
    assert added(report) == (0, 0, 0)
    assert report.notes == ("the relations file names 'none', which the source does not have",)
    mapping = mapping_of(driver, graph_name)
    assert mapping.relation("directed_by").inverse_phrase == "films directed by"
    assert len(mapping.relations) == 2
    assert mapping.next_steps == steps
    load(driver, triples(FILMS), graph=graph_name)
    assert mapping_of(driver, graph_name).relation("directed_by").inverse_phrase == "films directed by"


def test_relations_without_words_are_told_of(driver: neo4j.Driver, graph_name: str) -> None:
    facts = [("Apollo 11", "P7", "Moon"), ("Apollo 11", "P8", "Saturn V"), ("Moon", "orbits", "Earth")]
    report = load(driver, triples(facts), graph=graph_name)
    assert len(report.notes) == 1
    assert report.notes[0].startswith("2 of 3 relations have no words but their ids, such as P7, so no question")
    report = load(driver, triples(facts), graph=graph_name, relations={"P7": spec("P7", label="destination")})
    assert report.notes == ()


def test_loaded_relation_keeps_its_kind(driver: neo4j.Driver, graph_name: str) -> None:
    load(driver, triples(FILMS), graph=graph_name)
    with pytest.raises(ConfigError, match=f"kgqa drop {graph_name}"):
        load(driver, triples(FILMS), graph=graph_name, relations={"directed_by": spec("directed_by", kind="property")})
    assert info_of(driver, graph_name).state == "complete"


def test_graphs_live_side_by_side_and_drop_leaves_the_other(driver: neo4j.Driver, graph_name: str) -> None:
    other = f"{graph_name}-2"
    load(driver, triples(FILMS), graph=graph_name)
    load(driver, triples(FILMS[:2]), graph=other)
    before = everything(driver, graph_name)
    report = drop(driver, other)
    assert (report.entities, report.facts) == (3, 2)
    assert everything(driver, other) == [[], {}, []]
    names = [row[0] for row in driver.execute_query("SHOW INDEXES YIELD name").records]
    names += [row[0] for row in driver.execute_query("SHOW CONSTRAINTS YIELD name").records]
    assert not [name for name in names if name.startswith(f"KG_{other}")]
    assert everything(driver, graph_name) == before
    with pytest.raises(UnknownGraphError, match="kgqa graphs"):
        drop(driver, other)


def test_drop_deletes_hubs_in_batches(driver: neo4j.Driver, graph_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kgqa_loaders.drop._NODES", 3)
    monkeypatch.setattr("kgqa_loaders.drop._FACTS", 4)
    load(driver, triples([("hub", "r", f"e{n}") for n in range(50)]), graph=graph_name)
    report = drop(driver, graph_name)
    assert (report.entities, report.facts) == (51, 50)
    assert everything(driver, graph_name) == [[], {}, []]


def test_mapping_of_an_unknown_graph_names_the_nearest(driver: neo4j.Driver, graph_name: str) -> None:
    load(driver, triples(FILMS), graph=graph_name)
    with pytest.raises(UnknownGraphError, match=f"nearest: '{graph_name}'.*kgqa graphs"):
        mapping_of(driver, graph_name + "x")


@pytest.mark.parametrize("name", ["", "1a", "a b", "a`b", "ä", "a" * 64, "_a"])
def test_graph_name_must_be_plain(driver: neo4j.Driver, name: str) -> None:
    with pytest.raises(ConfigError, match="can't be a graph's name"):
        load(driver, triples(FILMS), graph=name)


def test_malformed_lines_go_to_the_rejects_file(driver: neo4j.Driver, graph_name: str, tmp_path: Path) -> None:
    source, rejects = tmp_path / "kb.txt", tmp_path / "rejects.tsv"
    source.write_bytes(b"a|b|c\n" * 20 + b"a|b\n\xff|b|c\nd|b|a\n")
    report = load(driver, open_source(str(source)), graph=graph_name, options=LoadOptions(rejects_path=rejects))
    assert (report.facts, report.rejected, report.rejects_file) == (2, 2, str(rejects))
    assert rejects.read_text(encoding="utf-8").splitlines() == [
        "line\treason\ttext",
        "21\t2 columns instead of 3\ta|b",
        "22\tnot UTF-8: invalid start byte at byte 1\t\\xff|b|c",
    ]


def test_source_without_facts_leaves_no_graph(driver: neo4j.Driver, graph_name: str) -> None:
    with pytest.raises(LoadError, match="no facts"):
        load(driver, triples([]), graph=graph_name)
    assert everything(driver, graph_name) == [[], {}, []]


def test_chinese_names_get_the_cjk_analyzer(driver: neo4j.Driver, new_name: str) -> None:
    load(driver, triples([("天龙八部", "作者", "金庸")]), graph=new_name)
    row = driver.execute_query(
        "SHOW INDEXES YIELD name, options WHERE name = $name RETURN options", name=f"KG_{new_name}_names"
    ).records[0][0]
    assert row["indexConfig"]["fulltext.analyzer"] == "cjk"


def test_too_many_relationship_types_are_refused(
    driver: neo4j.Driver, graph_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "MAX_RELATIONSHIP_TYPES", 1)
    with pytest.raises(LoadError, match="another server or database"):
        load(driver, triples(FILMS), graph=graph_name)
    assert everything(driver, graph_name) == [[], {}, []]


def test_types_of_dropped_graphs_still_count(
    driver: neo4j.Driver, graph_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def types() -> set[str]:
        with Server(driver) as server:
            return set(server.run("load/relationship_types")[0][0])

    load(driver, triples([("a", f"only {graph_name}", "b")]), graph=graph_name)
    drop(driver, graph_name)
    assert f"only {graph_name}" in types()
    monkeypatch.setattr(write, "MAX_RELATIONSHIP_TYPES", len(types()))
    load(driver, triples([("a", f"only {graph_name}", "b")]), graph=graph_name)
    with pytest.raises(LoadError, match="1 new relations"):
        load(driver, triples([("a", f"also {graph_name}", "b")]), graph=graph_name)


def test_caller_driver_stays_open(driver: neo4j.Driver, graph_name: str) -> None:
    load(driver, triples(FILMS), graph=graph_name)
    driver.verify_connectivity()


def test_what_is_noted_of_twenty_thousand_relations_is_read_and_taken_away_soon(driver: neo4j.Driver) -> None:
    noted = "MATCH (note:_KGQA_Dropped) RETURN note.types"
    before = driver.execute_query(noted).records
    relation = {"kind": "edge", "graph": "wide"}
    driver.execute_query("CREATE (:_KGQA_Graph {graph: 'wide', after: $after})", after=bytes(4 << 20))
    driver.execute_query(
        "UNWIND range(1, 20000) AS n CREATE (r:_KGQA_Relation) "
        "SET r = $relation, r.number = n, r.relation = 'wide ' + n, r.type = 'wide ' + n",
        relation=relation,
    )
    try:
        began = time.monotonic()
        with Server(driver) as server:
            rows = server.run("load/stored", graph="wide")
            assert [row["number"] for row in rows[0][1]] == list(range(1, 20_001))
            assert server.run("load/end_drop", graph="wide") == [[20_001]]
            assert server.run("load/stored", graph="wide") == []
        assert time.monotonic() - began < 30  # it was minutes, where the graph's node was compared for each relation
        types = set(driver.execute_query(noted).records[0][0])
        assert {"wide 1", "wide 20000", *(before[0][0] if before else ())} <= types
    finally:
        driver.execute_query("MATCH (m:_KGQA_Graph|_KGQA_Relation {graph: 'wide'}) DETACH DELETE m")
        if before:
            driver.execute_query("MATCH (note:_KGQA_Dropped) SET note.types = $types", types=before[0][0])
        else:
            driver.execute_query("MATCH (note:_KGQA_Dropped) DELETE note")
