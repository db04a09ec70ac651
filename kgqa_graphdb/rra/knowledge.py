"""Forms in which a language model is shown reasoning paths: triples, sentences by templates, or texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from kgqa_graphdb.documents import expanded, parse_json
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.link.asked import question_key
from kgqa_graphdb.lm import as_data, prompt
from kgqa_graphdb.plan import ReasoningPath
from kgqa_graphdb.steps import Batch, DescribeModel, Generate, Sampling, Steps, ask
from kgqa_graphdb.types import Fact
from kgqa_graphdb.verbalise import FactLine, fact_sentence, fact_triple

TEXT_TOKENS = 400
"""Tokens of the text of a reasoning path at most, as in the paper's code; and half of what the model reads."""


def lines_of(form: Literal["triples", "template"], paths: Iterable[ReasoningPath]) -> list[FactLine]:
    """A line for each fact, or for each reasoning path as sentences; what was said before is not said again."""
    said: set[Fact] = set()
    lines = []
    for path in paths:
        new = [fact for fact in path.facts if fact not in said]
        said.update(new)
        if form == "triples":
            lines += [FactLine(fact_triple(fact), (fact,)) for fact in new]
        elif new:
            lines.append(FactLine(" ".join(map(fact_sentence, new)), tuple(new)))
    return lines


def rewrite_prompt(path: ReasoningPath) -> str:
    """What a language model is asked to turn into text: one reasoning path as triples."""
    return prompt("kg2text", triples=" ".join(as_data(fact_triple(fact)) for fact in path.facts))


def rewritten(paths: Sequence[ReasoningPath], adapter: str = "") -> Steps[list[FactLine]]:
    """The texts that a language model makes of reasoning paths, a line each.

    :param adapter: folder of the adapter with which it does; empty: as it is
    """
    info = yield from ask(DescribeModel())
    sampling = Sampling(max_tokens=min(TEXT_TOKENS, info.context_window // 2), adapter=adapter)
    texts = yield from ask(Batch(tuple(Generate(rewrite_prompt(path), sampling) for path in paths)))
    lines = []
    for path, found in zip(paths, texts, strict=True):
        if isinstance(found, Exception):
            raise found
        lines.append(FactLine(found[0], path.facts))
    return lines


def read_texts(file: str) -> Mapping[str, str]:
    """A file of JSON lines ``{"question": …, "text": …}``: question, without brackets → what is to be read for it.

    :raises UsageError: it can't be read, or a line is something else
    """
    path: Path = expanded(file)
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as error:
        raise UsageError(f"can't read the texts in {path}: {getattr(error, 'strerror', None) or error}") from error
    found = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            one = parse_json(line)
        except ValueError as error:
            raise UsageError(f"{path}, line {number} is no JSON: {error}") from error
        if not isinstance(one, dict) or not all(isinstance(one.get(key), str) for key in ("question", "text")):
            raise UsageError(f'{path}, line {number} is no {{"question": "…", "text": "…"}}')
        found[question_key(one["question"])] = one["text"]
    return found
