"""The work of a long question grows with its length, and no faster: counted in lines that run, not in seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import kgqa_graphdb
from kgqa_graphdb.compose import QuestionComposer
from kgqa_graphdb.language.folding import MAX_CHARACTERS
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.link.asked import parse_question
from kgqa_graphdb.rank import PathRanker
from kgqa_graphdb.steps import run
from tests.unit.hostile import MAPPING, NamesIO

SHAPES: dict[str, Callable[[int], str]] = {
    "stop words": lambda size: ("who is the of a in " * size)[:size],
    "one letter": lambda size: "a" * size,
    "one letter, many times": lambda size: ("a " * size)[:size],
    "one name, many times": lambda size: ("Up C++ " * size)[:size],
    "names that may overlap": lambda size: ("a a a the a " * size)[:size],
    "words that are all different": lambda size: " ".join(f"w{number:x}" for number in range(size))[:size],
    "names that are all different": lambda size: " ".join(f"Ab{number:x}" for number in range(size))[:size],
    "long words": lambda size: (f"{'x' * 400} " * size)[:size],
    "commas": lambda size: ("up," * size)[:size],
    "spaces": lambda size: "up".ljust(size // 2) + "up",
    "Chinese": lambda size: ("杭州亚运会东京" * size)[:size],
    "combining marks": lambda size: "e" + "\u0301" * (size - 1),
    "symbols": lambda size: "c" + "+" * (size - 1),
    "capital stop words": lambda size: ("The Of A In " * size)[:size],
    "numbers": lambda size: ("2010 more than 3 " * size)[:size],
    "quotes": lambda size: ("\"up' " * size)[:size],
    "marked topics": lambda size: "".join(f"[up{number}] " for number in range(50)).ljust(size - 2, "a"),
    "comparisons": lambda size: ("more films than the average of films and " * size)[:size],
}
OURS = str(Path(kgqa_graphdb.__file__).parent)
LEAST_LINES = 20_000
"""Fewer do no harm, however they grow."""


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of the package run; each turn of a loop counts."""
    count = 0

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        if not frame.f_code.co_filename.startswith(OURS):
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def work(text: str) -> int:
    io, linker, composer, model = NamesIO(), NameLinker(), QuestionComposer(), PathRanker(MAPPING)
    graph = io.graph

    def asked() -> None:
        question = parse_question(text)
        links = run(linker.link(question, graph), io)
        run(composer.compose(question, links, graph, model), io)

    return lines_run(asked)


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_twice_as_long_a_question_takes_about_twice_the_work(shape: str) -> None:
    short, long = (work(SHAPES[shape](size)) for size in (MAX_CHARACTERS // 8, MAX_CHARACTERS // 4))
    assert long <= max(2.5 * short, LEAST_LINES), f"{short} lines, then {long}"


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_no_question_is_searched_for_with_more_than_some_searches(shape: str) -> None:
    io = NamesIO()
    run(NameLinker().link(parse_question(SHAPES[shape](MAX_CHARACTERS)), io.graph), io)
    assert io.searches <= 400
