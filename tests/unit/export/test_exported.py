"""What lies in the folder of an exported graph, and what is said when it is not what it should be."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kgqa_graphdb.errors import ExportError, UnknownEntityError, UnknownRelationError, UsageError
from kgqa_graphdb.export import ExportedGraph, fingerprint, write, write_features
from kgqa_graphdb.export.npy import ColumnWriter, Texts, TextWriter, read_column
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import NAMELESS, Relation
from tests.unit.export.made import FAMILY, exported


def test_ids_and_names_lead_to_numbers_and_back(tmp_path: Path) -> None:
    graph = exported(tmp_path / "out")
    assert list(graph.names) == ["Ann", "Bob", "Cid", "Dan", "Eve"]
    assert [graph.find(name) for name in graph.names] == [[0], [1], [2], [3], [4]]
    assert graph.relation_ids == ("child", "friend")
    assert [graph.relation_number(one) for one in graph.relation_ids] == [0, 1]
    columns = zip(graph.head, graph.relation, graph.tail, strict=True)
    assert [(graph.names[h], graph.relation_ids[r], graph.names[t]) for h, r, t in columns] == list(FAMILY)
    assert graph.in_fact.tolist() == [0, 1, 2, 3, 4, 5]
    assert graph.in_head.tolist() == [0, 0, 1, 2, 3, 4]
    assert graph.in_start.tolist() == [0, 0, 1, 2, 4, 6]
    assert [degrees.tolist() for degrees in graph.degrees()] == [[2, 1, 1, 1, 1], [0, 1, 1, 2, 2]]


def test_unknown_names_are_named(tmp_path: Path) -> None:
    graph = exported(tmp_path / "out")
    with pytest.raises(UnknownEntityError, match="no entity of graph 'family' has the key or name 'ann'"):
        graph.entities(["Ann", "ann"])
    with pytest.raises(UnknownRelationError, match="nearest: 'friend'"):
        graph.relation_number("friends")
    with pytest.raises(UsageError, match="--property age"):
        graph.property("age")
    with pytest.raises(UsageError, match="--features"):
        graph.feature("names")


def test_facts_that_are_sorted_some_at_a_time_are_sorted_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    triples = sorted({(f"e{h}", "r", f"e{t}") for h, t in random.integers(0, 40, (300, 2)).tolist()})
    whole = exported(tmp_path / "whole", triples)
    monkeypatch.setattr(write, "SORTED_AT_ONCE", 7)
    parts = exported(tmp_path / "parts", triples)
    assert parts.in_fact.tolist() == whole.in_fact.tolist() == np.argsort(whole.tail, kind="stable").tolist()
    assert parts.in_head.tolist() == whole.head[whole.in_fact].tolist()


def test_a_graph_without_facts_can_be_exported(tmp_path: Path) -> None:
    graph = exported(tmp_path / "out", (), alone=["Ann"])
    assert (graph.num_entities, graph.num_facts, list(graph.names)) == (1, 0, ["Ann"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "was exported in version 2 of the files, and this package reads 1; export it again"),
        ({"format": "webmanifest"}, "is of something else than an exported graph"),
        ({"facts": 7}, "are not as long as its manifest says"),
        ({"columns": "columns-0"}, "is missing or damaged"),
        ({"unknown": 1}, "is damaged"),
    ],
)
def test_a_folder_that_is_not_what_it_should_be_is_refused(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    manifest = exported(tmp_path / "out").folder / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | change))
    with pytest.raises(ExportError, match=message):
        ExportedGraph.open(tmp_path / "out")


def test_a_folder_without_an_export_says_why(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"there is no manifest.json; make one with: kgqa export"):
        ExportedGraph.open(tmp_path / "nothing")
    (tmp_path / "half" / "columns-1").mkdir(parents=True)
    with pytest.raises(ExportError, match="its export was cut off"):
        ExportedGraph.open(tmp_path / "half")


def test_another_graph_is_refused(tmp_path: Path) -> None:
    graph = exported(tmp_path / "out")
    with pytest.raises(ExportError, match="is of graph 'family', not of 'films'; name another folder"):
        ExportedGraph.open(tmp_path / "out", graph="films")
    with pytest.raises(ExportError, match="has changed since"):
        ExportedGraph.open(tmp_path / "out", fingerprint="0" * 16)
    assert ExportedGraph.open(tmp_path / "out", fingerprint=graph.manifest.fingerprint).num_facts == 6


def test_a_web_sites_manifest_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"name": "my site"}')
    with pytest.raises(ExportError, match="holds something else"):
        exported(tmp_path)
    assert (tmp_path / "manifest.json").read_text() == '{"name": "my site"}'


def test_vectors_of_names_and_relations_lie_beside_the_graph(tmp_path: Path) -> None:
    def encode(texts: object) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        return np.array([[len(text), text.count("e")] for text in texts], dtype=np.float32)  # type: ignore[attr-defined]

    graph = write_features(exported(tmp_path / "out"), encode, "letters")
    assert graph.feature("names").tolist() == [[3, 0], [3, 0], [3, 0], [3, 0], [3, 1]]
    assert graph.feature("relations").shape == (4, 2)
    assert graph.manifest.features == {"names": "letters", "relations": "letters"}


def test_columns_are_numpy_files_piece_by_piece(tmp_path: Path) -> None:
    with ColumnWriter(tmp_path / "a.npy", "<i4") as writer:
        writer.add([1, 2])
        writer.add(np.zeros(0))
        writer.add(np.array([3]))
    assert np.load(tmp_path / "a.npy").tolist() == [1, 2, 3]
    column = read_column(tmp_path / "a.npy")
    column[0] = 9
    assert np.load(tmp_path / "a.npy").tolist() == [1, 2, 3]


def test_texts_are_found_whatever_their_letters(tmp_path: Path) -> None:
    texts = ["", "Zoë", "漢字", "a" * 5_000, "Zoë", "lone \ud800"]
    writer = TextWriter(tmp_path, "t")
    writer.add(texts[:2])
    writer.add(texts[2:])
    writer.close()
    found = Texts.open(tmp_path, "t")
    assert list(found) == texts
    assert (found[-1], found[1:3]) == (texts[-1], texts[1:3])
    assert found.find("Zoë") == [1, 4]
    assert found.find("zoë") == []


@pytest.mark.parametrize(
    "kind",
    [EntityKind("A", "id", ("name",)), EntityKind("A", None, ("first", "last")), EntityKind("A", "id", ()),
     EntityKind("A", None, ())],
)  # fmt: skip
def test_entities_are_called_alike_one_by_one_and_in_columns(kind: EntityKind) -> None:
    graph = Graph(GraphMapping("made", (kind,), ()))
    rows = [(1, "Ada", "Ada", "Lunt"), (2, None, None, "Quist"), (None, "", "Bo", None), ("x", 7, None, None)]
    properties = [dict(zip(("id", "name", "first", "last"), row, strict=True)) for row in rows]
    columns = {name: [one[name] for one in properties] for name in properties[0]}
    keys, names, labels = graph.called(["A"], columns, len(rows))
    entities = [graph.entity("", ["A"], one) for one in properties]
    assert [(entity.id, entity.name) for entity in entities] == list(zip(keys, names, strict=True))
    assert {entity.labels for entity in entities} == {labels}
    assert kind.key or kind.names or names == [NAMELESS] * 4


def test_the_fingerprint_is_another_when_relations_change_their_order_or_words() -> None:
    first, second = Relation("a", "A", "a of", "b of"), Relation("b", "B", "c of", "d of")
    orders = [(first, second), (second, first), (replace(first, phrase="e of"), second)]
    found = [
        run(fingerprint(GraphMapping("g", (), relations)), None)  # type: ignore[arg-type]  # nothing is read
        for relations in orders
    ]
    assert len(set(found)) == 3
    assert all(re.fullmatch("[0-9a-f]{16}", one) for one in found)
