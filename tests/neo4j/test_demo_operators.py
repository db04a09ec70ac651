"""Graphs without kinds are asked what counts, compares, ranks and leaves out: the demo graph, and one of years."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import neo4j
import pytest
from neo4j.graph import Node

from kgqa_graphdb import KGQA, Reply
from kgqa_graphdb.encode import CachedEncoder
from tests.neo4j.demo_questions import Facts, compared, joined, left_out, whether
from tests.neo4j.graphs import make_graph, remove_graph

LEAST_RIGHT = {left_out: 20, joined: 23, compared: 46, whether: 22}
"""Of 24, 27, 48 and 22 questions; not to answer is right where the graph has nothing of what is asked for."""
PAINTED = {
    "The Mill": ("Ada Holm", "1890"), "Low Tide": ("Ada Holm", "1902"), "The Orchard": ("Ada Holm", "1911"),
    "Red Barn": ("Jon Berg", "1902"),
}  # fmt: skip


def replies(kg: KGQA, questions: Iterable[str]) -> dict[str, Reply]:
    asked = tuple(questions)
    return dict(zip(asked, kg.ask_many(asked), strict=True))


@pytest.mark.parametrize("group", LEAST_RIGHT, ids=lambda group: group.__name__)
def test_answers_are_those_of_the_facts(kg: KGQA, group: Callable[[Facts], dict[str, set[str]]]) -> None:
    asked = group(Facts.read())
    told = {question: {*reply.names} for question, reply in replies(kg, asked).items()}
    wrong = {question: names for question, names in told.items() if names != asked[question]}
    assert len(asked) - len(wrong) >= LEAST_RIGHT[group], wrong


def test_what_is_left_out_is_never_among_the_answers(kg: KGQA) -> None:
    asked = left_out(Facts.read())
    for question, reply in replies(kg, asked).items():
        assert {*reply.names} <= asked[question], question


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which moons of Saturn were not discovered by William Herschel?", 6),
        ("Which missions did Neil Armstrong fly on except Apollo 11?", 1),
        ("What are the 2 widest moons of Saturn?", 2),
        ("How many spacecraft visited both Jupiter and Saturn?", 1),
        ("Is Titan larger than Rhea?", 1),
    ],
)
def test_the_cypher_gives_the_same_answers(kg: KGQA, driver: neo4j.Driver, question: str, answers: int) -> None:
    reply = kg.ask(question)
    assert len(reply.names) == answers
    assert replayed(driver, reply) == {getattr(one.item, "value", one.item.name) for one in reply.answers}


def replayed(driver: neo4j.Driver, reply: Reply) -> set[object]:
    assert reply.cypher
    rows = driver.execute_query(reply.cypher.text, dict(reply.cypher.parameters)).records
    return {row["answer"]["name"] if isinstance(row["answer"], Node) else row["answer"] for row in rows}


@pytest.mark.parametrize(
    "question",
    ["Which spacecraft operated by NASA did not land on Mars or the Moon?", "Who did not discover Titan?"],
)
def test_what_is_left_out_and_not_understood_is_not_answered(kg: KGQA, question: str) -> None:
    assert "leaves something out" in kg.ask(question).abstained


def test_a_word_that_compares_and_was_passed_over_is_told(kg: KGQA) -> None:
    notes = kg.ask("Which moon of Saturn is the second largest?").answer.notes
    assert any("'largest'" in note and "passed over" in note for note in notes)
    assert not kg.ask("What is the largest moon of Saturn?").answer.notes


@pytest.fixture(scope="module")
def gallery(driver: neo4j.Driver, encoder: CachedEncoder) -> Iterator[KGQA]:
    """A graph whose years are entities."""
    triples = [(work, "painted by", painter) for work, (painter, _) in PAINTED.items()]
    triples += [(work, "year shown", year) for work, (_, year) in PAINTED.items()]
    made = make_graph(driver, "gallery", triples)
    yield KGQA(driver, graph="gallery", mapping=made.mapping, encoder=encoder)
    remove_graph(driver, made)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which works painted by Ada Holm were shown after 1900?", {"Low Tide", "The Orchard"}),
        ("Which works painted by Ada Holm were shown in 1902?", {"Low Tide"}),
        ("Which work painted by Ada Holm was shown first?", {"The Mill"}),
        ("What is the latest work painted by Ada Holm?", {"The Orchard"}),
        ("How many works painted by Ada Holm were shown before 1905?", {"2"}),
        ("Was The Mill shown before Low Tide?", {"yes"}),
        ("Was Red Barn shown after 1910?", {"no"}),
    ],
)
def test_years_that_are_entities_are_compared(
    gallery: KGQA, driver: neo4j.Driver, question: str, answers: set[str]
) -> None:
    reply = gallery.ask(question)
    assert {*reply.names} == answers
    assert "name" not in reply.text
    assert replayed(driver, reply) == {getattr(one.item, "value", one.item.name) for one in reply.answers}
