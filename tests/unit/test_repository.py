"""The files around the package agree with it."""

from __future__ import annotations

import ast
import pkgutil
import re
import tomllib
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from kgqa_graphdb.managed.lock import DEFAULT_VERSION

ROOT = Path(__file__).parents[2]


def test_compose_runs_the_version_that_the_managed_server_is() -> None:
    compose = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    assert re.findall(r"image: (\S+)", compose) == [f"neo4j:{DEFAULT_VERSION}-community"]


def test_compose_publishes_on_the_loopback_only() -> None:
    compose = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    published = re.findall(r'- "(\S+):\d+"', compose)
    assert len(published) == 2
    assert all(address.startswith("127.0.0.1:") for address in published)


def test_version_has_a_section_in_the_changelog() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"## [{project['version']}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def required_by(names: Iterable[str]) -> dict[str, Distribution]:
    """Installed distributions that some names bring, themselves among them, without what needs an extra of theirs."""
    found: dict[str, Distribution] = {}
    waiting = list(names)
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name not in found:
            found[name] = distribution(name)
            needs = map(Requirement, found[name].requires or ())
            waiting += [need.name for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})]
    return found


def test_no_extra_brings_neo4j_viz_and_what_pictures_need_is_permissive() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {
        extra: {canonicalize_name(Requirement(line).name) for line in lines}
        for extra, lines in project["optional-dependencies"].items()
    }
    assert "viz" in extras
    assert [extra for extra, names in extras.items() if "neo4j-viz" in names] == []
    brought = required_by(extras["viz"])
    assert {"pandas", "numpy"} <= brought.keys()
    assert "neo4j-viz" not in brought
    licences = {
        name: [
            found.metadata["License-Expression"] or "",
            *(line for line in found.metadata.get_all("Classifier") or () if line.startswith("License ::")),
        ]
        for name, found in brought.items()
    }
    assert {name: lines for name, lines in licences.items() if re.search(r"GPL|GNU", " ".join(lines))} == {}


def test_the_library_that_draws_pictures_comes_with_its_mit_licence() -> None:
    folder = ROOT / "kgqa_graphdb" / "plots" / "cytoscape"
    licence, library = ((folder / name).read_text(encoding="utf-8") for name in ("LICENSE", "cytoscape.min.js"))
    assert licence.startswith("Copyright (c) 2016-2026, The Cytoscape Consortium.")
    assert "Permission is hereby granted, free of charge, to any person obtaining a copy" in licence
    assert "The above copyright notice and this permission notice shall be included in all" in licence
    assert "THE SOFTWARE IS PROVIDED “AS IS”, WITHOUT WARRANTY OF ANY KIND" in licence
    banner = library.partition("*/")[0].removeprefix("/**").replace(" *", "").split()  # goes into each picture's page
    assert banner == licence.split()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert str((folder / "LICENSE").relative_to(ROOT)) in project["license-files"]


PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "loaders").glob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def modules() -> dict[str, Path]:
    """The files of both packages by the name of their module, but for the command line's."""
    found = {}
    for package in (ROOT / "kgqa_graphdb", ROOT / "loaders" / "kgqa_loaders"):
        for path in sorted(package.rglob("*.py")):
            parts = path.relative_to(package.parent).with_suffix("").parts
            if parts[:2] != ("kgqa_graphdb", "cli"):
                found[".".join(parts).removesuffix(".__init__")] = path
    return found


def imported(path: Path) -> set[str]:
    """What a file imports anywhere, under TYPE_CHECKING and in functions too: modules, and names in modules."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} imports relatively"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def on_cycles(graph: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The nodes that a walk along the edges comes back to, and their edges to others of those."""
    while True:
        targets = set().union(*graph.values())
        kept = {node: edges & graph.keys() for node, edges in graph.items() if edges & graph.keys() and node in targets}
        if kept == graph:
            return kept
        graph = kept


def test_no_files_import_each_other() -> None:
    files = modules()
    graph = {
        name: {one if one in files else one.rpartition(".")[0] for one in imported(path)} & files.keys() - {name}
        for name, path in files.items()
    }
    assert on_cycles(graph) == {}


@pytest.mark.parametrize("script", sorted((ROOT / "benchmarks").glob("*.py")), ids=lambda script: script.stem)
def test_what_a_benchmark_imports_from_the_packages_is_there(script: Path) -> None:
    for name in imported(script):
        if name.split(".")[0] in ("kgqa_graphdb", "kgqa_loaders"):
            pkgutil.resolve_name(name)
