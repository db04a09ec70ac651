"""The default method on MetaQA without any training: is the topic linked, is the top answer right?

The graph must be loaded:

    kgqa load $KGQA_DATA/metaqa/kb.txt --graph metaqa
    python benchmarks/metaqa_untrained.py --graph metaqa --count 500

Strict Hits@1 is the share of the best-scored answers that are gold: all answers of one executed plan tie, so of n tied
answers with k gold ones k / n counts (the expected value of picking one). The number of hops is never given. A topic
counts as linked right when it is the topic of the plan that was executed (or, on abstention, the likeliest link).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from common import environment, metaqa_questions

from kgqa_graphdb import KGQA, Reply


def hits_at_1(reply: Reply, gold: frozenset[str]) -> float:
    """Strict Hits@1, ties by expectation."""
    if not reply.answers:
        return 0.0
    best = reply.answers[0].score
    tied = [scored.item.name for scored in reply.answers if scored.score == best]
    return sum(name in gold for name in tied) / len(tied)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", default="metaqa")
    parser.add_argument("--split", choices=("dev", "test"), default="test")
    parser.add_argument("--count", type=int, default=500, help="questions per hop")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--hops", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--variants", nargs="+", default=["bracketed", "bare", "lower"])
    parser.add_argument("--output", type=Path, help="write one JSON line per question")
    options = parser.parse_args()
    lines = []
    with KGQA.connect(options.graph) as kg:
        print(environment())
        print(f"{'':>10} {'hops':>4} {'questions':>9} {'linked':>7} {'Hits@1':>7} {'abstained':>9}")
        for variant in options.variants:
            for hops in options.hops:
                questions = metaqa_questions(options.split, hops, options.count, options.seed)
                linked = hits = abstained = 0.0
                for question in questions:
                    text = question.text if variant == "bracketed" else question.bare
                    reply = kg.ask(text.lower() if variant == "lower" else text)
                    topic = reply.answer.links[0].entity.name if reply.answer.links else None
                    hit = hits_at_1(reply, question.answers)
                    linked += topic == question.topic
                    hits += hit
                    abstained += bool(reply.abstained)
                    plan = reply.paths[0].text if reply.paths else reply.abstained
                    lines.append({"variant": variant, "hops": hops, "question": text, "topic": question.topic,
                                  "linked": topic, "hit": hit, "plan": plan})  # fmt: skip
                n = len(questions)
                print(
                    f"{variant:>10} {hops:>4} {n:>9} {linked / n:>7.1%} {hits / n:>7.1%} {abstained / n:>9.1%}",
                    flush=True,
                )
    if options.output:
        options.output.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


if __name__ == "__main__":
    main()
