"""What a training shows: English questions only where they teach something, and nothing of what is held out."""

from __future__ import annotations

import pytest

from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.data.sets import COMPOSED, TrainingSet, composed_count, plain_items, with_composed
from kgqa_graphdb.train.settings import Training
from tests.unit.rank.graphs import schema_of


@pytest.mark.parametrize(
    ("relations", "beside_pairs", "wanted"),
    [
        (("flows_into", "mapped_by"), True, COMPOSED),
        (("流入", "测绘者"), True, 0),
        (("流入", "测绘者"), False, COMPOSED),
        (("flows_into", "mapped_by", "流入"), True, COMPOSED),
        (("flows_into", "测绘者", "流入"), True, 0),
    ],
)
def test_english_is_composed_beside_pairs_where_relations_are_in_latin_letters(
    relations: tuple[str, ...], beside_pairs: bool, wanted: int
) -> None:
    mapping, _ = schema_of([(make_relation(name), "river", "sea") for name in relations])
    assert composed_count(Schema(mapping), beside_pairs=beside_pairs) == wanted


def test_relations_words_are_shown_alone_beside_the_topic() -> None:
    mapping, _ = schema_of([(make_relation(name), "river", "sea") for name in ("flows_into", "测绘者")])
    schema = Schema(mapping)
    items = plain_items(schema, 2_000, 0)
    rows = {item.text: item.paths for item in items}
    assert rows == {
        f"X {schema.steps[0].phrase}": ((0,),), f"{schema.steps[0].phrase} X": ((0,),),
        "X测绘者": ((2,),), "测绘者X": ((2,),),
    }  # fmt: skip
    assert len(items) == 100
    assert all(path[0] in item.starts for item in items for path in item.paths)
    assert plain_items(schema, 0, 0) == []


def test_composed_questions_that_are_held_out_are_not_shown_until_the_end() -> None:
    mapping, _ = schema_of([(make_relation(name), "river", "sea") for name in ("flows_into", "mapped_by")])
    training_set = with_composed(TrainingSet(mapping, Schema(mapping)), 300, Training(max_hops=2), most=20)
    assert len(training_set.made) == 300
    assert len(training_set.unseen) == 20
    assert not {item.text for item in training_set.unseen} & {item.text for item in training_set.composed}
    assert training_set.shown == len(training_set.composed) < 280
    assert training_set.whole().composed == training_set.made
