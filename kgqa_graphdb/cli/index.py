"""``kgqa index``: indexes that a graph can do without."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgqa_graphdb.cli.app import INTERRUPTED, app
from kgqa_graphdb.cli.db import open_connection, watching_disk
from kgqa_graphdb.cli.interrupt import interruptible
from kgqa_graphdb.cli.output import GraphName, JsonFlag, emit_json, print_status, progress, say

if TYPE_CHECKING:
    from kgqa_graphdb.cli.output import Advance
    from kgqa_graphdb.encode import OnnxEncoder
    from kgqa_graphdb.managed import Connection
    from kgqa_graphdb.mapping import GraphMapping
    from kgqa_loaders.vectors import VectorReport

EXAMPLES = """
Examples:

  kgqa index --graph space --vectors

  kgqa index --graph shop --vectors --write-properties

  kgqa index --graph space --vectors --remove

With a vector index a question may describe an entity that it does not name: "the red planet". Entities are embedded
batch by batch; one that was cut off goes on when it is started again, and run after a load it embeds only what is new
or has another name or description. KGQA_ENCODER names another encoder.
"""


@app.command(epilog=EXAMPLES)
def index(
    graph: GraphName,
    vectors: Annotated[bool, typer.Option("--vectors", help="The vector index over names and descriptions.")] = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Embed all anew if another encoder made the vectors.")
    ] = False,
    remove: Annotated[
        bool, typer.Option("--remove", help="Drop the index, and take the vectors off the nodes.")
    ] = False,
    write_properties: Annotated[
        bool,
        typer.Option(
            "--write-properties",
            help="Allow it for a graph that kgqa did not load: each of its nodes gets two properties.",
        ),
    ] = False,
    mapping: Annotated[
        Path | None, typer.Option("--mapping", help="Mapping file of a graph that kgqa did not load.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Make, update or remove a graph's vector index, which finds entities by what they mean."""
    from dataclasses import asdict

    from kgqa_graphdb.encode import OnnxEncoder
    from kgqa_graphdb.errors import UsageError

    if not vectors:
        raise UsageError("nothing to index; add --vectors")
    connection = open_connection()
    try:
        with progress(f"{'Clearing' if remove else 'Indexing'} {graph}") as bar:
            if remove:
                count = interruptible(lambda: _remove(connection, graph, mapping, bar))
            else:
                encoder = OnnxEncoder()
                report = interruptible(
                    lambda: _index(connection, graph, mapping, encoder, rebuild, write_properties, bar)
                )
    except KeyboardInterrupt:
        print_status("kgqa: interrupted; what was done stays. The same command goes on from there.")
        raise typer.Exit(INTERRUPTED) from None
    if remove:
        if json:
            emit_json({"graph": graph, "removed": count})
        else:
            say(f"The vector index of graph '{graph}' is gone; {count:,} nodes had a vector.")
        return
    if json:
        emit_json({**asdict(report), "vectors": asdict(report.vectors)})
    else:
        say(
            f"Graph '{graph}': {report.entities:,} entities have a vector of {report.vectors.dimension} numbers by "
            f"{report.vectors.encoder}; {report.embedded:,} embedded in {report.seconds:.1f} s."
        )


def _index(
    connection: Connection,
    graph: str,
    path: Path | None,
    encoder: OnnxEncoder,
    rebuild: bool,
    write_properties: bool,
    bar: Advance,
) -> VectorReport:
    from dataclasses import replace

    from kgqa_graphdb.runtime import open_driver
    from kgqa_loaders.vectors import index_vectors

    mapping, file = _mapping(connection, graph, path)
    with open_driver(connection) as driver:
        report = index_vectors(
            driver,
            mapping,
            encoder,
            rebuild=rebuild,
            write_properties=write_properties,
            progress=watching_disk(bar),
            database=connection.database,
        )
    _keep(replace(mapping, vectors=report.vectors), file)
    return report


def _remove(connection: Connection, graph: str, path: Path | None, bar: Advance) -> int:
    from dataclasses import replace

    from kgqa_graphdb.runtime import open_driver
    from kgqa_loaders.vectors import remove_vectors

    mapping, file = _mapping(connection, graph, path)
    with open_driver(connection) as driver:
        count = remove_vectors(driver, mapping, progress=bar, database=connection.database)
    _keep(replace(mapping, vectors=None), file)
    return count


def _mapping(connection: Connection, graph: str, path: Path | None) -> tuple[GraphMapping, Path | None]:
    """A graph's mapping, and the file that it is kept in; none for a graph that we loaded."""
    from kgqa_graphdb.client import find_mapping, mapping_file
    from kgqa_graphdb.runtime import Neo4jIO, open_driver
    from kgqa_graphdb.steps import run

    with open_driver(connection) as driver, Neo4jIO(driver, connection.database) as io:
        mapping = run(find_mapping(graph, path), io)
    return mapping, None if mapping.owned else path or mapping_file(graph)


def _keep(mapping: GraphMapping, file: Path | None) -> None:
    """Write what became of the vectors to the mapping file; the meta node of a loaded graph knows already."""
    from kgqa_graphdb.mapping import write_mapping

    if file is not None:
        write_mapping(mapping, file)
