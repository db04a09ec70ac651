"""Reading files: gzip on the way, and streams that can be read once only."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path
from typing import BinaryIO, cast


def open_bytes(path: Path) -> BinaryIO:
    """A file's content, unpacked where it is gzip.

    :raises OSError: it can't be read
    """
    with path.open("rb") as stream:
        packed = stream.read(2) == b"\x1f\x8b"
    return cast(BinaryIO, gzip.open(path)) if packed else path.open("rb")


def spooled(stream: BinaryIO) -> Path:
    """A temporary file with the stream's content: a load reads its source more than once."""
    with tempfile.NamedTemporaryFile(prefix="kgqa-load-", suffix=".txt", delete=False) as spool:
        while block := stream.read(1 << 20):
            spool.write(block)
    return Path(spool.name)
