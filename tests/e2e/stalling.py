"""A proxy before a real server that stops passing on its answers: a client is caught in the middle of a read."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit


class StallingProxy:
    """Passes bytes on between clients and a server, until the server has sent so many; then its answers stay away.

    :ivar uri: what a client connects to
    :ivar stalled: set once an answer was held back
    """

    def __init__(self, server_uri: str, after_bytes: int) -> None:
        address = urlsplit(server_uri)
        self._server = (address.hostname or "127.0.0.1", address.port or 7687)
        self._left = after_bytes
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.uri = f"bolt://127.0.0.1:{self._listener.getsockname()[1]}"
        self.stalled = threading.Event()

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for opened in (self._listener, *self._sockets):
            with suppress(OSError):  # the other end was quicker
                # While a thread reads it, a closed socket stays open, and with it the server's transaction.
                opened.shutdown(socket.SHUT_RDWR)
            opened.close()

    def _accept(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._server)
                self._sockets += (client, server)
                for way in ((client, server, False), (server, client, True)):
                    threading.Thread(target=self._pass_on, args=way, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, is_answer: bool) -> None:
        with suppress(OSError):  # either end was closed
            while block := source.recv(65_536):
                if is_answer:
                    with self._lock:
                        block, rest = block[: self._left], block[self._left :]
                        self._left -= len(block)
                    if rest:
                        self.stalled.set()
                target.sendall(block)
