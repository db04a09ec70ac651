"""The default method: relation paths from the linked topics, ranked, and the best one executed as an exact set.

It needs no training and no language model. Which of several possible topics is meant is settled by the paths that fit:
a path's score and its topic's score are added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.methods.finish import conclude, give_up
from kgqa_graphdb.methods.protocols import Linker, Proposer, Ranker
from kgqa_graphdb.plan import Answer, Combine, Follow, Plan, Result
from kgqa_graphdb.rank import PathRanker
from kgqa_graphdb.steps import Mark, Steps, ask, together
from kgqa_graphdb.types import Link, Question, Scored

MASK = "it"
"""What stands in the question in the place of its topic; see :class:`kgqa_graphdb.rank.PathRanker`."""


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


@dataclass(frozen=True, slots=True)
class Paths:
    """Link, propose relation paths, rank, execute, verbalise.

    :ivar max_hops: longest path; the number of hops of a question is never given
    :ivar link_weight: weight of a link's score beside a path's fit
    :ivar max_tries: plans executed before giving up: the best that isn't empty is the answer
    :ivar pair_paths: best paths of each topic that are tried together when there are two topics
    :ivar least_fit: below this nothing fits, and the method abstains
    """

    linker: Linker = field(default_factory=NameLinker)
    proposer: Proposer = field(default_factory=PathRanker)
    ranker: Ranker[Follow] = field(default_factory=PathRanker)
    max_hops: int = 3
    link_weight: float = 0.5
    max_tries: int = 12
    pair_paths: int = 4
    least_fit: float = 0.2

    def answer(self, question: Question, graph: Graph) -> Steps[Answer]:
        """Answer a question; abstains when no entity is named or no path fits."""
        yield from ask(Mark("link"))
        links = yield from self.linker.link(question, graph)
        if not links:
            return give_up("paths", question, links, f"no entity of graph {graph.name!r} is named in the question")
        yield from ask(Mark("retrieve"))
        starts = yield from graph.first_steps([link.entity for link in links])
        yield from ask(Mark("reason"))
        singles = yield from together(
            self._singles(question, link, starts.get(link.entity.element_id, ()), graph) for link in links
        )
        pairs = yield from together(
            self._pairs(question, one, other, graph) for one, other in _disjoint(list(zip(links, singles, strict=True)))
        )
        candidates = sorted((c for some in (*singles, *pairs) for c in some), key=_order)
        if not candidates or max(candidate.fit for candidate in candidates) < self.least_fit:
            return give_up("paths", question, links, "nothing in the graph fits the question well enough")
        return (yield from self._execute(question, graph, links, candidates))

    def _singles(self, question: Question, link: Link, starts: Sequence[str], graph: Graph) -> Steps[list[Candidate]]:
        """Paths from one topic, best first."""
        masked = mask(question.text, (link,))
        proposals = yield from self.proposer.propose(masked, starts, graph.mapping, self.max_hops)
        follows = [Follow(link.entity, scored.item) for scored in proposals]
        ranked = yield from self.ranker.rank(masked, follows)
        return [
            Candidate(scored.item, (link,), scored.score, scored.score + self.link_weight * link.score)
            for scored in ranked
        ]

    def _pairs(
        self, question: Question, one: tuple[Link, list[Candidate]], other: tuple[Link, list[Candidate]], graph: Graph
    ) -> Steps[list[Candidate]]:
        """Intersections of paths from two topics, ranked as one path that has the words of both."""
        links = (one[0], other[0])
        masked = mask(question.text, links)
        plans = [
            (first.plan, second.plan)
            for first, second in product(one[1][: self.pair_paths], other[1][: self.pair_paths])
            if isinstance(first.plan, Follow) and isinstance(second.plan, Follow)
        ]
        read_as_one = {Follow(first.topic, first.path + second.path): (first, second) for first, second in plans}
        ranked = yield from self.ranker.rank(masked, tuple(read_as_one))
        weight = self.link_weight * (links[0].score + links[1].score) / 2
        return [
            Candidate(Combine("and", read_as_one[scored.item]), links, scored.score, scored.score + weight)
            for scored in ranked
        ]

    def _execute(
        self, question: Question, graph: Graph, links: tuple[Link, ...], candidates: Sequence[Candidate]
    ) -> Steps[Answer]:
        """Execute the candidates best first; the first that yields anything is the answer."""
        yield from ask(Mark("retrieve"))
        memo = Memo()
        for candidate in candidates[: self.max_tries]:
            if candidate.fit < self.least_fit:
                break
            result: Result = yield from graph.execute(candidate.plan, memo)
            if result.nodes:
                chosen = [*candidate.links, *(link for link in links if link not in candidate.links)]
                proof = (Scored(result, min(1.0, candidate.fit)),)
                return (yield from conclude("paths", question, graph, tuple(chosen), proof))
        return give_up("paths", question, links, "the paths that fit the question lead nowhere in the graph")


def mask(text: str, links: Sequence[Link]) -> str:
    """The question with its topics masked."""
    for link in sorted(links, key=lambda link: -link.start):
        text = text[: link.start] + MASK + text[link.end :]
    return text


def _disjoint(
    found: list[tuple[Link, list[Candidate]]],
) -> list[tuple[tuple[Link, list[Candidate]], tuple[Link, list[Candidate]]]]:
    """The likeliest pair of links that do not overlap, and have paths."""
    for position, one in enumerate(found):
        for other in found[position + 1 :]:
            apart = one[0].end <= other[0].start or other[0].end <= one[0].start
            if apart and one[1] and other[1]:
                return [(one, other)]
    return []


def _order(candidate: Candidate) -> tuple[float, str]:
    return (-candidate.score, str(candidate.plan))
