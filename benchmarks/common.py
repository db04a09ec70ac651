"""What the benchmarks share: data, versions, hardware."""

from __future__ import annotations

import os
import platform
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import neo4j
import numpy as np
import psutil

from kgqa_graphdb.managed import ManagedServer, connection_from_environment

if TYPE_CHECKING:
    from kgqa_graphdb import KGQA
    from kgqa_graphdb.export import ExportedGraph
    from kgqa_graphdb.train.gnn2r.lessons import Topics

_TOPIC = re.compile(r"\[(.*?)\]")


@dataclass(frozen=True)
class MetaQuestion:
    """A MetaQA question: its text with the topic in brackets, the topic, and the names of the answers."""

    hops: int
    text: str
    topic: str
    answers: frozenset[str]

    @property
    def bare(self) -> str:
        """The text without brackets."""
        return self.text.replace("[", "").replace("]", "")


def linked_sample(kg: KGQA, export: Path, file: Path, count: int) -> tuple[ExportedGraph, list[Topics]]:
    """A graph as it was exported, and a random sample of a file's questions, linked by the topics that the file gives.

    :raises ExportError: the exported graph is of another graph, or the graph has changed since
    """
    from kgqa_graphdb.questions import read_pairs, with_topics  # here: other benchmarks need none of the training
    from kgqa_graphdb.train.gnn2r.lessons import linked_pairs

    pairs = with_topics([pair for pair in read_pairs(file) if pair.answers], given=True)
    pairs = random.Random(0).sample(pairs, min(count, len(pairs)))
    exported = kg.open_export(export)
    return exported, linked_pairs(kg, exported, pairs, lambda done, total: None)


def metaqa_folder() -> Path:
    """The MetaQA folder in ``KGQA_DATA``; ends the program when there is none."""
    folder = Path(os.environ.get("KGQA_DATA", "data")) / "metaqa"
    if not (folder / "kb.txt").is_file():
        sys.exit(f"no MetaQA in {folder}: set KGQA_DATA to the folder that holds metaqa/kb.txt")
    return folder


def wikidata_folder() -> Path:
    """The folder ``wikidata`` in ``KGQA_DATA``; ends the program when there is none."""
    folder = Path(os.environ.get("KGQA_DATA", "data")) / "wikidata"
    if not (folder / "labelled").is_dir():
        sys.exit(f"no parts of Wikidata in {folder}: set KGQA_DATA to the folder that holds wikidata/labelled")
    return folder


def metaqa_questions(split: str, hops: int, count: int, seed: int = 0) -> list[MetaQuestion]:
    """A seeded random sample of a split's questions."""
    path = metaqa_folder() / f"{hops}-hop" / "vanilla" / f"qa_{split}.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    questions = []
    for line in random.Random(seed).sample(lines, min(count, len(lines))):
        text, answers = line.split("\t")
        match = _TOPIC.search(text)
        if match is None:
            sys.exit(f"{path}: a question without a [topic]: {text}")
        questions.append(MetaQuestion(hops, text, match[1], frozenset(answers.split("|"))))
    return questions


def environment(server_version: str = "") -> str:
    """One line on versions and hardware."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("kgqa-graphdb", "neo4j", "numpy"))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    server = f", Neo4j {server_version}" if server_version else ""
    return (
        f"{packages}{server}; Python {platform.python_version()}, {platform.machine()}, "
        f"{os.cpu_count()} cores, {memory:.0f} GiB"
    )


@contextmanager
def own_server(home: Path) -> Iterator[neo4j.Driver]:
    """A managed server in a folder of its own, which this process and those that it starts ask; stopped afterwards."""
    home = home.resolve()
    home.mkdir(parents=True, exist_ok=True)
    for name in [name for name in os.environ if name.startswith("NEO4J_")]:
        del os.environ[name]
    os.environ["KGQA_HOME"] = str(home)
    server = ManagedServer(home / "server")
    started = server.start()
    os.environ |= {"NEO4J_URI": started.uri, "NEO4J_USERNAME": started.username, "NEO4J_PASSWORD": started.password}
    try:
        with neo4j.GraphDatabase.driver(started.uri, auth=started.auth, notifications_min_severity="OFF") as driver:
            yield driver
    finally:
        server.stop()


def server_version(driver: neo4j.Driver) -> str:
    """Neo4j's version, as it says."""
    return driver.get_server_info().agent.rpartition("/")[2]


def percentile(values: list[float], share: float) -> float:
    """The value below which a share of the values lies; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def cpu_seconds() -> Callable[[], float]:
    """A clock of the processor time of this process and of the managed server, which other programs do not slow down.

    Of a server that is not managed the time is left out.
    """
    ours, server = process_seconds()
    return lambda: ours() + server()


def process_seconds() -> tuple[Callable[[], float], Callable[[], float]]:
    """Clocks of the processor time of this process, and of the managed server: 0 for one that is not managed."""
    pid = None if connection_from_environment() else ManagedServer().status().pid
    server = psutil.Process(pid) if pid else None

    def of_server() -> float:
        times = server.cpu_times() if server else None
        return times.user + times.system if times else 0.0

    return time.process_time, of_server


def interval(values: list[float], seed: int = 0) -> tuple[float, float]:
    """The 95 % interval of a mean, by percentile bootstrap."""
    drawn = np.random.default_rng(seed).choice(np.array(values), (1_000, len(values)))
    low, high = np.percentile(drawn.mean(axis=1), [2.5, 97.5])
    return float(low), float(high)
