"""Words that leave out, compare or count, and are no part of a name or of a relation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kgqa_graphdb.language import ENGLISH
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.parse.cues import asks_whether, counts, left_out, negation_in, unused_words
from kgqa_graphdb.types import Entity, Link

MAPPING = GraphMapping(
    graph="lakes",
    entities=(EntityKind("Lake", "name", ("name",)),),
    relations=(make_relation("without_outlet", label="without an outlet"), make_relation("longest_bay")),
)


def named(text: str, *names: str) -> list[Link]:
    return [Link(at := text.index(name), at + len(name), Entity(name, name, ()), 1.0) for name in names]


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("Who did not map Big Lake?", ["Big Lake"], "not"),
        ("Which lakes weren't mapped by Otto?", ["Otto"], "n't"),
        ("lakes Except Big Lake", ["Big Lake"], "Except"),
        ("Who wrote Never Let Me Go?", ["Never Let Me Go"], ""),
        ("lakes without an outlet near Big Lake", ["Big Lake"], ""),
        ("Quem nasceu no Brasil?", ["Brasil"], ""),
        ("Who knotted it?", [], ""),
        ("lakes without an outlet that were not mapped by Otto", ["Otto"], "not"),
        ("Can't you tell me who mapped Big Lake?", ["Big Lake"], ""),
        ("Can't you tell me who did not map Big Lake?", ["Big Lake"], "not"),
        ("I do not know who mapped Big Lake", ["Big Lake"], ""),
        ("lakes other than Big Lake", ["Big Lake"], "other than"),
    ],
)
def test_a_negation_is_no_part_of_a_name_or_a_relation(text: str, names: list[str], found: str) -> None:
    negation = negation_in(text, named(text, *names), MAPPING)
    assert (negation[0] if negation else "") == found


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("lakes by Ada that were not mapped by Otto", "Otto"),
        ("Which lakes did not touch Otto but Ada?", "Otto"),
        ("Which lakes did Otto map that Ada did not?", "Ada"),
        ("lakes except Ada or Otto", ""),
        ("lakes not mapped by Ada that Otto mapped", "Ada"),
        ("Which lakes that Ada did not map touch Otto?", "Ada"),
        ("lakes which Ada never mapped but Otto did", "Ada"),
        ("Isn't Ada a friend of Otto?", ""),
        ("lakes that are not of Ada, Otto", ""),
    ],
)
def test_left_out_is_what_the_negation_is_said_of(text: str, taken: str) -> None:
    one, other = named(text, "Ada", "Otto")
    negation = negation_in(text, [one, other], MAPPING)
    assert negation
    link = left_out(text, negation, one, other)
    assert (link.entity.name if link else "") == taken


@pytest.mark.parametrize(
    ("text", "in_values", "found"),
    [
        ("Which bay of Big Lake is the second largest?", False, "largest"),
        ("How many bays has Big Lake?", False, "How many"),
        ("How many people live at Big Lake?", True, ""),
        ("Which bays of Big Lake were mapped before 1990?", False, "before 1990"),
        ("What is the longest bay of Big Lake?", False, ""),
        ("Who mapped Big Lake?", False, ""),
        ("How many live in the smallest place at Big Lake?", True, "smallest"),
    ],
)
def test_words_that_compare_are_passed_over_unless_a_relation_says_them(text: str, in_values: bool, found: str) -> None:
    links = named(text, "Big Lake")
    assert unused_words(text, links, MAPPING.relations, in_values=in_values) == found


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Did Otto map Big Lake?", True),
        ("Isn't Big Lake deep?", True),
        ("has Otto mapped a lake", True),
        ("So, is Big Lake deep?", True),
        ("whether Otto mapped Big Lake", True),
        ("Does anyone map Big Lake?", True),
        ("Who mapped Big Lake?", False),
        ("Is Big Lake salt or fresh?", False),
        ("Did Otto or Ida map Big Lake?", True),
        ("Was Big Lake mapped by Otto or Ida?", True),
        ("Is it Otto or Ida?", False),
        ("Did Otto map Big Lake or swim?", False),
        ("Can you name who mapped Big Lake?", False),
        ("do you know Otto", False),
        ("Does anybody know Otto?", False),
        ("lakes that Otto did map", False),
    ],
)
def test_a_question_whether_something_is_so_begins_with_its_verb(text: str, asks: bool) -> None:
    links = named(text, *(name for name in ("Otto", "Ida", "Big Lake") if name in text))
    assert asks_whether(text, links, ENGLISH) == asks


def test_what_a_name_begins_with_asks_nothing() -> None:
    assert not asks_whether("Will Otto movies", named("Will Otto movies", "Will Otto"), ENGLISH)
    assert not asks_whether("Do Rio, quem?", named("Do Rio, quem?", "Rio"), replace(ENGLISH, code="pt"))


def test_a_question_counts_where_no_name_does() -> None:
    assert counts("How many lakes did Otto map?", named("How many lakes did Otto map?", "Otto"))
    assert not counts("Who sang How Many Tears?", named("Who sang How Many Tears?", "How Many Tears"))
