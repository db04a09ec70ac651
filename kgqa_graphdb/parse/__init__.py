"""Taking questions apart: what they count, compare, rank and leave out, by their words and those of the graph."""

from kgqa_graphdb.parse.english import EnglishParser
from kgqa_graphdb.parse.lexicon import Lexicon
from kgqa_graphdb.parse.parsed import ParsedQuestion
from kgqa_graphdb.parse.protocols import Parser

__all__ = ["EnglishParser", "Lexicon", "ParsedQuestion", "Parser"]
