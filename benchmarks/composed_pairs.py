"""Question-answer pairs composed of a graph's schema, for what learns from pairs alone where nobody has asked yet.

    kgqa export --graph northwind --mapping northwind.toml --output northwind-export
    python benchmarks/composed_pairs.py --graph northwind --mapping northwind.toml --export northwind-export \\
        --count 800 --output pairs.jsonl
    python benchmarks/split_questions.py pairs.jsonl --output split --by wording
    kgqa train gnn2r --graph northwind --mapping northwind.toml -q split/train.txt --dev split/dev.txt --output model
    kgqa evaluate --graph northwind --mapping northwind.toml -q split/test.txt --method gnn2r --model model

Each question asks for what a path of one to ``--hops`` relations leads to from a random entity, in one of the
wordings that ``kgqa train paths --synthetic`` learns from. A path that leads to nothing or to more than 20 entities is
left out, and so is an entity whose name another has. A line of JSON each: question, answers, topics.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import numpy as np

from kgqa_graphdb import KGQA
from kgqa_graphdb.export import ExportedGraph
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.data.compose import compose
from kgqa_graphdb.types import Ints, Step

MAX_ANSWERS = 20
MAX_TRIED = 200
"""Questions that are composed for each that is written."""


def after(graph: ExportedGraph, nodes: Ints, step: Step) -> Ints:
    """What a step leads to from some entities, ascending."""
    if step.relation.id not in graph.relation_ids:
        return nodes[:0]
    number = graph.relation_number(step.relation.id)
    start, far = (graph.in_start, graph.in_head) if step.inverse else (graph.out_start, graph.tail)
    places = np.concatenate([np.arange(start[node], start[node + 1]) for node in nodes.tolist()] or [nodes])
    facts = graph.in_fact[places] if step.inverse else places
    return np.unique(far[places[graph.relation[facts] == number]])


def main() -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--graph", required=True)
    parser.add_argument("--mapping", type=Path)
    parser.add_argument("--export", type=Path, required=True, help="folder that kgqa export wrote")
    parser.add_argument("--count", type=int, default=800)
    parser.add_argument("--hops", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, required=True, help="file of JSON lines")
    options = parser.parse_args()
    with KGQA.connect(options.graph, mapping=options.mapping) as kg:
        schema, graph = Schema(kg.graph.mapping), kg.open_export(options.export)
    names, rng = graph.names.take(range(graph.manifest.entities)), random.Random(options.seed)
    unique = [number for number, name in enumerate(names) if name and len(graph.names.find(name)) == 1]
    lines: dict[str, str] = {}
    composed = compose(schema, options.seed, options.hops)
    for (text, path, _), _ in zip(composed, range(MAX_TRIED * options.count), strict=False):
        topic = rng.choice(unique)
        found = np.array([topic], dtype=np.int64)
        for row in path:
            found = after(graph, found, schema.steps[row])
        found = found[found != topic]
        if 0 < found.size <= MAX_ANSWERS and (answers := [names[one] for one in found.tolist()]) and all(answers):
            asked = text.replace(TOPIC, f"[{names[topic]}]")
            pair = {"question": asked, "answers": answers, "topics": [names[topic]]}
            lines.setdefault(asked, json.dumps(pair, ensure_ascii=False))
        if len(lines) >= options.count:
            break
    options.output.write_text("".join(f"{line}\n" for line in lines.values()), encoding="utf-8")
    print(f"{options.output}: {len(lines):,} questions about {len(unique):,} of {len(names):,} entities")


if __name__ == "__main__":
    main()
