"""Of answers across join nodes those whose join nodes join something else that the question names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import neo4j
import pytest

from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.language import ENGLISH
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.methods.second_entity import _in_part, constrain_by_second_entity
from kgqa_graphdb.plan import Combine, Follow
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import Steps, run
from kgqa_graphdb.types import Link, Question
from tests.neo4j.graphs import Made, make_graph, remove_graph

SEATS = [
    ("Apollo 11", "Neil Armstrong", "Commander"),
    ("Apollo 11", "Michael Collins", "Command Module Pilot"),
    ("Apollo 11", "Buzz Aldrin", "Lunar Module Pilot"),
    ("Gemini 8", "Neil Armstrong", "Command Pilot"),
    ("Gemini 8", "David Scott", "Pilot"),
    ("Apollo 12", "Pete Conrad", "Commander"),
]
VIA = {
    "crew": (">seat", ">taken by"), "role aboard": (">seat", ">as"), "role of": ("<taken by", ">as"),
}  # fmt: skip


@pytest.fixture(scope="module")
def made(driver: neo4j.Driver) -> Iterator[Made]:
    triples = [("Saturn V", "launched", "Apollo 11"), ("Saturn V", "launched", "Apollo 12")]
    for number, (mission, person, role) in enumerate(SEATS):
        triples += [(mission, "seat", f"#{number}"), (f"#{number}", "taken by", person), (f"#{number}", "as", role)]
    graph = make_graph(driver, "crews", triples)
    legs = [replace(one, kind="edge" if one.id == "launched" else "leg") for one in graph.mapping.relations]
    made_of = [make_relation(name, via=via) for name, via in VIA.items()]
    yield replace(graph, mapping=replace(graph.mapping, relations=(*legs, *made_of)))
    remove_graph(driver, graph)


def ask(driver: neo4j.Driver, made: Made, text: str, topic: str, *codes: str) -> tuple[list[str], str] | None:
    """The answers that are left, and what of the question tells them apart."""
    plan = Follow(made.entities[topic], tuple(map(made.mapping.step, codes)))
    start = text.find(topic)
    link = Link(start, start + len(topic), plan.topic, 1.0) if start >= 0 else Link(len(text), len(text), plan.topic, 1)
    graph, memo = Graph(made.mapping), Memo()

    def asked() -> Steps[tuple[list[str], str] | None]:
        found = yield from constrain_by_second_entity(Question(text), link, plan, graph, memo)
        if found is None:
            return None
        narrowed, named = found
        assert isinstance(narrowed, Combine)
        assert narrowed.parts[0] == plan
        result = yield from graph.execute(narrowed, memo)
        return [node.name for node in result.nodes], text[named.start : named.end]

    with Neo4jIO(driver) as io:
        return run(asked(), io)


@pytest.mark.parametrize(
    ("text", "topic", "codes", "answers", "named"),
    [
        ("who was the commander of Apollo 11", "Apollo 11", [">crew"], ["Neil Armstrong"], "commander"),
        ("who was lunar module pilot of Apollo 11", "Apollo 11", [">crew"], ["Buzz Aldrin"], "lunar module pilot"),
        ("as what did Neil Armstrong fly in gemini 8", "Neil Armstrong", [">role of"], ["Command Pilot"], "gemini 8"),
        ("which missions had a Commander of pete conrad", "Commander", ["<role aboard"], ["Apollo 12"], "pete conrad"),
        ("who were commanders launched by it: commander", "Saturn V", [">launched", ">crew"],
         ["Neil Armstrong", "Pete Conrad"], "commander"),
        ("which mission did Armstrong fly as Commander", "Commander", ["<role aboard"], ["Apollo 11"], "Armstrong"),
        ("which missions had a Commander called pete", "Commander", ["<role aboard"], ["Apollo 12"], "pete"),
        ("who had the lunar module on Apollo 11", "Apollo 11", [">crew"], ["Buzz Aldrin"], "lunar module"),
    ],
)  # fmt: skip
def test_what_a_join_node_joins_beside_tells_answers_apart(
    driver: neo4j.Driver, made: Made, text: str, topic: str, codes: list[str], answers: list[str], named: str
) -> None:
    assert ask(driver, made, text, topic, *codes) == (answers, named)


@pytest.mark.parametrize(
    ("text", "topic", "codes"),
    [
        ("who flew Apollo 11", "Apollo 11", [">crew"]),  # nothing else is named
        ("who flew Gemini 8 as commander", "Gemini 8", [">crew"]),  # nobody did
        ("who was a module pilot of Apollo 11", "Apollo 11", [">crew"]),  # there were two
        ("who of its crew had the role of Commander", "Commander", ["<role of"]),  # it is the topic
        ("which missions did Saturn V launch with pete conrad", "Saturn V", [">launched"]),  # no join node
    ],
)
def test_where_nothing_tells_them_apart_there_is_no_other_plan(
    driver: neo4j.Driver, made: Made, text: str, topic: str, codes: list[str]
) -> None:
    assert ask(driver, made, text, topic, *codes) is None


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("ellen ripley", "who played ripley in alien", ["ripley"]),
        ("professor albus dumbledore", "who played professor albus", ["professor albus"]),
        ("the lord of the rings", "who was in the film", []),  # no word that says anything
        ("apollo 12", "who flew apollo", []),  # the topic's own word
        ("ripley", "who played ripley", []),  # that is the whole name
    ],
)
def test_a_name_is_told_by_its_first_or_last_words(name: str, text: str, found: list[str]) -> None:
    places = _in_part(name, text, excluded=frozenset(("apollo", "11")), stop_words=ENGLISH.stop_words)
    assert [text[start:end] for start, end in places] == found
