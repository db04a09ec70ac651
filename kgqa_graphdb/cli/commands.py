"""Every command, registered by importing this module, and what runs them."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from kgqa_graphdb.cli import (
    ask,
    browser,
    db,
    demo,
    evaluate,
    export,
    graphs,
    index,
    load,
    map,
    methods,
    models,
    train,
    train_gnn2r,
    train_language_model,
    train_rerank,
)
from kgqa_graphdb.cli.app import INTERRUPTED, Interrupted, ReaderGone, app
from kgqa_graphdb.cli.output import emit_error, print_status, settings
from kgqa_graphdb.errors import KgqaError, UsageError

__all__ = [
    "ask",
    "browser",
    "db",
    "demo",
    "evaluate",
    "export",
    "graphs",
    "index",
    "load",
    "map",
    "methods",
    "models",
    "run",
    "train",
    "train_gnn2r",
    "train_language_model",
    "train_rerank",
]


def run() -> None:
    """Run the app; see :func:`kgqa_graphdb.cli.main`. Whatever goes wrong, ``--json`` gives one document."""
    try:
        _run()
    except SystemExit as ended:
        # Wrong usage, of which typer has printed more than a line, or a command that was interrupted.
        if isinstance(ended.code, int) and ended.code:
            emit_error(settings.wrong_usage or ("interrupted" if ended.code == INTERRUPTED else "failed"), ended.code)
        raise
    except BrokenPipeError:
        _end_without_reader()


def _run() -> None:
    try:
        app()
    except KgqaError as error:
        status = 2 if isinstance(error, UsageError) else 1
        emit_error(str(error), status)
        if settings.debug:
            raise
        print_status(f"kgqa: {error}")
        sys.exit(status)
    except Interrupted:
        if settings.debug:
            import traceback

            traceback.print_exc()
        print_status("kgqa: interrupted")
        emit_error("interrupted", INTERRUPTED)
        # At once: an interrupted command may leave a thread behind, which has nothing more to do.
        os._exit(INTERRUPTED)
    except ReaderGone:
        _end_without_reader()


def _end_without_reader() -> NoReturn:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it flushes at the end
    sys.exit(0)
