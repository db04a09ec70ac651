"""Neo4j Browser as a person meets it after an answer: it offers the right server, and a pasted answer is drawn."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.demo import FACTS_FILE, RELATIONS_FILE
from kgqa_graphdb.managed import Connection, ManagedServer
from kgqa_loaders.recognise import open_source
from kgqa_loaders.relations import read_relations
from kgqa_loaders.write import load

if TYPE_CHECKING:
    from playwright.sync_api import Page

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.neo4j,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]

SHOWN_MS = 60_000


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """A managed server: only of that do we know that it serves Browser, and where."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("NEO4J_")]:
            patch.delenv(name)
        server = ManagedServer(tmp_path_factory.mktemp("browser") / "home")
        yield server.start()
        server.remove()


@pytest.fixture
def page(served: Connection) -> Iterator[Page]:
    """Browser's first page; nothing but the server itself can be reached."""
    with playwright.sync_playwright() as runner:
        chromium = runner.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
        context.route(re.compile(r"^https?://(?!127\.0\.0\.1)"), lambda route: route.abort())
        opened = context.new_page()
        opened.goto(served.browser)
        opened.get_by_test_id("password").wait_for(timeout=SHOWN_MS)
        yield opened
        chromium.close()


def test_browser_offers_the_servers_own_address(page: Page, served: Connection) -> None:
    assert page.get_by_test_id("boltaddress").input_value() == served.uri.removeprefix("bolt://")


def test_a_pasted_answer_is_drawn_as_a_graph(page: Page, served: Connection) -> None:
    import neo4j

    with neo4j.GraphDatabase.driver(served.uri, auth=served.auth) as driver:
        load(driver, open_source(str(FACTS_FILE)), graph="space", relations=read_relations(RELATIONS_FILE))
    with KGQA.connect("space", connection=served) as kg:
        reply = kg.ask("Who discovered the moons of [Mars]?")
    assert reply.names == ("Asaph Hall",)

    page.get_by_test_id("username").fill(served.username)
    page.get_by_test_id("password").fill(served.password)
    page.get_by_test_id("connect").click()
    page.get_by_test_id("password").wait_for(state="detached", timeout=SHOWN_MS)
    page.get_by_test_id("activeEditor").click()
    page.evaluate("text => navigator.clipboard.writeText(text)", reply.cypher_to_paste)
    page.keyboard.press("Control+V")
    page.get_by_test_id("editor-Run").click()
    page.get_by_test_id("vizInspector").wait_for(timeout=SHOWN_MS)
    frame = page.get_by_test_id("frame").first
    frame.locator("svg .node").first.wait_for(timeout=SHOWN_MS)
    if shots := os.environ.get("KGQA_SCREENSHOTS"):
        page.screenshot(path=f"{shots}/browser.png")

    assert frame.locator("svg .node").count() == len({end for fact in reply.facts for end in (fact.head, fact.tail)})
    assert frame.locator("svg .relationship").count() == len(reply.facts)
