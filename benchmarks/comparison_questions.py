"""The questions that :mod:`compare_checkouts` asks, and where they are from."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Asked = dict[str, Any]
"""A question: ``text``, with topics in brackets where they are marked, and ``topics`` where they are given."""


def environment(checkout: Path, home: Path | None = None) -> dict[str, str]:
    """Variables under which Python has a checkout's code, and asks the managed server of a home."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("NEO4J_")}
    kept |= {"PYTHONPATH": f"{checkout}{os.pathsep}{checkout / 'loaders'}", "PYTHONDONTWRITEBYTECODE": "1"}
    return kept | ({"KGQA_HOME": str(home)} if home else {})


@dataclass(frozen=True)
class QuestionSet:
    """Questions to one graph.

    :ivar group: sets that one word selects
    :ivar read: the questions, from the checkout that has the tests
    :ivar second: the graph is in the second server
    :ivar mapped: the graph's mapping is ``graphs/NAME.toml`` in the home
    :ivar model: the graph whose trained model is asked; empty: nothing is trained
    """

    name: str
    group: str
    graph: str
    read: Callable[[Path], list[Asked]]
    second: bool = False
    mapped: bool = False
    model: str = ""


def data_file(*parts: str) -> Path:
    """A file below ``KGQA_DATA``; ends the program when it is not there."""
    file = Path(os.environ.get("KGQA_DATA", "data")).joinpath(*parts)
    if not file.is_file():
        sys.exit(f"no {file}: set KGQA_DATA to the folder that holds {'/'.join(parts)}")
    return file


def first_columns(count: int, *parts: str) -> Callable[[Path], list[Asked]]:
    """A sample of the first columns of a file of MetaQA or PathQuestion."""

    def read(_: Path) -> list[Asked]:
        lines = [line for line in data_file(*parts).read_text(encoding="utf-8").splitlines() if line.strip()]
        return [{"text": line.split("\t")[0].strip()} for line in sampled(lines, count)]

    return read


def webqsp(_: Path) -> list[Asked]:
    """A sample of WebQSP's test questions, with the topics of their parses."""
    with zipfile.ZipFile(data_file("webqsp", "WebQSP.zip")) as archive:
        entries = json.loads(archive.read("WebQSP.test.json"))["Questions"]
    keys = ("TopicEntityMid", "TopicEntityName")
    asked = []
    for entry in entries:
        topics = dict.fromkeys(parse[key] for parse in entry["Parses"] for key in keys if parse.get(key))
        asked += [{"text": entry["ProcessedQuestion"], "topics": list(topics)}] if topics else []
    return sampled(asked, 300)


def sampled(ones: list[Any], count: int) -> list[Any]:
    """A random sample; a part of its beginning is one, too."""
    return random.Random(0).sample(ones, min(count, len(ones)))


def lines_of_tests(name: str) -> Callable[[Path], list[Asked]]:
    """The questions of a file beside the tests."""

    def read(checkout: Path) -> list[Asked]:
        file = checkout / "tests" / "neo4j" / "questions" / f"{name}.jsonl"
        return [{"text": json.loads(line)["question"]} for line in file.read_text(encoding="utf-8").splitlines()]

    return read


def printed_by(code: str) -> Callable[[Path], list[Asked]]:
    """Questions that lines of Python find in the modules of tests: a list ``found`` of texts."""

    def read(checkout: Path) -> list[Asked]:
        command = [sys.executable, "-c", f"import json\n{code}\nprint(json.dumps(found))"]
        done = subprocess.run(command, env=environment(checkout), cwd=checkout, check=True, stdout=subprocess.PIPE)
        return [{"text": text} for text in dict.fromkeys(json.loads(done.stdout))]

    return read


DEMO = """
from kgqa_graphdb.demo import questions
from tests.neo4j.demo_questions import Facts, compared, joined, left_out, whether
found = [one.question for one in questions()]
found += [text for group in (left_out, joined, compared, whether) for text in group(Facts.read())]
"""
RESERVOIRS = """
from tests.neo4j import test_operators
marks = [mark for test in vars(test_operators).values() for mark in getattr(test, "pytestmark", ())]
cases = [mark.args[1] for mark in marks if mark.args and mark.args[0] in ("question", ("question", "answers"))]
found = [case if isinstance(case, str) else case[0] for some in cases for case in some]
"""


def question_sets() -> Iterator[QuestionSet]:
    """All sets."""
    for group, model in (("metaqa", ""), ("trained", "metaqa")):
        for hops in (1, 2, 3):
            read = first_columns(500, "metaqa", f"{hops}-hop", "vanilla", "qa_test.txt")
            yield QuestionSet(f"{group}-{hops}", group, "metaqa", read, model=model)
    for name in ("PQ-2", "PQ-3", "PQL-2", "PQL-3"):
        read, graph = first_columns(200, "pathquestion", f"{name}H.txt"), name.lower().replace("-", "")
        yield QuestionSet(name.lower(), "pathquestion", graph, read)
        yield QuestionSet(f"transfer-{name.lower()}", "transfer", graph, read, model="metaqa")
    yield QuestionSet("webqsp", "webqsp", "wq", webqsp)
    yield QuestionSet("trained-webqsp", "trained", "wq", webqsp, model="wq")
    yield QuestionSet("demo", "demo", "space", printed_by(DEMO))
    yield QuestionSet("transfer-demo", "transfer", "space", printed_by(DEMO), model="metaqa")
    yield QuestionSet("reservoirs", "operators", "reservoirs", printed_by(RESERVOIRS), mapped=True)
    for suffix, group in (("", "property"), ("_operators", "operators"), ("_narrowed", "narrowed")):
        for graph in ("movies", "northwind", "northwind_typed"):
            read = lines_of_tests(graph.removesuffix("_typed") + suffix)
            typed = graph == "northwind_typed"
            yield QuestionSet(graph + suffix, group, graph, read, second=not typed, mapped=True)


def chosen_sets(names: str) -> list[QuestionSet]:
    """The sets that are named, by themselves or by their group; ends the program where there is none of a name."""
    known = list(question_sets())
    wanted = {name for name in names.split(",") if name}
    unknown = wanted - {one.name for one in known} - {one.group for one in known}
    if unknown:
        groups = ", ".join(dict.fromkeys(one.group for one in known))
        sys.exit(f"no set {', '.join(sorted(unknown))}; there are {groups}, or {', '.join(one.name for one in known)}")
    return [one for one in known if not wanted or {one.name, one.group} & wanted]
