"""A report that a person reads: figures, plots, and questions that went wrong; in Markdown and in HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kgqa_graphdb.errors import MissingExtraError, UsageError
from kgqa_graphdb.evaluate.outcome import Outcome
from kgqa_graphdb.evaluate.summary import Summary
from kgqa_graphdb.plots import new_figure, write_svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = 20
"""Wrong answers that are shown, and groups in a plot."""
LONGEST = 120
"""Characters of a cell."""
BINS = 10
HEADS = {
    "hits_at_1": "Hits@1", "f1": "F1", "precision": "precision", "recall": "recall", "exact_match": "exact match",
    "rog_hit": "RoG hit", "coverage": "coverage", "best_path_f1": "best path F1", "proof_f1": "proof F1",
    "ungrounded": "ungrounded",
}  # fmt: skip
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+!|<>~&-])")
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
  body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222 }}
  table {{ border-collapse: collapse; display: block; overflow-x: auto; margin: 1rem 0 }}
  th, td {{ padding: .3rem .7rem; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top }}
  img {{ max-width: 100% }}
</style>
<body>
{body}
</body>
</html>
"""


def write_report(
    folder: Path,
    title: str,
    about: Mapping[str, str],
    outcomes: Sequence[Outcome],
    total: Summary,
    groups: Mapping[str, Summary],
) -> Path:
    """Write ``report.md``, ``report.html`` and the plots in them; files of these names are replaced.

    :param folder: made if need be
    :param about: what was run: heading → text
    :return: the HTML file
    :raises MissingExtraError: the extra ``report`` is not installed
    :raises UsageError: the folder can't be written
    """
    try:
        from markdown_it import MarkdownIt
    except ImportError as error:
        raise MissingExtraError("markdown-it-py", "report") from error
    plots: dict[str, Figure] = {}
    if total.means:
        plots = {
            "scores": _scores({"all": total, **groups}),
            "latency": _latency([one.latency_ms for one in outcomes if one.scores]),
            "calibration": _calibration(outcomes),
        }
    text = "\n\n".join(_parts(title, about, outcomes, total, groups, list(plots)))
    page = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, figure in plots.items():
            write_svg(figure, folder / f"{name}.svg")
        (folder / "report.md").write_text(text + "\n", encoding="utf-8")
        made = folder / "report.html"
        made.write_text(_PAGE.format(title=escape(title), body=page), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"can't write the report to {folder}: {error.strerror}") from error
    return made


# ── text ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

_CAPTIONS = {
    "scores": "Hits@1 and F1 with 95 % bootstrap intervals",
    "latency": "Milliseconds from question to answer; of questions asked side by side, each one's share",
    "calibration": "How often answers of a score are right; on the line the score is a probability",
}


def _parts(
    title: str,
    about: Mapping[str, str],
    outcomes: Sequence[Outcome],
    total: Summary,
    groups: Mapping[str, Summary],
    plots: Sequence[str],
) -> Iterable[str]:
    yield f"# {_text(title)}"
    yield _table(["", ""], [[_text(name), _text(value)] for name, value in about.items()])
    yield "## Figures"
    metrics = [name for name in HEADS if name in total.means]
    rows = [[_text(name), f"{one.questions:,}", *(_mean(one, metric) for metric in metrics), f"{one.abstained:,}",
             f"{one.errors:,}"] for name, one in {"all": total, **groups}.items()]  # fmt: skip
    yield _table(["", "questions", *(HEADS[name] for name in metrics), "abstained", "errors"], rows)
    yield "Hits@1 is strict, ties by expectation; ± is half of the 95 % bootstrap interval. Errors are never scored."
    for name in plots:
        yield f"![{_CAPTIONS[name]}]({name}.svg)"
        yield _CAPTIONS[name] + "."
    wrong = [one for one in outcomes if one.predicted and one.scores and not one.scores.f1]
    yield from _examples("Wrong answers", wrong)
    yield from _examples("Abstentions", [one for one in outcomes if one.abstained and one.gold])
    yield from _examples("Errors", [one for one in outcomes if one.error])


def _examples(title: str, outcomes: Sequence[Outcome]) -> Iterable[str]:
    if not outcomes:
        return
    yield f"## {title}"
    yield f"{len(outcomes):,}; the first {SHOWN}:" if len(outcomes) > SHOWN else f"{len(outcomes):,}:"
    rows = [
        [
            _text(one.question),
            _text(", ".join(gold.name or gold.id for gold in one.gold)),
            _text(one.error or one.abstained or ", ".join(answer.name for answer in one.predicted)),
            _text(one.plan),
        ]
        for one in outcomes[:SHOWN]
    ]
    yield _table(["question", "gold", "answered", "by"], rows)


def _mean(one: Summary, metric: str) -> str:
    if metric not in one.means:
        return "–"
    low, high = one.intervals.get(metric, (0.0, 0.0))
    half = f" ± {(high - low) / 2:.1%}" if metric in ("hits_at_1", "f1") else ""
    return f"{one.means[metric]:.1%}{half}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _text(text: str) -> str:
    """A text as Markdown shows it letter for letter, in one line."""
    plain = " ".join(text.split())
    return _MARKUP.sub(r"\\\1", plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…")


# ── plots ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _scores(groups: Mapping[str, Summary]) -> Figure:
    shown = {name: one for name, one in list(groups.items())[:SHOWN] if one.means}
    figure, axes = new_figure(1.2 + 0.45 * len(shown))
    places = np.arange(len(shown))
    for offset, metric in ((-0.2, "hits_at_1"), (0.2, "f1")):
        means = np.array([one.means[metric] for one in shown.values()])
        bounds = np.array([one.intervals[metric] for one in shown.values()])
        spread = np.abs(np.stack([means - bounds[:, 0], bounds[:, 1] - means]))
        axes.barh(places + offset, means, 0.38, xerr=spread, label=HEADS[metric], error_kw={"ecolor": "#555"})
    axes.set_yticks(places, [f"{name[:40]} ({one.questions:,})".replace("$", r"\$") for name, one in shown.items()])
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12 if len(shown) > 4 else -0.25), ncols=2, frameon=False)
    return figure


def _latency(times: Sequence[float]) -> Figure:
    figure, axes = new_figure(3.0)
    axes.hist(times, bins=40)
    for share in (50, 95):
        value = float(np.percentile(times, share))
        axes.axvline(value, color="#555", linestyle=":")
        axes.text(value, axes.get_ylim()[1], f" p{share} {value:,.0f} ms", va="top")
    axes.set_xlabel("ms")
    axes.set_ylabel("questions")
    return figure


def _calibration(outcomes: Sequence[Outcome]) -> Figure:
    figure, axes = new_figure(3.6)
    pairs = [(one.predicted[0].score, one.scores.hits_at_1) for one in outcomes if one.scores and one.predicted]
    axes.plot([0, 1], [0, 1], color="#999", linestyle=":")
    if pairs:
        scores, right = np.array(pairs).T
        bins = np.clip((scores * BINS).astype(int), 0, BINS - 1)
        filled = [place for place in range(BINS) if (bins == place).any()]
        sizes = np.array([(bins == place).sum() for place in filled])
        axes.scatter(
            [scores[bins == place].mean() for place in filled],
            [right[bins == place].mean() for place in filled],
            s=20 + 200 * sizes / sizes.max(),
            clip_on=False,
        )
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_xlabel("score of the first answer")
    axes.set_ylabel("Hits@1")
    return figure
