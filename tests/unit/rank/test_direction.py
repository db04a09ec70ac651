"""Which steps a question means, which it bars, and whether it says anything else."""

from __future__ import annotations

import numpy as np
import pytest

from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.rank import PathRanker
from kgqa_graphdb.rank.direction import Directed

STAFF = ("Employee",)
BOTH_WAYS = [">MANAGES", "<MANAGES", ">REPORTS_TO", "<REPORTS_TO", ">MARRIED_TO", "<MARRIED_TO", ">WORKS_IN", ">born"]


def ranker() -> PathRanker:
    relations = [
        *(make_relation(name, heads=STAFF, tails=STAFF) for name in ("MANAGES", "REPORTS_TO", "MARRIED_TO")),
        make_relation("WORKS_IN", heads=STAFF, tails=("Department",)),
        make_relation("PART_OF", heads=("Department",), tails=("Department",)),
        make_relation("born", kind="property", heads=STAFF),
    ]
    return PathRanker(GraphMapping("firm", (EntityKind("Employee", None, ("name",)),), tuple(relations)))


def codes(own: PathRanker, rows: np.ndarray) -> set[str]:  # type: ignore[type-arg]
    return set(own.schema.codes(np.flatnonzero(rows).tolist()))


def way(question: str) -> tuple[PathRanker, Directed]:
    own = ranker()
    found = own.directed(question, BOTH_WAYS)
    assert found is not None
    return own, found


@pytest.mark.parametrize(
    ("question", "meant", "barred"),
    [
        ("who manages [X]?", {"<MANAGES"}, {">MANAGES", "<REPORTS_TO"}),
        ("who does [X] manage?", {">MANAGES"}, {"<MANAGES", ">REPORTS_TO"}),
        ("who does [X] report to?", {">REPORTS_TO"}, {"<REPORTS_TO", ">MANAGES"}),
        ("who is [X]'s boss?", {"<MANAGES", ">REPORTS_TO"}, {">MANAGES", "<REPORTS_TO"}),
        ("who is married to [X]?", {">MARRIED_TO", "<MARRIED_TO"}, set()),
        ("who works in [X]?", {"<WORKS_IN"}, {">WORKS_IN"}),
    ],
)
def test_steps_are_meant_and_barred(question: str, meant: set[str], barred: set[str]) -> None:
    own, found = way(question)
    assert codes(own, found.meant) == meant
    assert codes(own, found.barred) == barred
    assert found.alone


@pytest.mark.parametrize(
    ("name", "question", "meant"),
    [
        ("TEACHES", "who does [X] teach?", {">R"}),
        ("TEACHES", "who is taught by [X]?", {">R"}),
        ("TEACHES", "does [X] teach [Y]?", {">R"}),
        ("TEACHES", "who is the teacher of [X]?", {"<R"}),
        ("TAUGHT_BY", "who teaches [X]?", {">R"}),
        ("CARES_FOR", "who is cared for by [X]?", {">R"}),
        ("CARES_FOR", "is [X] cared for by [Y]?", {"<R"}),
        ("PARKED_AT", "is [X] parked at [Y]?", {">R"}),
        ("PARKED_AT", "did [X] park in [Y]?", {">R", "<R"}),  # as a garage parks a bus
        ("AWARDED", "which prizes was [X] awarded?", {">R", "<R"}),  # who did it is left out
        ("PLAYS", "where does [X] play?", {">R", "<R"}),  # a cinema plays a film, and a film plays there
        ("PLAYS", "where does [X] play [Y]?", {">R"}),
        ("MET", "who met [X]?", {">R", "<R"}),
        ("WORKS_WITH", "who works with [X]?", {">R", "<R"}),
        ("TEACHER", "who does [X] teach?", {">R", "<R"}),  # only verbs tell the ends where their kinds do
    ],
)
def test_a_verb_tells_the_ends_of_different_kinds(name: str, question: str, meant: set[str]) -> None:
    relation = make_relation(name, heads=("Tutor",), tails=("Donor",))
    kinds = tuple(EntityKind(label, None, ("name",)) for label in ("Tutor", "Donor"))
    own = PathRanker(GraphMapping("school", kinds, (relation,)))
    found = own.directed(question, [f">{name}", f"<{name}"])
    assert found is not None
    assert {code.replace(name, "R") for code in codes(own, found.meant)} == meant


def test_each_verb_of_a_chain_keeps_its_own_subject_and_object() -> None:
    own = PathRanker(
        GraphMapping(
            "club",
            (EntityKind("Player", None, ("name",)),),
            tuple(make_relation(name, heads=("Player",), tails=("Player",)) for name in ("MENTORS", "COACHED_BY")),
        )
    )

    def leads(found: Directed, path: tuple[int, int]) -> bool:
        return found.admits_path(path) and found.says_all(path)

    def admitted(question: str) -> set[tuple[str, ...]]:
        rows = range(len(own.schema.steps))
        found = own.directed(question, own.schema.codes(rows))
        assert found is not None
        return {own.schema.codes((one, two)) for one in rows for two in rows if leads(found, (one, two))}

    assert admitted("who mentors the coach of [X]?") == {(">COACHED_BY", "<MENTORS")}
    assert admitted("who does the coach of [X] mentor?") == {(">COACHED_BY", ">MENTORS")}
    assert admitted("who mentors the players coached by [X]?") == {("<COACHED_BY", "<MENTORS")}
    assert admitted("who mentors the mentor of [X]?") >= {("<MENTORS", "<MENTORS")}
    assert ("<MENTORS", "<MENTORS") not in admitted("which young ones mentor [X] in love?")


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("[X]'s kid's parent's children?", (">children", ">parents", ">children")),
        ("who is the kid of parents of [X]'s parents?", (">parents", ">parents", ">children")),
        ("who is the dad of a child of [X]'s dad?", (">parents", ">children", ">parents")),
        ("where were the offspring of [X]'s children born?", (">children", ">children", ">born_in")),
    ],
)
def test_a_chain_of_steps_keeps_all_of_them(question: str, path: tuple[str, ...]) -> None:
    relations = tuple(make_relation(name) for name in ("children", "parents", "born_in"))
    own = PathRanker(GraphMapping("kin", (), relations, label="KG_kin"))
    found = own.directed(question, own.schema.codes(range(len(own.schema.steps))))
    assert found is not None
    rows = tuple(own.schema.row_of[code] for code in path)
    assert found.admits_path(rows)
    assert found.says_all(rows)
    assert not found.says_all(rows[:1])
    assert not found.says_all(rows[:2])


def test_a_later_step_may_have_a_word_in_a_longer_name() -> None:
    relations = tuple(make_relation(name) for name in ("containedby", "people_born_here", "people"))
    own = PathRanker(GraphMapping("places", (), relations, label="KG_places"))
    found = own.directed("what is the [X] 's containedby 's people born here?", [">containedby"])
    assert found is not None
    assert found.says_all([own.schema.row_of[code] for code in (">containedby", ">people_born_here")])


def test_what_says_more_does_not_mean_one_step_alone() -> None:
    own, found = way("which young people who manage [X] are in love?")
    assert not found.alone
    assert own.meant("which young people who manage [X] are in love?", BOTH_WAYS) == ()
    assert found.admits_path(own.schema.rows((own.schema.steps[own.schema.row_of["<MANAGES"]],)))


def test_what_is_said_of_the_topic_is_not_said_of_what_a_step_leads_to() -> None:
    own, found = way("which young people who manage [X] are in love?")
    married, manages = (own.schema.row_of[code] for code in (">MARRIED_TO", "<MANAGES"))
    assert not found.admits_path((married, manages))
    assert found.admits_path((manages, married))
    assert found.admits_path((married,))


def test_values_stay_in_reach() -> None:
    own, found = way("when does [X] manage?")
    assert found.admits_path((own.schema.row_of[">born"],))


def test_relations_of_other_kinds_than_the_topics_say_nothing_of_it() -> None:
    assert ranker().directed("what are the parts of [X]?", BOTH_WAYS[:-1]) is None


def test_a_question_without_a_word_of_the_graph_means_nothing() -> None:
    assert ranker().directed("who likes [X]?", BOTH_WAYS) is None
    assert ranker().directed("who manages patients with [X]?", BOTH_WAYS) is None


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("who reports to [X]?", "<HAS_MANAGER"),
        ("who does [X] report to?", ">HAS_MANAGER"),
        ("who are the subordinates of [X]?", "<HAS_MANAGER"),
        ("who supervises [X]?", ">HAS_MANAGER"),
    ],
)
def test_a_word_that_says_it_from_the_other_end_means_one_step(question: str, meant: str) -> None:
    relation = make_relation("HAS_MANAGER", label="manager", inverse="with manager", heads=STAFF, tails=STAFF)
    own = PathRanker(GraphMapping("firm", (EntityKind("Employee", None, ("name",)),), (relation,)))
    found = own.directed(question, [">HAS_MANAGER", "<HAS_MANAGER"])
    assert found is not None
    assert codes(own, found.meant) == {meant}
    assert codes(own, found.barred) == {">HAS_MANAGER", "<HAS_MANAGER"} - {meant}


KIN = ("Person",)


def relative(question: str, *names: str) -> tuple[str, tuple[str, ...]] | None:
    relations = tuple(make_relation(name, heads=KIN, tails=KIN) for name in names)
    schema = PathRanker(GraphMapping("kin", (EntityKind("Person", None, ("name",)),), relations)).schema
    found = schema.directions.relative(question)
    return None if found is None else (found.noun, schema.codes(found.steps))


@pytest.mark.parametrize(
    ("question", "noun", "steps"),
    [
        ("who are the grandparents of [X]?", "grandparents", ("<PARENT_OF", "<PARENT_OF")),
        ("who are [X]'s grandchildren?", "grandchildren", (">PARENT_OF", ">PARENT_OF")),
        ("whose grandparent is [X]?", "grandparent", (">PARENT_OF", ">PARENT_OF")),
        ("is [X] the grandchild of [Y]?", "grandchild", ("<PARENT_OF", "<PARENT_OF")),
        ("who is the aunt of [X]?", "aunt", ("<PARENT_OF", "<PARENT_OF", ">PARENT_OF")),
        ("who are the brothers of [X]?", "brothers", ("<PARENT_OF", ">PARENT_OF")),
        ("who are the colleagues of [X]?", "colleagues", ()),
        ("who is the cousin of [X]?", "cousin", ()),
        ("which lawyer is married to [X]?", "married", ()),
    ],
)
def test_a_relative_without_a_relation_is_reached_by_its_steps(
    question: str, noun: str, steps: tuple[str, ...]
) -> None:
    assert relative(question, "PARENT_OF", "MANAGES") == (noun, steps)


def test_a_relative_that_a_relation_says_is_that() -> None:
    assert relative("who are the grandparents of [X]?", "PARENT_OF", "GRANDPARENT_OF") is None
    assert relative("who are the brothers of [X]?", "PARENT_OF", "SIBLING_OF") is None
    assert relative("who are the parents of [X]?", "PARENT_OF") is None
    assert relative("who is married to [X]?", "PARENT_OF", "SPOUSE") is None


def test_of_a_relative_by_several_relations_not_all_are_known() -> None:
    assert relative("who are the grandparents of [X]?", "MOTHER_OF", "FATHER_OF") == ("grandparents", ())
    assert relative("who are the grandparents of [X]?", "CHILD_OF") == ("grandparents", (">CHILD_OF", ">CHILD_OF"))


@pytest.mark.parametrize(
    ("name", "question", "meant"),
    [
        ("NEXT_STOP", "which stop comes after [X]?", ">NEXT_STOP"),
        ("NEXT_STOP", "what is the next stop after [X]?", ">NEXT_STOP"),
        ("NEXT_STOP", "which stop is before [X]?", "<NEXT_STOP"),
        ("NEXT_STOP", "which stop precedes [X]?", "<NEXT_STOP"),
        ("NEXT_STOP", "which stop follows [X]?", ">NEXT_STOP"),
        ("PREVIOUS_STOP", "which stop comes after [X]?", "<PREVIOUS_STOP"),
        ("FOLLOWED_BY", "which stop comes after [X]?", ">FOLLOWED_BY"),
        ("COMES_BEFORE", "which stop is before [X]?", "<COMES_BEFORE"),
    ],
)
def test_after_and_before_have_a_direction(name: str, question: str, meant: str) -> None:
    stops = make_relation(name, heads=("Stop",), tails=("Stop",))
    schema = PathRanker(GraphMapping("line", (EntityKind("Stop", None, ("name",)),), (stops,))).schema
    way = PathRanker(GraphMapping("line", (), (stops,)), schema).directed(question, [f">{name}", f"<{name}"])
    assert way is not None
    assert schema.codes(np.flatnonzero(way.meant).tolist()) == (meant,)
    assert schema.codes(np.flatnonzero(way.barred).tolist()) == ({">": "<", "<": ">"}[meant[0]] + name,)
