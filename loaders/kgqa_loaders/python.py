"""Graphs that a Python program holds: NetworkX, pandas, py2neo.

from kgqa_loaders.python import from_networkx
load(driver, from_networkx(graph), graph="mine")
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from kgqa_graphdb.errors import UsageError, nearest
from kgqa_graphdb.mapping import name_keys, name_of
from kgqa_graphdb.types import Point, Scalar
from kgqa_loaders.property_graph import fact_records, node_records
from kgqa_loaders.records import InMemorySource, Literal, Record

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

LABEL_KEYS = ("labels", "label", "kind", "type")
"""Attributes of a node that may give its class labels, and of an edge its relation."""
_RELATION_KEYS = ("relation", "type", "label", "predicate")


def from_networkx(
    graph: nx.Graph[Any], *, relation: str = "", labels: str = "", describe: str = "NetworkX"
) -> InMemorySource:
    """A source of the nodes and edges of a graph; other attributes become properties and qualifiers.

    :param relation: the edges' attribute that names the relation; left out: ``relation``, ``type``, ``label``,
        ``predicate``, whichever comes first, or the key of a multigraph's edge, or "related to"
    :param labels: the nodes' attribute that holds their class label, or several; left out: ``labels``, ``label``,
        ``kind``, ``type``, whichever comes first and does not name the node
    :raises UsageError: an attribute holds what can't be stored
    """

    def records() -> Iterator[Record]:
        for node, attributes in graph.nodes(data=True):
            key = labels or next((key for key in LABEL_KEYS if _gives_labels(key, attributes)), "")
            given = attributes.get(key, ())
            rest = _properties({name: value for name, value in attributes.items() if name != key})
            classes = (given,) if isinstance(given, str) else tuple(map(str, given))
            yield from node_records(0, str(node), classes, rest)
        for head, tail, attributes in graph.edges(data=True):
            key = relation or next((key for key in _RELATION_KEYS if attributes.get(key)), "")
            rest = _properties({name: value for name, value in attributes.items() if name != key})
            yield from fact_records(0, str(head), str(attributes.get(key, "related to")), str(tail), rest)

    return _source(describe, records())


def _gives_labels(key: str, attributes: Mapping[str, Any]) -> bool:
    return (
        bool(attributes.get(key))
        and key not in name_keys((), attributes)
        and isinstance(attributes[key], str | list | tuple | set)
    )


def from_frame(
    frame: pd.DataFrame,
    *,
    head: str = "head",
    relation: str = "relation",
    tail: str = "tail",
    qualifiers: Sequence[str] = (),
    describe: str = "pandas",
) -> InMemorySource:
    """A source of a frame with one fact a row; rows without a head, relation or tail are left out.

    A tail that is no text is a literal, unless the heads are no texts either.

    :param qualifiers: columns that say more about the fact
    :raises UsageError: the frame lacks one of these columns, or a cell holds what can't be stored
    """
    columns = [head, relation, tail, *qualifiers]
    known = [str(column) for column in frame.columns]
    for column in columns:
        if column not in known:
            raise UsageError(f"the frame has no column {column!r}{nearest(column, known)}; it has: {', '.join(known)}")

    def records() -> Iterator[Record]:
        for number, row in enumerate(zip(*(frame[column].tolist() for column in columns), strict=True), start=1):
            subject, predicate, value, *more = (_scalar(cell) for cell in row)
            if subject is None or predicate is None or value is None:
                continue
            given = {key: item for key, item in zip(qualifiers, more, strict=True) if item is not None}
            if isinstance(value, str) or not isinstance(subject, str):
                yield from fact_records(number, str(subject), str(predicate), str(value), given)
            else:
                yield Literal(number, str(subject), str(predicate), value)

    return _source(describe, records())


def from_py2neo(subgraph: Any, *, key: str = "", describe: str = "py2neo") -> InMemorySource:
    """A source of a py2neo ``Subgraph``: its nodes with labels and properties, its relationships with theirs.

    :param key: the property that is a node's id; left out: the node's name where only one node has it, else its number
        in the graph that it came from
    :raises UsageError: nodes without an id, or a property holds what can't be stored
    """
    nodes = list(subgraph.nodes)
    ids = _py2neo_ids(nodes, key)

    def records() -> Iterator[Record]:
        for node in nodes:
            yield from node_records(0, ids[id(node)], tuple(sorted(node.labels)), _properties(dict(node)))
        for edge in subgraph.relationships:
            ends = [ids.get(id(node)) or _same(node, nodes, ids) for node in (edge.start_node, edge.end_node)]
            yield from fact_records(0, ends[0], type(edge).__name__, ends[1], _properties(dict(edge)))

    return _source(describe, sorted(records(), key=repr))


def _same(node: Any, nodes: list[Any], ids: dict[int, str]) -> str:
    return next(ids[id(other)] for other in nodes if other == node)


def _py2neo_ids(nodes: list[Any], key: str) -> dict[int, str]:
    ids: dict[int, str] = {}
    names = [name_of(tuple(sorted(node.labels)), dict(node)) for node in nodes]
    for node, name in zip(nodes, names, strict=True):
        if key:
            found = node.get(key)
            if found in (None, ""):
                raise UsageError(f"a node with the labels {', '.join(sorted(node.labels))} has no {key!r}")
            ids[id(node)] = str(found)
        elif name and names.count(name) == 1:
            ids[id(node)] = name
        elif node.identity is not None and node.identity >= 0:
            ids[id(node)] = f"{name or 'node'} {node.identity}"
        else:
            raise UsageError(
                f"several nodes are called {name!r} and have no number yet; say key=, a property that is unique"
            )
    return ids


def _source(describe: str, records: Iterable[Record]) -> InMemorySource:
    items = list(records)
    return InMemorySource(
        describe, items, hashlib.sha256("\n".join(map(repr, items)).encode(errors="replace")).hexdigest()
    )


def _properties(values: Mapping[str, Any]) -> dict[str, Scalar | list[Scalar]]:
    found: dict[str, Scalar | list[Scalar]] = {}
    for key, value in values.items():
        if isinstance(value, list | tuple | set | frozenset) and not isinstance(value, Point):
            ordered = sorted(value, key=str) if isinstance(value, set | frozenset) else value
            items = [item for item in map(_scalar, ordered) if item is not None]
            if items:
                found[str(key)] = items
        elif (scalar := _scalar(value)) is not None:
            found[str(key)] = scalar
    return found


def _scalar(value: Any) -> Scalar | None:
    """A value that can be stored; nothing for what is missing.

    :raises UsageError: it can't be stored
    """
    if hasattr(value, "to_pydatetime"):
        value = value.to_pydatetime() if value == value else None  # a missing time is not even itself
    elif hasattr(value, "to_native"):
        value = value.to_native()
    elif hasattr(value, "item") and not isinstance(value, str | bytes):
        value = value.item()
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, str | int | float | date | Point):
        return value
    if type(value).__name__ == "NAType":
        return None
    raise UsageError(f"{value!r} is a {type(value).__name__}, which can't be stored; make it a text, number or date")
