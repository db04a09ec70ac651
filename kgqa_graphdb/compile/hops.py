"""The one-hop statements that execution is composed of, and the pattern of a hop.

A hop starts at ``WHERE elementId(n) IN …`` with a literal relationship type: that serves every graph, and there are
few texts, so the server's plan cache stays warm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import indent

from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.mapping.hops import Hop, end_labels, inverts
from kgqa_graphdb.queries import quote
from kgqa_graphdb.reductions import REDUCTIONS, check_reduction
from kgqa_graphdb.types import Relation, Statement, Step

PREFIX = "CYPHER 5"
ITEM = "$items[number]"
"""What the body of an :func:`each_statement` is run for."""


def kind_of(mapping: GraphMapping, labels: Sequence[str]) -> EntityKind:
    """The first entity kind of the mapping that a node's labels fit; the first of all when none does."""
    return next((kind for kind in mapping.entities if kind.label in labels), mapping.entities[0])


def label_filter(mapping: GraphMapping, labels: Sequence[str] = ()) -> str:
    """A label expression that keeps a pattern inside the graph: ``:`KG_metaqa` `` or ``:(`Person`|`Film`)&!`KG_x` ``.

    :param labels: labels that the relation's own end carries, when the mapping knows them
    """
    wanted = [mapping.label] if mapping.label else list(labels) or [kind.label for kind in mapping.entities]
    expression = "|".join(quote(label) for label in wanted)
    if not mapping.apart:
        return f":{expression}"
    return f":({expression}){not_apart(mapping)}"


def not_apart(mapping: GraphMapping) -> str:
    """What a label expression ends in that keeps out nodes of other graphs; empty where the database has none."""
    return "".join(f"&!{quote(label)}" for label in mapping.apart)


def heads_filter(mapping: GraphMapping, relation: Relation) -> str:
    """A label expression of the nodes that a property is mapped for; empty: any.

    In a company's graph a key that is mapped for nodes of some labels may stand for something else on others, where it
    is not read.
    """
    return "" if mapping.label or not relation.heads else label_filter(mapping, relation.heads)


def _arrow(step: Step, name: str) -> str:
    body = f"-[{name}:{quote(step.relation.type)}]-"
    return f"<{body}" if step.inverse else f"{body}>"


# ── one-hop statements ───────────────────────────────────────────────────────────────────────────────────────────────


def each_statement(body: str, columns: Sequence[str], parameters: Mapping[str, object]) -> Statement:
    """A statement for :class:`kgqa_graphdb.steps.ReadEach`.

    :param body: reads its item as :data:`ITEM`
    :param columns: what the body returns
    """
    lines = (PREFIX, "UNWIND range(0, size($items) - 1) AS number", "CALL (number) {", indent(body, "  "), "}")
    text = "\n".join((*lines, f"RETURN number, {', '.join(columns)}"))
    return Statement(text, parameters, alone=f"{PREFIX}\n{body.replace(ITEM, '$items[0]')}")


def hop_statement(mapping: GraphMapping, hop: Hop, limit: int, *, ordered: bool) -> Statement:
    """One hop from every node of a frontier: each item is a list of element ids.

    Returns one row an item: the element ids of the nodes left, those arrived at, for each the mapped qualifiers if the
    graph has any, and where the hop has several legs those of the nodes between.

    :param limit: at most so many facts
    :param ordered: cut by key, not as the facts come; slower, for when there are more than ``limit``
    """
    pattern = Pattern.of(mapping, hop, "n", "m", [f"m{number}" for number in range(1, len(hop.legs))])
    columns = {"left": "elementId(n)", "reached": "elementId(m)"}
    if mapping.qualifiers:
        readable = {relation.type for relation in mapping.qualifiers if relation.of in ("", hop.step.relation.id)}
        values = [pattern.qualifier(key) if key in readable else "null" for key in mapping.qualifier_keys]
        columns["qualifiers"] = f"[{', '.join(values)}]"
    if pattern.between:
        columns["between"] = f"[{', '.join(f'elementId({name})' for name in pattern.between)}]"
    names = [*pattern.nodes, *pattern.edges]
    order = " ORDER BY " + ", ".join(_sort_key(mapping, name) for name in ("n", "m")) if ordered else ""
    parameters: dict[str, object] = {"limit": limit}

    def parameter(stem: str, value: object) -> str:
        name = f"{stem}{len(parameters)}"
        parameters[name] = value
        return f"${name}"

    conditions = [*pattern.conditions, *pattern.tests(hop.step, parameter)]
    return each_statement(
        f"MATCH (n) WHERE elementId(n) IN {ITEM}\n"
        "WITH n\n"  # or a scan of all relationships of a rare type is planned, and kept when the type is no longer rare
        f"MATCH {pattern.text}{where(conditions)}\n"
        f"WITH {', '.join(names)}{order} LIMIT $limit\n"
        f"RETURN {', '.join(f'collect({value}) AS {name}' for name, value in columns.items())}",
        tuple(columns),
        parameters,
    )


def where(conditions: Sequence[str]) -> str:
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""


@dataclass(frozen=True, slots=True)
class Pattern:
    """The pattern of a hop: variables of its nodes and relationships, in walking order.

    :ivar conditions: what bars going back inside the hop: a sibling, a child of one's parent, is not oneself
    """

    text: str
    nodes: tuple[str, ...]
    edges: tuple[str, ...]
    conditions: tuple[str, ...]

    @property
    def between(self) -> tuple[str, ...]:
        """The variables of the nodes between the hop's ends."""
        return self.nodes[1:-1]

    @classmethod
    def either_way(cls, mapping: GraphMapping, hop: Hop, start: str, end: str, edge: str) -> Pattern:
        """The pattern of a hop over one relationship, whichever way that leads; the hop has one leg."""
        relation = hop.step.relation
        labels = tuple(dict.fromkeys((*relation.heads, *relation.tails))) if relation.heads and relation.tails else ()
        text = f"({start})-[{edge}:{quote(hop.legs[0].relation.type)}]-({end}{label_filter(mapping, labels)})"
        return cls(text, (start, end), (edge,), ())

    @classmethod
    def of(
        cls, mapping: GraphMapping, hop: Hop, start: str, end: str, between: Sequence[str], edges: Sequence[str] = ()
    ) -> Pattern:
        """The pattern from a bound node, with the names given; relationships are ``r``, ``r1``, … without names."""
        nodes = (start, *between, end)
        named = tuple(edges) or (("r",) if len(hop.legs) == 1 else tuple(f"r{n}" for n in range(1, len(hop.legs) + 1)))
        text = f"({start})"
        for position, (leg, edge) in enumerate(zip(hop.legs, named, strict=True)):
            last = position == len(hop.legs) - 1
            labels = hop.labels if last else end_labels(leg)
            # What lies between entities need not be one, nor need what only holds a value.
            is_entity = last and hop.step.relation.kind == "edge"
            wanted = label_filter(mapping, labels) if is_entity or labels or mapping.label else ""
            text += f"{_arrow(leg, edge)}({nodes[position + 1]}{wanted})"
        turns = [n for n in range(1, len(hop.legs)) if inverts(hop.legs[n - 1], hop.legs[n])]
        return cls(text, nodes, named, tuple(f"{nodes[n + 1]} <> {nodes[n - 1]}" for n in turns))

    def qualifier(self, key: str) -> str:
        """The expression of a qualifier: a property of the relationship, or of what lies between the ends."""
        holders = [f"{name}.{quote(key)}" for name in (*self.between, *self.edges)]
        return holders[0] if len(holders) == 1 else f"coalesce({', '.join(holders)})"

    def tests(self, step: Step, parameter: Callable[[str, object], str]) -> list[str]:
        """The conditions that the tests of a step hold, those of one qualifier of one value.

        :param parameter: names a parameter, by the beginning of its name and its value
        """
        tested: dict[str, list[str]] = {}
        for one in step.tests:
            check_reduction(one.op, "comparison")
            condition = REDUCTIONS[one.op].cypher.format(parameter("test", one.value))
            tested.setdefault(one.qualifier.type, []).append(condition)
        return [
            f"any(value IN [] + {self.qualifier(key)} WHERE {' AND '.join(conditions)})"
            for key, conditions in tested.items()
        ]


def _sort_key(mapping: GraphMapping, name: str) -> str:
    keys = list(dict.fromkeys(kind.key for kind in mapping.entities if kind.key))
    parts = [f"toString({name}.{quote(key)})" for key in keys]
    return f"coalesce({', '.join([*parts, f'elementId({name})'])})"


def property_statement(mapping: GraphMapping, relation: Relation, limit: int) -> Statement:
    """The values of a property of every node of a frontier: each item is a list of element ids.

    Returns one row an item: element ids, and the values of each.
    """
    key = quote(relation.type)
    return each_statement(
        f"MATCH (n{heads_filter(mapping, relation)}) WHERE elementId(n) IN {ITEM} AND n.{key} IS NOT NULL\n"
        f"WITH n ORDER BY elementId(n) LIMIT $limit\n"
        f"RETURN collect(elementId(n)) AS left, collect(n.{key}) AS values",
        ("left", "values"),
        {"limit": limit},
    )


def describe_keys(mapping: GraphMapping) -> tuple[str, ...]:
    """The properties that identify and name entities: the only ones that :func:`describe_statement` reads."""
    keys: dict[str, None] = {}
    for kind in mapping.entities:
        keys.update(dict.fromkeys([*([kind.key] if kind.key else []), *kind.names]))
    return tuple(keys)


def describe_statement(mapping: GraphMapping) -> Statement:
    """Labels, keys and names of nodes: each item is a list of element ids.

    Returns one row an item: element ids, labels, values of :func:`describe_keys`.
    """
    keys = ", ".join(f"n.{quote(key)}" for key in describe_keys(mapping))
    return each_statement(
        f"MATCH (n) WHERE elementId(n) IN {ITEM}\n"
        f"RETURN collect(elementId(n)) AS ids, collect(labels(n)) AS labels, collect([{keys}]) AS keys",
        ("ids", "labels", "keys"),
        {},
    )
