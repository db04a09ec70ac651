"""Requests to a trained ranker, and its results."""

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
    """The paths found for a question.

    :ivar paths: as rows of steps with their probabilities, best first
    :ivar nothing: probability that there is no path at all
    :ivar looked: how many paths were scored
    """

    paths: list[tuple[tuple[int, ...], float]]
    nothing: float
    looked: int


class RerankRequest(NamedTuple):
    """The result of a question, to be ranked again.

    :ivar ends: what each path leads to; ``None``: the graph was not probed
    """

    text: str
    found: SearchResult
    ends: Sequence[EndpointStats] | None
    limit: int
