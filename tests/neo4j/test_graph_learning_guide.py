"""The example of docs/guide/graph-learning.md runs as it stands there, and learns something."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_loaders.drop import drop
from tests.graphs import load_demo

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "graph-learning.md"


def test_the_example_of_the_guide_predicts_links(
    driver: neo4j.Driver, graph_name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_demo(driver, graph_name)
    KGQA(driver, graph=graph_name).export(tmp_path / "space-export")
    drop(driver, graph_name)
    code = GUIDE.read_text(encoding="utf-8").split("<!-- example -->\n```py\n")[1].split("```")[0]
    monkeypatch.chdir(tmp_path)
    found: dict[str, Any] = {}
    exec(compile(code.replace('graph="space"', f'graph="{graph_name}"'), str(GUIDE), "exec"), found)  # noqa: S102
    assert found["auc"] > 0.75
