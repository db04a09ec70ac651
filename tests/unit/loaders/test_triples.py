"""Triple files: every line is a fact, blank, or a reject that says why."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.recognise import open_source
from kgqa_loaders.records import Record, Reject, Triple
from kgqa_loaders.triples import PipeTriples, TabTriples


def read(tmp_path: Path, content: bytes, kind: type[PipeTriples] | type[TabTriples] = PipeTriples) -> list[Record]:
    path = tmp_path / "facts.txt"
    path.write_bytes(content)
    return list(kind(path, "facts.txt").records())


def test_lines_are_facts_with_their_line_numbers(tmp_path: Path) -> None:
    assert read(tmp_path, b"Kismet|directed_by|William Dieterle\n\nA|b|C") == [
        Triple(1, "Kismet", "directed_by", "William Dieterle"),
        Triple(3, "A", "b", "C"),
    ]


def test_tabs_separate_and_pipes_are_text(tmp_path: Path) -> None:
    assert read(tmp_path, b"a|b\tc\td|e\n", TabTriples) == [Triple(1, "a|b", "c", "d|e")]


def test_byte_order_mark_and_windows_line_ends_are_no_part_of_names(tmp_path: Path) -> None:
    assert read(tmp_path, b"\xef\xbb\xbfa|b|c\r\nd|e|f\r\n") == [Triple(1, "a", "b", "c"), Triple(2, "d", "e", "f")]


def test_names_are_kept_exactly(tmp_path: Path) -> None:
    names = ("back`tick", 'say "it\'s"', "😀 \\u0041 \u2028")
    assert read(tmp_path, "|".join(names).encode()) == [Triple(1, *names)]


def test_spaces_around_names_are_kept(tmp_path: Path) -> None:
    assert read(tmp_path, b" a |b| c \n") == [Triple(1, " a ", "b", " c ")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"a|b", "2 columns instead of 3"),
        (b"a|b|c|d", "4 columns instead of 3"),
        (b"|b|c", "the head is empty"),
        (b"a| |c", "the relation is empty"),
        (b"a|b|", "the tail is empty"),
        (b"||", "the head and the relation and the tail is empty"),
        (b"a|b\x00|c", "it holds a NUL character"),
        (b"a|b|\xff\xfe", "not UTF-8: invalid start byte at byte 5"),
    ],
)
def test_malformed_line_is_a_reject_and_the_rest_is_read(tmp_path: Path, line: bytes, reason: str) -> None:
    records = read(tmp_path, b"x|y|z\n" + line + b"\r\nu|v|w\n")
    assert records[0] == Triple(1, "x", "y", "z")
    assert records[2] == Triple(3, "u", "v", "w")
    assert records[1] == Reject(2, reason, line.decode("utf-8", "backslashreplace"))


def test_heading_is_no_fact_but_only_in_the_first_line(tmp_path: Path) -> None:
    records = read(tmp_path, b"Head\tRelation\tTail\na\tb\tc\nhead\trelation\ttail\n", TabTriples)
    assert records == [Triple(2, "a", "b", "c"), Triple(3, "head", "relation", "tail")]


def test_gzip_is_unpacked(tmp_path: Path) -> None:
    assert read(tmp_path, gzip.compress(b"a|b|c\n")) == [Triple(1, "a", "b", "c")]


def test_cut_off_gzip_is_an_error_not_an_end(tmp_path: Path) -> None:
    packed = gzip.compress(b"".join(b"%d|b|c\n" % number for number in range(10_000)))
    with pytest.raises(LoadError, match="to its end"):
        read(tmp_path, packed[: len(packed) // 2])


def test_checksum_is_of_the_content(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(b"a|b|c\n")
    second.write_bytes(b"a|b|c\n")
    assert PipeTriples(first, "a").checksum() == PipeTriples(second, "b").checksum()
    second.write_bytes(b"a|b|d\n")
    assert PipeTriples(first, "a").checksum() != PipeTriples(second, "b").checksum()


def opened(tmp_path: Path, text: str, name: str = "") -> list[Record]:
    path = tmp_path / "facts.tsv"
    path.write_text(text, encoding="utf-8")
    return list(open_source(str(path), name).records())


def test_columns_that_a_heading_names_after_the_tail_are_left_out(tmp_path: Path) -> None:
    text = "head\trelation\ttail\tsource\tscore\na\tb\tc\tx\t1\nd\te\tf\n1\t2\t3\t4\t5\t6\n"
    assert opened(tmp_path, text, "tsv") == [
        Triple(2, "a", "b", "c"),
        Triple(3, "d", "e", "f"),
        Reject(4, "6 columns instead of 5", "1\t2\t3\t4\t5\t6"),
    ]


def test_a_fourth_column_of_few_values_is_left_out_without_a_heading(tmp_path: Path) -> None:
    facts = "".join(f"a{number}\tb\tc\tmine\n" for number in range(20))
    assert opened(tmp_path, facts)[3] == Triple(4, "a3", "b", "c")
    with pytest.raises(LoadError, match="--format"):
        opened(tmp_path, "".join(f"a{number}\tb\tc\t{number}\n" for number in range(20)))


def test_questions_are_no_facts(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="--format"):
        opened(tmp_path, "who is the child of ann ?\tbo(bo/)\tann#child#bo\n")
