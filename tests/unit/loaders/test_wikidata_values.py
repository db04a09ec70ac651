"""Times, quantities and places of Wikidata."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from kgqa_graphdb.types import Point
from kgqa_loaders.wikidata.values import (
    JULIAN,
    Value,
    from_json,
    gregorian,
    literal,
    number,
    place_value,
    quantity_value,
    time_value,
)


@pytest.mark.parametrize(
    ("text", "precision", "scalar", "spoken"),
    [
        ("+1952-03-11T00:00:00Z", 11, date(1952, 3, 11), "11 March 1952"),
        ("+1952-03-11T10:20:30Z", 14, datetime(1952, 3, 11, 10, 20, 30, tzinfo=UTC), "11 March 1952"),
        ("+1952-03-00T00:00:00Z", 10, "1952-03", "March 1952"),
        ("+0952-03-00T00:00:00Z", 10, "0952-03", "March 952"),
        ("+1952-00-00T00:00:00Z", 9, 1952, "1952"),
        ("+1952-00-00T00:00:00Z", 11, 1952, "1952"),  # says that it knows the day, and gives none
        ("+1952-07-00T00:00:00Z", 11, "1952-07", "July 1952"),
        ("+1955-00-00T00:00:00Z", 8, "1950s", "1950s"),
        ("+1600-00-00T00:00:00Z", 7, "16th century", "16th century"),
        ("+1601-00-00T00:00:00Z", 7, "17th century", "17th century"),
        ("+2000-01-01T00:00:00Z", 7, "20th century", "20th century"),
        ("+2100-01-01T00:00:00Z", 7, "21st century", "21st century"),
        ("+2000-00-00T00:00:00Z", 6, "2nd millennium", "2nd millennium"),
        ("-0050-00-00T00:00:00Z", 7, "1st century BCE", "1st century BCE"),
        ("-0044-00-00T00:00:00Z", 9, -44, "44 BCE"),
        ("-0044-03-00T00:00:00Z", 10, -44, "March 44 BCE"),
        ("-0044-03-15T00:00:00Z", 11, -44, "15 March 44 BCE"),
        ("+12000-01-01T00:00:00Z", 11, 12000, "1 January 12000"),
        ("-13798000000-00-00T00:00:00Z", 3, -13798000000, "about 13798000000 BCE"),
    ],
)  # fmt: skip
def test_time_is_as_precise_as_it_is_known(text: str, precision: int, scalar: object, spoken: str) -> None:
    value = time_value(text, precision)
    assert (value.scalar, value.spoken) == (scalar, spoken)


@pytest.mark.parametrize(
    ("julian", "in_gregorian"),
    [
        ((1582, 10, 4), (1582, 10, 14)), ((1900, 2, 29), (1900, 3, 13)), ((1, 1, 3), (1, 1, 1)),
        ((-44, 3, 15), (-44, 3, 13)), ((-1, 12, 31), (-1, 12, 29)), ((1752, 9, 2), (1752, 9, 13)),
    ],
)  # fmt: skip
def test_julian_days_in_the_gregorian_calendar(
    julian: tuple[int, int, int], in_gregorian: tuple[int, int, int]
) -> None:
    assert gregorian(*julian) == in_gregorian


def test_julian_day_is_kept_with_its_calendar() -> None:
    value = time_value("+1643-12-25T00:00:00Z", calendar=JULIAN, stored_julian=True)
    assert (value.scalar, dict(value.details)) == (date(1644, 1, 4), {"calendar": "Julian"})
    assert dict(time_value("+1643-00-00T00:00:00Z", 9, calendar=JULIAN, stored_julian=True).details) == {}


def test_years_before_the_first_are_numbered_as_people_do() -> None:
    assert time_value("-0043-03-15T00:00:00Z", astronomical=True).spoken == "15 March 44 BCE"
    assert time_value("0000-01-01T00:00:00Z", 9, astronomical=True).scalar == -1
    assert time_value("-13798000000-01-01T00:00:00Z", 3, astronomical=True).scalar == -13798000000


@pytest.mark.parametrize(
    ("text", "precision"), [("1952", 9), ("+1952-02-30T00:00:00Z", 11), ("+1952-01-01", 15), ("", 11)]
)
def test_what_is_no_time_is_refused(text: str, precision: int) -> None:
    with pytest.raises(ValueError, match="is no"):
        time_value(text, precision)


@pytest.mark.parametrize(
    ("text", "value"),
    [("+5", 5), ("-5.0", -5), ("+1.96", 1.96), ("+0", 0), ("1e3", 1000), ("99999999999999999999", 1e20), (".5", 0.5)],
)  # fmt: skip
def test_numbers_are_integers_where_they_are(text: str, value: float) -> None:
    found = number(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("text", ["", "five", "1e999", "9" * 5000, "0x10", "nan", "1_000"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="number"):
        number(text)


def test_bounds_that_equal_the_amount_are_nothing_to_note() -> None:
    assert quantity_value("+5", "1", "+5", "+5") == literal(5)
    assert dict(quantity_value("+5", "http://www.wikidata.org/entity/Q11573", "+6", "+4").details) == {
        "upper": 6, "lower": 4,
    }  # fmt: skip
    assert quantity_value("+1500", "Q11573").spoken == "1,500 m"


def test_places() -> None:
    assert place_value(10, 20, "http://www.wikidata.org/entity/Q2").scalar == Point(20.0, 10.0)
    assert place_value(10, 350).scalar == Point(-10.0, 10.0)
    with pytest.raises(ValueError, match="no place"):
        place_value(100, 20)


@pytest.mark.parametrize(
    "datavalue",
    [
        {"type": "string", "value": 5}, {"type": "bad", "value": "x"}, {"type": "string"}, [], "text", None,
        {"type": "wikibase-entityid", "value": {}}, {"type": "time", "value": {"time": 5, "precision": 11}},
        {"type": "globecoordinate", "value": {"latitude": None, "longitude": 1}},
        {"type": "quantity", "value": {"amount": 5}}, {"type": "monolingualtext", "value": {"text": "x"}},
    ],
)  # fmt: skip
def test_what_wikibase_would_not_write_raises_what_the_reader_expects(datavalue: object) -> None:
    with pytest.raises((ValueError, KeyError, TypeError, AttributeError)):
        from_json(datavalue)


def test_value_of_an_entity() -> None:
    value = {"type": "wikibase-entityid", "value": {"entity-type": "lexeme", "numeric-id": 7}}
    assert from_json(value) == Value("entity", "L7")
