"""Metrics on examples worked out by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from kgqa_graphdb.evaluate import Predicted, Scores, score
from kgqa_graphdb.evaluate.metrics import RIGHT, WRONG, ProofScores, canonical, rog_hit, score_proof
from kgqa_graphdb.evaluate.outcome import predicted_of
from kgqa_graphdb.questions import Gold
from kgqa_graphdb.types import Value


def names(*texts: str, scores: tuple[float, ...] = ()) -> list[Predicted]:
    return [Predicted("", text, scores[n] if scores else 1.0) for n, text in enumerate(texts)]


def gold(*texts: str) -> list[Gold]:
    return [Gold(name=text) for text in texts]


@pytest.mark.parametrize(
    ("predicted", "right", "expected"),
    [
        # hits@1, RoG's hit, precision, recall, F1, exact match
        (names("a"), gold("a"), Scores(1, 1, 1, 1, 1, 1)),
        (names("a"), gold("b"), Scores(0, 0, 0, 0, 0, 0)),
        (names("a", "b", "c", "d"), gold("a", "e"), Scores(1 / 4, 1, 1 / 4, 1 / 2, 1 / 3, 0)),
        (names("a", "b", "c", scores=(0.9, 0.9, 0.4)), gold("b", "c"), Scores(1 / 2, 1, 2 / 3, 1, 4 / 5, 0)),
        (names("x", "a", scores=(0.9, 0.4)), gold("a"), Scores(0, 1, 1 / 2, 1, 2 / 3, 0)),
        (names("a", "b"), gold("b", "a"), Scores(1, 1, 1, 1, 1, 1)),
        (names("a"), gold("a", "b", "c"), Scores(1, 1, 1, 1 / 3, 1 / 2, 0)),
        ([], gold("a"), Scores(0, 0, 0, 0, 0, 0)),  # an abstention
        ([], [], Scores(1, 1, 1, 1, 1, 1)),  # rightly nothing
        (names("a"), [], Scores(0, 0, 0, 0, 0, 0)),  # something where nothing is right
        (names("The Beatles"), gold("beatles"), Scores(0, 1, 0, 0, 0, 0)),  # only RoG's hit is so lenient
    ],
)  # fmt: skip
def test_scores_are_those_worked_out_by_hand(predicted: list[Predicted], right: list[Gold], expected: Scores) -> None:
    found = score(predicted, right)
    for name in Scores.__slots__:
        assert getattr(found, name) == pytest.approx(getattr(expected, name)), name


def test_an_answer_is_gold_by_its_id_or_by_its_name() -> None:
    assert score([Predicted("m.1", "other name", 1)], [Gold("m.1", "name")]).f1 == 1
    assert score([Predicted("Q7", "name", 1)], [Gold("m.1", "name")]).f1 == 1
    assert score([Predicted("Q7", "other", 1)], [Gold("m.1", "name")]).f1 == 0
    assert score([Predicted("united_kingdom", "united kingdom", 1)], [Gold("united_kingdom")]).f1 == 1


def test_two_entities_of_the_gold_name_are_both_right() -> None:
    found = score([Predicted("Q1", "Paris", 1), Predicted("Q2", "Paris", 1)], [Gold(name="Paris"), Gold(name="Rome")])
    assert (found.precision, found.recall, found.exact_match) == (1, 0.5, 0)


@pytest.mark.parametrize(
    ("text", "same"),
    [("+1,200.0", "1200"), ("1200", "1200"), ("3.50", "3.5"), ("-7", "-7"), ("1950-01-02T00:00:00Z", "1950-01-02"),
     ("1950-01-02", "1950-01-02"), ("Apollo 13", "Apollo 13"), (" x ", "x"),
     ("12345678901234567890", "12345678901234567890.0")],
)  # fmt: skip
def test_values_written_differently_are_equal(text: str, same: str) -> None:
    assert canonical(text) == canonical(same)


def test_rog_hit_looks_for_gold_in_all_that_was_said() -> None:
    assert rog_hit(names("Long Water", "Made Land"), gold("made land"))
    assert not rog_hit(names("Long"), gold("Long Water"))


def test_yes_and_no_are_true_and_false_however_they_are_written() -> None:
    yes, no = (predicted_of(Value(value), 1.0) for value in (True, False))
    for text in ("true", "True", "yes", "Yes", "TRUE"):
        assert score([yes], gold(text)) == RIGHT
        assert score([no], gold(text)) == WRONG
    for text in ("false", "False", "no", "No"):
        assert score([no], gold(text)) == RIGHT
        assert score([yes], gold(text)) == WRONG
    entity = Predicted("Q1", "Yes", 1)
    assert score([entity], gold("Yes")).f1 == 1
    assert score([entity], gold("true")).f1 == 0
    assert score([yes], [Gold("true")]).exact_match == 0  # an entity of that id


@pytest.mark.parametrize(
    ("value", "text"),
    [(Value(5150, "km"), "5150"), (Value(5150, "km"), "5,150.0"), (Value(5150, "km"), "5150 km"),
     (Value(5150, "km"), "5,150 km"),
     (Value(datetime(1950, 1, 2, tzinfo=UTC)), "1950-01-02"), (Value(date(1950, 1, 2)), "1950-01-02T00:00:00Z"),
     (Value(2.5, "m"), "2.50")],
)  # fmt: skip
def test_a_value_is_a_gold_one_with_its_unit_and_without(value: Value, text: str) -> None:
    assert score([predicted_of(value, 1.0)], gold(text)) == RIGHT


def test_rog_hit_is_never_below_exact_match() -> None:
    for answer, right in (
        (Predicted("united_kingdom", "united kingdom", 1), Gold("united_kingdom")),
        (Predicted("c_(d)", "c (d)", 1), Gold("c_(d)")),
        (Predicted("m.1", "other name", 1), Gold("m.1", "name")),
        (Predicted("Q1", "Saint-Denis", 1), Gold(name="Saint-Denis")),
        (Predicted("", "1200", 1, "1200"), Gold(name="+1,200.0")),
    ):
        found = score([answer], [right])
        assert (found.exact_match, found.rog_hit) == (1, 1), right


def test_rog_hit_leaves_out_case_punctuation_and_articles_on_both_sides() -> None:
    assert rog_hit(names("A Night at the Opera"), gold("night at an opera"))
    assert rog_hit(names("Washington, D.C."), gold("washington dc"))
    assert rog_hit(names("The united_kingdom of x"), [Gold("United_Kingdom")])
    assert not rog_hit(names("Somebody"), gold("!!!"))
    assert not rog_hit(names("Somebody"), gold("The"))


def test_proof_is_scored_as_a_set_of_facts() -> None:
    one, two, three = ("a", "r", "b"), ("b", "s", "c"), ("b", "s", "d")
    assert score_proof([one, two, three], [one, two]) == ProofScores(2 / 3, 1, pytest.approx(4 / 5))
    assert score_proof([], [one]) == ProofScores(0, 0, 0)
    assert score_proof([three], [one, two]) == ProofScores(0, 0, 0)
