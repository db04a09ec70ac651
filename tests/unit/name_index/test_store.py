"""The local index over names: what searches find, and what becomes of files that are old or damaged."""

from __future__ import annotations

import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from kgqa_graphdb.errors import ConfigError
from kgqa_graphdb.name_index.query import NameQuery, Word, parse_query
from kgqa_graphdb.name_index.store import Contents, NameIndex, NameWriter

NAMES = {
    1: ["Lantern Bay"],
    2: ["Captain's Ticket", "The Ticket"],
    3: ["Moss & Mortar"],
    4: ["Zoé Müller", "Müller"],
    5: ["Okafor, Ada Grace"],
    6: ["Harbour Players Society of the North"],
    7: ["SO-1041"],
    8: ["北京大学"],
    9: ["Lantern Bay"],
    10: ["!!!"],
}
CONTENTS = Contents("mapped", (10,), "4:db:")


def write(file: Path, names: dict[int, list[str]] | None = None) -> None:
    with NameWriter(file, "4:db:") as writer:
        writer.add((f"4:db:{number}", some) for number, some in (names or NAMES).items())
        writer.finish(CONTENTS, len(names or NAMES))


@pytest.fixture
def search(tmp_path: Path) -> Callable[..., list[int]]:
    write(tmp_path / "g.names")
    index = NameIndex.open(tmp_path / "g.names", CONTENTS)
    assert index is not None

    def search(query: str, most: int = 100) -> list[int]:
        return [int(one.rpartition(":")[2]) for one in index.search([[[query, most]]])[0][0]]

    return search


@pytest.mark.parametrize(
    ("query", "parsed"),
    [
        ("lantern", NameQuery(words=(Word("lantern"),))),
        ("lantren~2 bay", NameQuery(words=(Word("lantren", 2), Word("bay")))),
        ("+lantern +bay", NameQuery(words=(Word("lantern"), Word("bay")), all_words=True)),
        (r'"Moss \"& Mortar" "moss mortar"', NameQuery(phrases=("moss mortar",))),
    ],
)
def test_searches_are_read_as_lucene_reads_them(query: str, parsed: NameQuery) -> None:
    assert parse_query(query) == parsed


def test_a_name_is_found_by_all_the_words_of_a_question(search: Callable[..., list[int]]) -> None:
    assert search("who designed lantern bay and captain s ticket")[:3] == [2, 1, 9]
    assert search("what is the status of so 1041")[0] == 7


def test_a_word_finds_the_names_that_it_is_most_of_first(search: Callable[..., list[int]]) -> None:
    assert search("ticket") == [2]
    assert search("harbour") == [6]
    assert search("muller", 1) == [4]
    assert search("nothing") == []


@pytest.mark.parametrize("typo", ["lantren", "lanten", "lanntern", "lamtern", "lantrn"])
def test_a_misspelled_word_finds_its_name(search: Callable[..., list[int]], typo: str) -> None:
    assert set(search(f"{typo}~2 bay")) == {1, 9}
    assert set(search(f"{typo}~2")) == {1, 9}


def test_two_misspelled_words_find_their_name(search: Callable[..., list[int]]) -> None:
    assert set(search("who made lantren~2 bsy~1")) >= {1, 9}
    assert search("lantern~1 nothing")[:2] == [1, 9]
    assert search("lxntxrn~1") == []


def test_a_name_is_found_by_parts_in_any_order(search: Callable[..., list[int]]) -> None:
    assert search("+ada +okafor") == [5]
    assert search("+okafor +grace") == [5]
    assert search("+ada +muller") == []
    assert search("where is ada okafor")[0] == 5


def test_phrases_are_whole_names(search: Callable[..., list[int]]) -> None:
    assert search('"Zoé Müller"') == [4]
    assert search('"Lantern"') == []
    assert search('"!!!"') == [10]


def test_a_name_without_spaces_around_it_is_found(search: Callable[..., list[int]]) -> None:
    assert search("北京大学在哪里 吗") == [8]


def test_quotes_and_operators_in_words_do_no_harm(search: Callable[..., list[int]]) -> None:
    for query in ('a"b c', "NOT lantern", "near( bay", "*", "^ $", "a' OR 1=1", '"', "+", "lantern~x bay"):
        search(query)


def test_no_more_are_found_than_asked_for(tmp_path: Path) -> None:
    write(tmp_path / "many.names", {number: [f"Ann Lee {number}"] for number in range(500)})
    index = NameIndex.open(tmp_path / "many.names", CONTENTS)
    assert index is not None
    found = index.search([[["ann", 6], ["ann lee", 100], ["+ann +lee", 100]]])[0]
    assert [len(one) for one in found] == [6, 20, 100]


# ── the file ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_only_the_user_may_read_it_and_nothing_else_is_left(tmp_path: Path) -> None:
    write(tmp_path / "g.names")
    write(tmp_path / "g.names")
    assert [one.name for one in tmp_path.iterdir()] == ["g.names"]
    assert stat.S_IMODE((tmp_path / "g.names").stat().st_mode) == 0o600


def test_an_index_that_is_cut_off_leaves_the_old_one(tmp_path: Path) -> None:
    write(tmp_path / "g.names")
    writer = NameWriter(tmp_path / "g.names", "")
    with suppress(KeyboardInterrupt), writer:
        writer.add([("4:db:1", ["Another"])])
        raise KeyboardInterrupt
    assert [one.name for one in tmp_path.iterdir()] == ["g.names"]
    assert NameIndex.open(tmp_path / "g.names", CONTENTS) is not None


@pytest.mark.parametrize(
    "other", [Contents("else", (10,), "4:db:"), Contents("mapped", (11,), "4:db:"), Contents("mapped", (10,), "4:x:")]
)
def test_an_index_of_something_else_is_not_used(tmp_path: Path, other: Contents) -> None:
    write(tmp_path / "g.names")
    assert NameIndex.open(tmp_path / "g.names", other) is None


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\x00" + b"\x00" * 500])
def test_what_is_no_index_is_not_used(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "g.names").write_bytes(content)
    assert NameIndex.open(tmp_path / "g.names", CONTENTS) is None
    assert NameIndex.open(tmp_path / "absent.names", CONTENTS) is None


def test_a_file_that_is_cut_short_is_not_used(tmp_path: Path) -> None:
    file = tmp_path / "g.names"
    write(file, {number: [f"Ann Lee {number}"] for number in range(2_000)})
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    assert NameIndex.open(file, CONTENTS) is None


def test_damage_that_a_search_meets_is_an_error_that_says_so(tmp_path: Path) -> None:
    file = tmp_path / "g.names"
    write(file, {number: [f"Ann{number % 50} Lee{number}"] for number in range(20_000)})
    index = NameIndex.open(file, CONTENTS)
    assert index is not None
    with file.open("r+b") as stream:  # all but the pages that are open
        stream.seek(8 * 4096)
        stream.write(b"\xa5" * (file.stat().st_size - 8 * 4096))
    every = [[f"lee{number}~1 ann{number % 50}", 100] for number in range(0, 20_000, 500)]
    with pytest.raises(ConfigError, match=r"is damaged .* made anew"):
        index.search([every])
    assert not file.exists()
