"""Variants of questions: what is changed, what never is, and that a seed gives the same ones."""

from __future__ import annotations

import pytest
from rapidfuzz.distance import OSA

from kgqa_graphdb.questions import Gold, Pair, perturbed

ASKED = Pair("7", "Who made the film [Long Water], please?", (Gold(name="Ann"),), hops=1)
PLAIN = "Who made the film Long Water, please?"
BARE = Pair("8", "who made it", (Gold(name="Ann"),))


def variants(pair: Pair, seed: int = 0) -> dict[str, Pair]:
    return {one.type: one for one in perturbed([pair], seed)}


def test_all_kinds_keep_the_answers() -> None:
    found = variants(ASKED)
    assert list(found) == [
        "as asked", "unmarked", "lower case", "no punctuation", "wrapped", "typo in topic", "typo elsewhere",
    ]  # fmt: skip
    assert all(one.answers == ASKED.answers and one.hops == 1 for one in found.values())
    assert len({one.id for one in found.values()}) == len(found)
    assert found["as asked"].question == ASKED.question
    assert found["unmarked"].question == PLAIN
    assert found["lower case"].question == PLAIN.lower()
    assert found["no punctuation"].question == "Who made the film Long Water please"
    assert PLAIN in found["wrapped"].question


@pytest.mark.parametrize("seed", range(30))
def test_a_typo_is_one_edit_where_it_belongs(seed: int) -> None:
    found = variants(ASKED, seed)
    in_topic, elsewhere = found["typo in topic"].question, found["typo elsewhere"].question
    assert OSA.distance(PLAIN, in_topic) == OSA.distance(PLAIN, elsewhere) == 1
    assert in_topic.startswith("Who made the film Long W")
    assert in_topic.endswith(", please?")
    assert "film Long Water, p" in elsewhere


def test_a_seed_gives_the_same_variants_whatever_stands_beside_them() -> None:
    assert list(perturbed([BARE, ASKED], 3))[-len(variants(ASKED, 3)) :] == list(perturbed([ASKED], 3))
    assert len({variants(ASKED, seed)["typo in topic"].question for seed in range(20)}) > 5


def test_what_would_not_change_is_left_out() -> None:
    assert list(variants(BARE)) == ["as asked", "wrapped"]
