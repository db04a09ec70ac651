"""What a trained ranker is asked for, and what it finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kgqa_graphdb.graph import EndpointStats


class SearchRequest(NamedTuple):
    """A question to find paths for.

    :ivar starts: rows of the steps that leave its topic
    """

    text: str
    starts: tuple[int, ...]
    max_hops: int
    limit: int


class SearchResult(NamedTuple):
    """What is found for a question.

    :ivar paths: as rows of steps with their probabilities, best first
    :ivar nothing: probability that there is no path at all
    :ivar looked: how many were looked at
    """

    paths: list[tuple[tuple[int, ...], float]]
    nothing: float
    looked: int


class RerankRequest(NamedTuple):
    """What was found for a question, to be ranked again.

    :ivar ends: what each path leads to; ``None``: nobody has looked
    """

    text: str
    found: SearchResult
    ends: Sequence[EndpointStats] | None
    limit: int
