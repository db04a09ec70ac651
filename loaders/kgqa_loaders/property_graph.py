"""What formats with nodes, labels and properties have in common: a node or a relationship becomes records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kgqa_graphdb.types import Scalar
from kgqa_loaders.left_out import left_out, vectors_in
from kgqa_loaders.records import Literal, Named, Record, Statement, Triple

NAME_KEYS = ("name", "title", "label", "full_name", "fullName", "display_name", "displayName", "prefLabel", "caption")
"""Property keys that give a node its name, the first that it has; without one, its id is its name."""
_ALIAS_KEYS = ("aliases", "alias", "also_known_as", "alsoKnownAs", "altLabel")
_OWN = frozenset({"name", "aliases", "description"})
"""Keys whose text is stored by the record of the name; other keys that give a name stay properties too."""

Properties = Mapping[str, Scalar | list[Scalar]]


def node_records(line: int, entity_id: str, labels: tuple[str, ...], properties: Properties) -> Iterator[Record]:
    """The records of a node: its name, aliases, labels and description, and a literal for each other value."""
    vectors = vectors_in(properties)
    yield from left_out(vectors)
    name_key = next((key for key in NAME_KEYS if isinstance(properties.get(key), str) and properties[key]), "")
    name = str(properties[name_key]) if name_key else ""
    aliases = tuple(text for key in _ALIAS_KEYS for text in _texts(properties.get(key)))
    description = properties.get("description")
    text = description if isinstance(description, str) else ""
    yield Named(entity_id, name, aliases, labels, text, line=line)
    for key, value in properties.items():
        if key in vectors:
            continue
        if key in _OWN and (isinstance(value, str) or key == "aliases"):
            continue
        if key in _ALIAS_KEYS and _texts(value):
            continue
        for item in value if isinstance(value, list) else [value]:
            yield Literal(line, entity_id, key, item)


def fact_records(line: int, head: str, relation: str, tail: str, properties: Properties) -> Iterator[Record]:
    """The record of a relationship."""
    vectors = vectors_in(properties)
    yield from left_out(vectors)
    kept = {key: value for key, value in properties.items() if key not in vectors}
    yield Statement(line, head, relation, tail, kept) if kept else Triple(line, head, relation, tail)


def _texts(value: Scalar | list[Scalar] | None) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [item for item in values if isinstance(item, str) and item]
