"""What may come next for many paths together: no more columns than are used, and each path its own."""

from __future__ import annotations

import numpy as np

from kgqa_graphdb.rank.choices import NO_ROWS, choices_of


def test_only_steps_that_some_path_may_walk_have_a_column() -> None:
    choices = choices_of([np.array([7, 2]), np.array([2]), NO_ROWS], 10, begun=True)
    np.testing.assert_array_equal(choices.columns, [2, 7, 10, 11])
    np.testing.assert_array_equal(
        choices.allowed, [[True, True, True, False], [True, False, True, False], [False, False, True, False]]
    )


def test_a_path_without_a_step_may_be_none_but_can_not_end() -> None:
    choices = choices_of([np.array([3])], 5, begun=False)
    np.testing.assert_array_equal(choices.columns, [3, 5, 6])
    np.testing.assert_array_equal(choices.allowed, [[True, False, True]])


def test_further_steps_have_a_column_that_no_path_may_take() -> None:
    choices = choices_of([np.array([3])], 5, np.array([4]), begun=True)
    np.testing.assert_array_equal(choices.columns, [3, 4, 5, 6])
    assert not choices.allowed[0, 1]
