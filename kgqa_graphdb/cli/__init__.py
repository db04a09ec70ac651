"""The ``kgqa`` command."""

from __future__ import annotations


def main() -> None:
    """Run the command line; the exit status is 0 done, 1 a named error, 2 wrong usage, 130 interrupted."""
    import sys

    # The Neo4j driver imports pandas where it is installed, 0.3 s for what no command uses; this says that it is not.
    sys.modules.setdefault("pandas", None)  # type: ignore[arg-type]
    try:
        from kgqa_graphdb.cli.commands import run

        run()
    except KeyboardInterrupt:  # before or after the command itself, which :func:`run` looks after
        import os

        os.write(2, b"kgqa: interrupted\n")
        os._exit(130)
