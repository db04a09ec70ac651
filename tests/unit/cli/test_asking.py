"""How a person says which method answers."""

from __future__ import annotations

import pytest

from kgqa_graphdb.cli.asking import method_settings
from kgqa_graphdb.errors import UsageError


def test_settings_are_read_from_texts_and_shorthands() -> None:
    given = method_settings("paths", ["abstain_below = 0.5"], readings=2, abstain_below=None)
    assert given == {"readings": 2, "abstain_below": "0.5"}


@pytest.mark.parametrize(
    ("method", "given", "message"),
    [
        ("path", [], "nearest: 'paths'"),
        ("paths", ["readings"], r"--set 'readings' is not KEY=VALUE"),
        ("paths", ["=2"], r"is not KEY=VALUE"),
        ("paths", ["readings=two"], r"setting 'readings' of method 'paths' can't be 'two'"),
    ],
)
def test_what_is_wrong_is_named_before_anything_is_asked(method: str, given: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        method_settings(method, given, readings=None, abstain_below=None)
