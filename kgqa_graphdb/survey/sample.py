"""Reads a live schema: reads only, and no more than samples.

How many nodes and relationships there are, and what relationship types join, comes from the server's counts and is
exact. Everything else comes from a sample of each label, taken in stretches over all of its nodes. Planning a statement
takes the server longer than running it here, so nearly all are the same few texts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from kgqa_graphdb import queries
from kgqa_graphdb.errors import ConfigError, CypherError, UnknownNameError
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.survey.kinds import likely_keys
from kgqa_graphdb.survey.schema import Around, Copy, FulltextIndex, LabelSurvey, Property, Survey, TypeSurvey
from kgqa_graphdb.types import Rows, Statement

SAMPLE = 10_000
"""Nodes of a label that are read."""
SAMPLE_OF_ALL = 200_000
"""Nodes of all labels together: with many labels the sample of each is smaller."""
LEAST_SAMPLE = 1_000
STRETCHES = 4
"""Places among a label's nodes from which the sample is taken: what was written first may differ from the rest."""
AROUND, COPIES = 300, 40
"""Nodes of a label whose relationships are read, and that are compared with their neighbours."""
HUB = 200
"""A node with more relationships is left out of that."""
SMALL = 100_000
"""Nodes of a database that are listed at once."""
MAX_COUNTED = 500_000
"""Nodes of a label among which a key is counted exactly; with more the sample decides."""


@dataclass(frozen=True, slots=True)
class _Counts:
    """Label → nodes; type → relationships; type → labels of heads and of tails."""

    nodes: Mapping[str, int]
    relationships: Mapping[str, int]
    ends: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
    mixed: bool


def survey(sample: int = SAMPLE) -> Steps[Survey]:
    """Read the schema and a sample of the data.

    :raises ConfigError: the database holds nothing but graphs that we loaded
    """
    unique: dict[str, list[str]] = {}
    for label, key in (yield from _rows("unique_keys")):
        unique.setdefault(label, []).append(key)
    counts = yield from _counts()
    wanted = min(sample, max(LEAST_SAMPLE, SAMPLE_OF_ALL // max(1, len(counts.nodes))))
    labels: list[LabelSurvey] = []
    by_type: defaultdict[str, dict[str, tuple[Property, int]]] = defaultdict(dict)
    listed = yield from _list_small(counts)
    for label, nodes in sorted(counts.nodes.items()):
        if listed is None:
            ids = yield from _sample(label, nodes, wanted, counts.mixed)
        else:
            ids = _spread(listed.get(label, ()), wanted)
        if ids:
            found = yield from _read_label(label, nodes, ids, tuple(unique.get(label, ())))
            labels.append((yield from _count_keys(found, counts.mixed)))
            yield from _read_relationships(ids, by_type)
    if not labels:
        raise ConfigError("the database has no nodes but those of graphs that kgqa loaded; see them with: kgqa graphs")
    known = {label.label for label in labels}
    seen = {around.type for label in labels for around in label.around}
    types: list[TypeSurvey] = []
    for type_, (heads, tails) in sorted(counts.ends.items()):
        ends = [tuple(label for label in some if label in known) for some in (heads, tails)]
        if all(ends):
            properties = by_type[type_] if type_ in by_type or type_ in seen else None
            types.append((yield from _type(type_, counts.relationships[type_], ends[0], ends[1], properties)))
    indexes = yield from _rows("fulltext_indexes")
    return Survey(tuple(labels), tuple(types), tuple(FulltextIndex(n, tuple(ls), tuple(ps)) for n, ls, ps in indexes))


def rows_of(name: str, parameters: Mapping[str, object] | None = None, **splices: str) -> Steps[Rows]:
    """The rows of a statement of ``cypher/survey/``."""
    statement = Statement(queries.load(f"survey/{name}").cypher(**splices), parameters or {})
    return (yield from ask(Read(statement)))


_rows = rows_of


def _is_ours(label: str) -> bool:
    return label.startswith(("_KGQA", "KG_"))


def _counts() -> Steps[_Counts]:
    """The server's counts; one by one where it does not hand them out."""
    try:
        [[data]] = yield from _rows("counts")
    except (CypherError, UnknownNameError):  # some users may not call that
        return (yield from _counts_one_by_one())
    nodes = {row["label"]: row["count"] for row in data["nodes"] if "label" in row and row["count"]}
    relationships: dict[str, int] = {}
    ends: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for row in data["relationships"]:
        type_ = row.get("relationshipType")
        if type_ is None or not row["count"] or type_.startswith("_KGQA"):
            continue
        heads, tails = ends.setdefault(type_, ({}, {}))
        if "startLabel" in row:
            heads[row["startLabel"]] = None
        elif "endLabel" in row:
            tails[row["endLabel"]] = None
        else:
            relationships[type_] = row["count"]
    return _Counts(
        {label: count for label, count in nodes.items() if not _is_ours(label)},
        relationships,
        {type_: (tuple(sorted(heads)), tuple(sorted(tails))) for type_, (heads, tails) in ends.items()},
        any(_is_ours(label) for label in nodes),
    )


def _counts_one_by_one() -> Steps[_Counts]:
    labels = [label for (label,) in (yield from _rows("labels"))]
    ends: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for type_, head, tail in (yield from _rows("ends")):
        if not type_.startswith("_KGQA"):
            heads, tails = ends.setdefault(type_, ({}, {}))
            heads[head], tails[tail] = None, None
    nodes = yield from _count([f"(:{queries.quote(label)})" for label in labels])
    relationships = yield from _count([f"()-[:{queries.quote(type_)}]->()" for type_ in ends])
    return _Counts(
        {label: count for label, count in zip(labels, nodes, strict=True) if count and not _is_ours(label)},
        dict(zip(ends, relationships, strict=True)),
        {type_: (tuple(sorted(heads)), tuple(sorted(tails))) for type_, (heads, tails) in ends.items()},
        any(_is_ours(end) for heads, tails in ends.values() for end in (*heads, *tails)),
    )


_COUNTED_TOGETHER = 25


def _count(patterns: Sequence[str]) -> Steps[list[int]]:
    """How often patterns occur that the server keeps a count of."""
    found: list[int] = []
    for start in range(0, len(patterns), _COUNTED_TOGETHER):
        counts = ", ".join(f"COUNT {{ {pattern} }}" for pattern in patterns[start : start + _COUNTED_TOGETHER])
        [[some]] = yield from ask(Read(Statement(f"CYPHER 5\nRETURN [{counts}] AS counts")))
        found += some
    return found


def _sample(label: str, nodes: int, wanted: int, mixed: bool) -> Steps[list[str]]:
    """Nodes of a label, in stretches over all of them."""
    stretches = STRETCHES if nodes > wanted else 1
    size = -(-wanted // stretches)
    ids: dict[str, None] = {}
    for stretch in range(stretches):
        parameters = {"skip": (nodes - size) * stretch // max(1, stretches - 1), "sample": size, "mixed": mixed}
        [[some]] = yield from _rows("nodes", parameters, label=label)
        ids.update(dict.fromkeys(some))
    return list(ids)


def _list_small(counts: _Counts) -> Steps[dict[str, list[str]] | None]:
    """Label → nodes, of a small database that holds no graph that we loaded; else nothing."""
    if counts.mixed or sum(counts.nodes.values()) > SMALL:
        return None
    found: dict[str, list[str]] = {}
    for labels, ids in (yield from _rows("small")):
        for label in labels:
            found.setdefault(label, []).extend(ids)
    return found


def _spread(ids: Sequence[str], most: int) -> list[str]:
    """So many of some nodes at most, from all over."""
    return list(ids[:: max(1, -(-len(ids) // most))])


def _read_label(label: str, nodes: int, ids: Sequence[str], unique: tuple[str, ...]) -> Steps[LabelSurvey]:
    found = yield from _rows("properties", {"ids": list(ids)})
    properties = tuple(
        Property(key, _types(types), present, different, mean, longest, unbroken, lettered)
        for key, present, different, types, mean, longest, unbroken, lettered in found
    )
    some = _spread(ids, AROUND)
    around = yield from _rows("around", {"ids": some, "hub": HUB})
    copies = yield from _rows("copies", {"ids": _spread(ids, COPIES), "hub": HUB})
    return LabelSurvey(
        label,
        nodes,
        len(ids),
        properties,
        unique,
        explored=len(some),
        around=tuple(
            Around(type_, outgoing, had, single, double, tuple(tuple(sorted(labels)) for labels in others))
            for type_, outgoing, had, single, double, others in around
        ),
        copies=tuple(
            dict.fromkeys(
                Copy(key, of, copied) for key, _, _, of, copied, agree, compared in copies if agree == compared > 2
            )
        ),
    )


def _count_keys(found: LabelSurvey, mixed: bool) -> Steps[LabelSurvey]:
    """Decide by counting which properties that look like keys are keys, where the sample did not hold all nodes."""
    if found.sampled == found.nodes or found.nodes > MAX_COUNTED:
        return found
    distinct: list[str] = []
    repeated: list[str] = []
    for key in likely_keys(found):
        if key in found.unique:
            break
        [[nodes, present, different]] = yield from _rows("distinct", {"mixed": mixed}, label=found.label, key=key)
        (distinct if nodes == present == different else repeated).append(key)
        if distinct:
            break
    return replace(found, distinct=tuple(distinct), repeated=tuple(repeated))


def _read_relationships(ids: Sequence[str], by_type: dict[str, dict[str, tuple[Property, int]]]) -> Steps[None]:
    """What the relationships around some nodes hold, added to what others showed: type → key → property, repeats."""
    rows = yield from _rows("relationships", {"ids": _spread(ids, AROUND), "hub": HUB})
    for type_, key, present, types, mean, longest, unbroken, repeats in rows:
        new = Property(key, _types(types), present, 0, mean, longest, unbroken)
        old, before = by_type[type_].get(key, (new, 0))
        if old is not new:
            new = Property(
                key,
                old.types | new.types,
                old.present + present,
                0,
                max(old.mean_size, mean),
                max(old.longest, longest),
                old.unbroken + unbroken,
            )
        by_type[type_][key] = (new, before + repeats)
    return None


def _type(
    type_: str,
    count: int,
    heads: tuple[str, ...],
    tails: tuple[str, ...],
    known: Mapping[str, tuple[Property, int]] | None,
) -> Steps[TypeSurvey]:
    if known is None:  # no sampled node has such a relationship, or it holds nothing
        [[_, found]] = yield from _rows("relationship", {"sample": LEAST_SAMPLE}, type=type_)
        return TypeSurvey(type_, count, heads, tails, tuple(Property(key, _types(names)) for key, names in found))
    properties = tuple(one for one, _ in known.values())
    repeats = tuple(key for key, (one, repeats) in known.items() if repeats == one.present)
    return TypeSurvey(type_, count, heads, tails, properties, repeats)


def _types(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.removesuffix(" NOT NULL").replace(" NOT NULL>", ">") for name in names)
