"""Ctrl-C while the Neo4j driver works."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")

_POLL_S = 0.2
"""Windows does not wake a thread that waits without a limit."""


def interruptible(work: Callable[[], T]) -> T:
    """Run ``work`` in a thread of its own, which a Ctrl-C leaves behind.

    A driver that is interrupted while it reads loses its place in the stream, and then waits for ever for the answer to
    its rollback. Left behind, its connection ends with the process, and the server rolls back by itself.

    :raises KeyboardInterrupt: Ctrl-C; end the process soon
    """
    future: Future[T] = Future()

    def target() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001  # handed over whole, and raised below
            future.set_exception(error)

    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(_POLL_S)
    return future.result()
