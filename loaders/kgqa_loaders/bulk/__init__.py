"""Loading a big graph through ``neo4j-admin database import``: many processes, flat memory.

recognise ──► blocks ──► pool of workers ──► tables (duckdb) ──► nodes, statements, steps ──► neo4j-admin
                         parse, normalise    distinct, numbered  CSV, one type per column
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kgqa_loaders.bulk.load import FilesReport, bulk_files, bulk_load

__all__ = ["FilesReport", "bulk_files", "bulk_load"]


def __getattr__(name: str) -> object:
    # Workers import parts of this package, and need neither the driver nor the managed server.
    if name in __all__:
        from kgqa_loaders.bulk import load

        return getattr(load, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
