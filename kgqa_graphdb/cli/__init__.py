"""The ``kgqa`` command."""

from __future__ import annotations


def main() -> None:
    """Run the command line; the exit status is 0 done, 1 a named error, 2 wrong usage, 130 interrupted."""
    from kgqa_graphdb.cli.app import run

    run()
