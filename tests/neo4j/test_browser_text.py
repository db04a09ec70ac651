"""Statements to paste: their values written into them, and still the same values."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime

import neo4j
import pytest

from kgqa_graphdb.compile.literal import browser_text, literal
from kgqa_graphdb.queries import quote
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


PIECES = (
    "\\",
    "\\\\",
    "\\u",
    "\\u0041",
    "\\u0060",
    "u",
    "U",
    "`",
    "``",
    "'",
    '"',
    "$",
    "x",
    " ",
    "\n",
    "005C",
    "😀",
    "é",
    "/*",
    "//",
)


def made_texts(count: int) -> list[str]:
    """Texts of what Cypher may take for something else, the same ones each time."""
    made = random.Random(7)
    found = {"".join(made.choices(PIECES, k=made.randint(1, 9))) for _ in range(2 * count)}
    assert len(found) >= count
    return sorted(found)[:count]


def test_names_and_texts_of_backslashes_and_quotes_come_back_as_they_were(driver: neo4j.Driver) -> None:
    texts = made_texts(3_000)
    for start in range(0, len(texts), 100):
        some = texts[start : start + 100]
        columns = ", ".join(f"{literal(text)} AS {quote(text)}" for text in some)
        record = driver.execute_query(f"CYPHER 5 RETURN {columns}").records[0]  # type: ignore[arg-type]
        assert record.keys() == some
        assert record.values() == some


def test_labels_types_and_keys_of_backslashes_are_written_and_found(driver: neo4j.Driver) -> None:
    names = [name for name in made_texts(400) if "\\" in name][:40]
    for name in names:
        quoted = quote(name)
        statement = f"CYPHER 5 CREATE p = (a:{quoted} {{{quoted}: 1}})-[:{quoted}]->() "
        statement += f"WITH p, a MATCH (a:{quoted})-[r:{quoted}]->() RETURN labels(a), type(r), keys(a)"
        with driver.session() as session, session.begin_transaction() as transaction:
            assert transaction.run(statement).values() == [[[name], name, [name]]]  # type: ignore[arg-type]
            transaction.rollback()
