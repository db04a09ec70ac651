"""Reads a live schema: reads only, and no more than samples.

How many nodes and relationships there are, and what relationship types join, comes from the server's counts and is
exact. Everything else comes from a sample of each label, taken in stretches over all of its nodes. Planning a statement
takes the server longer than running it here, so nearly all are the same few texts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kgqa_graphdb.errors import ConfigError
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.survey.choice import Choice
from kgqa_graphdb.survey.counts import Counts, count, rows_of
from kgqa_graphdb.survey.kinds import likely_keys
from kgqa_graphdb.survey.schema import Around, Copy, FulltextIndex, LabelSurvey, Property, Survey, TypeSurvey

EVERYTHING = Choice()
EMPTY_LIST = "LIST<NOTHING>"
"""The type of a list that holds nothing."""
SAMPLE = 10_000
"""Nodes of a label that are read."""
SAMPLE_OF_ALL = 200_000
"""Nodes of all labels together: with many labels the sample of each is smaller."""
LEAST_SAMPLE = 1_000
STRETCHES = 4
"""Places among a label's nodes from which the sample is taken: what was written first may differ from the rest."""
AROUND, COPIES = 300, 40
"""Nodes of a label whose relationships are read, and that are compared with their neighbours."""
EXAMPLES = 2
"""Nodes of a label that a person may be shown."""
HUB = 200
"""A node with more relationships is left out of that."""
SMALL = 100_000
"""Nodes of a database that are listed at once."""
MAX_COUNTED = 500_000
"""Nodes of a label among which a key is counted exactly; with more the sample decides."""


def survey(sample: int = SAMPLE, choice: Choice = EVERYTHING) -> Steps[Survey]:
    """Read the schema and a sample of the data.

    :param choice: what takes part
    :raises ConfigError: the database holds nothing but graphs that we loaded
    :raises UsageError: the choice names a label or a type that is not there
    """
    unique: dict[str, list[str]] = {}
    for label, key in (yield from rows_of("unique_keys")):
        unique.setdefault(label, []).append(key)
    counts = yield from count(choice)
    wanted = min(sample, max(LEAST_SAMPLE, SAMPLE_OF_ALL // max(1, len(counts.nodes))))
    labels: list[LabelSurvey] = []
    by_type: defaultdict[str, dict[str, tuple[Property, int]]] = defaultdict(dict)
    listed = yield from _list_small(counts)
    for label, nodes in sorted(counts.nodes.items()):
        if listed is None:
            ids = yield from _sample(label, nodes, wanted, counts.apart)
        else:
            ids = _spread(listed.get(label, ()), wanted)
        if ids:
            found = yield from _read_label(label, nodes, ids, tuple(unique.get(label, ())))
            if choice:
                found = replace(found, around=tuple(_around_of(found.around, counts)))
            labels.append((yield from _count_keys(found, counts.apart)))
            yield from _read_relationships(ids, by_type)
    if not labels:
        raise ConfigError(
            "the database has no nodes but those of graphs that kgqa loaded, or --labels and --exclude leave none; "
            "kgqa graphs lists the loaded ones, and to map one of them too: --labels KG_NAME"
        )
    known = {label.label for label in labels}
    seen = {around.type for label in labels for around in label.around}
    types: list[TypeSurvey] = []
    for type_, (heads, tails) in sorted(counts.ends.items()):
        ends = [tuple(label for label in some if label in known) for some in (heads, tails)]
        if all(ends):
            properties = by_type[type_] if type_ in by_type or type_ in seen else None
            empty = TypeSurvey(type_, counts.relationships[type_], ends[0], ends[1], ())
            types.append((yield from _with_properties(empty, properties, counts.apart)))
    indexes = yield from rows_of("fulltext_indexes")
    fulltext = tuple(FulltextIndex(name, tuple(over), tuple(keys)) for name, over, keys in indexes)
    return Survey(tuple(labels), tuple(types), fulltext, counts.apart)


def _sample(label: str, nodes: int, wanted: int, apart: Sequence[str]) -> Steps[list[str]]:
    """Nodes of a label, in stretches over all of them."""
    stretches = STRETCHES if nodes > wanted else 1
    size = -(-wanted // stretches)
    ids: dict[str, None] = {}
    for stretch in range(stretches):
        parameters = {"skip": (nodes - size) * stretch // max(1, stretches - 1), "sample": size, "apart": list(apart)}
        [[some]] = yield from rows_of("nodes", parameters, label=label)
        ids.update(dict.fromkeys(some))
    return list(ids)


def _around_of(around: Iterable[Around], counts: Counts) -> Iterator[Around]:
    """Of the relationships around a label's nodes those that take part, as do the nodes at their other ends."""
    for one in around:
        others = tuple(labels for labels in one.others if any(label in counts.nodes for label in labels))
        if one.type in counts.relationships and others:
            yield replace(one, others=others)


def _list_small(counts: Counts) -> Steps[dict[str, list[str]] | None]:
    """Label → nodes, of a small database that holds no graph that we loaded; else nothing."""
    if counts.apart or sum(counts.nodes.values()) > SMALL:
        return None
    found: dict[str, list[str]] = {}
    for labels, ids in (yield from rows_of("small")):
        for label in labels:
            found.setdefault(label, []).extend(ids)
    return found


def _spread(ids: Sequence[str], most: int) -> list[str]:
    """So many of some nodes at most, from all over."""
    return list(ids[:: max(1, -(-len(ids) // most))])


def _read_label(label: str, nodes: int, ids: Sequence[str], unique: tuple[str, ...]) -> Steps[LabelSurvey]:
    found = yield from rows_of("properties", {"ids": list(ids)})
    properties = properties_of(found)
    some = _spread(ids, AROUND)
    around = yield from rows_of("around", {"ids": some, "hub": HUB})
    copies = yield from rows_of("copies", {"ids": _spread(ids, COPIES), "hub": HUB})
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
        some=tuple(_spread(ids, EXAMPLES)),
        copies=tuple(
            dict.fromkeys(
                Copy(key, of, copied) for key, _, _, of, copied, agree, compared in copies if agree == compared > 2
            )
        ),
    )


def properties_of(rows: Iterable[Iterable[Any]]) -> tuple[Property, ...]:
    """What the statement ``survey/properties`` found."""
    return tuple(
        Property(key, _types(types), present, different, mean, longest, unbroken, lettered, spaced, worded)
        for key, present, different, types, mean, longest, unbroken, lettered, spaced, worded in rows
    )


def _count_keys(found: LabelSurvey, apart: Sequence[str]) -> Steps[LabelSurvey]:
    """Decide by counting which properties that look like keys are keys, where the sample did not hold all nodes."""
    if found.sampled == found.nodes or found.nodes > MAX_COUNTED:
        return found
    distinct: list[str] = []
    repeated: list[str] = []
    for key in likely_keys(found):
        if key in found.unique:
            break
        [[nodes, present, different]] = yield from rows_of(
            "distinct", {"apart": list(apart)}, label=found.label, key=key
        )
        (distinct if nodes == present == different else repeated).append(key)
        if distinct:
            break
    return replace(found, distinct=tuple(distinct), repeated=tuple(repeated))


def _read_relationships(ids: Sequence[str], by_type: dict[str, dict[str, tuple[Property, int]]]) -> Steps[None]:
    """What the relationships around some nodes hold, added to what others showed: type → key → property, repeats."""
    rows = yield from rows_of("relationships", {"ids": _spread(ids, AROUND), "hub": HUB})
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


def _with_properties(
    edge: TypeSurvey, known: Mapping[str, tuple[Property, int]] | None, apart: Sequence[str]
) -> Steps[TypeSurvey]:
    if known is None:  # no sampled node has such a relationship, or it holds nothing
        parameters = {"sample": LEAST_SAMPLE, "apart": list(apart)}
        [[found]] = yield from rows_of("relationship", parameters, type=edge.type)
        return replace(edge, properties=tuple(Property(key, _types(names)) for key, names in found))
    properties = tuple(one for one, _ in known.values())
    repeats = tuple(key for key, (one, repeats) in known.items() if repeats == one.present)
    return replace(edge, properties=properties, repeats=repeats)


def _types(names: Iterable[str]) -> frozenset[str]:
    """Types of values as Cypher calls them; a list that is empty says nothing of what others hold."""
    found = frozenset(name.removesuffix(" NOT NULL").replace(" NOT NULL>", ">") for name in names)
    return found - {EMPTY_LIST} or found
