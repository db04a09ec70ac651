"""The graph: one class for graphs that we loaded and for a company's own, which differ in their mapping alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgqa_graphdb import queries
from kgqa_graphdb.compile import replay_statement
from kgqa_graphdb.graph.among import facts_among
from kgqa_graphdb.graph.connect import (
    ConnectingPaths,
    PathKind,
    PathLimits,
    RelationPaths,
    paths_between,
    relation_paths,
)
from kgqa_graphdb.graph.endpoints import EndpointStats, endpoint_stats
from kgqa_graphdb.graph.execute import execute
from kgqa_graphdb.graph.lookup import find_entities
from kgqa_graphdb.graph.neighbourhood import Expansion, NeighbourhoodLimits, neighbourhood
from kgqa_graphdb.graph.reader import GraphReader
from kgqa_graphdb.graph.walk import Memo
from kgqa_graphdb.graph.walk_counts import count_walks
from kgqa_graphdb.plan import Plan, Result
from kgqa_graphdb.steps import ReadEach, Steps, ask
from kgqa_graphdb.types import Entity, Fact, Node, Path, Statement, Subgraph

NEIGHBOURHOOD_LIMITS, EXPANSION, PATH_LIMITS = NeighbourhoodLimits(), Expansion(), PathLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Graph(GraphReader):
    """A graph in Neo4j: what can be asked of it; see :class:`GraphReader` for its settings."""

    def first_steps(self, entities: Sequence[Entity]) -> Steps[dict[str, tuple[str, ...]]]:
        """The step codes by which entities can be left; element id → codes, sorted.

        Of a hub that is not looked through: all that the schema has.
        """
        return (yield from self.walker.departures([entity.element_id for entity in entities]))

    def execute(self, plan: Plan, memo: Memo | None = None) -> Steps[Result]:
        """Execute a plan: its answers as an exact set, and the facts on the ways to them.

        :param memo: hops already walked for this question
        :raises UsageError: the plan can't be executed
        """
        result = yield from execute(self, plan, memo if memo is not None else Memo())
        return result

    def count_walks(self, plan: Plan, nodes: Sequence[Node], memo: Memo) -> Steps[list[int]]:
        """In how many ways a plan leads to each of its answers; 1 where it does more than to follow and to intersect.

        :param memo: the plan was executed with
        """
        return (yield from count_walks(self, plan, nodes, memo))

    def endpoint_stats(self, topic: Entity, paths: Sequence[Path]) -> Steps[list[EndpointStats] | None]:
        """What each path leads to from a topic; ``None``: that took too long."""
        return (yield from endpoint_stats(self, topic, paths))

    def neighbourhood(
        self,
        topics: Sequence[Entity],
        hops: int,
        limits: NeighbourhoodLimits = NEIGHBOURHOOD_LIMITS,
        expansion: Expansion = EXPANSION,
    ) -> Steps[Subgraph]:
        """The subgraph of undirected hops around topics, in one round trip a hop.

        The relations of the mapping are walked, those with a ``via`` as one step; what a limit cuts is the same every
        time, and the subgraph says so.

        :param hops: 1 or more
        :param expansion: which nodes are listed, but not expanded, and whether values are listed
        :raises UsageError: no hops
        """
        return (yield from neighbourhood(self, topics, hops, limits, expansion))

    def paths_between(
        self,
        sources: Sequence[Entity],
        targets: Sequence[Entity],
        max_hops: int,
        kind: PathKind = "shortest",
        limits: PathLimits = PATH_LIMITS,
    ) -> Steps[ConnectingPaths]:
        """How each of some entities is joined with each of others, over undirected edges, whatever the walk rule.

        All pairs are read together, in one or two round trips.

        :param max_hops: 1 to 4; a step with a ``via`` is one
        :param kind: ``shortest``: one path a pair, of equal ones the first by relations and keys; ``simple``: all that
            pass no node twice
        :raises UsageError: so many hops are not looked for
        """
        return (yield from paths_between(self, sources, targets, max_hops, kind, limits))

    def relation_paths(
        self, sources: Sequence[Entity], targets: Sequence[Entity], max_hops: int, limits: PathLimits = PATH_LIMITS
    ) -> Steps[RelationPaths]:
        """The relation paths by which walks lead from each of some entities to each of others, whatever they pass.

        A walk may pass a node twice and end where it began: an entity is joined with itself, too. The walk rule is left
        aside; executing a path keeps to it. Read as :meth:`paths_between` reads.

        :param max_hops: 1 to 4; a step with a ``via`` is one
        :raises UsageError: so many hops are not looked for
        """
        return (yield from relation_paths(self, sources, targets, max_hops, limits))

    def facts_among(self, entities: Sequence[Entity]) -> Steps[tuple[Fact, ...]]:
        """The facts whose head and tail are both among some entities, in one round trip for up to 500 of them.

        They come head by head and tail by tail in the order of the entities, each with its qualifiers; a fact between
        two of too many relationships to be looked through is missing.
        """
        return (yield from facts_among(self, entities))

    def find(self, names: Sequence[str]) -> Steps[dict[str, tuple[Entity, ...]]]:
        """Entities by key, name or alias, in one round trip; name → those called exactly so, then those but for case,
        accents and marks. A name that nothing is called has none.

        :raises UsageError: the names are one text, or no texts
        """
        return (yield from find_entities(self, names))

    def degrees(self, element_ids: Sequence[str]) -> Steps[dict[str, int]]:
        """How many relationships nodes have; element id → number."""
        if not element_ids:
            return {}
        text = queries.load("retrieve/degrees").cypher()
        rows = yield from ask(ReadEach(Statement(text, {}), list(element_ids)))
        return {str(element_id): int(degree) for element_id, degree in rows}

    def statement(self, plan: Plan) -> Statement:
        """The one statement that reproduces the plan in Neo4j Browser."""
        return replay_statement(self.mapping, plan)
