"""Questions that employees ask of three made companies' graphs, and of one where all relations join things of one kind.

    python benchmarks/company_questions.py CHECKOUT --home FOLDER [--json FILE] [--show]

Nothing was tuned for these: questions and gold Cypher were written before any of them was asked. Each third question of
a graph is kept shut: ``--show`` prints what was answered to the others only. The questions of direction come with a
twin that asks for the same with the ends exchanged; gold is what the graph has, which may be nothing, no, or 0.

The graphs are written in turn into a local server of their own in ``FOLDER``, which is emptied; ``kgqa map`` of the
checkout maps each as a new user would. Prints how many were right, wrong (answered otherwise) and abstained from, by
graph and kind of question. An unanswerable question is right when nothing is answered.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

import neo4j

FOLDER = Path(__file__).parent / "company_questions"
COMPANIES = ("clinic", "freight", "factory")
DIRECTIONS = "chain"
_MAP = "from kgqa_graphdb.cli import main; main()"

VERBS = {
    "ADVISES": ("advise", "advises", "advised", "Nils Aker", "Olga Brun", "Olga Brun", "Piet Cole", "people"),
    "TRAINED_BY": ("train", "trains", "trained", "Tess Ford", "Saul Ek", "Uri Gold", "Tess Ford", "people"),
    "SUCCEEDED_BY": ("succeed", "succeeds", "succeeded", "Wanda Ilk", "Viggo Hart", "Zora Lamb", "Xavi Jonas",
                     "people"),
    "OWNS": ("own", "owns", "owned", "Alpha Corp", "Beta Works", "Beta Works", "Gamma Press", "companies"),
    "SUPPLIES": ("supply", "supplies", "supplied", "Epsilon Mills", "Zeta Bakery", "Zeta Bakery", "Eta Shops",
                 "companies"),
}  # fmt: skip
"""Relationship type → forms of its verb, two facts as subject and object of that verb, what both are."""
PASSIVE = ("TRAINED_BY", "SUCCEEDED_BY")
"""Types that lead from the object to the subject."""
PARTS = (("Lower Vale", "Vale County"), ("Vale County", "Westland"))


@dataclass(frozen=True)
class Asked:
    """A question with its gold answers.

    :ivar gold: Cypher; empty: the graph has no answer
    :ivar pair: number of a question of direction and of its twin; 0: it has none
    """

    graph: str
    kind: str
    text: str
    gold: str
    shut: bool
    pair: int = 0


# ── the questions ────────────────────────────────────────────────────────────────────────────────────────────────────


def company_questions(graph: str) -> Iterator[Asked]:
    """The questions to a company's graph, a line each: kind | question | gold Cypher."""
    lines = (FOLDER / f"{graph}.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        kind, text, gold = (part.strip() for part in line.split(" | ", 2))
        yield Asked(graph, kind, text, "" if gold == "-" else gold, shut=number % 3 == 2)


def direction_questions() -> Iterator[Asked]:
    """Questions of direction, each followed by its twin."""
    pair = 0
    for kind, (base, third, past, *names, what) in VERBS.items():
        for subject, other in (names[:2], names[2:]):
            for form in _verb_forms(kind, base, third, past, what):
                pair += 1
                for one, two in ((subject, other), (other, subject)):
                    text, gold = form(one, two)
                    yield Asked(DIRECTIONS, kind, text, gold, shut=pair % 3 == 2, pair=pair)
    for ends in PARTS:
        for form in _part_forms():
            pair += 1
            for one, two in (ends, ends[::-1]):
                text, gold = form(one, two)
                yield Asked(DIRECTIONS, "PART_OF", text, gold, shut=pair % 3 == 2, pair=pair)


def _verb_forms(kind: str, base: str, third: str, past: str, what: str) -> tuple[Any, ...]:
    """Forms of a question from subject and object of a verb: each gives the text and its gold Cypher."""
    edge = f"<-[:{kind}]-" if kind in PASSIVE else f"-[:{kind}]->"
    who = "Who" if what == "people" else "Which company"

    def of(start: str, end: str, result: str) -> str:
        return f"MATCH ({start}){edge}({end}) RETURN {result}"

    def named(name: str) -> str:
        return f"{{name: '{name}'}}"

    def truth(s: str, o: str) -> str:
        return f"RETURN CASE WHEN EXISTS {{ ({named(s)}){edge}({named(o)}) }} THEN 'yes' ELSE 'no' END"

    return (
        lambda s, o: (f"{who} {third} {o}?", of("x", named(o), "x.name")),
        lambda s, o: (f"{who} does {s} {base}?", of(named(s), "x", "x.name")),
        lambda s, o: (f"{who} is {past} by {s}?", of(named(s), "x", "x.name")),
        lambda s, o: (f"{who} was {o} {past} by?", of("x", named(o), "x.name")),
        lambda s, o: (f"Does {s} {base} {o}?", truth(s, o)),
        lambda s, o: (f"Is {o} {past} by {s}?", truth(s, o)),
        lambda s, o: (f"How many {what} does {s} {base}?", of(named(s), "x", "count(x)")),
    )


def _part_forms() -> tuple[Any, ...]:
    """The same of parts and wholes."""

    def of(start: str, end: str, result: str) -> str:
        return f"MATCH ({start})-[:PART_OF]->({end}) RETURN {result}"

    def named(name: str) -> str:
        return f"{{name: '{name}'}}"

    def truth(part: str, whole: str) -> str:
        return f"RETURN CASE WHEN EXISTS {{ ({named(part)})-[:PART_OF]->({named(whole)}) }} THEN 'yes' ELSE 'no' END"

    return (
        lambda p, w: (f"What is {p} part of?", of(named(p), "x", "x.name")),
        lambda p, w: (f"Which region is {p} a part of?", of(named(p), "x", "x.name")),
        lambda p, w: (f"Which regions are part of {w}?", of("x", named(w), "x.name")),
        lambda p, w: (f"What are the parts of {w}?", of("x", named(w), "x.name")),
        lambda p, w: (f"Is {p} part of {w}?", truth(p, w)),
        lambda p, w: (f"Is {p} a part of {w}?", truth(p, w)),
        lambda p, w: (f"How many regions are part of {w}?", of("x", named(w), "count(x)")),
    )


# ── asking ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def ask(job: dict[str, Any]) -> None:
    """Ask questions in a process that has a checkout's code, and print what was answered."""
    import kgqa_graphdb
    from kgqa_graphdb import KGQA, KgqaError

    if Path(job["checkout"]).resolve() not in Path(kgqa_graphdb.__file__).resolve().parents:
        sys.exit(f"{kgqa_graphdb.__file__} is imported, not that of {job['checkout']}")
    entries = []
    with KGQA.connect(graph=job["graph"]) as kg:
        for text in job["questions"]:
            try:
                reply = kg.ask(text)
                names = [one.get("value", one["name"]) for one in reply.to_dict()["answers"]]
                entries.append(
                    {"answers": [str(one) for one in names], "abstained": reply.abstained, "text": reply.text}
                )
            except KgqaError as error:
                entries.append({"answers": [], "abstained": f"error: {error}", "text": ""})
    print(json.dumps(entries))


def plain(value: object) -> str:
    """A gold value or an answer as one text, alike however it is written."""
    text = value.isoformat() if isinstance(value, date | neo4j.time.Date) else str(value)
    text = {"true": "yes", "false": "no"}.get(text.lower(), text)
    try:
        return f"{float(text):.6g}"
    except ValueError:
        return text.strip('"').lower()


def verdict(question: Asked, gold: Iterable[object], answers: Iterable[object]) -> str:
    """``right``, ``wrong`` or ``abstained``."""
    wanted, given = {plain(one) for one in gold}, {plain(one) for one in answers}
    if wanted == given:
        return "right"
    if not wanted or wanted == {"0"}:  # nothing is there: no answer and none at all say so alike
        return "right" if not given or given == {"0"} else "wrong"
    return "wrong" if given else "abstained"


def run_graph(driver: neo4j.Driver, graph: str, questions: list[Asked], options: argparse.Namespace) -> list[Any]:
    """Write a graph, map it and ask its questions; gives question, gold, answers and verdict of each."""
    driver.execute_query("MATCH (n) DETACH DELETE n")
    for statement in (FOLDER / f"{graph}.cypher").read_text(encoding="utf-8").split(";\n"):
        driver.execute_query(statement)
    gold = [[row[0] for row in driver.execute_query(one.gold).records] if one.gold else [] for one in questions]
    environment = {**os.environ, "PYTHONPATH": f"{options.checkout}{os.pathsep}{options.checkout / 'loaders'}"}
    command = [sys.executable, "-c", _MAP, "map", "--graph", graph, "--force"]
    subprocess.run(command, env=environment, cwd=options.home, check=True, stdout=subprocess.DEVNULL)
    job = {"checkout": str(options.checkout), "graph": graph, "questions": [one.text for one in questions]}
    asking = [sys.executable, str(Path(__file__).resolve()), "--ask"]
    done = subprocess.run(
        asking, input=json.dumps(job), env=environment, cwd=options.home, check=True, stdout=subprocess.PIPE, text=True
    )
    rows = []
    for question, wanted, entry in zip(questions, gold, json.loads(done.stdout), strict=True):
        rows.append((question, wanted, entry, verdict(question, wanted, entry["answers"])))
    return rows


# ── telling ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def report(rows: list[Any], title: str) -> None:
    """Print how many questions were right, wrong and abstained from."""
    counts = Counter(row[3] for row in rows)
    given = counts["wrong"] + sum(row[3] == "right" and bool(row[2]["answers"]) for row in rows)
    right = sum(row[3] == "right" and bool(row[2]["answers"]) for row in rows)
    unanswerable = [row for row in rows if not row[1]]
    answered = sum(bool(row[2]["answers"]) for row in unanswerable)
    print(
        f"{title:<28}{len(rows):>4} asked: {counts['right']} right, {counts['wrong']} wrong, {counts['abstained']} "
        f"abstained; of {given} answered {right} right; of {len(unanswerable)} without an answer {answered} answered"
    )


def report_directions(rows: list[Any]) -> None:
    """Print how many questions of direction were right, and of how many pairs both halves."""
    pairs: defaultdict[int, list[str]] = defaultdict(list)
    for question, _, _, said in rows:
        pairs[question.pair].append(said)
    both = sum(said == ["right", "right"] for said in pairs.values())
    first = sum(said[0] == "right" for said in pairs.values())
    print(f"directions: {first} of {len(pairs)} right, of {both} both the question and its twin")
    by_kind = defaultdict(list)
    for row in rows:
        by_kind[row[0].kind].append(row)
    for kind, some in by_kind.items():
        report(some, f"  {kind}")


def main() -> None:
    """See the module."""
    if sys.argv[1:] == ["--ask"]:
        ask(json.load(sys.stdin))
        return
    from common import own_server  # not in the process that asks: it has another checkout's code

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="checkout of this project that answers")
    parser.add_argument("--home", type=Path, required=True, help="KGQA_HOME of a server for this alone; it is emptied")
    parser.add_argument("--json", type=Path, help="file for what was answered to each question")
    parser.add_argument("--show", action="store_true", help="print what was not right, of the questions that are open")
    options = parser.parse_args()
    options.checkout = options.checkout.resolve()
    everything: list[Any] = []
    with own_server(options.home) as driver:
        for graph in COMPANIES:
            rows = run_graph(driver, graph, list(company_questions(graph)), options)
            report(rows, graph)
            everything += rows
        for shut in (False, True):
            report([row for row in everything if row[0].shut is shut], "shut" if shut else "open")
        for kind in dict.fromkeys(row[0].kind for row in everything):
            report([row for row in everything if row[0].kind == kind], f"  {kind}")
        report(everything, "companies")
        rows = run_graph(driver, DIRECTIONS, list(direction_questions()), options)
        report_directions(rows)
        everything += rows
    if options.show:
        for question, gold, entry, said in everything:
            if said != "right" and not question.shut:
                print(f"{question.graph}: {question.text}\n    {said}: {entry['answers'] or entry['abstained']}")
                print(f"    gold: {gold}")
    if options.json:
        entries = [
            {**asdict(row[0]), "wanted": list(map(plain, row[1])), **row[2], "verdict": row[3]} for row in everything
        ]
        options.json.write_text(json.dumps(entries, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
