"""An exported graph has the facts that are in Neo4j, no more and no fewer, and is known again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import neo4j
import numpy as np
import pytest

from kgqa_graphdb import KGQA, AsyncKGQA
from kgqa_graphdb.encode import CachedEncoder
from kgqa_graphdb.errors import ExportError, SubgraphError, UnknownEntityError, UsageError
from kgqa_graphdb.export import ExportedGraph, SubgraphSettings, cut_subgraph, named, read, read_subgraph
from kgqa_graphdb.graph import NEIGHBOURHOOD_LIMITS, NeighbourhoodLimits
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_loaders.recognise import open_source
from kgqa_loaders.write import load
from tests.e2e.command import assert_one_line, document, kgqa
from tests.neo4j.graphs import Made, make_graph, random_triples, remove_graph
from tests.neo4j.shop import MAPPING as SHOP
from tests.neo4j.shop import SECRETS, remove_shop, write_shop

VIA = {"fellow": (">likes", "<likes"), "onward": (">likes", ">knows")}


@pytest.fixture(scope="module")
def made(driver: neo4j.Driver) -> Iterator[Made]:
    graph = make_graph(driver, "export", random_triples(seed=5, facts=40))
    yield graph
    remove_graph(driver, graph)


@pytest.fixture
def shop(driver: neo4j.Driver) -> Iterator[GraphMapping]:
    write_shop(driver)
    yield SHOP
    remove_shop(driver)


def triples_of(exported: ExportedGraph) -> Counter[tuple[str, str, str]]:
    """The facts by keys, or names where there is no key."""
    called = [key or name for key, name in zip(exported.keys, exported.names, strict=True)]
    columns = zip(exported.head.tolist(), exported.relation.tolist(), exported.tail.tolist(), strict=True)
    return Counter((called[head], exported.relation_ids[relation], called[tail]) for head, relation, tail in columns)


def test_all_facts_are_exported_in_order_and_by_tail_too(driver: neo4j.Driver, made: Made, tmp_path: Path) -> None:
    exported = KGQA(driver, graph="export", mapping=made.mapping).export(tmp_path / "out")
    assert triples_of(exported) == Counter(made.triples)
    assert sorted(exported.keys) == sorted(made.entities)
    order = np.lexsort((exported.tail, exported.relation, exported.head))
    assert order.tolist() == list(range(len(made.triples)))
    for entity in range(exported.num_entities):
        leaving = slice(exported.out_start[entity], exported.out_start[entity + 1])
        entering = exported.in_fact[exported.in_start[entity] : exported.in_start[entity + 1]]
        assert set(exported.head[leaving].tolist()) <= {entity}
        assert sorted(entering.tolist()) == np.flatnonzero(exported.tail == entity).tolist()
    assert exported.out_start[-1] == exported.in_start[-1] == len(made.triples)


def test_pages_make_no_difference(
    driver: neo4j.Driver, made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kg = KGQA(driver, graph="export", mapping=made.mapping)
    whole = kg.export(tmp_path / "whole")
    for name, value in {"NODES_A_PAGE": 3, "FACTS_A_PAGE": 4, "AT_ONCE": 2, "_ROW": 2}.items():
        monkeypatch.setattr(read, name, value)
    parts = kg.export(tmp_path / "parts")
    for name in ("head", "relation", "tail", "out_start", "in_fact", "in_start", "label_set"):
        assert getattr(parts, name).tolist() == getattr(whole, name).tolist()
    assert list(parts.names) == list(whole.names)


def test_what_is_walked_via_others_is_one_fact_and_its_legs_are_none(
    driver: neo4j.Driver, made: Made, tmp_path: Path
) -> None:
    legs = [replace(r, kind="leg") if r.id == "knows" else r for r in made.mapping.relations]
    via = [make_relation(name, via=steps) for name, steps in VIA.items()]
    mapping = replace(made.mapping, relations=(*legs, *via))
    exported = KGQA(driver, graph="export", mapping=mapping).export(tmp_path / "out")
    likes = [(head, tail) for head, relation, tail in made.triples if relation == "likes"]
    knows = [(head, tail) for head, relation, tail in made.triples if relation == "knows"]
    expected = Counter((head, "likes", tail) for head, tail in likes)
    expected.update(
        (one, "fellow", other) for one, liked in likes for other, same in likes if liked == same and one != other
    )
    expected.update((one, "onward", end) for one, middle in likes for start, end in knows if middle == start)
    found = triples_of(exported)
    assert {triple for triple in found if triple[1] != "knows"} == set(expected)
    assert not any(relation == "knows" for _, relation, _ in found)


def test_a_companys_graph_is_exported_through_its_mapping_and_nothing_else_of_it(
    driver: neo4j.Driver, shop: GraphMapping, tmp_path: Path
) -> None:
    driver.execute_query("MATCH (s:ShopSupplier {id: 22}) SET s.price = 77")
    exported = KGQA(driver, graph="shop", mapping=shop).export(tmp_path / "out", properties=["price"])
    names = dict(zip(exported.keys, exported.names, strict=True))
    named = Counter((names[h], r, names[t]) for h, r, t in triples_of(exported))
    assert named == Counter(
        [
            ("Leaf and Sons", "SHOP_SUPPLIES", "Green Tea"), ("Kiln Works", "SHOP_SUPPLIES", "Blue Mug"),
            ("Kiln Works", "SHOP_SUPPLIES", "Glass Jar"), ("Ada Lovell", "SHOP_PLACED", "1001"),
            ("Bo Nilsen", "SHOP_PLACED", "1002"), ("1001", "Order.Product", "Green Tea"),
            ("1001", "Order.Product", "Blue Mug"), ("1002", "Order.Product", "Glass Jar"),
        ]
    )  # fmt: skip
    assert set(exported.kinds) == {kind.label for kind in shop.entities}
    prices = dict(zip(exported.names, exported.property("price"), strict=True))
    assert (prices["Green Tea"], prices["Blue Mug"]) == (4.5, 9.0)
    assert np.isnan(prices["Kiln Works"])
    stored = b"".join(path.read_bytes() for path in exported.folder.rglob("*") if path.is_file())
    assert not [secret for secret in SECRETS if secret.encode() in stored]


def test_relations_that_share_a_type_are_told_apart_by_their_ends(
    driver: neo4j.Driver, shop: GraphMapping, tmp_path: Path
) -> None:
    driver.execute_query("MATCH (s:ShopSupplier {id: 21}), (c:ShopCustomer {id: 1}) CREATE (s)-[:SHOP_SUPPLIES]->(c)")
    other = make_relation("supplies people", type="SHOP_SUPPLIES", heads=("ShopSupplier",), tails=("ShopCustomer",))
    kg = KGQA(driver, graph="shop", mapping=replace(shop, relations=(*shop.relations, other)))
    exported = kg.export(tmp_path / "out")
    counts = {relation.id: relation.facts for relation in exported.manifest.relations}
    assert counts == {"SHOP_SUPPLIES": 3, "SHOP_PLACED": 2, "Order.Product": 3, "supplies people": 1}


def test_relationships_to_what_is_no_entity_are_counted(
    driver: neo4j.Driver, shop: GraphMapping, tmp_path: Path
) -> None:
    fewer = tuple(kind for kind in shop.entities if kind.label != "ShopProduct")
    exported = KGQA(driver, graph="shop", mapping=replace(shop, entities=fewer)).export(tmp_path / "out")
    assert exported.manifest.dropped == 6
    assert "Green Tea" not in list(exported.names)


async def test_the_asynchronous_client_exports_the_same(
    driver: neo4j.Driver, connection: Any, made: Made, tmp_path: Path
) -> None:
    expected = KGQA(driver, graph="export", mapping=made.mapping).export(tmp_path / "one")
    async with await AsyncKGQA.connect("export", connection=connection, mapping=made.mapping) as kg:
        exported = await kg.export(tmp_path / "other")
        assert (await kg.open_export(tmp_path / "other")).num_facts == len(made.triples)
    assert triples_of(exported) == triples_of(expected)


def test_a_graph_that_changed_is_not_taken_for_what_was_exported(
    driver: neo4j.Driver, graph_name: str, tmp_path: Path
) -> None:
    source = tmp_path / "facts.txt"
    source.write_text("Ann|knows|Bob\nBob|knows|Cid\n")
    load(driver, open_source(str(source)), graph=graph_name)
    with KGQA.connect(graph_name) as kg:
        kg.export(tmp_path / "out")
        assert kg.open_export(tmp_path / "out").num_facts == 2
    source.write_text("Ann|knows|Bob\nBob|knows|Cid\nCid|likes|Ann\n")
    load(driver, open_source(str(source)), graph=graph_name)
    with KGQA.connect(graph_name) as kg, pytest.raises(ExportError, match=r"has changed since .* kgqa export --graph"):
        kg.open_export(tmp_path / "out")
    with pytest.raises(ExportError, match=f"is of graph '{graph_name}', not of 'metaqa'"):
        ExportedGraph.open(tmp_path / "out", graph="metaqa")


def test_what_the_folder_had_stays_when_an_export_fails(driver: neo4j.Driver, made: Made, tmp_path: Path) -> None:
    kg = KGQA(driver, graph="export", mapping=made.mapping)
    kg.export(tmp_path / "out")

    def fail(done: int, total: int | None) -> None:
        raise ExportError("no more")

    with pytest.raises(ExportError, match="no more"):
        kg.export(tmp_path / "out", progress=fail)
    assert triples_of(ExportedGraph.open(tmp_path / "out")) == Counter(made.triples)
    assert len(list((tmp_path / "out").glob("columns-*"))) == 2
    kg.export(tmp_path / "out")
    assert len(list((tmp_path / "out").glob("columns-*"))) == 1


def test_wrong_wishes_are_named(driver: neo4j.Driver, shop: GraphMapping, tmp_path: Path) -> None:
    kg = KGQA(driver, graph="shop", mapping=shop)
    with pytest.raises(UsageError, match="'prize' is no property of graph 'shop'; nearest: 'price'; it has: price"):
        kg.export(tmp_path / "out", properties=["prize"])
    nowhere = replace(shop, entities=(EntityKind("NoSuchLabel", "id", ("name",)),))
    with pytest.raises(ExportError, match="graph 'shop' has no entities"):
        KGQA(driver, graph="shop", mapping=nowhere).export(tmp_path / "out")


def test_the_command_exports_the_demo_graph(space: str, tmp_path: Path) -> None:
    said = document(kgqa("export", "--graph", space, "--output", tmp_path / "out", "--json"))
    exported = ExportedGraph.open(tmp_path / "out", graph=space)
    assert said["facts"] == exported.num_facts == len(exported.head)
    assert said["entities"] == exported.num_entities
    [titan] = exported.find("Titan")
    facts = range(exported.out_start[titan], exported.out_start[titan + 1])
    found = {(exported.relation_ids[exported.relation[fact]], exported.names[exported.tail[fact]]) for fact in facts}
    assert ("discovered_by", "Christiaan Huygens") in found


def test_what_is_measured_of_subgraphs_needs_questions(tmp_path: Path) -> None:
    done = kgqa("export", "--graph", "space", "--output", tmp_path / "out", "--nodes", "0")
    assert_one_line(done, 2, "--nodes", "add --questions")
    assert not (tmp_path / "out").exists()


def test_a_subgraph_out_of_neo4j_is_the_one_cut_out_of_the_export(
    driver: neo4j.Driver, made: Made, tmp_path: Path
) -> None:
    kg = KGQA(driver, graph="export", mapping=made.mapping)
    exported = kg.export(tmp_path / "out")
    for topics, hops in ((["e1"], 1), (["e2", "e5"], 2)):
        found = kg.perform(read_subgraph(kg.graph, topics, hops, NEIGHBOURHOOD_LIMITS))
        cut = cut_subgraph(exported, exported.entities(topics), SubgraphSettings(hops=hops, max_nodes=0))
        expected = named(exported, cut)
        assert sorted(found.triples()) == sorted(expected.triples())
        assert list(found.keys[: len(topics)]) == topics
        distances = zip(found.keys, found.index.distances.tolist(), strict=True)
        assert dict(distances) == dict(zip(expected.keys, cut.distances.tolist(), strict=True))


async def test_a_client_exports_a_subgraph_for_pyg(
    driver: neo4j.Driver, connection: Any, space: str, encoder: CachedEncoder
) -> None:
    kg = KGQA(driver, graph=space, encoder=encoder)
    data = kg.export_subgraph(["Titan"], hops=1, features=["names", "relations"])
    assert data.entity_names[data.topic_index[0]] == "Titan"
    assert data.x.shape == (data.num_nodes, encoder.dim)
    assert data.edge_attr.shape == (data.num_edges, encoder.dim)
    assert "Christiaan Huygens" in data.entity_names
    async with await AsyncKGQA.connect(space, connection=connection) as other:
        typed = await other.export_subgraph(["Titan"], hops=1, typed=True)
    assert typed.num_edges == data.num_edges
    assert all(head == tail == "Entity" for head, _, tail in typed.edge_types)


def test_wrong_subgraphs_are_named(driver: neo4j.Driver, shop: GraphMapping) -> None:
    kg = KGQA(driver, graph="shop", mapping=shop)
    with pytest.raises(UnknownEntityError, match="no entity of graph 'shop' has the key or name 'Atlantis'"):
        kg.export_subgraph(["Green Tea", "Atlantis"])
    with pytest.raises(SubgraphError, match=r"more lies within 3 hops .* allow_cut=True"):
        kg.export_subgraph(["Green Tea"], hops=3, caps=NeighbourhoodLimits(total=2))
    assert kg.export_subgraph(["Green Tea"], hops=3, caps=NeighbourhoodLimits(total=2), allow_cut=True).num_edges == 4
    with pytest.raises(UsageError, match="name one or more"):
        kg.export_subgraph([])
    with pytest.raises(UsageError, match="there is no feature 'name' here; nearest: 'names'"):
        kg.export_subgraph(["Green Tea"], features=["name"])
    driver.execute_query("CREATE (:ShopCustomer {id: 9, name: 'Cy Lone'})")
    with pytest.raises(SubgraphError, match="joins 'Cy Lone' with anything; name another topic"):
        kg.export_subgraph(["Cy Lone"])


def test_the_command_says_in_a_line_what_is_wrong(space: str, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear reader")
    other = kgqa("export", "--graph", space, "--output", tmp_path)
    assert_one_line(other, 1, "holds something else ('letter.txt')", "name a new folder")
    unknown = kgqa("export", "--graph", f"{space}x", "--output", tmp_path / "out", "--json")
    assert_one_line(unknown, 1, f"nearest: '{space}'")
