"""What is remembered of questions: shares of the paths that those like a new one asked for."""

from __future__ import annotations

import numpy as np
import pytest

from kgqa_graphdb.rank.memory import MEMORY_SMOOTHING, SHARPNESS, Asked, Memory

PATHS = [(">director",), (">born_in", ">country"), (">spouse",)]


def unit(*angles: float) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Vectors of two numbers each, by their angles to the first axis."""
    return np.array([[np.cos(angle), np.sin(angle)] for angle in angles], dtype=np.float32)


def test_a_path_is_as_likely_as_it_was_asked_for_by_what_is_alike() -> None:
    asked = [Asked(0, 0, 1.0), Asked(1, 0, 0.25), Asked(1, 1, 0.75), Asked(2, 2, 1.0)]
    memory = Memory(unit(0.0, 0.1, 1.5), PATHS, asked)
    (question,) = unit(0.05)
    near = np.exp(SHARPNESS * np.cos([0.05, 0.05, 1.45]))
    first, second, far = near / near.sum()
    wanted = [first + 0.25 * second, 0.75 * second, far, 0.0]
    found = memory.log_shares(question, [*PATHS, (">nobody_asked",)])
    np.testing.assert_allclose(np.exp(found), np.array(wanted) + MEMORY_SMOOTHING, rtol=1e-4)
    assert found[0] > found[1] > found[2] > found[3] == pytest.approx(np.log(MEMORY_SMOOTHING))


def test_a_path_is_its_steps_in_their_order() -> None:
    memory = Memory(unit(0.0), PATHS, [Asked(0, 1, 1.0)])
    forth, back = memory.log_shares(unit(0.0)[0], [(">born_in", ">country"), (">country", ">born_in")])
    assert forth == pytest.approx(np.log(1 + MEMORY_SMOOTHING), rel=1e-5)
    assert back == pytest.approx(np.log(MEMORY_SMOOTHING))


@pytest.mark.parametrize("questions", [0, 2])
def test_nothing_that_was_asked_for_tells_no_path_from_another(questions: int) -> None:
    memory = Memory(unit(*[0.0] * questions).reshape(questions, 2), [], [])
    assert memory.log_shares(unit(0.3)[0], PATHS).tolist() == [pytest.approx(np.log(MEMORY_SMOOTHING))] * 3
    assert memory.log_shares(unit(0.3)[0], []).shape == (0,)
