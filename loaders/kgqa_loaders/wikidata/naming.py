"""Files that only say what entities of Wikidata are called, as benchmarks made of it have them.

``Q42<TAB>Douglas Adams`` a line, or ``{"Q42": "Douglas Adams"}``. Whether the second column holds labels, aliases or
descriptions is read from the file's name, as in LiterallyWikidata's ``entity_aliases_en.txt``
(https://doi.org/10.1007/978-3-030-88361-4_30); what a JSON object holds are labels.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kgqa_graphdb.documents import parse_json
from kgqa_graphdb.errors import LoadError
from kgqa_loaders.files import BlockFile, FileSource, open_bytes, reading, whole
from kgqa_loaders.formats import share, whole_lines
from kgqa_loaders.records import Block, Named, ReadOptions, Record, Reject, Source
from kgqa_loaders.triples import decoded, undecoded
from kgqa_loaders.wikidata.entities import excerpt
from kgqa_loaders.wikidata.labels import pieces_of

_LINE = re.compile(rb"[QPL][0-9]+\t(?![QPL][0-9]+\s*$)[^\t]*")
_OBJECT = re.compile(rb'\s*\{\s*"[QPL][0-9]+"\s*:\s*"')
_KIND = re.compile(r"alias|description|label|name", re.IGNORECASE)


def fits(sample: bytes, name: str = "") -> float:
    """Share of the lines that are an id and a text, where the file's name says what the text is; 1 for a JSON object
    that begins with an id and a text."""
    if _OBJECT.match(sample):
        return 1.0
    return share(whole_lines(sample), _LINE.fullmatch) if _KIND.search(Path(name).name) else 0.0


def open_names(path: Path, describe: str, options: ReadOptions) -> Source:
    """The source at a path.

    :raises LoadError: it can't be read
    """
    with reading(describe), open_bytes(path) as stream:
        if _OBJECT.match(stream.read(64)):
            return LabelObject(path, describe)
    found = _KIND.search(path.name)
    return TextLines(path, describe, found[0].lower() if found else "label")


@dataclass(frozen=True, slots=True)
class TextLines(BlockFile):
    """``Q42<TAB>text`` a line.

    :ivar kind: of the texts: ``label``, ``name``, ``alias`` (several with commas between) or ``description``
    """

    kind: str = "label"

    def parse(self, block: Block) -> Iterator[Record]:
        """A record for each line of a block that is not blank; rejects count as lines that say nothing."""
        for number, line in enumerate(decoded(block.data), start=block.line):
            if isinstance(line, UnicodeDecodeError):
                yield undecoded(number, line)
                continue
            text = (line.removeprefix("\ufeff") if number == 1 else line).removesuffix("\r")
            entity, _, said = (part.strip() for part in text.partition("\t"))
            if entity and said and "\t" not in said:
                yield self._named(number, entity, said)
            elif text.strip():
                yield Reject(number, f"it is no id and {self.kind} with a tab between", excerpt(text))

    def _named(self, line: int, entity: str, text: str) -> Named:
        if self.kind == "alias":
            return Named(entity, aliases=pieces_of(text), line=line)
        if self.kind == "description":
            return Named(entity, description=text, line=line)
        return Named(entity, text, line=line)


@dataclass(frozen=True, slots=True)
class LabelObject(FileSource):
    """``{"Q42": "Douglas Adams", …}``."""

    def records(self) -> Iterator[Record]:
        """A record for each entity.

        :raises LoadError: the file is no JSON object
        """
        try:
            with reading(self.describe), open_bytes(self.path) as stream:
                table = parse_json(whole(stream, self.describe))
        except ValueError as error:
            raise LoadError(f"can't read {self.describe} as JSON: {error}") from error
        for entity, text in table.items():
            if isinstance(text, str) and text.strip() and entity.strip():
                yield Named(entity, text.strip())
            else:
                yield Reject(0, f"it gives {entity!r} no label", excerpt(json.dumps(text, ensure_ascii=False)))


# ── InferWiki's vocabulary ───────────────────────────────────────────────────────────────────────────────────────────

_VOCABULARY = re.compile(rb"Q[0-9]+\t\t[0-9]+\t\t[^\t]*\t\t.*")
_LEAST = 5
"""Columns of a line: id, an empty one, number of facts, an empty one, label; then an empty one and any number."""


def fits_vocabulary(sample: bytes, name: str = "") -> float:
    """Share of the lines that are ids with numbers of facts, labels and further texts."""
    return share(whole_lines(sample), _VOCABULARY.fullmatch)


@dataclass(frozen=True, slots=True)
class Vocabulary(BlockFile):
    """InferWiki's ``ent_vocab.txt``: behind an entity's label stand its aliases and its description in any order.

    :ivar options: none of them applies
    """

    options: ReadOptions = field(default_factory=ReadOptions)

    def parse(self, block: Block) -> Iterator[Record]:
        """A record for each line of a block that is not blank."""
        for number, line in enumerate(decoded(block.data), start=block.line):
            if isinstance(line, UnicodeDecodeError):
                yield undecoded(number, line)
                continue
            columns = line.removesuffix("\r").split("\t")
            if len(columns) >= _LEAST and columns[0].strip() and columns[4].strip():
                label, texts = columns[4].strip(), [text.strip() for text in columns[6:]]
                description = description_among(label, texts)
                aliases = tuple(text for text in texts if text and text not in (label, description))
                yield Named(columns[0].strip(), label, aliases, description=description, line=number)
            elif line.strip():
                yield Reject(number, "it is no id, number and label with empty columns between", excerpt(line))


def description_among(label: str, texts: list[str]) -> str:
    """Which of the texts behind a label is the description, if any: it has common words, and few of the label's names.

    Right for 98 of 100 entities whose description LiterallyWikidata has in the same words.

    :param texts: the label again, the aliases, the description; an empty one says that either of these is missing
    """
    names = {word for word in _WORD.findall(label) if not word.islower()}
    some = [text for text in texts if text and text != label]
    if "" in texts and len(some) == 1 and _commonness(some[0], names) > -len(_WORD.findall(some[0])) / 2:
        return some[0]  # entities lack aliases more often than descriptions
    best = max(some, key=lambda text: (_commonness(text, names), len(text)), default="")
    return best if best and _commonness(best, names) > 0 else ""


_WORD = re.compile(r"\w+")
_EDITION = re.compile(r"^\d+(?:st|nd|rd|th)? (?:edition|season)\b|\b(?:held in|season)\b")


def _commonness(text: str, names: set[str]) -> int:
    """How much a text looks like a description: words in small letters, less those that are names in the label."""
    words = _WORD.findall(text)
    small: int = sum(word[0].islower() for word in words)
    return small - sum(word in names for word in words) + 3 * bool(_EDITION.search(text))
