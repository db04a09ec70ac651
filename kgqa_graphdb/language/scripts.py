"""Scripts that put no spaces between words: Chinese, Japanese and Korean."""

from __future__ import annotations

import re

_CJK = "\u2e80-\u9fff\uac00-\ud7af"
_CJK_CHARACTER = re.compile(f"[{_CJK}]")
SPACED_WORD = re.compile(rf"[^\W\d{_CJK}]+")
"""A word of a script that parts words by spaces, in letters alone."""


def has_cjk(text: str) -> bool:
    """Whether a character of a text is Chinese, Japanese or Korean."""
    return _CJK_CHARACTER.search(text) is not None


def may_part(left: str, right: str) -> bool:
    """Whether one word may end and the next begin between two characters; either may be none."""
    return not left or not right or " " in (left, right) or has_cjk(left + right)
