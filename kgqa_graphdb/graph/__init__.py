"""The graph: one class for graphs that we loaded and for a company's own, which differ in their mapping alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kgqa_graphdb import queries
from kgqa_graphdb.compile import describe_keys, describe_statement, kind_of, qualifier_keys, replay_statement
from kgqa_graphdb.graph.ends import Ends, ends_of
from kgqa_graphdb.graph.execute import execute
from kgqa_graphdb.graph.walk import Memo, Walk, Walker
from kgqa_graphdb.graph.ways import ways
from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.plan import Follow, Plan, Result
from kgqa_graphdb.steps import ReadEach, Steps, ask
from kgqa_graphdb.types import Entity, Node, Path, Statement

__all__ = ["Ends", "Graph", "Memo"]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Graph:
    """A graph in Neo4j, read through its mapping.

    :ivar max_edges: facts that one hop may return; more are cut by key, and the result says so
    :ivar max_facts: facts that a proof shows
    """

    mapping: GraphMapping
    max_edges: int = 20_000
    max_facts: int = 1_000
    walker: Walker = field(init=False)
    _kinds: dict[tuple[str, ...], tuple[EntityKind, tuple[str, ...]]] = field(
        default_factory=dict, init=False, repr=False
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "walker", Walker(self.mapping, self.max_edges))

    @property
    def name(self) -> str:
        """The graph's name."""
        return self.mapping.graph

    def describe(self, element_ids: Iterable[str], memo: Memo | None = None) -> Steps[dict[str, Entity]]:
        """Keys and names of nodes; element id → entity. A node that is gone meanwhile is left out."""
        known = memo.entities if memo is not None else {}
        wanted = list(dict.fromkeys(element_ids))
        unknown = [element_id for element_id in wanted if element_id not in known]
        if unknown:
            rows = yield from ask(ReadEach(describe_statement(self.mapping), unknown))
            columns = describe_keys(self.mapping)
            for element_id, labels, values in zip(*rows[0], strict=True):
                known[element_id] = self.entity(element_id, labels, dict(zip(columns, values, strict=True)))
        return {element_id: known[element_id] for element_id in wanted if element_id in known}

    def entity(self, element_id: str, labels: Sequence[str], properties: Mapping[str, object]) -> Entity:
        """An entity from a node's labels and properties. One without a name is called by its key."""
        kind, known = self._kind(tuple(labels))
        key = properties.get(kind.key) if kind.key else None
        entity_id = element_id if key is None else str(key)
        parts = [str(properties[name]) for name in kind.names if properties.get(name) not in (None, "")]
        return Entity(entity_id, " ".join(parts) or entity_id, known, element_id)

    def _kind(self, labels: tuple[str, ...]) -> tuple[EntityKind, tuple[str, ...]]:
        """What a node with these labels is, and those of them that are told."""
        if labels not in self._kinds:
            kind = kind_of(self.mapping, labels)
            told = tuple(sorted(set(labels) - {self.mapping.label, "Entity"})) if self.mapping.owned else (kind.label,)
            self._kinds[labels] = kind, told
        return self._kinds[labels]

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

    def walk(self, plan: Follow, memo: Memo) -> Steps[Walk]:
        """Walk a plan's path from its topic."""
        pinned = plan.to.element_id if plan.to else None
        starts = (plan.topic.element_id,)
        return (yield from self.walker.walk(starts, plan.path, memo, topics=starts, pinned=pinned))

    def ways(self, plan: Plan, nodes: Sequence[Node], memo: Memo) -> Steps[list[int]]:
        """In how many ways a plan leads to each of its answers; 1 where it does more than to follow and to intersect.

        :param memo: the plan was executed with
        """
        return (yield from ways(self, plan, nodes, memo))

    def ends(self, topic: Entity, paths: Sequence[Path]) -> Steps[list[Ends] | None]:
        """What each path leads to from a topic; ``None``: that took too long."""
        return (yield from ends_of(self, topic, paths))

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

    @property
    def qualifier_keys(self) -> tuple[str, ...]:
        """The relationship properties that may be read."""
        return qualifier_keys(self.mapping)
