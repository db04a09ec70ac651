"""Which stretches of a question may describe an entity, and what the vector index finds for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kgqa_graphdb.errors import EncoderError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.language.folding import fold
from kgqa_graphdb.link.meaning import MEANING, Hit, descriptions_in, near_in_meaning
from kgqa_graphdb.link.words import LinkWords
from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.steps import Embed, Read
from kgqa_graphdb.types import VectorIndexes

MAPPING = GraphMapping(
    graph="worlds",
    entities=(EntityKind("KG_worlds", "entity_id", ("name",), ("aliases",)),),
    relations=(),
    label="KG_worlds",
    fulltext="KG_worlds_names",
    owned=True,
    vectors=VectorIndexes(("KG_worlds_vectors",), "letters", "f00", 2),
)


def described(text: str, *relation_words: str) -> list[str]:
    folded = fold(text)
    return [
        folded.text[start:end]
        for start, end in descriptions_in(folded, LinkWords(of_relations=frozenset(relation_words)))
    ]


def hits(text: str, found: list[tuple[int, str, float]], *relation_words: str) -> list[Hit]:
    """Answer the one search with (number of the stretch, name, cosine)."""
    folded = fold(text)
    words = LinkWords(of_relations=frozenset(relation_words))
    spans = descriptions_in(folded, words)
    steps = near_in_meaning(text, folded, spans, words, Graph(MAPPING))
    embed = next(steps)
    assert isinstance(embed, Embed)
    assert embed.encoder == "f00"
    read = steps.send(np.ones((len(spans), 2), dtype=np.float32))
    assert isinstance(read, Read)
    rows: list[list[Any]] = [
        [number, [f"node:{name}"], [["Entity", "KG_worlds"]], [[name, name]], [(1 + cosine) / 2]]
        for number, name, cosine in found
    ]
    try:
        steps.send(rows)
    except StopIteration as stop:
        result: list[Hit] = stop.value
        return result
    raise AssertionError("one search is enough")


def test_stretches_begin_and_end_with_words_that_mean_something() -> None:
    assert described("who saw the king of the north?") == [
        "saw", "king", "north", "saw the king", "king of the north", "saw the king of the north"
    ]  # fmt: skip


def test_words_for_relations_alone_describe_nobody() -> None:
    assert "moons" not in described("which moons does the red planet have", "moon")
    assert "red planet" in described("which moons does the red planet have", "moon")


def test_the_nearest_comes_first_and_never_reaches_a_misspelled_name() -> None:
    found = hits("the red planet", [(0, "Mars", 0.99), (0, "Venus", 0.9)])
    assert [hit.entity.name for hit in found] == ["Mars", "Venus"]
    assert all(hit.quality <= MEANING < 0.9 * 0.82 for hit in found)


def test_what_is_far_is_left_out() -> None:
    assert hits("the red planet", [(0, "Mars", 0.3)]) == []
    assert [hit.entity.name for hit in hits("the red planet", [(0, "Mars", 0.8), (0, "Venus", 0.6)])] == ["Mars"]


def test_a_name_inside_a_description_does_not_outdo_what_is_described() -> None:
    found = hits("the red planet", [(0, "planet", 0.95), (0, "Mars", 0.6)])
    assert {hit.entity.name for hit in found} == {"planet", "Mars"}


def test_an_entity_is_linked_at_the_stretch_without_words_for_relations() -> None:
    text = "moons of the red planet"
    places = described(text, "moon")
    found = hits(text, [(number, "Mars", 0.6) for number in range(len(places))], "moon")
    assert text[found[0].start : found[0].end] == "red planet"


def test_without_encoder_or_index_names_must_do(caplog: pytest.LogCaptureFixture) -> None:
    folded = fold("the red planet")
    steps = near_in_meaning("the red planet", folded, descriptions_in(folded, LinkWords()), LinkWords(), Graph(MAPPING))
    next(steps)
    with pytest.raises(StopIteration) as stop:
        steps.throw(EncoderError("no text encoder is installed"))
    assert stop.value.value == []
    assert "kgqa index --graph worlds --vectors" in caplog.text
