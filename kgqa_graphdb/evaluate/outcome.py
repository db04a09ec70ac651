"""What came of one question: a line of JSON, from which every figure can be traced."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.evaluate.candidates import CandidateScores
from kgqa_graphdb.evaluate.metrics import Predicted, ProofScores, Scores, predicted_of, score
from kgqa_graphdb.evaluate.retrieval import RetrievalScores
from kgqa_graphdb.questions import Gold, Pair
from kgqa_graphdb.reply import Reply

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question, its gold answers, and what was answered.

    :ivar scores: ``None`` where asking failed: errors are counted, never scored
    :ivar abstained: why there is no answer; empty when there is one
    :ivar error: what went wrong; empty when nothing did
    :ivar plan: what the best executed plan asked for, in words
    :ivar linked: names of the entities that the question was taken to be about
    :ivar latency_ms: of the whole answer; of questions asked side by side each one's share of what they took together
    :ivar best_path_f1: F1 of the best single path from a linked topic: 0 where no gold answer can be reached by one;
        ``None``: not measured
    :ivar proof: how well the facts on the ways to the annotated answer are those of the gold chain; ``None`` where
        there is no such chain
    :ivar retrieval: how good the paths are that the method predicted; ``None``: it predicts none
    :ivar ungrounded: names that a language model gave and that the facts that it was shown don't have; ``None``: none
        read facts
    :ivar candidates: how good the candidates are that the method chose among; ``None``: it has none
    :ivar by: method and model that answered
    :ivar batch: questions that were asked side by side, this one among them
    """

    id: str
    question: str
    gold: tuple[Gold, ...]
    predicted: tuple[Predicted, ...]
    scores: Scores | None
    abstained: str = ""
    error: str = ""
    plan: str = ""
    linked: tuple[str, ...] = ()
    type: str = ""
    hops: int = 0
    latency_ms: float = 0.0
    best_path_f1: float | None = None
    proof: ProofScores | None = None
    retrieval: RetrievalScores | None = None
    ungrounded: tuple[str, ...] | None = None
    candidates: CandidateScores | None = None
    by: str = ""
    batch: int = 1

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def of_json(cls, line: str) -> Outcome:
        """The outcome of a line.

        :raises ValueError: it is none; says why in a line
        """
        from pydantic import ValidationError

        try:
            return _adapter().validate_json(line, strict=True)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise ValueError(f"{'.'.join(map(str, first['loc']))} {first['msg'].lower()}".strip()) from error
        except TypeError as error:  # a gold answer without texts
            raise ValueError(str(error)) from error


@cache
def _adapter() -> TypeAdapter[Outcome]:
    from pydantic import TypeAdapter

    return TypeAdapter(Outcome)


def outcome_of(
    pair: Pair, reply: Reply, latency_ms: float, best_path_f1: float | None = None, proof: ProofScores | None = None
) -> Outcome:
    """Score a reply."""
    predicted = tuple(predicted_of(one.item, one.score) for one in reply.answers)
    return Outcome(
        pair.id,
        pair.question,
        pair.answers,
        predicted,
        score(predicted, pair.answers),
        abstained=reply.abstained,
        plan=reply.paths[0].text if reply.paths else "",
        linked=tuple(link.entity.name for link in reply.answer.links),
        type=pair.type,
        hops=pair.hops,
        latency_ms=round(latency_ms, 2),
        best_path_f1=best_path_f1,
        proof=proof,
        ungrounded=reply.answer.ungrounded,
    )


def failed(pair: Pair, error: Exception) -> Outcome:
    """What comes of a question that could not be asked."""
    message = f"{type(error).__name__}: {error}"
    return Outcome(pair.id, pair.question, pair.answers, (), None, error=message, type=pair.type, hops=pair.hops)


def read_outcomes(path: Path) -> Iterator[Outcome]:
    """The outcomes in a file that ``kgqa evaluate --output`` wrote; a last line that was cut off is left out.

    :raises UsageError: it can't be read, or is no such file
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as error:
        raise UsageError(f"can't read {path}: {getattr(error, 'strerror', None) or error}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield Outcome.of_json(line)
        except ValueError as error:
            if number == len(lines):
                return  # what an interrupted run was writing
            raise UsageError(f"{path}, line {number}: not a line that kgqa evaluate writes ({error})") from error
