"""Processes that parse a source side by side: as many as there are cores, fed block by block."""

from __future__ import annotations

import os
import pickle
import secrets
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, Any, cast

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.bulk.cells import Separators
from kgqa_loaders.bulk.shards import Summary
from kgqa_loaders.records import BlockSource, Record, Source, parts_of
from kgqa_loaders.relations import RelationSpec
from kgqa_loaders.server import Progress

MAX_WORKERS = 16
"""More are not fed by one process that reads and unpacks the source."""
_RECORDS = 5_000
"""Records of a source that has no blocks, handed on at once."""


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def parse_all(
    source: Source,
    specs: Mapping[str, RelationSpec],
    folder: Path,
    separators: Separators,
    *,
    workers: int,
    progress: Progress,
) -> list[Summary]:
    """Write a source's rows to files in a folder, by several processes; what each wrote.

    :param specs: relations that a person says are properties or aliases
    :param progress: called with the number of rows read
    :raises LoadError: the source can't be read, the disk is full
    """
    environment = dict(os.environ)
    environment["PYTHONHASHSEED"] = str(secrets.randbelow(2**32))
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    # Blocks come and go by megabytes; given back to the system each time, they would be zeroed each time.
    environment |= {"MALLOC_TRIM_THRESHOLD_": str(1 << 27), "MALLOC_MMAP_THRESHOLD_": str(1 << 26)}
    frames = _Frames(_frames(source), progress)
    pool = [_Worker(folder / str(number), environment) for number in range(workers)]
    try:
        threads = [
            threading.Thread(target=worker.feed, args=(frames, separators, dict(specs)), daemon=True) for worker in pool
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        for worker in pool:
            worker.end()
    if frames.error is not None:
        raise frames.error
    return [worker.summary for worker in pool if worker.summary is not None]


def _frames(source: Source) -> Iterator[tuple[int, bytes | None, tuple[Any, ...]]]:
    """Number of a source, the source where its pieces need it, and a piece of it."""
    for number, part in enumerate(parts_of(source)):
        if isinstance(part, BlockSource) and (packed := _packed(part)):
            for block in part.blocks():
                yield number, packed, ("block", block)
        else:
            records: Iterator[Record] = iter(part.records())
            while some := list(islice(records, _RECORDS)):
                yield number, None, ("records", number, some)


def _packed(source: Source) -> bytes | None:
    """A source as bytes; none where another process could not make sense of it."""
    if type(source).__module__ == "__main__":
        return None
    try:
        return pickle.dumps(source)
    except (pickle.PicklingError, AttributeError, TypeError):
        return None


@dataclass(slots=True)
class _Frames:
    """The pieces, handed out one at a time to whoever asks first.

    :ivar error: what went wrong first; nothing is handed out afterwards
    """

    pieces: Iterator[tuple[int, bytes | None, tuple[Any, ...]]]
    progress: Progress
    error: Exception | None = None
    done: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self) -> tuple[int, bytes | None, tuple[Any, ...]] | None:
        with self.lock:
            return None if self.error else next(self.pieces, None)

    def count(self, rows: int) -> None:
        with self.lock:
            self.done += rows
            self.progress(self.done, None)

    def fail(self, error: Exception) -> None:
        with self.lock:
            self.error = self.error or error


class _Worker:
    """A process and the files of it."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.summary: Summary | None = None
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # closed at the end
        self._process = subprocess.Popen(
            [sys.executable, "-m", "kgqa_loaders.bulk.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=environment,
        )
        self._requests: IO[bytes] = cast(IO[bytes], self._process.stdin)
        self._answers: IO[bytes] = cast(IO[bytes], self._process.stdout)

    def feed(self, frames: _Frames, separators: Separators, specs: dict[str, RelationSpec]) -> None:
        """Hand pieces on until there are none, one ahead of what is answered."""
        try:
            self._send(("begin", str(self.folder), separators, specs))
            known = -1
            waiting = 0
            while (frame := frames.take()) is not None:
                number, source, piece = frame
                if source is not None and number != known:
                    self._send(("source", number, source))
                    known = number
                self._send(piece)
                if waiting:
                    frames.count(self._answer()[1])
                waiting = 1
            if waiting:
                frames.count(self._answer()[1])
            self._send(("end",))
            self.summary = self._answer()[1]
        except Exception as error:  # noqa: BLE001  # raised by the thread that waits for all
            frames.fail(error)

    def _send(self, message: tuple[Any, ...]) -> None:
        try:
            pickle.dump(message, self._requests, protocol=5)
            self._requests.flush()
        except BrokenPipeError:
            self._answer()  # says why
            raise self._died() from None

    def _answer(self) -> tuple[Any, ...]:
        try:
            answer: tuple[Any, ...] = pickle.load(self._answers)  # noqa: S301  # our own child sent it
        except (EOFError, pickle.UnpicklingError):
            raise self._died() from None
        if answer[0] == "full":
            raise LoadError(
                f"the disk of {self.folder.parent} is full; free some space, or set TMPDIR to a folder on another disk"
            )
        if answer[0] == "error":
            raise LoadError(answer[2])
        return answer

    def _died(self) -> LoadError:
        code = self._process.wait(10)
        self._errors.seek(0)
        output = self._errors.read()[-2_000:].decode(errors="replace").strip()
        why = "it was killed; is there enough memory?" if code in (-9, 137) else output or f"exit status {code}"
        return LoadError(f"a process that parsed the source ended early: {why}")

    def end(self) -> None:
        """See that the process is gone."""
        self._process.kill()
        self._process.wait()
        for stream in (self._requests, self._answers, self._errors):
            try:
                stream.close()
            except BrokenPipeError:
                continue  # what it did not read any more
