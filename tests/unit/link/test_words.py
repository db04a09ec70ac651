"""Words of a question that may be a name's, and others."""

from __future__ import annotations

from kgqa_graphdb.link.words import LinkWords
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation

MAPPING = GraphMapping("films", (EntityKind("Film", "id", ("name",)),), (make_relation("directed_by"),))


def test_content_words_leave_out_stop_words_unless_nothing_is_left() -> None:
    words = LinkWords()
    assert words.content_or_all("who is the director of they".split()) == ["director"]
    assert words.content_or_all("who are they".split()) == ["who", "are", "they"]
    assert words.content("who are they".split()) == []


def test_words_for_relations_are_compared_without_their_endings() -> None:
    words = LinkWords.of(MAPPING)
    assert words.is_for_relation("directors")
    assert not words.is_for_relation("by")
    assert words.are_for_relations(("director", "directed"))
    assert not words.are_for_relations(("director", "ann"))
    assert words.any_for_relation(("director", "ann"))
