"""numpy's matrix products on one thread: a ranker's are small, and threads that wait for each other cost more."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from kgqa_graphdb.errors import MissingExtraError

_LOCK = threading.Lock()


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one thread: for one caller at a time, as the setting is the whole process's.

    :raises MissingExtraError: threadpoolctl is not installed
    """
    with _LOCK, _libraries().limit(limits=1, user_api="blas"):
        yield


@cache
def _libraries() -> Any:
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError as error:
        raise MissingExtraError("threadpoolctl", "local") from error
    return ThreadpoolController()
