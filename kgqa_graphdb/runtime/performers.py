"""The table from the type of a request to what performs it, and how a round of requests is taken apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

from kgqa_graphdb.runtime.computing import LocalModels, compute_all, embed_all
from kgqa_graphdb.runtime.generating import count_all, describe_all, generate_all, score_all
from kgqa_graphdb.runtime.shared_reads import READS
from kgqa_graphdb.steps import (
    Batch,
    Compute,
    CountTokens,
    DescribeModel,
    Embed,
    Generate,
    Mark,
    Request,
    ScoreContinuation,
)

Performer: TypeAlias = Callable[[Mapping[int, Any], LocalModels], dict[int, Any]]
"""Takes all requests of one type in a round, by their place; gives for each place the answer, or the error."""


def _acknowledge(requests: Mapping[int, Mark], models: LocalModels) -> dict[int, Any]:
    return dict.fromkeys(requests)


PERFORMERS: Mapping[type[Request[Any]], Performer] = MappingProxyType(
    {
        Embed: embed_all,
        Compute: compute_all,
        Generate: generate_all,
        ScoreContinuation: score_all,
        CountTokens: count_all,
        DescribeModel: describe_all,
        Mark: _acknowledge,
    }
)
"""What needs no server; :data:`kgqa_graphdb.runtime.shared_reads.READS` go to the server's driver, of either kind."""


def leaves_of(requests: Sequence[Request[Any]]) -> list[Request[Any]]:
    """The requests inside batches, at any depth, in order."""
    found: list[Request[Any]] = []
    for request in requests:
        found.extend(leaves_of(request.requests) if isinstance(request, Batch) else [request])
    return found


def nested(requests: Sequence[Request[Any]], answers: Iterator[Any]) -> list[Any]:
    """The leaves' answers, nested as the requests were."""
    return [
        tuple(nested(request.requests, answers)) if isinstance(request, Batch) else next(answers)
        for request in requests
    ]


def perform_locally(leaves: Sequence[Request[Any]], models: LocalModels) -> dict[int, Any]:
    """Perform what needs no server; place → answer or error.

    :raises TypeError: nothing performs a request of this type
    """
    by_type: defaultdict[type[Request[Any]], dict[int, Request[Any]]] = defaultdict(dict)
    for place, leaf in enumerate(leaves):
        if not isinstance(leaf, READS):
            by_type[type(leaf)][place] = leaf
    unknown = by_type.keys() - PERFORMERS
    if unknown:
        raise TypeError(f"unknown request {next(iter(by_type[unknown.pop()].values()))!r}")
    return {
        place: answer
        for kind, requests in by_type.items()
        for place, answer in PERFORMERS[kind](requests, models).items()
    }


def takes_time(leaves: Sequence[Request[Any]]) -> bool:
    """Whether performing them locally would block an event loop."""
    return not all(isinstance(leaf, (*READS, Mark)) for leaf in leaves)
