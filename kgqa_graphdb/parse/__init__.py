"""Taking questions apart: what they count, compare, rank and leave out, by their words and those of the graph.

A parser for another language is registered with :func:`register_parser`; no method changes.
"""

from __future__ import annotations

from kgqa_graphdb.errors import ConfigError
from kgqa_graphdb.language import ENGLISH, Language
from kgqa_graphdb.parse.english import EnglishParser
from kgqa_graphdb.parse.lexicon import Lexicon
from kgqa_graphdb.parse.parsed import ParsedQuestion
from kgqa_graphdb.parse.protocols import Parser

__all__ = ["EnglishParser", "Lexicon", "ParsedQuestion", "Parser", "parser_of", "register_parser"]

_PARSERS: dict[str, Parser] = {ENGLISH.code: EnglishParser()}


def register_parser(code: str, parser: Parser) -> None:
    """Make the parser of a language known.

    :param code: the language's
    :raises ConfigError: the language has another
    """
    if _PARSERS.setdefault(code, parser) != parser:
        raise ConfigError(f"language {code!r} has a parser already; hand yours to QuestionComposer(parser=…)")


def parser_of(language: Language) -> Parser | None:
    """The parser of a language; ``None``: it has none, and its questions are left to methods that need none."""
    return _PARSERS.get(language.code)
