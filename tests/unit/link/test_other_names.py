"""Which names of questions are others than those of the entities like them."""

from __future__ import annotations

import pytest

from kgqa_graphdb.graph import Named
from kgqa_graphdb.language.folding import fold
from kgqa_graphdb.link.common import CommonWords
from kgqa_graphdb.link.other_names import OtherNames, unresolved
from kgqa_graphdb.link.places import Place, exact_places
from kgqa_graphdb.link.symbols import symbol_links
from kgqa_graphdb.link.words import LinkWords
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.types import Entity, Link

BANDS = GraphMapping(
    "bands",
    (EntityKind("Band", "name", ("name",)), EntityKind("Album", "title", ("title",))),
    (
        make_relation("RELEASED", label="released", inverse="released by", heads=("Band",), tails=("Album",)),
        make_relation("PLAYS_IN", label="plays in", inverse="band of", heads=("Musician",), tails=("Band",)),
        make_relation("year", kind="property", label="year", heads=("Album",)),
    ),
)
WORDS = LinkWords.of(BANDS)


def named(name: str, label: str = "Musician") -> Named:
    return Named(Entity(name, name, name, (label,)), ())


def other(question: str, name: str, said: str) -> str:
    """The other name that a question has where words of it may be a name; empty: none."""
    text = fold(question)
    start = text.text.index(said)
    place = Place(named(name), start, start + len(said), 0.75)
    taken = [(start, start + len(said))] if said == fold(name).text else []
    found = OtherNames.of(question, text, taken, WORDS).at(place)
    return question[slice(*found)] if found else ""


@pytest.mark.parametrize(
    ("question", "name", "said", "found"),
    [
        ("When was Peter Young born?", "May Young", "young", "Peter Young"),
        ("When was Jean-Paul Moreau born?", "Jean-Luc Moreau", "jean paul moreau", "Jean-Paul Moreau"),
        ("when was jean-paul moreau born?", "Jean-Luc Moreau", "jean paul moreau", "jean-paul moreau"),
        ("What was recorded at Abbey Road?", "Abbey Lane", "abbey", "Abbey Road"),
        ("When did Deep #3 come out?", "Deep #1", "deep", "Deep #3"),
        ("when did deep 3 come out", "Deep #1", "deep", "deep 3"),
        ("Who was in Rocky II?", "Rocky III", "rocky ii", "Rocky II"),
        ("Which bands does Paul Long play in?", "Long", "long", "Paul Long"),
        ("Paul Long's bands", "Long", "long", "Paul Long"),
        ("Where is 17 Mill Lane?", "17", "17", "17 Mill Lane"),
        ("Who wrote Tea in Rome?", "Long Hours of Cold Tea", "tea", "Tea in Rome"),
        ("Who wrote the Art of Tea?", "Long Hours of Cold Tea", "tea", "Art of Tea"),
        ("When was George Henry Pike born?", "George Walter Pike", "pike", "George Henry Pike"),
    ],
)
def test_a_name_with_another_word_is_another_one(question: str, name: str, said: str, found: str) -> None:
    assert other(question, name, said) == found


@pytest.mark.parametrize(
    ("question", "name", "said"),
    [
        ("When was Young born?", "May Young", "young"),
        ("When was Young May born?", "May Young", "young"),
        ("When was May Younge born?", "May Young", "may"),
        ("When was Barack Hussein Obama born?", "Barack Obama", "obama"),
        ("When was J. Moreau born?", "Jean-Luc Moreau", "moreau"),
        ("When was George W. Pike born?", "George Walter Pike", "pike"),
        ("When was Dr. Moreau born?", "Jean-Luc Moreau", "moreau"),
        ("When was Captain Long born?", "Long", "long"),
        ("What are Young's albums?", "May Young", "young"),
        ("Who sang the old song Yesterday?", "Yesterday", "yesterday"),
        ("Which Band Long released Deep?", "Long", "long"),
        ("WHEN WAS PETER YOUNG BORN?", "May Young", "young"),
        ("When Was Peter Young Born?", "May Young", "young"),
        ("What is the age of Conor ODowd?", "Conor O'Dowd", "conor"),
        ("Did Uncle Jean-Luc Moreau play?", "Jean-Luc Moreau", "jean luc moreau"),
        ("Is it Long, Peter or Will?", "Long", "long"),
    ],
)
def test_parts_slips_titles_and_initials_are_the_same_name(question: str, name: str, said: str) -> None:
    assert other(question, name, said) == ""


def test_a_name_is_resolved_where_another_entity_is_called_so() -> None:
    young, peter = (Entity(name, name, name, ()) for name in ("May Young", "Peter Young"))
    text, doubtful = "Was Peter Young born?", Link(10, 15, young, 0.5, (4, 15))
    assert unresolved(text, [doubtful]) == ("Peter Young", (doubtful,))
    assert unresolved(text, [Link(4, 15, peter, 0.9), doubtful]) == ("", ())


def test_names_may_be_symbols_alone() -> None:
    found = symbol_links("Who sang !!! and =?", [named("="), named("!!!"), named("!")])
    assert [(one.entity.name, one.start, one.end) for one in found] == [("!!!", 9, 12), ("=", 17, 18)]
    assert symbol_links("Who sang Rock?", [named("=")]) == []


@pytest.mark.parametrize(
    ("question", "name", "label", "common"),
    [
        ("How many albums are there?", "How Many", "Album", True),
        ("who released how many", "How Many", "Album", False),
        ("Who released How Many?", "How Many", "Album", False),
        ("Did the band How Many release it?", "How Many", "Album", False),
        ("Which band is older than Yes?", "Older", "Band", True),
        ("Who plays in Older?", "Older", "Band", False),
        ("how many members does Yes have?", "Members", "Album", True),
        ("albums between 2004 and 2007", "Between", "Album", True),
        ("which album was released first?", "First", "Album", True),
        ("Which albums are from 1999?", "1999", "Band", True),
        ("Who plays in 1999?", "1999", "Band", False),
        ("How many albums did 1999 release?", "1999", "Band", False),
    ],
)
def test_words_that_ask_count_and_compare_are_no_names(question: str, name: str, label: str, common: bool) -> None:
    text = fold(question)
    (place,) = exact_places(text, named(name, label), question)
    assert CommonWords.of(question, text, WORDS).has(place) is common


def test_a_sign_behind_the_last_word_is_a_part_of_the_name() -> None:
    assert [name for name in ("M", "M-") if list(exact_places(fold("Is it M-?"), named(name), "Is it M-?"))] == ["M-"]
    assert list(exact_places(fold("M- or N?"), named("M"), "M- or N?"))
