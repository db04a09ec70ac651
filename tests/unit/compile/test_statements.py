"""What statements take, return and quote, for every kind of plan; what they do is tested against a server."""

from __future__ import annotations

import re

import pytest

from kgqa_graphdb.compile import (
    answers_statement,
    describe_keys,
    describe_statement,
    hop_statement,
    property_statement,
    replay_statement,
)
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.mapping.hops import Hop
from kgqa_graphdb.plan import Aggregate, Cite, Combine, Every, Follow, Group, Native, Onward, Plan
from kgqa_graphdb.types import NAMELESS, Entity, Fact, Path, Statement, Step, Value, WalkRule

EVIL = "a`b\\u0060 DETACH DELETE"
RELATIONS = (
    make_relation("directed"),
    make_relation("part", kind="leg"),
    make_relation("acted", via=(">part", "<part")),
    make_relation(EVIL, type=EVIL),
    make_relation("role", kind="qualifier", of="directed"),
    make_relation("year", kind="property"),
)
OWNED = GraphMapping(
    "films", (EntityKind("KG_films", "entity_id", ("name",)),), RELATIONS, label="KG_films", owned=True
)
COMPANY = GraphMapping(
    "hr", (EntityKind("Person", "no", ("first", "last"), ("nick",)), EntityKind("Film", None, ("title",))), RELATIONS
)
ANN, UP = Entity("Ann'`", "Ann"), Entity("Up", "Up")


def path(*codes: str) -> Path:
    return tuple(map(OWNED.step, codes))


DIRECTED = Follow(ANN, path(">directed"))
YEARS = Follow(ANN, path(">directed", ">year"))
PLANS: dict[str, Plan] = {
    "follow": DIRECTED,
    "values": YEARS,
    "qualifier": Follow(ANN, path(">directed", ">role")),
    "pinned": Follow(ANN, path(">directed"), to=UP),
    "via": Follow(ANN, path(">acted", "<acted")),
    "evil": Follow(ANN, path(f"<{EVIL}")),
    "every": Every("Film"),
    "and": Combine("and", (DIRECTED, Follow(UP, path("<directed")))),
    "or": Combine("or", (DIRECTED, DIRECTED)),
    "not": Combine("not", (Every("Film"), DIRECTED)),
    "count": Aggregate("count", DIRECTED),
    "exists": Aggregate("exists", DIRECTED),
    "sum": Aggregate("sum", DIRECTED, by=path(">year")),
    "measure": Aggregate("measure", DIRECTED, by=path(">year"), each="mean"),
    "max": Aggregate("max", DIRECTED, by=path(">year"), most=3),
    "compared": Aggregate(">", DIRECTED, by=path(">year"), value=1990),
    "compared with a plan": Aggregate("<", DIRECTED, by=path(">year"), value=YEARS),
    "contains": Aggregate("contains", YEARS, value="19"),
    "how many": Aggregate(">=", DIRECTED, by=path("<directed"), value=2, within=Every("Person")),
    "meets": Aggregate("max", DIRECTED, by=path("<directed"), meets=(path("<acted"),)),
    "group": Group(Every("Film"), path(">year"), years=True),
    "group of sums": Group(Every("Film"), path(">year"), of=path(">year"), each="sum"),
    "onward": Onward(Every("Film"), path("<directed")),
    "onward to values": Onward(Combine("or", (DIRECTED, Cite((UP,), ()))), path("<directed", ">directed", ">year")),
    "cite": Cite((ANN, Value(7)), (Fact(ANN, RELATIONS[0], UP), Fact(ANN, RELATIONS[5], Value(1990)))),
}
PARAMETER = re.compile(r"\$(\w+)")
BRACKETS = re.compile(r"[(\[{][^()\[\]{}]*[)\]}]")
QUOTED = re.compile(r"`(?:[^`]|``)*`")


def columns(text: str) -> list[str]:
    """The names of what a statement returns."""
    last = text.rsplit("RETURN ", 1)[1].splitlines()[0].removeprefix("DISTINCT ").split(" LIMIT ")[0]
    while BRACKETS.search(last):
        last = BRACKETS.sub("", last)
    return [part.rsplit(" AS ", 1)[-1].strip() for part in last.split(",")]


@pytest.mark.parametrize("mapping", [OWNED, COMPANY], ids=["owned", "company"])
@pytest.mark.parametrize("kind", PLANS)
def test_a_replay_is_one_statement_with_answers_and_facts(kind: str, mapping: GraphMapping) -> None:
    statement = replay_statement(mapping, PLANS[kind])
    assert statement.replays == "facts"
    assert statement.text.startswith("CYPHER 5\n")
    assert ";" not in statement.text
    assert columns(statement.text)[:2] == ["answer", "facts"]
    assert set(PARAMETER.findall(QUOTED.sub("", statement.text))) == set(statement.parameters)


@pytest.mark.parametrize("kind", PLANS)
def test_answers_alone_are_limited_and_say_what_they_were_compared_by(kind: str) -> None:
    statement = answers_statement(OWNED, PLANS[kind], 7)
    assert columns(statement.text) == ["answer", "value"]
    assert statement.text.count("LIMIT $") == 1
    assert 7 in statement.parameters.values()
    assert set(PARAMETER.findall(QUOTED.sub("", statement.text))) == set(statement.parameters)


@pytest.mark.parametrize("kind", PLANS)
def test_no_value_of_a_plan_stands_in_its_text(kind: str) -> None:
    text = QUOTED.sub("", replay_statement(OWNED, PLANS[kind]).text)
    assert not any(value in text for value in ("Ann", "Up", "1990", "'19'", "DETACH"))


def test_names_are_quoted_so_that_none_can_end_its_quotes() -> None:
    text = replay_statement(OWNED, PLANS["evil"]).text
    assert "`a``b\\u005Cu0060 DETACH DELETE`" in text
    assert "DETACH" not in QUOTED.sub("", text)


def test_entities_are_replayed_by_their_keys_and_those_without_by_their_names() -> None:
    owned = replay_statement(OWNED, DIRECTED)
    assert "(n1:`KG_films`) WHERE n1.`entity_id` = $topic" in owned.text
    assert owned.parameters == {"topic": "Ann'`"}
    number = replay_statement(COMPANY, Follow(Entity("10", "Ann", ("Person",)), path(">directed")))
    assert "n1.`no` IN [$topic, toIntegerOrNull($topic)]" in number.text
    film = Entity("4:x:1", "Up", ("Film",), "4:x:1")
    named = replay_statement(COMPANY, Follow(film, path("<directed")))
    assert "(n1:`Film`) WHERE n1.`title` = $topic" in named.text
    assert named.parameters == {"topic": "Up"}
    without_key = Entity("4:x:2", "Ann Lee", ("Person",), "4:x:2")
    several = replay_statement(COMPANY, Follow(without_key, path(">directed")))
    assert "n1.`first`, n1.`last`" in several.text
    assert several.parameters == {"topic": "Ann Lee"}


@pytest.mark.parametrize(
    ("key", "number"),
    [("10", True), ("-7", True), ("9223372036854775807", True), ("9223372036854775808", False), ("12.7", False)],
)
def test_a_companys_key_may_be_an_integer_that_neo4j_can_hold(key: str, number: bool) -> None:
    text = replay_statement(COMPANY, Follow(Entity(key, "Ann", ("Person",)), path(">directed"))).text
    assert ("toIntegerOrNull" in text) == number


def test_element_ids_are_in_no_replay_and_find_the_very_node_when_answers_are_worked_out() -> None:
    film = Entity("4:x:1", "Up", ("Film",), "4:x:1")
    nameless = Entity("4:x:2", NAMELESS, ("Film",), "4:x:2")
    plans = (
        Follow(film, path("<directed")),
        Follow(ANN, path(">directed"), to=film),
        Cite((film, nameless), (Fact(ANN, RELATIONS[0], film), Fact(nameless, RELATIONS[5], Value(1)))),
    )
    for plan in plans:
        shown = replay_statement(COMPANY, plan)
        assert "elementId" not in shown.text
        assert "4:x" not in str(shown.parameters)
    exact = answers_statement(COMPANY, plans[0], 7)
    assert "elementId(n1) = $topic" in exact.text
    assert exact.parameters["topic"] == "4:x:1"


def test_what_is_cited_is_one_part_for_each_form_however_many() -> None:
    people = [Entity(str(number), f"P{number}", ("Person",)) for number in range(200)]
    films = [Entity(f"4:x:{number}", f"F{number}", ("Film",), f"4:x:{number}") for number in range(200)]
    facts = [Fact(ann, RELATIONS[0], film) for ann, film in zip(people, films, strict=True)]
    statement = replay_statement(COMPANY, Cite((*people, *films, Value(7)), tuple(facts)))
    assert statement.text.count("UNION ALL") == 3
    assert [len(values) for values in statement.parameters.values()] == [200, 200, 200, 1]
    assert statement.parameters["fact"][5] == ["5", "F5"]


def test_a_companys_property_is_compared_at_the_labels_that_it_is_mapped_for() -> None:
    price = make_relation("price", kind="property", heads=("Film", "Sea`t"))
    labels = r"n?\d?:`Film`\|`Sea``t`"
    plans = (
        Follow(ANN, (Step(price),)),
        Follow(ANN, (*path(">directed"), Step(price))),
        Aggregate("max", DIRECTED, by=(Step(price),)),
        Aggregate("max", DIRECTED, by=(*path("<directed"), Step(price))),
        Group(Every("Film"), (Step(price),)),
        Group(Every("Film"), path(">year"), of=(Step(price),), each="sum"),
    )
    for plan in plans:
        for statement in (replay_statement(COMPANY, plan), answers_statement(COMPANY, plan, 7)):
            assert len(re.findall(rf"WHERE [^\n]*(?:n|a)\d?{labels[5:]}", statement.text)) == 1, statement.text
        assert "Sea" not in replay_statement(OWNED, plan).text


@pytest.mark.parametrize(
    ("rule", "conditions"),
    [("free", []), ("no_backtrack", ["n3 <> n1"]), ("exclude_topic", ["n2 <> n1", "n3 <> n1"])],
)
def test_a_replay_keeps_the_walk_rule(rule: WalkRule, conditions: list[str]) -> None:
    mapping = GraphMapping("films", OWNED.entities, RELATIONS, label="KG_films", owned=True, walk=rule)
    text = replay_statement(mapping, Follow(ANN, path(">directed", "<directed"))).text
    assert re.findall(r"n\d <> n\d", text) == conditions


def test_cypher_by_hand_is_replayed_as_it_is_and_not_combined() -> None:
    by_hand = Native(Statement("RETURN 1"))
    assert replay_statement(OWNED, by_hand) is by_hand.statement
    with pytest.raises(UsageError, match="written by hand"):
        replay_statement(OWNED, Combine("and", (by_hand, DIRECTED)))


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (Combine("and", (DIRECTED,)), "at least two parts"),
        (Aggregate("max", DIRECTED), "needs a path"),
        (Aggregate(">", DIRECTED, by=path(">year")), "needs a value"),
        (Aggregate("max", YEARS, by=path(">year")), "go on from values"),
        (Aggregate("<", DIRECTED, by=path(">year"), value=DIRECTED), "must be values"),
        (Group(YEARS, path(">year")), "only entities can be grouped"),
        (Follow(ANN, path(">part")), "part of other relations"),
    ],
)
def test_plans_that_mean_nothing_are_refused(plan: Plan, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        replay_statement(OWNED, plan)


# ── single hops ──────────────────────────────────────────────────────────────────────────────────────────────────────


def hop(code: str) -> Hop:
    step = OWNED.step(code)
    return Hop(step, OWNED.legs(step))


@pytest.mark.parametrize("mapping", [OWNED, COMPANY], ids=["owned", "company"])
@pytest.mark.parametrize("ordered", [True, False])
def test_a_hop_starts_at_element_ids_with_a_literal_type_and_stays_in_the_graph(
    mapping: GraphMapping, ordered: bool
) -> None:
    labels = "`KG_films`" if mapping.label else "`Person`|`Film`"
    statement = hop_statement(mapping, hop("<directed"), 9, ordered=ordered)
    assert "WHERE elementId(n) IN $items[number]" in statement.text
    assert f"(n)<-[r:`directed`]-(m:{labels})" in statement.text
    assert columns(statement.text) == ["number", "left", "reached", "qualifiers"]
    assert statement.parameters == {"limit": 9}
    assert ("ORDER BY" in statement.text) == ordered
    assert "WHERE elementId(n) IN $items[0]" in statement.alone
    assert columns(statement.alone) == ["left", "reached", "qualifiers"]
    assert "CALL" not in statement.alone


def test_a_hop_of_several_legs_returns_what_lies_between_and_does_not_turn_back_inside() -> None:
    statement = hop_statement(OWNED, hop(">acted"), 9, ordered=False)
    assert columns(statement.text) == ["number", "left", "reached", "qualifiers", "between"]
    assert "m <> n" in statement.text


def test_qualifiers_of_another_relation_are_not_read() -> None:
    assert OWNED.qualifier_keys == ("role",)
    assert "r.`role`" in hop_statement(OWNED, hop(">directed"), 9, ordered=False).text
    assert "role" not in hop_statement(OWNED, hop(f">{EVIL}"), 9, ordered=False).text


def test_only_keys_and_names_are_read_of_nodes() -> None:
    assert describe_keys(COMPANY) == ("no", "first", "last", "title")
    text = describe_statement(COMPANY).text
    assert set(re.findall(r"n\.`(\w+)`", text)) == {"no", "first", "last", "title"}


def test_a_property_is_read_of_the_nodes_that_have_it() -> None:
    statement = property_statement(OWNED, RELATIONS[5], 3)
    assert "n.`year` IS NOT NULL" in statement.text
    assert columns(statement.text) == ["number", "left", "values"]


def test_a_companys_property_is_read_of_the_labels_that_it_is_mapped_for() -> None:
    price = make_relation("price", kind="property", heads=("Film", "Sea`t"))
    assert "MATCH (n:`Film`|`Sea``t`)" in property_statement(COMPANY, price, 3).text
    assert "MATCH (n)" in property_statement(OWNED, price, 3).text
    assert "MATCH (n)" in property_statement(COMPANY, RELATIONS[5], 3).text
