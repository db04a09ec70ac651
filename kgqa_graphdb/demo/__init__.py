"""The demo graph: worlds, spacecraft and the people behind them, with questions and their answers.

The facts and all wording are this project's own. Worlds and missions are a selection: Jupiter has far more moons.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kgqa_graphdb.types import Scalar

GRAPH_NAME = "space"
FACTS_FILE = Path(__file__).parent / "space.txt"
RELATIONS_FILE = Path(__file__).parent / "space.toml"
QUESTIONS_FILE = Path(__file__).parent / "questions.toml"


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """A question to the demo graph and what is expected of it.

    :ivar hops: steps from a topic to the answer; 0: the graph has no answer
    :ivar shows: what the question is there to show
    :ivar paths: each a topic's name and the step codes from it; an answer lies at the end of all of them
    :ivar answers: the expected names or values, sorted; empty: an abstention
    """

    question: str
    hops: int
    shows: str
    paths: tuple[tuple[str, ...], ...]
    answers: tuple[Scalar, ...]


def questions() -> tuple[DemoQuestion, ...]:
    """The demo's questions, in the order in which it asks them.

    :raises ConfigError: the installed file is damaged
    """
    from kgqa_graphdb.mapping import check_keys, read_toml

    keys: dict[str, type] = {"question": str, "hops": int, "shows": str, "paths": list, "answers": list}
    asked = []
    for number, entry in enumerate(read_toml(QUESTIONS_FILE).get("questions", ()), start=1):
        check_keys(entry, keys, f"{QUESTIONS_FILE}: questions[{number}]")
        asked.append(
            DemoQuestion(
                question=entry["question"],
                hops=entry["hops"],
                shows=entry["shows"],
                paths=tuple(tuple(path) for path in entry["paths"]),
                answers=tuple(entry["answers"]),
            )
        )
    return tuple(asked)
