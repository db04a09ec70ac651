"""Addresses that can't be used are refused before the driver sees them, and what is secret in them is not shown."""

from __future__ import annotations

import asyncio
import logging
import traceback

import pytest

from kgqa_graphdb.errors import ConnectionFailedError
from kgqa_graphdb.managed import Connection
from kgqa_graphdb.runtime.driver import open_async_driver, open_driver

SECRET = "s3cr3t"
ADDRESSES = [
    f"bolt://neo4j:{SECRET}@127.0.0.1:9",
    f"neo4j+s://{SECRET}@db.example",
    f"bolt://neo4j:p@{SECRET}@127.0.0.1:9",
    f"bolt://neo4j:{SECRET}/w@127.0.0.1:9",
    f"bolt://neo4j:{SECRET}#w?@127.0.0.1:9/x",
    f"bolt://neo4j:{SECRET} w@[::1]:9",
    f"http://neo4j:{SECRET}@127.0.0.1:7474",
    f"neo4j:{SECRET}@127.0.0.1:9",
    f"BOLT://neo4j:%{SECRET}@127.0.0.1:9",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_password_in_an_address_is_refused_with_its_cure_and_shown_nowhere(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    connection = Connection(address, "neo4j", "")
    with pytest.raises(ConnectionFailedError, match=r"\*\*\*@") as error:
        open_driver(connection)
    with pytest.raises(ConnectionFailedError, match=r"\*\*\*@") as other:
        asyncio.run(open_async_driver(connection))
    shown = [*("".join(traceback.format_exception(one.value)) for one in (error, other)), caplog.text, repr(connection)]
    assert not [text for text in shown if SECRET in text]
    if "://" in address and not address.startswith("http"):
        assert "NEO4J_PASSWORD" in str(error.value)
