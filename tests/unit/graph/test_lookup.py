"""Entities by name: letter for letter before aliases, and these before what is written otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kgqa_graphdb.graph import Graph
from kgqa_graphdb.runtime import leaves_of, nested
from kgqa_graphdb.steps import Request, run
from tests.unit.hostile import MAPPING

ENTITIES = {
    "1": ("Titan", []), "2": ("TITAN", []), "3": ("Big Moon", ["Titan"]), "4": ("C", []), "5": ("C++", []),
    "6": ("C-plus-plus", ["C++"]), "7": ("Cpp", [["c++"]]),
}  # fmt: skip


class Every:
    """Each search finds every entity."""

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        row = [
            list(ENTITIES),
            [["Entity", "KG_films"] for _ in ENTITIES],
            [[key, name] for key, (name, _) in ENTITIES.items()],
            [aliases for _, aliases in ENTITIES.values()],
            "",
        ]
        return nested(requests, ([row] for _ in leaves_of(requests)))


def found(*names: str) -> list[list[str]]:
    by_name = run(Graph(MAPPING).find(names), Every())
    assert list(by_name) == list(dict.fromkeys(names))
    return [[entity.id for entity in by_name[name]] for name in names]


def test_a_name_letter_for_letter_comes_before_an_alias_and_that_before_what_folds_alike() -> None:
    assert found("Titan", "TITAN", "titan") == [["1", "3", "2"], ["2", "3", "1"], ["3", "2", "1"]]


def test_what_differs_by_symbols_is_not_found() -> None:
    assert found("C++", "C", "c", "C#", "2") == [["5", "6", "7"], ["4"], ["4"], [], ["2"]]
