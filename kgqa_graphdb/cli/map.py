"""``kgqa map``: propose how to read a graph that kgqa did not load."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgqa_graphdb.cli.app import app
from kgqa_graphdb.cli.db import open_connection
from kgqa_graphdb.cli.interrupt import interruptible
from kgqa_graphdb.cli.output import GraphName, JsonFlag, emit_json, print_status, say
from kgqa_graphdb.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from kgqa_graphdb.managed import Connection
    from kgqa_graphdb.mapping import EntityKind, GraphMapping
    from kgqa_graphdb.name_index import NameIndex
    from kgqa_graphdb.survey import Choice, Drift, Nameless, Proposal, Survey

INDEX_TIMEOUT_S = 3_600

EXAMPLES = """
Examples:

  kgqa map --graph shop

  kgqa map --graph shop --index

  kgqa map --graph shop --check

  kgqa map --graph shop --labels Customer,Order,Product --types PLACED,CONTAINS

  kgqa map --graph shop --exclude AuditLog,_IMPORTED_BY

Graphs that kgqa loaded into the same database take no part, even where their nodes have labels of yours; name a
loaded graph's label (KG_NAME) among --labels to map it too.

The mapping is a TOML file for you to correct: nothing outside it is ever read, though Neo4j Browser shows whole nodes
when an answer's Cypher is pasted there. Nothing is written to the database but the full-text index that --index asks
for; without it, up to a million names are kept in an index beside the file.
"""


@app.command(name="map", epilog=EXAMPLES)
def map_graph(
    graph: GraphName,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where the mapping goes; kept with kgqa's settings if left out."),
    ] = None,
    index: Annotated[
        bool, typer.Option("--index", help="Make a full-text index over the names: quicker, and it forgives typos.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Propose anew, over a file that is there already.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Say how the database has changed since the mapping was made.")
    ] = False,
    labels: Annotated[
        str, typer.Option("--labels", metavar="A,B", help="Map only nodes of these labels; of all if left out.")
    ] = "",
    types: Annotated[
        str, typer.Option("--types", metavar="X,Y", help="Map only relationships of these types; of all if left out.")
    ] = "",
    exclude: Annotated[
        str, typer.Option("--exclude", metavar="C,Z", help="Labels and relationship types to leave out.")
    ] = "",
    json: JsonFlag = False,
) -> None:
    """Propose how to read a graph that is in Neo4j already, and keep that in a file; or check that file."""
    from kgqa_graphdb.catalog import check_graph_name
    from kgqa_graphdb.client import mapping_file
    from kgqa_graphdb.survey import Choice

    check_graph_name(graph)
    path = output or mapping_file(graph)
    chosen = any((labels, types, exclude))
    if check:
        if index or force or chosen:
            raise UsageError("--check changes nothing; leave --index, --force, --labels, --types and --exclude out")
        check_graph(graph, path, json=json)
        return
    corrected = path.exists() and not force
    if corrected and (chosen or not index):
        raise UsageError(
            f"{path} is there already and may hold your corrections; edit it, add --index for a full-text index over "
            "its names, or --force to propose it anew"
        )
    connection = open_connection()
    choice = Choice(*map(_names_in, (labels, types, exclude)))
    mapped = interruptible(lambda: _propose(connection, graph, path, corrected, index, choice))
    if json:
        emit_json(_document(mapped, path))
    else:
        _show(mapped, path, kept=output is None, corrected=corrected)


@dataclass(frozen=True, slots=True)
class Mapped:
    """A mapping that was written to its file.

    :ivar names: the local index over its names; ``None`` where Neo4j has one, or none could be made
    """

    proposal: Proposal
    found: Survey
    names: NameIndex | None


def _names_in(listed: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in listed.split(",") if name.strip())


def check_graph(graph: str, path: Path, *, json: bool) -> None:
    """Compare a mapping file with the live schema and say what differs.

    :raises DriftError: something that the mapping relies on is gone
    """
    from kgqa_graphdb.errors import DriftError
    from kgqa_graphdb.mapping import read_mapping

    if not path.exists():
        raise UsageError(f"there is no mapping {path} to check; make it with: kgqa map --graph {graph}")
    mapping = read_mapping(path)
    connection = open_connection()
    drift = interruptible(lambda: _drift(connection, mapping))
    breaks = [one for one in drift if one.breaks]
    if json:
        entries = [{"kind": d.kind, "thing": d.thing, "detail": d.detail, "breaks": d.breaks} for d in drift]
        emit_json({"graph": graph, "file": str(path), "ok": not breaks, "drift": entries})
    else:
        for one in drift:
            say(f"{'' if one.breaks else 'note: '}{one}")
        if not drift:
            say(f"{path} fits the database.")
    if breaks:
        first = f"{breaks[0].kind}: {breaks[0].thing}" + (f", and {len(breaks) - 1:,} more" if len(breaks) > 1 else "")
        raise DriftError(f"the database no longer fits {path} ({first}); correct the file, or guess anew with --force")


def _drift(connection: Connection, mapping: GraphMapping) -> tuple[Drift, ...]:
    from kgqa_graphdb.runtime import Neo4jIO, open_driver
    from kgqa_graphdb.steps import run
    from kgqa_graphdb.survey import Choice, check_mapping, survey

    choice = Choice(loaded=tuple(mapping.entity_labels))
    with open_driver(connection) as driver, Neo4jIO(driver, connection.database) as io:
        return run(check_mapping(mapping, run(survey(choice=choice), io)), io)


def _propose(connection: Connection, graph: str, path: Path, corrected: bool, index: bool, choice: Choice) -> Mapped:
    """The mapping, written to its file, and what it was made from."""
    from dataclasses import replace

    from kgqa_graphdb.catalog import apart_from_loaded, graphs
    from kgqa_graphdb.mapping import language_in, read_mapping, write_mapping
    from kgqa_graphdb.name_index import forget_names, names_file, open_names
    from kgqa_graphdb.runtime import Neo4jIO, open_driver
    from kgqa_graphdb.steps import run
    from kgqa_graphdb.survey import Proposal, examples_of, propose, survey

    names = None
    with open_driver(connection) as driver:
        with Neo4jIO(driver, connection.database) as io:
            if graph in {info.graph for info in run(graphs(), io)}:
                raise UsageError(
                    f"kgqa loaded graph {graph!r} and knows how to read it; ask it, or choose another name"
                )
            found = run(survey(choice=choice), io)
        proposal = Proposal(read_mapping(path)) if corrected else propose(graph, found, language_in(path))
        mapping = proposal.mapping
        if mapping.graph != graph:
            raise ConfigError(f"{path} describes graph {mapping.graph!r}, not {graph!r}; give another --output")
        if index and not mapping.fulltext:
            name = f"{graph}_kgqa_names"
            _make_index(driver, connection, name, mapping.entities)
            mapping = replace(mapping, fulltext=name)
        write_mapping(mapping, path, tuple(map(str, proposal.left_out)))
        forget_names(path)
        with Neo4jIO(driver, connection.database) as io:
            examples = run(examples_of(mapping, found), io)
            if not mapping.fulltext:  # Neo4j's index is the better one
                print_status("Making an index over the names, on this machine …")
                names = run(open_names(run(apart_from_loaded(mapping), io), names_file(path)), io)
    return Mapped(replace(proposal, mapping=mapping, examples=examples), found, names)


def _make_index(driver: Any, connection: Connection, name: str, kinds: Sequence[EntityKind]) -> None:
    """Make a full-text index over the names of some kinds, and wait until it can be used."""
    from kgqa_graphdb import queries
    from kgqa_graphdb.survey import names_index, names_to_index
    from kgqa_loaders.server import clear_errors

    print_status(f"Making the full-text index {name} …")
    labels, properties = names_to_index(kinds)
    options: dict[str, Any] = {"database_": connection.database}
    with clear_errors(lambda: connection.shown_uri, lambda: "run the same command again"):
        driver.execute_query(names_index(name, kinds).text, **options)
        wait = {"index": name, "timeout_s": INDEX_TIMEOUT_S}
        driver.execute_query(queries.load("schema/await_index").cypher(), wait, **options)
        rows = driver.execute_query(queries.load("survey/fulltext_indexes").cypher(), **options).records
    covers = {row["name"]: labels <= set(row["labels"]) and properties <= set(row["properties"]) for row in rows}
    if not covers.get(name):
        raise ConfigError(
            f"there is an index {name!r} already, and it does not cover the names of this mapping; remove it in Neo4j "
            f"Browser with DROP INDEX {queries.quote(name)}, then run this again"
        )


def _document(mapped: Mapped, path: Path) -> dict[str, object]:
    from dataclasses import asdict

    proposal, found, names = mapped.proposal, mapped.found, mapped.names
    mapping = proposal.mapping
    nodes = {label.label: label.nodes for label in found.labels}
    return {
        "graph": mapping.graph,
        "file": str(path),
        "fulltext": mapping.fulltext,
        "names_index": {"file": str(names.file), "names": names.names, "bytes": names.size} if names else None,
        "entities": [
            asdict(kind) | {"nodes": nodes.get(kind.label), "examples": list(proposal.examples.get(kind.label, ()))}
            for kind in mapping.entities
        ],
        "relations": [asdict(relation) for relation in mapping.relations],
        "joins": [asdict(join) for join in proposal.joins],
        "left_out": [asdict(one) for one in proposal.left_out],
        "nameless": [asdict(one) for one in proposal.nameless],
        "loaded_graphs_left_out": [label.removeprefix("KG_") for label in found.apart],
    }


def _show(mapped: Mapped, path: Path, *, kept: bool, corrected: bool) -> None:
    proposal, found = mapped.proposal, mapped.found
    mapping = proposal.mapping
    nodes = {label.label: f"{label.nodes:,}" for label in found.labels}
    counts = {edge.type: f"{edge.relationships:,}" for edge in found.types}
    edges = [relation for relation in mapping.relations if relation.kind == "edge"]
    rows = [
        [relation.phrase, "of " + (relation.of or ", ".join(relation.heads) or "any node"), relation.type]
        for relation in mapping.relations
        if relation.kind in ("property", "qualifier")
    ]
    _table(
        ["label", "nodes", "key", "name", "for example"],
        [
            [
                kind.label,
                nodes.get(kind.label, "0"),
                kind.key or "none",
                " + ".join(kind.names) or "the key",
                ", ".join(proposal.examples.get(kind.label, ())),
            ]
            for kind in mapping.entities
        ],
    )
    _table(
        ["relationship", "number", "from", "to", "words", "words backwards"],
        [
            [
                " ".join(e.via) or e.type,
                "" if e.via else counts.get(e.type, "0"),
                ", ".join(e.heads),
                ", ".join(e.tails),
                e.phrase,
                e.inverse_phrase,
            ]
            for e in edges
        ],
    )
    _table(["property in words", "of", "key"], rows)
    if proposal.left_out:
        _table(["left out", "why"], [[f"{one.holder}.{one.key}", one.why] for one in proposal.left_out])
    for one in proposal.nameless:
        say(f"Nodes of {one.label} have no name{_by_key(one, proposal.examples)}{_cure(one)}")
    if found.apart:
        graphs = ", ".join(label.removeprefix("KG_") for label in found.apart)
        say(f"Left out are the graphs that kgqa loaded into this database: {graphs}.")
    file = "" if kept else f" --mapping {path}"
    if mapping.fulltext:
        say(f"Names are looked up in the full-text index {mapping.fulltext}.")
    elif mapped.names is not None:
        size = f"{mapped.names.names:,} names, {mapped.names.size / 1_000_000:.1f} MB"
        say(f"Names are looked up in an index on this machine ({size}): {mapped.names.file}")
    elif any(kind.names for kind in mapping.entities):
        again = "" if kept else f" --output {path}"
        say("No index covers these names, so every node is looked at, and a typo is not forgiven;")
        say(f"to make one in Neo4j: kgqa map --graph {mapping.graph} --index{again}")
    say(f"{'Kept as corrected in' if corrected else 'Written to'} {path}")
    if not corrected:
        say("These are guesses. Correct the keys and names there, write better words (label, inverse) for relations,")
        say("and delete what must stay unread: nothing outside that file is read. Neo4j Browser shows whole nodes")
        say("all the same, when an answer's Cypher is pasted there.")
    say(f'Ask it: kgqa ask "…" --graph {mapping.graph}{file}')


def _by_key(nameless: Nameless, examples: Mapping[str, Sequence[str]]) -> str:
    """What nodes without a name can be asked for by."""
    if not nameless.key:
        return " that people could ask by"
    known = next(iter(examples.get(nameless.label, ())), "")
    return f"; they can be asked for by their key, {nameless.key}" + (f": {nameless.label} {known}" if known else "")


def _cure(nameless: Nameless) -> str:
    """How a label without a name gets one."""
    if not nameless.candidates:
        return "." if nameless.key else "; no property of theirs looks like one."
    first, *others = nameless.candidates
    line = f'under label = "{nameless.label}" write in the mapping: names = ["{first}"]'
    return f"; {line}" + (f" (or: {', '.join(others)})" if others else "")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    lines = [head, *rows]
    if len(lines) == 1:
        return
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    for line in lines:
        say("  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip())
    say()
