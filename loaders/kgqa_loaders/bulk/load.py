"""``kgqa load --bulk``: a source into the managed server's empty store, or into files to be imported elsewhere."""

from __future__ import annotations

import shlex
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import neo4j

from kgqa_graphdb import queries
from kgqa_graphdb.apart import begin_apart
from kgqa_graphdb.catalog import check_graph_name, label_of
from kgqa_graphdb.errors import LoadError, UsageError
from kgqa_graphdb.managed import ManagedServer, connection_from_environment
from kgqa_graphdb.managed import Progress as Stage
from kgqa_loaders.bulk.convert import Converted, Meta, convert
from kgqa_loaders.bulk.pool import MAX_WORKERS, cores
from kgqa_loaders.records import LoadOptions, Source
from kgqa_loaders.rejects import Rejects
from kgqa_loaders.relations import RelationSpec
from kgqa_loaders.server import Progress, Server, address_of, clear_errors
from kgqa_loaders.write import LoadReport, names_index_options

_INDEX_TIMEOUT_S = 86_400


@dataclass(frozen=True, slots=True)
class FilesReport:
    """What was written for an import elsewhere.

    :ivar command: what imports it; its paths are those of this machine
    :ivar after: Cypher to be run afterwards, a file
    """

    graph: str
    folder: Path
    command: str
    after: Path
    entities: int
    facts: int
    literals: int
    relations: int
    rejected: int
    rejects_file: str | None
    seconds: float
    notes: tuple[str, ...] = ()


def bulk_load(
    source: Source,
    *,
    graph: str,
    relations: Mapping[str, RelationSpec] | None = None,
    options: LoadOptions | None = None,
    progress: Progress | None = None,
    stage: Stage | None = None,
    overwrite_store: bool = False,
    server: ManagedServer | None = None,
) -> LoadReport:
    """Load a source into the managed server's store, which must be empty; the graph is as :func:`load` makes it.

    Memory does not grow with the source. The server is stopped while neo4j-admin imports, and runs afterwards. Call
    this in the main thread: a Ctrl-C then leaves no process and no file behind, and the store empty.

    :param progress: called with how many rows of the source were read
    :param stage: called with what begins
    :param overwrite_store: import even if the store holds something, which is gone then
    :raises UsageError: ``NEO4J_URI`` names another server
    :raises LoadError: the store is not empty, the source can't be read or holds no facts, the disk is full
    :raises ServerError: the managed server can't be started or stopped, or neo4j-admin says no
    """
    check_graph_name(graph)
    if server is None and connection_from_environment() is not None:
        raise UsageError(
            "--bulk imports into the server that kgqa manages, and NEO4J_URI names another; leave --bulk away, unset "
            "NEO4J_URI, or write files for the other server: --bulk-only-files DIR"
        )
    server = server or ManagedServer()
    say = stage or (lambda text, *_: None)
    started = time.perf_counter()
    if not overwrite_store:
        _refuse_full(server, say)
    options = options or LoadOptions()
    with _folder() as folder, Rejects(options.rejects_path) as rejects:
        output = folder / "csv"
        output.mkdir()
        say("Reading the source")
        meta = Meta(graph, relations or {}, options.licence, options.formats, options.language)
        made = _converted(source, folder, output, meta, rejects, progress, options.workers)
        checksum = begin_apart(source.checksum)  # neo4j-admin leaves a core half idle
        server.import_csv(made.arguments(), say)
    say("Making indexes")
    connection = server.start(say)
    with neo4j.GraphDatabase.driver(connection.uri, auth=connection.auth) as driver:
        _finish(driver, graph, made, checksum.result())
    seconds = time.perf_counter() - started
    counts = made.counts
    return LoadReport(
        graph=graph,
        entities=counts["entities"],
        facts=counts["facts"],
        literals=counts["literals"],
        relations=counts["relations"],
        added_entities=counts["entities"],
        added_facts=counts["facts"],
        added_literals=counts["literals"],
        rejected=rejects.count,
        rejects_file=rejects.file,
        seconds=round(seconds, 3),
        facts_per_s=round(counts["handled"] / seconds, 1),
        notes=(*made.notes, *rejects.notes),
    )


def bulk_files(
    source: Source,
    output: Path,
    *,
    graph: str,
    relations: Mapping[str, RelationSpec] | None = None,
    options: LoadOptions | None = None,
    progress: Progress | None = None,
) -> FilesReport:
    """Write a source as files that ``neo4j-admin database import`` reads, with the command, and what to run after it.

    :param output: an empty folder, or none yet
    :raises UsageError: the folder is not empty
    :raises LoadError: the source can't be read or holds no facts, the disk is full
    """
    check_graph_name(graph)
    output = output.absolute()
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise UsageError(f"{output} is not empty; name another folder, or empty it")
    output.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    options = options or LoadOptions()
    with _folder() as folder, Rejects(options.rejects_path) as rejects:
        meta = Meta(graph, relations or {}, options.licence, options.formats, options.language)
        made = _converted(source, folder, output, meta, rejects, progress, options.workers)
    command = shlex.join(["neo4j-admin", "database", "import", "full", "neo4j", *made.arguments()])
    after = output / "after.cypher"
    after.write_text("\n".join(_after(graph, made, source.checksum())), encoding="utf-8")
    (output / "import.sh").write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    counts = made.counts
    return FilesReport(
        graph=graph,
        folder=output,
        command=command,
        after=after,
        entities=counts["entities"],
        facts=counts["facts"],
        literals=counts["literals"],
        relations=counts["relations"],
        rejected=rejects.count,
        rejects_file=rejects.file,
        seconds=round(time.perf_counter() - started, 3),
        notes=(*made.notes, *rejects.notes),
    )


@contextmanager
def _folder() -> Iterator[Path]:
    """A temporary folder, gone at the end."""
    folder = Path(tempfile.mkdtemp(prefix="kgqa-bulk-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _converted(
    source: Source,
    folder: Path,
    output: Path,
    meta: Meta,
    rejects: Rejects,
    progress: Progress | None,
    workers: int | None,
) -> Converted:
    work = folder / "work"
    work.mkdir()
    return convert(
        source,
        work,
        output,
        meta,
        rejects=rejects,
        workers=workers or min(MAX_WORKERS, cores()),
        progress=progress or (lambda done, total=None: None),
    )


def _refuse_full(server: ManagedServer, say: Stage) -> None:
    """See that the store is empty.

    :raises LoadError: it is not
    """
    if not server.home.has_graphs:
        return
    connection = server.start(say)
    with neo4j.GraphDatabase.driver(connection.uri, auth=connection.auth) as driver:
        where = address_of(driver)
        with Server(driver) as run, clear_errors(lambda: where, lambda: "run the same command again"):
            nodes, graphs = run.run("load/holds")[0]
    if nodes:
        names = f"graphs {', '.join(graphs)}" if graphs else "nodes"
        raise LoadError(
            f"--bulk replaces all that the store holds, and that at {where} holds {names} ({nodes:,} nodes); leave "
            "--bulk away to add to it, set KGQA_HOME to another folder for a store of its own, or let all of it go: "
            "--overwrite-store"
        )


_Statements: TypeAlias = list[tuple[str, dict[str, str], dict[str, object]]]
"""Files of statements, what is spliced into them, and their parameters."""


def _schema(graph: str, made: Converted) -> _Statements:
    """Statements that make the indexes; the full-text one comes first, as it is filled while the others are made."""
    label = label_of(graph)
    options = names_index_options(made.names)
    return [
        ("schema/names_index", {"index": f"{label}_names", "label": label}, {"options": options}),
        ("schema/graph_constraint", {}, {}),
        ("schema/relation_index", {}, {}),
        ("schema/entity_constraint", {"constraint": f"{label}_entity_id", "label": label}, {}),
    ]


def _completion(graph: str, checksum: str) -> _Statements:
    """Statements that wait for the indexes and mark the graph as complete."""
    return [
        ("schema/await_index", {}, {"index": f"{label_of(graph)}_names", "timeout_s": _INDEX_TIMEOUT_S}),
        ("load/finish_import", {}, {"graph": graph, "checksum": checksum}),
    ]


def _finish(driver: neo4j.Driver, graph: str, made: Converted, checksum: str) -> None:
    """Make constraint and indexes, and see that all was imported.

    :raises LoadError: it was not
    """
    where = address_of(driver)
    label = {"label": label_of(graph)}
    with Server(driver) as run, clear_errors(lambda: where, lambda: "run the same command again"):
        for name, splices, parameters in _schema(graph, made):
            run.run(name, splices, **parameters)
        found = (run.run("load/count_entities", label)[0][0], run.run("load/count_facts", label)[0][0])
        expected = (made.counts["entities"], made.counts["facts"])
        if found != expected:
            raise LoadError(
                f"neo4j-admin imported {found[0]:,} entities and {found[1]:,} facts of {expected[0]:,} and "
                f"{expected[1]:,}; load without --bulk, and please report this"
            )
        for name, splices, parameters in _completion(graph, checksum):
            run.run(name, splices, **parameters)


def _after(graph: str, made: Converted, checksum: str) -> Iterator[str]:
    """What to run after an import elsewhere, for cypher-shell."""
    yield "// Run this once the server is up: cypher-shell -f after.cypher"
    for name, splices, parameters in [*_schema(graph, made), *_completion(graph, checksum)]:
        for key, value in parameters.items():
            yield f":param {key} => {_literal(value)}"
        yield queries.load(name).cypher(**splices).strip() + ";"
    yield ""


def _literal(value: object) -> str:
    """A value in Cypher."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'`{key}`: {_literal(item)}' for key, item in value.items())}}}"
    return repr(value)
