"""Freebase's formats, names files and tables survive files that are broken in 200 ways, and say what they leave out."""

from __future__ import annotations

import bz2
import gzip
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.freebase.fb15k import open_table
from kgqa_loaders.freebase.named import open_named
from kgqa_loaders.freebase.nquads import open_quads
from kgqa_loaders.freebase.rdf import open_rdf
from kgqa_loaders.names import with_names
from kgqa_loaders.records import InMemorySource, ReadOptions, RelationNote, Source, Triple
from kgqa_loaders.triples import open_tabs
from tests.unit.loaders.mutate import lines_of, lines_with_text, mutants, outcome

NS = "http://rdf.freebase.com/ns/"

DUMP = "".join(
    f"<{NS}m.0{number}>\t<{NS}{relation}>\t{tail}\t.\n"
    for number in range(4)
    for relation, tail in (
        ("film.film.genre", f"<{NS}m.0g{number}>"),
        ("type.object.type", f"<{NS}film.film>"),
        ("type.object.name", f'"The \\"tower\\" {number}"@en'),
        ("common.topic.alias", '"T\\u00f6wer"@en'),
        ("film.film.runtime", '"90"^^<http://www.w3.org/2001/XMLSchema#integer>'),
    )
).encode()
QUADS = "".join(
    f'</en/tower{number}> <name> "Tower \\"{number}\\"" .\n</en/tower{number}> <type> </film/film> .\n'
    f"</en/tower{number}> </film/film/starring> _:{number} .\n_:{number} </film/performance/actor> </en/lee> .\n"
    f'_:{number} </film/performance/character> "Lee" .\n'
    for number in range(4)
).encode()
TABLE = b"".join(b"/m/0%d\t/film/film/starring./film/performance/actor\t/m/1%d\n" % (n, n) for n in range(20))
NAMED = b"".join(b"A %d\tfilm.film.starring\tB %d\n" % (n, n) for n in range(20))
HEADED = b"head\trelation\ttail\tsource\n" + b"".join(b"a_%d\tr\tb_%d\tx\n" % (n, n) for n in range(19))
NAMES = b"".join(b"%d\tName_%d\n" % (number, number) for number in range(20))


def named(path: Path, describe: str, options: ReadOptions) -> Source:
    """Facts whose entities a names file names."""
    return with_names(InMemorySource("held", [Triple(0, str(number), "r", "0") for number in range(20)]), [str(path)])


FORMATS: dict[str, tuple[Callable[[Path, str, ReadOptions], Source], bytes]] = {
    "freebase-rdf": (open_rdf, DUMP),
    "freebase-nquads": (open_quads, QUADS),
    "fb15k": (open_table, TABLE),
    "freebase-names": (open_named, NAMED),
    "tsv": (open_tabs, HEADED),
    "names": (named, NAMES),
}


@pytest.mark.parametrize("name", FORMATS)
def test_two_hundred_broken_files_crash_nothing_and_lose_no_line(tmp_path: Path, name: str) -> None:
    open_it, sample = FORMATS[name]
    # Every line of these says something in every language, unless a mutation changes a relation or a tag.
    options = ReadOptions(languages=())
    rejected = 0
    for content in mutants(sample):
        found = outcome(lambda path: open_it(path, "it", options), tmp_path / "broken", content)
        if isinstance(found, LoadError):
            assert name == "names", found
            continue
        silent = lines_with_text(content) - lines_of(found)
        lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        for number in silent:
            line = lines[number - 1]
            assert _says_nothing(name, number, line), (number, line[:200])
        rejected += sum(hasattr(record, "reason") for record in found)
    assert rejected > 50


def _says_nothing(name: str, number: int, line: bytes) -> bool:
    """Whether a line may be left out without a word: a heading, a comment, another relation's bookkeeping."""
    if name == "tsv":
        return number == 1 and line.startswith(b"head\t")
    if name == "names":  # what is no entity of the source
        return True
    if name in ("fb15k", "freebase-names"):
        return False
    housekeeping = (b"/ns/type.", b"/ns/freebase.", b"key", b'""')
    return line.lstrip().startswith(b"#") or any(part in line for part in housekeeping)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
@pytest.mark.parametrize("name", [name for name in FORMATS if name != "names"])
def test_a_packed_file_that_is_cut_off_is_an_error_with_a_sentence(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes]
) -> None:
    open_it, sample = FORMATS[name]
    packed = pack(sample * 200)
    path = tmp_path / "cut"
    choose = random.Random(1)
    for _ in range(10):
        path.write_bytes(packed[: choose.randrange(20, len(packed) - 1)])
        with pytest.raises(LoadError, match="to its end"):
            list(open_it(path, "it", ReadOptions()).records())


def test_the_samples_are_whole(tmp_path: Path) -> None:
    for name, (open_it, sample) in FORMATS.items():
        path = tmp_path / name
        path.write_bytes(sample)
        records = [record for record in open_it(path, name, ReadOptions()).records() if not hasattr(record, "reason")]
        assert sum(not isinstance(record, RelationNote) for record in records) >= 19
