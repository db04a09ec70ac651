"""A Neo4j of our own on this machine: fetched once, checked, started when needed, stopped and removed at will."""

from __future__ import annotations

from kgqa_graphdb.managed.connection import Connection, connection_from_environment
from kgqa_graphdb.managed.fetch import Progress
from kgqa_graphdb.managed.resolve import resolve_connection
from kgqa_graphdb.managed.server import ManagedServer, ServerStatus

__all__ = [
    "Connection",
    "ManagedServer",
    "Progress",
    "ServerStatus",
    "connection_from_environment",
    "resolve_connection",
]
