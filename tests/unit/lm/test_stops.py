"""Completions end where a stop text begins, streamed or whole."""

from __future__ import annotations

import pytest

from kgqa_graphdb.lm.stops import before_stop, stream_before_stop


@pytest.mark.parametrize("text", ["", "abcEND", "ENDabc", "abcENENDx", "aEN", "nothing", "STENDOP", "STOP"])
@pytest.mark.parametrize("size", [1, 2, 3, 50])
@pytest.mark.parametrize("stop", [(), ("END",), ("END", "STOP"), ("D",)])
def test_streamed_and_whole_alike(text: str, size: int, stop: tuple[str, ...]) -> None:
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assert "".join(stream_before_stop(pieces, stop)) == before_stop(text, stop)
