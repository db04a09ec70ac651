"""Hops, PageRank and pruning on graphs that can be worked out by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kgqa_graphdb.errors import SubgraphError, UsageError
from kgqa_graphdb.export import ExportedGraph, SubgraphSettings, cut_subgraph, named
from kgqa_graphdb.export.subgraph import page_rank, runs, within_hops
from tests.unit.export.made import FAMILY, exported

STAR = (*((f"leaf{number}", "of", "hub") for number in range(6)), ("hub", "of", "root"), ("root", "likes", "pet"))


@pytest.fixture
def family(tmp_path: Path) -> ExportedGraph:
    return exported(tmp_path / "family", alone=["Fay"])


@pytest.fixture
def star(tmp_path: Path) -> ExportedGraph:
    return exported(tmp_path / "star", STAR)


def names_of(graph: ExportedGraph, topics: list[str], settings: SubgraphSettings) -> dict[str, int]:
    found = cut_subgraph(graph, graph.entities(topics), settings)
    return dict(zip(named(graph, found).names, found.distances.tolist(), strict=True))


def test_hops_go_either_way_and_each_fact_counts_once(family: ExportedGraph) -> None:
    one = cut_subgraph(family, family.entities(["Bob"]), SubgraphSettings(hops=1))
    assert set(named(family, one).triples()) == {FAMILY[0], FAMILY[2]}
    assert names_of(family, ["Bob"], SubgraphSettings(hops=1)) == {"Bob": 0, "Ann": 1, "Dan": 1}
    two = cut_subgraph(family, family.entities(["Bob"]), SubgraphSettings(hops=2))
    assert sorted(named(family, two).triples()) == sorted(FAMILY[:5])
    three = cut_subgraph(family, family.entities(["Bob"]), SubgraphSettings(hops=3))
    assert sorted(named(family, three).triples()) == sorted(FAMILY)


def test_topics_come_first_in_their_order(family: ExportedGraph) -> None:
    found = cut_subgraph(family, family.entities(["Eve", "Ann", "Eve"]), SubgraphSettings(hops=1, max_nodes=3))
    assert named(family, found).names[:2] == ("Eve", "Ann")
    assert found.topics == 2
    assert found.distances.tolist()[:2] == [0, 0]


def test_page_rank_of_a_worked_example(tmp_path: Path) -> None:
    """A path a - b - c from a, restart 1/2: a = 1/2 + b/4, b = a/2 + c/2, c = b/4: 7/12, 4/12, 1/12."""
    graph = exported(tmp_path / "path", (("a", "r", "b"), ("c", "r", "b")))
    settings = SubgraphSettings(hops=2, restart=0.5, rounds=60)
    whole = within_hops(graph, [0], settings)
    assert named(graph, whole).names == ("a", "b", "c")
    assert page_rank(whole, settings) == pytest.approx([7 / 12, 4 / 12, 1 / 12])


@pytest.mark.parametrize(("by_relation", "b"), [(False, 2 / 3), (True, 3 / 4)])
def test_a_walk_leaves_by_each_fact_or_by_each_relation_as_often(tmp_path: Path, by_relation: bool, b: float) -> None:
    graph = exported(tmp_path / "two", (("a", "r", "b"), ("a", "s", "b"), ("a", "r", "c")))
    settings = SubgraphSettings(hops=1, restart=0.25, rounds=1, by_relation=by_relation)
    rank = page_rank(within_hops(graph, [0], settings), settings)
    assert rank == pytest.approx([0.25, 0.75 * b, 0.75 * (1 - b)])


def test_a_relation_walked_backwards_is_another_way_out(tmp_path: Path) -> None:
    graph = exported(tmp_path / "both", (("a", "r", "b"), ("a", "r", "c"), ("d", "r", "a")))
    settings = SubgraphSettings(hops=1, restart=0.2, rounds=1)
    rank = page_rank(within_hops(graph, [0], settings), settings)
    assert rank == pytest.approx([0.2, 0.2, 0.2, 0.4])


def test_pruning_keeps_topics_and_what_ranks_highest(star: ExportedGraph) -> None:
    whole = names_of(star, ["root"], SubgraphSettings(hops=2, max_nodes=0))
    assert len(whole) == 9
    assert names_of(star, ["root"], SubgraphSettings(hops=2, max_nodes=3)) == {"root": 0, "hub": 1, "pet": 1}
    cut = cut_subgraph(star, star.entities(["root"]), SubgraphSettings(hops=2, max_nodes=3))
    assert cut.cut == 6
    assert sorted(named(star, cut).triples()) == sorted(STAR[6:])
    leaves = cut_subgraph(star, star.entities(["leaf1", "leaf4"]), SubgraphSettings(hops=2, max_nodes=1))
    assert named(star, leaves).names == ("leaf1", "leaf4")


def test_of_equal_rank_the_lower_number_is_kept(star: ExportedGraph) -> None:
    kept = names_of(star, ["hub"], SubgraphSettings(hops=1, max_nodes=4))
    assert kept == {"hub": 0, "leaf0": 1, "leaf1": 1, "root": 1}


def test_what_no_longer_hangs_together_goes_too(star: ExportedGraph) -> None:
    from kgqa_graphdb.export.subgraph import prune

    settings = SubgraphSettings(hops=2, max_nodes=3)
    whole = within_hops(star, star.entities(["root"]), settings)
    rank = np.where(whole.distances == 2, 1.0, 0.0)
    assert named(star, prune(whole, rank, settings)).names == ("root",)


def test_topics_without_facts_and_too_many_facts_are_named(family: ExportedGraph) -> None:
    with pytest.raises(SubgraphError, match="no fact of graph 'family' joins 'Fay' with anything; name another topic"):
        cut_subgraph(family, family.entities(["Fay"]))
    with pytest.raises(SubgraphError, match="5 facts lie within 2 hops of the topics, and the cap is 4; ask for fewer"):
        cut_subgraph(family, family.entities(["Bob"]), SubgraphSettings(hops=2, max_facts=4))
    with pytest.raises(UsageError, match="name one or more"):
        cut_subgraph(family, [])
    for wrong in ({"hops": 0}, {"restart": 1.0}, {"max_nodes": -1}, {"rounds": 0}):
        with pytest.raises(UsageError, match="hops and rounds are 1 or more"):
            SubgraphSettings(**wrong)  # type: ignore[arg-type]


def test_runs_are_all_numbers_of_each() -> None:
    assert runs(np.array([3, 7, 0]), np.array([5, 7, 2])).tolist() == [3, 4, 0, 1]
    assert runs(np.zeros(0, np.int64), np.zeros(0, np.int64)).tolist() == []
