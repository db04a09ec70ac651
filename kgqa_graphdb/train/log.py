"""A log that a person can read, in the model's folder."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOG = "train.log"


@contextmanager
def logged(folder: Path) -> Iterator[None]:
    """Write what :mod:`kgqa_graphdb.train` tells to a file, after what is there."""
    folder.mkdir(parents=True, exist_ok=True)
    teller = logging.getLogger("kgqa_graphdb.train")
    handler = logging.FileHandler(folder / LOG, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    teller.addHandler(handler)
    teller.setLevel(logging.INFO)
    try:
        yield
    finally:
        teller.removeHandler(handler)
        handler.close()
