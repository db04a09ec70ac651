"""What a question asks for is told by its words, not by those of the names in it."""

from __future__ import annotations

import pytest

from kgqa_graphdb.language import CHINESE, ENGLISH
from kgqa_graphdb.methods.rerank import guessed_value
from kgqa_graphdb.rerank.kinds import is_value, question_kind
from kgqa_graphdb.types import Entity, Link


@pytest.mark.parametrize(
    "question",
    [
        "Is Triton a moon of Neptune?",
        "did Ada Lovelace know Charles Babbage",
        "Has the Danube ever frozen in Vienna?",
        "Isn't basalt heavier than pumice?",
        "Is the Elbe longer than the Oder?",  # a comparison whose answer no graph has
        "Can you tell me whether Oslo lies by the sea?",
        "Do you know if otters hibernate?",
    ],
)
def test_questions_for_yes_or_no(question: str) -> None:
    assert question_kind(question) == "yes_no"


@pytest.mark.parametrize(
    "question",
    [
        "How many moons does Uranus have?",
        "In 1998, how many goals did Ronaldo score?",
        "Do you know how many keys a harpsichord has?",
        "What is the number of lakes in Finland?",
        "  what's the total number of bones in a hand?",
        "Number of bridges in Pittsburgh?",
        "Count the rivers of Laos",
        "Give me the count of all volcanoes in Iceland",
    ],
)
def test_questions_that_count(question: str) -> None:
    assert question_kind(question) == "count"


@pytest.mark.parametrize(
    "question",
    [
        "Who painted the ceiling of the Sistine Chapel?",
        "Which is longer, the Elbe or the Oder?",
        "Is the capital of Bolivia Sucre or La Paz?",
        "Did Marie Curie or Lise Meitner discover radium?",
        "Can you tell me who built the Eiffel Tower?",
        "Could you name a river that is longer than the Rhine?",
        "How much did the Louisiana Purchase cost?",
        "How old was Mozart when he died?",
        "Count Dracula was created by which author?",
        "The Count of Monte Cristo was written by whom?",
        "What number did the striker wear?",
        "",
    ],
)
def test_questions_that_an_entity_or_a_value_answers(question: str) -> None:
    assert question_kind(question) == "other"


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who wrote How Many Miles to Babylon?", "How Many Miles to Babylon"),
        ("Number of the Beast is by which band?", "Number of the Beast"),
        ("Is This It is by which band?", "Is This It"),
        ("Which album came before Do It?", "Do It"),
    ],
)
def test_the_words_of_a_name_say_nothing(question: str, name: str) -> None:
    start = question.index(name)
    link = Link(start, start + len(name), Entity("1", name), 1.0)
    assert question_kind(question, links=[link]) == "other"


def test_other_languages_are_not_told_apart() -> None:
    assert question_kind("How many moons has Uranus?", CHINESE) == "other"
    assert question_kind("How many moons has Uranus?", ENGLISH) == "count"


@pytest.mark.parametrize(
    ("guess", "value"),
    [
        ("1981", True), ("March 25, 1655", True), ("25 March 1655", True), ("1981-03-25", True), ("12.5%", True),
        ("300 million people", True), ("18th century", True), ("-40", True), ("50 Cent", False), ("Apollo 11", False),
        ("3rd Rock from the Sun", False), ("Saturn", False), ("", False),
    ],
)  # fmt: skip
def test_days_and_numbers_are_told_from_names(guess: str, value: bool) -> None:
    assert is_value(guess) is value


@pytest.mark.parametrize(
    ("guess", "value"), [("1,604 people", 1604), ("1604", 1604), ("12, 13", 12), ("1,60", 1), ("many", "many")]
)
def test_a_count_is_read_with_commas_between_its_thousands(guess: str, value: object) -> None:
    assert guessed_value(guess, "count").value == value
