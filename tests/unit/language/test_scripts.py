"""Scripts that put no spaces between words."""

from __future__ import annotations

import pytest

from kgqa_graphdb.language.scripts import SPACED_WORD, has_cjk, may_part


@pytest.mark.parametrize("text", ["杭州", "かな", "カナ", "한글", "々", "Tokyo 東京"])
def test_chinese_japanese_and_korean_are_such_scripts(text: str) -> None:
    assert has_cjk(text)
    assert not SPACED_WORD.fullmatch(text)


@pytest.mark.parametrize("text", ["word", "Ærø", "слово", "λέξη"])
def test_others_part_words_by_spaces(text: str) -> None:
    assert not has_cjk(text)
    assert SPACED_WORD.fullmatch(text)


def test_words_part_at_spaces_at_ends_and_next_to_such_characters() -> None:
    assert may_part("", "a")
    assert may_part("a", " ")
    assert may_part("a", "京")
    assert not may_part("a", "b")
