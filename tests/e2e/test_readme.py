"""What README and guide tell people to type: every command line is one that there is, every Python example runs."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import sysconfig
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from kgqa_graphdb.cli import commands  # noqa: F401  # importing it registers the commands
from kgqa_graphdb.cli.app import app
from kgqa_graphdb.cli.map import EXAMPLES as map_help
from kgqa_graphdb.managed import Connection
from kgqa_graphdb.mapping import parse_mapping
from kgqa_loaders.relations import parse_relations

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "loaders" / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md")))
KGQA = Path(sysconfig.get_path("scripts")) / "kgqa"
BLOCK = re.compile(r"^(?P<before>[^\n]*)\n```(?P<language>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
INLINE = re.compile(r"`(kgqa(?: [^`]+)?)`")
NOT_RUN = "<!-- not run"


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """Where each code block of a language is, and its text; those marked as not to be run are left out."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for found in BLOCK.finditer(text):
            if found["language"] == language and not found["before"].startswith(NOT_RUN):
                yield f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, found.start()) + 2}", found["text"]


def command_lines() -> Iterator[str]:
    """Every ``kgqa`` command line in code blocks and in running text; a pipe's other commands are left out."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        lines = [line for found in BLOCK.finditer(text) for line in found["text"].splitlines()]
        for line in (*lines, *INLINE.findall(text)):
            for part in re.split(r"\||&&|;", line.removeprefix("$ ")):
                if part.strip().startswith("kgqa ") and "COMMAND" not in part:
                    yield part.strip()


LINES = sorted(set(command_lines()))
PYTHON = list(blocks("python"))
IN_README = [(place, code) for place, code in PYTHON if place.startswith("README.md:")]
NOT_OF_DEMO = ("pandas", "networkx", "matplotlib", "torch", "transformers", "duckdb", "pyoxigraph", "langchain_core")
"""Packages that ``make demo`` does not install."""


@pytest.mark.parametrize("line", LINES)
def test_a_command_line_in_the_documents_is_one_that_there_is(line: str) -> None:
    words = shlex.split(line, comments=True)[1:]
    command = typer.main.get_command(app)
    while hasattr(command, "commands"):
        while words and words[0].startswith("-"):  # options of every command
            assert words.pop(0) in {option for parameter in command.params for option in parameter.opts}
        if not words:
            return
        assert words[0] in command.commands, f"there is no command {words[0]!r}"
        command = command.commands[words.pop(0)]
    mentioned = all(word.startswith("-") or word == "…" for word in words)  # not meant to be typed as it stands
    command.make_context("kgqa", words, resilient_parsing=mentioned)


@pytest.fixture(scope="module")
def demo_graph(connection: Connection) -> None:
    """The demo's graph, on the server of this run."""
    assert connection
    subprocess.run([KGQA, "demo"], check=True, capture_output=True, timeout=120)


@pytest.mark.slow
@pytest.mark.neo4j
@pytest.mark.usefixtures("demo_graph")
def test_the_transcript_in_the_readme_is_what_is_printed(tmp_path: Path) -> None:
    ((_, transcript),) = blocks("console")
    command, _, expected = transcript.partition("\n")
    words = shlex.split(command.removeprefix("$ "))
    done = subprocess.run([KGQA, *words[1:]], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert _without_address(done.stdout) == _without_address(expected)


def _without_address(text: str) -> str:
    return re.sub(r" \(http://[^)]*\)", "", text)


@pytest.mark.slow
@pytest.mark.neo4j
@pytest.mark.usefixtures("demo_graph")
@pytest.mark.parametrize(("place", "code"), PYTHON, ids=[place for place, _ in PYTHON])
def test_a_python_example_in_the_documents_runs(place: str, code: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, f"{place}:\n{done.stderr}"


@pytest.mark.slow
@pytest.mark.neo4j
@pytest.mark.usefixtures("demo_graph")
@pytest.mark.parametrize(("place", "code"), IN_README, ids=[place for place, _ in IN_README])
def test_a_python_example_of_the_readme_runs_after_make_demo_or_names_the_extra(
    place: str, code: str, tmp_path: Path
) -> None:
    absent = "".join(f"import sys; sys.modules[{name!r}] = None\n" for name in NOT_OF_DEMO)
    done = subprocess.run(
        [sys.executable, "-c", absent + textwrap.dedent(code)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    if "to_frame" not in code:
        assert done.returncode == 0, f"{place}:\n{done.stderr}"
        return
    line = next(number for number, one in enumerate((absent + code).splitlines(), start=1) if "to_frame" in one)
    assert f'File "<string>", line {line}, in <module>' in done.stderr  # as far as there it ran
    assert done.stderr.endswith(
        "MissingExtraError: this needs the package 'pandas'; install it with: pip install 'kgqa-graphdb[viz]'\n"
    )
    before = (ROOT / "README.md").read_text(encoding="utf-8").partition(code)[0].rpartition("```")[0]
    assert "`viz`" in before.rpartition("\n\n")[0].rpartition("\n\n")[2], "the words before it name the extra"


def test_a_settings_file_in_the_documents_is_read() -> None:
    read = [
        parse_mapping(table, place) if "graph" in table else parse_relations(table, place)
        for place, text in blocks("toml")
        for table in [tomllib.loads(text)]
    ]
    assert len(read) >= 2


@pytest.mark.parametrize(
    ("text", "promise"),
    [
        ((ROOT / "README.md").read_text(encoding="utf-8"), "What is not in it is never read"),
        (
            (ROOT / "docs/guide/own-graph.md").read_text(encoding="utf-8"),
            "Only what stands in the file is walked, read",
        ),
        (map_help, "nothing outside it is ever read"),
    ],
    ids=["README", "guide", "help"],
)
def test_beside_the_promise_that_only_the_mapping_is_read_stands_that_browser_shows_whole_nodes(
    text: str, promise: str
) -> None:
    _, found, after = " ".join(text.split()).partition(promise)
    assert found
    assert "Browser" in after[:600]
    assert "whole nodes" in after[:600]


def test_links_in_the_documents_lead_somewhere() -> None:
    pages = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for page in pages:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"
