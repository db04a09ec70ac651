"""Whatever is asked, what comes of it is a result or an error of ours."""

from __future__ import annotations

import pytest

from kgqa_graphdb.compose import QuestionComposer
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.language.folding import MAX_CHARACTERS
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.link.asked import MAX_TOPICS, parse_question
from kgqa_graphdb.methods.paths import Paths
from kgqa_graphdb.rank import PathRanker
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Question
from tests.unit.hostile import MAPPING, NAMES, NamesIO, hostile_texts

EXAMPLES = 600


def asked(text: str, topics: tuple[str, ...] = ()) -> Question | None:
    try:
        return parse_question(text, topics)
    except UsageError:
        return None


def test_any_question_is_linked_and_parsed_and_composed_or_refused() -> None:
    io, linker, composer, model = NamesIO(), NameLinker(), QuestionComposer(), PathRanker(MAPPING)
    graph, done = io.graph, 0
    for text in hostile_texts(EXAMPLES):
        question = asked(text)
        if question is None:
            continue
        links = run(linker.link(question, graph), io)
        assert all(0 <= one.start <= one.end <= len(question.text) and 0 < one.score <= 1 for one in links), text
        run(composer.compose(question, links, graph, model), io)
        done += 1
    assert done > EXAMPLES / 2


def test_any_name_may_be_given_as_a_topic_or_looked_up_or_is_refused() -> None:
    io, linker = NamesIO(), NameLinker()
    graph = io.graph
    for text in hostile_texts(EXAMPLES, seed=1):
        question = asked("who saw Up?", (text,))
        if question is not None:
            assert all(one.score == 1 for one in run(linker.link(question, graph), io)), text
        found = run(graph.find([text]), io)
        assert set(found) == {text}


def test_any_question_is_answered_or_not() -> None:
    io, method = NamesIO(), Paths()
    graph = io.graph
    for text in hostile_texts(EXAMPLES, seed=2):
        question = asked(text)
        if question is not None:
            answer = run(method.answer(question, graph), io)
            assert answer.abstained or answer.answers, text


@pytest.mark.parametrize("text", ["who met Ann\ud83d?", "\udce9", "[Ann \udfff] who"])
def test_half_a_character_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(UsageError, match=r"half a character, '\\ud[0-9a-f]{3}', at place \d+"):
        parse_question(text)
    with pytest.raises(UsageError, match="a topic has half a character"):
        parse_question("who met Ann?", ["Bo", text])


def test_what_is_too_long_is_refused_with_the_limit() -> None:
    parse_question("a" * MAX_CHARACTERS)
    with pytest.raises(UsageError, match=r"the question has 12,001 characters, and 12,000 is the limit"):
        parse_question("a" * (MAX_CHARACTERS + 1))
    with pytest.raises(UsageError, match=r"a topic has 12,001 characters"):
        parse_question("who met Ann?", ["a" * (MAX_CHARACTERS + 1)])
    with pytest.raises(UsageError, match=r"101 topics are given or marked; a question may be about 100 at most"):
        parse_question("who met [Ann]?", ["Ann"] * MAX_TOPICS)


def test_names_that_nothing_can_be_called_are_not_looked_up() -> None:
    io = NamesIO()
    names = ["", " ", "a" * (MAX_CHARACTERS + 1), "Ann\ud83d"]
    assert run(io.graph.find(names), io) == dict.fromkeys(names, ())
    assert io.searches == 0
    assert {one.name for one in run(io.graph.find([NAMES[1]]), io)["C++"]} == {"C++"}
