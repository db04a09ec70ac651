"""Whether a path can be what some words mean."""

from __future__ import annotations

import pytest

from kgqa_graphdb.compose.fits import is_known
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.types import Path, Step

FLOWS, PEOPLE = make_relation("flows_into"), make_relation("lives_at", heads=("Person",), tails=("Lake",))
DEPTH = make_relation("depth", kind="property")


@pytest.mark.parametrize(("path", "known"), [
    ((Step(FLOWS),), True), ((Step(PEOPLE), Step(PEOPLE, inverse=True)), True), ((Step(FLOWS), Step(DEPTH)), True),
    ((Step(FLOWS), Step(FLOWS)), False), ((Step(PEOPLE), Step(FLOWS)), False),
])  # fmt: skip
def test_what_is_counted_over_two_steps_is_of_a_kind(path: Path, known: bool) -> None:
    assert is_known(path) is known
