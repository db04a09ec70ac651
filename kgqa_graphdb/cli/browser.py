"""``kgqa browser``: saved queries and a style for Neo4j Browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgqa_graphdb.cli.app import app
from kgqa_graphdb.cli.db import open_connection
from kgqa_graphdb.cli.interrupt import interruptible
from kgqa_graphdb.cli.output import JsonFlag, emit_json, say

if TYPE_CHECKING:
    from kgqa_graphdb.integrations.browser import BrowserKit
    from kgqa_graphdb.managed import Connection

EXAMPLES = """
Examples:

  kgqa browser --graph space

  kgqa browser --graph space --graph metaqa --output browser

Drag the two files that it writes into the window of Neo4j Browser, one after the other: NAME.grass sets colours and
captions, NAME-queries.zip adds a folder of saved queries (the star at the left). A style replaces the one in use, so
name all graphs that you look at; ":style reset" brings back Browser's own.
"""


@app.command(epilog=EXAMPLES)
def browser(
    graph: Annotated[list[str], typer.Option("--graph", "-g", help="Name of a graph; may be given several times.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write to.")] = Path(),
    json: JsonFlag = False,
) -> None:
    """Write saved queries and a style for Neo4j Browser."""
    from kgqa_graphdb.errors import UsageError
    from kgqa_graphdb.integrations.browser import write_queries, write_style

    graphs = list(dict.fromkeys(graph))
    connection = open_connection()
    kits = interruptible(lambda: _kits(connection, graphs))
    name = "-".join(graphs)[:100]
    style, saved = output / f"{name}.grass", output / f"{name}-queries.zip"
    try:
        output.mkdir(parents=True, exist_ok=True)
        style.write_text(write_style(kits), encoding="utf-8")
        saved.write_bytes(write_queries(kits))
    except OSError as error:
        raise UsageError(f"can't write to {output}: {error.strerror}; choose another --output") from error
    if json:
        emit_json(
            {
                "graphs": graphs,
                "style": str(style),
                "queries": str(saved),
                "names": [query.name for kit in kits for query in kit.queries],
                "browser": connection.browser,
            }
        )
        return
    count = sum(len(kit.queries) for kit in kits)
    where = f"Neo4j Browser ({connection.browser})" if connection.browser else "Neo4j Browser"
    say(f"Drag each into the window of {where}:")
    say(f"  {style}  colours and captions")
    say(f"  {saved}  {count} saved queries (the star at the left)")


def _kits(connection: Connection, graphs: list[str]) -> list[BrowserKit]:
    from kgqa_graphdb.client import find_mapping
    from kgqa_graphdb.integrations.browser import browser_kit
    from kgqa_graphdb.runtime import Neo4jIO, open_driver
    from kgqa_graphdb.steps import run

    with open_driver(connection) as driver, Neo4jIO(driver, connection.database) as io:
        return [run(browser_kit(run(find_mapping(graph, None), io)), io) for graph in graphs]
