"""Questions made of those of pairs: words of another relation, parts of others, and nothing where nothing is clear."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice, pairwise
from random import Random

import pytest

from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.data.items import Item
from kgqa_graphdb.train.data.recombine import Wordings, joined, recombined, swapped, with_recombined
from kgqa_graphdb.train.data.sets import TrainingSet
from tests.unit.rank.graphs import schema_of

MAPPING, _ = schema_of([
    (make_relation("painted_by", heads=("Painting",), tails=("Person",)), "painting", "painter"),
    (make_relation("owned_by", heads=("Painting",), tails=("Person",)), "painting", "owner"),
    (make_relation("year", kind="property"), "painting", "number"),
    (make_relation("title", kind="property"), "painting", "text"),
])  # fmt: skip
SCHEMA = Schema(MAPPING)


def rows(*codes: str) -> tuple[int, ...]:
    return tuple(SCHEMA.row_of[code] for code in codes)


EVERY = tuple(range(len(SCHEMA.steps)))


def asked(text: str, *codes: str) -> Item:
    return Item(text, EVERY, (rows(*codes),), (1.0,), 1.0)


# Nobody asks which paintings the owner of one owns, too.
PAIRS = [
    asked("who is the painter of X?", ">painted_by"),
    asked("who is the owner of X?", ">owned_by"),
    asked("the painter of X was who", ">painted_by"),
    asked("the owner of X was who", ">owned_by"),
    asked("which pictures are by the painter of X", ">painted_by", "<painted_by"),
    asked("what did X paint", "<painted_by"),
]


def made(source: Iterator[list[tuple[str, tuple[int, ...]]]]) -> dict[str, tuple[int, ...]]:
    return dict(chain.from_iterable(islice(source, 300)))


def test_words_that_differ_where_relations_do_are_changed_together() -> None:
    found = made(swapped(Wordings.of(PAIRS), SCHEMA, Random(0)))
    assert found == {"which pictures are by the owner of X": rows(">owned_by", "<owned_by")}


def test_words_of_a_single_pair_are_not_believed() -> None:
    assert not made(swapped(Wordings.of([*PAIRS[:2], PAIRS[4]]), SCHEMA, Random(0)))


def test_a_wording_with_more_words_of_the_relation_is_left_as_it_is() -> None:
    pairs = [*PAIRS, asked("who painted X", ">painted_by"), asked("who painted it, the painter of X", ">painted_by")]
    assert all("painted" not in text for text in made(swapped(Wordings.of(pairs), SCHEMA, Random(0))))


SHARED = [
    asked("when were the pictures of X finished", "<painted_by", ">year"),
    asked("what are the pictures of X called", "<painted_by", ">title"),
    asked("when were the things that belong to X finished", "<owned_by", ">year"),
    asked("what are the things that belong to X called", "<owned_by", ">title"),
    asked("when were pictures by the painter of X finished", ">painted_by", "<painted_by", ">year"),
    asked("who has pictures by the painter of X", ">painted_by", "<painted_by", ">owned_by"),
]


def test_what_wordings_share_is_what_their_paths_share() -> None:
    found = made(joined(Wordings.of(SHARED), SCHEMA, Random(0), 3))
    assert found["pictures by the painter of X"] == rows(">painted_by", "<painted_by")
    assert found["the things that belong to X"] == rows("<owned_by")
    assert found["what are pictures by the painter of X called"] == rows(">painted_by", "<painted_by", ">title")
    assert not found.keys() & {item.text for item in SHARED}
    assert all(after in SCHEMA.followers(row) for path in found.values() for row, after in pairwise(path))


def test_parts_that_somebody_asks_for_as_they_are_are_not_made() -> None:
    asked_for = asked("pictures by the painter of X", ">painted_by", "<painted_by", ">owned_by")
    found = made(joined(Wordings.of([*SHARED, asked_for]), SCHEMA, Random(0), 3))
    assert "the things that belong to X" in found
    assert asked_for.text not in found


def test_no_joined_path_is_longer_than_asked_for() -> None:
    assert {len(path) for path in made(joined(Wordings.of(SHARED), SCHEMA, Random(0), 2)).values()} == {1, 2}


def test_wordings_whose_path_is_in_doubt_say_nothing() -> None:
    poor = replace(asked("whose is X", ">owned_by"), worth=0.4)
    long = asked(f"who is the owner of {'very ' * 40}X", ">owned_by")
    doubtful = Item("the X of it", EVERY, (rows(">painted_by"), rows(">owned_by")), (1.0, 0.9), 1.0)
    clear = Item("who made X", EVERY, (rows(">painted_by"), rows(">owned_by")), (1.0, 0.5), 1.0)
    twice = asked("X and X", ">owned_by")
    assert Wordings.of([doubtful, clear, twice, poor, long]).paths == {"who made X": rows(">painted_by")}


def test_wordings_that_are_held_out_are_not_made_for_training() -> None:
    held_out = asked("which pictures are by the owner of X", ">owned_by", "<owned_by")
    training_set = TrainingSet(MAPPING, SCHEMA, asked=[*PAIRS, held_out], train=PAIRS, held_out=[held_out])
    grown = with_recombined(training_set, 0, 3)
    assert [item for item in grown.train if item not in PAIRS] == []
    assert with_recombined(replace(training_set, held_out=()), 0, 3).train[-1].text == held_out.text


def test_no_more_than_a_share_of_what_was_asked_and_seeded() -> None:
    items = [*PAIRS, *SHARED] * 10
    one, same, other = (recombined(items, SCHEMA, seed, 3) for seed in (0, 0, 1))
    assert one == same != other
    assert 0 < len(one) <= len(items) / 2
    assert all(item.paths[0][0] in item.starts for item in one)


@pytest.mark.parametrize("text", ["谁画了X", "X"])
def test_nothing_is_made_of_what_has_no_words(text: str) -> None:
    assert not recombined([asked(text, ">painted_by"), asked(f"{text}?", ">owned_by")], SCHEMA, 0, 3)
