"""Texts that end a completion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence


def before_stop(text: str, stop: Sequence[str]) -> str:
    """A text up to the first of some texts in it."""
    return text[: min((place for end in stop if (place := text.find(end)) >= 0), default=len(text))]


def stream_before_stop(pieces: Iterable[str], stop: Sequence[str]) -> Iterator[str]:
    """A stream up to the first of some texts in it, wherever its pieces part; what may begin one waits."""
    pending = ""
    for piece in pieces:
        pending += piece
        text = before_stop(pending, stop)
        if len(text) < len(pending):
            if text:
                yield text
            return
        ready = len(pending) - max((_begun(pending, end) for end in stop), default=0)
        if ready:
            yield pending[:ready]
        pending = pending[ready:]
    if pending:
        yield pending


def _begun(text: str, end: str) -> int:
    """How many characters at the end of a text are the beginning of another."""
    return next((size for size in range(min(len(text), len(end) - 1), 0, -1) if text.endswith(end[:size])), 0)
