"""Spark writes the graph that the single-machine bulk path writes."""

from __future__ import annotations

import csv
import os
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kgqa_graphdb.errors import ServerError
from kgqa_loaders.recognise import open_source
from kgqa_loaders.records import BlockSource, LoadOptions
from kgqa_loaders.relations import parse_relations

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.slow
pytest.importorskip("pyspark")
pytest.importorskip("duckdb")

LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
XSD = "http://www.w3.org/2001/XMLSchema#"
RELATIONS = parse_relations({"relations": {"likes (e.org/)": {"label": "friend"}}})


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    """A Spark of two threads in this machine, on the Java that Neo4j runs on too."""
    from pyspark.sql import SparkSession

    from kgqa_graphdb.managed.java import find_java

    try:
        java = find_java("5.26.29")
    except ServerError as error:
        pytest.skip(f"Spark needs a Java: {error}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAVA_HOME", str(java.home))
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", os.pathsep.join([str(Path("loaders").absolute()), str(Path().absolute())]))
        session = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.default.parallelism", "2")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate()
        )
        yield session
        session.stop()


def lines() -> list[str]:
    """Triples with names, classes, values of several types, and some of them twice."""
    found = []
    for n in range(60):
        subject = f"<http://e.org/e{n}>"
        found += [
            f'{subject} {LABEL} "Thing \\"{n}\\""@en .', f"{subject} {TYPE} <http://e.org/C{n % 3}> .",
            f"{subject} <http://e.org/likes> <http://e.org/e{n * 7 % 60}> .",
            f"{subject} <http://e.org/r{n % 4}> <http://e.org/e{n * n % 60}> .",
            f'{subject} <http://e.org/size> "{n % 5}"^^<{XSD}integer> .',
            f'{subject} <http://e.org/size> "{n % 5 + 0.5}"^^<{XSD}double> .',
            f'{subject} <http://e.org/says> "a, {n % 3}\\nb"@en .',
            f'{subject} <http://e.org/born> "19{n % 90 + 10}-01-02"^^<{XSD}date> .',
        ][: 3 + n % 6]  # fmt: skip
    return [
        *found,
        *found[::3],
        '<http://e.org/e0> <http://www.w3.org/2004/02/skos/core#altLabel> "zero"@en .',
        "no fact",
    ]


def rows(arguments: list[str], option: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of CSV files, as neo4j-admin's arguments name them, with their labels."""
    for argument in arguments:
        if match := re.fullmatch(rf"--{option}=(?:([^=,/]*)=)?(.*)", argument):
            labels, files = match[1] or "", match[2].split(",")
            paths = [path for pattern in files for path in sorted(Path("/").glob(pattern.replace(".*", "*")[1:]))]
            text = "".join(path.read_text(encoding="utf-8") for path in paths)
            for row in csv.DictReader(text.splitlines(keepends=True)):
                yield labels, {key.replace("(entity)", ""): cell for key, cell in row.items() if cell}


def graph(command: str) -> dict[str, Any]:
    """Nodes, relationships and meta nodes of files, entities by their ids."""
    arguments = shlex.split(command)
    nodes, ids, meta = Counter[Any](), {}, Counter[Any]()
    for labels, row in rows(arguments, "nodes"):
        number = row.pop(":ID", "") or row.pop(":ID(meta)", "")
        if labels.startswith("_KGQA"):
            meta[labels, frozenset(row.items())] += 1
        else:
            entity = row.pop("entity_id", "") or row.pop("entity_id:ID", "")
            ids[number or entity] = entity
            nodes[labels, entity, frozenset(row.items())] += 1
    facts = Counter[Any]()
    for _, row in rows(arguments, "relationships"):
        ends = ids[row.pop(":START_ID")], ids[row.pop(":END_ID")]
        facts[ends, frozenset(row.items())] += 1
    return {"nodes": nodes, "facts": facts, "meta": meta}


def test_spark_writes_what_one_machine_writes(spark: SparkSession, tmp_path: Path) -> None:
    from kgqa_loaders.bulk import bulk_files
    from kgqa_loaders.spark import convert

    path = tmp_path / "made.nt"
    path.write_text("\n".join(lines()), encoding="utf-8")
    source = open_source(str(path))
    assert isinstance(source, BlockSource)
    alone = bulk_files(
        source, tmp_path / "alone", graph="made", relations=RELATIONS, options=LoadOptions("CC0", workers=1)
    )
    spread = convert(
        spark, source, [str(path)], str(tmp_path / "spread"), graph="made", relations=RELATIONS, licence="CC0"
    )
    expected, found = graph(alone.command), graph(spread.command)
    assert found["nodes"] == expected["nodes"]
    assert found["facts"] == expected["facts"]
    checksum = ("checksum:string", source.checksum())
    assert [label for label, row in found["meta"] if checksum in row] == ["_KGQA_Graph"]
    meta = Counter({(label, row - {checksum}): count for (label, row), count in found["meta"].items()})
    assert meta == expected["meta"]
    assert source.checksum() in alone.after.read_text(encoding="utf-8")  # one machine makes it during the import
    assert (spread.entities, spread.facts, spread.literals) == (alone.entities, alone.facts, alone.literals)
    assert "no fact" in "".join(file.read_text() for file in Path(spread.rejects).glob("part-*"))
