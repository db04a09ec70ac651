"""What can follow a step in a graph that we did not load: what its labels allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kgqa_graphdb.mapping.graph_mapping import GraphMapping


class NextByLabel(Mapping[str, tuple[str, ...]]):
    """Step code → codes of the steps that can come after it, as far as labels say; a code that is missing: any.

    A property follows where its nodes can be reached, a qualifier only the edge that it belongs to, a leg nothing.
    """

    def __init__(self, mapping: GraphMapping) -> None:
        self._edges = {relation.id: relation for relation in mapping.relations if relation.kind == "edge"}
        self._at: dict[str, list[str]] = {}
        self._anywhere: list[str] = []
        self._qualifiers: dict[str, list[str]] = {}
        for relation in mapping.relations:
            if relation.kind == "leg":
                continue
            if relation.kind == "qualifier":
                self._qualifiers.setdefault(relation.of, []).append(f">{relation.id}")
                continue
            self._add(f">{relation.id}", relation.heads)
            if relation.kind == "edge":
                self._add(f"<{relation.id}", relation.tails)
        self._labelled = bool(self._at or self._qualifiers)

    def _add(self, code: str, labels: tuple[str, ...]) -> None:
        for label in labels:
            self._at.setdefault(label, []).append(code)
        if not labels:
            self._anywhere.append(code)

    def __getitem__(self, code: str) -> tuple[str, ...]:
        edge = self._edges[code[1:]]
        labels = (edge.heads if code.startswith("<") else edge.tails) or tuple(self._at)
        if not self._labelled:
            raise KeyError(code)
        after = [*self._anywhere, *self._qualifiers.get(edge.id, ()), *self._qualifiers.get("", ())]
        return tuple(dict.fromkeys([*after, *(step for label in labels for step in self._at.get(label, ()))]))

    def __iter__(self) -> Iterator[str]:
        return iter([mark + name for name in self._edges for mark in "><"] if self._labelled else ())

    def __len__(self) -> int:
        return 2 * len(self._edges) if self._labelled else 0
