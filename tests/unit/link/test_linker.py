"""Which names a question speaks of. The linker is a generator of requests: tests answer them from a list of names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from kgqa_graphdb.graph import Graph, Named
from kgqa_graphdb.language.folding import fold, folded_text
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.link.given import meant_span, named_span
from kgqa_graphdb.link.words import LinkWords
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.runtime import leaves_of, nested
from kgqa_graphdb.steps import ReadEach, Request, Steps, run
from kgqa_graphdb.types import Entity, Link, Question

MAPPING = GraphMapping(
    graph="films",
    entities=(EntityKind("KG_films", "entity_id", ("name",), ("aliases",)),),
    relations=(make_relation("directed_by"), make_relation("starred_actors"), make_relation("release_year")),
    label="KG_films",
    fulltext="KG_films_names",
    owned=True,
)


def finish(
    steps: Steps[tuple[Link, ...]], names: list[str], facts: Mapping[str, int] = MappingProxyType({})
) -> tuple[Link, ...]:
    """Run a linker whose every search brings all names, but a word that none holds; keys bring those called so.

    :param facts: that names have, where not 1
    """
    answer: Any = None
    try:
        while True:
            request = steps.send(answer)
            assert isinstance(request, ReadEach)
            searches = [search for search in request.item if isinstance(search, list)]  # else it asks for keys
            found = [name for name in names if searches or name in request.item]
            ids = [f"node:{name}" for name in found]
            keys = [[name, name] for name in found]
            labels = [["Entity", "KG_films"] for _ in found]
            searched = [query for query, *_ in searches] or [""]
            known_facts = [facts.get(name, 1) for name in found]
            words = {word for name in names for word in folded_text(name).split()}
            known = [text for text in searched if " " in text or text in words or not text.isalpha()]
            answer = [[ids, labels, keys, [[] for _ in found], text, known_facts] for text in known]
    except StopIteration as stop:
        links: tuple[Link, ...] = stop.value
        return links


def link(
    text: str, *names: str, mentions: tuple[str, ...] = (), facts: Mapping[str, int] = MappingProxyType({})
) -> list[str]:
    """Names linked, likeliest first."""
    links = finish(NameLinker().link(Question(text, mentions), Graph(MAPPING)), list(names), facts)
    assert all(0 < one.score <= 1 for one in links)
    return [one.entity.name for one in links]


def test_a_name_is_linked_where_it_stands() -> None:
    text = "who directed Joe's Café?"
    (only,) = finish(NameLinker().link(Question(text), Graph(MAPPING)), ["Joe's Cafe", "Elsewhere"])
    assert text[only.start : only.end] == "Joe's Café"


def test_the_longest_name_wins_over_those_inside_it() -> None:
    names = link("who starred in The Last King of Scotland", "Scotland", "King", "The Last King of Scotland")
    assert names == ["The Last King of Scotland"]


def test_a_name_inside_a_longer_one_counts_where_it_stands_alone_too() -> None:
    names = link("was King Kong seen by King", "King Kong", "King")
    assert set(names) == {"King Kong", "King"}


def test_the_exact_case_is_preferred() -> None:
    assert link("who saw Up in May", "UP", "Up")[0] == "Up"


def test_the_exact_marks_are_preferred_at_the_ends_of_a_name_too() -> None:
    assert link("谁导演了《嗨，河》", "《嗨,河》", "《嗨，河》")[0] == "《嗨，河》"


def test_a_name_inside_a_longer_one_may_be_meant_where_no_spaces_tell_words_apart() -> None:
    assert link("亚洲杯足球比赛在哪举行", "足球", "足球比赛", "亚洲杯足球比赛") == [
        "亚洲杯足球比赛",
        "足球比赛",
        "足球",
    ]


@pytest.mark.parametrize(
    ("text", "first", "torn", "second"),
    [
        ("杭州亚运会射箭比赛在哪举行", "杭州亚运会", "亚运会射箭", "射箭比赛"),
        ("where is new orleans jazz museum", "New Orleans", "Orleans Jazz", "Jazz Museum"),
    ],
)
def test_a_name_astride_two_that_stand_side_by_side_counts_for_less(
    text: str, first: str, torn: str, second: str
) -> None:
    alone = finish(NameLinker().link(Question(text), Graph(MAPPING)), [first, torn])
    beside = finish(NameLinker().link(Question(text), Graph(MAPPING)), [first, torn, second])
    score = {one.entity.name: one.score for one in beside}
    assert set(score) == {first, torn, second}
    assert score[torn] < min(score[first], score[second])
    assert {one.entity.name: one.score for one in alone}[torn] > score[torn]


def test_a_name_that_goes_on_after_one_inside_it_is_not_torn() -> None:
    assert (
        link("where is new orleans jazz museum", "New Orleans", "New Orleans Jazz", "Jazz Museum")[0]
        == "New Orleans Jazz"
    )


def test_longer_names_come_first() -> None:
    assert link("did tom hanks like big fish", "tom hanks", "fish")[0] == "tom hanks"


def test_words_for_relations_come_after_names() -> None:
    assert link("what is the release year of brazil", "Release", "Brazil")[0] == "Brazil"


def test_a_misspelled_name_is_linked_where_no_exact_one_stands() -> None:
    assert link("who directed incepton", "Inception") == ["Inception"]
    assert link("who directed inception", "Inception", "Incepton") == ["Inception"]


def test_a_misspelled_name_may_hold_an_exact_one() -> None:
    assert link("where was Marlo Quintt born", "Marlo", "Marlo Quint")[0] == "Marlo Quint"
    assert link("who knows Marlo and Quint", "Marlo", "Quint", "Marlo Quint") == ["Marlo", "Quint"]


def test_a_misspelled_word_may_be_a_word_of_another_name() -> None:
    assert link("where was Marlo Quintt born", "Marlo", "Ann Quintt", "Marlo Quint")[0] == "Marlo Quint"


def test_a_name_unlike_the_question_is_not_linked() -> None:
    assert link("who painted the mona lisa", "Inception", "Arrival") == []


def test_a_part_of_a_name_is_linked_to_whoever_has_most_facts() -> None:
    names = ("Ada Quintt", "Bo Quintt", "Cy Quintt", "Di Quintt", "Quintt Harbour Master of Elsewhere")
    facts = {name: number for number, name in enumerate(names)}
    assert link("where was quintt born", *names, facts=facts) == ["Di Quintt", "Cy Quintt", "Bo Quintt"]


def test_a_part_of_a_name_that_stands_there_whole_is_no_part_of_another() -> None:
    names = ("Ada Quintt", "Quintt Harbour")
    assert link("where was ada quintt born", *names, facts={"Quintt Harbour": 99}) == ["Ada Quintt"]


def test_more_of_a_name_says_more() -> None:
    names = ("Ada Marlo Quintt", "Bo Quintt")
    assert link("where was ada quintt born", *names, facts={"Bo Quintt": 99}) == ["Ada Marlo Quintt"]


def test_where_a_name_is_whole_a_part_of_another_is_meant_only_if_that_is_much_better_known() -> None:
    names = ("Quintt", "Ada Quintt")
    assert link("where was quintt born", *names, facts={"Ada Quintt": 7}) == ["Quintt"]
    assert link("where was quintt born", *names, facts={"Ada Quintt": 8}) == ["Quintt", "Ada Quintt"]


def test_words_for_relations_are_no_part_of_a_name() -> None:
    assert link("what was directed then", "Directed Acyclic") == []


def test_a_marked_topic_is_the_only_one() -> None:
    assert link("who directed Up and Inception", "Up", "Inception", mentions=("Up",)) == ["Up"]


def test_a_marked_topic_without_an_exact_name_is_the_nearest() -> None:
    assert link("who directed incepton", "Inception", "Up", mentions=("incepton",)) == ["Inception"]


def test_marks_that_are_a_part_of_a_name_are_taken_as_such() -> None:
    names = ("[REC] 2 Apocalypse", "Other")
    assert link("who directed REC 2 Apocalypse", *names, mentions=("REC",)) == ["[REC] 2 Apocalypse"]


def test_a_marked_topic_that_is_not_there_links_nothing_else() -> None:
    assert link("who directed Zorblax and not Up", "Up", mentions=("Zorblax",)) == []


def given(text: str, *names: str, topics: tuple[str, ...]) -> list[tuple[str, str]]:
    """Names linked where the asker says what is asked about, each with the words for it."""
    links = finish(NameLinker().link(Question(text, topics=topics), Graph(MAPPING)), list(names))
    assert all(one.score == 1 for one in links)
    return [(one.entity.name, text[one.start : one.end]) for one in links]


@pytest.mark.parametrize(("text", "named"), [
    ("who saw Joe's Café in May", "Joe's Café"), ("who saw joes cafee in may", "joes cafee"), ("who saw it in may", ""),
])  # fmt: skip
def test_a_given_topic_is_linked_alone_wherever_it_is_named(text: str, named: str) -> None:
    assert given(text, "Joe's Cafe", "May", topics=("Joe's Cafe",)) == [("Joe's Cafe", named)]


@pytest.mark.parametrize(("text", "topic", "named"), [
    ("what has the old red boat sunk", "Old Red Boat", "old red boat"),  # "boat" is for a relation
    ("what did boat sink", "Boat", ""),
    ("what did Boat sink", "Boat", "Boat"),
    ("which boats lie near the red boat", "Old Red Boat (museum)", "red boat"),
    ("which boats are red", "Old Red Boat", "red"),
    ("what lies near the one at the old harbour", "The One at Sea", ""),
])  # fmt: skip
def test_a_given_topic_is_named_by_its_name_or_by_the_most_of_its_words(text: str, topic: str, named: str) -> None:
    entity = Named(Entity("1", topic), ())
    words = LinkWords(of_relations=frozenset({"boat", "one"}))
    exact = named_span(fold(text), entity, text, words)
    span = exact or meant_span(fold(text), entity, text, None, words)
    assert ("" if span is None else text[slice(*span)]) == named


def test_given_topics_are_known_by_id_or_exact_name_and_the_others_are_left_out() -> None:
    assert given("who saw Up in May", "Up", "May", topics=("m.01", "Up")) == [("Up", "Up")]
    assert given("who saw Up in May", "Up", "May", topics=("May", "up")) == [("May", "May"), ("Up", "Up")]
    assert given("who saw Up in May", "Up", "May", topics=("Upp",)) == []


def test_words_for_a_relation_are_no_given_topic_that_is_nowhere_named() -> None:
    assert given("when was it directed", "Direct Eds", topics=("Direct Eds",)) == [("Direct Eds", "")]
    assert given("who saw direct edz", "Direct Eds", topics=("Direct Eds",)) == [("Direct Eds", "direct edz")]


def test_given_topics_come_as_they_were_given_and_of_one_name_only_one_is_meant() -> None:
    assert [name for name, _ in given("who saw it", "Up", "May", topics=("May", "Up"))] == ["May", "Up"]
    one, other = (Link(3, 3, Entity(key, "Up"), 1.0) for key in ("up1", "up2"))
    assert not one.is_apart(other)
    assert one.is_apart(Link(3, 3, Entity("may", "May"), 1.0))


def test_no_more_links_than_asked_for() -> None:
    names = [f"name{number}" for number in range(30)]
    steps = NameLinker(max_links=3).link(Question(" ".join(names)), Graph(MAPPING))
    assert len(finish(steps, names)) == 3


@pytest.mark.parametrize("text", ["", "?!", "…"])
def test_a_question_without_words_asks_nothing(text: str) -> None:
    assert link(text, "Up") == []


@pytest.mark.parametrize(
    ("text", "names", "linked"),
    [
        ("who designed C++?", ("C", "C++", "C#"), ["C++"]),
        ("who designed c#?", ("C", "C++", "C#"), ["C#"]),
        ("who designed C?", ("C", "C++", "C#"), ["C"]),
        ("who designed C?", ("C++", "C#"), []),
        ("who designed C++?", ("C", "C#"), []),
        ("who designed Yahoo!?", ("Yahoo", "Yahoo!"), ["Yahoo!"]),
        ("who designed Yahoo?", ("Yahoo", "Yahoo!"), ["Yahoo", "Yahoo!"]),
        ("who designed yahoo", ("Yahoo!",), ["Yahoo!"]),
        ("who designed .NET?", ("NET", ".NET"), [".NET"]),
        ("who painted **Up**?", ("Up",), ["Up"]),
        ("what is in #10248?", ("10248",), ["10248"]),
        ("who founded Gooogle+?", ("Google",), []),
        ("who founded Google?", ("Google+",), []),
    ],
)
def test_names_that_differ_by_symbols_are_not_the_same(text: str, names: tuple[str, ...], linked: list[str]) -> None:
    assert link(text, *names) == linked


def test_a_mention_has_the_symbols_of_its_name() -> None:
    text = "who designed C++ and $9.99?"
    links = finish(NameLinker().link(Question(text), Graph(MAPPING)), ["C++", "$9.99"])
    assert {text[one.start : one.end] for one in links} == {"C++", "$9.99"}


@pytest.mark.parametrize(
    ("text", "name", "mention"),
    [
        ("where does sinead o'brien work for", "Sinéad O'Brien (II)", "sinead o'brien"),
        ("where does jean luc moreau live", "Jean Luc Moreau fils", "jean luc moreau"),
        ("where does anna maria lopez reside", "Anna Maria Lopez senior", "anna maria lopez"),
        ("where does st mary's old abbey stand", "St. Mary's Old Abbey (ruin)", "st mary's old abbey"),
        ("who starred in spider man then", "Spiderman", "spider man"),
        ("who starred in the god father part", "The Godfather", "the god father"),
    ],
)
def test_a_name_like_a_stretch_takes_up_no_word_around_it(text: str, name: str, mention: str) -> None:
    (only,) = finish(NameLinker().link(Question(text), Graph(MAPPING)), [name])
    assert text[only.start : only.end] == mention


class OneFilm:
    """Every search finds one film."""

    def __init__(self, name: str) -> None:
        self.name = name

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        row: list[Any] = [["node"], [["Film"]], [[self.name, self.name]], [[]], "", [1]]
        return nested(requests, ([row] for _ in leaves_of(requests)))


KINDS = replace(
    MAPPING,
    label=None,
    owned=False,
    entities=(
        EntityKind("Film", "no", ("name",)),
        EntityKind("Person", "no", ("name",)),
        EntityKind("ShortFilm", "no", ("name",)),
    ),
    relations=(make_relation("directed_by", heads=("Film",), tails=("Person",)),),
)


@pytest.mark.parametrize(
    ("text", "name", "is_linked"),
    [
        ("who directed the most films", "Most", False),
        ("who directed most films", "Most", False),
        ("Who directed the Most?", "Most", True),
        ("who directed most", "Most", True),
        ('who directed the "most" films', "Most", True),
        ("count the films of Ann", "Count", False),
        ("what is the last film of Ann", "Last", False),
        ("which films did ann direct", "Films", False),
        ("which film did Ann direct", "Films", False),
        ("who directed Films?", "Films", True),
        ("Which Film Did Ann Direct", "Film", False),
        ("films of ann in 2010", "2010", False),
        ("which 2010 films did ann direct", "2010", False),
        ("who directed 2010", "2010", True),
        ("who appears in 2010", "2010", True),
        ("who directed the film 2010", "2010", True),
        ("who directed the most", "The Most", True),
        ("Which film did Ann direct first?", "First", False),
        ("Which film did Ann direct after First?", "First", True),
        ("Who directed the most films?", "Who", False),
        ("Did Ann direct a film?", "Did", False),
        ("Who directed Who?", "Who", True),
        ("Who", "Who", True),
        ('"Who" was directed by Ann', "Who", True),
        ("how many short films are there", "Short", False),
        ("how many Short Films are there", "Short", False),
        ('how many "short" films are there', "Short", True),
    ],
)
def test_words_that_count_and_rank_kinds_and_years_are_names_only_where_nothing_else_is_meant(
    text: str, name: str, is_linked: bool
) -> None:
    links = run(NameLinker().link(Question(text), Graph(KINDS)), OneFilm(name))
    assert bool(links) is is_linked
