"""Jars come from a real Maven repository on this machine, with tiny jars."""

from __future__ import annotations

import base64
import hashlib
import logging
import os
import socket
import threading
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from kgqa_graphdb.errors import ServerError
from kgqa_graphdb.managed import jars, server
from kgqa_graphdb.managed.fetch import fetch, missing_jars
from kgqa_graphdb.managed.java import Java
from kgqa_graphdb.managed.lock import Lock, LockedJar

CONTENTS = {f"jar{i}-1.0.jar": os.urandom(1000 + i) for i in range(20)}


class Repository(ThreadingHTTPServer):
    """A Maven repository on loopback that counts what is asked of it and can fail in several ways."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: Counter[str] = Counter()
        self.files = dict(CONTENTS)
        self.cut_off: Counter[str] = Counter()  # how often to break off in the middle of a file
        self.password = ""  # without it, nothing is given
        self.address = f"http://127.0.0.1:{self.server_port}/maven"


class Handler(BaseHTTPRequestHandler):
    server: Repository

    def do_GET(self) -> None:
        name = self.path.rpartition("/")[2]
        assert self.path == f"/maven/org/example/{name.removesuffix('-1.0.jar')}/1.0/{name}"
        self.server.asked[name] += 1
        given = base64.b64decode(self.headers.get("Authorization", "").removeprefix("Basic ")).decode()
        if self.server.password and given != f"ann:{self.server.password}":
            self.send_error(401)
            return
        content = self.server.files.get(name)
        if content is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.server.cut_off[name] > 0:
            self.server.cut_off[name] -= 1
            self.wfile.write(content[: len(content) // 2])
            self.close_connection = True
            return
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def repository() -> Iterator[Repository]:
    with Repository() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def lock() -> Lock:
    jars = []
    for name, content in CONTENTS.items():
        artifact = name.removesuffix("-1.0.jar")
        jars.append(LockedJar("org.example", artifact, "1.0", "", hashlib.sha256(content).hexdigest(), len(content)))
    return Lock("5.26.0", tuple(jars))


@pytest.fixture
def nowhere() -> str:
    """An address where nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/maven"


def jars_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


def test_fetch_brings_every_jar_and_counts_its_bytes(repository: Repository, lock: Lock, tmp_path: Path) -> None:
    calls: list[tuple[int, int | None]] = []
    fetch(
        lock,
        tmp_path,
        repository=repository.address,
        progress=lambda stage, done, total: calls.append((done, total)),
    )
    assert jars_in(tmp_path) == CONTENTS
    assert calls[0] == (0, lock.size)
    assert calls[-1] == (lock.size, lock.size)
    assert calls == sorted(calls)


def test_a_second_fetch_needs_no_network(repository: Repository, lock: Lock, nowhere: str, tmp_path: Path) -> None:
    fetch(lock, tmp_path, repository=repository.address)
    fetch(lock, tmp_path, repository=nowhere)
    assert set(repository.asked.values()) == {1}


def test_without_network_one_sentence_says_what_to_do(lock: Lock, nowhere: str, tmp_path: Path) -> None:
    with pytest.raises(ServerError) as error:
        fetch(lock, tmp_path, repository=nowhere)
    message = str(error.value)
    assert "can't be reached" in message
    assert nowhere in message
    assert "NEO4J_URI" in message
    assert "\n" not in message
    assert jars_in(tmp_path) == {}


def test_a_wrong_checksum_is_refused_by_name_and_the_jar_is_not_kept(
    repository: Repository, lock: Lock, tmp_path: Path
) -> None:
    repository.files["jar7-1.0.jar"] = b"x" * len(CONTENTS["jar7-1.0.jar"])
    with pytest.raises(ServerError, match=r"jar7-1\.0\.jar .*wrong checksum"):
        fetch(lock, tmp_path, repository=repository.address)
    assert "jar7-1.0.jar" not in jars_in(tmp_path)
    assert all(CONTENTS[name] == content for name, content in jars_in(tmp_path).items())


def test_an_endless_jar_is_refused_before_it_fills_the_disk(repository: Repository, lock: Lock, tmp_path: Path) -> None:
    repository.files["jar3-1.0.jar"] = CONTENTS["jar3-1.0.jar"] + bytes(5_000_000)
    with pytest.raises(ServerError, match=r"jar3-1\.0\.jar .*wrong checksum"):
        fetch(lock, tmp_path, repository=repository.address)


def test_a_fetch_cut_off_half_way_goes_on_with_what_is_missing(
    repository: Repository, lock: Lock, tmp_path: Path
) -> None:
    gone = repository.files.pop("jar19-1.0.jar")
    (tmp_path / "jar5-1.0.jar.part").write_bytes(b"half of a jar, left by a process that was killed")
    with pytest.raises(ServerError, match=r"answered 404 for org\.example:jar19:1\.0"):
        fetch(lock, tmp_path, repository=repository.address)
    kept = set(jars_in(tmp_path))
    assert not [name for name in kept if name.endswith(".part")]

    repository.files["jar19-1.0.jar"] = gone
    repository.asked.clear()
    fetch(lock, tmp_path, repository=repository.address)
    assert jars_in(tmp_path) == CONTENTS
    assert set(repository.asked) == set(CONTENTS) - kept


def test_a_connection_that_breaks_in_the_middle_of_a_jar_is_tried_again(
    repository: Repository, lock: Lock, tmp_path: Path
) -> None:
    repository.cut_off["jar4-1.0.jar"] = 2
    calls: list[int] = []
    fetch(lock, tmp_path, repository=repository.address, progress=lambda stage, done, total: calls.append(done))
    assert jars_in(tmp_path) == CONTENTS
    assert repository.asked["jar4-1.0.jar"] == 3
    assert calls[-1] == lock.size

    (tmp_path / "jar4-1.0.jar").unlink()
    repository.cut_off["jar4-1.0.jar"] = 100
    with pytest.raises(ServerError, match=r"can't be reached \(19 of 20 files are here\)"):
        fetch(lock, tmp_path, repository=repository.address)


def test_a_jar_of_the_wrong_size_counts_as_missing(repository: Repository, lock: Lock, tmp_path: Path) -> None:
    fetch(lock, tmp_path, repository=repository.address)
    (tmp_path / "jar2-1.0.jar").write_bytes(b"cut")
    assert [jar.artifact for jar in missing_jars(lock, tmp_path)] == ["jar2"]
    fetch(lock, tmp_path, repository=repository.address)
    assert jars_in(tmp_path) == CONTENTS


def test_a_jar_with_one_bit_flipped_counts_as_missing_and_is_fetched_again(
    repository: Repository, lock: Lock, tmp_path: Path
) -> None:
    fetch(lock, tmp_path, repository=repository.address)
    assert missing_jars(lock, tmp_path) == []
    damaged = tmp_path / "jar2-1.0.jar"
    before = damaged.stat()
    flipped = bytearray(damaged.read_bytes())
    flipped[500] ^= 1
    damaged.write_bytes(flipped)
    os.utime(damaged, ns=(before.st_atime_ns, before.st_mtime_ns))  # as some copies keep it
    assert damaged.stat().st_mtime_ns == before.st_mtime_ns
    assert [jar.artifact for jar in missing_jars(lock, tmp_path)] == ["jar2"]
    fetch(lock, tmp_path, repository=repository.address)
    assert jars_in(tmp_path) == CONTENTS
    assert missing_jars(lock, tmp_path) == []


def test_a_start_fetches_a_flipped_jar_again_or_is_refused(
    repository: Repository, lock: Lock, nowhere: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "load_lock", lambda version: lock)
    java: list[str] = []

    def no_java(version: str) -> Java:
        java.append(version)
        raise ServerError("no Java for this test")

    monkeypatch.setattr(server, "find_java", no_java)
    folder = tmp_path / "jars"
    fetch(lock, folder, repository=repository.address)
    damaged = folder / "jar2-1.0.jar"
    flipped = bytearray(CONTENTS[damaged.name])
    flipped[500] ^= 1
    damaged.write_bytes(flipped)
    managed = server.ManagedServer(tmp_path / "home", jars=folder)

    monkeypatch.setenv("KGQA_MAVEN_REPOSITORY", nowhere)
    with pytest.raises(ServerError, match=r"can't be reached \(19 of 20 files are here\)"):
        managed.start()
    assert java == []

    monkeypatch.setenv("KGQA_MAVEN_REPOSITORY", repository.address)
    with pytest.raises(ServerError, match="no Java for this test"):
        managed.start()
    assert jars_in(folder) == CONTENTS


def test_what_was_hashed_is_hashed_again_only_when_it_changed(
    repository: Repository, lock: Lock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    real = jars._sha256
    monkeypatch.setattr(jars, "_sha256", lambda path: hashed.append(path.name) or real(path))
    fetch(lock, tmp_path, repository=repository.address)
    assert missing_jars(lock, tmp_path) == []
    assert sorted(hashed) == sorted(CONTENTS)
    hashed.clear()
    assert missing_jars(lock, tmp_path) == []
    assert hashed == []
    (tmp_path / "jar7-1.0.jar").touch()
    assert missing_jars(lock, tmp_path) == []
    assert hashed == ["jar7-1.0.jar"]
    hashed.clear()
    for record in ("no JSON", "[]", '{"jar7-1.0.jar": 7}'):
        jars.record_of(tmp_path).write_text(record)
        assert missing_jars(lock, tmp_path) == []
    assert len(hashed) == 3 * len(CONTENTS)
    other = replace(lock, jars=tuple(replace(jar, sha256="0" * 64) for jar in lock.jars))
    assert missing_jars(other, tmp_path) == list(other.jars)


def test_only_the_jars_of_the_lock_are_linked(repository: Repository, lock: Lock, tmp_path: Path) -> None:
    folder, lib = tmp_path / "jars", tmp_path / "lib"
    fetch(lock, folder, repository=repository.address)
    (folder / "evil-1.0.jar").write_bytes(b"x")
    lib.mkdir()
    (lib / "old-1.0.jar").symlink_to(folder / "evil-1.0.jar")
    (lib / "own-1.0.jar").write_bytes(b"x")
    (lib / "jar1-1.0.jar").write_bytes(b"x")
    (lib / "folder.jar").mkdir()
    for _ in range(2):
        jars.link_jars(lock, folder, lib)
        assert {path.name: path.read_bytes() for path in lib.iterdir()} == CONTENTS
        assert all(path.readlink() == folder / path.name for path in lib.iterdir())
    moved = folder.rename(tmp_path / "elsewhere")
    jars.link_jars(lock, moved, lib)
    assert {path.name: path.read_bytes() for path in lib.iterdir()} == CONTENTS


def test_a_repositorys_password_opens_it_and_is_shown_nowhere(
    repository: Repository, lock: Lock, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    repository.password = "se/cr@t"
    address = repository.address.replace("://", "://ann:se%2Fcr%40t@")
    gone = repository.files.pop("jar19-1.0.jar")
    with pytest.raises(ServerError, match="answered 404") as error:
        fetch(lock, tmp_path, repository=address)
    repository.files["jar19-1.0.jar"] = b"x" * len(gone)
    with pytest.raises(ServerError, match="wrong checksum") as other:
        fetch(lock, tmp_path, repository=address)
    repository.files["jar19-1.0.jar"] = gone
    fetch(lock, tmp_path, repository=address)
    assert jars_in(tmp_path) == CONTENTS
    shown = [caplog.text, *("".join(traceback.format_exception(one.value)) for one in (error, other))]
    assert not [text for text in shown if "se%2Fcr%40t" in text or "se/cr@t" in text]


def test_two_fetches_at_once_ask_for_each_jar_once(repository: Repository, lock: Lock, tmp_path: Path) -> None:
    threads = [
        threading.Thread(target=fetch, args=(lock, tmp_path), kwargs={"repository": repository.address})
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert jars_in(tmp_path) == CONTENTS
    assert set(repository.asked.values()) == {1}


def test_a_disk_too_small_is_refused_before_anything_is_fetched(repository: Repository, tmp_path: Path) -> None:
    huge = Lock("5.26.0", (LockedJar("org.example", "huge", "1.0", "", "0" * 64, 1 << 60),))
    with pytest.raises(ServerError, match=r"needs [\d,]+ MB, but the disk of .* has only [\d,]+ MB free"):
        fetch(huge, tmp_path, repository=repository.address)
    assert not repository.asked


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_disk_that_fills_up_is_one_sentence(repository: Repository, lock: Lock, tmp_path: Path) -> None:
    from kgqa_graphdb.managed.disk import disk_errors

    with (
        pytest.raises(ServerError, match=r"the disk of .* is full"),
        disk_errors(tmp_path),
        Path("/dev/full").open("w") as full,
    ):
        full.write("x" * 100_000)
