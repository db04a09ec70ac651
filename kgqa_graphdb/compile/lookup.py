"""Statements that look entities up by name: in a full-text index, by their exact key, or at every node."""

from __future__ import annotations

from collections.abc import Sequence

from kgqa_graphdb.compile.hops import ITEM, PREFIX, describe_keys, each_statement, label_filter, not_apart
from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.queries import quote
from kgqa_graphdb.types import Statement

_COLUMNS = ("ids", "labels", "keys", "aliases")


def _described(mapping: GraphMapping, node: str) -> str:
    """What is returned of nodes: the columns :data:`_COLUMNS`."""
    keys = ", ".join(f"{node}.{quote(key)}" for key in describe_keys(mapping))
    return (
        f"collect(elementId({node})) AS ids, collect(labels({node})) AS labels, collect([{keys}]) AS keys,\n"
        f"       collect([{_aliases(mapping, node)}]) AS aliases"
    )


def _is_entity(mapping: GraphMapping) -> str:
    """The condition that what an index found is of the graph; of its parameters see :func:`_of_graph`."""
    others = " AND none(label IN labels(node) WHERE label IN $apart)" if mapping.apart else ""
    return f"any(label IN labels(node) WHERE label IN $labels){others}"


def _of_graph(mapping: GraphMapping) -> dict[str, object]:
    labels: dict[str, object] = {"labels": mapping.entity_labels}
    if mapping.fulltext:
        labels["index"] = mapping.fulltext
    return labels | ({"apart": list(mapping.apart)} if mapping.apart else {})


def _hits(mapping: GraphMapping) -> str:
    """The nodes that a search finds: in the full-text index; without one it comes with their element ids, last."""
    if mapping.fulltext:
        return "CALL db.index.fulltext.queryNodes($index, search[0], {limit: search[1]}) YIELD node"
    return "MATCH (node) WHERE elementId(node) IN search[-1]"


def names_statement(mapping: GraphMapping) -> Statement:
    """Entities by name: each item is a list of searches, ``[query, most hits]``, in Lucene's syntax.

    Without a full-text index it is ``[query, most hits, element ids]``: another index has found them.

    Returns one row a search that found something: element ids, labels, values of :func:`describe_keys`, aliases, and
    the query.
    """
    return each_statement(
        f"UNWIND {ITEM} AS search\n"
        f"{_hits(mapping)}\n"
        f"WITH search, node WHERE {_is_entity(mapping)}\n"
        f"RETURN {_described(mapping, 'node')}, search[0] AS query",
        (*_COLUMNS, "query"),
        _of_graph(mapping),
    )


def best_known_statement(mapping: GraphMapping) -> Statement:
    """Of the entities that searches find those with most facts: each item is a list of searches, ``[query, hits that
    are read, most entities]``, and without a full-text index the element ids that another has found.

    Returns one row a search that found something: element ids, labels, values of :func:`describe_keys`, aliases, the
    query, and how many relationships each entity has.
    """
    return each_statement(
        f"UNWIND {ITEM} AS search\n"
        "CALL (search) {\n"
        f"  {_hits(mapping)}\n"
        f"  WITH search, node WHERE {_is_entity(mapping)}\n"
        "  WITH search, node, COUNT { (node)--() } AS facts ORDER BY facts DESC, elementId(node)\n"
        "  WITH search, collect([node, facts])[..search[2]] AS best\n"
        "  UNWIND best AS one RETURN one[0] AS node, one[1] AS facts\n"
        "}\n"
        f"RETURN {_described(mapping, 'node')}, search[0] AS query, collect(facts) AS facts",
        (*_COLUMNS, "query", "facts"),
        _of_graph(mapping),
    )


def exact_statement(mapping: GraphMapping, kind: EntityKind) -> Statement:
    """Entities of a kind by their exact key, for names that a full-text index leaves out, such as "They".

    Each item is a list of keys. Returns one row an item: element ids, labels, values of :func:`describe_keys`, aliases.
    """
    key = f"n.{quote(kind.key)}" if kind.key else "elementId(n)"
    return each_statement(
        f"MATCH (n{label_filter(mapping, (kind.label,))}) WHERE {key} IN {ITEM}\nRETURN {_described(mapping, 'n')}",
        _COLUMNS,
        {},
    )


def nearest_statement(
    mapping: GraphMapping, indexes: Sequence[str], vectors: Sequence[Sequence[float]], limit: int
) -> Statement:
    """Entities nearest in meaning, from vector indexes.

    Returns one row a vector: its number, element ids, labels, values of :func:`describe_keys`, scores 0..1.

    :param vectors: of the encoder that the indexes were made with
    :param limit: entities that each index gives for a vector
    """
    keys = ", ".join(f"node.{quote(key)}" for key in describe_keys(mapping))
    return Statement(
        f"{PREFIX}\n"
        "UNWIND range(0, size($vectors) - 1) AS number\n"
        "UNWIND $indexes AS index\n"
        "CALL db.index.vector.queryNodes(index, $limit, $vectors[number]) YIELD node, score\n"
        + (f"WITH number, node, score WHERE {_is_entity(mapping)}\n" if mapping.apart else "")
        + "RETURN number, collect(elementId(node)) AS ids, collect(labels(node)) AS labels,\n"
        f"       collect([{keys}]) AS keys, collect(score) AS scores",
        {
            "vectors": [list(vector) for vector in vectors],
            "indexes": list(indexes),
            "limit": limit,
            **({"labels": mapping.entity_labels, "apart": list(mapping.apart)} if mapping.apart else {}),
        },
    )


def count_statement(mapping: GraphMapping) -> Statement:
    """How many nodes each label of the entities has, by the server's counts, and the element id of one entity.

    Returns one row: a list of numbers, a list of one element id or of none.
    """
    counts = ", ".join(f"COUNT {{ (:{quote(kind.label)}) }}" for kind in mapping.entities)
    return Statement(
        f"{PREFIX}\n"
        f"RETURN [{counts}] AS counts,\n"
        f"       COLLECT {{ MATCH (n{label_filter(mapping)}) RETURN elementId(n) LIMIT 1 }} AS some",
        {},
    )


def listed_statement(
    mapping: GraphMapping, kind: EntityKind, before: Sequence[str], skip: int, limit: int
) -> Statement:
    """The names of all entities of a kind, a page at a time: in the order in which the server has them.

    Returns one row: element ids; for each the parts of its name, its aliases, and its key if the kind has one.

    :param before: labels of kinds that come first: their nodes are none of this one
    """
    keys = [*kind.names, *kind.aliases, *([kind.key] if kind.key else [])]
    others = "".join(f"&!{quote(label)}" for label in before if label != kind.label)
    return Statement(
        f"{PREFIX}\n"
        f"MATCH (n:{quote(kind.label)}{others}{not_apart(mapping)})\n"
        "WITH n SKIP $skip LIMIT $limit\n"
        f"RETURN collect(elementId(n)) AS ids, collect([{', '.join('n.' + quote(key) for key in keys)}]) AS names",
        {"skip": skip, "limit": limit},
    )


# Accents and punctuation that the server can take out of names: as pairs of what stands there and what takes its place.
_FOLDS = [(mark, "") for mark in "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327\u0328"]
_MARKS = "-_.,:;'’‘`´!?&/()[]{}\"“”+*#$%=€£¥°±×÷−–—<>|~^@\t\n"
_FOLDS += [("ß", "ss"), *((mark, " ") for mark in _MARKS), ("   ", " "), ("  ", " ")]


def name_scan_statement(mapping: GraphMapping, kind: EntityKind, folded_text: str, limit: int) -> Statement:
    """Entities of a kind whose names or keys stand in a folded text, without a full-text index: looks at every node.

    Plain names are only put in lower case, which is all that folding does to them: most of the time goes into folding.

    Returns one row: element ids, labels, values of :func:`describe_keys`, aliases.
    """
    parts = ", ".join(f"toStringOrNull(n.{quote(part)})" for part in kind.names)
    others = "".join(
        f" + coalesce([] + n.{quote(key)}, [])" for key in (*kind.aliases, *([kind.key] if kind.key else []))
    )
    return Statement(
        f"{PREFIX}\n"
        f"MATCH (n{label_filter(mapping, (kind.label,))})\n"
        f"WITH n, [reduce(name = '', part IN [{parts}] | name + coalesce(' ' + part, ''))]{others} AS names\n"
        "WITH n, [name IN names | toStringOrNull(name)] AS names\n"
        "WITH n, [name IN names | CASE\n"
        "  WHEN name =~ '[A-Za-z0-9 ]*' AND NOT name CONTAINS '  ' THEN trim(toLower(name))\n"
        "  ELSE trim(reduce(folded = normalize(toLower(name), NFKD), fold IN $folds |\n"
        "    replace(folded, fold[0], fold[1])))\n"
        "END] AS names\n"
        "WITH n, [name IN names WHERE name <> '' AND $text CONTAINS ' ' + name + ' ' | size(name)] AS sizes\n"
        "WHERE sizes <> []\n"
        "WITH n ORDER BY reduce(most = 0, size IN sizes | CASE WHEN size > most THEN size ELSE most END) DESC,\n"
        "  elementId(n) LIMIT $limit\n"
        f"RETURN {_described(mapping, 'n')}",
        {"text": f" {folded_text} ", "folds": [list(fold) for fold in _FOLDS], "limit": limit},
    )


def _aliases(mapping: GraphMapping, variable: str) -> str:
    keys = dict.fromkeys(alias for kind in mapping.entities for alias in kind.aliases)
    return ", ".join(f"{variable}.{quote(key)}" for key in keys)
