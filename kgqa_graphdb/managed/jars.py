"""Which jars of a lock are here and whole, and the folder that puts these and no others on Java's class path."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
from pathlib import Path

from kgqa_graphdb.managed.layout import write_atomically
from kgqa_graphdb.managed.lock import Lock, LockedJar

log = logging.getLogger(__name__)


def record_of(folder: Path) -> Path:
    """The file that says which jars of a folder were hashed, and when they had changed last; beside the folder."""
    return folder.with_name(f"{folder.name}.verified.json")


def missing_jars(lock: Lock, folder: Path) -> list[LockedJar]:
    """The jars that are not in the folder with the bytes that the lock names.

    To hash them all takes up to half a second, so each is hashed once, and again when its size or its times change.
    """
    known = _read_record(folder)
    now: dict[str, list[object]] = {}
    for jar in lock.jars:
        path = folder / jar.file_name
        try:
            stat = path.stat()
        except (FileNotFoundError, NotADirectoryError):
            continue
        # A copy may keep the time of its content; the time of its inode it can't.
        stamp = [stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size, jar.sha256]
        if known.get(jar.file_name) == stamp or (stat.st_size == jar.size and _sha256(path) == jar.sha256):
            now[jar.file_name] = stamp
    if now != known:
        try:
            write_atomically(record_of(folder), json.dumps(now))
        except OSError as error:  # a folder that others own: then the jars are hashed each time
            log.debug("what was verified is not recorded: %s", error)
    return [jar for jar in lock.jars if jar.file_name not in now]


def _read_record(folder: Path) -> dict[str, list[object]]:
    try:
        found = json.loads(record_of(folder).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def link_jars(lock: Lock, folder: Path, lib: Path) -> None:
    """Make ``lib`` a folder of links to the lock's jars and nothing else, whatever lies beside them in ``folder``."""
    wanted = {jar.file_name: str(folder / jar.file_name) for jar in lock.jars}
    lib.mkdir(exist_ok=True)
    for entry in lib.iterdir():
        if entry.is_symlink() and wanted.get(entry.name) == str(entry.readlink()):
            del wanted[entry.name]
        elif entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    for name, target in wanted.items():
        (lib / name).symlink_to(target)
