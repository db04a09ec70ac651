"""Every error this package raises on purpose.

KgqaError
├── UsageError               the call is wrong: an empty question, an impossible option
│   └── ConfigError          a mapping, relations or settings file is wrong
├── ConnectionFailedError    the server can't be reached, or refuses the credentials
├── ServerError              the managed server can't be fetched, started or stopped
├── CypherError              a statement failed on the server
│   ├── ReadTimeoutError     it ran out of time
│   └── ResultTooLargeError  it returned more than the caps allow
├── UnknownGraphError        no graph of that name
├── UnknownRelationError     no relation of that name in the graph
├── UnknownEntityError       no entity of that key or name in the graph
├── UnknownNameError         a label, property or index that the live schema does not have
├── DriftError               a mapping relies on what the live schema no longer has
├── MissingExtraError        an optional dependency is not installed
├── EncoderError             the text encoder can't be found, built or run
├── LanguageModelError       a language model can't be loaded, or fails
├── LoadError                a source can't be read or written
├── ExportError              an exported graph can't be written or read, or is another one
├── SubgraphError            a subgraph holds nothing, or more than its caps allow
└── QuestionsError           a file of questions can't be read
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches


class KgqaError(Exception):
    """Base of all errors raised on purpose. The message names the thing, the value and the cure."""


class UsageError(KgqaError):
    """The call itself is wrong."""


class ConfigError(UsageError):
    """A configuration, mapping or relations file is wrong."""


class ConnectionFailedError(KgqaError):
    """The Neo4j server can't be reached or refuses the credentials."""


class ServerError(KgqaError):
    """The managed Neo4j server can't be fetched, started, asked or stopped."""


class CypherError(KgqaError):
    """A statement failed on the server."""


class ReadTimeoutError(CypherError):
    """A statement ran longer than its timeout."""


class ResultTooLargeError(CypherError):
    """A statement returned more rows or bytes than the caps allow."""


class UnknownGraphError(KgqaError):
    """There is no graph of that name."""


class UnknownRelationError(KgqaError):
    """There is no relation of that name in the graph."""


class UnknownEntityError(KgqaError):
    """No entity of the graph has that key or name."""


class UnknownNameError(KgqaError):
    """A label, property or index is not in the live schema."""


class DriftError(KgqaError):
    """A mapping relies on what the live schema no longer has."""


class MissingExtraError(KgqaError):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"this needs the package '{package}'; install it with: pip install 'kgqa-graphdb[{extra}]'")


class EncoderError(KgqaError):
    """The text encoder can't be found, built or run."""


class LanguageModelError(KgqaError):
    """A language model can't be loaded, or fails."""


class LoadError(KgqaError):
    """A source can't be read, or its facts can't be written."""


class ExportError(KgqaError):
    """An exported graph can't be written or read, or is another graph or version than the one that is wanted."""


class SubgraphError(KgqaError):
    """A subgraph holds nothing, or more than its caps allow."""


class QuestionsError(KgqaError):
    """A file of questions can't be read."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Say which known name is nearest to a wrong one.

    :return: ``"; nearest: 'directed_by'"``, or ``""`` when nothing is near
    """
    matches = get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; nearest: {matches[0]!r}" if matches else ""


_SECRET_PARAMETER = re.compile(
    r"([?&;](?:[\w.-]*(?:pass|pwd|secret|token|credential|auth)[\w.-]*|pw|key|user(?:name)?)=).*", re.IGNORECASE
)
"""A parameter of an address that may hold a password or who has it."""


def masked(address: str) -> str:
    """An address without the user name and password that may stand in it, for messages, logs and documents.

    A password may hold any character, so that all up to the last ``@`` counts: ``bolt://ann:p/w@db:1`` is
    ``bolt://***@db:1``; as a parameter, it may be all that follows: ``bolt://db:1?pw=***``.
    """
    address = _SECRET_PARAMETER.sub(r"\1***", address)
    before, at, host = address.rpartition("@")
    scheme, mark, _ = before.partition("://")
    return f"{scheme}{mark}***@{host}" if mark else f"***@{host}" if at else address
