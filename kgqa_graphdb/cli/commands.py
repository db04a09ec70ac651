"""Every command, registered by importing this module, and what runs them."""

from __future__ import annotations

import os
import sys

from kgqa_graphdb.cli import ask, browser, db, demo, evaluate, graphs, index, load, map, methods, models, train
from kgqa_graphdb.cli.app import INTERRUPTED, Interrupted, ReaderGone, app
from kgqa_graphdb.cli.output import print_status, settings
from kgqa_graphdb.errors import KgqaError, UsageError

__all__ = [
    "ask",
    "browser",
    "db",
    "demo",
    "evaluate",
    "graphs",
    "index",
    "load",
    "map",
    "methods",
    "models",
    "run",
    "train",
]


def run() -> None:
    """Run the app; see :func:`kgqa_graphdb.cli.main`."""
    try:
        app()
    except KgqaError as error:
        if settings.debug:
            raise
        print_status(f"kgqa: {error}")
        sys.exit(2 if isinstance(error, UsageError) else 1)
    except Interrupted:
        if settings.debug:
            import traceback

            traceback.print_exc()
        print_status("kgqa: interrupted")
        # At once: an interrupted command may leave a thread behind, which has nothing more to do.
        os._exit(INTERRUPTED)
    except ReaderGone:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it flushes at the end
        sys.exit(0)
