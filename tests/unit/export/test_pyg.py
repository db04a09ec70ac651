"""Subgraphs as PyTorch Geometric's data, and its loaders over an exported graph."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch  # noqa: TID253
from torch_geometric.loader import LinkNeighborLoader, NeighborLoader  # noqa: TID253
from torch_geometric.nn import RGCNConv  # noqa: TID253

from kgqa_graphdb.errors import MissingExtraError, UsageError
from kgqa_graphdb.export import ExportedGraph, NamedSubgraph, SubgraphSettings, cut_subgraph, named
from kgqa_graphdb.export.pyg import FACT, REVERSE, FactSampler, FactStore, stores, to_data, to_hetero_data
from tests.unit.export.made import FAMILY, exported

LABELS = {"Ann": "Person", "Bob": "Person", "Cid": "Person", "Dan": "Cat", "Eve": "Cat"}


@pytest.fixture
def family(tmp_path: Path) -> ExportedGraph:
    return exported(tmp_path / "family", labels=LABELS)


@pytest.fixture
def around_dan(family: ExportedGraph) -> NamedSubgraph:
    return named(family, cut_subgraph(family, family.entities(["Dan"]), SubgraphSettings(hops=2)))


def random_graph(folder: Path) -> ExportedGraph:
    random = np.random.default_rng(1)
    facts = {(f"e{h}", f"r{r}", f"e{t}") for h, r, t in random.integers(0, [60, 3, 60], (400, 3)).tolist()}
    labels = {f"e{number}": "AB"[number % 2] for number in range(60)}
    return exported(folder, sorted(facts), labels)


def test_data_has_every_fact_twice_and_says_which_way(family: ExportedGraph, around_dan: NamedSubgraph) -> None:
    data = to_data(around_dan)
    data.validate()
    assert data.num_nodes == 5
    assert data.num_edges == 2 * len(around_dan.triples()) == 12
    edges = zip(*data.edge_index.tolist(), data.edge_type.tolist(), data.is_inverse.tolist(), strict=True)
    found = set()
    for left, right, relation, inverse in edges:
        ends = (data.entity_names[left], data.entity_names[right])
        head, tail = reversed(ends) if inverse else ends
        found.add((head, data.relation_ids[relation - 2 * inverse], tail, inverse))
    assert found == {(*fact, inverse) for fact in FAMILY for inverse in (False, True)}
    assert data.entity_names[data.topic_index[0]] == "Dan"
    assert [family.names[number] for number in data.n_id] == data.entity_names
    assert family.relation[data.e_id].tolist() == (data.edge_type % 2).tolist()
    assert dict(zip(data.entity_names, data.distance.tolist(), strict=True)) == {
        "Dan": 0, "Bob": 1, "Cid": 1, "Eve": 1, "Ann": 2,
    }  # fmt: skip


def test_data_without_inverse_edges_and_with_features(around_dan: NamedSubgraph) -> None:
    x, relations = np.arange(10).reshape(5, 2), np.arange(4).reshape(4, 1) * 10
    data = to_data(around_dan, inverse=False, node_features=x, relation_features=relations)
    assert data.num_edges == 6
    assert not data.is_inverse.any()
    assert data.x.tolist() == x.tolist()
    assert data.edge_attr.squeeze(1).tolist() == [10 * one for one in data.edge_type.tolist()]
    with pytest.raises(UsageError, match="must have 5 rows"):
        to_data(around_dan, node_features=x[:3])


def test_hetero_data_has_an_edge_type_for_each_relation_between_kinds(around_dan: NamedSubgraph) -> None:
    data = to_hetero_data(around_dan, node_features=np.arange(5).reshape(5, 1))
    data.validate()
    assert set(data.node_types) == {"Person", "Cat"}
    assert set(data.edge_types) == {
        ("Person", "child", "Person"), ("Person", "child", "Cat"), ("Person", "friend", "Cat"),
        ("Cat", "friend", "Cat"),
        ("Person", "rev_child", "Person"), ("Cat", "rev_child", "Person"), ("Cat", "rev_friend", "Person"),
        ("Cat", "rev_friend", "Cat"),
    }  # fmt: skip
    found = set()
    for head, relation, tail in data.edge_types:
        store = data[head, relation, tail]
        assert store.is_inverse == relation.startswith("rev_")
        for left, right in store.edge_index.t().tolist():
            ends = data[head].entity_names[left], data[tail].entity_names[right]
            found.add((ends[0], relation, ends[1]))
    backwards = {(tail, f"rev_{relation}", head) for head, relation, tail in FAMILY}
    assert found == set(FAMILY) | backwards
    assert [data["Cat"].entity_names[place] for place in data["Cat"].is_topic.nonzero().flatten()] == ["Dan"]
    assert {kind: data[kind].x.shape for kind in data.node_types} == {"Person": (3, 1), "Cat": (2, 1)}


def facts_of(
    graph: ExportedGraph, batch: Any, edge_types: list[tuple[str, str, str]]
) -> set[tuple[int, int, int, bool]]:
    """The facts of a batch, checked against those that it says they are."""
    found = set()
    for head, relation, tail in edge_types:
        inverse = relation.startswith("rev_")
        rows, columns = batch[head, relation, tail].edge_index
        sources, targets = batch[head].number[rows].tolist(), batch[tail].number[columns].tolist()
        for left, right, fact in zip(sources, targets, batch[head, relation, tail].e_id.tolist(), strict=True):
            assert (graph.head[fact], graph.tail[fact]) == ((right, left) if inverse else (left, right))
            if relation.removeprefix("rev_") != "fact":
                assert graph.relation_ids[graph.relation[fact]] == relation.removeprefix("rev_")
            found.add((left, right, fact, inverse))
    return found


@pytest.mark.parametrize("typed", [False, True])
def test_a_neighbour_loader_gives_the_facts_around_its_seeds(tmp_path: Path, typed: bool) -> None:
    graph = random_graph(tmp_path / "out")
    x = np.arange(graph.num_entities, dtype=np.float32).reshape(-1, 1)
    entities, facts = pair = stores(graph, typed=typed, x=x)
    kind = "A" if typed else "Entity"
    loader = NeighborLoader(
        pair, num_neighbors=[-1, -1], input_nodes=kind, batch_size=4, neighbor_sampler=FactSampler(facts, [-1, -1])
    )
    seen = 0
    for batch in loader:
        seeds = batch[kind].number[: batch[kind].batch_size].tolist()
        seen += len(seeds)
        whole = cut_subgraph(graph, seeds, SubgraphSettings(hops=2, max_nodes=0))
        found = facts_of(graph, batch, list(facts.sizes))
        assert {fact for _, _, fact, _ in found} == set(whole.facts.tolist())
        numbers = torch.cat([batch[one].number for one in batch.node_types])
        assert sorted(numbers.tolist()) == sorted(whole.nodes.tolist())
        for one in batch.node_types:
            assert batch[one].x.flatten().tolist() == batch[one].number.tolist()
    assert seen == facts.nodes.counts[kind]
    assert len(entities.get_all_tensor_attrs()) == 2 * len(facts.nodes.counts)


def test_no_more_neighbours_are_drawn_than_asked_for_and_none_twice(tmp_path: Path) -> None:
    graph = random_graph(tmp_path / "out")
    pair = stores(graph)
    sampler = FactSampler(pair[1], [3], seed=5)
    [batch] = NeighborLoader(pair, num_neighbors=[3], input_nodes="Entity", batch_size=60, neighbor_sampler=sampler)
    _, columns = batch[FACT].edge_index
    expected = np.minimum(graph.degrees()[1], 3)
    assert np.bincount(columns.numpy(), minlength=60).tolist() == expected[batch["Entity"].number].tolist()
    assert len(set(batch[FACT].e_id.tolist())) == len(batch[FACT].e_id)
    assert np.bincount(batch[REVERSE].edge_index[1].numpy(), minlength=60).max() == 3


def test_all_neighbours_are_drawn_as_often(tmp_path: Path) -> None:
    graph = exported(tmp_path / "out", [(f"e{number}", "of", "hub") for number in range(5)])
    sampler = FactSampler(FactStore(graph), [1], seed=0)
    hub = torch.tensor(graph.find("hub"))
    drawn = [int(sampler._sample({"Entity": hub}).edge[FACT][0]) for _ in range(2_000)]
    assert np.bincount(drawn, minlength=5).tolist() == pytest.approx([400] * 5, abs=80)


def test_links_are_sampled_with_negatives(tmp_path: Path) -> None:
    graph = random_graph(tmp_path / "out")
    pair = stores(graph)
    links = torch.stack([torch.from_numpy(graph.head[:32]), torch.from_numpy(graph.tail[:32])])
    loader = LinkNeighborLoader(
        pair, num_neighbors=[5], edge_label_index=(FACT, links), neg_sampling="binary", batch_size=32,
        neighbor_sampler=FactSampler(pair[1], [5]),
    )  # fmt: skip
    [batch] = loader
    assert batch[FACT].edge_label.tolist() == [1.0] * 32 + [0.0] * 32
    ends = batch["Entity"].number[batch[FACT].edge_label_index[:, :32]]
    assert ends.tolist() == links.tolist()


def test_columns_are_served_without_a_copy_of_them(family: ExportedGraph) -> None:
    store = FactStore(family)
    sources, starts, facts = store.csc()
    assert sources[FACT].data_ptr() == family.in_head.ctypes.data
    assert starts[FACT].data_ptr() == family.in_start.ctypes.data
    assert sources[REVERSE].data_ptr() == family.tail.ctypes.data
    assert facts[REVERSE] is None
    back, targets, _ = store.csr()
    assert back[FACT].data_ptr() == family.out_start.ctypes.data
    assert targets[FACT].tolist() == family.tail.tolist()
    row, col = store.get_edge_index(edge_type=FACT, layout="coo")
    assert sorted(zip(row.tolist(), col.tolist(), strict=True)) == sorted(
        zip(family.head.tolist(), family.tail.tolist(), strict=True)
    )


def test_features_are_put_in_whole(family: ExportedGraph) -> None:
    entities, _ = stores(family, typed=True)
    entities.put_tensor(torch.tensor([0, 1]), group_name="Cat", attr_name="y", index=None)
    assert entities["Cat", "y", torch.tensor([1])].tolist() == [1]
    assert entities.get_tensor_size(group_name="Cat", attr_name="y") == (2,)
    with pytest.raises(UsageError, match=r"a row for each entity of a node type: Person \(3\), Cat \(2\)"):
        entities.put_tensor(torch.tensor([0, 1, 2]), group_name="Cat", attr_name="y", index=None)
    with pytest.raises(UsageError, match="has 2 rows; the graph has 5 entities"):
        stores(family, x=np.zeros((2, 1)))
    with pytest.raises(UsageError, match="inverse=True"):
        FactStore(family, inverse=False).csr()


def test_a_layer_of_pyg_runs_on_what_is_exported(around_dan: NamedSubgraph) -> None:
    data = to_data(around_dan)
    layer = RGCNConv(4, 2, num_relations=2 * len(data.relation_ids))
    assert layer(torch.ones(5, 4), data.edge_index, data.edge_type).shape == (5, 2)


def test_without_pyg_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def fail(name: str, *args: Any, **options: Any) -> Any:
        if name.startswith("torch_geometric"):
            raise ImportError(name)
        return real(name, *args, **options)

    for module in [one for one in sys.modules if one.startswith("kgqa_graphdb.export.pyg")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(builtins, "__import__", fail)
    with pytest.raises(MissingExtraError, match=r"kgqa-graphdb\[gnn\]"):
        import kgqa_graphdb.export.pyg  # noqa: F401


def test_each_worker_of_a_loader_draws_other_numbers_and_others_in_each_epoch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = FactStore(random_graph(tmp_path / "graph"))
    drawn = []
    for seed in (11, 12, 11, 13):  # of a worker, of another, of the first again, of the first in the next epoch
        sampler = FactSampler(facts, [2])
        monkeypatch.setattr(torch.utils.data, "get_worker_info", lambda seed=seed: SimpleNamespace(seed=seed))
        drawn.append(sampler._numbers().random(3).tolist())
    assert drawn[0] == drawn[2]
    assert len({tuple(one) for one in drawn}) == 3
