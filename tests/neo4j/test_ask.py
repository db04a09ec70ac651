"""Questions from end to end on a real server, through both clients, and what a question may not do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import neo4j
import pytest
from neo4j.graph import Node as DriverNode

from kgqa_graphdb import KGQA, AsyncKGQA, Question, Reply, demo
from kgqa_graphdb.client import mapping_file
from kgqa_graphdb.demo import DemoQuestion
from kgqa_graphdb.encode import CachedEncoder
from kgqa_graphdb.errors import ConfigError, UnknownGraphError, UsageError
from kgqa_graphdb.managed import Connection
from kgqa_graphdb.types import Entity, Scalar
from kgqa_loaders.recognise import open_source
from kgqa_loaders.write import load

TITAN = "Who discovered Titan?"
HERSCHEL = "Which moons of Saturn were discovered by William Herschel?"


def load_text(driver: neo4j.Driver, graph: str, folder: Path, text: str) -> None:
    (folder / "facts.tsv").write_text(text, encoding="utf-8")
    load(driver, open_source(str(folder / "facts.tsv"), "tsv"), graph=graph)


def answers(reply: Reply) -> set[Scalar]:
    """Entity ids, and values."""
    return {one.item.id if isinstance(one.item, Entity) else one.item.value for one in reply.answers}


def replayed(driver: neo4j.Driver, reply: Reply) -> set[Scalar]:
    """What the server answers to a reply's Cypher."""
    assert reply.cypher is not None
    found = _returned(driver, reply.cypher.text, dict(reply.cypher.parameters))
    assert _returned(driver, reply.cypher_to_paste.removesuffix(";"), {}) == found
    return found


def _returned(driver: neo4j.Driver, text: str, parameters: dict[str, Any]) -> set[Scalar]:
    found: set[Scalar] = set()
    for row in driver.execute_query(text, parameters).records:  # type: ignore[arg-type]
        value: Any = row["answer"]
        if isinstance(value, DriverNode):
            found.add(value["entity_id"])
        elif value is not None:
            found.add(value.to_native() if hasattr(value, "to_native") else value)
    return found


def told(reply: Reply) -> dict[str, Any]:
    """A reply without its timings."""
    return {key: value for key, value in reply.to_dict().items() if key != "timings_ms"}


def stored(driver: neo4j.Driver, graph: str) -> tuple[int, ...]:
    """Nodes and relationships of a graph, and nodes that a question might have written."""
    counts = driver.execute_query(
        f"MATCH (n:`KG_{graph}`) OPTIONAL MATCH (n)-[r]->() "  # type: ignore[arg-type]
        "WITH count(DISTINCT n) AS nodes, count(r) AS edges "
        "OPTIONAL MATCH (x:Intruder) RETURN nodes, edges, count(x)"
    )
    return tuple(counts.records[0].values())


# ── the demo's questions ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("asked", demo.questions(), ids=lambda asked: asked.question)
def test_a_demo_question_gets_its_answers_and_its_cypher_reproduces_them(
    driver: neo4j.Driver, kg: KGQA, asked: DemoQuestion
) -> None:
    reply = kg.ask(asked.question)
    assert answers(reply) == set(asked.answers), reply.text
    assert bool(reply.abstained) == (not asked.answers)
    if asked.answers:
        assert replayed(driver, reply) == set(asked.answers)
        assert reply.facts
        assert all(reply.text.find(name) >= 0 for name in reply.names)
    else:
        assert reply.cypher is None
        assert reply.abstained in reply.text


def test_all_clients_give_the_same_replies(kg: KGQA, space: str, driver: neo4j.Driver, connection: Connection) -> None:
    questions = [asked.question for asked in demo.questions()]
    assert [told(reply) for reply in kg.ask_many(questions)] == [told(kg.ask(question)) for question in questions]


async def test_the_asynchronous_client_gives_the_same_replies(
    kg: KGQA, space: str, connection: Connection, encoder: CachedEncoder
) -> None:
    questions = [asked.question for asked in demo.questions()]
    expected = [told(kg.ask(question)) for question in questions]
    async with await AsyncKGQA.connect(space, connection=connection, encoder=encoder) as client:
        assert [told(await client.ask(question)) for question in questions] == expected
        assert [told(reply) for reply in await client.ask_many(questions)] == expected


def test_eight_threads_share_a_client(kg: KGQA) -> None:
    questions = [asked.question for asked in demo.questions()] * 3
    expected = {question: told(kg.ask(question)) for question in set(questions)}
    fresh = KGQA(kg._driver, graph=kg.graph_name)  # its graph and encoder are opened by all at once
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(fresh.ask, questions))
    assert [told(reply) for reply in replies] == [expected[question] for question in questions]


def test_a_callers_driver_stays_open(driver: neo4j.Driver, space: str, connection: Connection) -> None:
    with KGQA(driver, graph=space) as client:
        client.ask(TITAN)
    driver.verify_connectivity()
    with KGQA.connect(space, connection=connection) as own:
        own.ask(TITAN)
        held = own._driver
    with pytest.raises(neo4j.exceptions.DriverError):
        held.verify_connectivity()


async def test_a_callers_asynchronous_driver_stays_open(connection: Connection, space: str) -> None:
    async with neo4j.AsyncGraphDatabase.driver(connection.uri, auth=connection.auth) as opened:
        async with AsyncKGQA(opened, graph=space) as client:
            assert (await client.ask(TITAN)).names
        await opened.verify_connectivity()


async def test_an_unknown_graph_is_told_at_once_with_the_nearest(
    space: str, connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong, mapped = space[:-1] + "x", "ledger"
    for name, says in ((wrong, f"nearest: {space!r}"), ("nope_nope", "kgqa graphs")):
        with pytest.raises(UnknownGraphError, match=says):
            KGQA.connect(name, connection=connection)
        with pytest.raises(UnknownGraphError, match=says):
            await AsyncKGQA.connect(name, connection=connection)
    monkeypatch.setenv("KGQA_HOME", str(tmp_path))
    mapping_file(mapped).parent.mkdir(parents=True)
    mapping_file(mapped).write_text("graph = 1", encoding="utf-8")
    with pytest.raises(UnknownGraphError, match=f"nearest: {mapped!r}"):  # one that was mapped, not loaded
        KGQA.connect("ledgr", connection=connection)
    with pytest.raises(ConfigError, match=r"ledger\.toml"):
        KGQA.connect(mapped, connection=connection)
    for name in ("../ledger", "x" * 300):
        with pytest.raises(ConfigError, match="can't be a graph's name"):
            KGQA.connect(name, connection=connection)
        with pytest.raises(ConfigError, match="can't be a graph's name"):
            await AsyncKGQA.connect(name, connection=connection)


# ── ways of asking ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "question",
    [TITAN, "who discovered titan", "WHO DISCOVERED TITAN?", "Who discovered [Titan]?", "who discovered [titan]"],
)
def test_case_and_brackets_make_no_difference(kg: KGQA, question: str) -> None:
    assert kg.ask(question).names == ("Christiaan Huygens",)


@pytest.mark.parametrize(
    "question", ["Who discovered Enceladuss?", "who discovered encleadus", "Who discovered Enceldus"]
)
def test_a_misspelled_name_is_found(kg: KGQA, question: str) -> None:
    assert kg.ask(question).names == ("William Herschel",)


def test_brackets_win_over_other_names_in_the_question(kg: KGQA) -> None:
    reply = kg.ask("Who discovered [Titan], and not Enceladus?")
    assert {link.entity.name for link in reply.answer.links} == {"Titan"}
    assert reply.question == "Who discovered Titan, and not Enceladus?"


def test_topics_may_be_given_instead_of_named(kg: KGQA) -> None:
    lacking = (f"graph {kg.graph_name!r} has no entity 'Nowhere'; answered without it",)
    for topics, notes in ((("Mars",), ()), (("Nowhere", "Mars"), lacking), (("Mars", "mars"), ())):
        reply = kg.ask(Question("Who discovered its moons?", topics=topics))
        assert (reply.names, reply.answer.notes) == (("Asaph Hall",), notes)
    assert kg.ask(Question("Who discovered its moons?", topics=("Nowhere",))).abstained.endswith("no entity 'Nowhere'")
    with pytest.raises(UsageError, match="empty"):
        kg.ask(Question(" ?", topics=("Mars",)))
    with pytest.raises(UsageError, match="topics are several"):
        kg.ask(Question("Who discovered its moons?", topics="Mars"))  # type: ignore[arg-type]  # which only untyped code can say


def test_two_topics_are_intersected_and_both_proven(driver: neo4j.Driver, kg: KGQA) -> None:
    for question in (
        HERSCHEL,
        HERSCHEL.replace("Saturn", "[Saturn]").replace("William Herschel", "[William Herschel]"),
    ):
        reply = kg.ask(question)
        assert reply.names == ("Enceladus", "Mimas")
        assert {fact.tail.name for fact in reply.facts} == {"Saturn", "William Herschel"}
        assert replayed(driver, reply) == {"Enceladus", "Mimas"}


def test_a_property_is_a_typed_value_with_its_unit(kg: KGQA) -> None:
    (width,) = kg.ask("How wide is Titan?").values
    assert (width.value, width.unit, width.name) == (5150, "km", "5150 km")
    (launched,) = kg.ask("When was Voyager 2 launched?").values
    assert launched.value == date(1977, 8, 20)


@pytest.mark.parametrize("question", ["Who painted the Mona Lisa?", "What is the meaning of life?", "zzz qqq", "🚀"])
def test_what_the_graph_does_not_hold_is_abstained_from(kg: KGQA, question: str) -> None:
    if not any(map(str.isalnum, question)):
        with pytest.raises(UsageError, match="empty"):
            kg.ask(question)
        return
    reply = kg.ask(question)
    assert reply.abstained
    assert (reply.answers, reply.cypher, reply.facts) == ((), None, ())


# ── what a question may not do ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "question",
    [
        "Who discovered Titan'; MATCH (n) DETACH DELETE n; //?",
        "Who discovered Titan`}) DETACH DELETE n //",
        'Who discovered "Titan"} CREATE (:Intruder) RETURN {x: "',
        "MATCH (n) DETACH DELETE n",
        "Who discovered Titan OR *:* ~ ^ \\ / [] {} AND NOT + - && || !",
        "Titan~ Titan* name:Titan (Titan",
        "$ids $names `<label>` \\u0060 \\u0027 Titan",
        "[Titan` SET n.x = 1] [']['] who discovered it?",
    ],
)
def test_quotes_backticks_and_cypher_in_a_question_change_nothing(
    driver: neo4j.Driver, kg: KGQA, space: str, question: str
) -> None:
    before = stored(driver, space)
    reply = kg.ask(question)
    assert stored(driver, space) == before
    if reply.cypher is not None:
        assert replayed(driver, reply) == answers(reply)
    assert stored(driver, space) == before


def test_a_question_of_10_000_characters_is_answered_or_abstained_from(kg: KGQA) -> None:
    filler = "and tell me, if you please, whatever comes to mind about number {} of those things; "
    long = "".join(filler.format(number) for number in range(200))[:9_970] + TITAN
    assert isinstance(kg.ask(long), Reply)
    assert isinstance(kg.ask(TITAN + "x" * 10_000), Reply)
    assert isinstance(kg.ask("Titan " * 1_700), Reply)
    assert kg.ask("Titan? " + " " * 10_000 + TITAN).names == ("Christiaan Huygens",)


@pytest.mark.parametrize("question", ["", " ", "\n", "?", "[]", "[ ]", "…"])
def test_an_empty_question_is_refused(kg: KGQA, question: str) -> None:
    with pytest.raises(UsageError, match="the question is empty"):
        kg.ask(question)


AWKWARD = [
    "The `Backtick` Club",
    'The "Quoted" Ship',
    "L'Étoile d'Or",
    "Rocket 🚀 Ranch",
    "C:\\users\\u0041bc",
    "100% Wool; DROP",
    "[Bracketed] Ltd.",
    "東京タワー",
    "$topic {x: 1}",
    "They",
]


@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_names_are_found_answered_and_replayed(
    driver: neo4j.Driver, graph_name: str, tmp_path: Path, name: str
) -> None:
    rows = "".join(f"{other}\tfounded by\tFounder {place} `of` {other}\n" for place, other in enumerate(AWKWARD))
    load_text(driver, graph_name, tmp_path, rows)
    client = KGQA(driver, graph=graph_name)
    reply = client.ask(f"Who was {name} founded by?")
    assert answers(reply) == {f"Founder {AWKWARD.index(name)} `of` {name}"}, reply.text
    assert replayed(driver, reply) == answers(reply)
    back = client.ask(f"What was founded by Founder {AWKWARD.index(name)} `of` {name}?")
    assert answers(back) == {name}, back.text


def test_awkward_relation_names_are_walked_and_replayed(driver: neo4j.Driver, graph_name: str, tmp_path: Path) -> None:
    relation = 'owned `by` 🚀 "the" \\u0060 {king}'
    load_text(driver, graph_name, tmp_path, f"Castle Rock\t{relation}\tKing Otto\nCastle Rock\tbuilt in\tWood\n")
    reply = KGQA(driver, graph=graph_name).ask("Which king is Castle Rock owned by?")
    assert answers(reply) == {"King Otto"}
    assert replayed(driver, reply) == {"King Otto"}
    assert reply.facts[0].relation.id == relation


def test_a_name_with_line_breaks_is_found(driver: neo4j.Driver, graph_name: str, tmp_path: Path) -> None:
    load_text(driver, graph_name, tmp_path, "Castle Rock\tbuilt by\tKing Otto\n")
    driver.execute_query(
        f"MATCH (n:`KG_{graph_name}` {{entity_id: 'Castle Rock'}}) SET n.entity_id = $name, n.name = $name",  # type: ignore[arg-type]
        name="Castle\nRock\t`2`",
    )
    driver.execute_query("CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    reply = KGQA(driver, graph=graph_name).ask("Who was Castle Rock 2 built by?")
    assert answers(reply) == {"King Otto"}
    assert replayed(driver, reply) == {"King Otto"}


# ── several graphs ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_graphs_side_by_side_find_their_own_names_only(
    driver: neo4j.Driver, kg: KGQA, graph_name: str, tmp_path: Path
) -> None:
    load_text(driver, graph_name, tmp_path, "Titan\tdiscovered by\tProspero\nZorblax\tdiscovered by\tAriel\n")
    other = KGQA(driver, graph=graph_name)
    assert other.ask(TITAN).names == ("Prospero",)
    assert kg.ask(TITAN).names == ("Christiaan Huygens",)
    assert other.ask("Who discovered Enceladus?").abstained
    assert kg.ask("Who discovered Zorblax?").abstained


def test_an_unknown_graph_is_named_with_its_nearest(driver: neo4j.Driver, space: str) -> None:
    with pytest.raises(UnknownGraphError, match=f"nearest: '{space}'"):
        KGQA(driver, graph=f"{space}x").ask(TITAN)
