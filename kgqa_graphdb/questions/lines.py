"""Question files with a question a line: MetaQA, PathQuestion, ZJQA, SimpleQuestions-Wikidata, our own JSON lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kgqa_graphdb.documents import MALFORMED, parse_json, reason
from kgqa_graphdb.errors import QuestionsError
from kgqa_graphdb.questions.pair import Gold, Pair

_BRACKETED = re.compile(r"\[[^\[\]]+\]")
_STATEMENT = re.compile(r"[QP][0-9]+\t[PR][0-9]+\t[^\t]+\t")


def named(texts: Sequence[str]) -> tuple[Gold, ...]:
    """Gold answers that are names, without blank ones and repeats."""
    return tuple(Gold(name=text) for text in dict.fromkeys(text.strip() for text in texts) if text)


def _rows(path: Path, text: str, *columns: int) -> Iterator[tuple[int, list[str]]]:
    """Number and columns of each line that is not blank.

    :param columns: how many there may be
    :raises QuestionsError: one has another number of columns
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        row = line.split("\t")
        if len(row) not in columns:
            most = " or ".join(map(str, columns))
            raise QuestionsError(f"{path}, line {number}: {len(row)} columns where {most} should be, parted by tabs")
        yield number, row


# ── MetaQA ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def is_metaqa(sample: str) -> bool:
    """``what does [Joe Thomas] appear in<TAB>The Inbetweeners Movie|…``"""
    lines = [line for line in sample.split("\n") if line.strip()]
    return bool(lines) and all(line.count("\t") == 1 and _BRACKETED.search(line.split("\t")[0]) for line in lines)


def read_metaqa(path: Path, text: str) -> Iterator[Pair]:
    """The file of question types is searched for in the file's folder and the one above, e.g. ``qa_dev_qtype.txt``."""
    rows = list(_rows(path, text, 2))
    types = _question_types(path, len(rows))
    for (number, (question, answers)), type_ in zip(rows, types, strict=True):
        topics = tuple(mention[1:-1] for mention in _BRACKETED.findall(question))
        hops = type_.count("_to_")
        yield Pair(str(number), question.strip(), named(answers.split("|")), topics, type_, hops)


def _question_types(path: Path, count: int) -> list[str]:
    for folder in (path.parent, path.parent.parent):
        types_file = folder / f"{path.stem}_qtype{path.suffix}"
        if types_file.is_file():
            try:
                types = types_file.read_text(encoding="utf-8").split()
            except (OSError, UnicodeDecodeError) as error:
                raise QuestionsError(f"can't read the question types in {types_file}: {error}") from error
            if len(types) != count:
                raise QuestionsError(
                    f"{types_file} has {len(types):,} types for the {count:,} questions of {path}: take the file of "
                    "the same release, or remove it"
                )
            return types
    return [""] * count


# ── PathQuestion ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_pathquestion(sample: str) -> bool:
    """``question<TAB>answer(answer/…/)<TAB>topic#relation#entity#…``"""
    lines = [line.split("\t") for line in sample.split("\n") if line.strip()]
    return bool(lines) and all(len(row) == 3 and row[1].endswith("/)") and "#" in row[2] for row in lines)


def read_pathquestion(path: Path, text: str) -> Iterator[Pair]:
    """Names are written with underscores, and stay so; the annotated path is a gold path."""
    for number, (question, answers, chain) in _rows(path, text, 3):
        found = re.fullmatch(r"(.+)\((\1(?:/.*)?)/\)", answers.strip()) or re.fullmatch(
            r"(.+?)\((.*)/\)", answers.strip()
        )
        if found is None:
            raise QuestionsError(f"{path}, line {number}: the answers {answers[:80]!r} are not answer(answer/…/)")
        topic, relations, facts = _chain(chain)
        golds = tuple(Gold(id=answer) for answer in dict.fromkeys(found[2].split("/")) if answer)
        yield Pair(str(number), question.strip(), golds, (topic,), "", len(relations), (relations,), facts)


def _chain(text: str) -> tuple[str, tuple[str, ...], tuple[tuple[str, str, str], ...]]:
    """The topic, the relations and the facts of an annotated path."""
    steps = text.strip().split("#")
    if "<end>" in steps:
        steps = steps[: steps.index("<end>")]
    relations = tuple(steps[1::2])
    facts = tuple(zip(steps[:-2:2], relations, steps[2::2], strict=True)) if len(steps) % 2 else ()
    return steps[0] if steps else "", relations, facts


def is_worldcup(sample: str) -> bool:
    """``question<TAB>answer<TAB>topic#relation#entity#…*…<TAB>answer/…/<TAB>facts``, or with ``<TAB>topic/…``, too"""
    lines = [line.split("\t") for line in sample.split("\n") if line.strip()]
    return bool(lines) and all(
        len(row) in (5, 6) and "#" in row[2] and row[3].strip().endswith("/") and "#" in row[4] for row in lines
    )


def read_worldcup(path: Path, text: str) -> Iterator[Pair]:
    """PathQuestion's questions about the World Cup of 2014: paths, and, with a ``*`` between two paths, what both have.

    The facts that come with each question are not read: questions are asked of the whole graph.
    """
    for number, row in _rows(path, text, 5, 6):
        question, _, chains, answers = row[:4]
        parts = [_chain(chain) for chain in chains.split("*")]
        golds = tuple(Gold(id=answer) for answer in dict.fromkeys(answers.strip().split("/")) if answer)
        topics = tuple(dict.fromkeys(topic for topic, _, _ in parts))
        paths = tuple(relations for _, relations, _ in parts)
        facts = tuple(fact for _, _, some in parts for fact in some)
        kind = "conjunction" if len(parts) > 1 else ""
        yield Pair(str(number), question.strip(), golds, topics, kind, max(map(len, paths)), paths, facts)


# ── ZJQA ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def is_zjqa(sample: str) -> bool:
    """``question<TAB>topic<TAB>relation|…<TAB>answer|…<TAB>hops``"""
    lines = [line.split("\t") for line in sample.split("\n") if line.strip()]
    return bool(lines) and all(len(row) == 5 and row[4].strip() in ("1", "2", "3") for row in lines)


def read_zjqa(path: Path, text: str) -> Iterator[Pair]:
    """Chinese questions of one and two hops."""
    for number, (question, topic, relations, answers, hops) in _rows(path, text, 5):
        steps = tuple(relations.split("|"))
        if not hops.strip().isdecimal():
            raise QuestionsError(f"{path}, line {number}: {hops[:80]!r} is no number of hops")
        yield Pair(str(number), question.strip(), named(answers.split("|")), (topic,), "", int(hops), (steps,))


# ── SimpleQuestions on Wikidata ──────────────────────────────────────────────────────────────────────────────────────


def is_simplequestions(sample: str) -> bool:
    """``Q7358590<TAB>P20<TAB>Q1637790<TAB>where did …``"""
    lines = [line for line in sample.split("\n") if line.strip()]
    return bool(lines) and all(_STATEMENT.match(line) for line in lines)


def read_simplequestions(path: Path, text: str) -> Iterator[Pair]:
    """The file names one answer, while all objects of subject and relation are right; ``R19`` is P19 backwards."""
    for number, (subject, relation, answer, question) in _rows(path, text, 4):
        inverse = relation.startswith("R")
        step = f"<P{relation[1:]}" if inverse else relation
        yield Pair(str(number), question.strip(), (Gold(id=answer),), (subject,), relation, 1, ((step,),))


# ── our own ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def is_lines(sample: str) -> bool:
    """``{"question": …, "answers": […], "topics"?: […], "type"?: …, "candidates"?: […]}``"""
    lines = [line for line in sample.split("\n") if line.strip()]
    try:
        first = parse_json(lines[0]) if lines else None
    except ValueError:
        return False
    return isinstance(first, dict) and "question" in first and "answers" in first and "entities" not in first


def read_lines(path: Path, text: str) -> Iterator[Pair]:
    """Answers are names, ids, numbers, ``true`` or ``false``, or objects with ``id`` and ``name``."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield _own(str(number), parse_json(line))
            except MALFORMED as error:
                what = reason(error)
                raise QuestionsError(f"{path}, line {number}: {what}; a line is {is_lines.__doc__}") from error


def _own(number: str, document: dict[str, Any]) -> Pair:
    question, answers = document["question"], document["answers"]
    if not isinstance(question, str) or not question.strip():
        raise TypeError("the question is no text")
    if not isinstance(answers, list):
        raise TypeError("the answers are no list")
    golds = tuple(dict.fromkeys(map(_gold, answers)))
    topics = tuple(map(str, document.get("topics", ())))
    paths = tuple(tuple(map(str, path)) for path in document.get("paths", ()))
    hops = int(document.get("hops", 0)) or max(map(len, paths), default=0)
    id_, type_ = str(document.get("id", number)), str(document.get("type", ""))
    return Pair(id_, question.strip(), golds, topics, type_, hops, paths, candidates=_texts(document, "candidates"))


def _texts(document: dict[str, Any], key: str) -> tuple[str, ...]:
    found = document.get(key, [])
    if not isinstance(found, list):
        raise TypeError(f"the {key} are no list")
    return tuple(map(str, found))


def _gold(answer: object) -> Gold:
    if isinstance(answer, dict):
        return Gold(str(answer.get("id") or ""), str(answer.get("name") or ""))
    if isinstance(answer, bool):
        return Gold(name="true" if answer else "false")
    return Gold(name=str(answer))
