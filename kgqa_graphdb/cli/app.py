"""The commands, and what they share: exit status, one-line errors, ``--json``.

Command modules import what is heavy inside their functions, so that ``kgqa --help`` is quick.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from kgqa_graphdb.cli.output import settings, tell
from kgqa_graphdb.errors import KgqaError, UsageError

INTERRUPTED = 130


class _Interrupted(Exception):  # no error: the user's wish
    """Ctrl-C, or the end of the input where a question was put."""


class _ReaderGone(Exception):  # no error either
    """Whoever read our output went away: ``kgqa graphs | head -1``."""


class _Commands(TyperGroup):
    """Keeps typer from ending the process without a word, or with one of its own."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        try:
            return super().make_context(*args, **options)
        except KeyboardInterrupt as error:
            raise _Interrupted from error

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, EOFError, typer.Abort) as error:
            raise _Interrupted from error
        except BrokenPipeError as error:
            raise _ReaderGone from error


app = typer.Typer(
    cls=_Commands,
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
        tell(f"kgqa: {error}")
        sys.exit(2 if isinstance(error, UsageError) else 1)
    except _Interrupted:
        if settings.debug:
            import traceback

            traceback.print_exc()
        tell("kgqa: interrupted")
        # At once: an interrupted command may leave a thread behind, which has nothing more to do.
        os._exit(INTERRUPTED)
    except _ReaderGone:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it flushes at the end
        sys.exit(0)
