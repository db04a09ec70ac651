"""Graphs that a Python program holds become sources."""

from __future__ import annotations

import datetime

import pytest

from kgqa_graphdb.errors import UsageError
from kgqa_loaders.python import from_frame, from_networkx, from_py2neo
from kgqa_loaders.records import Literal, Named, Statement, Triple

nx = pytest.importorskip("networkx")
pd = pytest.importorskip("pandas")
py2neo = pytest.importorskip("py2neo")


def test_networkx_graph_has_nodes_and_edges() -> None:
    graph = nx.MultiDiGraph()
    graph.add_node("ann", name="Ann", kind="Person", born=1970)
    graph.add_node(2, labels=["Firm", "Mill"])
    graph.add_edge("ann", 2, relation="works for", since=2020)
    graph.add_edge("ann", 2, type="owns")
    graph.add_edge(2, "ann")
    source = from_networkx(graph, describe="mine")
    assert list(source.records()) == [
        Named("ann", "Ann", labels=("Person",)), Literal(0, "ann", "born", 1970), Named("2", labels=("Firm", "Mill")),
        Statement(0, "ann", "works for", "2", {"since": 2020}), Triple(0, "ann", "owns", "2"),
        Triple(0, "2", "related to", "ann"),
    ]  # fmt: skip
    assert list(source.records()) == list(source.records())
    assert source.describe == "mine"
    assert source.checksum() == from_networkx(graph).checksum() != from_networkx(nx.DiGraph()).checksum()


def test_frame_has_facts_values_and_qualifiers() -> None:
    frame = pd.DataFrame(
        {
            "who": ["ann", "ben", "cleo"],
            "what": ["knows", "age", "knows"],
            "whom": ["ben", 7, None],
            "since": [2020.0, None, 1.0],
        }
    )
    source = from_frame(frame, head="who", relation="what", tail="whom", qualifiers=["since"])
    assert list(source.records()) == [
        Statement(1, "ann", "knows", "ben", {"since": 2020.0}),
        Literal(2, "ben", "age", 7),
    ]


def test_frame_of_numbers_has_entities() -> None:
    frame = pd.DataFrame({"head": [1], "relation": ["knows"], "tail": [2]})
    assert list(from_frame(frame).records()) == [Triple(1, "1", "knows", "2")]


def test_frame_with_times_has_them() -> None:
    frame = pd.DataFrame({"head": ["ann"], "relation": ["born"], "tail": [pd.Timestamp("1970-01-02")]})
    (record,) = from_frame(frame).records()
    assert record == Literal(1, "ann", "born", datetime.datetime(1970, 1, 2, tzinfo=datetime.UTC))


def test_frame_without_the_column_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="no column 'tail'; nearest: 'tails'"):
        from_frame(pd.DataFrame({"head": [], "relation": [], "tails": []}))


def test_py2neo_subgraph_has_nodes_and_relationships() -> None:
    ann, ben = py2neo.Node("Person", "Boss", name="Ann", born=1970), py2neo.Node("Person", name="Ben")
    records = list(from_py2neo(py2neo.Relationship(ann, "KNOWS", ben, since=2020)).records())
    assert Named("Ann", "Ann", labels=("Boss", "Person")) in records
    assert Literal(0, "Ann", "born", 1970) in records
    assert Statement(0, "Ann", "KNOWS", "Ben", {"since": 2020}) in records
    assert len(records) == 4


def test_py2neo_nodes_of_one_name_need_a_key() -> None:
    twins = py2neo.Node("Person", name="Ann", nr=1) | py2neo.Node("Person", name="Ann", nr=2)
    with pytest.raises(UsageError, match="key="):
        from_py2neo(twins)
    assert {record.entity_id for record in from_py2neo(twins, key="nr").records() if isinstance(record, Named)} == {
        "1",
        "2",
    }


def test_what_cannot_be_stored_is_refused() -> None:
    graph = nx.DiGraph()
    graph.add_node("ann", thing=object())
    with pytest.raises(UsageError, match="can't be stored"):
        from_networkx(graph)
