"""What is known of a graph's vector indexes: which they are, and whose vectors they hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from kgqa_graphdb.errors import ConfigError, nearest

PROPERTY = "_kgqa_vector"
"""The property of an entity that holds its vector; the statement files in ``cypher/vectors`` say so too."""


@dataclass(frozen=True, slots=True)
class VectorIndexes:
    """Neo4j vector indexes over the entities of a graph, one a label; the similarity is the cosine.

    :ivar indexes: their names
    :ivar encoder: name of the text encoder that made the vectors
    :ivar fingerprint: of that encoder; vectors of another mean nothing in these indexes
    :ivar dimension: length of a vector
    """

    indexes: tuple[str, ...]
    encoder: str
    fingerprint: str
    dimension: int

    def to_table(self) -> dict[str, Any]:
        """As a mapping file has it."""
        return asdict(self) | {"indexes": list(self.indexes)}

    @classmethod
    def from_table(cls, table: Mapping[str, Any], where: str) -> VectorIndexes:
        """From a mapping file.

        :raises ConfigError: a key is missing, unknown or of the wrong type
        """
        kinds = {"indexes": list, "encoder": str, "fingerprint": str, "dimension": int}
        for key in table:
            if key not in kinds:
                raise ConfigError(f"{where}: unknown key {key!r}{nearest(key, kinds)}")
        for key, kind in kinds.items():
            if not isinstance(table.get(key), kind):
                raise ConfigError(f"{where}: {key!r} must be a {kind.__name__}, not {table.get(key)!r}")
        return cls(tuple(map(str, table["indexes"])), table["encoder"], table["fingerprint"], table["dimension"])
