"""How good the answers to one question are, each number by the name that the field gives it.

Sources: strict Hits@1 and set metrics as in GNN2R (https://arxiv.org/abs/2302.11372) and NSM; RoG's Hit
(https://arxiv.org/abs/2310.01061), which its authors call Hits@1, is satisfied by a gold answer anywhere in the output,
both without case, punctuation and articles, as the code that they published has it.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from kgqa_graphdb.questions import Gold, canonical, canonical_value, harmonic, value_text
from kgqa_graphdb.types import Node, Value

Edge = tuple[str, str, str]
"""A fact as proofs are scored: head, relation, tail."""


@dataclass(frozen=True, slots=True)
class Predicted:
    """An answer that was given.

    :ivar id: empty for a value
    :ivar score: answers with equal scores tie
    :ivar value: of a value: what it is without its unit; see :func:`kgqa_graphdb.questions.value_text`
    """

    id: str
    name: str
    score: float
    value: str = ""


def predicted_of(node: Node, score: float) -> Predicted:
    """An answer as it is compared with gold ones."""
    if isinstance(node, Value):
        return Predicted("", node.name, score, value_text(node.value))
    return Predicted(node.id if node.has_key else "", node.name, score)


@dataclass(frozen=True, slots=True)
class Scores:
    """What the answers to one question score, each 0..1.

    :ivar hits_at_1: whether the first answer is gold; where several tie for the first place, the share of gold ones
        among them, which is what picking one of them at random gets on average
    :ivar rog_hit: whether any gold answer is among the answers, or its text a substring of their joined texts
    :ivar precision: of the set of answers
    :ivar recall: of the set of answers
    :ivar f1: of the set of answers
    :ivar exact_match: whether the set of answers is the gold set
    """

    hits_at_1: float
    rog_hit: float
    precision: float
    recall: float
    f1: float
    exact_match: float


RIGHT = Scores(1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
WRONG = Scores(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def score(predicted: Sequence[Predicted], gold: Sequence[Gold]) -> Scores:
    """Score the answers to a question.

    Where nothing is gold, no answer is right and any answer wrong. Answers of one name count each: two entities of the
    gold name are both right, and one of them is enough for its recall.

    :param predicted: best first; none for an abstention
    """
    if not gold or not predicted:
        return RIGHT if not gold and not predicted else WRONG
    match = matcher(gold)
    matched = [match(answer) for answer in predicted]
    tied = [found for found, answer in zip(matched, predicted, strict=True) if answer.score == predicted[0].score]
    found = set().union(*matched)
    precision = sum(map(bool, matched)) / len(predicted)
    recall = len(found) / len(gold)
    return Scores(
        hits_at_1=sum(map(bool, tied)) / len(tied),
        rog_hit=float(bool(found) or rog_hit(predicted, gold)),
        precision=precision,
        recall=recall,
        f1=harmonic(precision, recall),
        exact_match=float(precision == 1 and recall == 1),
    )


def matcher(gold: Sequence[Gold]) -> Callable[[Predicted], frozenset[int]]:
    """Gives which gold answers, by their places, an answer is.

    An answer is a gold one if it has its id or, letter for letter, its name; numbers, years and times of day that are
    written in another way are equal too. A gold name may also be an answer's id, since some data sets name entities so.
    Yes and no are gold ``true`` and ``false``, however those are written, and a value with a unit is a gold number.
    """
    places: dict[str, set[int]] = {}
    values: dict[str, set[int]] = {}
    for place, answer in enumerate(gold):
        for text in {answer.id, answer.name} - {""}:
            places.setdefault(canonical(text), set()).add(place)
        if not answer.id:
            for text in (canonical_value(answer.name), _amount(answer.name)):
                values.setdefault(text, set()).add(place)

    def match(answer: Predicted) -> frozenset[int]:
        found = [places.get(canonical(text), ()) for text in {answer.id, answer.name} - {""}]
        if not answer.id:
            found += [values.get(canonical_value(text), ()) for text in {answer.name, answer.value} - {""}]
            found.append(values.get(_amount(answer.name), ()))
        return frozenset().union(*found)

    return match


def _amount(text: str) -> str:
    """A number with a unit after it, the number as :func:`canonical_value` has it: "5,150 km" is 5150 km."""
    number, _, unit = text.partition(" ")
    return f"{canonical_value(number)} {unit}" if unit and number[:1].isdigit() else text


_PUNCTUATION = str.maketrans("_", " ", string.punctuation.replace("_", ""))
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


def _normal(text: str) -> str:
    """A text without case, punctuation and articles; underscores are spaces, as in names made of ids."""
    plain = text.lower()
    return " ".join(_ARTICLE.sub(" ", plain.translate(_PUNCTUATION)).split()) or plain.strip()


def rog_hit(predicted: Iterable[Predicted], gold: Iterable[Gold]) -> bool:
    """Whether any gold answer is a substring of all answers joined, without case, punctuation and articles."""
    names = " ".join(_normal(answer.name) for answer in predicted)
    return any(_normal(answer.name or answer.id) in names for answer in gold)


@dataclass(frozen=True, slots=True)
class ProofScores:
    """How well the facts that are shown are those of a gold path, each 0..1."""

    proof_precision: float
    proof_recall: float
    proof_f1: float


def score_proof(shown: Iterable[Edge], gold: Iterable[Edge]) -> ProofScores:
    """Score the facts of a proof; all 0 where nothing is shown.

    :param gold: the facts on the gold path, not empty
    """
    facts, right = set(shown), set(gold)
    if not facts:
        return ProofScores(0.0, 0.0, 0.0)
    both = len(facts & right)
    return ProofScores(both / len(facts), both / len(right), harmonic(both / len(facts), both / len(right)))
