"""Asks the questions of text-to-Cypher pairs, and compares the answers with what the pairs' own Cypher gives.

    python benchmarks/text2cypher.py pairs.csv --database movies --mapping movies.toml
    python benchmarks/text2cypher.py pairs.csv --database northwind --mapping northwind.toml --half held-out

A file of pairs has the columns ``question``, ``cypher`` and ``database``; the server that the NEO4J_* variables name
holds a copy of that database, and ``kgqa map`` made the mapping. Gold is what a pair's statement returns on this copy,
in a transaction that can only read: the first column that holds more than what the question itself names. Left out, and
counted, are statements that fail, return nothing here or speak of what this copy has not, and those that cut rows which
they have not put in an order: any rows are right then. Answers that tie with the last of an ordered cut are ours too,
so F1 is told beside the exact match.

``--half`` parts the questions by a digest of their texts: rules are made looking at ``dev``, figures told of
``held-out``.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import os
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import neo4j
from common import environment
from neo4j.graph import Node

from kgqa_graphdb import KGQA
from kgqa_graphdb.errors import KgqaError
from kgqa_graphdb.mapping import GraphMapping, read_mapping
from kgqa_graphdb.questions import harmonic
from kgqa_graphdb.types import Entity

TIMEOUT_S = 10


class LeftOut(Exception):
    """A pair has no gold answers here."""


@dataclass(frozen=True)
class Pair:
    question: str
    cypher: str
    type: str


def pairs_of(files: list[Path], database: str, half: str) -> list[Pair]:
    """The pairs of a database, each question once with each statement."""
    found: dict[tuple[str, str], Pair] = {}
    for file in files:
        with file.open(encoding="utf-8", newline="") as opened:
            for row in csv.DictReader(opened):
                first = hashlib.sha256(row["question"].encode()).digest()[0] % 2
                if row["database"] == database and half in ("all", ("dev", "held-out")[first]):
                    found[row["question"], row["cypher"]] = Pair(row["question"], row["cypher"], row["type"])
    return list(found.values())


def gold_of(driver: neo4j.Driver, pair: Pair, mapping: GraphMapping) -> set[str]:
    """What the pair's statement returns.

    :raises LeftOut: nothing that can be compared
    """
    if re.search(r"\bLIMIT\b", pair.cypher, re.I) and not re.search(r"\bORDER BY\b", pair.cypher, re.I):
        raise LeftOut("any rows are right")
    try:
        with driver.session(default_access_mode="READ") as session:
            rows = session.execute_read(neo4j.unit_of_work(timeout=TIMEOUT_S)(lambda tx: _run(tx, pair.cypher)))
    except neo4j.exceptions.Neo4jError as error:
        raise LeftOut("the statement fails") from error
    if not rows or any(isinstance(value, dict | neo4j.graph.Path) for row in rows for value in row):
        raise LeftOut("the statement returns nothing, or paths or maps")
    columns = [
        {_text(one, mapping) for row in rows if row[n] is not None for one in _each(row[n])}
        for n in range(len(rows[0]))
    ]
    asked = [texts for texts in columns if texts and any(text not in pair.question for text in texts)]
    if not (asked or columns[0]):
        raise LeftOut("the statement returns nothing")
    return (asked or columns)[0]


def _run(transaction: neo4j.ManagedTransaction, statement: str) -> list[list[Any]]:
    result = transaction.run(statement)
    rows = [record.values() for record in result]
    if any("does not exist" in (one.status_description or "") for one in result.consume().gql_status_objects):
        raise LeftOut("this copy has no such label, relationship or property")
    return rows


def _each(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _text(value: Any, mapping: GraphMapping) -> str:
    """A value, or what a node is called, in one way of writing."""
    if isinstance(value, Node):
        kind = next((kind for kind in mapping.entities if kind.label in value.labels), None)
        names = [str(value[name]) for name in kind.names if value.get(name)] if kind else []
        return " ".join(names) or str(value.get(kind.key if kind and kind.key else "", value.element_id))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value:.6g}"
    return str(value)


def answers_of(kg: KGQA, question: str) -> list[set[str]]:
    """The answers, each in all ways that gold may have it."""
    reply = kg.ask(question)
    found = []
    for scored in reply.answers:
        node = scored.item
        if isinstance(node, Entity):
            kind = next((kind for kind in kg.graph.mapping.entities if kind.label in node.labels), None)
            parts = node.name.split() if kind and len(kind.names) > 1 else []  # first name and surname
            found.append({node.id, node.name, *parts})
        else:
            found.append({_text(node.value, kg.graph.mapping), node.name})
    return found


def main() -> None:
    """Print a table per type of question."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("pairs", type=Path, nargs="+")
    parser.add_argument("--database", required=True)
    parser.add_argument("--mapping", type=Path, required=True)
    parser.add_argument("--half", choices=("dev", "held-out", "all"), default="held-out")
    parser.add_argument("--limit", type=int, help="so many pairs at most")
    parser.add_argument("--show", choices=("wrong", "abstained", "right"), help="print such questions")
    options = parser.parse_args()
    uri, auth = os.environ["NEO4J_URI"], (os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"])
    mapping = read_mapping(options.mapping)
    pairs = pairs_of(options.pairs, options.database, options.half)
    left_out: Counter[str] = Counter()
    rows: defaultdict[str, list[tuple[float, float, bool]]] = defaultdict(list)
    told: dict[str, list[set[str]]] = {}
    errors = 0
    with (
        neo4j.GraphDatabase.driver(uri, auth=auth) as driver,
        KGQA.connect(options.database, mapping=options.mapping) as kg,
    ):
        for pair in pairs[: options.limit]:
            try:
                gold = gold_of(driver, pair, mapping)
            except LeftOut as why:
                left_out[str(why)] += 1
                continue
            if pair.question not in told:
                try:
                    told[pair.question] = answers_of(kg, pair.question)
                except KgqaError as error:
                    print(f"error: {pair.question}: {error}")
                    errors += 1
                    continue
            answers = told[pair.question]
            right = sum(bool(forms & gold) for forms in answers)
            met = {text for forms in answers for text in forms & gold}
            f1 = harmonic(right / len(answers), min(1.0, len(met) / len(gold))) if answers else 0.0
            exact = float(bool(answers) and right == len(answers) and len(met) == len(gold))
            rows[pair.type].append((f1, exact, not answers))
            kind = "abstained" if not answers else "right" if exact else "wrong"
            if options.show == kind:
                shown = [min(forms, key=len) for forms in answers][:4]
                print(f"{kind}: {pair.question}\n    gold {sorted(gold)[:4]} of {len(gold)}\n"
                      f"    ours {shown} of {len(answers)}\n    {' '.join(pair.cypher.split())}")  # fmt: skip
    everything = [row for some in rows.values() for row in some]
    print(f"{'':<30} {'pairs':>6} {'exact':>7} {'F1':>7} {'abstained':>9} {'F1 if answered':>14}")
    for name, some in [*sorted(rows.items()), ("all", everything)]:
        f1, exact, silent = (sum(float(row[n]) for row in some) / len(some) for n in range(3))
        answered = sum(row[0] for row in some) / max(1, sum(not row[2] for row in some))
        print(f"{name:<30} {len(some):>6,} {exact:>7.1%} {f1:>7.1%} {silent:>9.1%} {answered:>14.1%}")
    print(f"left out: {dict(left_out)}; errors: {errors}")
    print(environment(), f"kgqa-graphdb {version('kgqa-graphdb')}")


if __name__ == "__main__":
    main()
