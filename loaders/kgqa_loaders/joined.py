"""Sources that are loaded together: some hold the facts, others only say what things are called.

What only names things names the entities and relations that the facts hold, whichever source they are from; it makes no
entities. Relations that a source gives by their labels become those of that label's property.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, Self, runtime_checkable

from kgqa_loaders.names import NamedBlocks, NamedSource, Names
from kgqa_loaders.records import NAMING_RANK, BlockSource, Named, Reject, Source
from kgqa_loaders.wikidata.labels import label_key, whole_aliases

_PROPERTY = re.compile(r"P[0-9]+")


@runtime_checkable
class LabelledRelations(Protocol):
    """A source whose relations go by labels of properties."""

    def with_properties(self, properties: Mapping[str, str]) -> Self:
        """The source with its relations by the properties' ids; those whose label is unknown stay.

        :param properties: label, as :func:`kgqa_loaders.wikidata.labels.label_key` gives it → id
        """
        ...


def named_by(facts: Sequence[Source], naming: Sequence[Source]) -> tuple[Source, ...]:
    """The sources of facts, with the names that the others give.

    :raises LoadError: a source of names can't be read
    """
    names = _names_of(naming)
    properties = properties_by_label(names.of)
    found: list[Source] = []
    for source in facts:
        if isinstance(source, LabelledRelations):
            source = source.with_properties(properties)
        if naming:
            part = replace(names, rejects=() if found else names.rejects)
            source = NamedBlocks(source, part) if isinstance(source, BlockSource) else NamedSource(source, part)
        found.append(source)
    return tuple(found)


def _names_of(sources: Sequence[Source]) -> Names:
    """What sources of names say, by entity; those of the first have the least rank."""
    of: dict[str, list[Named]] = defaultdict(list)
    rejects: list[Reject] = []
    for rank, source in enumerate(sources, start=NAMING_RANK):
        for record in source.records():
            if isinstance(record, Named):
                of[record.entity_id].append(record._replace(rank=rank))
            elif isinstance(record, Reject):
                rejects.append(replace(record, reason=f"{source.describe}: {record.reason}"))
    digest = hashlib.sha256("".join(source.checksum() for source in sources).encode()).hexdigest()
    return Names({entity: whole_aliases(records) for entity, records in of.items()}, tuple(rejects), digest)


def properties_by_label(names: Mapping[str, Iterable[Named]]) -> dict[str, str]:
    """Label → id of the one property that is called so; an alias counts where it is no property's label."""
    labels: dict[str, set[str]] = defaultdict(set)
    aliases: dict[str, set[str]] = defaultdict(set)
    for entity, records in names.items():
        if _PROPERTY.fullmatch(entity):
            for record in records:
                labels[label_key(record.name)].add(entity)
                for alias in record.aliases:
                    aliases[label_key(alias)].add(entity)
    found = {**aliases, **labels}
    return {label: next(iter(ids)) for label, ids in found.items() if label and len(ids) == 1}
