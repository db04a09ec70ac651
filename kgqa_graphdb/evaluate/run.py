"""Asking all questions of a file, one by one or side by side; and whether they could have been answered."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from kgqa_graphdb.client import KGQA
from kgqa_graphdb.errors import CypherError, KgqaError, UsageError
from kgqa_graphdb.evaluate.candidates import score_candidates
from kgqa_graphdb.evaluate.metrics import ProofScores, score_proof
from kgqa_graphdb.evaluate.outcome import Outcome, failed, outcome_of, read_outcomes
from kgqa_graphdb.evaluate.retrieval import score_retrieval
from kgqa_graphdb.mining import Around, GoodPath, best_topic, find_gold
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.questions import Pair, question_of, with_topics
from kgqa_graphdb.reply import Reply
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Fact

Progress = Callable[[int, int], None]
"""Called with how many questions are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Run:
    """The outcomes of some questions.

    :ivar outcomes: one for each question, in order
    :ivar by: what answered, and how it was set
    :ivar asked: questions that were asked now; the others were in the output file
    :ivar seconds: that those took, side by side or not; looking for paths to gold answers is not counted
    """

    outcomes: list[Outcome]
    by: str
    asked: int
    seconds: float


def evaluate(
    kg: KGQA,
    pairs: Sequence[Pair],
    *,
    batch: int = 1,
    output: Path | None = None,
    coverage: bool = False,
    given_topics: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Ask questions and score the answers.

    A question that is none, or whose Cypher fails, is an outcome with an error; what is wrong for all questions (no
    such graph or method, no encoder, the server gone) ends the run. What was asked is in the output file at any
    moment, and a run with the same file goes on where it ended.

    :param batch: questions asked side by side; the latency of each is then its share of what they took together
    :param output: file of outcomes, a line of JSON each
    :param coverage: look for the best path to the gold answers, too
    :param given_topics: give the client the entities that a question is about, where its pair names them
    :raises UsageError: the output file holds other questions, there is no such method, or no topics are given
    :raises KgqaError: nothing can be asked of the graph
    """
    pairs = with_topics(pairs, given=given_topics)
    by = f"{kg.answered_by}, topics given" if given_topics else kg.answered_by
    kg.graph  # noqa: B018  # read once, before anything is asked
    done = _done(output, pairs, by) if output else []
    left = pairs[len(done) :]
    report_progress = progress or (lambda done, total: None)
    report_progress(len(done), len(pairs))
    outcomes = list(done)
    seconds = 0.0
    reach = _Reach(kg, always=coverage)
    stream = output.open("a", encoding="utf-8", newline="\n") if output else None
    try:
        for start in range(0, len(left), batch):
            some = left[start : start + batch]
            started = time.perf_counter()
            replies = _asked(kg, some) if batch > 1 else [_ask(kg, pair) for pair in some]
            seconds += time.perf_counter() - started
            for pair, reply in zip(some, replies, strict=True):
                outcome = replace(_outcome(kg, pair, reply, reach), by=by)
                outcomes.append(outcome)
                if stream:
                    stream.write(outcome.to_json() + "\n")
            if stream:
                stream.flush()
            report_progress(len(outcomes), len(pairs))
    finally:
        if stream:
            stream.close()
    return Run(outcomes, by, len(left), seconds)


class _Timed(NamedTuple):
    """A reply, the milliseconds that it took, and how many questions took that much each, side by side."""

    reply: Reply
    latency_ms: float
    batch: int = 1


def _ask(kg: KGQA, pair: Pair) -> _Timed | KgqaError:
    """The reply to a question; or what is wrong with the question."""
    try:
        question = question_of(pair)
    except UsageError as error:
        return error
    started = time.perf_counter()
    try:
        reply = kg.ask(question)
    except CypherError as error:
        return error
    return _Timed(reply, (time.perf_counter() - started) * 1_000)


def _asked(kg: KGQA, pairs: Sequence[Pair]) -> list[_Timed | KgqaError]:
    """The replies to questions asked side by side; what each of them took nobody can tell, so that is shared out."""
    started = time.perf_counter()
    try:
        replies = kg.ask_many([question_of(pair) for pair in pairs])
    except (CypherError, UsageError):  # one of them failed: which one?
        return [_ask(kg, pair) for pair in pairs]
    each = (time.perf_counter() - started) * 1_000 / len(pairs)
    return [_Timed(reply, each, len(pairs)) for reply in replies]


class _Reach:
    """How well gold answers could have been reached."""

    def __init__(self, kg: KGQA, *, always: bool) -> None:
        self.kg, self.always = kg, always
        self.around = Around(kg.graph)

    def measured(self, outcome: Outcome, pair: Pair, reply: Reply) -> Outcome:
        """With F1 of the best single path from a linked topic, if that is wanted, and how good predicted paths are."""
        retrieved = reply.answer.retrieved
        if not self.always and retrieved is None:
            return outcome
        paths = self.kg.perform(self._best(pair, reply))
        best = round(paths[0].f1 if paths else 0.0, 6) if self.always else None
        scores = score_retrieval(retrieved, pair, paths) if retrieved else None
        return replace(outcome, best_path_f1=best, retrieval=scores)

    def _best(self, pair: Pair, reply: Reply) -> Steps[tuple[GoodPath, ...]]:
        gold = yield from find_gold(pair.answers, self.kg.graph)
        best = yield from best_topic(reply.answer.links, gold, self.around)
        return best[1] if best else ()


def _outcome(kg: KGQA, pair: Pair, asked: _Timed | KgqaError, reach: _Reach) -> Outcome:
    if isinstance(asked, KgqaError):
        return failed(pair, asked)
    outcome = outcome_of(pair, asked.reply, asked.latency_ms, proof=_proof(kg, pair, asked.reply))
    hits = outcome.scores.hits_at_1 if outcome.scores else 0.0
    candidates = kg.perform(score_candidates(asked.reply.answer, pair, hits, kg.graph))
    return replace(reach.measured(outcome, pair, asked.reply), candidates=candidates, batch=asked.batch)


def _proof(kg: KGQA, pair: Pair, reply: Reply) -> ProofScores | None:
    """How well the proof is the gold chain: of a followed path, the facts on the ways to the annotated answer count."""
    if not pair.chain:
        return None
    facts: Iterable[Fact] = reply.facts
    annotated = [one for one in reply.entities if pair.chain[-1][2] in (one.id, one.name)]
    proven = [scored.item.plan for scored in reply.answer.proof if {*annotated[:1]} & {*scored.item.nodes}]
    if proven and isinstance(proven[0], Follow):
        facts = kg.perform(kg.graph.execute(replace(proven[0], to=annotated[0]))).facts
    shown = [
        (fact.head.id, fact.relation.id, fact.tail.id if isinstance(fact.tail, Entity) else fact.tail.name)
        for fact in facts
    ]
    return score_proof(shown, pair.chain)


def _done(output: Path, pairs: Sequence[Pair], by: str) -> list[Outcome]:
    """The outcomes that the file holds already; a line that was cut off is taken away.

    :param by: method and model that answer
    :raises UsageError: they are of other questions, or were answered by another method or model
    """
    if not output.exists():
        return []
    done = list(read_outcomes(output))
    asked = [(pair.id, pair.question, pair.answers) for pair in pairs[: len(done)]]
    if [(outcome.id, outcome.question, outcome.gold) for outcome in done] != asked:
        raise UsageError(f"{output} holds the outcomes of other questions; name another file, or remove it")
    others = {outcome.by for outcome in done} - {by}
    if others:
        raise UsageError(f"{output} holds answers by {', '.join(sorted(others))}; name another file, or remove it")
    whole = output.with_name(f"{output.name}.part")  # so that nothing is lost whenever this is interrupted
    whole.write_text("".join(outcome.to_json() + "\n" for outcome in done), encoding="utf-8", newline="\n")
    whole.replace(output)
    return done
