"""How many questions a second are answered side by side, and how long one takes that is asked alone.

    python benchmarks/questions_per_second.py --graph metaqa --model MODEL \
        -q $KGQA_DATA/metaqa/1-hop/vanilla/qa_test.txt -q $KGQA_DATA/metaqa/2-hop/vanilla/qa_test.txt

Of each file a random sample. It is asked once, so that the server has planned its statements, then in batches, as
``kgqa evaluate --batch`` does, then a part of it one question at a time, with a question mark more than before: so its
text is encoded anew, unless one was asked that differs in its topic alone. Beside wall time stands the processor time
of this process and of the local server, which other programs on the machine hardly change; that of a server that is
not managed is left out. ``--repeat`` says how much the figures vary.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from common import environment, percentile, process_seconds

from kgqa_graphdb import KGQA
from kgqa_graphdb.questions import read_pairs, sampled


def measured(work: Callable[[], object], questions: int, clocks: Sequence[Callable[[], float]]) -> list[float]:
    """What some work takes by each clock, in milliseconds a question."""
    before = [clock() for clock in clocks]
    work()
    return [(clock() - began) * 1_000 / questions for clock, began in zip(clocks, before, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", default="metaqa")
    parser.add_argument("--questions", "-q", type=Path, action="append", required=True, help="file of questions")
    parser.add_argument("--model", help="folder of a trained model; without one the untrained ranker answers")
    parser.add_argument("--count", type=int, default=512, help="questions of each file")
    parser.add_argument("--alone", type=int, default=50, help="of these, how many are asked one at a time")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(environment())
    with KGQA.connect(options.graph, model=options.model) as kg:
        clocks = (time.perf_counter, *process_seconds())
        print(
            f"{kg.answered_by}; batches of {options.batch}; ms: processor time a question, of this process and server"
        )
        for file in options.questions:
            texts = [pair.question for pair in sampled(read_pairs(file), options.count, options.seed)]
            batches = [texts[start : start + options.batch] for start in range(0, len(texts), options.batch)]

            def side_by_side(batches: list[list[str]] = batches) -> None:
                for some in batches:
                    kg.ask_many(some)

            side_by_side()
            print(f"\n{file}: {len(texts):,} questions")
            for number in range(options.repeat):
                wall, ours, server = measured(side_by_side, len(texts), clocks)
                told = f"{1_000 / wall:>7.1f} questions/s {ours:>7.2f} ms {server:>7.2f} ms"
                latencies = []
                for text in texts[: options.alone]:
                    again = f"{text}{' ?' * (number + 1)}"
                    latencies.append(kg.ask(again).timings_ms["total"])
                alone = (
                    f"alone {percentile(latencies, 0.5):.1f} ms at the median, {percentile(latencies, 0.95):.1f} at p95"
                )
                print(f"{told}   {alone}   load {os.getloadavg()[0]:.1f}", flush=True)


if __name__ == "__main__":
    main()
