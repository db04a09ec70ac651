"""Statements to paste: their values written into them, and still the same values."""

from __future__ import annotations

from datetime import UTC, date, datetime

import neo4j
import pytest

from kgqa_graphdb.compile.literal import browser_text
from kgqa_graphdb.types import Statement

pytestmark = pytest.mark.neo4j

VALUES = [
    "O'Brien",
    'says "x"',
    "back\\slash",
    "\\'",
    "a\\u0027b",
    "line\nbreak\r\ttab",
    "semicolon; RETURN 1",
    "// no comment",
    "`$value`",
    "😀 ü",
    "",
    True,
    -3,
    1.5,
    -1e-7,
    date(1610, 1, 7),
    ["a", "b'", ""],
    [1, -2],
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_survives_being_written_into_a_statement(driver: neo4j.Driver, value: object) -> None:
    text = browser_text(Statement("CYPHER 5\nRETURN $value AS value", {"value": value}))
    record = driver.execute_query(text).records[0]
    found = record["value"]
    assert (found.to_native() if isinstance(value, date) else found) == value


@pytest.mark.parametrize("value", [datetime(1969, 7, 20, 20, 17, 40, tzinfo=UTC), datetime(1969, 7, 20, 20, 17)])
def test_a_time_keeps_whether_it_has_a_zone(driver: neo4j.Driver, value: datetime) -> None:
    text = browser_text(Statement("CYPHER 5\nRETURN $value AS value", {"value": value}))
    assert driver.execute_query(text).records[0]["value"].to_native() == value


def test_a_dollar_in_a_name_a_string_or_a_comment_is_no_parameter(driver: neo4j.Driver) -> None:
    statement = Statement(
        "CYPHER 5 // $topic\nWITH $topic AS `$topic`, 1 AS n /* $topic */\n"
        "RETURN `$topic` AS name, '$topic \\' $topic' AS single, \"$topic\" AS double, 2 -$n AS difference, $`n` AS n",
        {"topic": "Io", "n": -1},
    )
    record = driver.execute_query(browser_text(statement)).records[0]
    assert record.data() == {"name": "Io", "single": "$topic ' $topic", "double": "$topic", "difference": 3, "n": -1}
