"""Which of two relations that differ in "to" and "from" some words mean."""

from __future__ import annotations

import pytest

from kgqa_graphdb.compose.fits import keeps_ends
from kgqa_graphdb.language import ENGLISH
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.types import Step

TO, FROM = (Step(make_relation(name, heads=("Parcel",), tails=("Depot",))) for name in ("SENT_TO", "SENT_FROM"))


@pytest.mark.parametrize(
    ("text", "to", "from_"),
    [
        ("which parcels to [X]", True, False),
        ("which parcels sent from [X]", False, True),
        ("received parcels", True, False),
        ("parcels", True, True),
        ("parcels from 2010 to 2012", True, True),
    ],
)
def test_to_and_from_choose_a_relation(text: str, to: bool, from_: bool) -> None:
    assert (keeps_ends((TO,), text, ENGLISH), keeps_ends((FROM,), text, ENGLISH)) == (to, from_)
