"""A process that parses blocks of a source and writes the rows to files of its own; :mod:`kgqa_loaders.bulk.pool` talks
to it over its standard input and output.

A program of its own, not a ``multiprocessing`` child: that would run the caller's main module again, and its hash of a
text would differ from its siblings'.
"""

from __future__ import annotations

import errno
import gc
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from kgqa_graphdb.errors import KgqaError
from kgqa_loaders.bulk.columns import PlainReader
from kgqa_loaders.bulk.plain import plain_reader
from kgqa_loaders.bulk.shards import Shards
from kgqa_loaders.normal import REJECT, normalise
from kgqa_loaders.records import Block, BlockSource
from kgqa_loaders.relations import RelationSpec

PIECE_BYTES = 1 << 19


def main() -> None:
    """Serve until the standard input ends."""
    gc.freeze()
    gc.disable()  # rows make no cycles, and looking for some takes a third of the time
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us decides
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # a source that prints must not spoil the answers
    try:
        serve(sys.stdin.buffer, answers)
    except EOFError:
        return  # whoever started us is gone
    except KgqaError as error:
        reply(answers, ("error", type(error).__name__, str(error)))
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        reply(answers, ("full" if full else "error", "LoadError", str(error)))
    except Exception:  # noqa: BLE001  # sent to the process that started us, which raises it
        reply(answers, ("error", "LoadError", f"a worker failed:\n{traceback.format_exc()}"))


def reply(answers: BinaryIO, message: tuple[Any, ...]) -> None:
    """Answer."""
    pickle.dump(message, answers)
    answers.flush()


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests: ``begin``, ``source``, ``block``, ``records`` and ``end``."""
    load: Callable[[BinaryIO], tuple[Any, ...]] = pickle.load
    _, folder, separators, specs = load(requests)
    shards = Shards(Path(folder), separators)
    reader: BlockReader | None = None
    number = 0
    while True:
        kind, *rest = load(requests)
        if kind == "source":
            number, packed = rest
            reader = BlockReader(pickle.loads(packed), specs, shards)  # noqa: S301  # our own parent sent it
            continue
        if kind == "end":
            reply(answers, ("done", shards.close()))
            return
        if kind == "block" and reader is not None:
            count = reader.read(rest[0], number)
        else:
            count = shards.add(normalise(rest[1], specs), rest[0])
        reply(answers, ("read", count))


class BlockReader:
    """Reads the blocks of one source: in columns where that gives the same, else record by record."""

    def __init__(self, source: BlockSource, specs: Mapping[str, RelationSpec], shards: Shards) -> None:
        self.source = source
        self.specs = specs
        self.shards = shards
        self.plain: PlainReader | None = plain_reader(source, specs)

    def read(self, block: Block, number: int) -> int:
        """Write the rows of a block; how many there are."""
        return sum(self._read(piece, number) for piece in pieces(block))

    def _read(self, block: Block, number: int) -> int:
        plain = self.plain(block) if self.plain else None
        if plain is None:
            return self.shards.add(normalise(self.source.parse(block), self.specs), number)
        rows = [*plain.rows, *normalise(plain.records, self.specs)]
        if plain.rest:
            rows += normalise(self.source.parse(Block(2, plain.rest)), self.specs)
        # Lines that are left have lost their numbers, which only rejects need.
        if not plain.numbered and any(row.kind == REJECT for row in rows):
            return self.shards.add(normalise(self.source.parse(block), self.specs), number)
        self.shards.add_facts(plain.heads, plain.relations, plain.tails)
        return len(plain.heads) + self.shards.add(rows, number)


def pieces(block: Block) -> Iterator[Block]:
    """A block in pieces small enough for a processor's cache: their lines are gone through several times."""
    start, line = 0, block.line
    while start < len(block.data):
        end = block.data.find(b"\n", start + PIECE_BYTES) + 1 or len(block.data)
        data = block.data[start:end]
        yield Block(line, data)
        start, line = end, line + data.count(b"\n")


if __name__ == "__main__":
    main()
