"""What formats with nodes, labels and properties have in common: a node or a relationship becomes records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kgqa_graphdb.mapping import aliases_of, code_of, flat, is_opaque_id, name_of
from kgqa_graphdb.types import Point, Scalar
from kgqa_loaders.left_out import left_out, vectors_in
from kgqa_loaders.records import Literal, Named, Record, Statement, Triple

_ALIASES = frozenset({"aliases", "alias", "alsoknownas", "altlabel"})
"""Properties that hold further names, however their keys are written."""
_OWN = frozenset({"name", "aliases", "description"})
"""Keys whose text is stored by the record of the name; other keys that give a name stay properties too."""

Properties = Mapping[str, Scalar | list[Scalar]]


def node_records(
    line: int, entity_id: str, labels: tuple[str, ...], properties: Properties, called: str = ""
) -> Iterator[Record]:
    """The records of a node: its name, aliases, labels and description, and a literal for each other value.

    What its name is, :mod:`kgqa_graphdb.mapping.naming` says; a node without one is called by its id, or where that is
    nothing to say aloud, by a code such as a registration.

    :param called: its name, where all nodes of its labels were seen
    """
    vectors = vectors_in(properties)
    yield from left_out(vectors)
    name = called or name_of(labels, properties) or (code_of(labels, properties) if is_opaque_id(entity_id) else "")
    alias_keys = [key for key in properties if flat(key) in _ALIASES]
    aliases = tuple(text for key in alias_keys for text in _texts(properties[key]))
    aliases += tuple(text for text in aliases_of(labels, properties) if text not in aliases)
    description = properties.get("description")
    text = description if isinstance(description, str) else ""
    yield Named(entity_id, name, aliases, labels, text, line=line)
    for key, value in properties.items():
        if key in vectors:
            continue
        if key in _OWN and (isinstance(value, str) or key == "aliases"):
            continue
        if key in alias_keys and _texts(value):
            continue
        for item in value if isinstance(value, list) else [value]:
            yield Literal(line, entity_id, key, item)


def fact_records(line: int, head: str, relation: str, tail: str, properties: Properties) -> Iterator[Record]:
    """The record of a relationship."""
    vectors = vectors_in(properties)
    yield from left_out(vectors)
    kept = {key: value for key, value in properties.items() if key not in vectors}
    yield Statement(line, head, relation, tail, kept) if kept else Triple(line, head, relation, tail)


def place_on_earth(longitude: float, latitude: float, height: float | None = None) -> Scalar:
    """A place on Earth, in degrees; one with a height, in metres, becomes a text as Cypher writes it."""
    if height is None:
        return Point(longitude, latitude)
    return f"{{latitude:{latitude}, longitude:{longitude}, height:{height}}}"


def _texts(value: Scalar | list[Scalar] | None) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [item for item in values if isinstance(item, str) and item]
