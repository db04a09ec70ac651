"""The file of a local index over names: SQLite, with a full-text index over words and one over trigrams of words.

Names are folded. They are numbered by length, so that those found first for a word are those that it is most of. The
file is written once and replaced whole; it is read by any number of processes.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Any, Self

from kgqa_graphdb.errors import ConfigError
from kgqa_graphdb.language.folding import folded_text
from kgqa_graphdb.language.scripts import has_cjk
from kgqa_graphdb.name_index.query import NameQuery, Word, parse_query

VERSION = 1
MAX_NAME_WORDS = 8
"""Words of a question that a name may be made of, to be found whole."""
MAX_CJK_NAME = 24
"""The same of characters, in scripts that put no spaces between words."""
SHORT = 5
"""Letters of a word of which one edit may leave a single trigram as it was."""
MAX_SIMILAR = 12
"""Words that a misspelled one is taken for."""
PAIR_HITS = 20
"""Names that are read for two words that stand side by side in the question."""
MAX_WHOLE = 4_000
"""Stretches of a question that are looked up as names."""

_SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE given (name TEXT NOT NULL, words INTEGER NOT NULL, node NOT NULL);
"""
_FINISH = """
CREATE TABLE entry (id INTEGER PRIMARY KEY, name TEXT NOT NULL, node NOT NULL);
INSERT INTO entry (name, node) SELECT name, node FROM given ORDER BY words, length(name), name, node;
DROP TABLE given;
CREATE INDEX entry_name ON entry (name);
CREATE VIRTUAL TABLE holding USING fts5
    (name, content = '', detail = none, columnsize = 0, tokenize = "unicode61 remove_diacritics 0");
INSERT INTO holding (rowid, name) SELECT id, name FROM entry;
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (holding, row);
CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT NOT NULL, names INTEGER NOT NULL);
INSERT INTO word (text, names) SELECT term, doc FROM vocabulary WHERE length(term) > 2;
CREATE VIRTUAL TABLE spelled USING fts5 (text, content = '', detail = none, columnsize = 0, tokenize = 'trigram');
INSERT INTO spelled (rowid, text) SELECT id, '^' || text || '$' FROM word;
INSERT INTO holding (holding) VALUES ('optimize');
INSERT INTO spelled (spelled) VALUES ('optimize');
"""


@dataclass(frozen=True, slots=True)
class Contents:
    """What an index was made of; another index is needed once this changes.

    :ivar mapped: digest of what the mapping says of names
    :ivar counts: nodes of each label
    :ivar database: beginning of the element ids of its nodes; empty: there are none
    """

    mapped: str
    counts: tuple[int, ...]
    database: str

    @property
    def text(self) -> str:
        """As it is stored."""
        return json.dumps([VERSION, self.mapped, list(self.counts), self.database])


class NameWriter:
    """Writes an index to a temporary file, which takes the place of the old one when it is complete.

    :raises OSError: the folder can't be written to
    :raises sqlite3.Error: the disk is full, or the like
    """

    def __init__(self, file: Path, database: str) -> None:
        self._file, self._database = file, database

    def __enter__(self) -> Self:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{self._file.name}.", dir=self._file.parent)  # for the user alone
        os.close(handle)
        self._path = Path(name)
        self._connection = sqlite3.connect(self._path, check_same_thread=False, isolation_level=None)
        self._connection.executescript(_SCHEMA)
        self._connection.execute("BEGIN")
        self._names = 0
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        with suppress(FileNotFoundError):  # it is where it belongs
            self._path.unlink()

    def add(self, nodes: Iterable[tuple[str, Iterable[str]]]) -> None:
        """Add nodes: element id and names."""
        rows = [
            (name, name.count(" ") + 1, _short(node, self._database))
            for node, names in nodes
            for name in dict.fromkeys(map(folded_text, names))
            if name
        ]
        self._names += len(rows)
        self._connection.executemany("INSERT INTO given VALUES (?, ?, ?)", rows)

    def finish(self, contents: Contents, nodes: int) -> None:
        """Make the index ready, and put it in its place."""
        self._connection.execute("COMMIT")
        self._connection.executescript(_FINISH)
        meta = {"contents": contents.text, "database": contents.database, "nodes": nodes, "names": self._names}
        self._connection.executemany("INSERT INTO meta VALUES (?, ?)", [(key, str(one)) for key, one in meta.items()])
        self._connection.execute("VACUUM")
        self._connection.close()
        with self._path.open("rb") as file:
            os.fsync(file.fileno())
        self._path.replace(self._file)


def _short(node: str, database: str) -> int | str:
    """What is stored of an element id: its number where the rest is the database's."""
    rest = node.removeprefix(database)
    return int(rest) if database and rest != node and rest.isascii() and rest.isdigit() else node


@dataclass(slots=True)
class NameIndex:
    """Searches the names of a graph; safe to share between threads.

    :ivar nodes: how many there were when it was made
    :ivar names: how many names they have, aliases and keys included
    """

    file: Path
    nodes: int
    names: int
    _database: str
    _connection: sqlite3.Connection
    _lock: Lock = field(default_factory=Lock)
    _near: dict[str, tuple[int, list[tuple[int, str]]]] = field(default_factory=dict)

    @classmethod
    def open(cls, file: Path, contents: Contents) -> Self | None:
        """The index of a file; ``None``: there is none, it is damaged, or was made of something else."""
        if not file.is_file():
            return None
        try:
            connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        except sqlite3.Error:
            return None
        try:
            meta = dict(connection.execute("SELECT key, value FROM meta"))
            names = connection.execute("SELECT max(id) FROM entry").fetchone()[0] or 0
            connection.execute("SELECT rowid FROM holding WHERE holding MATCH 'a'").fetchone()
            connection.execute("SELECT rowid FROM spelled WHERE spelled MATCH 'abc'").fetchone()
            if meta.get("contents") != contents.text or names != int(meta["names"]):
                connection.close()
                return None
            return cls(file, int(meta["nodes"]), names, meta["database"], connection)
        except (sqlite3.Error, KeyError, ValueError):
            connection.close()
            return None

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return self.file.stat().st_size if self.file.exists() else 0

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def search(self, items: Sequence[Sequence[Sequence[Any]]]) -> list[list[list[str]]]:
        """The element ids that searches find.

        :param items: lists of searches, each of which begins with a query and how many names it may find at most
        :return: for each search of each item its element ids, best first
        :raises ConfigError: the file is damaged; it is deleted
        """
        with self._lock:
            try:
                return [list(self._searched(searches)) for searches in items]
            except sqlite3.DatabaseError as error:
                with suppress(OSError):
                    self.file.unlink()
                raise ConfigError(
                    f"the index over names {self.file} is damaged ({error}) and was deleted; ask again: it is made anew"
                ) from error

    # ── searches ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _searched(self, searches: Sequence[Sequence[Any]]) -> Iterator[list[str]]:
        self._near.clear()
        for query, most, *_ in searches:
            yield self._nodes(parse_query(query), most)

    def _nodes(self, query: NameQuery, most: int) -> list[str]:
        found = dict.fromkeys(self._found(query, most))
        return [self._whole(node) for node in list(found)[:most]]

    def _found(self, query: NameQuery, most: int) -> Iterator[Any]:
        if query.phrases:
            yield from self._named(query.phrases, most)
        elif query.all_words:
            yield from self._holding([word.text for word in query.words], most)
        elif len(query.words) == 1:
            yield from self._of_word(query.words[0], most)
        else:
            yield from self._together(query.words, most)

    def _of_word(self, word: Word, most: int) -> Iterator[Any]:
        for text in self._spellings(word):
            yield from self._named([text], most)
            yield from self._holding([text], most)

    def _together(self, words: Sequence[Word], most: int) -> Iterator[Any]:
        """Names that stand in the question whole, then those that hold two words that stand there side by side."""
        spellings = {word: self._spellings(word) for word in words}
        yield from self._named(list(dict.fromkeys(_stretches(words, spellings)))[:MAX_WHOLE], most)
        for one, other in pairwise(words):
            pairs = [(first, second) for first in spellings[one] for second in spellings[other]]
            for pair in pairs[: 2 * MAX_SIMILAR]:
                yield from self._holding(pair, PAIR_HITS)
        for word in words:
            if word.edits:
                for text in spellings[word]:
                    yield from self._holding([text], PAIR_HITS)

    def _spellings(self, word: Word) -> list[str]:
        """A word as it was asked for, and those that it may be a misspelling of, nearest first."""
        return [word.text, *(self._similar(word) if word.edits else ())]

    def _named(self, names: Sequence[str], most: int) -> Iterator[Any]:
        """Nodes that are called so, those with longer names first."""
        rows = self._connection.execute(
            "SELECT node FROM entry WHERE name IN (SELECT value FROM json_each(?)) "
            "ORDER BY length(name) DESC, id LIMIT ?",
            (json.dumps(names), most),
        )
        return (node for (node,) in rows.fetchall())

    def _holding(self, words: Sequence[str], most: int) -> Iterator[Any]:
        """Nodes whose names hold all of some words, those with shorter names first."""
        quoted = " AND ".join('"' + word.replace('"', "") + '"' for word in words if any(map(str.isalnum, word)))
        if not quoted:
            return iter(())
        try:
            rows = self._connection.execute(
                "SELECT node FROM entry WHERE id IN "
                "(SELECT rowid FROM holding WHERE holding MATCH ? ORDER BY rowid LIMIT ?) ORDER BY id",
                (quoted, most),
            ).fetchall()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            return iter(())  # a script newer than SQLite: it holds a letter for a mark, so no name has such a word
        return (node for (node,) in rows)

    def _similar(self, word: Word) -> list[str]:
        """Words of names that are so many edits from a word at most; nearest first, then those in more names."""
        if self._near.get(word.text, (0, ()))[0] < word.edits:
            self._near[word.text] = word.edits, self._spelled_like(word)
        return [text for edits, text in self._near[word.text][1] if edits <= word.edits][:MAX_SIMILAR]

    def _spelled_like(self, word: Word) -> list[tuple[int, str]]:
        """How many edits a word is from others, and those."""
        from rapidfuzz.distance import OSA

        padded = f"^{word.text}$"
        trigrams = {padded[place : place + 3] for place in range(len(padded) - 2)}
        quoted = json.dumps(['"' + one.replace('"', '""') + '"' for one in sorted(trigrams)])
        shortest, longest = len(word.text) - word.edits, len(word.text) + word.edits
        near: list[tuple[int, int, str]] = []
        for least in (2, 1) if len(trigrams) > SHORT else (1,):  # one that all similar words share may be in very many
            rows = self._connection.execute(
                "SELECT text, names FROM word WHERE id IN ("
                "SELECT spelled.rowid FROM json_each(?) AS trigram, spelled WHERE spelled MATCH trigram.value "
                "GROUP BY spelled.rowid HAVING count(*) >= ?"
                ") AND length(text) BETWEEN ? AND ? AND text <> ?",
                (quoted, least, shortest, longest, word.text),
            )
            for text, names in rows:
                edits = OSA.distance(word.text, text, score_cutoff=word.edits)
                if edits <= word.edits:
                    near.append((edits, -names, text))
            if near:
                break
        return [(edits, text) for edits, _, text in sorted(near)]

    def _whole(self, node: int | str) -> str:
        return f"{self._database}{node}" if isinstance(node, int) else node


def _stretches(words: Sequence[Word], spellings: Mapping[Word, Sequence[str]]) -> Iterator[str]:
    """What may be whole names in a question, each with one word spelled otherwise at most; long ones first."""
    for length in range(min(MAX_NAME_WORDS, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            some = words[start : start + length]
            texts = [word.text for word in some]
            yield " ".join(texts)
            for place, word in enumerate(some):
                for other in spellings[word][1:]:
                    yield " ".join([*texts[:place], other, *texts[place + 1 :]])
    for start in range(len(words) - 1):  # both words of a name may be misspelled
        left, right = spellings[words[start]][1:], spellings[words[start + 1]][1:]
        yield from (f"{one} {other}" for one in left for other in right)
    for word in words:
        if has_cjk(word.text):
            for length in range(min(MAX_CJK_NAME, len(word.text) - 1), 0, -1):
                yield from (word.text[start : start + length] for start in range(len(word.text) - length + 1))
