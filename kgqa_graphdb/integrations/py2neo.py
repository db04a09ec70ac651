"""py2neo (2021.2): its connections are used through the official driver, and proofs are given as its subgraphs.

py2neo is no longer developed. Only what still works on today's Neo4j is relied on: what a connection knows of itself,
and the classes of its data model.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from kgqa_graphdb.errors import ConnectionFailedError, MissingExtraError, UsageError, masked
from kgqa_graphdb.managed.connection import Connection
from kgqa_graphdb.types import Entity, Fact, Point, Scalar

NO_LABEL = "Entity"
"""Label of an entity of which no label is known."""


def connection_of(graph: Any) -> Connection:
    """Address, credentials and database of a py2neo ``Graph``, for the official driver.

    :raises UsageError: it is no py2neo graph
    :raises ConnectionFailedError: it connects over HTTP, which the driver does not speak
    """
    profile = getattr(getattr(graph, "service", None), "profile", None)
    if profile is None:
        raise UsageError(f"{type(graph).__name__!r} is no py2neo Graph; give one made with py2neo.Graph(uri, auth=…)")
    uri = str(profile.uri)
    if uri.startswith("http"):
        raise ConnectionFailedError(
            f"py2neo connects to {masked(uri)}, and the driver does not speak HTTP; give py2neo.Graph the server's "
            "Bolt address, such as bolt://localhost:7687"
        )
    user, password = profile.auth or ("", "")
    return Connection(uri, user or "", password or "", database=graph.name or None)


def subgraph_of(facts: Iterable[Fact], entities: Iterable[Entity]) -> Any:
    """The facts that prove a reply, and the entities that answer, as a py2neo ``Subgraph``.

    A node has its entity's labels and the properties ``entity_id`` and ``name``; facts with values are properties too.
    ``graph.merge(subgraph)`` merges nodes by ``entity_id``.

    :raises MissingExtraError: py2neo is not installed
    """
    try:
        from py2neo import Node, Relationship, Subgraph
    except ImportError as error:
        raise MissingExtraError("py2neo", "py2neo") from error
    nodes: dict[Entity, Any] = {}
    values: dict[tuple[Entity, str], list[Any]] = {}
    edges: list[Any] = []

    def node(entity: Entity) -> Any:
        if entity not in nodes:
            labels = entity.labels or (NO_LABEL,)
            key = {"entity_id": entity.id} if entity.has_key else {}  # the server's own handle is of no use elsewhere
            made = Node(*labels, name=entity.name, **key)
            made.__primarylabel__, made.__primarykey__ = labels[0], "entity_id" if key else "name"
            nodes[entity] = made
        return nodes[entity]

    for fact in facts:
        head = node(fact.head)
        if isinstance(fact.tail, Entity):
            qualifiers = {key: _value(value) for key, value in fact.qualifiers}
            edges.append(Relationship(head, fact.relation.type or fact.relation.id, node(fact.tail), **qualifiers))
        else:
            values.setdefault((fact.head, fact.relation.type or fact.relation.id), []).append(_value(fact.tail.value))
    for entity in entities:
        node(entity)
    for (entity, key), several in values.items():
        nodes[entity][key] = several[0] if len(several) == 1 else several
    return Subgraph(nodes.values(), edges)


def _value(value: Scalar) -> Any:
    """A value as py2neo sends it."""
    if isinstance(value, Point):
        from interchange.geo import WGS84Point

        return WGS84Point((value.longitude, value.latitude))
    return value if isinstance(value, str | int | float | bool | date) else str(value)
