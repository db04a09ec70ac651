"""Which links are topics, and how a question is masked for rankers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kgqa_graphdb.link.topics import disjoint_pair, likely_links, mask_topic, named_links, topics_of
from kgqa_graphdb.types import Entity, Link


def named(text: str, name: str, score: float = 1.0, *labels: str) -> Link:
    start = text.index(name)
    return Link(start, start + len(name), Entity(name, name, labels), score)


def test_links_that_score_less_than_half_of_the_best_are_no_likely_topics() -> None:
    text = "Big Lake and Otto and Ada"
    best, less, least = named(text, "Big Lake", 0.8), named(text, "Otto", 0.4), named(text, "Ada", 0.39)
    assert likely_links([best, least, less]) == [best, less]
    assert likely_links([best, least, less], share=0.9) == [best]
    assert likely_links([]) == []


def test_a_pair_is_of_the_likeliest_two_that_stand_apart() -> None:
    text = "Big Lake and Otto and Ada"
    whole, part, otto, ada = (named(text, name) for name in ("Big Lake", "Lake", "Otto", "Ada"))
    assert disjoint_pair([whole, part, otto, ada], lambda link: link) == (whole, otto)
    assert disjoint_pair([whole, part], lambda link: link) is None


@pytest.mark.parametrize(
    ("text", "label", "masked"),
    [
        ("What is in order 10248?", "Order", "What is in [X]?"),
        ("What is in Order 10248?", "Order", "What is in [X]?"),
        ("What is in border 10248?", "Order", "What is in border [X]?"),
        ("What is in order 10248?", "Product", "What is in order [X]?"),
    ],
)
def test_the_word_for_a_topics_kind_is_masked_with_it(text: str, label: str, masked: str) -> None:
    assert mask_topic(text, named(text, "10248", 1.0, label)) == masked


def test_other_topics_are_masked_as_such() -> None:
    text = "Did Otto map Big Lake?"
    assert mask_topic(text, named(text, "Otto"), [named(text, "Big Lake")]) == "Did [X] map [Y]?"


def test_a_word_in_lower_case_is_no_second_topic_where_names_have_capitals() -> None:
    text = "Which film did Otto make?"
    otto, film = named(text, "Otto", 0.9), named(text, "film", 0.5)
    assert topics_of(text, [otto, film]) == [otto]
    assert topics_of(text.lower(), [named(text.lower(), "otto", 0.9), film])[1:] == [film]


@pytest.mark.parametrize(
    ("text", "mention"),
    [("films after 1984", "1984"), ("films of the 1990s", "1990s"), ("which films", "films"), ("who was Ott", "Ott")],
)
def test_numbers_kinds_and_names_that_differ_are_not_named(text: str, mention: str) -> None:
    link = Link(text.index(mention), text.index(mention) + len(mention), Entity("1", "Otto Nuss"), 0.5)
    assert named_links(text, [link], {"film", "films"}) == []


def test_a_part_of_a_name_names_it_where_nothing_else_is_called_so() -> None:
    text = "Did Otto map Big Lake?"
    otto = Link(4, 8, Entity("1", "Otto Nuss"), 0.5)
    other = Link(4, 8, Entity("2", "Otto Grau"), 0.4)
    misspelled = Link(4, 8, Entity("3", "Ottokar Nuss"), 0.5)
    small = replace(otto, start=0, end=4)
    assert named_links(text, [otto], ()) == []
    assert named_links(text, [otto], (), parts=True) == [otto]
    assert named_links(text, [otto, other], (), parts=True) == []
    assert named_links(text, [misspelled], (), parts=True) == []
    assert named_links("otto mapped what", [small], (), parts=True) == []
    assert named_links(text, [otto], {"otto"}, parts=True) == []


def test_a_key_and_a_name_without_its_title_name_an_entity() -> None:
    text = "Did Otto Lamm write INC-7?"
    person = Entity("p1", "Dr. Otto Lamm", element_id="a")
    paper = Entity("INC-7", "Slow Search", element_id="b")
    links = [Link(4, 13, person, 0.5), Link(20, 25, paper, 0.5), Link(4, 8, Entity("p2", "Otto Weiss"), 0.5)]
    assert [link.entity.name for link in named_links(text, links, set())] == ["Dr. Otto Lamm", "Slow Search"]
