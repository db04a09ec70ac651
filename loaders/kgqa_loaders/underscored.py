"""Ids that are names with underscores for spaces, as PathQuestion's are: ``ludwig_ii_of_bavaria``.

The id stays, and is an alias, since questions over such data write it so; the name has spaces, as people write it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgqa_loaders.records import Block, BlockSource, Named, Record, Triple, WrappedSource


def spaced(name: str) -> str:
    """A name with spaces for underscores: ``ludwig_ii_of_bavaria`` → "ludwig ii of bavaria"."""
    return " ".join(name.replace("_", " ").split())


def are_underscored(ids: Sequence[str]) -> bool:
    """Whether ids look like names with underscores for spaces: none has a space, every fifth an underscore inside."""
    within = sum("_" in id_.strip("_") for id_ in ids)
    return bool(ids) and not any(" " in id_ for id_ in ids) and within * 5 >= len(ids)


@dataclass(frozen=True, slots=True)
class Spaced(WrappedSource):
    """A source whose entities' ids are names with underscores; the id stays, and is an alias too.

    :ivar inner: the source; its facts have entities on both ends
    """

    inner: BlockSource

    def checksum(self) -> str:
        """SHA-256 of the source."""
        return self.inner.checksum()

    def blocks(self) -> Iterator[Block]:
        """The source's pieces."""
        return self.inner.blocks()

    def records(self) -> Iterator[Record]:
        """The source's records, with a name for each entity whose id has an underscore."""
        for block in self.blocks():
            yield from self.parse(block)

    def parse(self, block: Block) -> Iterator[Record]:
        """The records of a piece, with a name for each entity in it whose id has an underscore."""
        seen: set[str] = set()
        for record in self.inner.parse(block):
            yield record
            if not isinstance(record, Triple):
                continue
            for entity in (record.head, record.tail):
                if "_" in entity and entity not in seen and (name := spaced(entity)):
                    seen.add(entity)
                    yield Named(entity, name=name, aliases=(entity,))
