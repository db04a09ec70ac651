"""Mined examples: kept as they are found, and as arrays for training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.mining import GoodPath
from kgqa_graphdb.questions import Gold, Pair
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.batches import batch_of, items_of
from kgqa_graphdb.train.examples import Example, _kept
from tests.unit.rank.graphs import schema_of

MAPPING, _ = schema_of([
    (make_relation("flows_into"), "river", "sea"), (make_relation("country"), "river", "country"),
])  # fmt: skip
EXAMPLE = Example(
    "7", "which sea does [X] reach", (">country", ">flows_into"),
    (GoodPath((">flows_into",), 1.0), GoodPath((">country", "<country", ">flows_into"), 0.5)),
)  # fmt: skip
PAIRS = [Pair("7", "which sea does [Rhine] reach", (Gold(name="North Sea"),)), Pair("8", "what?", (Gold(name="a"),))]


def test_a_line_gives_the_example_back() -> None:
    assert Example.from_json(EXAMPLE.to_json()) == EXAMPLE


def test_a_line_that_was_cut_off_is_looked_for_again(tmp_path: Path) -> None:
    cache = tmp_path / "mined.jsonl"
    cache.write_text(f"{EXAMPLE.to_json()}\n{EXAMPLE.to_json()[:30]}", encoding="utf-8")
    assert list(_kept(cache, PAIRS)) == [EXAMPLE]
    assert cache.read_text(encoding="utf-8") == f"{EXAMPLE.to_json()}\n"


def test_examples_of_other_questions_are_refused(tmp_path: Path) -> None:
    cache = tmp_path / "mined.jsonl"
    cache.write_text(f"{EXAMPLE.to_json()}\n", encoding="utf-8")
    with pytest.raises(UsageError, match="mined for other questions; remove it"):
        list(_kept(cache, PAIRS[1:]))


def test_a_worse_path_weighs_less_and_one_without_a_path_is_left_out() -> None:
    schema = Schema(MAPPING)
    (item,) = items_of([EXAMPLE, Example("8", "what", (">country",), ())], schema)
    assert item.weights == (1.0, 0.5**4)
    assert item.paths[0] == schema.rows((MAPPING.step(">flows_into"),))
    assert item.worth == 1.0


def test_a_batch_ends_paths_and_hides_what_answers() -> None:
    schema = Schema(MAPPING)
    (item,) = items_of([EXAMPLE], schema)
    stop, nothing = len(schema.steps), len(schema.steps) + 1
    shown = batch_of([item], len(schema.steps), [False])
    into, country = schema.row_of[">flows_into"], schema.row_of[">country"]
    np.testing.assert_array_equal(
        shown.chosen, [[into, stop, -1, -1], [country, schema.row_of["<country"], into, stop]]
    )
    assert shown.starts[0, [into, country, nothing]].all()
    assert not shown.starts[0, stop]
    hidden = batch_of([item], len(schema.steps), [True])
    np.testing.assert_array_equal(hidden.chosen[:, 0], [nothing])
    assert not hidden.starts[0, [into, country]].any()
