"""Exported graphs made of triples, without a server: what answers the reads of an export has them in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kgqa_graphdb import queries
from kgqa_graphdb.export import ExportedGraph, export_graph
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.steps import Batch, Read, Request, run
from kgqa_graphdb.types import Rows

Triple = tuple[str, str, str]
FAMILY: tuple[Triple, ...] = (
    ("Ann", "child", "Bob"),
    ("Ann", "child", "Cid"),
    ("Bob", "child", "Dan"),
    ("Cid", "friend", "Dan"),
    ("Dan", "friend", "Eve"),
    ("Eve", "friend", "Eve"),
)


class TriplesIO:
    """Answers the reads of an export.

    :param labels: name → label; a name that is missing is a ``Thing``
    """

    def __init__(self, triples: Sequence[Triple], labels: Mapping[str, str], alone: Iterable[str] = ()) -> None:
        self.triples, self.labels = triples, labels
        names = [name for head, _, tail in triples for name in (head, tail)]
        self.names = list(dict.fromkeys([*names, *alone]))

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request[Any]) -> Any:
        if isinstance(request, Batch):
            return tuple(map(self._answer, request.requests))
        assert isinstance(request, Read)
        text, parameters = request.statement.text, dict(request.statement.parameters)
        for name, rows in (("entities", self._entities), ("facts", self._facts)):
            if text == queries.load(f"export/{name}").cypher():
                return rows(parameters["ids"])
        label = text.split("MATCH (n:`")[1].split("`")[0]
        places = [place for place, name in enumerate(self.names) if self.labels.get(name, "Thing") == label]
        return [[places, [sum(head == self.names[place] for head, _, _ in self.triples) for place in places]]]

    def _entities(self, ids: Any) -> Rows:
        by_label: dict[str, list[int]] = {}
        for place in ids:
            by_label.setdefault(self.labels.get(self.names[place], "Thing"), []).append(place)
        columns = {label: [self.names[place] for place in some] for label, some in by_label.items()}
        return [[[label], some, [columns[label], columns[label]]] for label, some in by_label.items()]

    def _facts(self, ids: Any) -> Rows:
        place = {name: number for number, name in enumerate(self.names)}
        rows: dict[str, tuple[list[int], list[int]]] = {}
        for head, relation, tail in self.triples:
            if place[head] in ids:
                heads, tails = rows.setdefault(relation, ([], []))
                heads.append(place[head])
                tails.append(place[tail])
        return [[relation, heads, tails, []] for relation, (heads, tails) in rows.items()]


def mapping_of(triples: Sequence[Triple], labels: Mapping[str, str]) -> GraphMapping:
    """A company's mapping of made triples."""
    kinds = tuple(EntityKind(label, "key", ("name",)) for label in dict.fromkeys(["Thing", *labels.values()]))
    relations = tuple(make_relation(relation) for relation in dict.fromkeys(relation for _, relation, _ in triples))
    return GraphMapping("family", kinds, relations)


def exported(
    folder: Path, triples: Sequence[Triple] = FAMILY, labels: Mapping[str, str] | None = None, alone: Iterable[str] = ()
) -> ExportedGraph:
    """A graph of triples, exported; entities have numbers in the order in which the triples name them."""
    mapping = mapping_of(triples, labels or {})
    run(export_graph(Graph(mapping), folder), TriplesIO(triples, labels or {}, alone))
    return ExportedGraph.open(folder)
