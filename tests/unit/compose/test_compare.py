"""Numbers and years, compared with values as a property holds them."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from kgqa_graphdb.compose.compare import are_numbers, as_stored, flags_of, have_order
from kgqa_graphdb.parse.parsed import Comparison
from kgqa_graphdb.types import Scalar

AFTER, IN = Comparison(">", 1990, moment=True), Comparison("=", 1990, moment=True)


@pytest.mark.parametrize(
    ("held", "after", "within"),
    [
        (1985, [(">", 1990)], [("=", 1990)]),
        (date(1985, 5, 1), [(">=", date(1991, 1, 1))], [(">=", date(1990, 1, 1)), ("<", date(1991, 1, 1))]),
        ("1985-05-01 00:00", [(">=", "1991-01-01")], [(">=", "1990-01-01"), ("<", "1991-01-01")]),
        ("1985", [(">", "1990")], [("=", "1990")]),
        (
            datetime(1985, 5, 1, tzinfo=UTC),
            [(">=", datetime(1991, 1, 1, tzinfo=UTC))],
            [(">=", datetime(1990, 1, 1, tzinfo=UTC)), ("<", datetime(1991, 1, 1, tzinfo=UTC))],
        ),
    ],
)
def test_a_year_is_compared_as_values_are_written(held: Scalar, after: object, within: object) -> None:
    assert as_stored([AFTER], [held]) == after
    assert as_stored([IN], [held]) == within


@pytest.mark.parametrize("bound", [500, 12000, 1900.5, date(1902, 5, 1)])
def test_texts_of_years_are_compared_with_whole_years_of_four_digits(bound: float | date) -> None:
    assert as_stored([Comparison(">", 1800), Comparison("<", bound)], ["1902", "1911"]) is None


def test_a_day_is_compared_with_moments_only() -> None:
    day = Comparison(">", date(1990, 5, 1))
    assert as_stored([day], [date(1985, 1, 1)]) == [(">=", date(1990, 5, 2))]
    assert as_stored([day], [1985]) is None
    assert as_stored([Comparison(">", date.max)], [date(1985, 1, 1)]) is None


@pytest.mark.parametrize("held", [[], ["somewhere"], [True]])
def test_what_has_no_order_is_not_compared(held: list[Scalar]) -> None:
    assert as_stored([AFTER], held) is None
    assert not have_order(held)


def test_yes_and_no_are_no_numbers_and_values_of_two_sorts_have_no_order() -> None:
    assert are_numbers([1, 2.5])
    assert not are_numbers([True, 1])
    assert not are_numbers([])
    assert have_order([1, 2.5])
    assert have_order([date(1985, 1, 1), date(1986, 1, 1)])
    assert not have_order([date(1985, 1, 1), 1986])
    assert not have_order(["1985-01-01", "unknown"])


@pytest.mark.parametrize(
    ("held", "flags"),
    [
        ([True, False], (False, True)),
        (["0", "1"], ("0", "1")),
        (["yes", "yes"], ("no", "yes")),
        ([0, 1, 2], None),
        (["1", "many"], None),
        ([], None),
    ],
)
def test_no_and_yes_as_they_are_held(held: list[Scalar], flags: object) -> None:
    assert flags_of(held) == flags
