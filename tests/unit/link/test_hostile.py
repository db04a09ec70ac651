"""Whatever is asked, what comes of it is a result or an error of ours."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgqa_graphdb.compose import QuestionComposer
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.export.named import read_subgraph
from kgqa_graphdb.graph import Graph, NeighbourhoodLimits
from kgqa_graphdb.language.folding import MAX_CHARACTERS
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.link.asked import MAX_TOPICS, checked_question, parse_question
from kgqa_graphdb.methods.paths import Paths
from kgqa_graphdb.name_index.store import Contents, NameIndex, NameWriter
from kgqa_graphdb.rank import PathRanker
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Question
from tests.unit.hostile import MAPPING, NAMES, PIECES, NamesIO, hostile_texts
from tests.unit.mutants import many

EXAMPLES = 200


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


TEXTS = st.text(max_size=40) | st.sampled_from([*PIECES, "", " ", "\udcff", "a" * (MAX_CHARACTERS + 1)])
NO_TEXTS = st.integers() | st.none() | st.binary(max_size=3) | st.lists(st.integers(), max_size=2)
GIVEN = st.lists(TEXTS, max_size=4) | st.lists(TEXTS | NO_TEXTS, max_size=4) | TEXTS | NO_TEXTS


@many
@given(topics=GIVEN)
def test_given_topics_are_linked_or_refused(topics: Any) -> None:
    io, linker = NamesIO(), NameLinker()
    for read in (
        lambda: parse_question("who saw Up?", topics),
        lambda: checked_question(Question("who saw Up?", (), topics)),
        lambda: checked_question(Question("who saw Up?", topics)),
    ):
        try:
            question = read()
        except UsageError:
            continue
        assert not isinstance(topics, str | bytes)
        assert all(isinstance(one, str) for one in topics)
        assert all(0 < one.score <= 1 for one in run(linker.link(question, io.graph), io))


@many
@given(names=GIVEN)
def test_names_are_looked_up_or_refused(names: Any, local_names: NameIndex) -> None:
    by_scan = replace(MAPPING, fulltext="")
    for graph in (Graph(MAPPING), Graph(by_scan), Graph(by_scan, names=local_names)):
        try:
            found = run(graph.find(names), NamesIO())
        except UsageError:
            continue
        assert not isinstance(names, str | bytes)
        assert set(found) == set(names)


@pytest.mark.parametrize("topics", ["Up", b"Up", None, 3, [3], ["Up", None], []])
def test_what_is_no_list_of_topics_has_no_subgraph(topics: Any) -> None:
    with pytest.raises(UsageError, match="topics"):
        run(read_subgraph(Graph(MAPPING), topics, 1, NeighbourhoodLimits()), NamesIO())


@pytest.fixture(scope="module")
def local_names(tmp_path_factory: pytest.TempPathFactory) -> NameIndex:
    """A local index over the names that are looked up."""
    file, contents = tmp_path_factory.mktemp("names") / "films.names", Contents("films", (len(NAMES),), "node:")
    with NameWriter(file, "node:") as writer:
        writer.add((f"node:{name}", [name]) for name in NAMES)
        writer.finish(contents, len(NAMES))
    index = NameIndex.open(file, contents)
    assert index is not None
    return index


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
    with pytest.raises(UsageError, match="names are several, in a list or a tuple, not 'Ann'"):
        run(io.graph.find("Ann"), io)
    with pytest.raises(UsageError, match="names are texts, and 3 is none"):
        run(io.graph.find(["Ann", 3]), io)  # type: ignore[list-item]
    assert {one.name for one in run(io.graph.find([NAMES[1]]), io)["C++"]} == {"C++"}
