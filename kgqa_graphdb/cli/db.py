"""Commands: db start, stop, status, logs, remove."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgqa_graphdb.cli.app import app
from kgqa_graphdb.cli.output import Advance, JsonFlag, emit_json, print_status, progress, say
from kgqa_graphdb.errors import UsageError

if TYPE_CHECKING:
    from kgqa_graphdb.managed import Connection, ManagedServer, Progress, ServerStatus

db = typer.Typer(
    name="db",
    help="The local Neo4j that kgqa fetches, starts and stops for you (ask and load start it when they need it).",
    epilog="With NEO4J_URI set, kgqa uses that server instead and leaves this one alone.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(db)

ShowPassword = Annotated[bool, typer.Option("--show-password", help="Show the password, not only where it is.")]


def open_connection(*, start: bool = True) -> Connection:
    """The server that a command uses, started if need be, with its progress on stderr.

    :param start: start the managed server when it does not run
    :raises ServerError: there is none, or it can't be started
    """
    from kgqa_graphdb.managed import resolve_connection

    with server_progress() as on_stage:
        return resolve_connection(start, on_stage)


def watching_disk(advance: Advance) -> Advance:
    """Progress that also stops what writes while the disk of the managed server has room left to work.

    :raises LoadError: it has not, now or when progress is reported
    """
    from kgqa_graphdb.managed import ManagedServer, connection_from_environment
    from kgqa_graphdb.managed.disk import require_reserve

    if connection_from_environment() is not None:  # where that server's disk is, we don't know
        return advance
    home = ManagedServer().home
    require_reserve(home)

    def watched(done: int, total: int | None = None) -> None:
        require_reserve(home, done, total)
        advance(done, total)

    return watched


@contextmanager
def server_progress() -> Iterator[Progress]:
    """Stages of the managed server on stderr: a line each, and a bar in MB for what is fetched."""
    with ExitStack() as open_bar:
        bars: dict[str, Advance] = {}

        def on_stage(stage: str, done: int = 0, total: int | None = None) -> None:
            if total is None:
                open_bar.close()
                print_status(f"{stage} …")
                return
            if stage not in bars:
                print_status(f"{stage}: {total / 1e6:.0f} MB, this once …")
                bars[stage] = open_bar.enter_context(progress("MB", total=total // 1_000_000))
            bars[stage](done // 1_000_000, total // 1_000_000)

        yield on_stage


@db.command(epilog="Example: kgqa db start && kgqa ask 'who directed Metropolis?' --graph films")
def start(as_json: JsonFlag = False) -> None:
    """Start the local Neo4j; the first time, fetch it."""
    from kgqa_graphdb.managed import ManagedServer, connection_from_environment

    if (named := connection_from_environment()) is not None:
        raise UsageError(
            f"the NEO4J_* variables name the server {named.shown_uri}, so the local one is left alone; unset them to"
            " start it"
        )
    server = ManagedServer()
    with server_progress() as on_stage:
        server.start(on_stage)
    _show(server, as_json)


@db.command(epilog="Example: kgqa db stop")
def stop(as_json: JsonFlag = False) -> None:
    """Stop the local Neo4j. Its graphs stay, for the next start."""
    from kgqa_graphdb.managed import ManagedServer

    server = ManagedServer()
    stopped = server.stop()
    if as_json:
        emit_json(_document(server.status()))
    else:
        say("Neo4j is stopped; its graphs stay." if stopped else "Neo4j was not running.")


@db.command(epilog="Example: kgqa db status --json")
def status(show_password: ShowPassword = False, as_json: JsonFlag = False) -> None:
    """Say whether the local Neo4j runs, and how to reach it and its Browser."""
    from kgqa_graphdb.managed import ManagedServer, connection_from_environment

    if (named := connection_from_environment()) is not None:
        print_status(f"The NEO4J_* variables name {named.shown_uri}: kgqa uses that server. This is the local one:")
    _show(ManagedServer(), as_json, show_password)


@db.command(epilog="Example: kgqa db logs --lines 20")
def logs(
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many of the last lines.")] = 100,
    as_json: JsonFlag = False,
) -> None:
    """Show the end of the local Neo4j's log."""
    from kgqa_graphdb.managed import ManagedServer

    server = ManagedServer()
    last = server.logs(lines)
    if as_json:
        emit_json({"file": server.home.log, "lines": last})
        return
    for line in last:
        say(line)
    if not last:
        print_status(f"{server.home.log} is empty or not there; start the server with: kgqa db start")


@db.command(epilog="Example: kgqa db remove --yes --program")
def remove(
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    program: Annotated[
        bool, typer.Option("--program", help="Delete Neo4j's own files too, not only the data.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Stop the local Neo4j and delete it with all graphs in it."""
    from kgqa_graphdb.managed import ManagedServer

    server = ManagedServer()
    doomed = [server.home.path] if server.home.path.is_dir() else []
    if doomed:
        print_status(f"This deletes {server.home.path}: every graph in it, its settings and its password.")
    if program and server.jars.is_dir():
        doomed.append(server.jars)
        print_status(f"This deletes {server.jars}: Neo4j's program, which the next start fetches again.")
    if doomed and not yes:
        if as_json or not sys.stdin.isatty():
            raise UsageError("deleting needs a yes; add --yes")
        if not typer.confirm("Delete?", err=True):
            doomed = []
    if doomed:
        server.remove(program=program)
    if as_json:
        emit_json({"removed": doomed})
    else:
        say("Deleted." if doomed else "Nothing is deleted.")


def _document(status: ServerStatus) -> dict[str, Any]:
    return asdict(status)


def _show(server: ManagedServer, as_json: bool, show_password: bool = False) -> None:
    now = server.status()
    if as_json:
        emit_json(_document(now) | ({"password": server.home.password()} if show_password else {}))
        return
    say(f"Neo4j {now.version} {now.edition}: {f'running (process {now.pid})' if now.running else 'not running'}")
    say(f"  home      {now.home}")
    if now.uri is None:
        say("  It has never been started; start it with: kgqa db start")
        return
    say(f"  address   {now.uri}")
    say(f"  user      {now.username}")
    file = server.home.password_file
    say(f"  password  {server.home.password() if show_password else f'in {file} (or: kgqa db status --show-password)'}")
    say(f"  Browser   {now.browser or 'off (server.http.enabled)'}")
