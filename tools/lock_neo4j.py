"""Write the lock file of a Neo4j version: every jar it needs, with its sha256 and size.

    python tools/lock_neo4j.py 5.26.29

Resolves ``org.neo4j:neo4j:VERSION`` and Neo4j Browser with jgo, fetches every jar once, checks it against the SHA-1
that the repository publishes, and writes ``kgqa_graphdb/managed/neo4j-VERSION.lock``. Review the
difference and commit it.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from jgo.maven import MavenContext  # noqa: TID253  # a tool, not the package
from jgo.util import http  # noqa: TID253

from kgqa_graphdb.managed.lock import LockedJar, parse_lock

BROWSER = "org.neo4j.client:neo4j-browser:5.24.0"  # the newest that is published there; it serves both series
FOLDER = Path(__file__).parent.parent / "kgqa_graphdb" / "managed"


def locked(artifact: Any) -> LockedJar:
    """Fetch one jar and measure it; refuse it when the repository's own SHA-1 differs."""
    path = artifact.resolve()
    content = path.read_bytes()
    remote = next(iter(artifact.context.remote_repos.values()))
    published = http.get(f"{remote}/{artifact.component.path_prefix.as_posix()}/{artifact.filename}.sha1", timeout=60)
    published.raise_for_status()
    if hashlib.sha1(content).hexdigest() != published.text.split()[0]:  # noqa: S324  # what the repository publishes
        sys.exit(f"{path.name} does not match the repository's SHA-1; fetch it again")
    sha256 = hashlib.sha256(content).hexdigest()
    return LockedJar(artifact.groupId, artifact.artifactId, artifact.version, artifact.classifier, sha256, len(content))


def main() -> None:
    """Resolve, fetch, hash, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("version", help="a Neo4j version, such as 5.26.29")
    parser.add_argument("--cache", type=Path, help="Maven repository cache to use and keep; default: a temporary one")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        context = MavenContext(repo_cache=given.cache or Path(temporary), timeout=60)
        wanted = [context.create_dependency(c) for c in (f"org.neo4j:neo4j:{given.version}", BROWSER)]
        inputs, transitive = context.resolver.resolve(wanted)
        found = [*inputs, *(d for d in transitive if d.scope in ("compile", "runtime"))]
        with ThreadPoolExecutor(8) as pool:
            jars = sorted(
                set(pool.map(lambda dependency: locked(dependency.artifact), found)), key=lambda j: j.coordinate
            )
    text = f"# Neo4j {given.version} and Neo4j Browser; written by tools/lock_neo4j.py\n"
    text += "".join(f"{jar.line}\n" for jar in jars)
    lock = parse_lock(given.version, text)
    (FOLDER / f"neo4j-{given.version}.lock").write_text(text, encoding="utf-8")
    print(f"{len(lock.jars)} jars, {lock.size / 1e6:.0f} MB")  # noqa: T201


if __name__ == "__main__":
    main()
