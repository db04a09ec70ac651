"""Requests that need no server: what one round asks of one model is worked on together."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kgqa_graphdb.errors import EncoderError, KgqaError
from kgqa_graphdb.local import compute_all, leaves_of, nested, refuse
from kgqa_graphdb.steps import Batch, Compute, Generate, Mark, Request


class Doubler:
    """Doubles numbers; can't double what is negative."""

    def __init__(self) -> None:
        self.calls: list[list[int]] = []

    def many(self, items: Sequence[int]) -> list[int]:
        self.calls.append(list(items))
        if min(items) < 0:
            raise EncoderError("negative")
        return [2 * item for item in items]


def test_a_model_works_once_a_round_on_what_is_its_own() -> None:
    one, other = Doubler(), Doubler()
    requests: list[Request[object]] = [
        Compute(one.many, 1), Mark("reason"), Compute(other.many, 5), Compute(one.many, 2),
    ]  # fmt: skip
    assert compute_all(requests) == {0: 2, 2: 10, 3: 4}
    assert (one.calls, other.calls) == ([[1, 2]], [[5]])


def test_what_goes_wrong_reaches_those_who_asked() -> None:
    bad, good = Doubler(), Doubler()
    answers = compute_all([Compute(bad.many, 1), Compute(good.many, 1), Compute(bad.many, -1)])
    assert answers[1] == 2
    assert isinstance(answers[0], EncoderError)
    assert answers[0] is answers[2]


def test_leaves_and_their_answers_keep_their_order_at_any_depth() -> None:
    requests = [Mark("a"), Batch((Mark("b"), Batch((Mark("c"), Mark("d"))))), Mark("e")]
    leaves = leaves_of(requests)
    assert [leaf.stage for leaf in leaves if isinstance(leaf, Mark)] == list("abcde")
    assert nested(requests, iter([1, 2, 3, 4, 5])) == [1, (2, (3, 4)), 5]


def test_what_nobody_can_do_is_refused() -> None:
    assert refuse(Mark("reason")) is None
    assert isinstance(refuse(Generate("tell me")), KgqaError)
    with pytest.raises(TypeError, match="unknown request"):
        refuse(Compute(len, 1))
