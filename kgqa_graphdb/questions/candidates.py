"""Question files with what a language model took for the answers: a CSV table, a question a row."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from kgqa_graphdb.errors import QuestionsError
from kgqa_graphdb.questions.pair import Gold, Pair

_COLUMN = re.compile(r"answer_[0-9]+")


def is_candidates(sample: str) -> bool:
    """``question,target,answer_0,answer_1,…``, a table with that head"""
    head = next(csv.reader(sample.split("\n")[:1]), [])
    return {"question", "target"} <= set(head) and any(map(_COLUMN.fullmatch, head))


def read_candidates(path: Path, text: str) -> Iterator[Pair]:
    """The target is the one gold answer; cells without a text are left out. Topics, if any, stand between bars.

    :raises QuestionsError: a row has no question or no target, or another number of columns than the head
    """
    rows = csv.reader(io.StringIO(text, newline=""))
    head = next(rows)
    places = sorted(
        (int(name.removeprefix("answer_")), place) for place, name in enumerate(head) if _COLUMN.fullmatch(name)
    )
    try:
        for row in rows:
            if not any(cell.strip() for cell in row):
                continue
            where = f"{path}, line {rows.line_num}"
            if len(row) != len(head):
                raise QuestionsError(f"{where}: {len(row)} columns where the head has {len(head)}")
            cells = {name: cell.strip() for name, cell in zip(head, row, strict=True)}
            if not cells["question"] or not cells["target"]:
                raise QuestionsError(f"{where}: question or target is empty")
            topics = tuple(topic for topic in cells.get("topics", "").split("|") if topic)
            found = tuple(text for _, place in places if (text := row[place].strip()))
            yield Pair(str(rows.line_num), cells["question"], (Gold(name=cells["target"]),), topics, candidates=found)
    except csv.Error as error:
        raise QuestionsError(f"{path}, line {rows.line_num}: {error}") from error
