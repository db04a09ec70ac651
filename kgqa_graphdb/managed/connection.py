"""How a Neo4j server is reached, and the one that ``NEO4J_*`` variables name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from kgqa_graphdb.errors import masked

VARIABLES = ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE")
DEFAULT_URI = "neo4j://localhost:7687"
DEFAULT_USERNAME = "neo4j"
CURES = {
    "environment": "{variables} in the environment {name} it: {correct}, start that server, or unset {variables} to "
    "use the local one",
    "local": "it is the local server, which may have stopped: see kgqa db status and kgqa db logs, or kgqa db start",
    "caller": "is the address right, and is it running?",
}
"""What to do where a server can't be reached, by who named it."""


@dataclass(frozen=True, slots=True)
class Connection:
    """How to reach a server. ``database`` ``None``: the user's home database; ``browser`` ``None``: not known.

    :ivar origin: who says so: the environment's variables, this machine's own (``local``) server, or a caller
    :ivar variables: the environment's that are set
    """

    uri: str
    username: str
    password: str
    database: str | None = None
    browser: str | None = None
    origin: Literal["environment", "local", "caller"] = field(default="caller", compare=False)
    variables: tuple[str, ...] = field(default=(), compare=False)

    @property
    def cure(self) -> str:
        """What to do where it can't be reached."""
        correct = "correct NEO4J_URI" if "NEO4J_URI" in self.variables else "set NEO4J_URI to another address"
        name = "names" if len(self.variables) == 1 else "name"
        return CURES[self.origin].format(variables=_row(self.variables), name=name, correct=correct)

    def __repr__(self) -> str:
        return f"Connection({self.shown_uri!r}, {self.username!r}, database={self.database!r})"

    @property
    def shown_uri(self) -> str:
        """The address for messages: without a user or password that someone wrote into it."""
        return masked(self.uri)

    @property
    def auth(self) -> tuple[str, str] | None:
        """For ``GraphDatabase.driver(uri, auth=…)``; ``None`` for a server without authentication."""
        return (self.username, self.password) if self.password else None


def connection_from_environment(environ: Mapping[str, str] = os.environ) -> Connection | None:
    """The server that the environment names; ``None``: it names none.

    Any one of the four ``NEO4J_*`` variables is enough: what is left out has Neo4j's own default, so ``NEO4J_PASSWORD``
    alone means ``neo4j`` at ``neo4j://localhost:7687``. An empty variable counts as left out.
    """
    uri, username, password, database = (environ.get(name, "").strip() for name in VARIABLES)
    variables = tuple(name for name in VARIABLES if environ.get(name, "").strip())
    if not variables:
        return None
    return Connection(
        uri or DEFAULT_URI,
        username or DEFAULT_USERNAME,
        password,
        database or None,
        origin="environment",
        variables=variables,
    )


def _row(names: tuple[str, ...]) -> str:
    """Names in a row: "A, B and C"."""
    *others, last = names or ("the NEO4J_* variables",)
    return f"{', '.join(others)} and {last}" if others else last
