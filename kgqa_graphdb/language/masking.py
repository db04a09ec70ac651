"""Placeholders in questions, where topics are named: their names must not count as words of a relation."""

from __future__ import annotations

from collections.abc import Iterable

TOPIC = "[X]"
"""Stands in a question where the topic that a path starts from is named; see :func:`mask_mention`."""
OTHER = "[Y]"
"""Stands where another topic is named."""


def mask_mention(text: str, start: int, end: int, others: Iterable[tuple[int, int]] = ()) -> str:
    """Put placeholders where topics are named: their names must not count as words of a relation.

    :param start: first character of the topic that the paths start from
    :param end: one past its last character
    :param others: the same of further topics; those that overlap the first are left out
    """
    spans = [(start, end, TOPIC)]
    for other_start, other_end in sorted(others):
        if all(other_end <= taken[0] or other_start >= taken[1] for taken in spans):
            spans.append((other_start, other_end, OTHER))
    for span_start, span_end, placeholder in sorted(spans, reverse=True):
        if span_start == span_end:  # it is not named
            continue
        text = f"{text[:span_start]}{placeholder}{text[span_end:]}"
    return text


def swap_topics(question: str) -> str:
    """The same question, read from its other topic."""
    parts = (part.replace(OTHER, TOPIC) for part in question.split(TOPIC))
    return OTHER.join(parts)
