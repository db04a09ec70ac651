"""Mappings: what a graph looks like, and the file in which a person corrects it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kgqa_graphdb.errors import ConfigError, UnknownRelationError
from kgqa_graphdb.mapping import (
    EntityKind,
    GraphMapping,
    make_relation,
    parse_mapping,
    read_mapping,
    write_mapping,
)
from kgqa_graphdb.types import Step

NORTHWIND = GraphMapping(
    graph="northwind",
    entities=(
        EntityKind("Product", key="productID", names=("productName",)),
        EntityKind("Employee", key="employeeID", names=("firstName", "lastName"), aliases=("nicknames",)),
        EntityKind("Note", key=None, names=("title",)),
    ),
    relations=(
        make_relation("PART_OF", label="category", inverse="products of", template="{head} belongs to {tail}."),
        make_relation("price", kind="property", type="unitPrice", unit="EUR", heads=("Product",)),
        make_relation("odd `name`", tails=("Note",), description='Says "hello".\nTwice.'),
    ),
    fulltext="northwind_names",
    walk="free",
)


def table(**changes: Any) -> dict[str, Any]:
    """A small mapping's TOML table, with changes."""
    return {"graph": "g", "entities": [{"label": "Thing", "key": "id", "names": ["name"]}], **changes}


def test_mapping_file_round_trips(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "northwind.toml"
    write_mapping(NORTHWIND, path)
    assert read_mapping(path) == NORTHWIND


def test_mapping_file_says_what_is_read_and_that_browser_shows_whole_nodes(tmp_path: Path) -> None:
    write_mapping(NORTHWIND, tmp_path / "northwind.toml")
    comments = (tmp_path / "northwind.toml").read_text(encoding="utf-8").splitlines()[1:3]
    assert comments[0] == "# Only what stands here is ever read; delete what must stay unread."
    assert "Browser shows whole nodes" in comments[1]


def test_writing_again_keeps_a_persons_comments(tmp_path: Path) -> None:
    path = tmp_path / "northwind.toml"
    write_mapping(NORTHWIND, path)
    path.write_text(path.read_text(encoding="utf-8") + "# asked the sales team\n", encoding="utf-8")
    write_mapping(NORTHWIND, path)
    assert "# asked the sales team" in path.read_text(encoding="utf-8")
    assert read_mapping(path) == NORTHWIND


def test_writing_again_forgets_relations_that_are_gone(tmp_path: Path) -> None:
    path = tmp_path / "northwind.toml"
    write_mapping(NORTHWIND, path)
    fewer = GraphMapping("northwind", NORTHWIND.entities, NORTHWIND.relations[:1])
    write_mapping(fewer, path)
    assert read_mapping(path) == fewer


def test_missing_words_are_guessed_from_the_name() -> None:
    relation = parse_mapping(table(relations={"DIRECTED_BY": {}})).relation("DIRECTED_BY")
    assert relation.type == "DIRECTED_BY"
    assert relation.phrase == "director"
    assert relation.inverse_phrase
    assert "{head}" in relation.template
    assert "{tail}" in relation.template


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"wlak": "free"}, "unknown key 'wlak'; nearest: 'walk'"),
        ({"walk": "free_"}, "walk: 'free_' must be one of"),
        ({"graph": ""}, "'graph' is missing"),
        ({"graph": 3}, "'graph' must be a str"),
        ({"version": 99}, "kgqa map"),
        ({"entities": []}, r"no \[\[entities\]\]"),
        ({"entities": [{"key": "id"}]}, r"entities\[1\]: 'label' is missing"),
        ({"entities": [{"label": "A", "naems": []}]}, "unknown key 'naems'; nearest: 'names'"),
        ({"relations": {"r": {"kind": "node"}}}, "relations.r: kind: 'node' must be one of edge, property, qualifier"),
        ({"relations": {"r": {"labl": "x"}}}, "relations.r: unknown key 'labl'; nearest: 'label'"),
    ],
)
def test_a_wrong_entry_is_named_with_its_place_and_cure(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_mapping(table(**changes))


VIA = {
    "HAS_LINE": {"kind": "leg"},
    "OF": {"kind": "leg"},
    "amount": {"kind": "property"},
    "contains": {"via": [">HAS_LINE", ">OF"]},
    "total": {"kind": "property", "via": [">HAS_LINE", ">amount"]},
}


def test_relations_that_are_walked_via_others_round_trip(tmp_path: Path) -> None:
    mapping = parse_mapping(table(relations=VIA))
    write_mapping(mapping, tmp_path / "g.toml")
    assert read_mapping(tmp_path / "g.toml") == mapping
    assert [leg.code for leg in mapping.legs(mapping.step("<contains"))] == ["<OF", "<HAS_LINE"]
    assert mapping.by_first_leg == {">HAS_LINE": (">contains", ">total"), "<OF": ("<contains",)}
    assert {kind for kind, _ in mapping.by_type} == {"leg", "property"}
    assert ("edge", "contains") not in mapping.by_type


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"via": [">HAS_LIN"]}, "'>HAS_LIN' must be '>' or '<' .* of this file; nearest: 'HAS_LINE'"),
        ({"via": ["HAS_LINE"]}, "must be '>' or '<'"),
        ({"via": [3]}, "must be '>' or '<'"),
        ({"via": [">contains"]}, "made of other steps itself"),
        ({"via": [">amount"]}, "only an edge or a leg can be walked"),
        ({"kind": "property", "via": [">amount"]}, "needs a step to walk"),
        ({"kind": "property", "via": [">HAS_LINE", ">OF"]}, "must be a property"),
        ({"kind": "qualifier", "via": [">HAS_LINE"]}, "a qualifier has no 'via'"),
    ],
)
def test_a_via_that_can_not_be_walked_is_refused(entry: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_mapping(table(relations={**VIA, "wrong": entry}))


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"absent\.toml"):
        read_mapping(tmp_path / "absent.toml")


@pytest.mark.parametrize("content", [b"graph = ", b"\xff\xfe"])
def test_a_file_that_is_not_toml_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"broken\.toml is not valid TOML"):
        read_mapping(path)


def test_an_unknown_relation_is_named_with_the_nearest() -> None:
    with pytest.raises(UnknownRelationError, match="'PRT_OF' is not in graph 'northwind'; nearest: 'PART_OF'"):
        NORTHWIND.relation("PRT_OF")


def test_step_codes_read_back_as_steps() -> None:
    for relation in NORTHWIND.relations:
        for inverse in (False, True):
            step = Step(relation, inverse)
            assert NORTHWIND.step(step.code) == step


def test_symmetric_relations_are_known_or_declared() -> None:
    assert make_relation("MARRIED_TO").symmetric
    assert make_relation("P26", label="spouse").symmetric
    assert not make_relation("KNOWS").symmetric
    assert make_relation("ALLIED_WITH", symmetric=True).symmetric
    assert not make_relation("BORDERS", symmetric=False).symmetric
    assert not make_relation("spouse", kind="property").symmetric


def test_a_node_of_several_labels_is_called_as_the_kind_with_names_says() -> None:
    kinds = (EntityKind("Heritage", None, ()), EntityKind("Train", None, ("designation",)))
    assert [kind.label for kind in GraphMapping("railway", kinds, ()).entities] == ["Train", "Heritage"]
