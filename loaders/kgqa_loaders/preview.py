"""What a load would do, from a source's first records; nothing is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from kgqa_loaders.gather import StagedGraph, gather
from kgqa_loaders.meta import Found, merge_relation_specs
from kgqa_loaders.normal import normalise, united
from kgqa_loaders.records import Record, Reject, Source
from kgqa_loaders.relations import RelationSpec

RECORDS = 10_000
_REJECTS = 10


@dataclass(frozen=True, slots=True)
class RelationPreview:
    """A relation and what it would become.

    :ivar kind: edge, property, qualifier, leg or alias
    :ivar facts: facts or values among the records that were read
    :ivar example: one of them
    """

    relation: str
    kind: str
    datatype: str
    phrase: str
    inverse: str
    facts: int
    example: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What the first records of a source would become.

    :ivar records: read; fewer than asked for when the source has no more
    :ivar complete: the source has no more
    :ivar labels: class label → entities
    :ivar rejects: the first of them
    :ivar rejected: all of them among the records that were read
    """

    records: int
    complete: bool
    entities: int
    facts: int
    literals: int
    names: tuple[str, ...]
    labels: dict[str, int]
    relations: tuple[RelationPreview, ...]
    rejected: int
    rejects: tuple[Reject, ...]


def preview(source: Source, relations: Mapping[str, RelationSpec] | None = None, limit: int = RECORDS) -> Preview:
    """Read a source's first records as a load would.

    :param relations: what a person declares of relations
    :param limit: how many records to read at most
    :raises LoadError: the source can't be read
    """
    given = dict(relations or {})
    rejects: list[Reject] = []
    read = 0

    def first() -> Iterator[Record]:
        nonlocal read
        for record in islice(source.records(), limit + 1):
            read += 1
            if read <= limit:
                yield record

    declared = {name: spec for name, spec in given.items() if "kind" in spec.declared}
    data = gather(normalise(first(), declared), rejects.append)
    found = Found(data.relations.names, data.datatypes(), data.qualifiers(), data.notes)
    specs = merge_relation_specs((), given, found)
    codes = data.codes()
    literals = sum(len(values) for owners in data.values.values() for values in owners.values())
    return Preview(
        records=min(read, limit),
        complete=read <= limit,
        entities=len(data.entities),
        facts=len(codes) + len(data.statements),
        literals=literals,
        names=tuple(data.name(number) for number in range(min(5, len(data.entities)))),
        labels=dict(Counter(label for labels in data.labels.values() for label in labels).most_common()),
        relations=tuple(_relations(data, specs)),
        rejected=len(rejects),
        rejects=tuple(rejects[:_REJECTS]),
    )


def _relations(data: StagedGraph, specs: Mapping[str, RelationSpec]) -> Iterator[RelationPreview]:
    """The relations, those with most facts first."""
    counts, examples = _edges(data)
    for relation, owners in data.values.items():
        id_ = f"{relation} (value)" if f"{relation} (value)" in specs else relation
        counts[id_] = sum(map(len, owners.values()))
        number, values = next(iter(owners.items()))
        examples[id_] = (data.name(number), united(values))
    for name, spec in sorted(specs.items(), key=lambda item: (-counts[item[0]], item[0])):
        words = spec.relation
        head, tail = examples.get(name, ("", ""))
        example = (
            words.template.replace("{head}", str(head)).replace("{tail}", str(tail))
            if name in examples and words.template
            else ""
        )
        yield RelationPreview(
            name, spec.kind, spec.datatype if spec.kind == "property" else "", words.phrase, words.inverse_phrase,
            counts[name], example,
        )  # fmt: skip


def _edges(data: StagedGraph) -> tuple[Counter[str], dict[str, tuple[Any, Any]]]:
    """Number of facts and an example of each relation between entities."""
    counts: Counter[str] = Counter()
    examples: dict[str, tuple[Any, Any]] = {}
    plain = zip(*(column.tolist() for column in data.decode(data.codes())), strict=True)
    for head, type_, tail in (*plain, *(key[:3] for key in data.statements)):
        name = data.relations.names[type_]
        counts[name] += 1
        examples.setdefault(name, (data.name(head), data.name(tail)))
    return counts, examples
