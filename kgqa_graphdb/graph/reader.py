"""Reading a graph through its mapping: what walking, executing and proving have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from kgqa_graphdb.compile import describe_keys, describe_statement, kind_of
from kgqa_graphdb.graph.walk import Memo, Walk, Walker
from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.steps import ReadEach, Steps, ask
from kgqa_graphdb.types import NAMELESS, Entity


class NameSearch(Protocol):
    """An index over names outside the database.

    :ivar nodes: whose names it holds
    """

    nodes: int

    def search(self, items: Sequence[Sequence[Sequence[Any]]]) -> Sequence[Sequence[Sequence[str]]]:
        """The element ids that each search of each item finds; a search begins with a query and its most hits."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class GraphReader:
    """A graph in Neo4j, read through its mapping.

    :ivar max_edges: facts that one hop may return; more are cut by key, and the result says so
    :ivar max_facts: facts that a proof shows
    :ivar names: finds names where the database has no full-text index for them; ``None``: nothing but a look at every
        node does
    """

    mapping: GraphMapping
    max_edges: int = 20_000
    max_facts: int = 1_000
    names: NameSearch | None = None
    walker: Walker = field(init=False)
    _kinds: dict[tuple[str, ...], tuple[EntityKind, tuple[str, ...]]] = field(
        default_factory=dict, init=False, repr=False
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "walker", Walker(self.mapping, self.max_edges))

    @property
    def has_index(self) -> bool:
        """Whether names are searched for in an index, in the database or beside it."""
        return bool(self.mapping.fulltext) or self.names is not None

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
        """An entity from a node's labels and properties. One without a name is called by its key, if it has one."""
        kind, known = self._kind(tuple(labels))
        key = properties.get(kind.key) if kind.key else None
        parts = [str(properties[name]) for name in kind.names if properties.get(name) not in (None, "")]
        name = " ".join(parts) or _text(key) or NAMELESS
        return Entity(element_id if key is None else str(key), name, known, element_id)

    def called(
        self, labels: Sequence[str], columns: Mapping[str, Sequence[object]], count: int
    ) -> tuple[list[str], list[str], tuple[str, ...]]:
        """Keys and names of many nodes of the same labels, as :meth:`entity` gives them; the key is empty without one.

        :param columns: property → its value of each node
        :param count: how many nodes there are
        :return: keys, names, and those of the labels that answers show
        """
        kind, known = self._kind(tuple(labels))
        keys = [_text(one) for one in columns[kind.key]] if kind.key else [""] * count
        parts = [[_text(one) for one in columns[name]] for name in kind.names]
        names = parts[0] if len(parts) == 1 else [" ".join(filter(None, some)) for some in zip(*parts, strict=True)]
        return keys, [name or key or NAMELESS for name, key in zip(names or [""] * count, keys, strict=True)], known

    def _kind(self, labels: tuple[str, ...]) -> tuple[EntityKind, tuple[str, ...]]:
        """What a node with these labels is, and those of them that answers show."""
        if labels not in self._kinds:
            kind = kind_of(self.mapping, labels)
            if self.mapping.owned:
                shown = tuple(sorted(set(labels) - {self.mapping.label, "Entity"}))
            else:
                others = {one.label for one in self.mapping.entities} & {*labels} - {kind.label}
                shown = (kind.label, *sorted(others))
            self._kinds[labels] = kind, shown
        return self._kinds[labels]

    def walk(self, plan: Follow, memo: Memo) -> Steps[Walk]:
        """Walk a plan's path from its topic."""
        pinned = plan.to.element_id if plan.to else None
        starts = (plan.topic.element_id,)
        return (yield from self.walker.walk(starts, plan.path, memo, topics=starts, pinned=pinned))


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
