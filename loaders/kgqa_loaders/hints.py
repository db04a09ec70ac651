"""What a file that nothing recognises probably is, and what to do with it."""

from __future__ import annotations

import re

from kgqa_loaders.csv_graph import DELIMITERS, plain_table
from kgqa_loaders.formats import share, whole_lines
from kgqa_loaders.triples import marks_wrong

_QUESTION_KEYS = re.compile(rb'"(question|RawQuestion|ProcessedQuestion|Questions|utterance)"\s*:')
_ASKED = re.compile(
    r"[?？]\s*$|^\s*(who|whom|whose|what|where|when|which|how|name)\b|谁|什么|哪|几|多少", re.IGNORECASE
)
_MAGIC = (
    (
        b"PK\x03\x04",
        "is a spreadsheet, another document, or a zip file in an archive; unpack it, or save the sheet as CSV",
    ),
    (b"PK\x05\x06", "is an empty zip file; take the one that has something in it"),
    (b"PK\x07\x08", "is a part of a zip file; put it together, and unpack it"),
    (b"Rar!", "is a RAR archive; unpack it first"),
    (b"!<arch>", "is an ar archive; unpack it first"),
    (b"070701", "is a cpio archive; unpack it first"),
    (b"\x1f\x9d", "is packed with compress; unpack it first: uncompress"),
    (b"\x04\x22\x4d\x18", "is packed with lz4; unpack it first: lz4 -d"),
    (b"%PDF", "is a PDF; kgqa loads facts, not documents"),
    (b"SQLite format 3", "is an SQLite database; export its tables as CSV"),
    (b"7z\xbc\xaf", "is a 7z archive; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "is packed with zstd; unpack it first: zstd -d"),
)


def packed_hint(sample: bytes, describe: str) -> str:
    """A sentence about a file that begins as no text does, such as an archive; empty: it does not."""
    return next((f"{describe} {sentence}" for magic, sentence in _MAGIC if sample.startswith(magic)), "")


def hint(sample: bytes, describe: str) -> str:
    """A sentence about a file by its first bytes; empty: nothing is known of it."""
    if packed := packed_hint(sample, describe):
        return packed
    lines = whole_lines(sample)
    if _QUESTION_KEYS.search(sample) or share(lines, _is_question) > 0.5:
        return f"{describe} looks like questions, not facts; ask them with: kgqa ask"
    if sample.lstrip()[:1] in (b"{", b"["):
        return ""
    if marks_wrong(lines):
        return f"{describe} marks facts as wrong or unknown in its fourth column; take out those, and the column"
    if share(lines, lambda line: line.count(b"\t") == 1) > 0.9:
        return f"{describe} has two columns; if it names entities, give it with --names beside the facts"
    if b"\x00" not in sample and (first := lines[0].decode(errors="replace") if lines else ""):
        columns = max(DELIMITERS, key=first.count)
        width = first.count(columns)
        if width and len(lines) > 1 and share(lines, lambda line: line.count(columns.encode()) >= width) > 0.9:
            return plain_table(describe, first)
    return ""


def _is_question(line: bytes) -> bool:
    """A question, by its topic in brackets, its question mark or its words, and its answers before or after it."""
    columns = line.decode(errors="replace").split("\t")
    asked = any(_ASKED.search(column) for column in columns)
    return len(columns) > 1 and (asked or bool(re.search(r"\[[^\]]+\]", columns[0])))
