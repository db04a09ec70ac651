"""Facts as InferWiki has them (Cao et al. 2021, https://aclanthology.org/2021.acl-long.534):
``Q42<TAB>educated_at<TAB>Q691283``, the relation by its property's label, in its test files with three columns more
that say how the fact can be inferred. Its files of wrong facts, ``valid_neg.txt`` and ``test_neg.txt``, are none of
these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from kgqa_loaders.files import BlockFile
from kgqa_loaders.formats import share, whole_lines
from kgqa_loaders.records import Block, ReadOptions, Record, Reject, RelationNote, Triple
from kgqa_loaders.triples import decoded, undecoded
from kgqa_loaders.wikidata.entities import excerpt
from kgqa_loaders.wikidata.labels import label_key
from kgqa_loaders.wikidata.properties import PROPERTY_LABELS

_FACT = re.compile(r"(Q[0-9]+)\t(?!P[0-9]+\t)([^\t|]*[^\W\d_][^\t|]*)\t(Q[0-9]+)(?:\t[1n]-[1n]\t[^\t]*\t[^\t]*)?")
_BYTES = re.compile(rb"Q[0-9]+\t(?!P[0-9]+\t)[a-z][^\t|]*\tQ[0-9]+(?:\t[1n]-[1n]\t[^\t]*\t[^\t]*)?", re.IGNORECASE)


def fits(sample: bytes, name: str = "") -> float:
    """Share of the lines that are an entity's id, words and an entity's id, and maybe how that is inferred."""
    return share(whole_lines(sample), _BYTES.fullmatch)


@dataclass(frozen=True, slots=True)
class InferWiki(BlockFile):
    """Facts whose relations go by labels of properties.

    :ivar options: none of them applies
    :ivar properties: label, as :func:`kgqa_loaders.wikidata.labels.label_key` gives it → id of the property
    """

    options: ReadOptions = field(default_factory=ReadOptions)
    properties: Mapping[str, str] = field(default_factory=dict)

    def with_properties(self, properties: Mapping[str, str]) -> Self:
        """The source with its relations by the properties' ids; those whose label is unknown stay.

        :param properties: label → id; empty: all relations stay as they are written
        """
        return replace(self, properties={**_KNOWN, **properties} if properties else {})

    def parse(self, block: Block) -> Iterator[Record]:
        """The facts of a block, and the label of each relation."""
        noted: set[str] = set()
        for number, line in enumerate(decoded(block.data), start=block.line):
            if isinstance(line, UnicodeDecodeError):
                yield undecoded(number, line)
                continue
            text = (line.removeprefix("\ufeff") if number == 1 else line).removesuffix("\r")
            found = _FACT.fullmatch(text)
            if found is None:
                if text.strip():
                    yield Reject(number, "it is no entity, relation and entity with tabs between", excerpt(text))
                continue
            head, label, tail = found.groups()
            relation = self.properties.get(label_key(label), label)
            if relation not in noted:
                noted.add(relation)
                yield RelationNote(relation, label=" ".join(label.replace("_", " ").split()), rank=_LAST)
            yield Triple(number, head, relation, tail)


_KNOWN = {label_key(label): property_id for property_id, label in PROPERTY_LABELS.items()}
_LAST = 9_000
"""Rank of the labels: they have no capitals or marks of their own, so those of other files win."""
