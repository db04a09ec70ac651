"""A full disk, reported in one sentence: before the work where it can be foreseen, and when it happens."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kgqa_graphdb.errors import LoadError, ServerError
from kgqa_graphdb.managed.layout import Home

MARGIN = 64 << 20
"""Bytes that stay free after what is asked for."""


def free_space(folder: Path) -> int:
    """Bytes that may be written to the disk of a folder, which need not be there yet."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free


def require_space(folder: Path, size: int, purpose: str) -> None:
    """Refuse to begin what would fill the disk.

    :param size: bytes that the work will write
    :raises ServerError: the folder's disk has less than that, and a margin, free
    """
    free = free_space(folder)
    if free < size + MARGIN:
        raise ServerError(
            f"{purpose} needs {(size + MARGIN) / 1e6:,.0f} MB, but the disk of {folder} has only {free / 1e6:,.0f} MB"
            " free; free some space, or set KGQA_HOME to a folder on another disk"
        )


RESERVE = 256 << 20
"""Bytes that stay free while a server is written to: it makes each of its files longer by 32 MiB or a tenth at a time,
and keeps logs of some 300 MiB; where that does not fit, the whole database fails, not only the load."""


def require_reserve(home: Home, done: int = 0, total: int | None = None) -> None:
    """Stop a load while the server still has room to work, and to write to their places what it holds in memory.

    :param done: entities and facts that are in, of ``total``
    :raises LoadError: the disk of the server's home has less than the reserve free
    """
    free = free_space(home.path)
    if free >= RESERVE:  # mostly so, and then the store is not measured
        store = sum(file.stat().st_size for file in (home.path / "data" / "databases").glob("*/neostore*"))
        if free >= RESERVE + store // 10:
            return
    so_far = (
        f"; {done:,} of {total:,} entities and facts are in, and the same command goes on from there" if total else ""
    )
    raise LoadError(
        f"the disk of {home.path} is nearly full: {free / 1e6:,.0f} MB are free, and Neo4j needs"
        f" {RESERVE / 1e6:,.0f} MB and a tenth of its store to work; free some space, then run this again{so_far}"
    )


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn what a disk can't do into one clear sentence.

    :raises ServerError: the disk filled up, or the folder can't be written
    """
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ServerError(
                f"the disk of {folder} is full; free some space and run this again, or set KGQA_HOME to another disk"
            ) from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise ServerError(
                f"{error.filename or folder} can't be written ({error.strerror}); set KGQA_HOME elsewhere"
            ) from error
        raise
