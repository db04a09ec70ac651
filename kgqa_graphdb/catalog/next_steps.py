"""Which steps can come after which in a graph that we loaded: packed bit fields on its meta node."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from kgqa_graphdb.mapping import leg_codes
from kgqa_graphdb.types import Relation, Step

_COUNT_BYTES = 4


class NextSteps(Mapping[str, tuple[str, ...]]):
    """Step code → codes of the steps that can come after it, unpacked when asked for.

    A graph of 5,000 relations has millions of such pairs.

    :param codes: the code of each step at its number: twice the relation's number, plus one for walking it backwards
    :param packed: what :func:`pack_steps` made
    """

    def __init__(self, codes: list[str], packed: bytes) -> None:
        self._codes = codes
        self._packed = packed
        count = int.from_bytes(packed[:_COUNT_BYTES], "little")
        ends = np.cumsum(np.frombuffer(packed, dtype="<u4", count=count + 1 if packed else 0), dtype=np.int64)
        # The first of the lengths is the count itself: places are counted from there.
        places = (ends - count + _COUNT_BYTES * (count + 1)).tolist()
        self._places = {
            code: (start, end) for code, start, end in zip(codes, places, places[1:], strict=False) if start < end
        }
        self._unpacked: dict[str, tuple[str, ...]] = {}

    def __getitem__(self, code: str) -> tuple[str, ...]:
        if code not in self._unpacked:
            start, end = self._places[code]
            field = np.frombuffer(zlib.decompress(self._packed[start:end]), dtype=np.uint8)
            numbers = np.flatnonzero(np.unpackbits(field, bitorder="little")).tolist()
            self._unpacked[code] = tuple(map(self._codes.__getitem__, numbers))
        return self._unpacked[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __repr__(self) -> str:
        return f"NextSteps({len(self)} codes)"


def with_unnumbered(counted: NextSteps, relations: Sequence[Relation]) -> Mapping[str, tuple[str, ...]]:
    """The next steps, with the relations whose facts are not numbered, if there are any."""
    plain = all(relation.kind in ("edge", "property") and not relation.via for relation in relations)
    return counted if plain or not counted else NextStepsOfAll(counted, relations)


class NextStepsOfAll(Mapping[str, tuple[str, ...]]):
    """As :class:`NextSteps`, with relations that no facts are counted for: legs, qualifiers, and those with a ``via``.

    What is walked via others follows where its first leg does and is followed by what its last leg is; a qualifier
    follows its edge; a leg follows nothing.

    :param counted: what the facts say
    """

    def __init__(self, counted: NextSteps, relations: Sequence[Relation]) -> None:
        self._counted = counted
        self._legs = frozenset(mark + r.id for r in relations if r.kind == "leg" for mark in "><")
        self._last_leg: dict[str, str] = {}
        self._starting: dict[str, list[str]] = {}
        self._qualifiers: dict[str, list[str]] = {}
        for relation in relations:
            if relation.kind == "qualifier":
                self._qualifiers.setdefault(relation.of, []).append(f">{relation.id}")
            if not relation.via:
                continue
            for inverse in (False, True) if relation.kind == "edge" else (False,):
                step = Step(relation, inverse)
                legs = leg_codes(step)
                self._starting.setdefault(legs[0], []).append(step.code)
                if relation.kind == "edge":
                    self._last_leg[step.code] = legs[-1]

    def __getitem__(self, code: str) -> tuple[str, ...]:
        after = self._counted[self._last_leg.get(code, code)]
        found = [step for step in after if step not in self._legs and step not in self._last_leg]
        found += [step for leg in after for step in self._starting.get(leg, ())]
        found += [*self._qualifiers.get(code[1:], ()), *self._qualifiers.get("", ())]
        return tuple(dict.fromkeys(found))

    def __iter__(self) -> Iterator[str]:
        counted = (code for code in self._counted if code not in self._legs and code not in self._last_leg)
        yield from (*counted, *(code for code, leg in self._last_leg.items() if leg in self._counted))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def pack_steps(fields: Mapping[int, int]) -> bytes:
    """Bit fields of the steps that follow each step, for a property of the graph's meta node.

    One value, as reading 10,000 small ones takes the server longer; each field compressed by itself, as a question
    needs few of them. It holds the number of fields, the length of each, 0 for a step that is left out, and them.

    :param fields: number of a step → bit ``n`` stands for step ``n``
    """
    packed = [b""] * (max(fields, default=-1) + 1)
    for step, bits in fields.items():
        packed[step] = zlib.compress(bits.to_bytes((bits.bit_length() + 7) // 8, "little"), 1)
    return np.array([len(packed), *map(len, packed)], dtype="<u4").tobytes() + b"".join(packed)
