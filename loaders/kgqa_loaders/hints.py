"""What a file that nothing recognises probably is, and what to do with it."""

from __future__ import annotations

import re

from kgqa_loaders.csv_graph import DELIMITERS, plain_table
from kgqa_loaders.formats import share, whole_lines

_QUESTION_KEYS = re.compile(rb'"(question|RawQuestion|ProcessedQuestion|Questions|utterance)"\s*:')
_MAGIC = (
    (b"PK\x03\x04", "is a zip file or a spreadsheet; unpack it, or save the sheet as CSV"),
    (b"%PDF", "is a PDF; kgqa loads facts, not documents"),
    (b"SQLite format 3", "is an SQLite database; export its tables as CSV"),
    (b"7z\xbc\xaf", "is a 7z archive; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "is packed with zstd; unpack it first: zstd -d"),
)


def hint(sample: bytes, describe: str) -> str:
    """A sentence about a file by its first bytes; empty: nothing can be said."""
    for magic, said in _MAGIC:
        if sample.startswith(magic):
            return f"{describe} {said}"
    lines = whole_lines(sample)
    if _QUESTION_KEYS.search(sample) or share(lines, _is_question) > 0.5:
        return f"{describe} looks like questions, not facts; ask them with: kgqa ask"
    if b"\x00" not in sample and (first := lines[0].decode(errors="replace") if lines else ""):
        columns = max(DELIMITERS, key=first.count)
        width = first.count(columns)
        if width and len(lines) > 1 and share(lines, lambda line: line.count(columns.encode()) >= width) > 0.9:
            return plain_table(describe, first)
    return ""


def _is_question(line: bytes) -> bool:
    """A question, its topic in brackets or a question mark at its end, and then its answers."""
    asked, tab, _ = line.partition(b"\t")
    return bool(tab) and (bool(re.search(rb"\[[^\]]+\]", asked)) or asked.rstrip().endswith((b"?", "？".encode())))
