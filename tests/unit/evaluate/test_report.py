"""The report: figures, plots, and texts that come out letter for letter."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from kgqa_graphdb.errors import MissingExtraError, UsageError
from kgqa_graphdb.evaluate import Predicted, score
from kgqa_graphdb.evaluate.outcome import Outcome
from kgqa_graphdb.evaluate.report import write_report
from kgqa_graphdb.evaluate.summary import by_group, summarise
from kgqa_graphdb.questions import Gold

NASTY = "what of <script>alert(1)</script> | *all* `that` & [more](http://x) $2^3$ ?\n# no heading"
PLOTS = ("scores", "latency", "calibration")


def outcome(number: int, right: bool, question: str = "who?") -> Outcome:
    gold, answers = (Gold(name="Ann"),), (Predicted("", "Ann" if right else "Bob", number / 10),)
    return Outcome(str(number), question, gold, answers, score(answers, gold), hops=1 + number % 2, latency_ms=number)


def write(folder: Path, outcomes: list[Outcome]) -> Path:
    return write_report(folder, "Answers", {"graph": "g|1"}, outcomes, summarise(outcomes), by_group(outcomes))


class Seen(HTMLParser):
    """Texts of the cells of a page, and its tags."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.inside = False
        self.texts: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "td":
            self.inside = True
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "td"

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts[-1] += data


def test_report_has_the_figures_and_the_plots(tmp_path: Path) -> None:
    made = write(tmp_path / "new" / "out", [outcome(number, number % 4 > 0) for number in range(8)])
    texts = Seen(made).texts
    assert "g|1" in texts
    place = texts.index("all")
    assert texts[place + 1] == "8"
    assert texts[place + 2].startswith("75.0% ± ")
    assert {"1-hop", "2-hop"} <= set(texts)
    for name in PLOTS:
        assert ElementTree.parse(made.with_name(f"{name}.svg")).getroot().tag.endswith("svg")  # noqa: S314  # our own
        assert f"({name}.svg)" in made.with_name("report.md").read_text("utf-8")


def test_texts_come_out_as_they_are(tmp_path: Path) -> None:
    outcomes = [
        outcome(1, False, NASTY),
        replace(outcome(2, False, "why?"), scores=None, predicted=(), error="<b>no</b>"),
    ]
    seen = Seen(write(tmp_path, outcomes))
    assert " ".join(NASTY.split()) in seen.texts
    assert "<b>no</b>" in seen.texts
    assert not {"script", "em", "code", "b", "a"} & seen.tags


def test_the_same_run_gives_the_same_files(tmp_path: Path) -> None:
    outcomes = [outcome(number, number % 3 > 0) for number in range(9)]
    one, other = write(tmp_path / "a", outcomes), write(tmp_path / "b", outcomes)
    for name in (*(f"{plot}.svg" for plot in PLOTS), "report.md", "report.html"):
        assert one.with_name(name).read_bytes() == other.with_name(name).read_bytes()


def test_nothing_scored_gives_no_plots(tmp_path: Path) -> None:
    made = write(tmp_path, [replace(outcome(1, True), scores=None, error="x")])
    assert "Errors" in made.read_text("utf-8")
    assert not list(tmp_path.glob("*.svg"))


def test_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "markdown_it", None)
    with pytest.raises(MissingExtraError, match=r"kgqa-graphdb\[report\]"):
        write(tmp_path, [outcome(1, True)])


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="can't write the report"):
        write(tmp_path / "taken", [outcome(1, True)])
