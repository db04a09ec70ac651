"""Names that differ by symbols, names told without their titles, words that are names by chance, and hostile texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb import KGQA, KgqaError, Question, Reply
from kgqa_graphdb.encode import CachedEncoder
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.evaluate.run import evaluate
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.language.folding import MAX_CHARACTERS
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.questions import Gold, Pair
from kgqa_loaders.recognise import open_source
from kgqa_loaders.write import load
from tests.unit.hostile import hostile_texts

SYMBOLS = """C++|designed_by|Bjarne S.
C#|designed_by|Anders H.
C|designed_by|Dennis R.
.NET|designed_by|Micro S.
NET|designed_by|Paul B.
A*|designed_by|Peter H.
A|designed_by|Aldo A.
R&D|designed_by|Rita D.
R|designed_by|Ross I.
Na+|found_in|Salt water
Na|found_in|Sodium lamp
$100|designed_by|Mint X.
100|designed_by|Count Y.
Yahoo!|designed_by|Jerry Y.
Yahoo|designed_by|Swift J.
P!nk|designed_by|Alecia M.
Pink|designed_by|Color P.
$9.99|designed_by|Geo R.
Objective-C|designed_by|Brad C.
O'Caml|designed_by|Xavier L.
Moulin Rouge!|designed_by|Baz L.
*not included|designed_by|Matthew R.
J++|designed_by|Micro S.
"""
DESIGNERS = {
    "Who designed C++?": "Bjarne S.", "who designed c++ ?": "Bjarne S.", "Who designed C#?": "Anders H.",
    "Who designed C?": "Dennis R.", "Who designed c?": "Dennis R.", "Who designed **C**?": "Dennis R.",
    "Who designed .NET?": "Micro S.", "Who designed NET?": "Paul B.", "Who designed A*?": "Peter H.",
    "Who designed R&D?": "Rita D.", "Where is Na+ found?": "Salt water", "Where is Na found?": "Sodium lamp",
    "Who designed $100?": "Mint X.", "Who designed 100?": "Count Y.", "Who designed Yahoo!?": "Jerry Y.",
    "Who designed Yahoo!": "Jerry Y.", "Who designed Yahoo?": "Swift J.", "Who designed P!nk?": "Alecia M.",
    "Who designed Pink?": "Color P.", "Who designed $9.99?": "Geo R.", "Who designed Objective-C?": "Brad C.",
    "Who designed O'Caml?": "Xavier L.", "Who designed O’Caml?": "Xavier L.", "Who designed [C++]?": "Bjarne S.",
    "Who designed [c#]?": "Anders H.", "Who designed Moulin Rouge?": "Baz L.",
    "who designed not included?": "Matthew R.",
}  # fmt: skip
NOT_NAMED = ["Who designed J?", "Who designed J#?", "Who designed [J]?", "Who designed 9.99?", "Who designed Pink+?"]
"""What is called so but for symbols is something else."""


def loaded(driver: neo4j.Driver, graph: str, folder: Path, text: str) -> None:
    (folder / "facts.txt").write_text(text, encoding="utf-8")
    load(driver, open_source(str(folder / "facts.txt")), graph=graph)


def answered(kg: KGQA, question: str) -> str:
    """The names of the answers, sorted."""
    return " ; ".join(sorted(kg.ask(question).names))


def test_names_that_differ_by_symbols_are_different_names(
    driver: neo4j.Driver, graph_name: str, tmp_path: Path, encoder: CachedEncoder
) -> None:
    loaded(driver, graph_name, tmp_path, SYMBOLS)
    with KGQA(driver, graph=graph_name, encoder=encoder) as kg:
        assert {question: answered(kg, question) for question in DESIGNERS} == DESIGNERS
        assert {question: answered(kg, question) for question in NOT_NAMED} == dict.fromkeys(NOT_NAMED, "")
        given = [kg.ask(Question("Who designed it?", topics=(name,))).names for name in ("C++", "c#", "Yahoo", "J")]
        assert given == [("Bjarne S.",), ("Anders H.",), ("Swift J.",), ()]
        names = ["C++", "c++", "C", "yahoo!", "Yahoo", "J", "+", "not included"]
        found = kg.perform(kg.graph.find(names))
        assert [[one.name for one in found[name]] for name in names] == [
            ["C++"], ["C++"], ["C"], ["Yahoo", "Yahoo!"], ["Yahoo", "Yahoo!"], [], [], ["*not included"],
        ]  # fmt: skip
        masked = kg.ask("Who designed C++?").answer.links[0]
        assert "Who designed C++?"[masked.start : masked.end] == "C++"


def test_symbols_count_where_names_are_not_indexed_too(driver: neo4j.Driver, encoder: CachedEncoder) -> None:
    mapping = GraphMapping(
        "tongues", (EntityKind("Tongue", "no", ("name",)), EntityKind("Maker", "no", ("name",))),
        (make_relation("MADE_BY", label="made by", inverse="made", heads=("Tongue",), tails=("Maker",)),),
    )  # fmt: skip
    rows = [{"name": name, "maker": f"Maker of {place}", "no": place}
            for place, name in enumerate(("C++", "C#", "C", "$9.99", "Na+", "Na"))]  # fmt: skip
    driver.execute_query(
        "UNWIND $rows AS row CREATE (:Tongue {no: row.no, name: row.name})-[:MADE_BY]->(:Maker {no: 100 + row.no, "
        "name: row.maker})", rows=rows,
    )  # fmt: skip
    try:
        with KGQA(driver, graph="tongues", mapping=mapping, encoder=encoder) as kg:
            found = [answered(kg, f"who was {row['name']} made by?") for row in rows]
            assert found == [row["maker"] for row in rows]
            (called,) = kg.perform(Graph(mapping).find(["$9.99"])).values()
            assert [one.name for one in called] == ["$9.99"]
    finally:
        driver.execute_query("MATCH (n:Tongue|Maker) DETACH DELETE n")


PEOPLE = """Sinéad O'Brien (II)|works_for|Kettle Corp
Sinéad O'Brien (II)|lives_in|Oxmoor
Sinéad O'Brien (II)|knows|Max Thorn
Max Thorn Jr.|works_for|Pan Works
Max Thorn Jr.|lives_in|Tarn
Dr. Uma Reid, PhD|works_for|Clinic Vell
Dr. Uma Reid, PhD|lives_in|Port Vell
Lake House [2006]|stands_in|Lake Town
Lake House [2006]|directed_by|Al Rest
Anna Maria Lopez (II)|lives_in|Oxmoor
Anna Maria Lopez (II)|works_for|Kettle Corp
Jean Luc Moreau fils|lives_in|Tarn
Jean Luc Moreau fils|works_for|Pan Works
St. Mary's Old Abbey (ruin)|stands_in|Vell
St. Mary's Old Abbey (ruin)|founded_by|Bishop Ord
"""


def test_a_name_takes_up_no_word_that_stands_behind_it(
    driver: neo4j.Driver, graph_name: str, tmp_path: Path, encoder: CachedEncoder
) -> None:
    right = {
        "where does Sinead O'Brien work for": ("Kettle Corp", "Sinead O'Brien"),
        "where does Sinead O'Brien live": ("Oxmoor", "Sinead O'Brien"),
        "where does Max Thorn Jr live": ("Tarn", "Max Thorn Jr"),
        "where does Uma Reid work": ("Clinic Vell", "Uma Reid"),
        "where does Anna Maria Lopez live": ("Oxmoor", "Anna Maria Lopez"),
        "where does Anna Maria Lopez work": ("Kettle Corp", "Anna Maria Lopez"),
        "where does Jean Luc Moreau live": ("Tarn", "Jean Luc Moreau"),
        "where does St. Mary's Old Abbey stand": ("Vell", "St. Mary's Old Abbey"),
        "where does Lake House stand": ("Lake Town", "Lake House"),
    }
    loaded(driver, graph_name, tmp_path, PEOPLE)
    with KGQA(driver, graph=graph_name, encoder=encoder) as kg:
        for question, (answer, mention) in right.items():
            reply = kg.ask(question)
            link = reply.answer.links[0]
            assert (" ; ".join(reply.names), question[link.start : link.end]) == (answer, mention), reply.text


BALLADS = GraphMapping(
    "ballads",
    (EntityKind("Ballad", "no", ("title",)), EntityKind("Singer", "no", ("name",))),
    (
        make_relation("SANG", label="sang", inverse="sung by", heads=("Singer",), tails=("Ballad",)),
        make_relation("year", kind="property", label="release year", heads=("Ballad",)),
    ),
)
SUNG = {"Red Kite": ("Bo Nils", 2010), "Blue Gate": ("Bo Nils", 2010), "Tall Hill": ("Bo Nils", 2004)} | {
    title: ("Ada Prim" if place % 2 else "Cy Oster", 1990 + place)
    for place, title in enumerate(("Most", "Last", "2010", "First", "Ballad", "Count", "Oldest", "Average", "Singers"))
}
"""Ballads, most of whose titles are words of questions; who sang them, and when they were released."""
AS_WORDS = {
    "which singer sang the most ballads?": "Cy Oster", "Which singer sang the most ballads?": "Cy Oster",
    "ballads from the year 2010": "Blue Gate ; Red Kite",
    "which ballads were released in 2010?": "Blue Gate ; Red Kite",
    "How many ballads were released in 2010?": "2", "list the singers": "Ada Prim ; Bo Nils ; Cy Oster",
    "what is the oldest ballad": "Most", "which ballads did Bo Nils sing?": "Blue Gate ; Red Kite ; Tall Hill",
    "what is the average release year of ballads": "1997.5",
}  # fmt: skip
AS_NAMES = {
    "who sang Most?": "Cy Oster", 'who sang "most"?': "Cy Oster", "who sang most": "Cy Oster",
    "who sang 'last'?": "Ada Prim", "Who sang Last?": "Ada Prim", "who sang the ballad Count?": "Ada Prim",
    "who sang 2010?": "Cy Oster", "who sang the ballad 2010?": "Cy Oster", 'who sang "Ballad"?': "Cy Oster",
    'who sang "Singers"?': "Cy Oster",
}  # fmt: skip


@pytest.fixture(params=["indexed", "scanned"])
def ballads(request: pytest.FixtureRequest, driver: neo4j.Driver, encoder: CachedEncoder) -> Iterator[KGQA]:
    driver.execute_query(
        "UNWIND $rows AS row MERGE (s:Singer {no: row[1], name: row[1]}) "
        "CREATE (s)-[:SANG]->(:Ballad {no: row[0], title: row[0], year: row[2]})",
        rows=[[title, *rest] for title, rest in SUNG.items()],
    )
    index = "ballads_names" if request.param == "indexed" else ""
    if index:
        driver.execute_query(f"CREATE FULLTEXT INDEX {index} FOR (n:Ballad|Singer) ON EACH [n.title, n.name]")
        driver.execute_query("CALL db.awaitIndexes(60)")
    with KGQA(driver, graph="ballads", mapping=replace(BALLADS, fulltext=index), encoder=encoder) as kg:
        yield kg
    driver.execute_query("MATCH (n:Ballad|Singer) DETACH DELETE n")
    if index:
        driver.execute_query(f"DROP INDEX {index}")


def test_words_that_count_and_rank_kinds_and_years_are_no_names_unless_they_are_marked(ballads: KGQA) -> None:
    assert {question: answered(ballads, question) for question in AS_WORDS} == AS_WORDS
    assert {question: answered(ballads, question) for question in AS_NAMES} == AS_NAMES


def test_any_text_is_answered_or_refused(kg: KGQA) -> None:
    texts = [*hostile_texts(60, seed=3), *(f"Who discovered Titan{text}?" for text in hostile_texts(30, seed=4))]
    for text in texts:
        try:
            assert isinstance(kg.ask(text), Reply), text
        except UsageError:
            continue
    for text in texts[:30]:
        try:
            assert isinstance(kg.ask(Question("Who discovered it?", topics=(text,))), Reply), text
        except UsageError:
            continue
    assert set(kg.perform(kg.graph.find(texts))) == set(texts)


def test_a_question_that_is_too_long_or_no_text_is_an_error_of_its_own(kg: KGQA) -> None:
    gold = (Gold(name="Christiaan Huygens"),)
    long, half = "Who discovered Titan? ".ljust(MAX_CHARACTERS + 1, "x"), "Who discovered Titan\ud83d?"
    pairs = [Pair(str(place), text, gold) for place, text in enumerate((long, "Who discovered Titan?", half))]
    for batch in (1, 3):
        outcomes = evaluate(kg, pairs, batch=batch).outcomes
        assert [bool(one.error) for one in outcomes] == [True, False, True]
        assert f"{MAX_CHARACTERS:,} is the limit" in outcomes[0].error
        assert outcomes[1].scores
        assert outcomes[1].scores.f1 == 1
    with pytest.raises(KgqaError, match="is the limit"):
        kg.ask(long)
