"""The picture of a proof as a reader's browser draws it: with nothing fetched, and with names that are only names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kgqa_graphdb.plan import Follow, Result
from kgqa_graphdb.types import Entity, Fact, Scored, Value
from tests.unit.replies import moons, two_hops

if TYPE_CHECKING:
    from playwright.sync_api import Page

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="this machine has no Chromium")]

EVIL = (
    "</script><script>parent.hit = window.hit = 1</script>",
    "<img src=x onerror='window.hit=1'>",
    '"><svg onload="window.hit=1">',
    "<!-- --><script>window.hit=1</script>",
    "LIBRARY ELEMENTS",
    "'; window.hit = 1; //\u2028\u2029\n\\",
    "&lt;b&gt; &amp; \\u003c ${window.hit=1}",
    "東京 🪐 Ünï",
)


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with playwright.sync_playwright() as runner:
        chromium = runner.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium.new_page(viewport={"width": 900, "height": 600})
        chromium.close()


def opened(page: Page, text: str, tmp_path: Path, name: str) -> list[str]:
    """Open a page; what it asked for beyond itself and what went wrong in it."""
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url))
    page.on("pageerror", lambda error: seen.append(str(error)))
    page.on("console", lambda message: seen.append(message.text) if message.type in ("error", "warning") else None)
    file = tmp_path / f"{name}.html"
    file.write_text(text, encoding="utf-8")
    page.goto(file.as_uri())
    page.locator("canvas, iframe").first.wait_for()
    if shots := os.environ.get("KGQA_SCREENSHOTS"):
        page.wait_for_timeout(300)
        page.screenshot(path=f"{shots}/{name}.png")
    return [one for one in seen if one not in (file.as_uri(), "about:srcdoc")]


def drawn(frame: Any) -> tuple[dict[str, bool], set[tuple[str, str, str]]]:
    """Names of the nodes, with whether each stands out, and the arrows, as cytoscape has them."""
    nodes = frame.evaluate("picture.nodes().map(one => [one.data('name'), one.width() > 30])")
    edges = frame.evaluate(
        "picture.edges().map(one => [one.source().data('name'), one.data('name'), one.target().data('name')])"
    )
    return dict(nodes), {tuple(one) for one in edges}


def test_a_notebook_draws_the_proof_and_nothing_is_fetched(page: Page, tmp_path: Path) -> None:
    reply = two_hops()
    assert opened(page, f"<!DOCTYPE html><meta charset=utf-8>{reply._repr_html_()}", tmp_path, "notebook") == []
    frame = page.frames[1]
    frame.wait_for_selector("canvas")
    nodes, edges = drawn(frame)
    one_line = {name: " ".join(name.split()) for name in reply.names}  # "Asaph\\nHall"
    assert nodes == {
        one_line.get(end.name, end.name): end.name in one_line for fact in reply.facts for end in (fact.head, fact.tail)
    }
    assert edges == {(f.head.name, f.relation.phrase, one_line.get(f.tail.name, f.tail.name)) for f in reply.facts}
    places = frame.evaluate("picture.nodes().map(one => one.renderedPosition())")
    assert all(0 < place["x"] < 900 and 0 < place["y"] < 420 for place in places)
    apart = {(round(place["x"] / 20), round(place["y"] / 20)) for place in places}
    assert len(apart) == len(nodes)
    assert frame.evaluate("try { parent.document.title } catch (error) { 'closed' }") == "closed"


def test_hostile_names_are_drawn_as_names(page: Page, tmp_path: Path) -> None:
    reply = moons()
    [proved] = reply.answer.proof
    assert isinstance(proved.item.plan, Follow)
    relation = replace(proved.item.facts[0].relation, phrase=EVIL[0])
    entities = [Entity(name, name) for name in EVIL]
    facts = [Fact(entities[0], relation, other) for other in (*entities[1:], Value(EVIL[1] + "x"))]
    result = Result(proved.item.plan, tuple(entities), tuple(facts), False)
    answer = replace(
        reply.answer, answers=tuple(Scored(one, 1.0) for one in entities), proof=(Scored(result, 1.0),), text=EVIL[1]
    )
    hostile = replace(reply, answer=answer)
    for name, text in (("hostile", hostile.to_viz().page), ("hostile_notebook", hostile._repr_html_())):
        assert opened(page, f"<!DOCTYPE html><meta charset=utf-8>{text}", tmp_path, name) == []
        frame = page.frames[-1]
        frame.wait_for_selector("canvas")
        nodes, edges = drawn(frame)
        assert set(nodes) == {*(" ".join(name.split()) for name in EVIL), EVIL[1] + "x"}
        assert len(edges) == len(facts)
        assert [one.evaluate("window.hit") for one in page.frames] == [None] * len(page.frames)
        assert page.locator("img, svg").count() == 0


@pytest.mark.parametrize("count", [1, 60, 600])
def test_a_proof_of_any_size_is_drawn_apart_and_the_same_each_time(page: Page, tmp_path: Path, count: int) -> None:
    reply = moons()
    [proved] = reply.answer.proof
    relation, hub = proved.item.facts[0].relation, Entity("hub", "Hub")
    facts = tuple(Fact(Entity(str(one), f"Moon {one}"), relation, hub) for one in range(count))
    result = replace(proved.item, nodes=tuple(fact.head for fact in facts), facts=facts)
    many = replace(reply, answer=replace(reply.answer, proof=(Scored(result, 1.0),), answers=()))
    places = []
    for number in range(2):
        assert opened(page, many.to_viz().page, tmp_path, f"many_{count}_{number}") == []
        places.append(page.evaluate("picture.nodes().map(one => one.position())"))
    assert places[0] == places[1]
    assert len({(round(place["x"], 3), round(place["y"], 3)) for place in places[0]}) == count + 1
