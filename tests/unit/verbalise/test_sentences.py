"""What plans, facts and answers are called in words."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.plan import Aggregate, Cite, Combine, Every, Follow, Group, Native, Plan, Result
from kgqa_graphdb.types import Entity, Fact, Node, QualifierTest, Relation, RelationKind, Scalar, Statement, Step, Value
from kgqa_graphdb.verbalise import describe_path, describe_plan, enumerate_names, fact_sentence, sentence

DIRECTED = make_relation("directed_by", label="director", inverse="films directed by", template="{tail} made {head}.")
STARRED = make_relation("starred", label="actor", inverse="films starring")
ACTED = make_relation("ACTED_IN", heads=("Person",), tails=("Movie",))
HEIGHT = make_relation("height", kind="property", label="height", unit="m", template="{head} is {tail} tall.")
UP, JOE, ANN = Entity("up", "Up"), Entity("joe", "Joe"), Entity("ann", "Ann")
FILMS = Follow(JOE, (Step(STARRED, inverse=True),))
DIRECTORS = Follow(UP, (Step(DIRECTED),))


def test_names_are_enumerated() -> None:
    assert enumerate_names([UP]) == "Up"
    assert enumerate_names([UP, JOE]) == "Up and Joe"
    assert enumerate_names([UP, JOE, ANN]) == "Up, Joe and Ann"


def test_many_names_are_counted() -> None:
    nodes = [Value(number) for number in range(12)]
    assert enumerate_names(nodes) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more"
    assert enumerate_names([Value(n) for n in range(2_000)], most=1) == "0 and 1,999 more"


def test_a_path_is_read_from_its_end() -> None:
    path = (Step(STARRED, inverse=True), Step(DIRECTED))
    assert describe_path("Joe", path) == "the director of the films starring Joe"
    assert describe_path("Joe", ()) == "Joe"
    visited = make_relation("visited", inverse="spacecraft that visited")
    assert describe_path("Saturn", (Step(visited, inverse=True),)) == "the spacecraft that visited Saturn"
    tagged = make_relation("tag", label="tag", inverse="films about")
    assert describe_path("Up", (Step(tagged), Step(tagged, inverse=True))) == "the films about the tag of Up"


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (FILMS, "the films starring Joe"),
        (replace(DIRECTORS, to=ANN), "the director of Up that is Ann"),
        (Combine("and", (FILMS, DIRECTORS)), "the films starring Joe that are also the director of Up"),
        (Combine("or", (FILMS, DIRECTORS)), "the films starring Joe or the director of Up"),
        (Combine("not", (FILMS, DIRECTORS)), "the films starring Joe but not the director of Up"),
        (Aggregate("count", FILMS), "the number of films starring Joe"),
        (Aggregate("exists", FILMS), "whether there is the films starring Joe"),
        (Aggregate("max", FILMS, (Step(HEIGHT),)), "the films starring Joe with the greatest height"),
        (Aggregate("min", FILMS, (Step(HEIGHT),)), "the films starring Joe with the least height"),
        (Aggregate(">", FILMS, (Step(HEIGHT),), 5), "the films starring Joe with height more than 5"),
        (Aggregate("contains", FILMS, (Step(HEIGHT),), ""), "the films starring Joe with any height"),
        (Aggregate("max", Every("Film"), (Step(DIRECTED),)), "the films with the greatest number of directors"),
        (Aggregate(">", Every("Film"), (Step(DIRECTED),), 0), "the films with any director"),
        (Aggregate("mean", Every("Film"), (Step(HEIGHT),)), "the mean of the height of the films"),
        (Aggregate("median", Every("Film"), (Step(HEIGHT),)), "the median of the height of the films"),
        (Aggregate("max", Every("Film"), (Step(HEIGHT),), each="median"), "the films with the greatest median height"),
        (Aggregate("max", Every("Film"), (Step(HEIGHT),), each="sum"), "the films with the greatest total height"),
        (Aggregate("max", Every("Person"), (Step(ACTED),)), "the people with the greatest number of movies acted in"),
        (Aggregate(">", Every("Person"), (Step(ACTED),), 0), "the people with any movie acted in"),
        (Native(Statement("RETURN 1")), "what the query returns"),
        (Cite((), ()), "the facts cited"),
        (Cite((JOE,), ()), "Joe"),
        (
            Aggregate("max", Every("Film"), (Step(DIRECTED),), within=FILMS),
            "the films with the greatest number of directors (only the films starring Joe)",
        ),
        (
            Aggregate(">", Every("Film"), (Step(HEIGHT),), Aggregate("mean", Every("Film"), (Step(HEIGHT),))),
            "the films with height more than the mean of the height of the films",
        ),
        (Aggregate("measure", Every("Film"), (Step(DIRECTED),)), "the number of directors of the films"),
        (Aggregate("max", Group(Every("Film"), (Step(HEIGHT),))), "each height of the films with the greatest number"),
        (
            Group(FILMS, (Step(HEIGHT),), of=(Step(HEIGHT),), each="mean"),
            "each height of the films starring Joe, by mean height",
        ),
    ],
    ids=str,
)
def test_every_kind_of_plan_has_words(plan: Plan, words: str) -> None:
    assert describe_plan(plan) == words


def test_a_fact_is_told_by_its_template_with_its_qualifiers() -> None:
    fact = Fact(UP, DIRECTED, ANN, (("since", 1999), ("in", "Rome")))
    assert fact_sentence(replace(fact, qualifiers=())) == "Ann made Up."
    assert fact_sentence(fact) == "Ann made Up (since 1999, in Rome)."


def test_a_name_that_looks_like_a_placeholder_stays_a_name() -> None:
    assert fact_sentence(Fact(Entity("x", "{0} %s"), DIRECTED, ANN)) == "Ann made {0} %s."
    assert fact_sentence(Fact(Entity("x", "The {tail}"), DIRECTED, ANN)) == "Ann made The {tail}."


def test_one_fact_is_told_by_its_template_and_more_as_what_was_asked() -> None:
    fact = Fact(UP, DIRECTED, ANN)
    assert sentence(Result(DIRECTORS, (ANN,), (fact,), False)) == "Ann made Up."
    two = Result(DIRECTORS, (ANN, JOE), (fact, Fact(UP, DIRECTED, JOE)), False)
    assert sentence(two) == "The directors of Up: Ann and Joe."
    assert sentence(Result(DIRECTORS, (), (), False)) == "The graph holds no answer."


def test_values_are_told_with_their_unit_and_truth_as_yes_or_no() -> None:
    tall = Follow(UP, (Step(HEIGHT),))
    assert sentence(Result(tall, (Value(9, "m"),), (Fact(UP, HEIGHT, Value(9, "m")),), False)) == "Up is 9 m tall."
    films = Aggregate("exists", FILMS)
    assert sentence(Result(films, (Value(True),), (), False)) == "Yes: the graph has the films starring Joe."
    assert sentence(Result(films, (Value(False),), (), False)) == "No: the graph does not have the films starring Joe."


BIRTH = make_relation("birth_date", kind="property")
WALKED = make_relation("walked_on", inverse="people who walked on")
LANDED = make_relation("landing_place", label="landing place")


def guessed(name: str, kind: RelationKind = "edge") -> Relation:
    """A relation of which nothing is known but its name."""
    return make_relation(name, kind=kind)


def step(name: str, kind: RelationKind = "edge", *, inverse: bool = False) -> Step:
    return Step(guessed(name, kind), inverse=inverse)


BOB, ACME, TITAN, MERCURY = (Entity(name.lower(), name) for name in ("Bob", "Acme", "Titan", "Mercury"))
WIDTHS = [Follow(moon, (step("diameter", "property"),)) for moon in (TITAN, MERCURY)]


@pytest.mark.parametrize(
    ("plan", "nodes", "amounts", "text"),
    [
        (Follow(ACME, (step("works_at", inverse=True),)), (ANN, BOB), (), "Those that work at Acme: Ann and Bob."),
        (
            Follow(BOB, (step("works_at"), step("located_in"))), (UP,), (),
            "What Bob works at, and what that is located in: Up.",
        ),
        (Aggregate("count", Follow(ACME, (step("works_for", inverse=True),))), (Value(2),), (),
         "The number of those that work for Acme: 2."),
        (Follow(BOB, (step("flew_on"), step("crew_member"))), (ANN, JOE), (),
         "The crew members of what Bob flew on: Ann and Joe."),
        (Aggregate("mean", Every("Moon"), (step("distance", "property"),)), (Value(1604.4285714285716, "km"),), (),
         "The mean of the distance of the moons: 1,604.43 km."),
        (Aggregate("mean", Every("Moon"), (step("albedo", "property"),)), (Value(0.123456789),), (),
         "The mean of the albedo of the moons: 0.123."),
        (Aggregate("exists", Aggregate(">", WIDTHS[0], value=WIDTHS[1])), (Value(True),), (),
         "Yes: the diameter of Titan is more than the diameter of Mercury."),
        (Aggregate("exists", Aggregate("<=", WIDTHS[0], value=5)), (Value(False),), (),
         "No: the diameter of Titan is not at most 5."),
        (Aggregate("exists", replace(DIRECTORS, to=ANN)), (Value(True),), (), "Yes: Ann made Up."),
        (Aggregate("exists", replace(DIRECTORS, to=ANN)), (Value(False),), (),
         "No: the graph does not say that Ann made Up."),
        (Aggregate("exists", Follow(JOE, (Step(STARRED, inverse=True), Step(DIRECTED)), ANN)), (Value(True),), (),
         "Yes: Ann is the director of the films starring Joe."),
        (Aggregate("min", FILMS, (step("release_date", "property"),)), (UP,), (Value(date(1930, 1, 20)),),
         "Of the films starring Joe, the one with the earliest release date: Up (1930-01-20)."),
        (Aggregate("max", FILMS, (Step(HEIGHT),)), (UP, TITAN), (Value(9, "m"), Value(9, "m")),
         "Of the films starring Joe, those with the greatest height: Up (9 m) and Titan (9 m)."),
        (Follow(UP, (Step(make_relation("作者", label="作者")),)), (ANN, JOE), (), "The 作者 of Up: Ann and Joe."),
        (
            Aggregate("min", Follow(UP, (Step(LANDED), Step(WALKED, inverse=True))), (Step(BIRTH),)),
            (ANN,), (Value(date(1930, 1, 20)),),
            "Of the people who walked on the landing place of Up, the one with the earliest birth date: Ann "
            "(1930-01-20).",
        ),
        (Aggregate("count", Follow(ACME, (step("endorses", inverse=True),))), (Value(2),), (),
         "The number of those that endorse Acme: 2."),
        (Follow(ACME, (step("awards", inverse=True),)), (ANN, BOB), (), "Those with awards Acme: Ann and Bob."),
        (Follow(ANN, (step("endorses"),)), (ACME, BOB), (), "What Ann endorses: Acme and Bob."),
        (Follow(ACME, (step("owned_by", inverse=True),)), (ANN, BOB), (), "Those owned by Acme: Ann and Bob."),
        (Follow(ACME, (step("born_in", inverse=True),)), (ANN, BOB), (), "Those born in Acme: Ann and Bob."),
        (Follow(ACME, (step("in_language", inverse=True),)), (ANN, BOB), (), "Those in language Acme: Ann and Bob."),
        (Follow(ACME, (step("manages", inverse=True),)), (ANN, BOB), (), "The managers of Acme: Ann and Bob."),
        (Follow(ACME, (step("friend_of", inverse=True),)), (ANN, BOB), (), "The friends of Acme: Ann and Bob."),
        (Follow(ANN, (step("friend_of"),)), (ACME, BOB), (), "What Ann is a friend of: Acme and Bob."),
        (Follow(ANN, (step("working_at"),)), (ACME, BOB), (), "What Ann is working at: Acme and Bob."),
        (Follow(ACME, (step("working_at", inverse=True),)), (ANN, BOB), (),
         "Those that are working at Acme: Ann and Bob."),
        (
            Follow(ACME, (Step(make_relation("x", label="project", inverse="ticket with project"), inverse=True),)),
            (ANN, BOB), (), "The tickets with project Acme: Ann and Bob.",
        ),
        (Follow(ANN, (step("won_award"),)), (ACME, BOB), (), "The awards won by Ann: Acme and Bob."),
        (Aggregate("max", Every("Person"), (step("manages"),)), (ANN,), (Value(3),),
         "Of the people, the one with the greatest number of things managed: Ann (3)."),
    ],
    ids=str,
)  # fmt: skip
def test_answers_are_grammatical(plan: Plan, nodes: tuple[Node, ...], amounts: tuple[Value, ...], text: str) -> None:
    assert sentence(Result(plan, nodes, (), False, amounts)) == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("married_to", "Ann is married to Bob."),
        ("located_in", "Ann is located in Bob."),
        ("born_in", "Ann was born in Bob."),
        ("acted_in", "Ann acted in Bob."),
        ("member_of", "Ann is a member of Bob."),
        ("employee_of", "Ann is an employee of Bob."),
        ("part_of", "Ann is part of Bob."),
        ("capital_of", "Ann is capital of Bob."),
        ("endorses", "Ann — endorses: Bob."),
        ("works_at", "Ann works at Bob."),
        ("genre", "Ann — genre: Bob."),
    ],
)
def test_a_fact_of_a_relation_that_is_only_named_is_grammatical_or_neutral(name: str, text: str) -> None:
    assert fact_sentence(Fact(ANN, guessed(name), BOB)) == text


def test_a_claim_says_what_holds_of_its_relationship_and_of_which_of_two() -> None:
    since = make_relation("acted.year", label="year", kind="qualifier", type="year", of="ACTED_IN")
    acted = Follow(JOE, (Step(ACTED, tests=(QualifierTest(since, "<", 1990),)),), to=UP)
    by_ann = Follow(ANN, (Step(ACTED),), to=UP)
    both, either = (Aggregate("exists", Combine(op, (acted, by_ann))) for op in ("and", "or"))
    assert said(Aggregate("exists", acted), False) == (
        "No: the graph does not say that Joe acted in Up (year before 1990)."
    )
    assert said(both, True) == "Yes: Joe acted in Up (year before 1990) and Ann acted in Up."
    assert said(either, True) == "Yes: Joe acted in Up (year before 1990) or Ann acted in Up."


def said(plan: Plan, is_so: bool) -> str:
    return sentence(Result(plan, (Value(is_so),), (), False))


@pytest.mark.parametrize(
    ("relation", "op", "value", "text"),
    [
        ("born", "<", 1980, "the people born before 1980"),
        ("born", ">=", date(1980, 1, 1), "the people born from 1980-01-01"),
        ("release year", ">", 2004, "the people with release year after 2004"),
        ("height", "<", 1980, "the people with height less than 1980"),
        ("weighed", "<", 20, "the people with weighed less than 20"),
    ],
)
def test_points_in_time_are_before_and_after(relation: str, op: str, value: Scalar, text: str) -> None:
    path = (Step(make_relation(relation, kind="property")),)
    assert describe_plan(Aggregate(op, Every("Person"), path, value)) == text


@pytest.mark.parametrize(
    ("name", "head_to_tail", "back"),
    [
        ("CARES_FOR", "Joe cares for Up.", "those that care for Up"),
        ("LOOKS_AFTER", "Joe looks after Up.", "those that look after Up"),
        ("WORKS_AT", "Joe works at Up.", "those that work at Up"),
        ("FRIEND_OF", "Joe is a friend of Up.", "the friends of Up"),
    ],
)
def test_guessed_words_make_sentences(name: str, head_to_tail: str, back: str) -> None:
    relation = make_relation(name)
    assert fact_sentence(Fact(JOE, relation, UP)) == head_to_tail
    assert describe_path("Up", (Step(relation, inverse=True),), many=True) == back


def test_what_is_counted_is_a_noun() -> None:
    relation = make_relation("WORKED_ON", heads=("Person",), tails=("Movie",))
    counted = Aggregate(">", Every("Movie"), (Step(relation, inverse=True),), 2)
    assert describe_plan(counted) == "the movies with number of workers more than 2"
