"""Split a file of questions into train, dev and test, at random or so that what is alike stays together.

    python benchmarks/split_questions.py PQ-2H.txt --output split --by path --seed 0

``--by question`` parts at random; ``--by path`` keeps the questions of one topic and one relation path together, so
that no other wording of a test question was trained on; ``--by wording`` keeps those together that differ in their
topic alone, ``--by relations`` those of one relation path (of one question type, where paths are not given), whatever
their topic. The lines are written as they are, into ``train.txt``, ``dev.txt`` and ``test.txt``.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from pathlib import Path

from kgqa_graphdb.questions import Pair, read_pairs

PARTS = ("train", "dev", "test")


def key_of(pair: Pair, by: str) -> str:
    """What must stay together."""
    if by == "path":
        return f"{pair.topics} {pair.paths}"
    if by == "relations":
        return pair.type or str(pair.paths)
    if by == "wording":
        text = re.sub(r"\[[^\]]*\]", "X", pair.question)
        for topic in pair.topics:
            text = text.replace(topic, "X")
        return text
    return pair.id


def split(pairs: list[Pair], by: str, shares: tuple[float, float], seed: int) -> dict[str, list[int]]:
    """Numbers of the pairs in each part.

    :param shares: of dev and test, of the questions
    """
    groups: dict[str, list[int]] = {}
    for number, pair in enumerate(pairs):
        groups.setdefault(key_of(pair, by), []).append(number)
    keys = sorted(groups)
    random.Random(seed).shuffle(keys)
    parts: dict[str, list[int]] = {part: [] for part in PARTS}
    for key in keys:
        full = [len(parts[part]) >= share * len(pairs) for part, share in zip(("dev", "test"), shares, strict=True)]
        parts["test" if not full[1] else "dev" if not full[0] else "train"] += groups[key]
    return {part: sorted(numbers) for part, numbers in parts.items()}


def main() -> None:
    """Write the parts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--output", type=Path, required=True, help="folder")
    parser.add_argument("--by", choices=("question", "path", "wording", "relations"), default="question")
    parser.add_argument("--dev", type=float, default=0.1, help="share of the questions")
    parser.add_argument("--test", type=float, default=0.1, help="share of the questions")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    pairs = read_pairs(options.file)
    lines = [line for line in options.file.read_text(encoding="utf-8").splitlines() if line.strip()]
    if len(lines) != len(pairs):
        sys.exit(f"{options.file} has {len(lines):,} lines and {len(pairs):,} questions: it needs a question a line")
    options.output.mkdir(parents=True, exist_ok=True)
    for part, numbers in split(pairs, options.by, (options.dev, options.test), options.seed).items():
        (options.output / f"{part}.txt").write_text("".join(f"{lines[n]}\n" for n in numbers), encoding="utf-8")
        print(f"{part}: {len(numbers):,} questions")


if __name__ == "__main__":
    main()
