"""The file of records that could not be loaded: line number, reason, line."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.records import Reject


class Rejects:
    """Counts rejects and writes them to a TSV file, which is made when the first comes.

    :param path: ``None``: only count them
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.count = 0
        self._first: Reject | None = None
        self._stream: TextIO | None = None

    def __enter__(self) -> Rejects:
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream is not None:
            self._stream.close()

    @property
    def file(self) -> str | None:
        """The file that was written, if any."""
        return str(self.path) if self.path and self.count else None

    @property
    def notes(self) -> list[str]:
        """Why the reject of the smallest line number was not loaded, for a report; empty without rejects."""
        first = self._first
        return [] if first is None else [f"line {first.line:,} could not be loaded: {first.reason}"]

    def add(self, reject: Reject) -> None:
        """Write a reject.

        :raises LoadError: the file can't be written
        """
        self.count += 1
        self._first = min(self._first or reject, reject, key=lambda one: (one.line, one.reason))
        if self.path is None:
            return
        try:
            if self._stream is None:
                self._stream = self.path.open("w", encoding="utf-8", newline="\n")
                self._stream.write("line\treason\ttext\n")
            self._stream.write(f"{reject.line}\t{reject.reason}\t{reject.text}\n")
        except OSError as error:
            raise LoadError(
                f"can't write the rejects file {self.path}: {error.strerror}; name another with --rejects"
            ) from error
