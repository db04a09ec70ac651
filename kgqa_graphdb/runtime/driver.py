"""The edge to the Neo4j driver: opening it, its errors as ours, its values as ours and ours as its."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any, Protocol

import neo4j
from neo4j import exceptions as driver_errors
from neo4j.graph import Node as DriverNode
from neo4j.graph import Path as DriverPath
from neo4j.graph import Relationship as DriverRelationship
from neo4j.spatial import WGS84Point
from neo4j.time import Date as DriverDate
from neo4j.time import DateTime as DriverDateTime

from kgqa_graphdb.errors import ConnectionFailedError, CypherError, ReadTimeoutError, masked
from kgqa_graphdb.types import Point, RawEdge, RawNode


class Credentials(Protocol):
    """Where a server is, who asks, and what to do where it can't be reached."""

    @property
    def uri(self) -> str: ...
    @property
    def auth(self) -> tuple[str, str] | None: ...
    @property
    def cure(self) -> str: ...


_CURE = "is it running? Of the local server tells: kgqa db status"
logging.getLogger("neo4j").addHandler(logging.NullHandler())  # or it prints what our errors say, too
_ANEW = "start it (kgqa db start, if it is kgqa's own: that says what is wrong with it, too)"
# The driver reports what the server thinks of a statement as log warnings; a label that no graph has yet is no news.
_DRIVER_OPTIONS: dict[str, Any] = {"notifications_min_severity": "OFF", "connection_timeout": 10.0}
_SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


def _check_address(uri: str) -> None:
    """Newer drivers take HTTP addresses for something else, and ask for further packages. The driver takes no user or
    password in an address either, and may quote a part of it in its error.

    :raises ConnectionFailedError: the address is none of Neo4j's, or has a user or a password in it
    """
    scheme = uri.partition("://")[0].lower()
    if scheme not in _SCHEMES:
        raise ConnectionFailedError(
            f"{masked(uri)!r} is not a usable Neo4j address; it begins with neo4j://, bolt:// or, encrypted, neo4j+s://"
        )
    if masked(uri) != uri:
        raise ConnectionFailedError(
            f"{masked(uri)!r} has a user or a password in it; take them out, and set NEO4J_USERNAME and NEO4J_PASSWORD"
        )


def open_driver(connection: Credentials) -> neo4j.Driver:
    """Open a driver and see that it answers.

    :raises ConnectionFailedError: the server can't be reached or refuses the credentials
    """
    _check_address(connection.uri)
    with translated_errors(connection.uri, connection.cure):
        driver = neo4j.GraphDatabase.driver(connection.uri, auth=connection.auth, **_DRIVER_OPTIONS)
        try:
            driver.verify_connectivity()
        except BaseException:
            driver.close()
            raise
    return driver


async def open_async_driver(connection: Credentials) -> neo4j.AsyncDriver:
    """As :func:`open_driver`, for asyncio."""
    _check_address(connection.uri)
    with translated_errors(connection.uri, connection.cure):
        driver = neo4j.AsyncGraphDatabase.driver(connection.uri, auth=connection.auth, **_DRIVER_OPTIONS)
        try:
            await driver.verify_connectivity()
        except BaseException:
            await driver.close()
            raise
    return driver


def has_failed(error: driver_errors.Neo4jError) -> bool:
    """Whether an error means that the database itself has failed, so that nothing works until it is started anew."""
    code, message = error.code or "", error.message or ""
    return "critical error, and needs to be restarted" in message or any(
        word in code for word in ("TransactionLogError", "TransactionCommitFailed")
    )


def failed_database(where: str, error: driver_errors.Neo4jError) -> str:
    """What to say of a database that has failed: what the server gave as the reason, and what is mostly behind it."""
    message = " ".join((error.message or "").split())[:300]
    return f"the database at {where} has failed, mostly because its disk is full ({message} {error.code})"


@contextmanager
def translated_errors(where: str, cure: str = _CURE) -> Iterator[None]:
    """Turn the driver's errors into ours.

    :param cure: what to do where the server can't be reached
    """
    try:
        yield
    except driver_errors.AuthError as error:
        raise ConnectionFailedError(
            f"{where} refuses the user name or password; set NEO4J_USERNAME and NEO4J_PASSWORD ({error.code})"
        ) from error
    except driver_errors.ConfigurationError as error:
        raise ConnectionFailedError(f"{where} is not a usable Neo4j address: {error}") from error
    except (driver_errors.ServiceUnavailable, driver_errors.SessionExpired) as error:
        raise ConnectionFailedError(f"can't reach Neo4j at {where}; {cure}") from error
    except driver_errors.Neo4jError as error:
        code = error.code or ""
        if has_failed(error):
            raise ConnectionFailedError(f"{failed_database(where, error)}; free some space, then {_ANEW}") from error
        if "DatabaseUnavailable" in code:
            raise ConnectionFailedError(
                f"the database at {where} starts, stops or has failed ({error.message}); {_ANEW}"
            ) from error
        if "TransactionTimedOut" in code:
            raise ReadTimeoutError(f"a statement ran out of time ({error.message})") from error
        if "DatabaseNotFound" in code:
            raise ConnectionFailedError(f"{where}: {error.message}; set NEO4J_DATABASE") from error
        raise CypherError(f"Neo4j refused a statement: {error.message} ({code})") from error
    except driver_errors.DriverError as error:
        raise ConnectionFailedError(f"the connection to {where} broke: {error}; {cure}") from error
    except (OSError, ValueError) as error:  # an address that no resolver knows, a malformed URI
        raise ConnectionFailedError(f"can't reach Neo4j at {where}: {error}; {cure}") from error


_PLAIN = frozenset({str, int, float, bool, type(None)})


def plain_row(record: neo4j.Record) -> list[Any]:
    """The values of a record without the driver's own classes; where it can't hold one, a record itself gives none."""
    return [plain(value) for value in tuple.__iter__(record)]


def plain(value: Any) -> Any:
    """A returned value without the driver's own classes; the values of lists alike."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list):
        return value if _PLAIN.issuperset(map(type, value)) else [plain(v) for v in value]
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, DriverNode):
        return RawNode(value.element_id, tuple(sorted(value.labels)), {k: plain(v) for k, v in value.items()})
    if isinstance(value, DriverRelationship):
        start, end = value.nodes
        if start is None or end is None:  # the driver knows both ends of whatever a server sends
            raise CypherError(f"relationship {value.element_id} came without its nodes")
        properties = {k: plain(v) for k, v in value.items()}
        return RawEdge(value.type, start.element_id, end.element_id, properties)
    if isinstance(value, DriverPath):
        return [*(plain(node) for node in value.nodes), *(plain(edge) for edge in value.relationships)]
    if isinstance(value, DriverDate | DriverDateTime):
        return value.to_native()
    if isinstance(value, WGS84Point):
        return Point(value.longitude, value.latitude)
    if type(value).__name__ == "BrokenHydrationObject":  # the driver's, for what its own classes can't hold
        return _far_moment(value.raw_data.fields[0], value.raw_data.tag, value.error)
    return value if isinstance(value, date | bytes) else str(value)


_EPOCH, _DAYS_OF_400_YEARS = 719_468, 146_097
"""Days from 0000-03-01 to 1970-01-01; the calendar repeats itself every 400 years."""


def _far_moment(since: Any, tag: bytes, error: Exception) -> str:
    """A moment outside the years 1 to 9999, which Python's dates can't hold, as Neo4j writes it: ``-0044-03-15``.

    :param since: days from 1970-01-01 of a date (tag ``D``), else seconds
    :raises CypherError: it is no moment
    """
    if tag not in (b"D", b"d", b"I", b"i", b"F", b"f"):
        raise CypherError(f"Neo4j sent a value that can't be read: {error}") from error
    days, seconds = (since, 0) if tag == b"D" else divmod(since, 86_400)
    cycle, day = divmod(days + _EPOCH, _DAYS_OF_400_YEARS)
    day_of = date(2000, 3, 1) + timedelta(days=day)  # a year like that one, 400 years on
    year = day_of.year - 2000 + 400 * cycle
    text = f"{'+' if year > 9_999 else ''}{year:0{4 + (year < 0)}d}-{day_of:%m-%d}"
    return text if tag == b"D" else f"{text}T{timedelta(seconds=seconds)!s:0>8}"


def driver_parameters(parameters: Mapping[str, object]) -> dict[str, Any]:
    """Parameters as the driver takes them."""
    return {name: _driver_value(value) for name, value in parameters.items()}


_NOT_PLAIN = (Point, list)
"""Made once: a union made for each of hundreds of thousands of items takes longer than looking at them."""


def _driver_value(value: object) -> Any:
    if isinstance(value, Point):
        return WGS84Point((value.longitude, value.latitude))
    if isinstance(value, list) and any(isinstance(item, _NOT_PLAIN) for item in value):
        return [_driver_value(item) for item in value]
    return value
