"""A log that a person can read, in the model's folder."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOG = "train.log"


@contextmanager
def logged(folder: Path) -> Iterator[None]:
    """Write the log of :mod:`kgqa_graphdb.train` to a file, after what is there."""
    folder.mkdir(parents=True, exist_ok=True)
    logger = logging.getLogger("kgqa_graphdb.train")
    handler = logging.FileHandler(folder / LOG, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        handler.close()
