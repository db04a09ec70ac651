"""Asking all questions of a file, one by one or side by side."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from kgqa_graphdb.client import KGQA, parse_question
from kgqa_graphdb.errors import CypherError, UsageError
from kgqa_graphdb.evaluate.outcome import Outcome, failed, outcome_of, read_outcomes
from kgqa_graphdb.questions import Pair

Progress = Callable[[int, int], None]
"""Hears how many questions are done, and of how many."""


def evaluate(
    kg: KGQA, pairs: Sequence[Pair], *, batch: int = 1, output: Path | None = None, progress: Progress | None = None
) -> list[Outcome]:
    """Ask questions and score the answers.

    A question that is none, or whose Cypher fails, is an outcome with an error; what is wrong for all questions (no
    such graph or method, no encoder, the server gone) ends the run. What was asked is in the output file at any
    moment, and a run with the same file goes on where it ended.

    :param batch: questions asked side by side; their latency is then what each took among the others
    :param output: file of outcomes, a line of JSON each
    :return: an outcome for each pair, in order
    :raises UsageError: the output file holds other questions, or there is no such method
    :raises KgqaError: nothing can be asked of the graph
    """
    kg.graph  # noqa: B018  # read once, before anything is asked
    done = _done(output, pairs) if output else []
    left = pairs[len(done) :]
    tell = progress or (lambda done, total: None)
    tell(len(done), len(pairs))
    outcomes = list(done)
    stream = output.open("a", encoding="utf-8", newline="\n") if output else None
    try:
        for start in range(0, len(left), batch):
            some = left[start : start + batch]
            for outcome in _asked(kg, some) if batch > 1 else (_ask(kg, pair) for pair in some):
                outcomes.append(outcome)
                if stream:
                    stream.write(outcome.to_json() + "\n")
            if stream:
                stream.flush()
            tell(len(outcomes), len(pairs))
    finally:
        if stream:
            stream.close()
    return outcomes


def _ask(kg: KGQA, pair: Pair) -> Outcome:
    try:
        parse_question(pair.question)
    except UsageError as error:
        return failed(pair, error)
    started = time.perf_counter()
    try:
        reply = kg.ask(pair.question)
    except CypherError as error:
        return failed(pair, error)
    return outcome_of(pair, reply, (time.perf_counter() - started) * 1_000)


def _asked(kg: KGQA, pairs: Sequence[Pair]) -> Iterator[Outcome]:
    try:
        replies = kg.ask_many([pair.question for pair in pairs])
    except (CypherError, UsageError):  # one of them failed: which one?
        yield from (_ask(kg, pair) for pair in pairs)
        return
    for pair, reply in zip(pairs, replies, strict=True):
        yield outcome_of(pair, reply, reply.timings_ms["total"])


def _done(output: Path, pairs: Sequence[Pair]) -> list[Outcome]:
    """The outcomes that the file holds already; a line that was cut off is taken away.

    :raises UsageError: they are of other questions
    """
    if not output.exists():
        return []
    done = list(read_outcomes(output))
    asked = [(pair.id, pair.question, pair.answers) for pair in pairs[: len(done)]]
    if [(outcome.id, outcome.question, outcome.gold) for outcome in done] != asked:
        raise UsageError(f"{output} holds the outcomes of other questions; name another file, or remove it")
    whole = output.with_name(f"{output.name}.part")  # so that nothing is lost whenever this is interrupted
    whole.write_text("".join(outcome.to_json() + "\n" for outcome in done), encoding="utf-8", newline="\n")
    whole.replace(output)
    return done
