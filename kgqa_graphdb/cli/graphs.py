"""Commands: graphs, drop."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgqa_graphdb.cli.app import INTERRUPTED, app
from kgqa_graphdb.cli.db import open_connection
from kgqa_graphdb.cli.interrupt import interruptible
from kgqa_graphdb.cli.load_output import show_sources
from kgqa_graphdb.cli.output import JsonFlag, emit_json, print_status, progress, say
from kgqa_graphdb.errors import UnknownGraphError, UsageError, nearest

if TYPE_CHECKING:
    from kgqa_graphdb.catalog import GraphInfo
    from kgqa_graphdb.cli.output import Advance
    from kgqa_graphdb.managed import Connection
    from kgqa_loaders.drop import DropReport


@app.command(epilog="Example: kgqa graphs --json")
def graphs(json: JsonFlag = False) -> None:
    """List the graphs that can be asked."""
    from dataclasses import asdict

    connection = open_connection()
    known = interruptible(lambda: _graphs(connection))
    if json:
        emit_json({"graphs": [asdict(info) for info in known]})
        return
    if not known:
        say("No graphs yet. Load one: kgqa load SOURCE --graph NAME, map one that is in Neo4j: kgqa map --graph NAME,")
        say("or see kgqa demo")
        return
    width = max(len("graph"), *(len(info.graph) for info in known))
    say(f"{'graph':<{width}}  {'entities':>12}  {'facts':>12}  {'loaded at':<20}  source")
    for info in known:
        note = {"complete": "", "loading": "  (cut off: load it again)", "dropping": "  (cut off: drop it again)"}
        extra = note.get(info.state, "  (an addition was cut off: load that again)")
        licence = f"  [{info.licence}]" if info.licence else ""
        entities, facts = (f"{count:,}" if count is not None else "" for count in (info.entities, info.facts))
        loaded_at = info.loaded_at[:19] + "Z" if info.owned else "mapped, not loaded"
        say(f"{info.graph:<{width}}  {entities:>12}  {facts:>12}  {loaded_at:<20}  {info.source}{licence}{extra}")
        show_sources(info.sources)


def _graphs(connection: Connection) -> tuple[GraphInfo, ...]:
    from kgqa_graphdb.catalog import graphs as read_graphs
    from kgqa_graphdb.client import mapped_graphs
    from kgqa_graphdb.runtime import Neo4jIO, open_driver
    from kgqa_graphdb.steps import run

    with open_driver(connection) as driver, Neo4jIO(driver, connection.database) as io:
        loaded = run(read_graphs(), io)
    names = {info.graph for info in loaded}
    return (*loaded, *(info for info in mapped_graphs() if info.graph not in names))


@app.command(epilog="Example: kgqa drop metaqa --yes")
def drop(
    graph: Annotated[str, typer.Argument(help="Name of the graph.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: JsonFlag = False,
) -> None:
    """Delete a graph that was loaded, or forget the mapping of one that was not; other graphs stay."""
    from dataclasses import asdict

    from kgqa_graphdb.client import mapping_file
    from kgqa_graphdb.name_index import forget_names
    from kgqa_graphdb.runtime import open_driver
    from kgqa_loaders.drop import drop as drop_graph

    connection = open_connection()
    known = {info.graph: info for info in interruptible(lambda: _graphs(connection))}
    if graph not in known:
        raise UnknownGraphError(f"there is no graph {graph!r}{nearest(graph, known)}; see them with: kgqa graphs")
    if not known[graph].owned:
        _forget(known[graph], json)
        return
    if not yes:
        print_status(f"This deletes graph '{graph}': {known[graph].entities:,} entities, {known[graph].facts:,} facts.")
        if json or not sys.stdin.isatty():
            raise UsageError("deleting needs a yes; add --yes")
        if not typer.confirm("Delete?", err=True):
            say("Nothing is deleted.")
            return

    def work(advance: Advance) -> DropReport:
        with open_driver(connection) as driver:
            return drop_graph(driver, graph, progress=advance, database=connection.database)

    try:
        with progress(f"Dropping {graph}") as bar:
            report = interruptible(lambda: work(bar))
    except KeyboardInterrupt:
        print_status(f"kgqa: interrupted; a part of graph '{graph}' is deleted. The same command goes on from there.")
        raise typer.Exit(INTERRUPTED) from None
    forget_names(mapping_file(graph))
    if json:
        emit_json(asdict(report))
    else:
        say(f"Graph '{graph}' is dropped: {report.entities:,} entities, {report.facts:,} facts.")


def _forget(info: GraphInfo, json: bool) -> None:
    """Set the mapping file of a graph aside, for it may hold a person's corrections, and delete its index of names."""
    from kgqa_graphdb.name_index import forget_names

    kept = Path(info.source)
    aside = kept.with_suffix(".toml.old")
    kept.replace(aside)
    forget_names(kept)
    if json:
        emit_json({"graph": info.graph, "entities": 0, "facts": 0, "mapping_moved_to": str(aside)})
    else:
        say(f"Graph '{info.graph}' is forgotten; its data stays in Neo4j, its mapping in {aside}.")
