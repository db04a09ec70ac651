"""The parser of English: closed classes of words, as quantifiers, superlatives, negations and numbers are."""

from __future__ import annotations

from dataclasses import dataclass

from kgqa_graphdb.parse.lexicon import Lexicon
from kgqa_graphdb.parse.parsed import ParsedQuestion
from kgqa_graphdb.parse.protocols import Span
from kgqa_graphdb.parse.read import read


@dataclass(frozen=True, slots=True)
class EnglishParser:
    """Takes questions apart by rules; needs no training."""

    def parse(
        self, text: str, lexicon: Lexicon, topic: Span | None = None, other: Span | None = None
    ) -> ParsedQuestion:
        """See :meth:`kgqa_graphdb.parse.protocols.Parser.parse`."""
        return read(text, lexicon, topic, other)
