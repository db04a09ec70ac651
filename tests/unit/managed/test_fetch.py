"""Jars come from a real Maven repository on this machine, with tiny jars."""

from __future__ import annotations

import hashlib
import os
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from kgqa_graphdb.errors import ServerError
from kgqa_graphdb.managed.fetch import fetch, missing_jars
from kgqa_graphdb.managed.lock import Lock, LockedJar

CONTENTS = {f"jar{i}-1.0.jar": os.urandom(1000 + i) for i in range(20)}


class Repository(ThreadingHTTPServer):
    """A Maven repository on loopback that counts what is asked of it and can fail in several ways."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: Counter[str] = Counter()
        self.files = dict(CONTENTS)
        self.cut_off: Counter[str] = Counter()  # how often to break off in the middle of a file
        self.address = f"http://127.0.0.1:{self.server_port}/maven"


class Handler(BaseHTTPRequestHandler):
    server: Repository

    def do_GET(self) -> None:
        name = self.path.rpartition("/")[2]
        assert self.path == f"/maven/org/example/{name.removesuffix('-1.0.jar')}/1.0/{name}"
        self.server.asked[name] += 1
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
