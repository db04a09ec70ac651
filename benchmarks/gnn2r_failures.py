"""In which phase GNN2R fails, of the questions whose first answer is wrong: the paper's table VI.

    kgqa train gnn2r --graph wq -q WebQSP.train.json --given-topics --nodes 1000 --output model
    python benchmarks/gnn2r_failures.py --graph wq --questions WebQSP.test.json --model model --count 500

The topics are those of the file. *Subgraph*: no topic is in the graph, or no answer in its subgraph. *Candidates*: an
answer is in the subgraph, but none among the nearest entities of step I. *Pattern*: one is, and step II took another
pattern. The paper, in percent of the failed ones: WebQSP 22.2, 24.5, 53.3.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from common import environment

from kgqa_graphdb import KGQA
from kgqa_graphdb.evaluate.run import evaluate
from kgqa_graphdb.export import SubgraphSettings
from kgqa_graphdb.export.named import relation_infos
from kgqa_graphdb.gnn2r.files import read_model
from kgqa_graphdb.gnn2r.reasoner import ReasonRequest, StepOne
from kgqa_graphdb.questions import Pair, read_pairs
from kgqa_graphdb.train.gnn2r.lessons import lessons_of, linked_pairs

PHASES = ("subgraph", "candidates", "pattern")


def failed_phases(kg: KGQA, failed: Sequence[Pair], export: Path, model: Path) -> Counter[str]:
    """How many questions fail in each phase."""
    files, exported = read_model(model), kg.open_export(export)
    details = files.details
    if details.step_two is None:
        sys.exit("the model has step I alone")
    step_one = StepOne.of(files, relation_infos(kg.graph.mapping))
    linked = linked_pairs(kg, exported, failed, lambda done, total: None)
    subgraphs = SubgraphSettings(hops=details.hops, max_nodes=details.max_nodes)
    lessons, _ = lessons_of(exported, linked, subgraphs, details.inverse)
    found = Counter({"subgraph": len(failed) - len(lessons)})
    for lesson in lessons:
        [distances] = step_one.distances([ReasonRequest(lesson.text, lesson.graph)])
        nearest = np.argsort(distances, kind="stable")[: details.step_two.candidates]
        found["pattern" if np.isin(nearest, lesson.answers).any() else "candidates"] += 1
    return found


def main() -> None:
    """Ask, and print how many questions fail in each phase."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--graph", required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--export", type=Path, help="of the graph; as in the model's folder where left out")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    export = options.export or options.model / "export"
    pairs = [pair for pair in read_pairs(options.questions) if pair.answers]
    pairs = random.Random(options.seed).sample(pairs, min(options.count, len(pairs)))
    with KGQA.connect(options.graph, method="gnn2r", model=options.model, settings={"export": str(export)}) as kg:
        outcomes = evaluate(kg, pairs, batch=options.batch, given_topics=True).outcomes
        failed = [
            pair for pair, one in zip(pairs, outcomes, strict=True) if one.scores is None or one.scores.hits_at_1 < 1
        ]
        found = failed_phases(kg, failed, export, options.model)
    print(environment())
    print(f"{len(failed):,} of {len(pairs):,} questions fail")
    for phase in PHASES:
        print(f"{phase:<12} {found[phase]:>5} {100 * found[phase] / max(len(failed), 1):>6.1f} %")


if __name__ == "__main__":
    main()
