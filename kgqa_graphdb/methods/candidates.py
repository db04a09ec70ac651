"""Which readings of a question its answer is made of: the first that leads anywhere, and others about as likely."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.mapping.hops import end_labels
from kgqa_graphdb.methods.asked_for import AskedFor
from kgqa_graphdb.methods.said_values import with_said_values
from kgqa_graphdb.methods.second_entity import is_other_role, named_answers
from kgqa_graphdb.plan import Combine, Follow, Plan, Result, follow_either_way, yields_values
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Link, Node, Question

LONGER_SHARE = 0.5
"""Of the fit of a path from a name inside a longer one: where a path from the longer fits so well, that is meant. Of
ZJQA's valid questions .2 to .6 are alike."""
OTHER_ROLE_SHARE = 0.05
"""Of the fit of a path that leads, across join nodes, to what the question names: another role there that fits so well
is answered in its place."""
NEAR_SHARE = 0.3
"""Of a path's fit: what so likely a path from the same topic leads to is answered, too. Paths of one topic share the
probability, so that of two that lead to one answer each both together have the greater expected F1 from half of it on;
and probabilities are too sure of themselves, so that .3 of one is half of it or more."""
NEAR_ELSEWHERE = 0.8
"""The same of a path from elsewhere, whose fit says how well it fits if that is the topic. Of ZJQA's valid questions
.7 finds hardly more gold answers, for a third of a point of F1."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A plan and the links that it starts from.

    :ivar fit: 0..1, how well its paths fit the question
    :ivar score: its fit and its links' scores, weighted; what candidates are ordered by
    """

    plan: Plan
    links: tuple[Link, ...]
    fit: float
    score: float


class ExecutedCandidate(NamedTuple):
    """A candidate that leads somewhere."""

    candidate: Candidate
    result: Result


@dataclass(slots=True)
class CandidateSelection:
    """Executes the candidates of a question, as few as it takes.

    :ivar candidates: best first; those that lead to nodes without a name alone are taken away
    :ivar least_share: of the best fit: what has less is no answer where better candidates lead nowhere
    :ivar max_tries: candidates that are executed, for each of the three things asked of them
    :ivar asked_for: says whether answers are of the sort that is asked for; ``None``: the candidates' scores say that
    :ivar led_nowhere: whether one that was better than the answer did
    """

    question: Question
    graph: Graph
    candidates: list[Candidate]
    least_share: float
    max_tries: int
    asked_for: AskedFor | None = None
    led_nowhere: bool = False
    memo: Memo = field(default_factory=Memo)

    def first(self) -> Steps[ExecutedCandidate | None]:
        """The best that leads anywhere; ``None``: none does.

        What leads to nodes without a name alone counts only where nothing else does: those join others.
        """
        nameless = None
        for candidate in self.candidates[: self.max_tries]:
            if candidate.fit < self.least_share * max((one.fit for one in self.candidates), default=0.0):
                continue
            result = yield from self._executed(candidate)
            if _only_nameless(result.nodes):
                self.candidates.remove(candidate)
                nameless = nameless or ExecutedCandidate(candidate, result)
            elif result.nodes and not (yield from self._is_of_sort(candidate, result)):
                self.candidates.remove(candidate)
            elif result.nodes:
                chosen = yield from self._of_longer_name(ExecutedCandidate(candidate, result))
                return (yield from self._of_other_role(chosen))
            else:
                self.led_nowhere = True
        return nameless

    def as_said(self, chosen: ExecutedCandidate, links: Sequence[Link]) -> Steps[ExecutedCandidate]:
        """A chosen, over relationships alone that have what the question says of them."""
        plan = chosen.candidate.plan
        if not isinstance(plan, Follow):
            return chosen
        said = with_said_values(plan, chosen.result, self.question.text, links, self.graph.mapping)
        if said == plan:
            return chosen
        candidate = replace(chosen.candidate, plan=said)
        return ExecutedCandidate(candidate, (yield from self._executed(candidate)))

    def either_way(self, chosen: ExecutedCandidate) -> Steps[ExecutedCandidate]:
        """A chosen, with what the step leads to the other way where its relation is symmetric."""
        plan = chosen.candidate.plan
        both = follow_either_way(plan) if isinstance(plan, Follow) else plan
        if both == plan:
            return chosen
        candidate = replace(chosen.candidate, plan=both)
        return ExecutedCandidate(candidate, (yield from self._executed(candidate)))

    def shortest(self, chosen: ExecutedCandidate) -> Steps[ExecutedCandidate]:
        """A chosen, or a shorter path to the same kind that says as many words of the question."""
        plan, link = chosen.candidate.plan, chosen.candidate.links[0]
        if self.asked_for is None or not isinstance(plan, Follow) or not end_labels(plan.path[-1]):
            return chosen
        said = self.asked_for.words_said(link, plan.path)
        for candidate in self.candidates[: self.max_tries]:
            other = candidate.plan
            if (
                not isinstance(other, Follow)
                or other.topic != plan.topic
                or other.to
                or len(other.path) >= len(plan.path)
            ):
                continue
            alike = other.path[-1].relation.kind == "edge" and end_labels(other.path[-1]) == end_labels(plan.path[-1])
            if alike and said <= self.asked_for.words_said(link, other.path):
                found = ExecutedCandidate(candidate, (yield from self._executed(candidate)))
                if _leads(found.result.nodes) and (yield from self._is_of_sort(candidate, found.result)):
                    return found
        return chosen

    def _of_other_role(self, chosen: ExecutedCandidate) -> Steps[ExecutedCandidate]:
        """A chosen, or where the question names what it leads to across join nodes, one of what else these join."""
        named, plan = self._named(chosen), chosen.candidate.plan
        if not named or not isinstance(plan, Follow):
            return chosen
        least = max(OTHER_ROLE_SHARE, self.least_share) * chosen.candidate.fit
        for candidate in self.candidates:
            other = candidate.plan
            if candidate.fit < least or not isinstance(other, Follow):
                continue
            if is_other_role(other, plan, named, self.graph.mapping):
                found = ExecutedCandidate(candidate, (yield from self._executed(candidate)))
                if _leads(found.result.nodes) and not self._named(found):
                    return found
        return chosen

    def _is_of_sort(self, candidate: Candidate, result: Result) -> Steps[bool]:
        """Whether what a candidate leads to is of the sort that is asked for, and no farther than the question says."""
        plan = candidate.plan.parts[0] if isinstance(candidate.plan, Combine) else candidate.plan
        if self.asked_for is None or not isinstance(plan, Follow):
            return True
        link = candidate.links[0]
        if not self.asked_for.is_sort_of(link, plan.path, result.nodes):
            return False
        return not (yield from self.asked_for.goes_on(link, plan.path))

    def _named(self, chosen: ExecutedCandidate) -> set[Entity]:
        """What the question names of what a reading leads to across join nodes."""
        plan, links = chosen.candidate.plan, chosen.candidate.links
        if not isinstance(plan, Follow):
            return set()
        return named_answers(self.question, links[0], plan, chosen.result, self.graph.mapping)

    def _of_longer_name(self, chosen: ExecutedCandidate) -> Steps[ExecutedCandidate]:
        """A chosen, or where its name stands inside a longer one that about fits, that of the longer."""
        longer = [one for one in self.candidates if _stands_in(chosen.candidate, one)]
        best = max((one.fit for one in longer), default=0.0)
        least = max(LONGER_SHARE * chosen.candidate.fit, self.least_share * best)
        led_nowhere = False
        for candidate in [one for one in longer if one.fit >= least][: self.max_tries]:
            result = yield from self._executed(candidate)
            if _leads(result.nodes) and (yield from self._is_of_sort(candidate, result)):
                self.led_nowhere |= led_nowhere
                return (yield from self._of_longer_name(ExecutedCandidate(candidate, result)))
            led_nowhere = led_nowhere or not result.nodes
        return chosen

    def others(self, chosen: ExecutedCandidate, most: int) -> Steps[list[ExecutedCandidate]]:
        """Other readings that are about as likely as one and lead to something else, best first.

        None leads to what the question names across join nodes, unless the one does.

        :param most: of them
        """
        found: list[ExecutedCandidate] = []
        if most < 1:
            return found
        known, is_named = set(chosen.result.nodes), bool(self._named(chosen))
        near = [one for one in self.candidates if _is_near(one, chosen.candidate)]
        for candidate in near[: self.max_tries]:
            other = ExecutedCandidate(candidate, (yield from self._executed(candidate)))
            nodes = other.result.nodes
            if _leads(nodes) and not known.issuperset(nodes) and (is_named or not self._named(other)):
                known.update(nodes)
                found.append(other)
            if len(found) >= most:
                break
        return found

    def _executed(self, candidate: Candidate) -> Steps[Result]:
        return (yield from self.graph.execute(candidate.plan, self.memo))


def links_of(first: Sequence[Link], others: Iterable[Link]) -> tuple[Link, ...]:
    """Some links, then those of others that are not among them."""
    return tuple(dict.fromkeys((*first, *others)))


def _is_near(other: Candidate, one: Candidate) -> bool:
    """Whether a candidate is about as likely as another, and is of the same kind: of entities or of values.

    What leaves out some of the other's topics is no other chosen, but less of a question read.
    """
    links, own = set(other.links), set(one.links)
    share = NEAR_SHARE if links == own else NEAR_ELSEWHERE
    kind = yields_values(other.plan) == yields_values(one.plan)
    return other.fit >= share * one.fit and kind and not links < own


def _only_nameless(nodes: Sequence[Node]) -> bool:
    return bool(nodes) and all(isinstance(node, Entity) and not node.is_named for node in nodes)


def _leads(nodes: Sequence[Node]) -> bool:
    return bool(nodes) and not _only_nameless(nodes)


def _stands_in(candidate: Candidate, other: Candidate) -> bool:
    """Whether a topic of a candidate is named inside the name of one of another's that is as good a name."""
    return any(
        longer.start <= link.start and link.end <= longer.end and not link.is_apart(longer)
        and longer.end - longer.start > link.end - link.start and longer.score >= link.score
        for link in candidate.links for longer in other.links
    )  # fmt: skip
