"""From a question's topics and what was guessed to candidates with their subgraphs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from kgqa_graphdb.graph import ConnectingPath, Graph
from kgqa_graphdb.language.folding import folded_text
from kgqa_graphdb.plan import Candidate
from kgqa_graphdb.rerank.guesses import distinct_guesses, readings_of
from kgqa_graphdb.rerank.kinds import is_value
from kgqa_graphdb.rerank.subgraphs import CandidateGraph, candidate_graphs, neighbours_of
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Floats

HOMONYMS = 5
"""Entities of one name that are looked at, of a guess as of a topic."""


@dataclass(frozen=True, slots=True)
class GatherSettings:
    """What candidates there are, and how they are joined with topics.

    :ivar hops: of a path between topic and candidate at most, 1..4
    :ivar guesses: distinct ones at most
    :ivar neighbours: entities next to the topics that are candidates, too, at most
    """

    hops: int = 2
    guesses: int = 50
    neighbours: int = 0


@dataclass(frozen=True, slots=True)
class CandidateSet:
    """The candidates of a question.

    :ivar topics: what it is about: of homonyms the one that is joined with most guesses
    :ivar candidates: the guesses in their order, then neighbours
    :ivar graphs: how each that is joined with a topic hangs together with it
    """

    topics: tuple[Entity, ...]
    candidates: tuple[Candidate, ...]
    graphs: Mapping[Entity, CandidateGraph] = field(default_factory=dict)

    @property
    def joined(self) -> list[tuple[Candidate, CandidateGraph]]:
        """The candidates that are joined with a topic, with their subgraphs."""
        return [(one, self.graphs[one.entity]) for one in self.candidates if one.entity and one.entity in self.graphs]

    @property
    def answered_by_value(self) -> bool:
        """Whether the likeliest guess is a day or a number, not the name of what is joined with a topic."""
        first = self.candidates[0] if self.candidates else None
        return first is not None and first.place == 0 and first.entity not in self.graphs and is_value(first.text)

    def scored(self, scores: Floats) -> tuple[Candidate, ...]:
        """The candidates with their scores.

        :param scores: of those that are joined, shape (joined,)
        """
        found = {graph.candidate: score for (_, graph), score in zip(self.joined, scores.tolist(), strict=True)}
        return tuple(
            replace(one, score=found[one.entity]) if one.entity and one.entity in found else one
            for one in self.candidates
        )


def gather(
    graph: Graph, mentions: Sequence[Sequence[Entity]], guesses: Iterable[str], settings: GatherSettings
) -> Steps[CandidateSet]:
    """Link guesses, choose among homonyms, add neighbours, and read the subgraphs of them all.

    :param mentions: of each topic the entities that it may be, likeliest first
    :param guesses: texts or keys, likeliest first; see :func:`kgqa_graphdb.rerank.guesses.distinct_guesses`
    """
    distinct = distinct_guesses(guesses, settings.guesses)
    readings = {one.text: readings_of(one.text) for one in distinct}
    named_so = yield from graph.find([text for some in readings.values() for text in some])
    found = {text: next((named_so[one] for one in some if named_so[one]), ()) for text, some in readings.items()}
    topics = list(dict.fromkeys(entity for some in mentions for entity in some[:HOMONYMS]))
    named = list(dict.fromkeys(entity for some in found.values() for entity in some[:HOMONYMS]))
    paths = (yield from graph.paths_between(topics, named, settings.hops)).paths if named else ()
    chosen = _chosen_topics(mentions, paths)
    paths = tuple(path for path in paths if path.source in chosen)
    meant = yield from _meant(graph, distinct, found, paths)
    linked = _linked(distinct, meant)
    around: list[Entity] = []
    if settings.neighbours:
        around = yield from neighbours_of(graph, chosen, settings.neighbours)
    guessed = {one.entity for one in linked}
    others = [entity for entity in around if entity not in guessed]
    kept = tuple(path for path in paths if path.target in guessed)
    if others:
        kept += (yield from graph.paths_between(chosen, others, settings.hops)).paths
    graphs = yield from candidate_graphs(graph, kept)
    return CandidateSet(tuple(chosen), (*linked, *(Candidate(one.name, None, 0, one) for one in others)), graphs)


def _chosen_topics(mentions: Sequence[Sequence[Entity]], paths: Sequence[ConnectingPath]) -> list[Entity]:
    """Of each mention the entity that is joined with most guesses; of equals the likelier."""
    joined: defaultdict[Entity, set[Entity]] = defaultdict(set)
    for path in paths:
        joined[path.source].add(path.target)
    each = [max(some[:HOMONYMS], key=lambda one: len(joined[one])) for some in mentions if some]
    return list(dict.fromkeys(each))


def _meant(
    graph: Graph,
    guesses: Sequence[Candidate],
    found: Mapping[str, Sequence[Entity]],
    paths: Sequence[ConnectingPath],
) -> Steps[dict[str, Entity]]:
    """The entity that each guess means: one that is joined with a topic, called just so, by the shortest paths; of
    equals that of which the graph knows most."""
    hops: dict[Entity, int] = {}
    for path in paths:
        hops[path.target] = min(len(path.path), hops.get(path.target, len(path.path)))
    several = [one.element_id for some in found.values() for one in some[:HOMONYMS] if len(some) > 1]
    degrees = yield from graph.degrees(list(dict.fromkeys(several)))

    def unlikeness(text: str, entity: Entity) -> tuple[bool, bool, int, int]:
        called = folded_text(entity.name) == folded_text(text) or entity.id == text
        return entity not in hops, not called, hops.get(entity, 0), -degrees.get(entity.element_id, 0)

    named = {one.text: found[one.text][:HOMONYMS] for one in guesses}
    return {text: min(some, key=partial(unlikeness, text)) for text, some in named.items() if some}


def _linked(guesses: Sequence[Candidate], meant: Mapping[str, Entity]) -> list[Candidate]:
    """The guesses with their entities; those that mean the same are one, in the place of the first."""
    linked: list[Candidate] = []
    places: dict[Entity, int] = {}
    for one in guesses:
        entity = meant.get(one.text)
        if entity is not None and entity in places:
            first = linked[places[entity]]
            linked[places[entity]] = replace(first, votes=first.votes + one.votes)
            continue
        if entity is not None:
            places[entity] = len(linked)
        linked.append(replace(one, place=len(linked), entity=entity))
    return linked
