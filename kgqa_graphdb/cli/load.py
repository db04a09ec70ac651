"""Command: load."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgqa_graphdb.cli.app import INTERRUPTED, app
from kgqa_graphdb.cli.db import open_connection, server_progress, watching_disk
from kgqa_graphdb.cli.interrupt import interruptible
from kgqa_graphdb.cli.load_output import show_files, show_preview, show_report
from kgqa_graphdb.cli.output import GraphName, JsonFlag, emit_json, print_status, progress
from kgqa_graphdb.errors import UsageError

if TYPE_CHECKING:
    from kgqa_graphdb.cli.output import Advance
    from kgqa_loaders.recognise import Opened
    from kgqa_loaders.records import LoadOptions, Source
    from kgqa_loaders.relations import RelationSpec
    from kgqa_loaders.write import LoadReport

LOAD_EXAMPLES = """
Examples:

  kgqa load kb.txt --graph metaqa --relations metaqa

  kgqa load latest-all.json.bz2 --graph countries --only-classes Q6256

  kgqa load latest-truthy.nt.bz2 --graph wikidata --bulk

  kgqa load FB15k-237.tar.gz --graph fb --names FB15k_mid2name.txt

  kgqa load people.csv knows.csv --graph people --dry-run

  zcat facts.txt.gz | kgqa load - --graph films

Loading a source again changes nothing; a load that was cut off goes on when it is started again. Another source is
added to the graph; with --sync, what the source no longer has is taken away.
"""

_WHAT = "What is read"
_PART = "Only a part"
_HOW = "How it is written"


@app.command(epilog=LOAD_EXAMPLES)
def load(
    source: Annotated[
        list[str],
        typer.Argument(
            help="Files, folders or archives, loaded as one; packed ones are unpacked; '-': standard input."
        ),
    ],
    graph: GraphName,
    format: Annotated[
        str, typer.Option("--format", "-f", help="Recognised by content when left out; see the loaders' list.")
    ] = "",
    relations: Annotated[
        str,
        typer.Option(
            "--relations",
            "-r",
            help="TOML file with the relations' words, kinds and units; or one that comes with kgqa, by name: metaqa.",
        ),
    ] = "",
    licence: Annotated[str, typer.Option("--licence", help="The source's licence; kept with the graph.")] = "",
    rejects: Annotated[
        Path | None,
        typer.Option(
            "--rejects",
            help="Where lines that can't be loaded go; SOURCE.rejects.tsv in this folder when left out.",
            show_default=False,
        ),
    ] = None,
    language: Annotated[
        str,
        typer.Option(
            help="Of questions and of the relations' words: en or zh; kept with the graph. English when left out.",
            rich_help_panel=_WHAT,
            metavar="CODE",
        ),
    ] = "",
    languages: Annotated[
        str, typer.Option(help="Of names and descriptions, best first.", rich_help_panel=_WHAT, metavar="CODES")
    ] = "en",
    types: Annotated[
        str,
        typer.Option(
            help="What an entity's classes become: labels, facts or both; what suits the source when left out.",
            rich_help_panel=_WHAT,
        ),
    ] = "",
    names: Annotated[
        list[str] | None,
        typer.Option(help="File that names entities: id<TAB>name, or a JSON object.", rich_help_panel=_WHAT),
    ] = None,
    ontology: Annotated[
        str, typer.Option(help="Folder that describes a source's classes (Freebase).", rich_help_panel=_WHAT)
    ] = "",
    references: Annotated[
        bool, typer.Option("--references", help="Keep the references of statements too.", rich_help_panel=_WHAT)
    ] = False,
    all_ranks: Annotated[
        bool, typer.Option("--all-ranks", help="Keep statements that are not of the best rank.", rich_help_panel=_WHAT)
    ] = False,
    external_ids: Annotated[
        bool, typer.Option(help="Keep the ids that entities have elsewhere.", rich_help_panel=_WHAT)
    ] = True,
    statement_timeout: Annotated[
        float,
        typer.Option(
            help="Seconds that each statement of a Cypher script may run.",
            min=0.001,
            rich_help_panel=_WHAT,
            metavar="SECONDS",
        ),
    ] = 300.0,
    seeds: Annotated[
        list[str] | None,
        typer.Option(
            help="Id of an entity, or a file of ids: only what is around them.",
            rich_help_panel=_PART,
            metavar="ID|FILE",
        ),
    ] = None,
    hops: Annotated[int, typer.Option(help="How far around the seeds.", min=0, rich_help_panel=_PART)] = 1,
    only_relations: Annotated[
        str, typer.Option(help="Relations, with commas between; film.* for all that begin so.", rich_help_panel=_PART)
    ] = "",
    only_classes: Annotated[
        str, typer.Option(help="Only what is an instance of these classes (ids or labels).", rich_help_panel=_PART)
    ] = "",
    domains: Annotated[
        str, typer.Option(help="Of ids that are paths, as Freebase's: film,people.", rich_help_panel=_PART)
    ] = "",
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Say what the first 10,000 records would become.", rich_help_panel=_HOW),
    ] = False,
    sync: Annotated[
        bool,
        typer.Option("--sync", help="Also take away what the source no longer has.", rich_help_panel=_HOW),
    ] = False,
    bulk: Annotated[
        bool,
        typer.Option(
            "--bulk",
            help="Through neo4j-admin's import, into kgqa's own server while it is empty.",
            rich_help_panel=_HOW,
        ),
    ] = False,
    bulk_only_files: Annotated[
        Path | None,
        typer.Option(help="Only write the files for neo4j-admin's import elsewhere.", rich_help_panel=_HOW),
    ] = None,
    overwrite_store: Annotated[
        bool,
        typer.Option(
            "--overwrite-store", help="With --bulk: delete all graphs that the server holds.", rich_help_panel=_HOW
        ),
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Load files into a graph, new or not; their format is recognised."""
    from kgqa_graphdb.catalog import check_graph_name
    from kgqa_graphdb.client import mapping_file
    from kgqa_graphdb.language import language_of
    from kgqa_loaders.files import remove_temporary
    from kgqa_loaders.names import with_names
    from kgqa_loaders.recognise import open_sources
    from kgqa_loaders.records import LoadOptions, ReadOptions
    from kgqa_loaders.relations import read_relations
    from kgqa_loaders.subset import Subset, read_seeds, subset

    check_graph_name(graph)
    if mapping_file(graph).exists():
        raise UsageError(f"{graph!r} is a graph that was mapped; choose another name, or forget it: kgqa drop {graph}")
    if types not in ("", "labels", "facts", "both"):
        raise UsageError(f"--types {types!r} must be labels, facts or both")
    if language:
        language_of(language, "--language")
    words = read_relations(relations) if relations else {}
    options = ReadOptions(
        languages=_listed(languages),
        types=types,
        names=tuple(names or ()),
        ontology=ontology,
        references=references,
        ranks="all" if all_ranks else "best",
        external_ids=external_ids,
        statement_time_s=statement_timeout,
    )
    part = Subset(
        read_seeds(tuple(seeds or ())), hops, _listed(only_relations), _listed(only_classes), _listed(domains)
    )
    try:
        opened = open_sources(source, format, options)
        whole = with_names(opened.source, options.names) if options.names else opened.source
        for skipped in opened.skipped:
            print_status(f"note: skipped {skipped}, which is of no format that kgqa knows")
        for note in opened.notes:
            print_status(f"note: {note}")
        what = _Load(
            graph,
            opened,
            words,
            LoadOptions(licence or opened.licence, opened.formats, rejects or _rejects_path(source), language=language),
            lambda: subset(whole, part),
        )
        if sync and (bulk or bulk_only_files):
            raise UsageError(
                "--sync compares with what is there, and a bulk import replaces it; leave one of them away"
            )
        if dry_run:
            _preview(what, json)
        elif bulk_only_files:
            _bulk_files(what, bulk_only_files, json)
        elif bulk:
            _bulk(what, overwrite_store, json)
        else:
            _online(what, sync, json)
    finally:
        remove_temporary()


def _listed(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())


def _rejects_path(source: list[str]) -> Path:
    return Path(("stdin" if source[0] == "-" else Path(source[0]).name) + ".rejects.tsv")


@dataclass(frozen=True, slots=True)
class _Load:
    """What is to be loaded.

    :ivar open: gives the part of the source that is asked for; may read the source to choose it
    """

    graph: str
    opened: Opened
    relations: dict[str, RelationSpec]
    options: LoadOptions
    open: Callable[[], Source]


def _online(what: _Load, sync: bool, json: bool) -> None:
    from kgqa_graphdb.runtime import open_driver
    from kgqa_loaders.write import load as load_source

    connection = open_connection()
    bar = _Counter()
    watched = watching_disk(bar)

    def work() -> LoadReport:
        with open_driver(connection) as driver:
            return load_source(
                driver,
                what.open(),
                graph=what.graph,
                relations=what.relations,
                options=what.options,
                sync=sync,
                progress=watched,
                database=connection.database,
            )

    _finish(what.graph, work, bar, json)


def _bulk(what: _Load, overwrite_store: bool, json: bool) -> None:
    from kgqa_loaders.bulk import bulk_load

    bar = _Counter()
    with (
        _interrupted("nothing was imported; the store is as it was, or empty"),
        server_progress() as on_stage,
        progress("Reading") as bar.advance,
    ):
        report = bulk_load(
            what.open(),
            graph=what.graph,
            relations=what.relations,
            options=what.options,
            progress=bar,
            stage=on_stage,
            overwrite_store=overwrite_store,
        )
    _report(report, json)


def _bulk_files(what: _Load, folder: Path, json: bool) -> None:
    from kgqa_loaders.bulk import bulk_files

    bar = _Counter()
    with _interrupted(f"{folder} is not complete"), progress("Reading") as bar.advance:
        report = bulk_files(
            what.open(), folder, graph=what.graph, relations=what.relations, options=what.options, progress=bar
        )
    if json:
        emit_json({**asdict(report), "folder": str(report.folder), "after": str(report.after)})
    else:
        show_files(report)


@contextmanager
def _interrupted(state: str) -> Iterator[None]:
    """Say what Ctrl-C left behind."""
    try:
        yield
    except KeyboardInterrupt:
        print_status(f"kgqa: interrupted; {state}.")
        raise typer.Exit(INTERRUPTED) from None


def _finish(graph: str, work: Callable[[], LoadReport], bar: _Counter, json: bool) -> None:
    """Load with a progress bar, and print the report."""
    try:
        with progress(f"Loading {graph}") as bar.advance:
            report = interruptible(work)
    except KeyboardInterrupt:
        so_far = f" {bar.done:,} of {bar.total:,} entities and facts were in." if bar.total else ""
        print_status(f"kgqa: interrupted.{so_far} The same command goes on from there.")
        raise typer.Exit(INTERRUPTED) from None
    _report(report, json)


def _report(report: LoadReport, json: bool) -> None:
    if json:
        emit_json(asdict(report))
    else:
        show_report(report)


class _Counter:
    """Remembers how far a load came, and moves the bar."""

    def __init__(self) -> None:
        self.done = 0
        self.total: int | None = None
        self.advance: Advance | None = None

    def __call__(self, done: int, total: int | None = None) -> None:
        self.done, self.total = done, total
        if self.advance is not None:
            self.advance(done, total)


def _preview(what: _Load, json: bool) -> None:
    from kgqa_loaders.preview import preview

    found = interruptible(lambda: preview(what.open(), what.relations))
    formats = sorted(set(what.options.formats))
    if json:
        emit_json({"graph": what.graph, "formats": formats, "licence": what.options.licence, **asdict(found)})
    else:
        show_preview(found, formats, what.options.licence)
