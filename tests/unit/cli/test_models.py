"""What a person reads of a model card."""

from __future__ import annotations

from kgqa_graphdb.cli.models import MAX_SHOWN, card_lines


def test_a_card_is_shown_with_its_sections_indented_and_long_lists_cut() -> None:
    card = {
        "method": "paths",
        "walk": None,
        "details": {"reranker": True, "least_fit": 0.123456, "relations": list("abcdefgh"), "training": {"steps": 1}},
    }
    assert list(card_lines(card)) == [
        "method   paths",
        "walk     none",
        "details",
        "  reranker   yes",
        "  least_fit  0.1235",
        f"  relations  {', '.join('abcdefgh'[:MAX_SHOWN])}, … 8 in all",
        "  training",
        "    steps  1",
    ]
