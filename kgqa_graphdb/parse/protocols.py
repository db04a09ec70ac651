"""What a parser is: it takes a question apart, by the words of a graph."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from kgqa_graphdb.parse.lexicon import Lexicon
from kgqa_graphdb.parse.parsed import ParsedQuestion

Span: TypeAlias = tuple[int, int]
"""The first character of a mention, and one past its last."""


class Parser(Protocol):
    """Takes questions apart, without a look at the graph: what words mean there is for the ranker of paths to say."""

    def parse(
        self, text: str, lexicon: Lexicon, topic: Span | None = None, other: Span | None = None
    ) -> ParsedQuestion:
        """What a question does with what it speaks of.

        :param lexicon: the words of the graph: a noun inside the name of a property names no kind there
        :param topic: where it names the entity that paths start from; a number there is none to compare with
        :param other: the same of an entity that others are compared with
        """
        ...
