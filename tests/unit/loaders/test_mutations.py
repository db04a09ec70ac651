"""200 broken versions of a file of each format: no crash, and no line that is lost without a word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.csv_graph import CsvGraph
from kgqa_loaders.cypher_text import ScriptStatement, statements
from kgqa_loaders.normal import REJECT, normalise
from kgqa_loaders.recognise import open_source
from kgqa_loaders.records import ReadOptions, Record
from kgqa_loaders.tables import Parquet
from tests.unit.loaders.mutate import lines_of, lines_with_text, mutants, outcome
from tests.unit.loaders.samples import SAMPLES, parquet

BY_LINE = ("ntriples", "nquads", "csv-nodes", "csv-edges", "csv-triples", "json-facts", "json-nodes", "json-apoc",
           "pipes", "tabs")  # fmt: skip
WHOLE = ("turtle", "trig", "rdf-xml", "json-ld")


def check_rows(records: list[Record]) -> None:
    """What normalising makes of records can be stored, or is a reject with a reason."""
    for row in normalise(records, {}):
        assert row.b or row.kind != REJECT
        "".join(row).encode()


@pytest.mark.parametrize("sample", BY_LINE)
def test_each_line_of_a_broken_file_is_a_record_or_a_reject(sample: str, tmp_path: Path) -> None:
    format, content = SAMPLES[sample]
    path = tmp_path / "broken"
    read = 0
    for mutant in mutants(content):
        found = outcome(lambda file: open_source(str(file), format, ReadOptions(languages=())), path, mutant)
        if isinstance(found, LoadError):
            assert format == "csv" or not mutant.strip(), found  # a table whose header is broken can't be read
            continue
        read += 1
        check_rows(found)
        lost = lines_with_text(mutant) - lines_of(found)
        if format == "csv":
            lost -= {1} | inside_rows(mutant, found)
        elif format == "jsonl":
            lost -= {at for at, line in enumerate(mutant.split(b"\n"), start=1) if line.strip(b" \r") in (b"[", b"]")}
        assert not lost, (mutant[:300], found)
    assert read >= 120


def inside_rows(content: bytes, records: list[Record]) -> set[int]:
    """The lines that are a part of a text in quotes that some record holds."""
    held = repr(records)
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    parts = {number: re.split(rb'[",;\r]+', line) for number, line in enumerate(lines, start=1)}
    return {
        number
        for number, pieces in parts.items()
        if all(repr(piece.decode(errors="replace"))[1:-1] in held for piece in pieces)
    }


@pytest.mark.parametrize("sample", WHOLE)
def test_broken_document_is_read_or_refused_in_one_sentence(sample: str, tmp_path: Path) -> None:
    format, content = SAMPLES[sample]
    refused = 0
    for mutant in mutants(content):
        found = outcome(lambda file: open_source(str(file), format), tmp_path / "broken", mutant)
        if isinstance(found, LoadError):
            refused += 1
            assert "broken" in str(found)
        else:
            check_rows(found)
    assert 0 < refused < 200


def test_broken_parquet_is_read_or_refused_in_one_sentence(tmp_path: Path) -> None:
    content = parquet([{"head": f"h{number}", "relation": "r", "tail": "t"} for number in range(50)], tmp_path)
    for mutant in mutants(content):
        found = outcome(lambda file: Parquet(file, "broken"), tmp_path / "broken", mutant)
        if not isinstance(found, LoadError):
            check_rows(found)


def test_broken_script_is_split_without_a_crash() -> None:
    for mutant in mutants(SAMPLES["cypher"][1]):
        text = mutant.decode(errors="replace")
        kept = sum(len(re.sub(r"\s", "", statement.text)) for statement in split(text))
        assert kept <= len(text)


def split(script: str) -> list[ScriptStatement]:
    """The statements of a script; none if a command in it can't be followed."""
    try:
        return list(statements(script))
    except LoadError:
        return []


def test_table_whose_header_is_broken_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(b"personId,name\n1,Ann\n")
    with pytest.raises(LoadError, match=r"people.csv does not say what is an entity"):
        list(CsvGraph(path, "people.csv").records())
