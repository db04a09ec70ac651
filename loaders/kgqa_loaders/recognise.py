"""Recognises a source by its content; every format that can be loaded is registered here."""

from __future__ import annotations

import hashlib
import lzma
import shutil
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from kgqa_graphdb.errors import LoadError, UsageError, nearest
from kgqa_loaders import csv_graph, cypher_script, freebase, rdf, tables, triples, wikidata
from kgqa_loaders.files import open_bytes, reading, spooled, temporary_folder
from kgqa_loaders.formats import Format
from kgqa_loaders.hints import hint, packed_hint
from kgqa_loaders.joined import named_by
from kgqa_loaders.records import ReadOptions, Record, Source

SAMPLE_BYTES = 1 << 16

FORMATS: tuple[Format, ...] = (
    *wikidata.FORMATS,
    *freebase.FORMATS,
    *rdf.FORMATS,
    *csv_graph.FORMATS,
    *tables.FORMATS,
    *cypher_script.FORMATS,
    *triples.FORMATS,
)
"""The formats that can be loaded; where two fit equally well the first counts."""

ENOUGH = 0.8
"""Share of the sample's lines that must fit a format for it to be recognised."""


@dataclass(frozen=True, slots=True)
class Many:
    """Several sources loaded as one.

    :ivar origins: of each source, the place that a person gave; of what only names things, too, in ``naming``
    :ivar naming: origins of the files whose names the sources have, by the rank of their records, from
        :data:`kgqa_loaders.records.NAMING_RANK` on
    """

    describe: str
    sources: tuple[Source, ...]
    origins: tuple[str, ...] = ()
    naming: tuple[str, ...] = ()

    def checksum(self) -> str:
        """SHA-256 of the sources' checksums."""
        return hashlib.sha256("".join(source.checksum() for source in self.sources).encode()).hexdigest()

    def records(self) -> Iterator[Record]:
        """The records of each source in turn."""
        for source in self.sources:
            yield from source.records()


@dataclass(frozen=True, slots=True)
class Opened:
    """A source and what it was recognised as.

    :ivar formats: name of the format of each file
    :ivar licence: of the data usually found in these formats; empty where that is not known
    :ivar skipped: files of a folder or archive that nothing recognised
    :ivar notes: what was changed in reading, sentences
    """

    source: Source
    formats: tuple[str, ...]
    licence: str = ""
    skipped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def listing() -> str:
    """The formats, for messages and help: ``triples (head|relation|tail), …``"""
    return ", ".join(f"{format.name} ({format.looks_like})" for format in FORMATS)


def open_source(location: str, format_name: str = "", options: ReadOptions | None = None) -> Source:
    """The source at a path; ``-`` is the standard input, packed files are unpacked on the way.

    :param format_name: skips recognition
    :raises LoadError: it can't be read, or nothing recognises it
    :raises UsageError: there is no format of that name
    """
    return open_sources([location], format_name, options).source


def open_sources(locations: Sequence[str], format_name: str = "", options: ReadOptions | None = None) -> Opened:
    """The source that some files, folders and archives make together.

    :raises LoadError: one can't be read, or nothing recognises it
    :raises UsageError: there is no format of that name, or none of the files is read with an ontology, which is given
    """
    chosen = _format(format_name) if format_name else None
    options = options or ReadOptions()
    found: list[tuple[Path, str, Format]] = []
    origins: list[str] = []
    skipped: list[str] = []
    for location in locations:
        for path, describe, whole in _files(location):
            format = _recognised(path, describe, chosen, required=not whole)
            if format is None:
                skipped.append(describe)
            else:
                found.append((path, describe, format))
                origins.append(_describe([location]))
    if not found:
        raise LoadError(f"nothing in {', '.join(locations)} is of a format that kgqa knows: {listing()}")
    formats = [format for _, _, format in found]
    if all(format.naming for format in formats):
        raise LoadError(f"{', '.join(locations)} only names things; give it together with the facts about them")
    if options.ontology and not any(format.ontology for format in formats):
        able = ", ".join(format.name for format in FORMATS if format.ontology)
        raise UsageError(
            f"{formats[0].name} is not read with an ontology; leave --ontology out, or name a --format: {able}"
        )
    sources = [
        format.open(path, describe, options if options.types else replace(options, types=format.types))
        for path, describe, format in found
    ]
    names = tuple(format.name for format in formats)
    licences = {format.licence for format in formats}
    licence = licences.pop() if len(licences) == 1 else ""
    together = sources[0] if len(sources) == 1 else _together(_describe(locations), sources, formats, origins)
    notes = tuple(note for source in sources for note in getattr(source, "notes", ()))
    return Opened(together, names, licence, tuple(skipped), notes)


def _together(describe: str, sources: list[Source], formats: list[Format], origins: list[str]) -> Many:
    """Several sources as one; those that only name things name what the others hold."""
    rows = list(zip(sources, formats, origins, strict=True))
    facts = [source for source, format, _ in rows if not format.naming]
    naming = [source for source, format, _ in rows if format.naming]
    return Many(
        describe,
        named_by(facts, naming),
        tuple(origin for _, format, origin in rows if not format.naming),
        tuple(origin for _, format, origin in rows if format.naming),
    )


def _describe(locations: Sequence[str]) -> str:
    return ", ".join(str(Path(location).absolute()) for location in locations)


def _files(location: str) -> Iterator[tuple[Path, str, bool]]:
    """The files at a place: path, what people call it, and whether it is one of a folder's or archive's many."""
    if location == "-":
        yield spooled(sys.stdin.buffer), "standard input", False
        return
    path = Path(location)
    if not path.exists():
        names = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
        raise LoadError(f"there is no file {location}{nearest(path.name, names)}")
    try:
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.is_file() and not file.name.startswith("."))
            yield from ((file, str(file.absolute()), True) for file in inside if file.stat().st_size)
        elif not path.is_file():  # a pipe can be read once only
            with path.open("rb") as stream:
                yield spooled(stream), location, False
        elif _is_tar(path):
            yield from ((file, f"{path.absolute()}:{file.name}", True) for file in _unpacked(path))
        elif _is_zip(path):
            yield from ((file, f"{path.absolute()}:{file.name}", True) for file in _unzipped(path))
        else:
            yield path, str(path.absolute()), False
    except OSError as error:
        raise LoadError(f"can't read {location}: {error.strerror or error}") from error


def _is_tar(path: Path) -> bool:
    """Whether a file is a tar archive, packed or not; its magic stands at a fixed place."""
    try:
        with open_bytes(path) as stream:
            return stream.read(262)[257:] == b"ustar"
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        return False  # cut off or broken: its reader will say so


def _is_zip(path: Path) -> bool:
    """Whether a file is a zip archive of files, not a spreadsheet or another document in that form."""
    try:
        with path.open("rb") as stream:
            if stream.read(4) != b"PK\x03\x04":
                return False
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False  # cut off or broken: what refuses other archives says so
    return not {"[Content_Types].xml", "mimetype"} & set(names)


MAX_FILES = 100_000
"""Files in an archive that is unpacked on the way; so for the two below."""
SMALL_BYTES = 1 << 30
MAX_RATIO = 100
"""Times that files over ``SMALL_BYTES`` together may be bigger than their archive; text is packed to a fifth, or a
twentieth."""


_Member = TypeVar("_Member", tarfile.TarInfo, zipfile.ZipInfo)


def _members(members: Iterable[_Member], path: Path) -> Iterator[_Member]:
    """An archive's members, while they are no more than an archive may hold.

    :raises LoadError: they are
    """
    free, packed, total = shutil.disk_usage(tempfile.gettempdir()).free, path.stat().st_size, 0
    for number, member in enumerate(members, start=1):
        total += member.size if isinstance(member, tarfile.TarInfo) else member.file_size
        if number > MAX_FILES:
            raise LoadError(f"{path} holds over {MAX_FILES:,} files; unpack it, and load its folder")
        if total > SMALL_BYTES and total > MAX_RATIO * packed:
            raise LoadError(
                f"{path} holds {total:,} bytes in {packed:,}, over {MAX_RATIO} times as many; if that is right, unpack "
                "it, and load its folder"
            )
        if total > free:
            raise LoadError(f"{path} holds over {total:,} bytes, and {tempfile.gettempdir()} has {free:,}; set TMPDIR")
        yield member


def _unpacked(path: Path) -> list[Path]:
    folder = temporary_folder()
    try:
        with reading(str(path)), tarfile.open(path) as archive:
            archive.extractall(folder, members=_members(archive, path), filter="data")
    except tarfile.TarError as error:
        raise LoadError(f"can't unpack {path}: {error}") from error
    return sorted(file for file in folder.rglob("*") if file.is_file() and not file.name.startswith("."))


def _unzipped(path: Path) -> list[Path]:
    folder = temporary_folder()
    try:
        with reading(str(path)), zipfile.ZipFile(path) as archive:
            for member in _members(archive.infolist(), path):
                archive.extract(member, folder)  # it takes "..", drives and leading slashes out of names
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise LoadError(f"can't unpack {path}: {error}") from error
    hidden = (".", "__MACOSX")
    files = ((file, file.relative_to(folder).parts) for file in folder.rglob("*") if file.is_file())
    return sorted(file for file, parts in files if not any(part.startswith(hidden) for part in parts))


def _format(name: str) -> Format:
    for format in FORMATS:
        if format.name == name:
            return format
    known = [format.name for format in FORMATS]
    raise UsageError(f"there is no format {name!r}{nearest(name, known)}; formats: {listing()}")


def _recognised(path: Path, describe: str, chosen: Format | None, *, required: bool) -> Format | None:
    """The format of a file: the chosen one, or the one that fits best; of an archive inside another, none.

    :param required: say what is wrong where there is none
    """
    if chosen and not path.is_file():
        return chosen
    with reading(describe), open_bytes(path) as stream:
        sample = stream.read(SAMPLE_BYTES)
    if packed := packed_hint(sample, describe):
        if required:
            raise LoadError(f"{packed}; no --format reads it as it is")
        return None
    if chosen:
        return chosen
    utf_16 = sample.startswith((b"\xff\xfe", b"\xfe\xff"))
    if not required and (utf_16 or not sample.strip()):
        return None
    if not sample.strip():
        raise LoadError(f"{describe} is empty")
    if utf_16:
        raise LoadError(f"{describe} is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8 {path.name} > facts.txt")
    scores = [format.fits(sample, str(path)) for format in FORMATS]
    best = max(scores)
    if best >= ENOUGH:
        return FORMATS[scores.index(best)]
    if required:
        if reason := hint(sample, describe):
            raise LoadError(f"{reason}; or give --format: {', '.join(format.name for format in FORMATS)}")
        raise LoadError(f"can't tell what {describe} is; give --format with one of: {listing()}")
    return None
