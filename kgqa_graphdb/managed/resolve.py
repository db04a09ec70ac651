"""Which Neo4j to use: the one that ``NEO4J_*`` variables name, else the managed one on this machine."""

from __future__ import annotations

from kgqa_graphdb.errors import ServerError
from kgqa_graphdb.managed.connection import Connection, connection_from_environment
from kgqa_graphdb.managed.fetch import Progress, silent
from kgqa_graphdb.managed.server import ManagedServer


def resolve_connection(start: bool = True, progress: Progress = silent) -> Connection:
    """The server to use. ``NEO4J_*`` variables always win, and then no local server is touched.

    :param start: fetch and start the managed server when it does not run (a few ms when it does)
    :param progress: called with what is being done meanwhile
    :raises ServerError: the managed server does not run and ``start`` is false, or it can't be started
    """
    if (named := connection_from_environment()) is not None:
        return named
    server = ManagedServer()
    if (running := server.connection()) is not None:
        return running
    if not start:
        raise ServerError("no Neo4j: the local server is not running (kgqa db start) and NEO4J_URI is not set")
    return server.start(progress)
