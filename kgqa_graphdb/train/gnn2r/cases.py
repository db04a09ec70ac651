"""What step II learns from: questions with the patterns of their candidates, and how those vote (Algorithm 3).

Only step I's candidates and the answers of the pairs are used. A question has hundreds of patterns: walks are looked
for and followed in the exported graph, in memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from kgqa_graphdb.client import KGQA
from kgqa_graphdb.export import ExportedGraph, IndexedSubgraph, SubgraphSettings
from kgqa_graphdb.export.walks import Follower, Walks
from kgqa_graphdb.export.words import phrases_of
from kgqa_graphdb.gnn2r.expressions import expression, wh_word
from kgqa_graphdb.gnn2r.graphs import Inverse, QuestionGraph
from kgqa_graphdb.gnn2r.patterns import Joining, Pattern, candidate_patterns
from kgqa_graphdb.gnn2r.ranker import RankRequest
from kgqa_graphdb.gnn2r.reasoner import ReasonRequest, StepOne
from kgqa_graphdb.gnn2r.subgraphs import entities_of, numbers_of
from kgqa_graphdb.mining.exported import gold_numbers
from kgqa_graphdb.questions import harmonic
from kgqa_graphdb.steps import Steps, together
from kgqa_graphdb.train.gnn2r.lessons import Topics, cut_for
from kgqa_graphdb.train.settings import Progress
from kgqa_graphdb.types import Entity, Floats, Ints, Scored, WalkRule

LossKind: TypeAlias = Literal["contrast", "triplet"]
"""Ours, over all questions and expressions of a batch, or the paper's, over those of one question."""
AT_ONCE = 32
"""Questions that are looked at side by side."""
WEIGHTS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Of nearness beside the cosine, that are tried."""
LEEWAY = 0.01
"""Of F1: what a walk rule may lose to the best one and be taken before it."""
NOTHING: Ints = np.zeros(0, dtype=np.int64)
MAX_ANSWERS = 5_000
"""A pattern that leads to more entities votes for nothing."""


@dataclass(frozen=True, slots=True)
class Votes:
    """What a pattern leads to.

    :ivar right: answers of the question among it
    :ivar wrong: all else
    :ivar f1: 0..1
    """

    right: int
    wrong: int
    f1: float

    @property
    def vote(self) -> int:
        """Upvotes less downvotes."""
        return self.right - self.wrong


@dataclass(frozen=True, slots=True)
class Case:
    """A question and the expressions of its candidates' patterns.

    :ivar id: of its pair
    :ivar text: with the topics masked
    :ivar expressions: each once
    :ivar votes: of each
    :ivar sizes: hops of each
    :ivar nearness: how near step I finds what each was found from; see
        :attr:`kgqa_graphdb.gnn2r.patterns.Patterns.nearness`; none: all alike
    """

    id: str
    text: str
    expressions: tuple[str, ...]
    votes: tuple[Votes, ...]
    sizes: tuple[int, ...] = ()
    nearness: tuple[float, ...] = ()

    def by_likeness(self, similarities: Floats) -> Case:
        """The same, the expressions most like the question first."""
        order = np.argsort(-similarities, kind="stable").tolist()
        columns = (self.expressions, self.votes, self.sizes, self.nearness)
        return Case(self.id, self.text, *(tuple(column[place] for place in order if column) for column in columns))

    @property
    def request(self) -> RankRequest:
        """What the sentence encoder compares."""
        return RankRequest(self.text, self.expressions)

    def positives(self, *, shortest: bool = False) -> Ints:
        """Places of the expressions with the most votes, among those that lead to any answer; shape (positives,).

        :param shortest: of those, only the ones with the fewest hops, as in the paper
        """
        able = [place for place, own in enumerate(self.votes) if own.right]
        most = max((self.votes[place].vote for place in able), default=0)
        best = [place for place in able if self.votes[place].vote == most]
        least = min((self.sizes[place] for place in best), default=0)
        return np.array([one for one in best if not shortest or self.sizes[one] == least], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class CaseMaker:
    """Makes cases of questions of a graph.

    :ivar step_one: finds the candidates
    :ivar inverse: how its subgraphs are walked from tail to head
    :ivar candidates: how many
    :ivar joining: which paths join topics and candidates
    :ivar hops: of those paths at most
    """

    kg: KGQA
    exported: ExportedGraph
    step_one: StepOne
    subgraphs: SubgraphSettings
    inverse: Inverse
    candidates: int
    joining: Joining
    hops: int
    walks: Walks = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "walks", Walks(self.exported))

    def make(self, linked: Sequence[Topics], walk: WalkRule, progress: Progress, *, learn: bool) -> list[Case]:
        """The cases of questions; those without a topic, or without a pattern, are left out.

        :param walk: the rule under which patterns are followed
        :param learn: patterns are looked for from the answers, too, as Algorithm 3 does
        """
        found: list[Case] = []
        phrases = phrases_of(self.exported.manifest.relations)
        for start in range(0, len(linked), AT_ONCE):
            some = linked[start : start + AT_ONCE]
            cut = [(one, index) for one in some if isinstance(index := self._cut(one), IndexedSubgraph)]
            make = (QuestionGraph.of(index, self.exported.num_relations, self.inverse) for _, index in cut)
            requests = [ReasonRequest(one.text, graph) for (one, _), graph in zip(cut, make, strict=True)]
            near = [
                {
                    int(index.nodes[place]): 1 / (1 + float(distances[place]))
                    for place in np.argsort(distances, kind="stable")[: self.candidates].tolist()
                }
                for (_, index), distances in zip(cut, self.step_one.distances(requests), strict=True)
            ]
            cases = self.kg.perform(
                together(_case(self, one, own, walk, phrases, learn) for (one, _), own in zip(cut, near, strict=True))
            )
            found += [case for case in cases if case.expressions]
            progress(min(start + AT_ONCE, len(linked)), len(linked))
        return found

    def _cut(self, one: Topics) -> IndexedSubgraph | str:
        return cut_for(self.exported, one, self.subgraphs)


def _case(
    maker: CaseMaker, one: Topics, near: Mapping[int, float], walk: WalkRule, phrases: Mapping[str, str], learn: bool
) -> Steps[Case]:
    golds = [number for gold in one.pair.answers for number in gold_numbers(maker.exported, gold)]
    wanted = list(dict.fromkeys([*near, *golds] if learn else near))
    entities = yield from entities_of(maker.exported, wanted, maker.kg.graph)
    chosen = [
        Scored(entity, near.get(number, 0.0))
        for number, entity in zip(wanted, entities, strict=True)
        if entity is not None
    ]
    found: dict[str, tuple[Votes, int, float]] = {}
    if one.asked is None or not chosen:
        return Case(one.pair.id, one.text, (), ())
    patterns = yield from candidate_patterns(one.asked, chosen, maker.kg.graph, maker.hops, maker.joining, maker.walks)
    follower = Follower(maker.walks, walk, MAX_ANSWERS)
    topics = {topic: numbers_of(maker.exported, topic) for topic in one.asked.entities}
    wh = wh_word(one.text)
    for scored, nearness in zip(patterns.ranked, patterns.nearness, strict=True):
        text = expression(wh, scored.item.sides, phrases)
        if text not in found:
            ends = ends_of(scored.item, topics, maker.walks, follower)
            size = sum(len(side.path) for side in scored.item.sides)
            found[text] = votes_of(ends, golds, len(one.pair.answers)), size, nearness
    columns = zip(*((text, *rest) for text, rest in found.items()), strict=True) if found else ((), ())
    return Case(one.pair.id, one.text, *columns)


def ends_of(pattern: Pattern, topics: Mapping[Entity, Sequence[int]], walks: Walks, follower: Follower) -> Ints | None:
    """What a pattern leads to, ascending; ``None``: too much.

    :param topics: the numbers of each topic in the exported graph
    """
    found: Ints | None = None
    for side in pattern.sides:
        path, ends = tuple(walks.way_of[step.code] for step in side.path), NOTHING
        for number in topics[side.topic]:
            own = follower.ends(number, path)
            if own is None:
                return None
            ends = np.union1d(ends, own)
        found = ends if found is None else np.intersect1d(found, ends)
    return found


def votes_of(ends: Ints | None, right: Sequence[int], golds: int) -> Votes:
    """The votes of what a pattern leads to.

    :param ends: ``None``: too much
    :param right: the answers that the exported graph has
    :param golds: how many answers the question has
    """
    if ends is None or not ends.size:
        return Votes(0, 0, 0.0)
    hits = int(np.isin(ends, right).sum())
    recall = min(1.0, hits / golds) if golds else 0.0
    return Votes(hits, ends.size - hits, harmonic(hits / ends.size, recall))


def best_walk(found: Sequence[tuple[WalkRule, Sequence[Case]]]) -> WalkRule:
    """The first walk rule under which the best patterns of questions are nearly as good as under the best rule."""
    means = [
        (rule, float(np.mean([max(own.f1 for own in case.votes) for case in cases])) if cases else 0.0)
        for rule, cases in found
    ]
    best = max(mean for _, mean in means)
    return next(rule for rule, mean in means if mean >= best - LEEWAY)


def chosen_f1(cases: Sequence[Case], similarities: Sequence[Floats], weight: float = 0.0) -> list[float]:
    """F1 of what the best expression of each question leads to, as the method chooses it, 0..1 each.

    :param weight: what nearness counts beside similarity
    """
    found = []
    for case, own in zip(cases, similarities, strict=True):
        scores = own + weight * np.array(case.nearness, dtype=np.float32) if case.nearness else own
        order = np.argsort(-scores, kind="stable").tolist()
        place = next((one for one in order if case.votes[one].right + case.votes[one].wrong), order[0])
        found.append(case.votes[place].f1)
    return found


def best_weight(cases: Sequence[Case], similarities: Sequence[Floats]) -> float:
    """The weight of nearness with which what is chosen has the highest F1; of equals the lowest."""
    return max(WEIGHTS, key=lambda weight: (np.mean(chosen_f1(cases, similarities, weight)), -weight))
