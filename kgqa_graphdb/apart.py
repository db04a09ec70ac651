"""Work in threads that nobody has to wait for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def begin_apart(work: Callable[[], T]) -> Future[T]:
    """Begin ``work`` in a thread of its own, which can be left behind.

    The end of the process waits for the threads of a ``ThreadPoolExecutor``, also for those that wait for a server
    that never answers; for this one it does not.
    """
    future: Future[T] = Future()

    def target() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001  # handed over whole, and raised by the future
            future.set_exception(error)

    threading.Thread(target=target, daemon=True).start()
    return future
