"""Reading a question: content words, their order from the topic outwards, and what is asked for."""

from __future__ import annotations

import pytest

from kgqa_graphdb.language.masking import OTHER, TOPIC, mask_mention
from kgqa_graphdb.rank.question import read_question
from kgqa_graphdb.rank.spelling import Vocabulary


def test_masking_puts_placeholders_where_topics_stand() -> None:
    text = "did Ann Lee direct or Bo star in it?"
    assert mask_mention(text, 4, 11, [(22, 24)]) == f"did {TOPIC} direct or {OTHER} star in it?"


def test_masking_leaves_out_topics_that_overlap_the_first() -> None:
    assert mask_mention("New York City", 0, 8, [(4, 13)]) == f"{TOPIC} City"


def test_a_topic_that_is_not_named_masks_nothing() -> None:
    assert mask_mention("when was it built", 17, 17, [(17, 17)]) == "when was it built"


def words_in_order(question: str) -> list[list[str]]:
    asked = read_question(question)
    return [[asked.words[index] for index in order] for order in asked.orders]


def test_words_are_ordered_from_the_topic_outwards() -> None:
    assert words_in_order("who wrote the books published by [X]?") == [["published", "books", "wrote"]]
    assert words_in_order("[X]'s spouse's father is who?") == [["spouse", "father"]]


def test_the_interrogative_stands_at_the_far_end() -> None:
    assert words_in_order("books that share editors with [X] appeared when?") == [["editors", "books", "appeared"]]
    assert words_in_order("who wrote what [X] published?") == [["published", "wrote"]]


def test_relative_clauses_do_not_ask() -> None:
    assert words_in_order("who built the church in which [X] was buried?") == [["buried", "church", "built"]]
    assert read_question("the people who built [X] came from which country?").kind == "country"


def test_without_an_interrogative_both_orders_are_possible() -> None:
    assert len(words_in_order("writers of books [X] published")) == 2


def test_a_question_without_its_topic_ends_with_it() -> None:
    assert words_in_order("who wrote books") == [["books", "wrote"]]


def test_what_the_topic_is_is_told_from_what_is_asked() -> None:
    asked = read_question("who wrote the novel [X]?")
    assert asked.words == ("wrote", "novel")
    assert asked.apposed == (False, True)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("who wrote [X]?", "person"),
        ("when was [X] written?", "date or year"),
        ("[X] was born where?", "place"),
        ("which languages are spoken in [X]?", "languages"),
        ("what are the names of [X]'s rivers?", "names"),
        ("what does [X] publish?", ""),
        ("books by [X]", ""),
    ],
)
def test_what_is_asked_for(question: str, kind: str) -> None:
    assert read_question(question).kind == kind


@pytest.mark.parametrize(
    "question", ["who shares an editor with [X]?", "co-authors of [X]", "books by the same author as [X]"]
)
def test_things_in_common_are_noticed(question: str) -> None:
    assert read_question(question).sharing


def test_other_questions_speak_of_nothing_in_common() -> None:
    assert not read_question("who wrote the books published by [X]?").sharing


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("what kind of film is [X]?", "what genre is [X]?"),
        ("What sorts of old movie was the film [X]", "What genre was [X]?"),
        ("what kind of film is [X] about?", "what kind of film is [X] about?"),
        ("what kind of film did [X] make?", "what kind of film did [X] make?"),
    ],
)
def test_what_kind_of_thing_the_topic_is_asks_for_the_graphs_word_for_that(question: str, read: str) -> None:
    assert read_question(question, Vocabulary(["genre", "style"])).masked == read
    assert read_question(question, Vocabulary(["written"])).masked == question
