"""What no load takes in: vectors, whose numbers mean nothing one by one; ``kgqa map`` leaves them out too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kgqa_graphdb.language.names import words_of
from kgqa_graphdb.types import Scalar
from kgqa_loaders.records import RelationNote

VECTOR_NUMBERS = 32
"""So many numbers in a list, with decimals among them, are a vector whatever the property is called."""
_VECTOR = frozenset("embedding embeddings vector vectors".split())


def is_vector(key: str, value: Scalar | list[Scalar]) -> bool:
    """Whether a property holds a vector: its name says so, or it is a long list of numbers with decimals."""
    if not isinstance(value, list) or len(value) < 2:
        return False
    if not all(isinstance(item, int | float) and not isinstance(item, bool) for item in value):
        return False
    if len(value) >= VECTOR_NUMBERS and any(isinstance(item, float) for item in value):
        return True
    return bool(_VECTOR & set(words_of(key).split()))


def vectors_in(properties: Mapping[str, Scalar | list[Scalar]]) -> list[str]:
    """The keys of vectors."""
    return [key for key, value in properties.items() if isinstance(value, list) and is_vector(key, value)]


def left_out(keys: list[str]) -> Iterator[RelationNote]:
    """A note on each property that is left out."""
    for key in keys:
        yield RelationNote(key, left_out="numbers in a list: a vector")
