"""Ctrl-C while the Neo4j driver works."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import wait
from typing import TypeVar

from kgqa_graphdb.apart import begin_apart

T = TypeVar("T")

_POLL_S = 0.2
"""Windows does not wake a thread that waits without a limit."""


def interruptible(work: Callable[[], T]) -> T:
    """Run ``work`` in a thread of its own, which a Ctrl-C leaves behind.

    A driver that is interrupted while it reads loses its place in the stream, and then waits for ever for the answer to
    its rollback. Left behind, its connection ends with the process, and the server rolls back by itself.

    :raises KeyboardInterrupt: Ctrl-C; end the process soon
    """
    future = begin_apart(work)
    while not future.done():
        wait([future], timeout=_POLL_S)
    return future.result()
