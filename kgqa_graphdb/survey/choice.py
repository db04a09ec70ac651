"""What of a database takes part in a mapping."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from kgqa_graphdb.errors import UsageError, nearest

LOADED = "KG_"
"""How the labels of graphs begin that we loaded."""
OWN = "_KGQA"
"""How the labels of our own meta nodes and their relationship types begin."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What takes part: everything but the graphs that kgqa loaded, unless it says otherwise.

    :ivar labels: only nodes of these labels; empty: of all. The label of a loaded graph, ``KG_…``, brings its nodes in
    :ivar types: only relationships of these types; empty: of all
    :ivar exclude: labels and relationship types that take no part
    :ivar loaded: labels of loaded graphs whose nodes take part beside all others
    """

    labels: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    loaded: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.labels or self.types or self.exclude)

    def check(self, labels: Collection[str], types: Collection[str]) -> None:
        """Refuse what the database does not have.

        :param labels: those there are
        :raises UsageError: a label or relationship type is not among them; the message names the nearest
        """
        for label in self.labels:
            if label not in labels:
                raise UsageError(f"--labels: no node has the label {label!r}{nearest(label, labels)}")
        for type_ in self.types:
            if type_ not in types:
                raise UsageError(f"--types: no relationship has the type {type_!r}{nearest(type_, types)}")
        for name in self.exclude:
            if name not in labels and name not in types:
                known = [*labels, *types]
                raise UsageError(
                    f"--exclude: {name!r} is neither a label nor a relationship type{nearest(name, known)}"
                )

    def takes_label(self, label: str) -> bool:
        """Whether nodes of a label take part."""
        if label.startswith(OWN) or label in self.exclude:
            return False
        if label.startswith(LOADED):
            return label in self.labels or label in self.loaded
        return not self.labels or label in self.labels

    def takes_type(self, type_: str) -> bool:
        """Whether relationships of a type take part."""
        return not type_.startswith(OWN) and type_ not in self.exclude and (not self.types or type_ in self.types)
