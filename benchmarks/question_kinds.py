"""Mintaka: how often is it told whether a question is for yes or no, counts, or asks for something else?

    python benchmarks/question_kinds.py

The questions are the English ones of the part of Mintaka's development set in ``KGQA_DATA``. Their kind is that of
their complexity type: ``yesno``, ``count``, anything else. The type says how a question is made, not what answers it:
of the comparisons many are answered by yes or no. So a second row takes all questions with such an answer as ones for
yes or no. A third of the questions, by a fixed hash of their ids, is for test; the rules were looked at on the rest.

Balanced accuracy is the mean of the recalls of the three kinds; its interval is by bootstrap over the questions of
each.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
from common import environment

from kgqa_graphdb.rerank.kinds import QuestionKind, question_kind

KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)
OF_TYPE: Mapping[str, QuestionKind] = {"yesno": "yes_no", "count": "count"}


@dataclass(frozen=True)
class Judged:
    """A question with its kinds.

    :ivar by_type: by its complexity type
    :ivar by_answer: the same, but for what is answered by yes or no
    :ivar found: by our rules
    """

    is_test: bool
    by_type: QuestionKind
    by_answer: QuestionKind
    found: QuestionKind


def judged() -> list[Judged]:
    """The questions of the file; ends the program when there is none."""
    path = Path(os.environ.get("KGQA_DATA", "data")) / "wikidata" / "mintaka" / "mintaka_dev_part.json"
    if not path.is_file():
        sys.exit(f"no {path}: set KGQA_DATA to the folder that holds wikidata/mintaka")
    return [judge(one) for one in json.loads(path.read_text(encoding="utf-8"))]


def judge(given: Mapping[str, Any]) -> Judged:
    """One question, as the file has it."""
    by_type = OF_TYPE.get(given["complexityType"], "other")
    by_answer: QuestionKind = "yes_no" if given["answer"]["answerType"] == "boolean" else by_type
    is_test = int(hashlib.sha256(given["id"].encode()).hexdigest(), 16) % 3 == 0
    return Judged(is_test, by_type, by_answer, question_kind(given["question"]))


def balanced_accuracy(pairs: Sequence[tuple[QuestionKind, QuestionKind]], seed: int = 0) -> tuple[float, float, float]:
    """The mean of the kinds' recalls, and its 95 % interval.

    :param pairs: the right kind and the one that was found
    """
    rng = np.random.default_rng(seed)
    means, drawn = [], []
    for kind in KINDS:
        hits = np.array([found == right for right, found in pairs if right == kind], dtype=float)
        means.append(hits.mean())
        drawn.append(rng.choice(hits, (1_000, len(hits))).mean(axis=1))  # (1000,)
    low, high = np.percentile(np.mean(drawn, axis=0), [2.5, 97.5])
    return float(np.mean(means)), float(low), float(high)


def show(name: str, pairs: Sequence[tuple[QuestionKind, QuestionKind]]) -> None:
    """Print the figures of some questions."""
    mean, low, high = balanced_accuracy(pairs)
    print(f"{name}: balanced accuracy {mean:.1%} ({low:.1%} to {high:.1%}), {len(pairs):,} questions")
    confusions = Counter(pairs)
    for right in KINDS:
        print(f"    {right:6} found as", ", ".join(f"{found} {confusions[right, found]}" for found in KINDS))


def main() -> None:
    """Print the figures of both parts."""
    questions = judged()
    print(environment())
    for name, is_test in (("for development", False), ("for test", True)):
        part = [one for one in questions if one.is_test == is_test]
        show(f"{name}, by complexity type", [(one.by_type, one.found) for one in part])
        show(f"{name}, by complexity type and answer", [(one.by_answer, one.found) for one in part])


if __name__ == "__main__":
    main()
