"""Does a ranker that was trained on other graphs help with one of which there are no questions?

    python benchmarks/transfer.py --output transfer --limit 1000 \\
        --train metaqa=1-hop/vanilla/qa_dev.txt --test metaqa=1-hop/vanilla/qa_test.txt \\
        --train metaqa=2-hop/vanilla/qa_dev.txt --test metaqa=2-hop/vanilla/qa_test.txt \\
        --train pq2=PQ-2H.txt --test pq2=PQ-2H.txt --train pq3=PQ-3H.txt --test pq3=PQ-3H.txt --alike pq2,pq3 \\
        --train webqsp=train.json --test webqsp=test.json

The questions of each graph in turn are left out, and of those said to be alike with it: a ranker is trained on the
others' questions, and on ones composed from all graphs' relations; it is asked the test questions of the graph, as is
the untrained one. Printed is a table in Markdown: strict Hits@1 with half of its 95 % interval, and macro F1. What was
mined, trainings and answers are kept in the folder, so that a run that was cut off goes on with the same command;
name another folder for other settings.
"""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from common import environment

from kgqa_graphdb import KGQA
from kgqa_graphdb.cli.output import stages
from kgqa_graphdb.cli.train import files_of
from kgqa_graphdb.evaluate.run import evaluate
from kgqa_graphdb.evaluate.summary import Summary, summarise
from kgqa_graphdb.models import CARD
from kgqa_graphdb.questions import read_pairs, sampled
from kgqa_graphdb.train.data.sets import read_samples
from kgqa_graphdb.train.log import logged
from kgqa_graphdb.train.paths.train import train_paths
from kgqa_graphdb.train.settings import Source, Training

BATCH = 32


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", action="append", required=True, metavar="GRAPH=FILE")
    parser.add_argument("--test", action="append", required=True, metavar="GRAPH=FILE")
    parser.add_argument("--alike", action="append", default=[], metavar="GRAPH,GRAPH", help="are left out together")
    parser.add_argument("--only", action="append", help="leave out this graph only, and those alike; may be repeated")
    parser.add_argument("--limit", type=int, default=2_000, help="train on so many questions of each file")
    parser.add_argument("--count", type=int, default=500, help="test questions of each file")
    parser.add_argument("--steps", type=int, help="batches to train on at most; else as many as kgqa train takes")
    parser.add_argument("--composed", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, required=True, help="folder for the models and the answers")
    options = parser.parse_args()
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    train, test = files_of(options.train, [], "--train"), files_of(options.test, [], "--test")
    alike = [set(group.split(",")) for group in options.alike]
    training = Training(steps=options.steps, composed=options.composed, seed=options.seed)
    print(f"{environment()}\n")
    print("| left out | test questions | untrained: Hits@1 | F1 | trained on the others: Hits@1 | F1 |")
    print("|---|---|---|---|---|---|", flush=True)
    for graph, files in test.items():
        apart = {graph}.union(*(group for group in alike if graph in group))
        if options.only and not apart & set(options.only):
            continue
        others = {name: [] if name in apart else train.get(name, []) for name in dict.fromkeys((*train, *test))}
        model = trained(others, options.output, training, options.limit)
        for number, file in enumerate(files):
            cells = []
            for name, folder in (("untrained", None), ("trained", model)):
                answers = options.output / f"{name}-{graph}-{number}.jsonl"
                told = asked(graph, file, folder, answers, options.count, options.seed)
                low, high = told.intervals["hits_at_1"]
                cells += [f"{told.means['hits_at_1']:.1%} ± {(high - low) / 2:.1%}", f"{told.means['f1']:.1%}"]
            print("|", " | ".join([f"{graph}, {file.name}", f"{told.questions:,}", *cells]), "|", flush=True)


def trained(files: dict[str, Sequence[Path]], output: Path, training: Training, limit: int) -> Path:
    """The folder of a ranker of these graphs' questions; made if it is not there.

    :param files: of each graph; none: questions are only composed
    """
    folder = output / "+".join(name if some else f"composed-{name}" for name, some in files.items())
    if (folder / CARD).exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    for mined in output.glob("*/mined-*.jsonl"):  # what was mined for another training of these questions
        if files.get(mined.stem.removeprefix("mined-")) and not (folder / mined.name).exists():
            shutil.copy(mined, folder)
    with logged(folder), stages() as stage:
        opened = [KGQA.connect(graph) for graph in files]
        sources = [
            Source(kg, read_samples(some, limit, training.seed))
            for kg, some in zip(opened, files.values(), strict=True)
        ]
        train_paths(sources, folder, training=training, stage=stage)
        for kg in opened:
            kg.close()
    return folder


def asked(graph: str, file: Path, model: Path | None, answers: Path, count: int, seed: int) -> Summary:
    """What is right of a random sample of a file's questions."""
    with KGQA.connect(graph, model=model) as kg:
        pairs = sampled(read_pairs(file), count, seed)
        return summarise(evaluate(kg, pairs, batch=BATCH, output=answers).outcomes, seed=seed)


if __name__ == "__main__":
    main()
