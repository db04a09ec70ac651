"""Slips in the words of a question: which are read as meant, and what stays as it is."""

from __future__ import annotations

import pytest

from kgqa_graphdb.language import ENGLISH
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.rank.propose import propose
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.spelling import Vocabulary, corrected
from kgqa_graphdb.steps import run
from tests.unit.rank.graphs import WithoutEncoder

VOCABULARY = Vocabulary(
    {"directed", "director", "language", "languages", "country", "planet", "planets"}, ENGLISH.question_words
)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("who dircted [X]?", "who directed [X]?"),  # a letter too few
        ("in which langguage was [X]", "in which language was [X]"),  # too many
        ("in which lamguage was [X]", "in which language was [X]"),  # another one
        ("the langauges of [X]", "the languages of [X]"),  # two that changed places
        ("whcih country is [X] in", "which country is [X] in"),
        ("plaese name the plaents of [X]", "please name the planets of [X]"),
    ],
)
def test_one_slip_is_read_as_meant(typed: str, read: str) -> None:
    assert corrected(typed, VOCABULARY).question == read


@pytest.mark.parametrize(
    "question",
    [
        "who directed [X]?",
        "who directs the planetts of [X]",  # of a stem with a word of the vocabulary
        "did Dircted make [X]",  # may be a name
        "the lamgauge of [X]",  # two slips
        "a simulated world of [X]",  # not "would"
        "who xirected [X]",  # the first letter is right
        "what did wich do to [X]",  # too short to tell
        "the p-lanet of [X]",
        "",
    ],
)
def test_what_may_be_right_stays(question: str) -> None:
    assert corrected(question, VOCABULARY) == (question, ())


def test_a_word_that_could_be_two_stays() -> None:
    assert corrected("the stane of [X]", Vocabulary({"stage", "stone"})).slips == ()
    assert corrected("the stane of [X]", Vocabulary({"stage", "stars"})).slips == (("stane", "stage"),)


def test_the_answer_says_what_was_read() -> None:
    relations = (make_relation("directed_by"), make_relation("language"))
    schema = Schema(GraphMapping("films", (EntityKind("Film", "id", ("name",)),), relations))
    found = run(propose("in which langauge is [X]?", (">directed_by", ">language"), schema), WithoutEncoder())
    assert found.paths[0].item[0].code == ">language"
    assert found.notes[0] == '"langauge" was read as "language"'


def test_a_common_verb_is_no_slip() -> None:
    vocabulary = Vocabulary({"codes", "launched"})
    assert (vocabulary.meant("comes"), vocabulary.meant("luanched")) == ("comes", "launched")
