"""Does an answer's score tell questions that the graph can answer from those that it can't?

    python benchmarks/abstention.py --graph metaqa --model model
    python benchmarks/abstention.py --graph metaqa                    # the untrained ranker

Asked are 100 questions of MetaQA that are answered rightly; the same 100 of a copy of the graph without the facts of
the last hop to their answers (topics are kept); and 100 that the graph knows nothing of, half of them with a topic of
the graph, half naming none. Printed is the AUROC of the first answer's score, 0 where the program abstains: answerable
questions against each other kind.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from common import environment, metaqa_folder, metaqa_questions

from kgqa_graphdb import KGQA, Reply
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.train.paths.calibrate import auroc

BATCH = 32
KGQA_COMMAND = Path(sysconfig.get_path("scripts")) / "kgqa"
OF_FILMS = (
    "how much money did {} make at the box office", "what was the budget of {}", "who composed the music of {}",
    "which studio paid for {}", "where was {} filmed", "who designed the costumes of {}", "which awards did {} win",
    "how long does {} take from start to end", "who edited {}", "how many copies of {} were sold",
    "which cinema showed {} first", "who did the special effects of {}", "is {} suitable for children",
)  # fmt: skip
OF_PEOPLE = (
    "when was {} born", "where did {} grow up", "who is {} married to", "how tall is {}", "where is {} buried",
    "which school did {} attend", "how many children does {} have", "what is the nationality of {}",
    "who are the parents of {}", "how rich is {}", "which party does {} vote for", "what instrument does {} play",
)  # fmt: skip
OF_NOTHING = (
    "how do I get from the station to the airport", "what is the boiling point of nitrogen",
    "which river is the longest on earth", "how many legs does a spider have", "who won the election last year",
    "what does a litre of milk cost", "how do I remove a coffee stain", "what is the square root of two",
    "when does the next train leave", "what will the weather be like tomorrow", "how deep is the ocean",
    "who invented the printing press", "what is the population of Portugal", "how far away is the moon",
    "which vitamins are in carrots", "what is the formula of table salt", "how long do tortoises live",
    "where can I renew my passport", "how is cheese made", "what time is it in Tokyo",
    "who is the mayor of our town", "how many bytes are in a kilobyte", "why do cats purr",
    "what is the exchange rate of the dollar", "how do vaccines work", "which gas do plants breathe in",
    "what is the capital of Mongolia", "how tall is the highest mountain", "who painted the ceiling of the chapel",
    "what is the speed of light", "how many players are in a volleyball team", "when was the first railway opened",
    "what is the difference between a crocodile and an alligator", "how much water should one drink a day",
    "which language is spoken in Brazil", "how do I sort a list in a spreadsheet", "what causes earthquakes",
    "who discovered penicillin", "how many strings does a violin have", "what is the melting point of iron",
    "which planet has the most moons", "how do I change a flat tyre", "what is the tallest tree",
    "how many bones are in the human body", "what is yeast good for", "which metal conducts heat best",
    "where do swallows go in winter", "how is glass recycled", "what is a prime number", "how old is the universe",
)  # fmt: skip
Triple = tuple[str, str, str]


def knowledge() -> list[Triple]:
    """The facts of MetaQA."""
    lines = (metaqa_folder() / "kb.txt").read_text(encoding="utf-8").splitlines()
    return [(head, relation, tail) for head, relation, tail in (line.split("|") for line in lines)]


def asked(kg: KGQA, questions: Sequence[str]) -> Iterator[Reply]:
    """The replies, some asked at a time."""
    for start in range(0, len(questions), BATCH):
        yield from kg.ask_many(questions[start : start + BATCH])


def last_facts(reply: Reply) -> set[Triple]:
    """The facts of the last hop to the answers; empty where the answer is no followed path, or not all is shown."""
    proof = reply.answer.proof[0].item
    if not isinstance(proof.plan, Follow) or proof.truncated:
        return set()
    last = proof.plan.path[-1]
    ends = {(fact.head if last.inverse else fact.tail) for fact in proof.facts} & set(proof.nodes)
    return {
        (fact.head.name, fact.relation.id, fact.tail.name)
        for fact in proof.facts
        if fact.relation.id == last.relation.id and (fact.head if last.inverse else fact.tail) in ends
    }


def answerable(kg: KGQA, split: str, count: int, seed: int) -> tuple[list[tuple[str, Reply]], set[Triple]]:
    """Questions that are answered rightly, as many of each number of hops, and the facts that answer them.

    One whose facts would take a topic's last fact along is passed over.
    """
    degree = Counter(name for head, _, tail in knowledge() for name in {head, tail})
    chosen: list[tuple[str, Reply]] = []
    gone: set[Triple] = set()
    topics: set[str] = set()
    for hops in (1, 2, 3):
        questions = metaqa_questions(split, hops, 3 * count, seed)
        wanted = len(chosen) + (count + hops - 1) // 3
        for question, reply in zip(questions, asked(kg, [one.text for one in questions]), strict=False):
            if len(chosen) >= wanted:
                break
            if frozenset(reply.names) != question.answers:
                continue
            facts = last_facts(reply) - gone
            left = degree - Counter(name for head, _, tail in facts for name in {head, tail})
            if last_facts(reply) and all(left[topic] > 0 for topic in {*topics, question.topic}):
                chosen.append((question.text, reply))
                degree, gone, topics = left, gone | facts, {*topics, question.topic}
    return chosen, gone


def off_graph(count: int, seed: int) -> list[str]:
    """Questions about what MetaQA has no relations for, half of them with a topic that it has."""
    rng = random.Random(seed)
    facts = knowledge()
    films = sorted({head for head, _, _ in facts})
    people = sorted(
        {tail for _, relation, tail in facts if relation in ("directed_by", "written_by", "starred_actors")}
    )
    wordings = [(wording, films) for wording in OF_FILMS] + [(wording, people) for wording in OF_PEOPLE]
    with_topic = [wordings[number % len(wordings)] for number in range(count // 2)]
    made = [wording.format(f"[{rng.choice(names)}]") for wording, names in with_topic]
    return made + [OF_NOTHING[number % len(OF_NOTHING)] for number in range(count - len(made))]


def kgqa(*arguments: str | Path) -> None:
    """A command of the program; ends this one if it fails."""
    done = subprocess.run([KGQA_COMMAND, *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", default="metaqa", help="MetaQA, loaded")
    parser.add_argument("--copy", default="metaqa_gone", help="name of the copy, which is dropped at the end")
    parser.add_argument("--model", type=Path, help="folder of a trained model; without: the untrained ranker")
    parser.add_argument("--split", choices=("dev", "test"), default="test")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, help="write one JSON line per question")
    options = parser.parse_args()
    replies: dict[str, list[Reply]] = {}
    with KGQA.connect(options.graph, model=options.model) as kg:
        chosen, gone = answerable(kg, options.split, options.count, options.seed)
        replies["answerable"] = [reply for _, reply in chosen]
        replies["off the graph"] = list(asked(kg, off_graph(options.count, options.seed)))
    with tempfile.TemporaryDirectory() as folder:
        facts = Path(folder) / "facts.txt"
        kept = (fact for fact in knowledge() if fact not in gone)
        facts.write_text("".join("|".join(fact) + "\n" for fact in kept), encoding="utf-8")
        kgqa("load", facts, "--graph", options.copy)
    try:
        with KGQA.connect(options.copy, model=options.model) as kg:
            replies["facts deleted"] = list(asked(kg, [question for question, _ in chosen]))
    finally:
        kgqa("drop", options.copy, "--yes")
    print(environment())
    print(f"{len(gone):,} facts deleted")
    scores = {kind: [reply.answers[0].score if reply.answers else 0.0 for reply in some]
              for kind, some in replies.items()}  # fmt: skip
    print(f"{'':<14} {'questions':>9} {'abstained':>9} {'median score':>12} {'AUROC':>7}")
    for kind, some in scores.items():
        abstained = sum(bool(reply.abstained) for reply in replies[kind])
        told = "" if kind == "answerable" else f"{auroc(scores['answerable'], some):.3f}"
        print(f"{kind:<14} {len(some):>9} {abstained:>9} {np.median(some):>12.3f} {told:>7}")
    if options.output:
        lines = [{"kind": kind, **reply.to_dict()} for kind, some in replies.items() for reply in some]
        options.output.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


if __name__ == "__main__":
    main()
