"""Plans of all kinds over a small graph in memory; what the server works out comes from a table."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from kgqa_graphdb.compile import answers_statement
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.plan import Aggregate, Cite, Combine, Every, Follow, Group, Native, Plan, Result
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Entity, Fact, Path, RawEdge, RawNode, Rows, Statement, Value
from tests.unit.graph.memory import LABEL, MemoryGraph

RELATIONS = (
    make_relation("directed"),
    make_relation("stars"),
    make_relation("year", kind="property", unit="AD"),
)
MAPPING = GraphMapping("made", (EntityKind(LABEL, "entity_id", ("name",)),), RELATIONS, label=LABEL, owned=True)
TRIPLES = (
    ("Ann", "directed", "Up"),
    ("Ann", "directed", "Down"),
    ("Bob", "directed", "Left"),
    ("Up", "stars", "Cid"),
    ("Left", "stars", "Cid"),
    ("Left", "stars", "Dan"),
    ("Down", "stars", "Dan"),
)
YEARS = {("Up", "year"): 1990, ("Down", "year"): 1980, ("Left", "year"): 2000}


@pytest.fixture
def made() -> MemoryGraph:
    return MemoryGraph(MAPPING, TRIPLES, YEARS)


def path(*codes: str) -> Path:
    return tuple(map(MAPPING.step, codes))


def follow(topic: str, *codes: str, to: str = "") -> Follow:
    return Follow(entity(topic), path(*codes), entity(to) if to else None)


def entity(name: str) -> Entity:
    return Entity(name, name, (), f"#{name}")


def execute(made: MemoryGraph, plan: Plan, **settings: int) -> Result:
    return run(Graph(made.mapping, **settings).execute(plan), made)


def works_out(made: MemoryGraph, plan: Plan, rows: Rows) -> None:
    """What the server says a plan's answers are."""
    made.tables[answers_statement(made.mapping, plan, 1).text] = rows


def names(nodes: Iterable[object]) -> list[object]:
    return [node.name if isinstance(node, Entity) else node.value for node in nodes if isinstance(node, Entity | Value)]


def facts(result: Result) -> set[tuple[str, str, str]]:
    return {(fact.head.name, fact.relation.id, fact.tail.name) for fact in result.facts}


def test_a_pinned_end_keeps_only_the_ways_there(made: MemoryGraph) -> None:
    result = execute(made, follow("Ann", ">directed", ">stars", to="Dan"))
    assert names(result.nodes) == ["Dan"]
    assert facts(result) == {("Ann", "directed", "Down"), ("Down", "stars", "Dan")}


def test_values_have_their_unit_and_are_sorted_by_size(made: MemoryGraph) -> None:
    result = execute(made, follow("Ann", ">directed", ">year"))
    assert result.nodes == (Value(1980, "AD"), Value(1990, "AD"))
    assert ("Up", "year", "1990 AD") in facts(result)


def test_an_intersection_shows_the_ways_of_both_parts(made: MemoryGraph) -> None:
    plan = Combine("and", (follow("Ann", ">directed", ">stars"), follow("Left", ">stars")))
    result = execute(made, plan)
    assert names(result.nodes) == ["Cid", "Dan"]
    assert facts(result) == set(TRIPLES) - {("Bob", "directed", "Left")}


def test_a_union_shows_for_each_part_what_that_part_gives(made: MemoryGraph) -> None:
    plan = Combine("or", (follow("Up", ">stars"), follow("Down", ">stars")))
    result = execute(made, plan)
    assert names(result.nodes) == ["Cid", "Dan"]
    assert facts(result) == {("Up", "stars", "Cid"), ("Down", "stars", "Dan")}


def test_a_difference_shows_the_ways_of_its_first_part(made: MemoryGraph) -> None:
    result = execute(made, Combine("not", (follow("Left", ">stars"), follow("Up", ">stars"))))
    assert names(result.nodes) == ["Dan"]
    assert facts(result) == {("Left", "stars", "Dan")}


def test_one_part_alone_is_not_combined(made: MemoryGraph) -> None:
    with pytest.raises(UsageError, match="at least two parts"):
        execute(made, Combine("and", (follow("Up", ">stars"),)))


def test_a_count_is_a_value_whose_proof_is_what_was_counted(made: MemoryGraph) -> None:
    plan = Aggregate("count", follow("Ann", ">directed"))
    works_out(made, plan, [[2, None]])
    result = execute(made, plan)
    assert result.nodes == (Value(2),)
    assert facts(result) == {("Ann", "directed", "Up"), ("Ann", "directed", "Down")}


def test_the_greatest_comes_with_its_amount_and_shows_what_it_was_compared_by(made: MemoryGraph) -> None:
    plan = Aggregate("max", follow("Ann", ">directed"), by=path(">year"))
    works_out(made, plan, [["#Up", 1990]])
    result = execute(made, plan)
    assert names(result.nodes) == ["Up"]
    assert result.amounts == (Value(1990, "AD"),)
    assert facts(result) == {("Ann", "directed", "Up"), ("Up", "year", "1990 AD")}


def test_ranked_answers_are_in_the_order_of_their_amounts(made: MemoryGraph) -> None:
    for op, order in (("measure", ["Up", "Down"]), ("min", ["Down", "Up"])):
        plan = Aggregate(op, follow("Ann", ">directed"), by=path(">year"), most=2)  # type: ignore[arg-type]
        works_out(made, plan, [["#Up", 1990], ["#Down", 1980]])
        result = execute(made, plan)
        assert names(result.nodes) == order
        assert sorted(names(result.amounts)) == [1980, 1990]


def test_groups_come_with_how_many_have_their_value(made: MemoryGraph) -> None:
    plan = Group(follow("Ann", ">directed"), path(">year"))
    works_out(made, plan, [[1990, 1], [1980, 1]])
    result = execute(made, plan)
    assert names(result.nodes) == [1980, 1990]
    assert names(result.amounts) == [1, 1]
    assert ("Down", "year", "1980 AD") in facts(result)


def test_every_entity_of_a_kind_is_an_answer_without_facts(made: MemoryGraph) -> None:
    works_out(made, Every("Film"), [["#Up", None], ["#Left", None]])
    result = execute(made, Every("Film"))
    assert (names(result.nodes), result.facts) == (["Left", "Up"], ())


def test_what_the_server_works_out_is_asked_once_a_question(made: MemoryGraph) -> None:
    plan = Aggregate("count", follow("Ann", ">directed"))
    works_out(made, plan, [[2, None]])
    graph, memo = Graph(made.mapping), Memo()
    first = run(graph.execute(plan, memo), made)
    works_out(made, plan, [[99, None]])
    assert run(graph.execute(plan, memo), made) == first


def test_a_citation_is_taken_as_it_is(made: MemoryGraph) -> None:
    fact = Fact(entity("Ann"), RELATIONS[0], entity("Up"))
    result = execute(made, Cite((entity("Up"), entity("Ann")), (fact,)))
    assert names(result.nodes) == ["Ann", "Up"]
    assert result.facts == (fact,)


def test_of_cypher_by_hand_nodes_and_values_are_answers_and_mapped_relationships_facts(made: MemoryGraph) -> None:
    plan = Native(Statement("RETURN something"))
    up = RawNode("#Up", ("Entity", LABEL), {"entity_id": "Up", "name": "Up"})
    walked = [RawEdge("directed", "#Ann", "#Up", {}), RawEdge("secret", "#Ann", "#Up", {})]
    made.tables["RETURN something"] = [[up, 7, None, walked]]
    result = execute(made, plan)
    assert names(result.nodes) == [7, "Up"]
    assert facts(result) == {("Ann", "directed", "Up")}
    with pytest.raises(UsageError, match="written by hand"):
        execute(made, Combine("and", (plan, plan)))


def test_caps_cut_answers_and_facts_and_the_result_says_so(made: MemoryGraph) -> None:
    whole = follow("Ann", ">directed")
    assert not execute(made, whole).truncated
    cut = execute(made, whole, max_edges=1)
    assert (names(cut.nodes), cut.truncated) == (["Down"], True)
    shown = execute(made, whole, max_facts=1)
    assert (len(shown.nodes), len(shown.facts), shown.truncated) == (2, 1, True)


@pytest.mark.parametrize(
    ("codes", "message"),
    [((), "at least one step"), (("<year",), "no way"), ((">year", ">stars"), "last step")],
)
def test_paths_that_cannot_be_walked_are_refused(made: MemoryGraph, codes: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        run(Graph(MAPPING).walk(Follow(entity("Ann"), path(*codes)), Memo()), made)


def test_endpoints_are_counted_and_say_what_leaves_them(made: MemoryGraph) -> None:
    some = [path(">directed"), path(">directed", ">year"), path("<directed")]
    films, years, nobody = run(Graph(MAPPING).endpoint_stats(entity("Ann"), some), made) or ()
    assert (films.count, films.values, set(films.leaving)) == (2, False, {("<directed", ">stars", ">year")})
    assert (years.count, years.values) == (2, True)
    assert nobody.count == 0
