"""Stages and their runners, with an IO that computes its answers: no server, and none pretended."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from kgqa_graphdb.errors import CypherError, KgqaError
from kgqa_graphdb.steps import Batch, Generate, Mark, Read, Request, Sampling, Steps, ask, run, run_async, together
from kgqa_graphdb.types import Statement


@dataclass
class Echo:
    """Answers a prompt with its text; a prompt that starts with "fail" fails. Keeps what was asked, round by round."""

    rounds: list[list[Request[Any]]] = field(default_factory=list)

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        self.rounds.append(list(requests))
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request[Any]) -> Any:
        match request:
            case Batch(requests):
                return tuple(self._answer(each) for each in requests)
            case Generate(prompt) if prompt.startswith("fail"):
                return CypherError(prompt)
            case Generate(prompt, sampling):
                return (prompt,) * sampling.n
            case Read(statement):
                return [[statement.text]]
            case Mark():
                return None
        raise AssertionError(request)


@dataclass
class AsyncEcho:
    """The same, without blocking."""

    echo: Echo = field(default_factory=Echo)

    async def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        await asyncio.sleep(0)
        return self.echo.perform(requests)


def spell(word: str, log: list[str] | None = None) -> Steps[str]:
    """Ask for a word letter by letter; the number of rounds is its length. Falls back to "?" where a letter fails."""
    letters = []
    try:
        yield from ask(Mark("reason"))
        for letter in word:
            try:
                (reply,) = yield from ask(Generate("fail" if letter == "!" else letter))
            except CypherError:
                reply = "?"
            letters.append(reply)
    finally:
        if log is not None:
            log.append(word)
    return "".join(letters)


def careless(prompt: str) -> Steps[str]:
    """Lets errors pass."""
    (reply,) = yield from ask(Generate(prompt))
    return reply


def silent() -> Steps[str]:
    """Asks for nothing."""
    return "done"
    yield


@pytest.mark.parametrize("word", ["", "a", "planet", "no!e"])
def test_every_runner_gives_the_same_result(word: str) -> None:
    expected = word.replace("!", "?")
    assert run(spell(word), Echo()) == expected
    assert asyncio.run(run_async(spell(word), AsyncEcho())) == expected
    assert run(together([spell(word), spell("x")]), Echo()) == (expected, "x")
    assert asyncio.run(run_async(together([spell(word), spell("x")]), AsyncEcho())) == (expected, "x")


def test_ask_gives_the_answer_of_its_request() -> None:
    assert run(ask(Read(Statement("RETURN 1"))), Echo()) == [["RETURN 1"]]
    assert run(ask(Generate("a", Sampling(n=3))), Echo()) == ("a", "a", "a")


def test_a_stage_that_asks_for_nothing_is_run_without_io() -> None:
    echo = Echo()
    assert run(silent(), echo) == "done"
    assert run(together([silent(), silent()]), echo) == ("done", "done")
    assert run(together([]), echo) == ()
    assert asyncio.run(run_async(silent(), AsyncEcho(echo))) == "done"
    assert echo.rounds == []


def test_an_error_is_thrown_into_the_stage_that_asked_and_can_be_caught_there() -> None:
    assert run(spell("!a!"), Echo()) == "?a?"


def test_an_error_that_no_stage_catches_reaches_the_caller() -> None:
    with pytest.raises(CypherError, match="fail here"):
        run(careless("fail here"), Echo())
    with pytest.raises(CypherError, match="fail here"):
        asyncio.run(run_async(careless("fail here"), AsyncEcho()))


def test_side_by_side_an_error_reaches_only_the_stage_that_asked() -> None:
    assert run(together([spell("a!c"), spell("abc")]), Echo()) == ("a?c", "abc")


def test_side_by_side_an_error_that_a_stage_lets_pass_ends_and_closes_them_all() -> None:
    log: list[str] = []
    with pytest.raises(CypherError, match="fail"):
        run(together([spell("longer", log), careless("fail")]), Echo())
    assert log == ["longer"]


def test_side_by_side_a_round_is_one_batch_and_done_stages_ask_no_more() -> None:
    echo = Echo()
    run(together([spell("ab"), spell("abcd")]), echo)
    batches = [request for (request,) in echo.rounds]
    assert all(isinstance(batch, Batch) for batch in batches)
    assert [len(batch.requests) for batch in batches] == [2, 2, 2, 1, 1]


def test_a_hundred_stages_of_different_lengths_keep_their_order() -> None:
    words = ["x" * (number % 7) + str(number) for number in range(100)]
    echo = Echo()
    assert run(together(map(spell, words)), echo) == tuple(words)
    assert len(echo.rounds) == 1 + max(map(len, words))
    assert asyncio.run(run_async(together(map(spell, words)), AsyncEcho())) == tuple(words)


def test_batches_nest() -> None:
    inner = [together([spell("ab"), spell("!")]), together([spell("c")])]
    assert run(together(inner), Echo()) == (("ab", "?"), ("c",))


class Broken:
    """An IO with a fault of its own, not one of the outside world."""

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        raise RuntimeError("a fault")


def test_a_fault_of_the_io_closes_the_stage_and_reaches_the_caller() -> None:
    log: list[str] = []
    with pytest.raises(RuntimeError, match="a fault"):
        run(spell("word", log), Broken())
    with pytest.raises(RuntimeError, match="a fault"):
        run(together([spell("one", log), spell("two", log)]), Broken())
    assert log == ["word", "one", "two"]


def test_a_finished_stage_is_closed_once() -> None:
    log: list[str] = []
    run(spell("ab", log), Echo())
    asyncio.run(run_async(spell("cd", log), AsyncEcho()))
    assert log == ["ab", "cd"]


class Endless:
    """An IO that never answers."""

    async def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        await asyncio.Event().wait()
        raise AssertionError


def test_cancelling_while_io_is_awaited_closes_the_stage() -> None:
    log: list[str] = []

    async def cancel_soon() -> None:
        await asyncio.wait_for(run_async(spell("word", log), Endless()), timeout=0.05)

    with pytest.raises(TimeoutError):
        asyncio.run(cancel_soon())
    assert log == ["word"]


def test_cancelling_while_a_stage_computes_cancels_without_another_error() -> None:
    computing, finish = threading.Event(), threading.Event()

    def busy() -> Steps[str]:
        computing.set()
        finish.wait(timeout=5)
        return (yield from careless("late"))

    async def cancel_midway() -> None:
        task = asyncio.create_task(run_async(busy(), AsyncEcho()))
        await asyncio.to_thread(computing.wait, 5)
        task.cancel()
        await asyncio.sleep(0)
        finish.set()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancel_midway())


def test_the_event_loop_runs_while_a_stage_computes() -> None:
    release = threading.Event()

    def computes() -> Steps[bool]:
        (_,) = yield from ask(Generate("start"))
        return release.wait(timeout=5)

    async def both() -> bool:
        task = asyncio.create_task(run_async(computes(), AsyncEcho()))
        for _ in range(20):
            await asyncio.sleep(0.005)
        release.set()
        return await task

    assert asyncio.run(both())


def test_errors_of_the_package_alone_are_handed_to_stages() -> None:
    """An answer that is some other exception object is an answer."""

    class Strange:
        def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
            return [ValueError("an answer") for _ in requests]

    def keeps() -> Steps[Any]:
        return (yield from ask(Generate("x")))

    assert isinstance(run(keeps(), Strange()), ValueError)
    assert not isinstance(run(keeps(), Strange()), KgqaError)
