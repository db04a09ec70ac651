"""The default method: relation paths from the linked topics, ranked, and the best one executed as an exact set.

It needs no training and no language model. Which of several possible topics is meant is settled by the paths that fit:
a path's score and its topic's score are added.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from pathlib import Path as FilePath
from typing import Protocol, Self
from weakref import WeakKeyDictionary

from kgqa_graphdb.errors import ReadTimeoutError, UsageError
from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.methods.beside import beside
from kgqa_graphdb.methods.finish import conclude, give_up
from kgqa_graphdb.methods.order import tie_breaks, voted
from kgqa_graphdb.methods.protocols import Linker, PathModel
from kgqa_graphdb.methods.readings import Candidate, Readings, links_of
from kgqa_graphdb.operators import Composed, Operators, left_out, negation_in, passed_over, topics_of
from kgqa_graphdb.plan import Answer, Combine, Follow, Result
from kgqa_graphdb.rank import PathProbe, PathRanker, Proposal, make_ranker, mask_mention, read_model
from kgqa_graphdb.steps import Mark, Steps, ask, together
from kgqa_graphdb.types import Link, Question, Scored, Value
from kgqa_graphdb.verbalise import describe_plan
from kgqa_graphdb.wording import words_of

NOTE_BEST_PATH_EMPTY = (
    "paths that fit the question better lead nowhere: what was asked for may be missing from the graph"
)
NO_PROBABILITIES = (
    "several readings can be answered with a trained model only (--model): without one nothing says how likely each "
    "is; kgqa train paths makes one"
)
OTHERS = "the question can be read in other ways that are about as likely: their answers come last"
PASSED_OVER = "{!r} in the question was not understood and is passed over: all are told that the rest describes"


class _Propose(Protocol):
    """Proposes paths from a topic."""

    def __call__(
        self, question: str, start_codes: Sequence[str], max_hops: int, *, look: PathProbe
    ) -> Steps[Proposal]: ...


@dataclass(frozen=True, slots=True)
class _Topic:
    """A link and the candidates that start from it, best first.

    :ivar starts: codes of the steps by which it can be left
    """

    link: Link
    starts: Sequence[str]
    candidates: tuple[Candidate, ...]
    least_fit: float
    least_share: float
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Paths:
    """Link, propose relation paths, rank, execute, verbalise.

    :ivar make_model: makes the ranker of a graph's paths; it is kept as long as the mapping lives
    :ivar max_hops: longest path; the number of hops of a question is never given
    :ivar link_weight: weight of a link's score beside a path's fit
    :ivar likely_share: links that score less than this share of the best one's score are tried as topics only where no
        path fits from the others
    :ivar pair_weight: weight of the second link's score when two topics are intersected: more is explained
    :ivar max_tries: plans executed before giving up: the best that isn't empty is the answer
    :ivar second_worth: what an answer's score keeps where a better path led nowhere: what was asked for may be missing;
        and what each other reading's keep of those of the one before it
    :ivar readings: of a question that are answered together at most, where more are about as likely; the model's scores
        must be probabilities
    :ivar voters: other paths that say which of several answers is likeliest: those that more of them lead to
    :ivar voter_share: of the answer's fit that such a path must have
    :ivar pair_paths: best paths of each topic that are tried together when there are two topics
    :ivar operators: composes plans that count, compare and rank
    :ivar least_fit: below this nothing fits, and the method abstains; ``None``: what the ranker says
    :ivar least_share: of the best fit: what has less is no answer where better paths lead nowhere; ``None``: what the
        ranker says
    """

    linker: Linker = field(default_factory=NameLinker)
    make_model: Callable[[GraphMapping], PathModel] = PathRanker
    max_hops: int = 3
    link_weight: float = 0.5
    likely_share: float = 0.5
    pair_weight: float = 0.25
    max_tries: int = 40
    second_worth: float = 0.5
    readings: int = 1
    voters: int = 5
    voter_share: float = 0.01
    pair_paths: int = 5
    least_fit: float | None = None
    least_share: float | None = None
    operators: Operators = field(default_factory=Operators)
    _models: WeakKeyDictionary[Graph, PathModel] = field(default_factory=WeakKeyDictionary, init=False, repr=False)

    @classmethod
    def of(cls, model: FilePath | str | None = None, readings: int = 1, abstain_below: float | None = None) -> Self:
        """With the ranker in a folder, or the untrained one.

        :param abstain_below: 0..1, how likely a path at all must be by a trained ranker, or how well one must fit; 0:
            whatever leads anywhere is an answer
        :raises UsageError: the folder holds none, readings are asked for without one, or a number is out of range
        """
        if readings < 1:
            raise UsageError(f"{readings} readings can't be answered: at least 1")
        if abstain_below is not None and not 0 <= abstain_below <= 1:
            raise UsageError(f"a bound of {abstain_below:g} on how likely an answer must be is not in 0..1")
        if model is None and readings > 1:
            raise UsageError(NO_PROBABILITIES)
        share = 0.0 if abstain_below == 0 else None
        if model is None:
            return cls(least_fit=abstain_below, least_share=share)
        ranker = partial(make_ranker, model=read_model(model), abstain_below=abstain_below)
        return cls(make_model=ranker, readings=readings, least_share=share)

    def answer(self, question: Question, graph: Graph) -> Steps[Answer]:
        """Answer a question; abstains when no entity is named or no path fits."""
        yield from ask(Mark("link"))
        links = yield from self.linker.link(question, graph)
        unknown = yield from self._unknown(question, links, graph)
        yield from ask(Mark("reason"))
        answer = yield from self._answer(question, links, graph)
        return replace(answer, notes=(*unknown, *answer.notes)) if unknown else answer

    def _unknown(self, question: Question, links: Sequence[Link], graph: Graph) -> Steps[list[str]]:
        """What to note of given topics that the graph does not have, where it has others."""
        if not links or len(question.topics) <= len({link.entity.element_id for link in links}):
            return []
        alone = [replace(question, topics=(name,)) for name in question.topics]
        each = yield from together(self.linker.link(one, graph) for one in alone)
        lacking = [one for one, found in zip(alone, each, strict=True) if not found]
        return [f"{_unlinked(one, graph)}; answered without it" for one in lacking]

    def _answer(self, question: Question, links: tuple[Link, ...], graph: Graph) -> Steps[Answer]:
        """Answer a question about what was linked."""
        composed = yield from self._composed(question, links, graph)
        if composed is not None:
            return (yield from self._told(question, graph, links, composed))
        if not links:
            return give_up("paths", question, links, _unlinked(question, graph))
        model = self._model(graph)
        bound = self.likely_share * links[0].score
        likely = [link for link in links if link.score >= bound]
        negation = negation_in(question.text, likely, graph.mapping)
        if negation:
            return (yield from self._difference(question, links, likely, graph, model, negation))
        starts, topics = yield from self._tried(question, likely, graph, model)
        candidates = self._fitting(topics, (yield from self._pairs(question, topics, model)))
        told = list(topics)
        if not candidates and len(likely) < len(links):  # a name may stand in a longer one that is not what is meant
            _, others = yield from self._tried(question, [link for link in links if link.score < bound], graph, model)
            candidates = self._fitting(others, ())
            told += others
        if not candidates:
            topics = yield from self._topics(question, likely, starts, graph, model.reconsider)
            candidates = self._fitting(topics, ())
            told += topics
        notes = tuple(dict.fromkeys(note for topic in told for note in topic.notes))
        if not candidates:
            return give_up("paths", question, links, "nothing in the graph fits the question well enough", notes)
        share = topics[0].least_share if self.least_share is None else self.least_share
        return _told_all((yield from self._execute(question, graph, links, candidates, model, share, notes)))

    def _composed(self, question: Question, links: Sequence[Link], graph: Graph) -> Steps[Composed | None]:
        try:
            return (yield from self.operators.compose(question, links, graph, self._model(graph)))
        except ReadTimeoutError:  # so much would have to be looked at that the question is left to single paths
            return None

    def _told(self, question: Question, graph: Graph, links: tuple[Link, ...], composed: Composed) -> Steps[Answer]:
        """The answer of a composed plan."""
        yield from ask(Mark("retrieve"))
        result = yield from graph.execute(composed.plan)
        if not result.nodes:
            why = f"nothing in the graph is {describe_plan(composed.plan)}"
            return give_up("paths", question, composed.links or links, why)
        proof = (Scored(result, min(1.0, composed.fit)),)
        return (yield from conclude("paths", question, graph, composed.links or links, proof))

    def _difference(
        self,
        question: Question,
        links: tuple[Link, ...],
        likely: Sequence[Link],
        graph: Graph,
        model: PathModel,
        negation: re.Match[str],
    ) -> Steps[Answer]:
        """What a path from one topic leads to but one from another does not; a path alone would be the opposite."""
        why = f"{negation[0]!r} in the question leaves something out, and what that is was not understood"
        pair = topics_of(question.text, likely)
        taken = left_out(question.text, negation, *pair) if len(pair) == 2 else None
        if taken is None or passed_over(question.text, likely, (), in_values=False):
            return give_up("paths", question, links, why)
        _, topics = yield from self._tried(question, pair, graph, model)
        fitting = self._fitting(topics, (yield from self._pairs(question, topics, model)))
        pairs = [one for one in fitting if isinstance(one.plan, Combine)]
        # What is left out is among what is asked for: of paths that never meet nobody knows what they have to do with
        # each other.
        met = yield from Readings(question, graph, pairs, 0.0, self.max_tries).first()
        if met is None or not isinstance(met.candidate.plan, Combine):
            return give_up("paths", question, links, why)
        parts = met.candidate.plan.parts
        found = replace(met.candidate, plan=Combine("not", parts if taken is met.candidate.links[1] else parts[::-1]))
        notes = tuple(dict.fromkeys(note for topic in topics for note in topic.notes))
        return (yield from self._execute(question, graph, links, [found], model, 0.0, notes))

    def _model(self, graph: Graph) -> PathModel:
        if graph not in self._models:
            self._models[graph] = self.make_model(graph.mapping)
        return self._models[graph]

    def _tried(
        self, question: Question, links: Sequence[Link], graph: Graph, model: PathModel
    ) -> Steps[tuple[Mapping[str, Sequence[str]], tuple[_Topic, ...]]]:
        """By which steps links can be left, and what is proposed for each as a topic."""
        yield from ask(Mark("retrieve"))
        starts = yield from graph.first_steps([link.entity for link in links])
        yield from ask(Mark("reason"))
        return starts, (yield from self._topics(question, links, starts, graph, model.propose))

    def _topics(
        self,
        question: Question,
        likely: Sequence[Link],
        starts: Mapping[str, Sequence[str]],
        graph: Graph,
        propose: _Propose,
    ) -> Steps[tuple[_Topic, ...]]:
        """What is proposed for each topic.

        :param starts: of each link's element id the codes of the steps that leave it
        """
        return (
            yield from together(
                self._topic(question, link, starts.get(link.entity.element_id, ()), graph, propose) for link in likely
            )
        )

    def _fitting(self, topics: Sequence[_Topic], pairs: Sequence[Candidate]) -> list[Candidate]:
        """The candidates that fit, best first."""
        least_fit = topics[0].least_fit if self.least_fit is None else self.least_fit
        found = (*(candidate for topic in topics for candidate in topic.candidates), *pairs)
        return sorted((candidate for candidate in found if candidate.fit >= least_fit), key=_order)

    def _topic(
        self, question: Question, link: Link, starts: Sequence[str], graph: Graph, propose: _Propose
    ) -> Steps[_Topic]:
        """The paths from one topic."""
        masked = mask_topic(question.text, link)
        proposal = yield from propose(masked, starts, self.max_hops, look=partial(graph.ends, link.entity))
        candidates = tuple(
            Candidate(
                Follow(link.entity, scored.item), (link,), scored.score, scored.score + self.link_weight * link.score
            )
            for scored in proposal.paths
        )
        return _Topic(link, starts, candidates, proposal.least_fit, proposal.least_share, proposal.notes)

    def _pairs(self, question: Question, topics: Sequence[_Topic], model: PathModel) -> Steps[list[Candidate]]:
        """Intersections of paths from the two likeliest topics."""
        pair = _disjoint(topics)
        if pair is None:
            return []
        one, other = pair
        masked = mask_topic(question.text, one.link, [other.link])
        firsts, seconds = (_with_prefixes(topic, self.pair_paths) for topic in pair)
        # What two topics have in common are entities: that two things cost the same is not what is asked.
        plans = [both for both in product(firsts, seconds) if not all(map(_ends_in_value, both))]
        ranked = yield from model.rank_pairs(masked, plans, (one.starts, other.starts))
        weight = self.link_weight * one.link.score + self.pair_weight * other.link.score
        met = [
            Candidate(Combine("and", scored.item), (one.link, other.link), scored.score, scored.score + weight)
            for scored in ranked
        ]
        return [*met, *self._between(one, other), *self._between(other, one)]

    def _between(self, topic: _Topic, other: _Topic) -> list[Candidate]:
        """What relationships between two topics say: a topic's paths that end in a qualifier, pinned to the other."""
        return [
            Candidate(
                Follow(candidate.plan.topic, candidate.plan.path, to=other.link.entity),
                (topic.link, other.link),
                candidate.fit,
                candidate.score + self.pair_weight * other.link.score,
            )
            for candidate in topic.candidates
            if isinstance(candidate.plan, Follow) and candidate.plan.path[-1].relation.kind == "qualifier"
        ]

    def _execute(
        self,
        question: Question,
        graph: Graph,
        links: tuple[Link, ...],
        candidates: Sequence[Candidate],
        model: PathModel,
        least_share: float,
        notes: tuple[str, ...],
    ) -> Steps[Answer]:
        """Execute the candidates best first; the first that yields anything is the answer.

        :param least_share: of the best fit: what has less is no answer where better paths lead nowhere
        """
        yield from ask(Mark("retrieve"))
        readings = Readings(question, graph, list(candidates), least_share, self.max_tries)
        reading = yield from readings.first()
        if reading is None:
            return give_up("paths", question, links, "the paths that fit the question lead nowhere in the graph", notes)
        candidate, memo = reading.candidate, readings.memo
        named, result = yield from _narrowed(question, candidate, reading.result, graph, memo)
        worth, notes = (self.second_worth, (*notes, NOTE_BEST_PATH_EMPTY)) if readings.led_nowhere else (1.0, notes)
        fits = dict.fromkeys(result.nodes, candidate.fit)
        shares = dict.fromkeys(fits, 1.0)
        if model.adds_up and len(fits) > 1:
            least = self.voter_share * candidate.fit
            rivals = (one for one in readings.candidates if one is not candidate and one.fit >= least)
            yield from voted(fits, (Scored(one.plan, one.fit) for one in rivals), self.voters, graph, memo)
            shares = yield from tie_breaks(result.plan, result.nodes, graph, memo)
        scores = {node: worth * shares[node] * model.confidence(fit) for node, fit in fits.items()}
        others = yield from readings.others(reading, self.readings - 1)
        if others:
            named = links_of(named, (link for other in others for link in other.candidate.links))
            every = Combine("or", (result.plan, *(other.candidate.plan for other in others)))
            result = yield from graph.execute(every, memo)
            for rank, other in enumerate(others, 1):
                for node in other.result.nodes:
                    scores.setdefault(node, self.second_worth**rank * worth * model.confidence(candidate.fit))
            notes = (*notes, OTHERS)
        proof = (Scored(result, worth * model.confidence(candidate.fit)),)
        chosen = links_of(named, links)
        return (yield from conclude("paths", question, graph, chosen, proof, notes=notes, scores=scores))


def _narrowed(
    question: Question, candidate: Candidate, result: Result, graph: Graph, memo: Memo
) -> Steps[tuple[tuple[Link, ...], Result]]:
    """A candidate's links and what it leads to, or with what else the question names only what is joined with that."""
    if isinstance(candidate.plan, Follow) and len(result.nodes) > 1:
        found = yield from beside(question, candidate.links[0], candidate.plan, graph, memo)
        if found is not None:
            plan, link = found
            fewer = yield from graph.execute(plan, memo)
            if fewer.nodes:
                return (*candidate.links, link), fewer
    return candidate.links, result


def _told_all(answer: Answer) -> Answer:
    """A path's answer, with a note where the question compares or counts what it leads to."""
    if answer.abstained:
        return answer
    relations = (fact.relation for fact in answer.proof[0].item.facts)
    in_values = all(isinstance(one.item, Value) for one in answer.answers)
    cue = passed_over(answer.question.text, answer.links, relations, in_values=in_values)
    return replace(answer, notes=(*answer.notes, PASSED_OVER.format(cue))) if cue else answer


def _disjoint(topics: Sequence[_Topic]) -> tuple[_Topic, _Topic] | None:
    """The likeliest two topics that do not overlap in the question, and have paths."""
    for position, one in enumerate(topics):
        for other in topics[position + 1 :]:
            if one.link.is_apart(other.link) and one.candidates and other.candidates:
                return one, other
    return None


def _unlinked(question: Question, graph: Graph) -> str:
    """Why nothing is linked."""
    if question.topics:
        return f"graph {graph.name!r} has no entity {' or '.join(map(repr, question.topics))}"
    return f"no entity of graph {graph.name!r} is named in the question"


def mask_topic(text: str, link: Link, others: Sequence[Link] = ()) -> str:
    """A question as rankers read it: with the topic masked, and others beside it."""
    return mask_mention(text, *_mention(text, link), [_mention(text, other) for other in others])


def _mention(text: str, link: Link) -> tuple[int, int]:
    """Where a topic is named, with the word for its kind if that stands before: "order 10248" speaks of no relation."""
    before = text[: link.start].rstrip()
    for label in link.entity.labels:
        found = re.search(rf"\b{re.escape(words_of(label))}$", before, re.IGNORECASE)
        if found and before != text[: link.start]:
            return found.start(), link.end
    return link.start, link.end


def _ends_in_value(plan: Follow) -> bool:
    return plan.path[-1].relation.kind != "edge"


def _with_prefixes(topic: _Topic, most: int) -> list[Follow]:
    """A topic's best paths and the beginnings of those: where two topics meet, each needs to explain its part only."""
    found: dict[Follow, None] = {}
    for candidate in topic.candidates:
        if isinstance(candidate.plan, Follow):
            path = candidate.plan.path
            prefixes = (Follow(topic.link.entity, path[:length]) for length in range(1, len(path) + 1))
            found.update(dict.fromkeys(prefixes))
        if len(found) >= most:
            break
    return list(found)[:most]


def _order(candidate: Candidate) -> float:
    """Best first; the sort is stable, so that of equals the likelier link and the shorter path come first."""
    return -candidate.score
