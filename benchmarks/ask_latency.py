"""How long a question takes: median and p95, in all, by stage, by hops and by how many facts the topic has.

    kgqa load $KGQA_DATA/metaqa/kb.txt --graph metaqa
    python benchmarks/ask_latency.py --graph metaqa --count 100

One process, one question at a time, encoder included, the topic in brackets removed. Every question is asked twice:
the first round meets statements that the server has not planned and paths whose words are not embedded yet
(plan-cold), the second finds both (plan-warm). The second time a question mark is added, so that the question itself
is embedded anew. For a graph without MetaQA's questions, questions are made of the
graph's own relation phrases (--made).
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import neo4j
from common import environment, metaqa_questions, percentile

from kgqa_graphdb import KGQA, Reply
from kgqa_graphdb.managed import resolve_connection
from kgqa_graphdb.runtime import open_driver
from kgqa_graphdb.verbalise import describe_path

STAGES = ("link", "retrieve", "reason", "verbalise", "answer", "total")


@dataclass(frozen=True)
class Asked:
    """A question and the number of hops that it was made with."""

    hops: int
    text: str


def read(driver: neo4j.Driver, text: str, **parameters: object) -> list[list[object]]:
    """Rows of a statement."""
    return [list(record.values()) for record in driver.execute_query(text, parameters).records]


def made_questions(driver: neo4j.Driver, kg: KGQA, hops: int, count: int, seed: int) -> list[Asked]:
    """Questions in the words of random paths that the graph holds: "what is the A of the B of X"."""
    choose = random.Random(seed)
    label = kg.graph.mapping.label
    names = [str(row[0]) for row in read(driver, f"MATCH (n:`{label}`) WHERE rand() < 0.2 RETURN n.name LIMIT 5000")]
    choose.shuffle(names)
    found: list[Asked] = []
    for name in names:
        pattern = "".join("-[]-()" for _ in range(hops))
        rows = read(
            driver,
            f"MATCH p = (n:`{label}` {{entity_id: $id}}){pattern} WITH p LIMIT 50 "
            "RETURN [r IN relationships(p) | [type(r), elementId(startNode(r))]], [n IN nodes(p) | elementId(n)]",
            id=name,
        )
        if not rows:
            continue
        edges, nodes = choose.choice(rows)
        codes = [
            (">" if start == left else "<") + kind
            for (kind, start), left in zip(edges, nodes, strict=False)  # type: ignore[call-overload]
        ]
        path = tuple(kg.graph.mapping.step(code) for code in codes)
        found.append(Asked(hops, f"what is {describe_path(name, path)}?"))
        if len(found) == count:
            break
    return found


def table(title: str, groups: dict[str, list[Reply]]) -> None:
    """Print median and p95 of each stage, in milliseconds."""
    print(f"\n{title}\n{'':>22} {'n':>5}" + "".join(f"{stage:>16}" for stage in STAGES))
    for name, replies in groups.items():
        cells = []
        for stage in STAGES:
            spent = [reply.timings_ms.get(stage, 0.0) for reply in replies]
            cells.append(f"{percentile(spent, 0.5):>8.1f}{percentile(spent, 0.95):>8.1f}")
        print(f"{name:>22} {len(replies):>5}" + "".join(cells))


def degrees(driver: neo4j.Driver, replies: Sequence[Reply]) -> dict[str, list[Reply]]:
    """Replies by how many facts their topic has."""
    groups: dict[str, list[Reply]] = defaultdict(list)
    for reply in replies:
        if not reply.answer.links:
            continue
        topic = reply.answer.links[0].entity.element_id
        degree = int(str(read(driver, "MATCH (n) WHERE elementId(n) = $id RETURN COUNT { (n)--() }", id=topic)[0][0]))
        groups["degree < 10" if degree < 10 else "degree 10–99" if degree < 100 else "degree ≥ 100"].append(reply)
    return dict(sorted(groups.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", default="metaqa")
    parser.add_argument("--count", type=int, default=100, help="questions per number of hops")
    parser.add_argument("--split", choices=("dev", "test"), default="test")
    parser.add_argument("--made", action="store_true", help="questions made of the graph's own relation phrases")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    connection = resolve_connection()
    with open_driver(connection) as driver:
        kg = KGQA(driver, graph=options.graph, database=connection.database)
        version = str(read(driver, "CALL dbms.components() YIELD versions RETURN versions[0]")[0][0])
        print(environment(version))
        print(f"graph {options.graph}: {len(kg.graph.mapping.relations):,} relations; milliseconds, median and p95")
        kg.ask("who is it?")  # opens the connection and loads the encoder
        rounds: dict[str, dict[str, list[Reply]]] = {"plan-cold": {}, "plan-warm": {}}
        for hops in (1, 2, 3):
            if options.made:
                questions = made_questions(driver, kg, hops, options.count, options.seed)
            else:
                sample = metaqa_questions(options.split, hops, options.count, options.seed)
                questions = [Asked(hops, question.bare) for question in sample]
            for temperature, groups in rounds.items():
                ending = " ?" if temperature == "plan-warm" else ""
                groups[f"{hops}-hop {temperature}"] = [kg.ask(question.text + ending) for question in questions]
        for temperature, groups in rounds.items():
            table(temperature, groups)
        warm = [reply for replies in rounds["plan-warm"].values() for reply in replies]
        table("plan-warm, by the topic's degree", degrees(driver, warm))


if __name__ == "__main__":
    main()
