"""Which of several sources gave how much of a graph: counted while it is loaded, kept on its meta node."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields


@dataclass(frozen=True, slots=True)
class SourceCounts:
    """What one of several sources gave.

    :ivar source: the path that it was loaded from
    :ivar facts: different facts between entities that it holds; with other qualifiers it is another one
    :ivar new_facts: of these, what no source before it in the load holds
    :ivar qualified: of its facts, those with qualifiers
    :ivar entities: different entities in its facts and values
    :ivar new_entities: of these, those in no source before it
    :ivar values: values of properties, as many as it gives
    :ivar named: entities of the load that it gives a name; so for ``aliased`` and ``described``
    """

    source: str
    facts: int = 0
    new_facts: int = 0
    qualified: int = 0
    entities: int = 0
    new_entities: int = 0
    values: int = 0
    named: int = 0
    aliased: int = 0
    described: int = 0


def pack_sources(sources: Iterable[SourceCounts]) -> str:
    """Counts as one text, for a meta node; empty for none."""
    rows = [asdict(source) for source in sources]
    return json.dumps(rows, ensure_ascii=False) if rows else ""


def unpack_sources(text: str) -> tuple[SourceCounts, ...]:
    """The counts of a text that :func:`pack_sources` wrote; keys of later versions are left out."""
    known = {field.name for field in fields(SourceCounts)}
    rows = json.loads(text) if text else []
    return tuple(SourceCounts(**{key: row[key] for key in row.keys() & known}) for row in rows)


def joined_sources(stored: Iterable[SourceCounts], loaded: Iterable[SourceCounts]) -> tuple[SourceCounts, ...]:
    """What a graph was loaded from, once more is loaded into it; what is loaded again counts as it does now."""
    by_source = {counts.source: counts for counts in stored}
    return tuple((by_source | {counts.source: counts for counts in loaded}).values())
