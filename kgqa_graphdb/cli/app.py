"""The commands, and what they share: exit status, one-line errors, ``--json``.

Command modules import what is heavy inside their functions, so that ``kgqa --help`` is quick.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from kgqa_graphdb.cli.output import settings
from kgqa_graphdb.errors import KgqaError, UsageError

app = typer.Typer(
    name="kgqa",
    help="Ask a knowledge graph in Neo4j questions in plain language.",
    epilog="Start with: kgqa demo",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"kgqa-graphdb {version('kgqa-graphdb')}")
        raise typer.Exit()


@app.callback()
def common(
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks and debug logs.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options of every command."""
    settings.debug = debug
    if debug:
        import logging

        logging.basicConfig(stream=sys.stderr, level=logging.DEBUG, format="%(name)s: %(message)s")


def run() -> None:
    """Run the app; see :func:`kgqa_graphdb.cli.main`."""
    from kgqa_graphdb.cli import commands  # noqa: F401  # importing it registers the commands

    try:
        app()
    except KgqaError as error:
        if settings.debug:
            raise
        typer.echo(f"kgqa: {error}", err=True)
        sys.exit(2 if isinstance(error, UsageError) else 1)
    except (KeyboardInterrupt, EOFError):
        typer.echo("kgqa: interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:  # the reader of our output went away: `kgqa graphs | head -1`
        sys.stderr.close()
        sys.exit(0)
