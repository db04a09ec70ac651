"""Mined examples: kept as they are found, and as arrays for training."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.mining import GoodPath
from kgqa_graphdb.rank.choices import choices_of
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.data.examples import Example, Mined, Side, WrongTopic, _is_wrong, _kept
from kgqa_graphdb.train.data.items import items_of, wrong_topic_negative
from kgqa_graphdb.train.paths.batches import batch_of, drawn
from kgqa_graphdb.types import Entity, Link
from tests.unit.rank.graphs import schema_of

MAPPING, _ = schema_of([
    (make_relation("flows_into"), "river", "sea"), (make_relation("country"), "river", "country"),
])  # fmt: skip
EXAMPLE = Example(
    "7", "which sea does [X] reach", (">country", ">flows_into"),
    (GoodPath((">flows_into",), 1.0), GoodPath((">country", "<country", ">flows_into"), 0.5)),
    (WrongTopic("which [X] does it reach", ("<flows_into",)),), topic=Entity("r1", "Danube", ("River",)),
)  # fmt: skip
SIDE = Side("which sea do [X] and [Y] reach", (">flows_into",), (GoodPath((">flows_into",), 0.8),))


def test_a_line_gives_the_example_back() -> None:
    assert Example.from_json(EXAMPLE.to_json()) == EXAMPLE
    wrong = replace(EXAMPLE, wrong=(WrongTopic("which [X] does it reach", (">country",)),))
    assert Example.from_json(wrong.to_json()) == wrong
    both = replace(EXAMPLE, sides=(SIDE, replace(SIDE, question="which sea do [Y] and [X] reach")))
    assert Example.from_json(both.to_json()) == both
    nowhere = Example("8", "what is [X]", (), ())
    assert Example.from_json(nowhere.to_json()) == nowhere


def test_the_servers_own_handle_of_a_topic_is_not_written() -> None:
    found = replace(EXAMPLE, topic=Entity("r1", "Danube", ("River",), element_id="4:abc:7"))
    assert "4:abc:7" not in found.to_json()
    read = Example.from_json(found.to_json()).topic
    assert read is not None
    assert (read, read.element_id) == (found.topic, "")


WANTED = Mined("rivers 0", "abc", 3, "free")


def written(path: Path, *lines: str) -> Path:
    path.write_text("\n".join([json.dumps(asdict(WANTED)), *lines]), encoding="utf-8")
    return path


def test_a_line_that_was_cut_off_is_looked_for_again(tmp_path: Path) -> None:
    cache = written(tmp_path / "mined.jsonl", EXAMPLE.to_json(), EXAMPLE.to_json()[:30])
    assert _kept(cache, WANTED, any_walk=False) == ([EXAMPLE], WANTED)
    assert cache.read_text(encoding="utf-8").splitlines()[1:] == [EXAMPLE.to_json()]
    assert _kept(written(tmp_path / "begun.jsonl"), WANTED, any_walk=False) == ([], None)


@pytest.mark.parametrize(
    "other", [{"questions": "b"}, {"graph": "rivers 1"}, {"max_hops": 2}, {"walk": "exclude_topic"}]
)
def test_examples_of_something_else_are_refused(tmp_path: Path, other: dict[str, Any]) -> None:
    cache = written(tmp_path / "mined.jsonl", EXAMPLE.to_json(), "")
    with pytest.raises(UsageError, match="holds paths for other questions, another graph or other options; remove it"):
        _kept(cache, replace(WANTED, **other), any_walk=False)


def test_the_walk_rule_of_the_file_is_taken(tmp_path: Path) -> None:
    cache = written(tmp_path / "mined.jsonl", EXAMPLE.to_json(), "")
    assert _kept(cache, replace(WANTED, walk="exclude_topic"), any_walk=True) == ([EXAMPLE], WANTED)


def test_another_file_is_no_file_of_examples(tmp_path: Path) -> None:
    cache = tmp_path / "mined.jsonl"
    cache.write_text('{"a": 1}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="not made by this version"):
        _kept(cache, WANTED, any_walk=False)


def test_a_worse_path_weighs_less_and_one_without_a_path_is_left_out() -> None:
    schema = Schema(MAPPING)
    (item,) = items_of([EXAMPLE, Example("8", "what", (">country",), ())], schema)
    assert item.weights == (1.0, 0.5**4)
    assert item.paths[0] == schema.rows((MAPPING.step(">flows_into"),))
    assert item.worth == 1.0


def test_a_question_of_two_topics_is_learned_from_each() -> None:
    schema = Schema(MAPPING)
    sides = (SIDE, replace(SIDE, question="which sea do [Y] and [X] reach"), replace(SIDE, paths=()))
    (alone,) = items_of([replace(EXAMPLE, sides=sides)], schema)
    assert (alone.text, len(alone.wrong)) == ("which sea does X reach", 1)
    one, other = alone.sides
    assert (one.text, other.text) == ("which sea do X and Y reach", "which sea do Y and X reach")
    into = schema.row_of[">flows_into"]
    assert (one.paths, one.starts, one.worth, one.wrong) == (((into,),), (into,), 0.8, ())


def test_a_batch_ends_paths_and_hides_what_answers() -> None:
    schema = Schema(MAPPING)
    (item,) = items_of([EXAMPLE], schema)
    stop, nothing = len(schema.steps), len(schema.steps) + 1
    shown = batch_of([item], len(schema.steps), [False])
    into, country = schema.row_of[">flows_into"], schema.row_of[">country"]
    np.testing.assert_array_equal(
        shown.chosen, [[into, stop, -1, -1], [country, schema.row_of["<country"], into, stop]]
    )
    assert {into, country} <= set(shown.starts[0].tolist())
    hidden = batch_of([item], len(schema.steps), [True])
    np.testing.assert_array_equal(hidden.chosen[:, 0], [nothing])
    assert not {into, country} & set(hidden.starts[0].tolist())


def test_from_a_wrong_topic_nothing_is_right() -> None:
    schema = Schema(MAPPING)
    (item,) = items_of([EXAMPLE], schema)
    wrong = wrong_topic_negative(item, 0)
    assert wrong.text == "which X does it reach"
    assert wrong.worth == item.worth
    batch = batch_of([item, wrong], len(schema.steps), [False, False])
    np.testing.assert_array_equal(batch.chosen[-1], [len(schema.steps) + 1, -1, -1, -1])
    np.testing.assert_array_equal(batch.starts[1], [schema.row_of["<flows_into"]])


def test_a_draw_stands_for_all_that_may_come_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kgqa_graphdb.train.paths.batches.MAX_COLUMNS", 40)
    after = [np.arange(0, 100), np.arange(50, 200)]
    right = np.array([3, 170])
    whole = choices_of(after, 1_000, begun=True)
    logits = np.linspace(-1, 1, len(whole.columns))
    sums = []
    for seed in range(300):
        choices, bias = drawn(whole, right, np.random.default_rng(seed))
        assert len(choices.columns) == 42
        assert {3, 170, 1_000, 1_001} <= set(choices.columns.tolist())
        assert not bias[np.isin(choices.columns, [3, 170, 1_000, 1_001])].any()
        own = logits[np.searchsorted(whole.columns, choices.columns)]
        sums.append((np.exp(own + bias) * choices.allowed).sum(axis=1))
    np.testing.assert_allclose(np.mean(sums, axis=0), (np.exp(logits) * whole.allowed).sum(axis=1), rtol=0.03)


def test_few_steps_are_all_compared() -> None:
    whole = choices_of([np.arange(10)], 1_000, begun=True)
    choices, bias = drawn(whole, np.array([3]), np.random.default_rng(0))
    assert choices is whole
    assert not bias.any()


def test_a_topic_beside_the_first_may_be_meant_too() -> None:
    spans = ((0, 4, "Elbe"), (0, 4, "Elbe 2"), (9, 14, "Rhine"))
    topic, namesake, beside = (Link(start, end, Entity(name, name), 1.0) for start, end, name in spans)
    best, half = (GoodPath((">flows_into",), 1.0),), (GoodPath((">country",), 0.4),)
    assert _is_wrong(topic, best, namesake, half)
    assert _is_wrong(topic, best, beside, ())
    assert not _is_wrong(topic, best, beside, half)
    assert not _is_wrong(topic, best, namesake, best)
