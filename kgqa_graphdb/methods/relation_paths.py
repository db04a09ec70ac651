"""Relation paths from the linked topics, ranked, and the best one executed as an exact set.

It needs no training and no language model. Which of several possible topics is meant, the paths that fit decide: a
path's score and its topic's score are added.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Protocol

from kgqa_graphdb.compose import NotCovered
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.link.topics import LIKELY_SHARE, disjoint_pair, likely_links, mask_topic, topics_of
from kgqa_graphdb.methods.asked_for import AskedFor
from kgqa_graphdb.methods.candidates import Candidate, CandidateSelection, links_of
from kgqa_graphdb.methods.finish import conclude, give_up
from kgqa_graphdb.methods.linked import GraphModels, Linked, give_up_unlinked, link_topics
from kgqa_graphdb.methods.narrowed import narrowed
from kgqa_graphdb.methods.order import tie_breaks, voted
from kgqa_graphdb.methods.protocols import Linker, PathModel
from kgqa_graphdb.parse.cues import asks_whether, left_out, negation_in, unused_words
from kgqa_graphdb.plan import Answer, Combine, Follow
from kgqa_graphdb.rank import PathProbe, Proposal
from kgqa_graphdb.steps import Mark, Steps, ask, together
from kgqa_graphdb.types import Link, Question, Scored, Value
from kgqa_graphdb.verbalise import describe_plan

NAME = "relation_paths"
NOTE_BEST_PATH_EMPTY = (
    "paths that fit the question better lead nowhere: what was asked for may be missing from the graph"
)
NOTE_OTHER_READINGS = "the question can be read in other ways that are about as likely: their answers come last"
NOTE_BELOW = (
    "the reading that fits best, {}, fits by {:.2f} where {:.2f} is needed; --abstain-below 0 (abstain_below=0) "
    "answers by it"
)
NOTE_UNLIKELY = (
    "that the graph has an answer is likely by {:.2g} where {:.2g} is needed; --abstain-below 0 (abstain_below=0) "
    "answers all the same"
)
WHY_WHETHER = "the question asks whether something is so, and what that is was not understood"
WHY_NEGATED = "{!r} in the question leaves something out, and what that is was not understood"
NOTE_UNUSED_WORDS = "{!r} in the question was not understood and is passed over: all are told that the rest describes"


class _Propose(Protocol):
    """Proposes paths from a topic."""

    def __call__(
        self, question: str, start_codes: Sequence[str], max_hops: int, *, look: PathProbe
    ) -> Steps[Proposal]: ...


@dataclass(frozen=True, slots=True)
class _Topic:
    """A link and the candidates that start from it, best first.

    :ivar starts: codes of the steps by which it can be left
    :ivar unknown: the word of the question for what the graph does not know
    """

    link: Link
    starts: Sequence[str]
    candidates: tuple[Candidate, ...]
    least_fit: float
    least_share: float
    notes: tuple[str, ...]
    doubted: tuple[float, float] | None
    unknown: str


@dataclass(frozen=True, slots=True)
class RelationPaths:
    """Link, propose relation paths, rank, execute, verbalise.

    :ivar linker: finds what may be the topics
    :ivar models: the rankers of graphs' paths
    :ivar max_hops: longest path; the number of hops of a question is never given
    :ivar link_weight: weight of a link's score; that of a path's fit is 1
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
    :ivar least_fit: below this nothing fits, and the method abstains; ``None``: what the ranker says
    :ivar least_share: of the best fit: what has less is no answer where better paths lead nowhere; ``None``: what the
        ranker says
    :ivar always: answer by what fits least rather than not at all: where all that is proposed leads nowhere, by any
        step that leaves what the question may name
    """

    linker: Linker = field(default_factory=NameLinker)
    models: GraphModels = field(default_factory=GraphModels)
    max_hops: int = 3
    link_weight: float = 0.5
    likely_share: float = LIKELY_SHARE
    pair_weight: float = 0.25
    max_tries: int = 40
    second_worth: float = 0.5
    readings: int = 1
    voters: int = 5
    voter_share: float = 0.01
    pair_paths: int = 5
    least_fit: float | None = None
    least_share: float | None = None
    always: bool = False

    def answer(self, question: Question, graph: Graph) -> Steps[Answer]:
        """Answer a question; abstains when no entity is named or no path fits."""
        linked = yield from link_topics(self.linker, question, graph)
        return linked.noted((yield from self.answer_linked(linked, graph)))

    def answer_linked(self, linked: Linked, graph: Graph) -> Steps[Answer]:
        """Answer a question about what was linked."""
        question, links = linked.question, linked.links
        if not links:
            return give_up_unlinked(NAME, question, graph, linked.unlinked)
        model = self.models.of(graph)
        likely = likely_links(links, self.likely_share)
        negation = negation_in(question.text, likely, graph.mapping)
        asks = asks_whether(question.text, likely, graph.mapping.language)
        if asks and not (model.in_domain and _is_one(likely)):  # what a path leads to is neither yes nor no
            return give_up(NAME, question, links, WHY_NEGATED.format(negation[0]) if negation else WHY_WHETHER)
        if negation:
            return (yield from self._difference(question, links, likely, graph, model, negation))
        starts, topics = yield from self._tried(question, likely, graph, model)
        candidates = self._fitting(topics, (yield from self._pairs(question, topics, model)))
        tried = list(topics)
        if len(likely) < len(links) and (self.always or not candidates):
            # A name may stand in a longer one that is not what is meant.
            _, others = yield from self._tried(question, [link for link in links if link not in likely], graph, model)
            candidates = [*candidates[: self.max_tries], *self._fitting(others, ())]
            tried += others
        if not candidates:
            topics = yield from self._topics(question, likely, starts, graph, model.propose_fallback)
            candidates = self._fitting(topics, ())
            tried += topics
        if self.always:
            candidates = [*candidates[: 2 * self.max_tries], *(yield from self._single_steps(links, graph))]
        notes = tuple(dict.fromkeys(note for topic in tried for note in topic.notes))
        if not candidates:
            why, more = self._why_nothing_fits(tried)
            return give_up(NAME, question, links, why, (*notes, *more))
        share = topics[0].least_share if self.least_share is None else self.least_share
        return _with_unused_words((yield from self._execute(question, graph, links, candidates, model, share, notes)))

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
        why = WHY_NEGATED.format(negation[0])
        pair = topics_of(question.text, likely)
        taken = left_out(question.text, negation, *pair) if len(pair) == 2 else None
        if taken is None or unused_words(question.text, likely, (), in_values=False):
            return give_up(NAME, question, links, why)
        _, topics = yield from self._tried(question, pair, graph, model)
        fitting = self._fitting(topics, (yield from self._pairs(question, topics, model)))
        pairs = [one for one in fitting if isinstance(one.plan, Combine)]
        # What is left out is among what is asked for: of paths that never meet nobody knows what they have to do with
        # each other.
        met = yield from CandidateSelection(question, graph, pairs, 0.0, self.max_tries).first()
        if met is None or not isinstance(met.candidate.plan, Combine):
            return give_up(NAME, question, links, why)
        parts = met.candidate.plan.parts
        found = replace(met.candidate, plan=Combine("not", parts if taken is met.candidate.links[1] else parts[::-1]))
        notes = tuple(dict.fromkeys(note for topic in topics for note in topic.notes))
        return (yield from self._execute(question, graph, links, [found], model, 0.0, notes))

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

    def _why_nothing_fits(self, topics: Sequence[_Topic]) -> tuple[str, tuple[str, ...]]:
        """Why there is no candidate, and notes on what would be one under a lower bound."""
        why = "nothing in the graph fits the question well enough"
        below = max((one for topic in topics for one in topic.candidates), key=lambda one: one.fit, default=None)
        if below is not None:
            bound = topics[0].least_fit if self.least_fit is None else self.least_fit
            return why, (NOTE_BELOW.format(describe_plan(below.plan), below.fit, bound),)
        doubts = [topic.doubted for topic in topics if topic.doubted]
        if doubts:
            return why, (NOTE_UNLIKELY.format(*max(doubts)),)
        if unknown := next((topic.unknown for topic in topics if topic.unknown), ""):
            return f"the graph has no relation for {unknown!r}", ()
        names = " or ".join(dict.fromkeys(repr(topic.link.entity.name) for topic in topics))
        return f"the graph has no facts about {names} that the question may ask for", ()

    def _single_steps(self, links: Sequence[Link], graph: Graph) -> Steps[list[Candidate]]:
        """Whatever single steps lead away from links, for when nothing that fits leads anywhere."""
        starts = yield from graph.first_steps([link.entity for link in links])
        return [
            Candidate(Follow(link.entity, (graph.mapping.step(code),)), (link,), 0.0, 0.0)
            for link in links
            for code in starts.get(link.entity.element_id, ())
            if code[1:] in graph.mapping.by_id
        ]

    def _topic(
        self, question: Question, link: Link, starts: Sequence[str], graph: Graph, propose: _Propose
    ) -> Steps[_Topic]:
        """The paths from one topic."""
        masked = mask_topic(question.text, link)
        proposal = yield from propose(masked, starts, self.max_hops, look=partial(graph.endpoint_stats, link.entity))
        candidates = tuple(
            Candidate(
                Follow(link.entity, scored.item), (link,), scored.score, scored.score + self.link_weight * link.score
            )
            for scored in proposal.paths
        )
        least = (proposal.least_fit, proposal.least_share)
        return _Topic(link, starts, candidates, *least, proposal.notes, proposal.doubted, proposal.unknown)

    def _pairs(self, question: Question, topics: Sequence[_Topic], model: PathModel) -> Steps[list[Candidate]]:
        """Intersections of paths from the two likeliest topics."""
        pair = disjoint_pair([one for one in topics if one.candidates], lambda topic: topic.link)
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
        tries = len(candidates) if self.always else self.max_tries
        checked = None if model.in_domain or self.always else AskedFor(question.text, model.untrained, graph.mapping)
        selection = CandidateSelection(question, graph, list(candidates), least_share, tries, checked)
        best = yield from selection.first()
        if best is not None and checked is not None and graph.mapping.label is None:
            best = yield from selection.shortest(best)
        if best is not None and checked is not None and isinstance(best.candidate.plan, Follow):
            link = best.candidate.links[0]
            why = yield from checked.unsaid(link, best.candidate.plan, graph, links)
            if why:
                return give_up(NAME, question, links, why, notes)
        if best is not None and not model.in_domain:
            best = yield from selection.as_said(best, links)
            best = yield from selection.either_way(best)
        if best is None:
            return give_up(NAME, question, links, "the paths that fit the question lead nowhere in the graph", notes)
        candidate, memo = best.candidate, selection.memo
        named, result = yield from narrowed(question, best, graph, memo)
        if checked is not None and (why := checked.passed_over(named, result.plan, links)):
            return give_up(NAME, question, links, why, notes)
        worth, notes = (self.second_worth, (*notes, NOTE_BEST_PATH_EMPTY)) if selection.led_nowhere else (1.0, notes)
        fits = dict.fromkeys(result.nodes, candidate.fit)
        shares = dict.fromkeys(fits, 1.0)
        if model.scores_are_probabilities and len(fits) > 1:
            least = self.voter_share * candidate.fit
            rivals = (one for one in selection.candidates if one is not candidate and one.fit >= least)
            yield from voted(fits, (Scored(one.plan, one.fit) for one in rivals), self.voters, graph, memo)
            shares = yield from tie_breaks(result.plan, result.nodes, graph, memo)
        scores = {node: worth * shares[node] * model.confidence(fit) for node, fit in fits.items()}
        others = yield from selection.others(best, self.readings - 1)
        if others:
            named = links_of(named, (link for other in others for link in other.candidate.links))
            every = Combine("or", (result.plan, *(other.candidate.plan for other in others)))
            result = yield from graph.execute(every, memo)
            for rank, other in enumerate(others, 1):
                for node in other.result.nodes:
                    scores.setdefault(node, self.second_worth**rank * worth * model.confidence(candidate.fit))
            notes = (*notes, NOTE_OTHER_READINGS)
        proof = (Scored(result, worth * model.confidence(candidate.fit)),)
        chosen = links_of(named, links)
        answer = yield from conclude(NAME, question, graph, chosen, proof, notes=notes, scores=scores)
        word = (yield from checked.left_out(answer, graph)) if checked else ""
        return give_up(NAME, question, chosen, NotCovered(word).why, notes) if word else answer


def _with_unused_words(answer: Answer) -> Answer:
    """A path's answer, with a note where the question compares or counts what it leads to."""
    if answer.abstained:
        return answer
    relations = (fact.relation for fact in answer.proof[0].item.facts)
    in_values = all(isinstance(one.item, Value) for one in answer.answers)
    cue = unused_words(answer.question.text, answer.links, relations, in_values=in_values)
    return replace(answer, notes=(*answer.notes, NOTE_UNUSED_WORDS.format(cue))) if cue else answer


def _is_one(links: Sequence[Link]) -> bool:
    """Whether no two of some links stand apart: people's own questions may ask so for what one entity has."""
    return disjoint_pair(links, lambda link: link) is None


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
