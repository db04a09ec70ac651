"""A language is one object: whoever reads questions takes it from the mapping, so that a new one changes no method."""

from __future__ import annotations

from pathlib import Path

import pytest

import kgqa_graphdb.language as module
from kgqa_graphdb.errors import ConfigError
from kgqa_graphdb.language import ENGLISH, Language, PathPatterns, language_of, register
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.link.words import LinkWords
from kgqa_graphdb.mapping import GraphMapping, language_in, make_relation, parse_mapping, read_mapping, write_mapping
from kgqa_graphdb.parse import Lexicon
from kgqa_graphdb.rank.question import read_question
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.score import gather_evidence
from kgqa_graphdb.rank.spelling import STEM_MATCH, similarity
from kgqa_graphdb.rank.text import path_text
from kgqa_graphdb.survey import Survey, propose, propose_mapping
from kgqa_graphdb.types import Step

IDO = Language(
    code="io",
    stop_words=frozenset(("qua", "esas", "la")),
    grammar_words=frozenset(("esas", "la", "di")),
    interrogatives={"qua": "persono", "qua-kozo": ""},
    articles=frozenset(("la",)),
    patterns=PathPatterns(noun="la {what} {phrase} di {start}"),
    stem=lambda word: word.removesuffix("i").removesuffix("o"),
    same_stem=lambda word, other: word[:4] == other[:4],
    plural_of=lambda noun: f"{noun[:-1]}i",
    guessed_phrase=lambda name: f"{name.removeprefix('havas_')}o",
)
"""Nouns end in -o, their plurals in -i; nothing is as it is in English."""
TABLE = {
    "version": 1, "graph": "filmi", "language": "io", "entities": [{"label": "filmo", "key": "id"}],
    "relations": {"havas_skribist": {"heads": ["filmo"], "tails": ["persono"]}},
}  # fmt: skip


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LANGUAGES", {"en": ENGLISH})
    register(IDO)


def mapping() -> GraphMapping:
    return parse_mapping(TABLE)


def test_a_mapping_hands_in_the_language_that_its_file_names() -> None:
    assert mapping().language is IDO
    assert parse_mapping({key: value for key, value in TABLE.items() if key != "language"}).language is ENGLISH


def test_phrases_are_guessed_in_the_language_of_the_mapping() -> None:
    relation = mapping().relations[0]
    assert (relation.phrase, relation.template) == ("skribisto", "{head} — havas skribist: {tail}.")


def test_the_linker_takes_stop_words_and_stems_from_the_language() -> None:
    words = LinkWords.of(mapping())
    assert words.content("qua esas la skribisti di alien".split()) == ["skribisti", "di", "alien"]
    assert words.is_for_relation("skribisti")
    assert not words.is_for_relation("skribists")
    assert "who" in words.content(("who",))


def test_the_untrained_ranker_reads_questions_in_the_language() -> None:
    schema = Schema(mapping())
    asked = read_question(f"qua esas la skribisti di {TOPIC}", schema.vocabulary)
    assert asked.words == ("skribisti",)
    assert (asked.kind, asked.noun) == ("persono", False)
    assert similarity("skribis", "skri", IDO) == STEM_MATCH
    assert path_text((schema.steps[0],), language=IDO) == "la persono skribisto di X"


@pytest.mark.parametrize(
    ("name", "word", "match"), [("SOLD", "sell", STEM_MATCH), ("FLEW", "flown", STEM_MATCH), ("SOLD", "buy", 0.0)]
)
def test_words_that_begin_otherwise_match_by_their_lemma(name: str, word: str, match: float) -> None:
    schema = Schema(GraphMapping("shop", mapping().entities, (make_relation(name),)))
    steps = gather_evidence(read_question(f"what did {TOPIC} {word}", schema.vocabulary), schema, None)
    with pytest.raises(StopIteration) as done:
        next(steps)
    assert done.value.value.match.max() == pytest.approx(match)


def test_nouns_have_the_plurals_of_the_language() -> None:
    assert {"filmo", "filmi", "persono", "personi"} <= Lexicon.of(mapping()).nouns.keys()


def test_a_proposal_is_in_a_language() -> None:
    found = Survey((), (), ())
    assert propose("g", found, IDO).mapping.language is IDO
    assert propose_mapping("g", found).language is ENGLISH


def test_a_file_keeps_its_language(tmp_path: Path) -> None:
    path = tmp_path / "filmi.toml"
    assert language_in(path) is ENGLISH
    write_mapping(mapping(), path)
    assert language_in(path) is IDO
    assert read_mapping(path).language is IDO


def test_a_file_in_english_need_not_say_so(tmp_path: Path) -> None:
    path = tmp_path / "films.toml"
    write_mapping(GraphMapping("films", mapping().entities, (make_relation("has_genre"),)), path)
    assert "language" not in path.read_text()


def test_an_unknown_language_is_named_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"mapping: language: no language 'eng' is known; nearest: 'en'; choose from"):
        parse_mapping(TABLE | {"language": "eng"})


def test_a_code_stands_for_one_language() -> None:
    register(IDO)
    with pytest.raises(ConfigError, match="'en' is there already"):
        register(Language(code="en"))
    assert language_of("en") is ENGLISH


def test_a_language_begins_with_its_words_alone() -> None:
    plain = Language(code="xx")
    relation = make_relation("directed_by", language=plain)
    assert (relation.phrase, relation.inverse_phrase) == ("directed by", "directed by")
    assert plain.edge_words("ACTED_IN", ("Person",), ("Film",)) == (
        "acted in",
        "acted in",
        "{head} — acted in: {tail}.",
    )
    assert path_text((Step(relation), Step(relation, inverse=True)), language=plain) == "directed by directed by X"
    assert (plain.stem("films"), plain.root("films"), plain.base_form("flew")) == ("films", "films", "")
