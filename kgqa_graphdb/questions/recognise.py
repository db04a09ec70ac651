"""Which format a question file has, by its content."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from kgqa_graphdb.errors import QuestionsError
from kgqa_graphdb.questions import freebase, lines, wikidata
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
    LineFormat("zjqa", lines.is_zjqa, lines.read_zjqa),
    LineFormat("lines", lines.is_lines, lines.read_lines),
)
JSON_FORMATS = (
    JsonFormat("webqsp", freebase.is_webqsp, freebase.read_webqsp),
    JsonFormat("cwq", freebase.is_cwq, freebase.read_cwq),
    JsonFormat("mids", freebase.is_mids, freebase.read_mids),
    JsonFormat("qald", wikidata.is_qald, wikidata.read_qald),
    JsonFormat("qald-named", wikidata.is_named_qald, wikidata.read_named_qald),
    JsonFormat("wikiwebquestions", wikidata.is_wikiwebquestions, wikidata.read_wikiwebquestions),
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
    sample = "\n".join([line for line in text.splitlines() if line.strip()][:_SAMPLE_LINES])
    for line_format in LINE_FORMATS:
        if line_format.fits(sample):
            return list(line_format.read(path, text))
    document = _document(path, text)
    for json_format in JSON_FORMATS:
        if json_format.fits(document):
            try:
                return list(json_format.read(document))
            except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
                what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
                raise QuestionsError(f"{path} begins like {json_format.name} but is not: {what}") from error
    raise QuestionsError(f"can't tell what questions {path} holds; known are: {listing()}")


def _text(path: Path) -> str:
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                names = ", ".join(archive.namelist()[:10])
            raise QuestionsError(f"{path} is an archive; unpack it and name one of its files: {names}")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise QuestionsError(f"{path} is not UTF-8 at byte {error.start + 1}; convert it with iconv") from error
    except OSError as error:
        raise QuestionsError(f"can't read {path}: {error.strerror or error}") from error
    except zipfile.BadZipFile as error:
        raise QuestionsError(f"{path} is a broken archive ({error}); fetch it again, and unpack it") from error


def _document(path: Path, text: str) -> Any:
    if text.lstrip()[:1] not in ("{", "["):
        raise QuestionsError(f"can't tell what questions {path} holds; known are: {listing()}")
    try:
        document = json.loads(text)
        return [document] if isinstance(document, dict) and "question" in document else document
    except RecursionError as error:
        raise QuestionsError(f"{path} is no JSON of questions: it is nested too deeply") from error
    except ValueError as error:
        try:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            raise QuestionsError(f"{path} is no JSON: {error}") from error
