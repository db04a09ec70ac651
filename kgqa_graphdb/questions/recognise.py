"""Which format a question file has, by its content."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from kgqa_graphdb.documents import MALFORMED, parse_json, reason
from kgqa_graphdb.errors import QuestionsError
from kgqa_graphdb.questions import candidates, freebase, lines, mintaka, wikidata
from kgqa_graphdb.questions.pair import Pair

_SAMPLE_LINES = 20


class LineFormat(NamedTuple):
    """A format with a question a line.

    :ivar fits: whether the first lines of a file are of it; its docstring shows a line
    """

    name: str
    fits: Callable[[str], bool]
    read: Callable[[Path, str], Iterator[Pair]]


class JsonFormat(NamedTuple):
    """A format that is one JSON document, or JSON lines, which count as a list."""

    name: str
    fits: Callable[[Any], bool]
    read: Callable[[Any], Iterator[Pair]]


LINE_FORMATS = (
    LineFormat("metaqa", lines.is_metaqa, lines.read_metaqa),
    LineFormat("simplequestions", lines.is_simplequestions, lines.read_simplequestions),
    LineFormat("pathquestion", lines.is_pathquestion, lines.read_pathquestion),
    LineFormat("worldcup", lines.is_worldcup, lines.read_worldcup),
    LineFormat("zjqa", lines.is_zjqa, lines.read_zjqa),
    LineFormat("candidates", candidates.is_candidates, candidates.read_candidates),
    LineFormat("lines", lines.is_lines, lines.read_lines),
)
JSON_FORMATS = (
    JsonFormat("webqsp", freebase.is_webqsp, freebase.read_webqsp),
    JsonFormat("cwq", freebase.is_cwq, freebase.read_cwq),
    JsonFormat("mids", freebase.is_mids, freebase.read_mids),
    JsonFormat("mintaka", mintaka.is_mintaka, mintaka.read_mintaka),
    JsonFormat("qald", wikidata.is_qald, wikidata.read_qald),
    JsonFormat("qald-named", wikidata.is_named_qald, wikidata.read_named_qald),
    JsonFormat("wikiwebquestions", wikidata.is_wikiwebquestions, wikidata.read_wikiwebquestions),
    JsonFormat("mintaka-answers", mintaka.is_answered, mintaka.read_answered),
)


def listing() -> str:
    """The formats, for messages and help."""
    return ", ".join(f"{format.name} ({format.fits.__doc__})" for format in (*LINE_FORMATS, *JSON_FORMATS))


def read_pairs(path: Path | str) -> list[Pair]:
    """The question-answer pairs of a file, recognised by its content.

    :raises QuestionsError: it can't be read, nothing recognises it, or a line of it is broken
    """
    path = Path(path)
    text = _text(path)
    if not text.strip():
        raise QuestionsError(f"{path} is empty")
    pairs = _pairs(path, text)
    if "\\ud" in text.lower():  # an escape of half a character, which can't be written or asked
        for pair in pairs:
            _check_unicode(path, text, pair)
    return pairs


def _pairs(path: Path, text: str) -> list[Pair]:
    sample = "\n".join([line for line in text.split("\n") if line.strip()][:_SAMPLE_LINES])
    for line_format in LINE_FORMATS:
        if line_format.fits(sample):
            return list(line_format.read(path, text))
    document = _document(path, text)
    for json_format in JSON_FORMATS:
        if json_format.fits(document):
            try:
                return list(json_format.read(document))
            except MALFORMED as error:
                raise QuestionsError(f"{path} begins like {json_format.name} but is not: {reason(error)}") from error
    raise QuestionsError(f"can't tell what questions {path} holds; known are: {listing()}")


_ESCAPES = re.compile(
    r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)


def _check_unicode(path: Path, text: str, pair: Pair) -> None:
    texts = (
        pair.id,
        pair.question,
        pair.type,
        *pair.topics,
        *pair.candidates,
        *(one for gold in pair.answers for one in (gold.id, gold.name)),
        *(one for steps in (*pair.paths, *pair.chain) for one in steps),
    )
    try:
        "".join(texts).encode()
    except UnicodeEncodeError as error:
        half = next((match for match in _ESCAPES.finditer(text) if match["half"]), None)
        line = f", line {text.count(chr(10), 0, half.start()) + 1:,}" if half else ""
        raise QuestionsError(
            f"{path}{line}: question {pair.id!a} has half a character in it, such as \\ud83d alone; write both halves "
            "or none"
        ) from error


def _text(path: Path) -> str:
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                names = ", ".join(archive.namelist()[:10])
            raise QuestionsError(f"{path} is an archive; unpack it and name one of its files: {names}")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise QuestionsError(
            f"{path} is not UTF-8 at byte {error.start + 1}, line {line:,}; convert it with iconv"
        ) from error
    except (OSError, ValueError, zipfile.BadZipFile) as error:  # a name that no file can have, a broken archive
        raise QuestionsError(f"can't read {path}: {getattr(error, 'strerror', None) or error}") from error


def _document(path: Path, text: str) -> Any:
    if text.lstrip()[:1] not in ("{", "["):
        raise QuestionsError(f"can't tell what questions {path} holds; known are: {listing()}")
    try:
        document = parse_json(text)
        return [document] if isinstance(document, dict) and "question" in document else document
    except ValueError as error:
        try:
            return [parse_json(line) for line in text.split("\n") if line.strip()]
        except ValueError:
            raise QuestionsError(f"{path} is no JSON: {error}") from error
