"""Wikidata's formats broken in 200 ways each: no crash, and no line lost without a word."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.normal import normalise
from kgqa_loaders.records import ReadOptions, Record, Reject, Source
from kgqa_loaders.wikidata import dump, kgtk, rdf, tables
from tests.unit.loaders.mutate import lines_of, lines_with_text, mutants, outcome
from tests.unit.loaders.test_wikidata_rdf import ISLAND as ISLAND_TURTLE
from tests.unit.loaders.test_wikidata_rdf import PREFIXES, TRUTHY, as_json_lines, as_ntriples
from tests.unit.loaders.test_wikidata_tables import EDGES, LABELLED, STATEMENTS
from tests.unit.loaders.wikidata_samples import ISLAND, dump_of, entity, texts

pyoxigraph = pytest.importorskip("pyoxigraph")

OPTIONS = ReadOptions(languages=("en", "nl"), types="facts", references=True, ranks="all")
PROPERTY = entity("P17", kind="property", labels=texts(en="country"))
DUMP = dump_of(ISLAND, PROPERTY, *(entity(f"Q{number}", labels=texts(en=f"n{number}")) for number in range(1, 12)))
SAMPLES: dict[str, tuple[bytes, Callable[[Path, str, ReadOptions], Source]]] = {
    "dump": (DUMP, dump.EntityLines),
    "document": (json.dumps({"entities": {"Q100": ISLAND, "P17": PROPERTY}}, indent=1).encode(), dump.EntityDocuments),
    "turtle": ((PREFIXES + ISLAND_TURTLE).encode(), rdf.StatementTurtle),
    "n-triples": (as_ntriples(PREFIXES + ISLAND_TURTLE).encode(), rdf.StatementLines),
    "json triples": (as_json_lines(PREFIXES + ISLAND_TURTLE).encode(), rdf.StatementJson),
    "truthy": (TRUTHY[: TRUTHY.index("<https://www.wiki")].encode(), rdf.Truthy),
    "kgtk": (EDGES.encode(), kgtk.Kgtk),
    "labelled": (LABELLED.encode() * 4, tables.Labelled),
    "statements": (STATEMENTS.encode() * 4, tables.Statements),
}
BY_LINES = ("dump", "labelled", "statements", "kgtk", "truthy")
"""Formats in which each line says something of its own."""


def recognised(name: str) -> Callable[[Path], Source]:
    return lambda path: SAMPLES[name][1](path, name, OPTIONS)


@pytest.mark.parametrize("name", SAMPLES)
def test_broken_files_never_crash_and_lose_nothing_in_silence(tmp_path: Path, name: str) -> None:
    whole = outcome(recognised(name), tmp_path / "whole", SAMPLES[name][0])
    assert isinstance(whole, list)
    for number, content in enumerate(mutants(SAMPLES[name][0])):
        found = outcome(recognised(name), tmp_path / "broken", content)
        if isinstance(found, LoadError):
            assert name == "kgtk", found
            continue
        list(normalise(found, {}))
        if name in BY_LINES:
            silent = lines_with_text(content) - lines_of(found) - unasked(name, content)
            assert not silent, (number, silent, content.split(b"\n")[min(silent) - 1][:200])
        elif len(said(found)) < len(said(whole)) and not parses(name, content):
            assert any(isinstance(record, Reject) for record in found), (number, len(found), len(whole))


def said(records: list[Record]) -> list[Record]:
    return [record for record in records if not isinstance(record, Reject)]


def unasked(name: str, content: bytes) -> set[int]:
    """The lines that say nothing by themselves: brackets, texts in other languages, qualifiers."""
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if name == "dump":
        return {number for number, line in enumerate(lines, start=1) if not line.strip(b"[], \t\r")}
    if name == "truthy":
        return {number for number, line in enumerate(lines, start=1) if b"@de" in line or parses(name, line)}
    if name == "kgtk":
        names = {
            number for number, line in enumerate(lines, start=1) if re.search(rb"\t(label|alias|description)\t", line)
        }
        ids = {line.split(b"\t")[0] for line in lines}
        return names | {n for n, line in enumerate(lines, start=1) if n == 1 or (line.split(b"\t") * 2)[1] in ids}
    return set()


def parses(name: str, content: bytes) -> bool:
    """Whether another parser has nothing to say against a file."""
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        if name == "document":
            json.loads(content)
        elif name == "json triples":
            for line in content.splitlines():
                json.loads(line or b"{}")
        else:
            syntax = pyoxigraph.RdfFormat.TURTLE if name == "turtle" else pyoxigraph.RdfFormat.N_TRIPLES
            list(pyoxigraph.parse(content, syntax))
    except (ValueError, SyntaxError):
        return False
    return True
