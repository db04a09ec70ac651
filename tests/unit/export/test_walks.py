"""Walks over an exported graph are those that trying every step finds."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from kgqa_graphdb.export import ExportedGraph, walks
from kgqa_graphdb.export.walks import Follower, Walks
from kgqa_graphdb.types import WalkRule
from tests.unit.export.made import FAMILY, exported

Steps = dict[int, list[tuple[str, int]]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> ExportedGraph:
    """Facts drawn at random: some lead back to where they begin, some join two entities by several relations."""
    rng = np.random.default_rng(0)
    drawn = rng.integers((0, 0, 0), (12, 4, 12), (40, 3)).tolist()
    facts = {(f"n{a}", f"r{r}", f"n{b}") for a, r, b in drawn}
    return exported(tmp_path_factory.mktemp("graph"), sorted(facts | {("n0", "r0", "n0"), ("far", "r1", "away")}))


def steps_of(graph: ExportedGraph) -> Steps:
    """Step codes that leave each entity, with their ends."""
    found: Steps = defaultdict(list)
    for head, relation, tail in zip(graph.head.tolist(), graph.relation.tolist(), graph.tail.tolist(), strict=True):
        found[head].append((f">{graph.relation_ids[relation]}", tail))
        found[tail].append((f"<{graph.relation_ids[relation]}", head))
    return found


def numbers(graph: ExportedGraph, *names: str) -> list[int]:
    return [number for name in names for number in graph.find(name)]


def reversed_code(code: str) -> str:
    return ("<" if code[0] == ">" else ">") + code[1:]


def codes_of(found: Walks, path: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(found.codes[way] for way in path)


def all_walks(steps: Steps, begin: int, length: int) -> list[tuple[tuple[str, ...], list[int]]]:
    """Every walk of a length: its codes, and the entities that it passes, the first among them."""
    some: list[tuple[tuple[str, ...], list[int]]] = [((), [begin])]
    for _ in range(length):
        some = [((*codes, code), [*passed, end]) for codes, passed in some for code, end in steps[passed[-1]]]
    return some


def test_every_way_has_its_code_and_its_way_back(made: ExportedGraph) -> None:
    found = Walks(made)
    assert list(found.codes) == sorted(found.codes)
    assert [found.codes[way] for way in found.reverse.tolist()] == list(map(reversed_code, found.codes))
    edges = found.edges(np.array([3, 0, 3]))
    for place, entity in enumerate((3, 0, 3)):
        own = edges.place == place
        got = sorted((found.codes[way], end) for way, end in zip(edges.way[own], edges.end[own], strict=True))
        assert got == sorted(steps_of(made)[entity])


@pytest.mark.parametrize("max_hops", [1, 2, 3, 4])
def test_joining_paths_are_those_of_all_walks(made: ExportedGraph, max_hops: int) -> None:
    found, steps = Walks(made), steps_of(made)
    sources, targets = numbers(made, "n0", "n5"), numbers(made, "n0", "n1", "n7", "far")
    joined = found.joining(sources, targets, max_hops, 100_000)
    expected = {}
    for source in sources:
        for target in targets:
            paths: list[tuple[str, ...]] = []
            for length in range(1, max_hops + 1):
                paths += sorted({codes for codes, passed in all_walks(steps, source, length) if passed[-1] == target})
            if paths:
                expected[source, target] = paths
    assert {pair: [codes_of(found, path) for path in some] for pair, some in joined.paths.items()} == expected
    assert not joined.truncated
    few = found.joining(sources, targets, max_hops, 1)
    assert {pair: [codes_of(found, path) for path in some] for pair, some in few.paths.items()} == {
        pair: some[:1] for pair, some in expected.items()
    }
    assert few.truncated == any(len(some) > 1 for some in expected.values())


@pytest.mark.parametrize("rule", ["free", "no_backtrack", "exclude_topic"])
def test_a_path_leads_to_the_ends_of_its_walks(made: ExportedGraph, rule: WalkRule) -> None:
    found, steps = Walks(made), steps_of(made)
    follower = Follower(found, rule, 1_000)
    [topic] = numbers(made, "n0")
    ends = defaultdict(set)
    for length in (1, 2, 3):
        for codes, passed in all_walks(steps, topic, length):
            back = any(
                codes[at + 1] == reversed_code(codes[at]) and passed[at + 2] == passed[at] for at in range(length - 1)
            )
            barred = {"free": False, "no_backtrack": back, "exclude_topic": topic in passed[1:]}[rule]
            ends[codes] |= set() if barred else {passed[-1]}
    assert any(not some for some in ends.values()) == (rule != "free")
    for codes, expected in ends.items():
        got = follower.ends(topic, tuple(found.way_of[code] for code in codes))
        assert got is not None
        assert got.tolist() == sorted(expected)


def test_what_leads_to_too_much_is_not_followed(made: ExportedGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Walks(made)
    [topic], targets = numbers(made, "n0"), numbers(made, "n1", "n2", "n3")
    path = next(path for path in ((way,) for way in range(len(found.codes))) if len(ends_of(found, topic, path)) > 1)
    assert Follower(found, "free", 1).ends(topic, path) is None
    monkeypatch.setattr(walks, "MAX_BETWEEN", 1)
    assert Follower(found, "free", 1_000).ends(topic, path * 2) is None
    monkeypatch.setattr(walks, "MAX_EDGES", 3)
    assert found.joining([topic], targets, 4, 100).truncated


def ends_of(found: Walks, topic: int, path: tuple[int, ...]) -> list[int]:
    ends = Follower(found, "free", 1_000).ends(topic, path)
    assert ends is not None
    return ends.tolist()


def test_a_graph_of_one_relation_and_an_entity_without_facts(tmp_path: Path) -> None:
    family = exported(tmp_path / "family", FAMILY, alone=["Zoe"])
    found = Walks(family)
    [ann], [dan], [zoe] = (family.find(name) for name in ("Ann", "Dan", "Zoe"))
    joined = found.joining([ann, zoe], [dan], 2, 10)
    assert {pair: [codes_of(found, path) for path in some] for pair, some in joined.paths.items()} == {
        (ann, dan): [(">child", ">child"), (">child", ">friend")]
    }
    assert ends_of(found, zoe, (found.way_of[">child"],)) == []
