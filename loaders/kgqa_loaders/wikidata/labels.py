"""Labels by which properties are found, and aliases that stand in one column with commas between.

LiterallyWikidata has such columns, though some aliases hold commas: ``Bostonia, Boston, Massachusetts, Beantown`` of
Boston is three. Nobody enters as an alias what is the label, so what follows the label belongs to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgqa_loaders.records import Named

_NO_NAME = re.compile(
    r"(?:Jr|Sr|Inc|Ltd|Co|Corp|LLC|S\.A|PLC|GmbH|Esq|M\.?D|Ph\.?D|B\.?A|M\.?A|K?C?[BM]E|CM|QC|KG|PC|MP|[IVX]+|"
    r"[0-9]+(?:st|nd|rd|th) .+|[0-9]+|the|The)\.?"
)
"""What stands behind a comma in names of people and companies, and is none by itself."""


def label_key(label: str) -> str:
    """A label by which it is found however its words are separated: ``languages_spoken,_written`` and so on."""
    return " ".join(re.findall(r"\w+", label.replace("_", " ").casefold()))


def pieces_of(column: str) -> tuple[str, ...]:
    """The pieces between a column's commas; a column in quotes has its own doubled, as in CSV."""
    text = column.strip()
    if len(text) > 1 and text.startswith('"') and text.endswith('"'):
        text = text[1:-1].replace('""', '"')
    pieces: list[str] = []
    for piece in map(str.strip, text.split(", ")):
        if pieces and _NO_NAME.fullmatch(piece):
            pieces[-1] += f", {piece}"
        elif piece:
            pieces.append(piece)
    return tuple(pieces)


def whole_aliases(records: Sequence[Named]) -> tuple[Named, ...]:
    """The records on one entity, its aliases put together where a comma inside of one has parted it."""
    labels = {record.name for record in records if record.name}
    return tuple(
        record if record.name else record._replace(aliases=_whole(record.aliases, labels)) for record in records
    )


def _whole(pieces: Sequence[str], labels: set[str]) -> tuple[str, ...]:
    """The aliases that pieces make: the label and what follows it, and "As, Ann" where the label is "Ann As"."""
    found: list[str] = []
    open_piece = ""
    for piece in pieces:
        if open_piece and (open_piece in labels or f"{piece} {open_piece}" in labels):
            found[-1] += f", {piece}"
            open_piece = ""
        else:
            found.append(piece)
            open_piece = piece
    return tuple(alias for alias in found if alias not in labels)
