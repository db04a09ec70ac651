"""Fetch the locked jars of Neo4j from a Maven repository, each checked before it gets its final name."""

from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit, urlunsplit

from kgqa_graphdb.errors import MissingExtraError, ServerError, masked
from kgqa_graphdb.managed.disk import disk_errors, require_space
from kgqa_graphdb.managed.jars import missing_jars
from kgqa_graphdb.managed.lock import Lock, LockedJar

THREADS = 12
"""Jars fetched side by side; most are small, so the round trips count, not the bytes."""

TIMEOUT_S = 30.0
ATTEMPTS = 3


class Progress(Protocol):
    """Hears what is being done: a stage in words and, where it can be counted, bytes done and bytes in all."""

    def __call__(self, stage: str, done: int = 0, total: int | None = None) -> None: ...


def silent(stage: str, done: int = 0, total: int | None = None) -> None:
    """The progress of a caller who wants none."""


def fetch(lock: Lock, folder: Path, *, repository: str | None = None, progress: Progress = silent) -> None:
    """Bring all jars of a lock into a folder; what is there already is not fetched again, and nothing else is asked.

    Two processes may do this at once: one fetches, the other waits and finds the jars there.

    :param folder: where the jars lie; shared by all servers of this version
    :param repository: address of a Maven repository, a mirror say; ``None``: Maven Central
    :raises ServerError: the repository can't be reached or lacks a jar, a checksum is wrong, the disk is full
    """
    if not missing_jars(lock, folder):
        return
    try:
        from filelock import FileLock
        from jgo.maven import MavenContext
    except ImportError as error:
        raise MissingExtraError(error.name or "jgo", "local") from error

    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / ".lock"):
            missing = missing_jars(lock, folder)
            if not missing:
                return
            for leftover in folder.glob("*.part"):  # of a fetch that was killed
                leftover.unlink()
            require_space(folder, sum(jar.size for jar in missing), f"fetching Neo4j {lock.version}")
            address, auth = _without_credentials(repository.rstrip("/")) if repository else ("", None)
            context = MavenContext(repo_cache=folder, remote_repos={"kgqa": address} if address else None)
            _Fetch(lock, folder, context, missing, progress, auth).run()


def _without_credentials(address: str) -> tuple[str, tuple[str, str] | None]:
    """An address, and apart from it the user and password in it, so that no error and no log of requests shows them."""
    parts = urlsplit(address)
    if parts.username is None:
        return address, None
    plain = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    return plain, (unquote(parts.username), unquote(parts.password or ""))


class _Fetch:
    """One run over the missing jars, by several threads; the first failure stops them all."""

    def __init__(
        self,
        lock: Lock,
        folder: Path,
        context: Any,
        missing: list[LockedJar],
        progress: Progress,
        auth: tuple[str, str] | None = None,
    ) -> None:
        self.lock, self.folder, self.context, self.missing, self.auth = lock, folder, context, missing, auth
        self.stage = f"Fetching Neo4j {lock.version}"
        self.done = lock.size - sum(jar.size for jar in missing)
        self.progress = progress
        self.counting = threading.Lock()
        self.stopped = threading.Event()
        self.sessions = threading.local()

    def run(self) -> None:
        """Fetch them all, or raise the first failure."""
        from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

        self.progress(self.stage, self.done, self.lock.size)
        pool = ThreadPoolExecutor(THREADS, thread_name_prefix="kgqa-fetch")
        try:
            # Big jars first, so that none of them is left for the end.
            futures = [pool.submit(self.fetch_jar, jar) for jar in sorted(self.missing, key=lambda jar: -jar.size)]
            finished, _ = wait(futures, return_when=FIRST_EXCEPTION)
            failures = [error for future in finished if (error := future.exception()) is not None]
        finally:  # also on Ctrl-C: the threads stop at their next block
            self.stopped.set()
            pool.shutdown(wait=True, cancel_futures=True)
        if failures:
            raise failures[0]

    def fetch_jar(self, jar: LockedJar) -> None:
        """Fetch one jar into a temporary file, check it, and give it its name."""
        import requests

        # jgo knows how a coordinate becomes an address; it only warns of a wrong checksum, so the bytes are ours.
        artifact = self.context.project(jar.group, jar.artifact).at_version(jar.version).artifact(jar.classifier)
        repository = next(iter(self.context.remote_repos.values()))
        url = f"{repository}/{artifact.component.path_prefix.as_posix()}/{artifact.filename}"
        part = self.folder / f"{jar.file_name}.part"
        for attempt in range(1, ATTEMPTS + 1):
            try:
                sha256 = self.download(url, part, jar)
            except requests.RequestException as error:
                if attempt < ATTEMPTS and isinstance(error, requests.exceptions.ChunkedEncodingError):
                    continue  # cut off in the middle: once more
                raise ServerError(self.unreachable(repository, jar, error)) from error
            if self.stopped.is_set():
                part.unlink(missing_ok=True)
                return
            if sha256 != jar.sha256:
                part.unlink()
                raise ServerError(
                    f"{jar.file_name} from {masked(url)} has the wrong checksum (sha256 {sha256}, the lock file says"
                    f" {jar.sha256}), so it was not kept; try again, or from another repository (KGQA_MAVEN_REPOSITORY)"
                )
            part.replace(self.folder / jar.file_name)
            return

    def download(self, url: str, part: Path, jar: LockedJar) -> str:
        """Write the bytes at an address to a file and on to the disk.

        :return: their sha256, hex
        """
        counted, digest = 0, hashlib.sha256()
        try:
            with self.session().get(url, stream=True, timeout=TIMEOUT_S) as response, part.open("wb") as file:
                response.raise_for_status()
                for block in response.iter_content(1 << 16):
                    if self.stopped.is_set() or counted > jar.size:  # longer than it may be: wrong anyway
                        break
                    file.write(block)
                    digest.update(block)
                    counted += len(block)
                    self.count(len(block))
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            part.unlink(missing_ok=True)
            self.count(-counted)
            raise
        return digest.hexdigest()

    def count(self, size: int) -> None:
        with self.counting:
            self.done += size
            self.progress(self.stage, self.done, self.lock.size)

    def session(self) -> Any:
        """One kept-alive connection a thread; too many requests and passing server errors are tried again."""
        import requests
        from requests.adapters import HTTPAdapter
        from urllib3.util.retry import Retry

        if not hasattr(self.sessions, "session"):
            session = requests.Session()
            retry = Retry(total=ATTEMPTS - 1, backoff_factor=0.3, status_forcelist=(429, 500, 502, 503, 504))
            for scheme in ("http://", "https://"):
                session.mount(scheme, HTTPAdapter(max_retries=retry))
            session.headers["Accept-Encoding"] = "identity"
            session.auth = self.auth
            self.sessions.session = session
        return self.sessions.session

    def unreachable(self, repository: str, jar: LockedJar, error: Exception) -> str:
        here = len(self.lock.jars) - len(missing_jars(self.lock, self.folder))
        response = getattr(error, "response", None)
        what = "can't be reached" if response is None else f"answered {response.status_code} for {jar.coordinate}"
        return (
            f"Neo4j {self.lock.version} can't be fetched, as the Maven repository {masked(repository)} {what} ({here}"
            f" of {len(self.lock.jars)} files are here): check the network and run this again, set"
            " KGQA_MAVEN_REPOSITORY to a mirror, or set NEO4J_URI to a server you have"
        )
