"""Sans-I/O stages: a stage is a generator that yields requests and gets their results back.

The pattern is that of ``httpx.Auth.auth_flow``. Runners perform the requests: :func:`run` with a blocking :class:`IO`,
:func:`run_async` with an :class:`AsyncIO`; :func:`together` runs many stages side by side, each round of their requests
as one :class:`Batch`.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from inspect import GEN_RUNNING, getgeneratorstate
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from kgqa_graphdb.errors import KgqaError, UsageError
from kgqa_graphdb.types import Rows, Statement, Vectors

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Request(Generic[T_co]):
    """Something a stage asks of the outside world; the type parameter is the type of what comes back."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Read(Request[Rows]):
    """Run a reading statement."""

    statement: Statement


@dataclass(frozen=True, slots=True)
class ReadEach(Request[Rows]):
    """Run a reading statement for one item. What one round asks of the same statement is read at once.

    :ivar statement: runs for each of ``$items``; its first column, which the answer leaves out, is the place in that
        list of the item that a row is for
    """

    statement: Statement
    item: Any


@dataclass(frozen=True, slots=True)
class Embed(Request[Vectors]):
    """Embed texts; gives shape (texts, dim), float32, unit L2 norm.

    :ivar keep: the texts belong to the graph, so their vectors may be kept on disk; a question's may not
    :ivar encoder: fingerprint of the encoder that must make them, as they are compared with stored ones; empty: any
    """

    texts: tuple[str, ...]
    keep: bool = False
    encoder: str = ""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a language model continues a prompt.

    :ivar max_tokens: tokens of one completion at most
    :ivar temperature: 0: always the likeliest token; more: drawn, the flatter the higher
    :ivar n: completions of a prompt; at temperature 0 the likeliest ``n`` of a beam search
    :ivar stop: texts that end a completion where they first occur; they are not part of it
    :ivar seed: of what is drawn; the same prompts with the same seed draw the same
    :ivar json_schema: the completion is a JSON document of this JSON schema, itself a JSON text; empty: free text
    :ivar adapter: folder of a peft adapter with which the model writes; empty: as it was opened
    :ivar groups: of the beam search, each of ``n / groups`` beams, which avoid the tokens of the groups before; 1: the
        ordinary search
    :ivar diversity: what a token costs for each beam of an earlier group that chose it in the same place, as a natural
        log probability: the Hamming penalty of Vijayakumar et al. 2018; 0: nothing
    :raises UsageError: groups of that size are none, or are drawn instead of searched
    """

    max_tokens: int = 256
    temperature: float = 0.0
    n: int = 1
    stop: tuple[str, ...] = ()
    seed: int = 0
    json_schema: str = ""
    adapter: str = ""
    groups: int = 1
    diversity: float = 0.0

    def __post_init__(self) -> None:
        if self.groups < 1 or self.n % self.groups:
            raise UsageError(
                f"{self.n} completions can't be spread over {self.groups} groups: give a number of groups that divides "
                "them evenly"
            )
        if self.groups > 1 and self.temperature:
            raise UsageError(
                f"groups belong to a beam search, and at temperature {self.temperature:g} completions are drawn: give "
                "temperature 0 or one group"
            )
        if not 0 <= self.diversity < math.inf:
            raise UsageError(f"a token can't cost {self.diversity:g}: give a diversity of 0 or more")


GREEDY = Sampling()


@dataclass(frozen=True, slots=True)
class Generate(Request[tuple[str, ...]]):
    """Have the language model continue a prompt; gives ``sampling.n`` completions, without the prompt."""

    prompt: str
    sampling: Sampling = GREEDY


@dataclass(frozen=True, slots=True)
class ScoreContinuation(Request[float]):
    """The log probability (natural, 0 or less) that the language model gives a continuation of a prompt."""

    prompt: str
    continuation: str


@dataclass(frozen=True, slots=True)
class CountTokens(Request[tuple[int, ...]]):
    """How many tokens of the language model texts are, each by itself."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What a language model says of itself.

    :ivar context_window: tokens that prompt and completion may have together
    """

    name: str
    context_window: int


@dataclass(frozen=True, slots=True)
class DescribeModel(Request[ModelInfo]):
    """Which language model there is, and how much it reads; fails where there is none."""


@dataclass(frozen=True, slots=True)
class Compute(Request[Any]):
    """Have a model work on something. What one round asks of the same model is worked on together.

    :ivar work: takes the items of a round, gives as many answers; a bound method of the model
    """

    work: Callable[[Sequence[Any]], Sequence[Any]]
    item: Any


@dataclass(frozen=True, slots=True)
class Mark(Request[None]):
    """Tell the runner which stage begins, for timings; needs no answer.

    :ivar stage: ``link``, ``retrieve``, ``reason``, ``verbalise`` or ``answer``
    """

    stage: str


@dataclass(frozen=True, slots=True)
class Batch(Request[tuple[Any, ...]]):
    """Requests to perform side by side; an error stands in the place of the answer that it prevented."""

    requests: tuple[Request[Any], ...]


Steps: TypeAlias = Generator[Request[Any], Any, T]


class IO(Protocol):
    """Performs requests. One answer per request, in order; an answer that failed is a :class:`KgqaError`."""

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]: ...


class AsyncIO(Protocol):
    """Performs requests without blocking the event loop; otherwise as :class:`IO`."""

    async def perform(self, requests: Sequence[Request[Any]]) -> list[Any]: ...


def ask(request: Request[T]) -> Steps[T]:
    """The one bare ``yield``: its static type is the request's answer type."""
    answer: T = yield request
    return answer


def _advance(steps: Steps[T], answer: Any) -> Request[Any]:
    """Hand an answer, or the error in its place, to a stage; gives the next request."""
    return steps.throw(answer) if isinstance(answer, KgqaError) else steps.send(answer)


def run(steps: Steps[T], io: IO) -> T:
    """Run a stage to its end.

    Errors of the outside world are thrown into the stage, which may catch them and go on another way.
    """
    answer: Any = None
    try:
        while True:
            request = _advance(steps, answer)
            answer = io.perform([request])[0]
    except StopIteration as stop:
        result: T = stop.value
        return result
    finally:
        steps.close()


async def run_async(steps: Steps[T], io: AsyncIO) -> T:
    """Run a stage to its end without blocking: its own computation goes to a thread, its requests to ``io``."""

    def advance(answer: Any) -> tuple[bool, Any]:
        try:
            return False, _advance(steps, answer)
        except StopIteration as stop:  # must not travel through a future
            return True, stop.value

    try:
        done, request = await asyncio.to_thread(advance, None)
        while not done:
            answer = (await io.perform([request]))[0]
            done, request = await asyncio.to_thread(advance, answer)
    finally:
        if getgeneratorstate(steps) != GEN_RUNNING:  # cancelled while computing: its thread closes it, letting go of it
            steps.close()
    result: T = request
    return result


def together(steps: Iterable[Steps[T]]) -> Steps[tuple[T, ...]]:
    """Run stages side by side: each round of their requests is one :class:`Batch`.

    An error reaches only the stage that asked; if that stage lets it pass, it ends them all.
    """
    live = list(steps)
    results: dict[int, T] = {}
    inbox: dict[int, Any] = dict.fromkeys(range(len(live)))
    try:
        while inbox:
            asked: dict[int, Request[Any]] = {}
            for index, answer in inbox.items():
                try:
                    asked[index] = _advance(live[index], answer)
                except StopIteration as stop:
                    results[index] = stop.value
            if not asked:
                break
            answers = yield from ask(Batch(tuple(asked.values())))
            inbox = dict(zip(asked, answers, strict=True))
    finally:
        for stage in live:
            stage.close()
    return tuple(results[index] for index in range(len(live)))


@dataclass(frozen=True, slots=True)
class Timed(Generic[T]):
    """What a stage gave, and the milliseconds that each marked part of it took."""

    item: T
    timings_ms: dict[str, float]


def timed(steps: Steps[T]) -> Steps[Timed[T]]:
    """Measure the parts that a stage marks with :class:`Mark`; repeated visits to a part sum.

    Time before the first mark counts to ``total`` only.
    """
    spent: dict[str, float] = {}
    began = since = time.perf_counter()
    part = ""

    def switch(to: str) -> None:
        nonlocal since, part
        now = time.perf_counter()
        if part:
            spent[part] = spent.get(part, 0.0) + (now - since) * 1000
        since, part = now, to

    answer: Any = None
    try:
        while True:
            request = _advance(steps, answer)
            if isinstance(request, Mark):
                switch(request.stage)
                answer = None
            else:
                try:
                    answer = yield request
                except KgqaError as error:
                    answer = error
    except StopIteration as stop:
        switch("")
        spent["total"] = (time.perf_counter() - began) * 1000
        return Timed(stop.value, spent)
    finally:
        steps.close()
