"""What makes Neo4j Browser comfortable for a graph: saved queries about it, and a style with its colours and captions.

Browser takes both by drag and drop: a ``.grass`` file is a style, in JSON or its own notation, and replaces the one in
use; a ``.zip`` of ``.cypher`` files is saved queries, each folder in it one of Browser's.
"""

from __future__ import annotations

import colorsys
import io
import json
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgqa_graphdb import queries
from kgqa_graphdb.compile.literal import browser_text
from kgqa_graphdb.language.folding import fold
from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Statement

SAMPLE = 100_000
"""Entities read for class labels."""
SCHEMA_RELATIONS = 40
"""Relations in the picture of the schema; with more, nothing can be read in it."""

# Apart from each other for most colour-blind people too: Okabe and Ito's, then Tol's muted ones.
_PALETTE = (
    "#0072b2 #e69f00 #009e73 #cc79a7 #56b4e9 #d55e00 #f0e442 #332288 #ddcc77 #117733 #88ccee #882255 #44aa99 #999933 "
    "#aa4499"
).split()
_GOLDEN = 0.6180339887


@dataclass(frozen=True, slots=True)
class SavedQuery:
    """A query for Browser's saved ones.

    :ivar name: its title there
    :ivar text: the statement, its first line a comment with the title
    """

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class BrowserKit:
    """What Browser gets of one graph.

    :ivar style: GraSS rules: selector → properties
    """

    graph: str
    queries: tuple[SavedQuery, ...]
    style: dict[str, dict[str, str]]


def browser_kit(mapping: GraphMapping) -> Steps[BrowserKit]:
    """Saved queries and style of a graph; the queries name entities that it has."""
    classes: list[str] = []
    if mapping.owned:
        [kind] = mapping.entities
        rows = yield from ask(Read(_statement("catalog/class_labels", {"sample": SAMPLE}, label=kind.label)))
        classes = [str(row[0]) for row in rows]
    found: list[SavedQuery] = []
    for kind in mapping.entities:
        found += yield from _kind_queries(mapping, kind)
    return BrowserKit(mapping.graph, (*_graph_queries(mapping), *found), style(mapping, classes))


def write_style(kits: Iterable[BrowserKit]) -> str:
    """The text of a ``.grass`` file for some graphs. Of rules that fit a node the last counts: that of its class."""
    rules: dict[str, dict[str, str]] = dict(_BASE)
    for kit in kits:
        rules |= kit.style
    return json.dumps(rules, indent=2, ensure_ascii=False) + "\n"


def write_queries(kits: Iterable[BrowserKit]) -> bytes:
    """A zip file of saved queries, one folder a graph; the same bytes for the same queries."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for kit in kits:
            for number, query in enumerate(kit.queries, start=1):
                entry = zipfile.ZipInfo(f"{kit.graph}/{number:02} {_file_name(query.name)}.cypher")
                archive.writestr(entry, query.text)
    return buffer.getvalue()


# ── queries ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _graph_queries(mapping: GraphMapping) -> list[SavedQuery]:
    """Queries about the graph as a whole."""
    graph = {"graph": mapping.graph}
    found = []
    if mapping.owned:
        found.append(_saved("Relations and their phrases", "browser/relations", graph))
        found.append(_saved("Where the graph comes from", "browser/graph", graph))
    edges = [relation for relation in mapping.relations if relation.kind == "edge" and not relation.via]
    if edges:
        kind = mapping.entities[0]
        parts = []
        for relation in edges[:SCHEMA_RELATIONS]:
            label = kind.label if mapping.owned or not relation.heads else relation.heads[0]
            text = queries.load("browser/example").cypher(label=label, type=relation.type)
            parts.append(text.removeprefix("CYPHER 5\n").replace(" // unordered: any will do", ""))
        name = "Picture of the schema, one fact of each relation"
        if len(edges) > SCHEMA_RELATIONS:
            name += f" (the first {SCHEMA_RELATIONS} of {len(edges):,})"
        found.append(SavedQuery(name, f"// {name}\nCYPHER 5\n" + "\nUNION ALL\n".join(parts)))
    return found


def _kind_queries(mapping: GraphMapping, kind: EntityKind) -> Steps[list[SavedQuery]]:
    """Queries about the entities of a label."""
    key = kind.names[0] if kind.names else kind.key
    if key is None:  # nothing to call an entity by
        return []
    where = "" if mapping.owned else f"{kind.label}: "
    rows = yield from ask(Read(_statement("browser/most_connected", label=kind.label, key=key)))
    names = [str(name) for name, _ in rows if isinstance(name, str)]
    found = [_saved(f"{where}Most connected entities", "browser/most_connected", label=kind.label, key=key)]
    if names and mapping.fulltext:
        words = {"index": mapping.fulltext, "text": " ".join(f"{word}~" for word in fold(names[0]).text.split()[:5])}
        found.append(_saved(f"{where}Find a name, misspelled or not", "browser/find", words))
    if mapping.owned:
        found.append(_saved("Some facts", "browser/sample", label=kind.label))
        if names:
            one = {"name": names[0]}
            found.append(_saved("An entity and its facts", "browser/entity", one, label=kind.label, key=key))
        if len(names) > 1:
            both = {"one": names[0], "other": names[1]}
            found.append(_saved("Facts between two entities", "browser/between", both, label=kind.label, key=key))
    return found


def _statement(name: str, parameters: dict[str, object] | None = None, **splices: str) -> Statement:
    return Statement(queries.load(name).cypher(**splices), parameters or {})


def _saved(
    title: str, name: str, parameters: dict[str, object] | dict[str, str] | None = None, **splices: str
) -> SavedQuery:
    """A statement file as a saved query, its parameters written in."""
    text = browser_text(_statement(name, dict(parameters or {}), **splices))
    return SavedQuery(title, f"// {title}\n{text}".replace(" // unordered: any will do", ""))


def _file_name(title: str) -> str:
    """A title as a file's name: what file systems and Browser's own folders take apart is left out."""
    plain = "".join(char if char.isalnum() or char in " -_,()" else " " for char in title)
    return " ".join(plain.split())[:100]


# ── style ────────────────────────────────────────────────────────────────────────────────────────────────────────────

_BASE: dict[str, dict[str, str]] = {
    "node": {
        "diameter": "50px", "color": "#a5abb6", "border-color": "#9aa1ac", "border-width": "2px",
        "text-color-internal": "#ffffff", "font-size": "10px",
    },
    "relationship": {
        "color": "#a5abb6", "shaft-width": "1px", "font-size": "8px", "padding": "3px",
        "text-color-external": "#000000", "text-color-internal": "#ffffff", "caption": "<type>",
    },
    "node._KGQA_Graph": {"color": "#6e6e6e", "caption": "{graph}"},
    "node._KGQA_Relation": {"color": "#b0b0b0", "caption": "{label}"},
}  # fmt: skip


def style(mapping: GraphMapping, classes: Sequence[str] = ()) -> dict[str, dict[str, str]]:
    """Rules for a graph: names as captions, a colour for each label, a colour and words for each relationship type.

    :param classes: labels of classes, most frequent first; a node with several has the colour of the rarest
    """
    rules: dict[str, dict[str, str]] = {}
    for number, kind in enumerate(mapping.entities):
        caption = " ".join(f"{{{name}}}" for name in kind.names) or (f"{{{kind.key}}}" if kind.key else "<id>")
        rules[_selector("node", kind.label)] = _node(_color(number)) | {"caption": caption}
    for number, label in enumerate(classes, start=len(mapping.entities)):
        rules[_selector("node", label)] = _node(_color(number))
    edges: dict[str, str] = {}
    for relation in mapping.relations:
        if relation.kind == "edge" and not relation.via:
            edges.setdefault(relation.type, relation.phrase)
    for number, (type_, phrase) in enumerate(edges.items()):
        color = _color(number)
        rules[_selector("relationship", type_)] = {
            "color": color,
            "shaft-width": "2px",
            "text-color-external": "#333333",
            "text-color-internal": _readable_on(color),
            "caption": phrase.replace("{", "(").replace("}", ")") or "<type>",
        }
    return rules


def _selector(tag: str, name: str) -> str:
    return f"{tag}.{name.replace('.', chr(92) + '.')}"


def _node(color: str) -> dict[str, str]:
    return {"color": color, "border-color": _darker(color), "text-color-internal": _readable_on(color)}


def _color(number: int) -> str:
    """A colour for the n-th of something; after the palette, hues as far from each other as can be."""
    if number < len(_PALETTE):
        return _PALETTE[number]
    red, green, blue = colorsys.hls_to_rgb(number * _GOLDEN % 1.0, 0.55, 0.55)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _darker(color: str) -> str:
    return "#" + "".join(f"{round(channel * 0.75):02x}" for channel in _channels(color))


def _readable_on(color: str) -> str:
    red, green, blue = _channels(color)
    return "#222222" if 0.299 * red + 0.587 * green + 0.114 * blue > 150 else "#ffffff"
