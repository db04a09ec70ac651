"""The commands, and what they share: exit status, one-line errors, ``--json``.

Command modules import what is heavy inside their functions, so that ``kgqa --help`` is quick.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from kgqa_graphdb.cli.output import settings

INTERRUPTED = 130


class Interrupted(Exception):  # no error: the user's wish
    """Ctrl-C, or the end of the input where a question was put."""


class ReaderGone(Exception):  # no error either
    """Whoever read our output went away: ``kgqa graphs | head -1``."""


# click's own, from wherever this version of typer has click.
_WrongUsage: Any = typer.BadParameter.__bases__[0]


class _Commands(TyperGroup):
    """Keeps typer from ending the process without a word, or with one of its own."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        try:
            return super().make_context(*args, **options)
        except _WrongUsage as error:
            settings.wrong_usage = error.format_message()
            raise
        except KeyboardInterrupt as error:
            raise Interrupted from error

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except _WrongUsage as error:
            settings.wrong_usage = error.format_message()
            raise
        except (KeyboardInterrupt, EOFError, typer.Abort) as error:
            raise Interrupted from error
        except BrokenPipeError as error:
            raise ReaderGone from error


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
