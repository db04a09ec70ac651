"""Neo4j Browser as a person meets it: it offers the right server, draws a pasted answer, takes queries and a style."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kgqa_graphdb import KGQA, Reply
from kgqa_graphdb.demo import FACTS_FILE, RELATIONS_FILE
from kgqa_graphdb.lm import ScriptedModel
from kgqa_graphdb.managed import Connection
from kgqa_loaders.drop import drop
from kgqa_loaders.recognise import open_source
from kgqa_loaders.relations import read_relations
from kgqa_loaders.write import load
from tests.unit.rra.taught import teach

if TYPE_CHECKING:
    from playwright.sync_api import Page

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.neo4j,
    pytest.mark.skipif(CHROMIUM is None, reason="this machine has no Chromium"),
]

SHOWN_MS = 120_000
KGQA_COMMAND = str(Path(sys.executable).parent / "kgqa")


@pytest.fixture
def page(managed: Connection) -> Iterator[Page]:
    """Browser's first page; nothing but the server itself can be reached."""
    with playwright.sync_playwright() as runner:
        chromium = runner.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
        context.route(re.compile(r"^https?://(?!127\.0\.0\.1)"), lambda route: route.abort())
        opened = context.new_page()
        opened.goto(managed.browser)
        opened.get_by_test_id("password").wait_for(timeout=SHOWN_MS)
        yield opened
        chromium.close()


def test_browser_offers_the_servers_own_address(page: Page, managed: Connection) -> None:
    assert page.get_by_test_id("boltaddress").input_value() == managed.uri.removeprefix("bolt://")


@pytest.fixture(scope="module")
def space(managed: Connection) -> Iterator[str]:
    """The demo graph on that server."""
    import neo4j

    with neo4j.GraphDatabase.driver(managed.uri, auth=managed.auth) as driver:
        load(driver, open_source(str(FACTS_FILE)), graph="space", relations=read_relations(RELATIONS_FILE))
        yield "space"
        drop(driver, "space")


def log_in(page: Page, managed: Connection) -> None:
    page.get_by_test_id("username").fill(managed.username)
    page.get_by_test_id("password").fill(managed.password)
    page.get_by_test_id("connect").click()
    page.get_by_test_id("password").wait_for(state="detached", timeout=SHOWN_MS)


def screenshot(page: Page, name: str) -> None:
    if shots := os.environ.get("KGQA_SCREENSHOTS"):
        page.screenshot(path=f"{shots}/{name}.png")


def assert_drawn(page: Page, reply: Reply, shot: str) -> None:
    """The reply's Cypher, pasted by a person who is logged in, is drawn with all its facts and nothing else."""
    page.get_by_test_id("activeEditor").click()
    page.evaluate("text => navigator.clipboard.writeText(text)", reply.cypher_to_paste)
    page.keyboard.press("Control+V")
    page.get_by_test_id("editor-Run").click()
    page.get_by_test_id("vizInspector").wait_for(timeout=SHOWN_MS)
    frame = page.get_by_test_id("frame").first
    frame.locator("svg .node").first.wait_for(timeout=SHOWN_MS)
    screenshot(page, shot)

    assert frame.locator("svg .node").count() == len({end for fact in reply.facts for end in (fact.head, fact.tail)})
    assert frame.locator("svg .relationship").count() == len(reply.facts)


def test_a_pasted_answer_is_drawn_as_a_graph(page: Page, managed: Connection, space: str) -> None:
    with KGQA.connect(space, connection=managed) as kg:
        reply = kg.ask("Who discovered the moons of [Mars]?")
    assert reply.names == ("Asaph Hall",)

    log_in(page, managed)
    assert_drawn(page, reply, "browser")


@pytest.mark.parametrize("method", ["rra", "neighbourhood"])
def test_what_a_language_model_read_is_drawn_as_a_graph(
    page: Page, managed: Connection, space: str, tmp_path: Path, method: str
) -> None:
    model = ScriptedModel({"Herschel": "Mimas\nEnceladus"}, default="unknown")
    with KGQA.connect(space, connection=managed) as kg:
        taught = teach(tmp_path, [(kg.graph.mapping, {"Which moons did X discover?": ["<discovered_by"]})])
    options = {"method": method, "model": taught if method == "rra" else None, "language_model": model}
    with KGQA.connect(space, connection=managed, **options) as kg:
        reply = kg.ask("Which moons did [William Herschel] discover?")
    assert set(reply.names) == {"Mimas", "Enceladus"}

    log_in(page, managed)
    assert_drawn(page, reply, method)


DROP = """async ([base64, name]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([Uint8Array.from(atob(base64), char => char.charCodeAt(0))], name));
  for (const kind of ["dragenter", "dragover", "drop"]) {
    const event = new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: transfer});
    document.querySelector(".filedrop").dispatchEvent(event);
  }
}"""


def drop_file(page: Page, file: Path) -> None:
    """What dragging a file from a folder into the window does."""
    page.evaluate(DROP, [base64.b64encode(file.read_bytes()).decode(), file.name])


def test_saved_queries_and_style_are_taken_and_drawn(
    page: Page, managed: Connection, space: str, tmp_path: Path
) -> None:
    environment = os.environ | {
        "NEO4J_URI": managed.uri, "NEO4J_USERNAME": managed.username, "NEO4J_PASSWORD": managed.password
    }  # fmt: skip
    command = [KGQA_COMMAND, "browser", "--graph", space, "--output", str(tmp_path), "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    written = json.loads(done.stdout)

    log_in(page, managed)
    drop_file(page, Path(written["style"]))
    style = page.get_by_test_id("frame").first
    style.get_by_text("node.KG_space {").wait_for(timeout=SHOWN_MS)
    drop_file(page, Path(written["queries"]))
    page.get_by_test_id("navigationFavorites").click()
    page.get_by_test_id("expandFolder-space").click()
    page.get_by_test_id(f"scriptTitle-{written['names'][0]}").wait_for(timeout=SHOWN_MS)
    titles = page.locator("[data-testid^=scriptTitle]").all_inner_texts()
    assert sorted(titles) == sorted(written["names"])

    def run_saved(title: str) -> Any:
        entry = page.get_by_test_id("savedScriptListItem").filter(has=page.get_by_test_id(f"scriptTitle-{title}"))
        entry.hover()
        entry.get_by_test_id("savedScriptsButton-Run").click()
        frame = page.get_by_test_id("frame").first
        frame.get_by_test_id("frameCommand").get_by_text(title).wait_for(timeout=SHOWN_MS)
        return frame

    rows = run_saved("Relations and their phrases")
    rows.get_by_role("cell", name="discoverer").wait_for(timeout=SHOWN_MS)
    for title in ("Picture of the schema, one fact of each relation", "An entity and its facts"):
        frame = run_saved(title)
        frame.locator("svg .node").first.wait_for(timeout=SHOWN_MS)
        page.wait_for_timeout(1_500)  # nodes move apart
        screenshot(page, "browser_" + title.split()[0].lower())
        rules = json.loads(Path(written["style"]).read_text(encoding="utf-8"))
        fills = {circle.get_attribute("fill") for circle in frame.locator("svg .node circle.b-outline").all()}
        assert fills == {rules["node.KG_space"]["color"]}
        captions = {text.strip() for text in frame.locator("svg .relationship text").all_text_contents()}
        phrases = {rule["caption"] for selector, rule in rules.items() if selector.startswith("relationship.")}
        assert captions
        # Browser cuts what is longer than its arrow: "landin…".
        assert all(any(phrase.startswith(text.rstrip("…")) for phrase in phrases) for text in captions)
