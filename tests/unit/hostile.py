"""Texts that nobody should be asked, and an IO that answers what is read for them from a list of names."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kgqa_graphdb import queries
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.runtime import leaves_of, nested
from kgqa_graphdb.steps import Compute, Embed, Mark, Read, ReadEach, Request
from kgqa_graphdb.types import Rows

NAMES = (
    "Up", "C++", "C", "A*", "the", "a", "Joe's Café (II)", "2010", "Most", "東京", "杭州亚运会", "a a a", "x" * 40,
    "$9.99",
)  # fmt: skip
PIECES = (
    *NAMES, "who", "directed", "films", "film", "the most", "more than", "between 3 and", "how many", "not", "except",
    "with", "same", "average", "in 1990", "1e999", "9" * 30, "2010-13-45", "0000-00-00", "[Up]", "[X]", "[Y]", "[",
    "]", "{v0}", "{c0}", "{c99}", "{", "}", "#3", "#", "\\", '"', "'", "“", "”", "’s", "n't", "AND", "OR", "NOT", "+",
    "-", "~2", "*", "?", "!", ":", "(", ")", "^9", "/.*/", "\x00", "\x1f", "\x7f", "\x85", "\u200b", "\u202e", "\u2066",
    "\ufeff", "\u00ad", "e\u0301\u0327", "\u0301", "\ud800", "\udfff", "\U0001f680", "ﷺ", "ß", "İ", "ı", "ﬁ", "Å", "ǅ",
    "१२", "²", "½", "Ⅷ", "\t", "\n", "\r", "\u2028", ",", ";", "%s", "%(x)s", "{0}", "$0", "`", "'; DROP", "--", "//",
    "<b>", "&amp;", "\N{HANGUL FILLER}", "\U000e0041",
)  # fmt: skip
MAPPING = GraphMapping(
    graph="films",
    entities=(EntityKind("KG_films", "entity_id", ("name",), ("aliases",)),),
    relations=(
        make_relation("directed_by", heads=("Film",), tails=("Person",)),
        make_relation("has_sequel", heads=("Film",), tails=("Film",)),
        make_relation("release_year", kind="property", heads=("Film",)),
        make_relation("price", kind="property", heads=("Film",)),
    ),
    label="KG_films",
    fulltext="KG_films_names",
    owned=True,
)


def hostile_texts(count: int, seed: int = 0) -> Iterator[str]:
    """So many texts of such pieces, and of characters of all planes, put together by chance."""
    dice = random.Random(seed)
    for _ in range(count):
        parts = [
            dice.choice(PIECES) if dice.random() < 0.9 else chr(dice.randrange(0x110000))
            for _ in range(dice.randrange(1, 14))
        ]
        yield dice.choice(("", " ", " ")).join(parts)


@dataclass
class NamesIO:
    """Every search finds all names; every other read finds nothing, or a row of nothing.

    :ivar searches: how many searches were asked for
    """

    names: Sequence[str] = NAMES
    searches: int = 0

    @property
    def graph(self) -> Graph:
        return Graph(MAPPING)

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        return nested(requests, map(self._answer, leaves_of(requests)))

    def _answer(self, request: Request[Any]) -> Any:
        if isinstance(request, Embed):
            return np.full((len(request.texts), 2), 0.5**0.5, dtype=np.float32)
        if isinstance(request, Compute):
            return request.work([request.item])[0]
        if isinstance(request, Mark):
            return None
        assert isinstance(request, Read | ReadEach), request
        text = request.statement.text
        for value in request.item if isinstance(request, ReadEach) else request.statement.parameters.values():
            str(value).encode()  # what no driver can send fails
        if isinstance(request, ReadEach) and ("fulltext" in text or "entity_id` IN" in text):
            self.searches += len(request.item)
            return self._found()
        if text == queries.load("retrieve/first_steps").cypher():
            return [[id_, 3, ["directed_by", "has_sequel"], ["has_sequel"], ["price"]] for id_ in request.item]  # type: ignore[union-attr]
        if isinstance(request, ReadEach):
            return [[[] for _ in text.rsplit("RETURN", 1)[1].split(",")[1:]]]
        return [[0, None]] if "count(" in text else []

    def _found(self) -> Rows:
        ids = [f"node:{name}" for name in self.names]
        labels = [["Entity", "KG_films", "Film"] for _ in self.names]
        keys: list[list[Any]] = [[name, name] for name in self.names]
        return [[ids, labels, keys, [[] for _ in self.names], "", [1 for _ in self.names]]]
