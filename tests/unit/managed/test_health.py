"""A server that is not up yet is asked again by us, not by the driver, whose retries take half a minute."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
from neo4j.exceptions import DriverError

from kgqa_graphdb.managed.health import database_states


@pytest.fixture
def closing() -> Iterator[str]:
    """The address of a server that takes connections and closes them, as Neo4j does while it starts."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    server.accept()[0].close()
                except OSError:
                    return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"bolt://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
    thread.join()


def test_a_server_that_closes_its_connections_is_known_to_be_down_at_once(closing: str) -> None:
    began = time.monotonic()
    with pytest.raises(DriverError):
        database_states(closing, ("neo4j", "password"))
    assert time.monotonic() - began < 5


def test_a_port_that_nobody_listens_on_is_known_at_once() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    began = time.monotonic()
    with pytest.raises(DriverError):
        database_states(f"bolt://127.0.0.1:{port}", ("neo4j", "password"))
    assert time.monotonic() - began < 5
