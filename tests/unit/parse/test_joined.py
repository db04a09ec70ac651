"""How a question asks something of two of the three that it names."""

from __future__ import annotations

import pytest

from kgqa_graphdb.parse.joined import each_of_two
from kgqa_graphdb.types import Entity, Link


def links(text: str) -> list[Link]:
    return [Link(text.index(one), text.index(one) + len(one), Entity(one, one), 1.0) for one in ("Ada", "Bo", "Cy")]


@pytest.mark.parametrize(
    ("question", "op", "each"),
    [
        ("Does Ada teach Bo or Cy?", "or", ["Does Ada teach Bo?", "Does Ada teach Cy?"]),
        ("Did either Bo or Cy teach Ada?", "or", ["Did Bo teach Ada?", "Did Cy teach Ada?"]),
        ("Is Ada taught by Bo or by Cy?", "or", ["Is Ada taught by Bo?", "Is Ada taught by Cy?"]),
        ("Has Ada met both Cy and Bo?", "and", ["Has Ada met Cy?", "Has Ada met Bo?"]),
    ],
)
def test_a_question_of_two_is_two_questions(question: str, op: str, each: list[str]) -> None:
    found = each_of_two(question, links(question))
    assert found is not None
    assert (found.op, [text for text, _, _ in found.each]) == (op, each)
    for text, *named in found.each:
        assert all(text[link.start : link.end] == link.entity.name for link in named)
        assert named[0].start < named[1].start


@pytest.mark.parametrize("question", ["Is the teacher of Ada Bo or Cy?", "Did Ada teach Bo but not Cy?"])
def test_what_asks_which_or_leaves_one_out_does_not(question: str) -> None:
    assert each_of_two(question, links(question)) is None
