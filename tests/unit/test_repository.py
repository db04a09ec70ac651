"""The files around the package agree with it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

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


PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "loaders").glob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
