"""Neighbourhoods, paths between entities and look-ups by name, against what plain Python finds in the same triples."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import neo4j
import pytest

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import Expansion, Graph, NeighbourhoodLimits, PathLimits, connect
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import Request, Steps, run
from kgqa_graphdb.types import Entity, Scalar, Subgraph, Value
from tests.neo4j.graphs import Made, Triple, make_graph, random_triples, remove_graph

HEIGHTS: dict[tuple[str, str], Scalar] = {("e1", "height"): 4, ("e3", "height"): 9}
NAMES = [f"e{number}" for number in range(14)]


@pytest.fixture(scope="module")
def made(driver: neo4j.Driver) -> Iterator[Made]:
    graph = make_graph(driver, "retrieval", random_triples(seed=3, facts=24), dict(HEIGHTS))
    yield graph
    remove_graph(driver, graph)


class Counting:
    """Performs requests, and counts the round trips."""

    def __init__(self, io: Neo4jIO) -> None:
        self.io, self.trips = io, 0

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        self.trips += 1
        return self.io.perform(requests)


def ask(driver: neo4j.Driver, steps: Steps[Any]) -> Any:
    return counted(driver, steps)[0]


def counted(driver: neo4j.Driver, steps: Steps[Any]) -> tuple[Any, int]:
    with Neo4jIO(driver) as io:
        counting = Counting(io)
        return run(steps, counting), counting.trips


def triples_of(subgraph: Subgraph) -> set[Triple]:
    return {(f.head.id, f.relation.id, f.tail.id) for f in subgraph.facts if isinstance(f.tail, Entity)}


def rings(
    made: Made, topics: Sequence[str], hops: int, through: Callable[[str], bool]
) -> tuple[set[Triple], dict[str, int]]:
    """The triples within some hops of topics, and how far nodes are, by brute force.

    :param through: whether the nodes that a step leads to are expanded
    """
    distances, expanded, frontier = dict.fromkeys(topics, 0), set(topics), set(topics)
    found: set[Triple] = set()
    for hop in range(1, hops + 1):
        following: set[str] = set()
        for head, relation, tail in made.triples:
            for left, right, code in ((head, tail, ">" + relation), (tail, head, "<" + relation)):
                if left in frontier:
                    found.add((head, relation, tail))
                    distances.setdefault(right, hop)
                    if through(code) and right not in expanded:
                        following.add(right)
        expanded |= following
        frontier = following
    return found, distances


@pytest.mark.parametrize("listed", [(), (">likes",), (">likes", "<likes", ">knows", "<knows")])
def test_a_neighbourhood_is_what_lies_within_so_many_undirected_hops(
    driver: neo4j.Driver, made: Made, listed: tuple[str, ...]
) -> None:
    graph = Graph(made.mapping)
    for topics, hops in itertools.product((["e1"], ["e2", "e5"]), (1, 2, 3)):
        entities = [made.entities[name] for name in topics]
        steps = graph.neighbourhood(entities, hops, expansion=Expansion(frozenset(listed)))
        subgraph, trips = counted(driver, steps)
        expected, distances = rings(made, topics, hops, lambda code: code not in listed)
        assert triples_of(subgraph) == expected
        assert {entity.id: hop for entity, hop in subgraph.distances.items()} == distances
        assert subgraph.topics == tuple(entities)
        assert not subgraph.truncated
        assert len(subgraph.facts) == len(set(subgraph.facts))
        assert trips <= hops + 1


def test_a_neighbourhood_lists_values_unless_they_are_not_wanted(driver: neo4j.Driver, made: Made) -> None:
    graph = Graph(made.mapping)
    subgraph = ask(driver, graph.neighbourhood([made.entities["e1"]], 1))
    assert (made.entities["e1"], Value(4)) in {(fact.head, fact.tail) for fact in subgraph.facts}
    bare = ask(driver, graph.neighbourhood([made.entities["e1"]], 1, expansion=Expansion(properties=False)))
    assert set(bare.facts) == {fact for fact in subgraph.facts if isinstance(fact.tail, Entity)}


@pytest.mark.parametrize(
    "limits",
    [
        NeighbourhoodLimits(per_step=1),
        NeighbourhoodLimits(per_node=2),
        NeighbourhoodLimits(per_hop=3),
        NeighbourhoodLimits(total=5),
        NeighbourhoodLimits(max_degree=2),
    ],
)
def test_what_a_limit_cuts_is_the_same_every_time_and_is_said(
    driver: neo4j.Driver, made: Made, limits: NeighbourhoodLimits
) -> None:
    graph = Graph(made.mapping)
    topics = [made.entities[name] for name in ("e1", "e2")]
    whole = ask(driver, graph.neighbourhood(topics, 2))
    cut = ask(driver, graph.neighbourhood(topics, 2, limits))
    assert cut.truncated
    assert set(cut.facts) < set(whole.facts)
    assert len(cut.facts) <= min(limits.total, 2 * limits.per_hop)
    assert cut == ask(driver, graph.neighbourhood(topics, 2, limits))


def test_a_neighbourhood_of_no_hops_is_refused(driver: neo4j.Driver, made: Made) -> None:
    with pytest.raises(UsageError, match="0 hops"):
        ask(driver, Graph(made.mapping).neighbourhood([made.entities["e1"]], 0))


def simple_paths(made: Made, source: str, target: str, hops: int) -> set[tuple[str, ...]]:
    """The ways between two entities that pass none twice, as nodes and step codes in turn."""
    found: set[tuple[str, ...]] = set()
    ways: list[tuple[str, ...]] = [(source,)]
    for _ in range(hops):
        ways = [
            (*way, code, right)
            for way in ways
            for head, relation, tail in made.triples
            for left, right, code in ((head, tail, ">" + relation), (tail, head, "<" + relation))
            if left == way[-1] and right not in way[::2]
        ]
        found |= {way for way in ways if way[-1] == target}
        ways = [way for way in ways if way[-1] != target]
    return found


@pytest.mark.parametrize("hops", [1, 2, 3, 4])
def test_simple_paths_are_those_that_brute_force_finds(driver: neo4j.Driver, made: Made, hops: int) -> None:
    graph = Graph(made.mapping)
    sources, targets = ["e1", "e2", "e3"], ["e3", "e5", "e7", "e9"]
    steps = graph.paths_between(
        [made.entities[name] for name in sources],
        [made.entities[name] for name in targets],
        hops,
        "simple",
        PathLimits(per_pair=10_000),
    )
    found, trips = counted(driver, steps)
    assert not found.truncated
    assert trips <= (2 if hops < 2 else 3)  # the last one names the nodes
    ways = []
    for one in found.paths:
        nodes = [one.source.id]
        for step, fact in zip(one.path, one.facts, strict=True):
            nodes += [step.code, fact.head.id if step.inverse else fact.tail.id]
        ways.append(tuple(nodes))
        assert one.target.id == nodes[-1]
    assert len(set(ways)) == len(ways)
    pairs = [(source, target) for source, target in itertools.product(sources, targets) if source != target]
    assert set(ways) == set().union(*(simple_paths(made, source, target, hops) for source, target in pairs))
    assert [(one.source.id, one.target.id) for one in found.paths] == sorted(
        ((one.source.id, one.target.id) for one in found.paths), key=pairs.index
    )


def test_of_shortest_paths_there_is_one_a_pair_and_executing_it_leads_to_the_target(
    driver: neo4j.Driver, made: Made
) -> None:
    graph = Graph(replace(made.mapping, walk="free"))
    entities = [made.entities[name] for name in NAMES if name in made.entities]
    found = ask(driver, graph.paths_between(entities, entities, 3))
    lengths = {(one.source.id, one.target.id): len(one.path) for one in found.paths}
    assert len(lengths) == len(found.paths)
    for source, target in itertools.permutations([entity.id for entity in entities], 2):
        every = simple_paths(made, source, target, 3)
        assert lengths.get((source, target)) == (min(len(way) // 2 for way in every) if every else None)
    for one in found.paths[::7]:
        assert ask(driver, graph.execute(one.plan)).nodes == (one.target,)
    assert found == ask(driver, graph.paths_between(entities, entities, 3))


def test_paths_of_two_hops_are_the_same_from_wherever_they_are_read(
    driver: neo4j.Driver, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = Graph(made.mapping)
    entities = [made.entities[name] for name in NAMES if name in made.entities]
    for kind in ("simple", "shortest"):
        monkeypatch.setattr(connect, "MANY_NEXT_TO", 1_000)
        onward = ask(driver, graph.paths_between(entities[:4], entities, 2, kind))
        monkeypatch.setattr(connect, "MANY_NEXT_TO", 0)
        assert ask(driver, graph.paths_between(entities[:4], entities, 2, kind)) == onward
        assert any(len(one.path) == 2 for one in onward.paths)


def test_facts_among_entities_are_all_that_have_both_ends_there(driver: neo4j.Driver, made: Made) -> None:
    graph = Graph(made.mapping)
    for names in (["e1", "e2", "e3", "e5", "e7"], ["e7", "e1"], []):
        found, trips = counted(driver, graph.facts_among([made.entities[name] for name in names]))
        shown = [(fact.head.id, fact.relation.id, fact.tail.id) for fact in found]
        assert set(shown) == {triple for triple in made.triples if {triple[0], triple[2]} <= {*names}}
        assert len(set(shown)) == len(shown)
        assert shown == sorted(shown, key=lambda one: (names.index(one[0]), names.index(one[2]), one[1]))
        assert trips <= 1


@pytest.mark.parametrize("hops", [1, 2, 3, 4])
def test_relation_paths_are_those_of_all_walks_that_brute_force_finds(
    driver: neo4j.Driver, made: Made, hops: int
) -> None:
    graph = Graph(made.mapping)
    sources, targets = [made.entities[name] for name in ("e2", "e3")], [made.entities[name] for name in ("e2", "e5")]
    found, trips = counted(driver, graph.relation_paths(sources, targets, hops, PathLimits(per_pair=100_000)))
    assert not found.truncated
    assert trips == (1 if hops == 1 else 2)
    for source, target in itertools.product(sources, targets):
        walks: set[tuple[tuple[str, ...], str]] = {((), source.id)}
        expected: set[tuple[str, ...]] = set()
        for _ in range(hops):
            walks = {
                ((*codes, code), right)
                for codes, node in walks
                for head, relation, tail in made.triples
                for left, right, code in ((head, tail, ">" + relation), (tail, head, "<" + relation))
                if left == node
            }
            expected |= {codes for codes, end in walks if end == target.id}
        paths = found.paths.get((source, target), ())
        assert [tuple(step.code for step in path) for path in paths] == sorted(
            expected, key=lambda one: (len(one), one)
        )
    assert ((sources[0], sources[0]) in found.paths) == (hops > 1)  # there and back


def test_limits_of_paths_are_said(driver: neo4j.Driver, made: Made) -> None:
    graph = Graph(made.mapping)
    source, target = max(itertools.combinations(made.entities, 2), key=lambda pair: len(simple_paths(made, *pair, 4)))
    topics, others = [made.entities[source]], [made.entities[target]]
    whole = ask(driver, graph.paths_between(topics, others, 4, "simple"))
    some = ask(driver, graph.paths_between(topics, others, 4, "simple", PathLimits(per_pair=2)))
    assert some.truncated
    assert some.paths == whole.paths[:2]
    assert ask(driver, graph.paths_between(topics, others, 4, "simple", PathLimits(max_degree=2))).truncated
    with pytest.raises(UsageError, match="1 to 4"):
        ask(driver, graph.paths_between(topics, others, 5))


# ── a company's graph ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def shop(driver: neo4j.Driver) -> Iterator[GraphMapping]:
    """Customers whose orders hold products by lines; staff that nobody may see."""
    driver.execute_query(
        "CREATE (ann:ShopCustomer {no: 1, name: 'Ann Lee', secret: 's'}), (bob:ShopCustomer {no: 2, name: 'Bob'}), "
        "(o1:ShopOrder {no: 10, name: 'order 10'}), (o2:ShopOrder {no: 11, name: 'order 11'}), "
        "(chai:ShopProduct {no: 100, name: 'Chai', price: 18.5}), (tea:ShopProduct {no: 101, name: 'Tea'}), "
        "(ann)-[:HAS]->(o1), (bob)-[:HAS]->(o2), "
        "(o1)-[:HAS]->(:ShopLine {amount: 3})-[:OF]->(chai), (o2)-[:HAS]->(:ShopLine {amount: 5})-[:OF]->(tea), "
        "(o2)-[:HAS]->(:ShopLine {amount: 7})-[:OF]->(chai), (:ShopStaff {name: 'Eve'})-[:KNOWS {since: 1}]->(ann), "
        "(ann)-[:KNOWS {since: 2, rumour: 'x'}]->(bob)"
    )
    kinds = [EntityKind(f"Shop{name}", "no", ("name",)) for name in ("Customer", "Order", "Product")]
    relations = (
        make_relation("placed", type="HAS", heads=("ShopCustomer",), tails=("ShopOrder",)),
        make_relation("line", type="HAS", kind="leg", heads=("ShopOrder",), tails=("ShopLine",)),
        make_relation("of product", type="OF", kind="leg", heads=("ShopLine",), tails=("ShopProduct",)),
        make_relation("contains", via=(">line", ">of product"), heads=("ShopOrder",), tails=("ShopProduct",)),
        make_relation("knows", type="KNOWS"),
        make_relation("since", kind="qualifier", of="knows"),
        make_relation("amount", kind="qualifier", of="contains"),
        make_relation("price", kind="property", heads=("ShopProduct",)),
    )
    yield GraphMapping("shop", tuple(kinds), relations)
    for label in ("Customer", "Order", "Product", "Line", "Staff"):
        driver.execute_query(f"MATCH (n:Shop{label}) DETACH DELETE n")


def test_join_nodes_are_walked_as_one_step_and_what_is_not_mapped_is_not_there(
    driver: neo4j.Driver, shop: GraphMapping
) -> None:
    graph = Graph(shop)
    found = ask(driver, graph.find(["Ann Lee", "2", "eve", "ANN LEE", "Chai", " "]))
    assert [[entity.name for entity in found[name]] for name in found] == [
        ["Ann Lee"],
        ["Bob"],
        [],
        ["Ann Lee"],
        ["Chai"],
        [],
    ]
    (ann,) = found["Ann Lee"]
    (chai,) = found["Chai"]
    subgraph = ask(driver, graph.neighbourhood([ann], 3))
    shown = {(f.head.name, f.relation.id, f.tail.name, f.qualifiers) for f in subgraph.facts}
    assert shown == {
        ("Ann Lee", "placed", "order 10", ()),
        ("Ann Lee", "knows", "Bob", (("since", 2),)),
        ("Bob", "placed", "order 11", ()),
        ("order 10", "contains", "Chai", (("amount", 3),)),
        ("order 11", "contains", "Chai", (("amount", 7),)),
        ("order 11", "contains", "Tea", (("amount", 5),)),
        ("Chai", "price", "18.5", ()),
    }
    paths = ask(driver, graph.paths_between([ann], [chai], 4, "simple"))
    assert [[step.code for step in one.path] for one in paths.paths] == [
        [">placed", ">contains"],
        [">knows", ">placed", ">contains"],
    ]
    (shortest,) = ask(driver, graph.paths_between([chai], [ann], 2)).paths
    assert [step.code for step in shortest.path] == ["<contains", "<placed"]
    assert ask(driver, graph.execute(shortest.plan)).nodes == (ann,)


def test_entities_are_found_by_name_key_or_alias_in_one_round_trip(driver: neo4j.Driver, made: Made) -> None:
    driver.execute_query(
        "MATCH (n:KG_retrieval {entity_id: 'e1'}) SET n.name = 'Zoë O\\'Brien', n.aliases = ['The Zoë']"
    )
    try:
        names = ["e1", "Zoë O'Brien", "zoe o'brien", "the zoe", "e2", "nobody", '"', ""]
        found, trips = counted(driver, Graph(made.mapping).find(names))
    finally:
        driver.execute_query("MATCH (n:KG_retrieval {entity_id: 'e1'}) SET n.name = 'e1' REMOVE n.aliases")
    assert list(found) == names
    assert [[entity.id for entity in found[name]] for name in names] == [*[["e1"]] * 4, ["e2"], [], [], []]
    assert trips == 1
