"""A picture of facts as one HTML page that needs nothing else: no network, no library on the reader's side.

It is drawn by cytoscape.js (https://js.cytoscape.org, MIT licence), whose file and licence lie in ``cytoscape/``. It
draws names on a canvas, where no name can become a part of the page.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

_HEIGHT = 420
"""Of a picture in a notebook, in pixels."""

# Nothing is fetched from anywhere, whatever a name tries.
_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" \
content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<title>Facts that prove an answer</title>
<style>html, body, #picture { margin: 0; width: 100%; height: 100%; background: #fff }</style>
<div id="picture"></div>
<script>LIBRARY</script>
<script id="elements" type="application/json">ELEMENTS</script>
<script>
const elements = JSON.parse(document.getElementById("elements").textContent);
const count = elements.nodes.length;
elements.nodes.forEach((node, number) => {  // begins the same way, so that it ends the same way
  const angle = 2 * Math.PI * number / count;
  node.position = {x: 60 * count * Math.cos(angle) / 6, y: 60 * count * Math.sin(angle) / 6};
});
window.picture = cytoscape({
  container: document.getElementById("picture"),
  elements: elements,
  layout: {name: "cose", animate: false, randomize: false, padding: 30, idealEdgeLength: 110, nodeRepulsion: 90000,
    nodeDimensionsIncludeLabels: true, numIter: count > 150 ? 150 : 1000},  // a round takes the square of the nodes
  minZoom: 0.05,
  maxZoom: 4,
  style: [
    {selector: "node", style: {label: "data(name)", "background-color": "#7aa6da", width: 26, height: 26,
      "font-size": 11, "font-family": "sans-serif", "text-valign": "bottom", "text-margin-y": 4,
      "text-wrap": "ellipsis", "text-max-width": 160}},
    {selector: "node[?answer]", style: {"background-color": "#ffbf3f", width: 36, height: 36, "font-weight": "bold"}},
    {selector: "edge", style: {label: "data(name)", "curve-style": "bezier", "target-arrow-shape": "triangle",
      width: 1.5, "line-color": "#b5b5b5", "target-arrow-color": "#b5b5b5", "font-size": 9,
      "font-family": "sans-serif", color: "#555", "text-rotation": "autorotate", "text-background-color": "#fff",
      "text-background-opacity": 0.85, "text-background-padding": 1}},
  ],
});
</script>
</html>
"""


@dataclass(frozen=True, slots=True)
class PictureNode:
    """A node of a picture.

    :ivar id: tells it from the others
    :ivar name: what stands beside it
    :ivar answer: it stands out
    """

    id: str
    name: str
    answer: bool = False


@dataclass(frozen=True, slots=True)
class PictureEdge:
    """An arrow of a picture, between the ids of nodes, and the words on it."""

    head: str
    tail: str
    name: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """A picture as a notebook shows it.

    :ivar data: HTML to put into a page; a frame of its own, whose scripts have no access to what is around it
    """

    data: str

    def _repr_html_(self) -> str:
        return self.data


@dataclass(frozen=True, slots=True)
class Picture:
    """Facts to be drawn."""

    nodes: tuple[PictureNode, ...]
    relationships: tuple[PictureEdge, ...]

    @property
    def page(self) -> str:
        """A whole HTML page, for a file or a browser: 0.4 MB, and nothing is fetched when it is shown."""
        elements = {
            "nodes": [{"data": {"id": one.id, "name": _caption(one.name), "answer": one.answer}} for one in self.nodes],
            "edges": [
                {"data": {"source": one.head, "target": one.tail, "name": _caption(one.name)}}
                for one in self.relationships
            ],
        }
        parts = {"LIBRARY": _library(), "ELEMENTS": _for_script(elements)}
        return re.sub("|".join(parts), lambda found: parts[found[0]], _PAGE)

    def render(self) -> Rendered:
        """The picture for a notebook, which shows it when it is the last value of a cell."""
        frame = 'style="width: 100%; border: 1px solid #ddd" sandbox="allow-scripts"'
        return Rendered(f'<iframe height="{_HEIGHT}" {frame} srcdoc="{html.escape(self.page)}"></iframe>')

    def _repr_html_(self) -> str:
        return self.render().data


def _caption(name: str) -> str:
    """A name on one line: a caption is one line high."""
    return " ".join(name.split())


@cache
def _library() -> str:
    return resources.files("kgqa_graphdb.plots").joinpath("cytoscape", "cytoscape.min.js").read_text(encoding="utf-8")


def _for_script(value: object) -> str:
    """JSON inside a script element, which nothing in it can end or comment out."""
    text = json.dumps(value, ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
