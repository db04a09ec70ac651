"""Who takes a question apart is up to the language of its graph."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

import kgqa_graphdb.parse as module
from kgqa_graphdb.compose import QuestionComposer
from kgqa_graphdb.errors import ConfigError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.language import ENGLISH, Language
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.methods.linked import GraphModels
from kgqa_graphdb.parse import EnglishParser, Lexicon, ParsedQuestion, parser_of, register_parser
from kgqa_graphdb.parse.protocols import Span
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Question
from tests.unit.local import Local

IDO = Language(code="io")


@dataclass
class Recorder:
    """Keeps what it is asked, and understands nothing."""

    texts: list[str] = field(default_factory=list)

    def parse(
        self, text: str, lexicon: Lexicon, topic: Span | None = None, other: Span | None = None
    ) -> ParsedQuestion:
        self.texts.append(text)
        return ParsedQuestion(unsure=True)


def compose(composer: QuestionComposer, language: Language) -> None:
    graph = Graph(GraphMapping("g", (), (), language=language))
    assert run(composer.compose(Question("qua?"), (), graph, GraphModels().of(graph)), Local()) is None


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PARSERS", dict(module._PARSERS))


def test_questions_are_parsed_by_the_parser_of_the_graphs_language() -> None:
    ours = Recorder()
    register_parser(IDO.code, ours)
    compose(QuestionComposer(), IDO)
    compose(QuestionComposer(), ENGLISH)
    assert ours.texts == ["qua?"]


def test_a_parser_that_is_handed_in_reads_every_language() -> None:
    ours = Recorder()
    compose(QuestionComposer(parser=ours), ENGLISH)
    assert ours.texts == ["qua?"]


def test_a_language_without_a_parser_composes_nothing() -> None:
    assert parser_of(IDO) is None
    compose(QuestionComposer(), IDO)


def test_a_language_has_one_parser() -> None:
    assert isinstance(parser_of(ENGLISH), EnglishParser)
    with pytest.raises(ConfigError, match="has a parser already"):
        register_parser(ENGLISH.code, Recorder())
