"""Parameters as Cypher literals, for pasting."""

from __future__ import annotations

import pytest

from kgqa_graphdb.compile.literal import literal


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("O'Hara", r"'O\'Hara'"),
        ("C:\\u0041", r"'C:\\u0041'"),
        ("two\nlines\r", r"'two\nlines\r'"),
        ("a\ttab and \x1b[31m", r"'a\u0009tab and \u001b[31m'"),
        ('🚀 東京 `x` "y"', "'🚀 東京 `x` \"y\"'"),
        (["a", 1, 2.5, True, None], "['a', 1, 2.5, true, null]"),
    ],
)
def test_a_literal_survives_being_printed_and_pasted(value: object, text: str) -> None:
    assert literal(value) == text
