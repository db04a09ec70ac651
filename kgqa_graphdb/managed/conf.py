"""``conf/neo4j.conf``: written once with what suits this machine; afterwards it is the user's to edit."""

from __future__ import annotations

import random
import re
import socket
from dataclasses import dataclass
from pathlib import Path

from kgqa_graphdb.errors import ServerError

LOOPBACK = "127.0.0.1"
BOLT = "server.bolt.listen_address"
HTTP = "server.http.listen_address"
LIB = "server.directories.lib"
NO_NETWORK = "internal.dbms.cypher_ip_blocklist"
EVERYWHERE = "0.0.0.0/0,::/0"
"""What :data:`NO_NETWORK` is set to: statements fetch nothing from any address."""

GIB = 1 << 30
MIB = 1 << 20

# Below the ports that systems hand out for outgoing connections (from 32768 on Linux), which would take ours at times.
PORTS = range(20_000, 30_000)


@dataclass(frozen=True, slots=True)
class Memory:
    """Sizes in MiB."""

    heap: int
    page_cache: int


def fitting_memory(total: int) -> Memory:
    """A quarter of the machine for the heap, an eighth for the page cache, within 0.5–4 and 0.25–2 GiB.

    :param total: bytes of memory that this process may use
    """
    heap = min(max(total // 4, GIB // 2), 4 * GIB)
    page_cache = min(max(total // 8, GIB // 4), 2 * GIB)
    return Memory(heap // MIB, page_cache // MIB)


def machine_memory() -> int:
    """Bytes of memory of this machine, or of the container that it is."""
    import psutil

    total: int = psutil.virtual_memory().total
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
    except OSError:
        return total
    return min(total, int(limit)) if limit.isdigit() else total


def initial_conf(bolt_port: int, http_port: int, lib: Path, memory: Memory) -> str:
    """The settings of a new server."""
    return f"""\
# Settings of the Neo4j server that kgqa manages. Written once: what you change here stays, and counts from the next
# start on (kgqa db stop, kgqa db start). All settings: https://neo4j.com/docs/operations-manual/5/configuration/

# This machine only.
server.default_listen_address={LOOPBACK}
{BOLT}={LOOPBACK}:{bolt_port}
server.bolt.advertised_address={LOOPBACK}:{bolt_port}
{HTTP}={LOOPBACK}:{http_port}
server.http.advertised_address={LOOPBACK}:{http_port}
server.https.enabled=false

# LOAD CSV reads from neither files nor the network.
server.directories.import=import
dbms.security.allow_csv_import_from_file_urls=false
{NO_NETWORK}={EVERYWHERE}

# What Neo4j's own packages give Java.
server.jvm.additional=-XX:+UseG1GC
server.jvm.additional=-XX:-OmitStackTraceInFastThrow
server.jvm.additional=-XX:+DisableExplicitGC
server.jvm.additional=-Djdk.nio.maxCachedBufferSize=1024
server.jvm.additional=-Dio.netty.tryReflectionSetAccessible=true
server.jvm.additional=-Dlog4j2.disable.jmx=true
server.jvm.additional=--add-opens=java.base/java.nio=ALL-UNNAMED
server.jvm.additional=--add-opens=java.base/java.io=ALL-UNNAMED
server.jvm.additional=--add-opens=java.base/sun.nio.ch=ALL-UNNAMED

# Stop in a second, not in ten.
internal.dbms.bolt.netty_server_shutdown_quiet_period=0

# The program; kept up to date by kgqa.
{LIB}={escaped(lib)}

# A part of this machine's memory; raise these for big graphs.
server.memory.heap.initial_size={min(memory.heap, 512)}m
server.memory.heap.max_size={memory.heap}m
server.memory.pagecache.size={memory.page_cache}m

# Or transaction logs grow to gigabytes, and a new server's empty ones take 512 MiB.
db.tx_log.rotation.retention_policy=256M size
db.tx_log.rotation.size=32M
db.tx_log.preallocate=false

# Neither the server nor its Browser reports how they are used.
dbms.usage_report.enabled=false
client.allow_telemetry=false
"""


def escaped(path: Path) -> str:
    """A path as a value of a settings file, where a backslash escapes."""
    return path.as_posix()


def read_conf(text: str) -> dict[str, str]:
    """The settings of a ``neo4j.conf``; comments and empty lines left out."""
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line and not line.lstrip().startswith("#"))
    return {key.strip(): value.strip() for key, _, value in pairs}


def with_setting(text: str, key: str, value: str) -> str:
    """The settings with one value changed in its place, or added at the end; every other character stays."""
    line = f"{key}={value}"
    changed, count = re.subn(rf"^[ \t]*{re.escape(key)}[ \t]*=.*$", lambda _: line, text, count=1, flags=re.MULTILINE)
    return changed if count else f"{text.rstrip()}\n{line}\n"


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where a client on this machine reaches the server; ``http_port`` ``None``: the user switched HTTP off."""

    host: str
    bolt_port: int
    http_port: int | None

    @property
    def uri(self) -> str:
        """For drivers."""
        return f"bolt://{self.host}:{self.bolt_port}"

    @property
    def browser(self) -> str | None:
        """Neo4j Browser; ``None`` without HTTP."""
        return f"http://{self.host}:{self.http_port}/browser/" if self.http_port else None


def addresses(settings: dict[str, str]) -> Addresses:
    """Read the addresses from the settings, as Neo4j reads them: ``host:port``, ``:port`` or ``host``.

    :raises ServerError: a port is not a number
    """
    default_host = settings.get("server.default_listen_address", "localhost")
    bolt_host, bolt_port = _address(settings, BOLT, default_host, 7687)
    _, http_port = _address(settings, HTTP, default_host, 7474)
    served = settings.get("server.http.enabled", "true").lower() == "true"
    everywhere = bolt_host in ("0.0.0.0", "::", "[::]")  # noqa: S104  # recognised, not bound
    return Addresses(LOOPBACK if everywhere else bolt_host, bolt_port, http_port if served else None)


def _address(settings: dict[str, str], key: str, host: str, port: int) -> tuple[str, int]:
    value = settings.get(key, "")
    match = re.fullmatch(r"(?P<host>\[[^\]]*\]|[^:]*)(:(?P<port>[0-9]+))?", value)
    if match is None:
        raise ServerError(f"{key}={value} in conf/neo4j.conf is no address; write host:port, such as 127.0.0.1:7687")
    return match["host"] or host, int(match["port"] or port)


def port_is_free(port: int, host: str = LOOPBACK) -> bool:
    """Whether a server could listen there now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port of a server just stopped is free
        try:
            probe.bind((host.strip("[]"), port))
        except OSError:
            return False
    return True


def free_ports(count: int) -> list[int]:
    """Distinct ports that nothing listens on, chosen at random, so that two servers made at once differ.

    :raises ServerError: there are not that many
    """
    found: list[int] = []
    for port in random.sample(PORTS, k=500):
        if port_is_free(port):
            found.append(port)
            if len(found) == count:
                return found
    raise ServerError(f"no free port between {PORTS.start} and {PORTS.stop}; set {BOLT} and {HTTP} in conf/neo4j.conf")
