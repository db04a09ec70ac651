"""Which way a question walks where both ends of a relation are of one kind, over proposed mappings and triples."""

from __future__ import annotations

from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import CachedEncoder
from kgqa_loaders.recognise import open_source
from kgqa_loaders.relations import parse_relations
from kgqa_loaders.write import load
from tests.neo4j.databases import asked_as_proposed
from tests.neo4j.direction_questions import AMONG, FACTS, KINDS_NEEDED, PAIRS

pytestmark = pytest.mark.slow

WORDS = {
    "mentors": {"label": "person mentored by", "inverse": "mentor of"},
    "trained_by": {"label": "trainer of", "inverse": "person trained by"},
    "owned_by": {"label": "owner of", "inverse": "company owned by"},
    "supplies": {"label": "company supplied by", "inverse": "supplier of"},
    "blocks": {"label": "ticket blocked by", "inverse": "ticket that blocks"},
    "part_of": {"label": "whole of", "inverse": "part of"},
    "child_of": {"label": "parent of", "inverse": "child of"},
    "escalates_to": {"label": "desk that is escalated to by", "inverse": "desk that escalates to"},
}


def wrong(kg: KGQA, asked: str = PAIRS) -> dict[str, str]:
    """The questions that are answered otherwise, with those answers."""
    found = {}
    for question, _, expected in (line.partition(" => ") for line in asked.split("\n")[1:-1]):
        names = " ; ".join(sorted(str(getattr(one.item, "name", "")) for one in kg.ask(question).answers)) or "NONE"
        if names != expected:
            found[question] = names
    return found


def test_over_the_untouched_proposal_of_a_database(empty: neo4j.Driver, encoder: CachedEncoder) -> None:
    for type_, (label, pairs) in FACTS.items():
        empty.execute_query(
            f"UNWIND $pairs AS pair MERGE (a:{label} {{name: pair[0]}}) MERGE (b:{label} {{name: pair[1]}}) "
            f"CREATE (a)-[:{type_}]->(b)",
            pairs=[list(pair) for pair in pairs],
        )
    with asked_as_proposed(empty, "firm", encoder) as kg:
        assert wrong(kg) == {}
        assert wrong(kg, AMONG) == {}


@pytest.mark.parametrize("words", [{}, WORDS], ids=["guessed", "written"])
def test_over_triples_without_labels(
    driver: neo4j.Driver, encoder: CachedEncoder, tmp_path: Path, words: dict[str, dict[str, str]]
) -> None:
    lines = [f"{head}|{type_.lower()}|{tail}" for type_, (_, pairs) in FACTS.items() for head, tail in pairs]
    (tmp_path / "facts.txt").write_text("\n".join(lines), encoding="utf-8")
    graph = f"directions{len(words)}"
    load(driver, open_source(str(tmp_path / "facts.txt")), graph=graph, relations=parse_relations({"relations": words}))
    with KGQA(driver, graph=graph, encoder=encoder) as kg:
        assert set(wrong(kg)) <= KINDS_NEEDED


def test_a_relation_can_be_declared_symmetric(driver: neo4j.Driver, encoder: CachedEncoder, tmp_path: Path) -> None:
    (tmp_path / "facts.txt").write_text("Oria|allied_with|Pell\nQuan|allied_with|Oria\nOria|borders|Rusk\n", "utf-8")
    words = {"allied_with": {"symmetric": True}, "borders": {"symmetric": False}}
    source = open_source(str(tmp_path / "facts.txt"))
    load(driver, source, graph="allies", relations=parse_relations({"relations": words}))
    with KGQA(driver, graph="allies", encoder=encoder) as kg:
        allies = kg.ask("Who is allied with Oria?")
        assert sorted(allies.names) == ["Pell", "Quan"]
        assert allies.cypher is not None
        assert kg.ask("Is Pell allied with Oria?").names == ("yes",)
        assert kg.ask("How many are allied with Oria?").names == ("2",)
        assert kg.ask("What borders Rusk?").names == ("Oria",)
        assert kg.ask("What does Rusk border?").abstained


def test_names_with_underscores_and_parts_of_names(
    driver: neo4j.Driver, encoder: CachedEncoder, tmp_path: Path
) -> None:
    lines = "Ada Holm|manages|Bob Lind\nBob Lind|manages|Cyd Dahl\nBob Lind|manages|Eva_Quist\nEva_Quist|manages|F_2\n"
    (tmp_path / "facts.txt").write_text(lines + "Ada Berg|mentors|Gus Roth\n", "utf-8")
    load(driver, open_source(str(tmp_path / "facts.txt")), graph="parts")
    asked = {
        "Does Bob manage Cyd?": ("yes",),
        "Does Cyd manage Bob?": ("no",),
        "Can you tell me whether Bob manages Cyd?": ("yes",),
        "How many employees does Bob manage?": ("2",),
        "Does Ada manage Bob?": (),  # which Ada?
        "Who manages Eva_Quist?": ("Bob Lind",),
        "Who manages F_2?": ("Eva_Quist",),
    }
    with KGQA(driver, graph="parts", encoder=encoder) as kg:
        assert {question: kg.ask(question).names for question in asked} == asked
