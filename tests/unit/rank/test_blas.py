"""Matrix products on one thread, and the process's setting afterwards."""

from __future__ import annotations

import threading

import pytest

from kgqa_graphdb.rank.blas import one_thread

threadpoolctl = pytest.importorskip("threadpoolctl")


def threads() -> set[int]:
    return {library["num_threads"] for library in threadpoolctl.threadpool_info() if library["user_api"] == "blas"}


def test_there_is_one_thread_inside_and_as_many_as_before_outside() -> None:
    before = threads()
    with one_thread():
        assert threads() <= {1}
    assert threads() == before


def test_callers_side_by_side_leave_the_setting_as_it_was() -> None:
    before = threads()

    def work() -> None:
        for _ in range(200):
            with one_thread():
                pass

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert threads() == before
