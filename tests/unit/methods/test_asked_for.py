"""What a question asks for, and whether a path's answers are that."""

from __future__ import annotations

from datetime import date

import pytest

from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.methods.asked_for import AskedFor
from kgqa_graphdb.methods.beside import skipped_verb
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.rank import PathRanker
from kgqa_graphdb.types import Entity, Link, Node, Relation, Step, Value

MANAGES = Relation("MANAGES", "MANAGES", "manages", "managed by", heads=("Employee",), tails=("Project",))
AGE = Relation("age", "age", "age", "", kind="property", heads=("Employee",))
PROJECT = Relation("project", "project", "project", "", kind="property", heads=("Employee",))
KINDS = tuple(EntityKind(label, "id", ("name",)) for label in ("Employee", "Project"))
MAPPING = GraphMapping("firm", KINDS, (MANAGES, AGE, PROJECT))
ANNE = Entity("anne", "Anne", labels=("Employee",))
APOLLO = Entity("apollo", "Apollo", labels=("Project",))


def is_sort_of(question: str, relation: Relation, *nodes: Node, mapping: GraphMapping = MAPPING) -> bool:
    start = question.index("Anne")
    link = Link(start, start + len("Anne"), ANNE, 1.0)
    return AskedFor(question, PathRanker(mapping), mapping).is_sort_of(link, (Step(relation),), nodes)


@pytest.mark.parametrize(
    ("question", "value", "may_be"),
    [
        ("Who supervises Anne?", 58, False),
        ("Who supervises Anne?", date(2020, 1, 1), False),
        ("Who supervises Anne?", "Bert", True),
        ("Who was lead engineer of Anne?", "lead engineer", False),  # the question has it already
        ("Which court heard Anne?", 58, False),
        ("Which court heard Anne?", date(2020, 1, 1), False),
        ("Which age does Anne have?", 58, True),
        ("Where was Anne born?", date(1990, 1, 1), False),
        ("Where was Anne born?", "Ulm", True),
        ("When did Anne retire?", 58, False),
        ("When did Anne retire?", 2019, True),
        ("When did Anne retire?", date(2019, 1, 1), True),
        ("When did Anne retire?", "May 2019", True),
        ("When did Anne retire?", "clerk", False),
        ("What does Anne earn?", 5200, True),
    ],
)
def test_an_interrogative_asks_for_a_sort_of_value(question: str, value: object, may_be: bool) -> None:
    assert is_sort_of(question, AGE, Value(value)) is may_be  # type: ignore[arg-type]


BORN = Relation("born", "born", "born", "", kind="property", heads=("Employee",))
UNTIL = Relation("leaseUntil", "leaseUntil", "lease until", "", kind="qualifier", of="MANAGES")


@pytest.mark.parametrize(
    ("question", "path", "may_be"),
    [
        ("Since when has Anne been managed by Bert?", (Step(MANAGES, inverse=True), Step(BORN)), False),
        ("Since when has Anne been here?", (Step(BORN),), False),
        ("Until when does Anne lease it?", (Step(MANAGES), Step(UNTIL)), True),
        ("Until when does Anne stay?", (Step(MANAGES), Step(BORN)), False),
        ("Since when is Anne born?", (Step(BORN),), True),
    ],
)
def test_since_when_is_no_birth(question: str, path: tuple[Step, ...], may_be: bool) -> None:
    start = question.index("Anne")
    asked = AskedFor(question, PathRanker(MAPPING), MAPPING)
    assert asked.is_sort_of(Link(start, start + 4, ANNE, 1.0), path, (Value(date(1971, 9, 30)),)) is may_be


def test_a_noun_for_a_kind_asks_for_entities_of_that_kind() -> None:
    assert not is_sort_of("Which projects is Anne assigned to?", AGE, Value(58))
    assert is_sort_of("Which projects is Anne assigned to?", MANAGES, APOLLO)
    assert not is_sort_of("Which employees does Anne know?", MANAGES, APOLLO)


def test_a_property_called_as_a_kind_is_asked_for_too() -> None:
    assert is_sort_of("Which projects does Anne have?", PROJECT, Value("Apollo"))


def test_a_graph_without_kinds_admits_any_noun() -> None:
    loaded = GraphMapping("firm", (EntityKind("Entity", "entity_id", ("name",)),), (MANAGES, AGE), label="KG_firm")
    assert is_sort_of("Which projects is Anne assigned to?", AGE, Value(58), mapping=loaded)


@pytest.mark.parametrize(
    ("question", "value", "may_be"),
    [
        ("Which company employs Anne?", "retail", False),
        ("Which journal published Anne?", date(2016, 5, 5), False),
        ("Which year was Anne born?", date(1990, 1, 1), True),
        ("What profession does Anne have?", "clerk", True),
    ],
)
def test_a_noun_for_organisations_asks_for_no_text_and_other_nouns_for_no_day(
    question: str, value: object, may_be: bool
) -> None:
    assert is_sort_of(question, AGE, Value(value)) is may_be  # type: ignore[arg-type]


def test_how_old_asks_for_a_number() -> None:
    assert not is_sort_of("How old is Anne?", MANAGES, APOLLO)
    assert is_sort_of("How old is Anne?", AGE, Value(58))


def test_the_opposite_is_no_answer() -> None:
    opened = Relation("opened", "opened", "opened", "", kind="property", heads=("Employee",))
    assert not is_sort_of("When was Anne closed?", opened, Value(date(2020, 1, 1)))
    assert is_sort_of("When was Anne opened?", opened, Value(date(2020, 1, 1)))


PLACED = Relation("PLACED", "PLACED", "placed", "placed by", heads=("Employee",), tails=("Order",))
HAS = Relation("HAS", "HAS", "project", "order with", heads=("Order",), tails=("Project",))
FIRM = GraphMapping("firm", (*KINDS, EntityKind("Order", "number", ())), (MANAGES, PLACED, HAS))


@pytest.mark.parametrize(("names", "skipped"), [((), ""), (("title",), "bought")])
def test_by_what_has_no_name_a_verb_may_be_of_either_side(names: tuple[str, ...], skipped: str) -> None:
    mapping = GraphMapping("firm", (*KINDS, EntityKind("Order", "number", names)), (PLACED, HAS))
    path = (Step(PLACED), Step(HAS))
    assert skipped_verb("which projects has [X] bought?", path, {"projects": 0.9, "bought": 0.1}, mapping) == skipped


def test_a_second_name_is_not_passed_over() -> None:
    question, plan = "Which orders of Apollo did Anne place?", Follow(ANNE, (Step(PLACED),))
    places = [(question.index(one.name), one) for one in (APOLLO, ANNE)]
    apollo, anne = (Link(at, at + len(one.name), one, 1.0) for at, one in places)
    asked = AskedFor(question, PathRanker(FIRM), FIRM)
    assert "Anne and Apollo together" in asked.passed_over([anne], plan, [anne, apollo])
    assert not asked.passed_over([anne, apollo], plan, [anne, apollo])
    assert not asked.passed_over([anne], plan, [anne])
