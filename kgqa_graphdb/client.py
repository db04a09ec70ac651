"""The Python client: :class:`KGQA`, and :class:`AsyncKGQA` for asyncio. They share everything but the driver."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Self

from kgqa_graphdb.catalog import GraphInfo, loaded_mapping
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.io import AsyncNeo4jIO, Limits, Neo4jIO, open_async_driver, open_driver
from kgqa_graphdb.local import TextEncoder
from kgqa_graphdb.mapping import GraphMapping, read_mapping
from kgqa_graphdb.methods import make_method
from kgqa_graphdb.rank import read_about
from kgqa_graphdb.reply import Reply
from kgqa_graphdb.steps import Steps, T, run, run_async, timed, together
from kgqa_graphdb.types import Question

if TYPE_CHECKING:
    import neo4j

    from kgqa_graphdb.managed.connection import Connection

_BRACKETS = re.compile(r"\[([^\[\]]*)\]")


def parse_question(text: str, topics: Iterable[str] = ()) -> Question:
    """A question, its topics taken out of [brackets] if the asker marked any.

    :param topics: ids or names of the entities that it is about
    :raises UsageError: there is nothing in it to ask
    """
    mentions = tuple(match.strip() for match in _BRACKETS.findall(text) if match.strip())
    plain = " ".join(_BRACKETS.sub(r"\1", text).split())
    if not any(char.isalnum() for char in plain):
        raise UsageError('the question is empty; ask for instance: "who directed Inception?"')
    return Question(plain, mentions, tuple(topics))


def _checked(question: Question) -> Question:
    """A question that may be asked.

    :raises UsageError: there is nothing in it to ask, or its topics are one text
    """
    parse_question(question.text)
    if isinstance(question.topics, str):
        raise UsageError(f"topics are several: Question(…, topics=({question.topics!r},))")
    return question


def find_mapping(graph: str, mapping: GraphMapping | str | FilePath | None) -> Steps[GraphMapping]:
    """The mapping to use: the one given, that of a loaded graph, or the file kept for a graph that we did not load.

    :raises UnknownGraphError: there is none
    :raises ConfigError: the mapping file is wrong
    """
    if isinstance(mapping, GraphMapping):
        return mapping
    path = FilePath(mapping) if mapping is not None else mapping_file(graph)
    if mapping is not None or path.exists():
        return read_mapping(path)
    return (yield from loaded_mapping(graph))


def mapping_file(graph: str) -> FilePath:
    """Where the mapping of a graph that we did not load is kept: with the user's settings, or in ``KGQA_HOME``."""
    from platformdirs import user_config_path

    home = os.environ.get("KGQA_HOME")
    folder = FilePath(home).expanduser().absolute() if home else user_config_path("kgqa")
    return folder / "graphs" / f"{graph}.toml"


def mapped_graphs() -> tuple[GraphInfo, ...]:
    """The graphs that a mapping file is kept for, by name; whether this server holds them is not looked at."""
    files = sorted(mapping_file("any").parent.glob("*.toml"))
    return tuple(GraphInfo(file.stem, None, None, str(file), "", "", owned=False) for file in files)


def default_encoder() -> TextEncoder:
    """The text encoder of this machine, with its vectors kept; loaded when first used."""
    from kgqa_graphdb.encode import CachedEncoder, OnnxEncoder

    return CachedEncoder(OnnxEncoder())


class _Client:
    """What both clients share: settings, and the steps from a question to its reply."""

    def __init__(
        self,
        *,
        graph: str,
        mapping: GraphMapping | str | FilePath | None = None,
        database: str | None = None,
        encoder: TextEncoder | None = None,
        method: str = "paths",
        model: str | FilePath | None = None,
        readings: int = 1,
        abstain_below: float | None = None,
        limits: Limits | None = None,
        session_options: Mapping[str, Any] | None = None,
        where: str = "the server",
    ) -> None:
        self.graph_name = graph
        self.database = database
        self._given_mapping = mapping
        self._given_encoder = encoder
        self._method_name = method
        self._model = model
        self._readings = readings
        self._abstain_below = abstain_below
        self._limits = limits or Limits()
        self._session_options = dict(session_options or {})
        self._where = where
        self._graph: Graph | None = None

    @cached_property
    def _encoder(self) -> TextEncoder:
        return self._given_encoder if self._given_encoder is not None else default_encoder()

    @cached_property
    def _methods(self) -> dict[str, Any]:
        return {}

    @property
    def answered_by(self) -> str:
        """The method, the model that it uses if there is one, and how it is set otherwise than usually."""
        told = self._method_name
        if self._model is not None:
            about = json.dumps(read_about(self._model), sort_keys=True)
            told += f" with {self._model} ({hashlib.sha256(about.encode()).hexdigest()[:8]})"
        if self._readings > 1:
            told += f", {self._readings} readings"
        if self._abstain_below is not None:
            told += f", abstaining below {self._abstain_below:g}"
        return told

    def _steps(self, question: str | Question, graph: Graph, method: str | None) -> Steps[Reply]:
        name = method or self._method_name
        asked = parse_question(question) if isinstance(question, str) else _checked(question)
        if name not in self._methods:
            self._methods[name] = make_method(name, self._model, self._readings, self._abstain_below)
        done = yield from timed(self._methods[name].answer(asked, graph))
        return Reply(graph.name, done.item, done.timings_ms)

    def _many(self, questions: Iterable[str | Question], graph: Graph, method: str | None) -> Steps[tuple[Reply, ...]]:
        return (yield from together(self._steps(question, graph, method) for question in questions))

    def _open_graph(self) -> Steps[Graph]:
        mapping = yield from find_mapping(self.graph_name, self._given_mapping)
        about = read_about(self._model) if self._model is not None else {}
        walk = about.get("walk") if about.get("graph") == mapping.graph else None  # that which its answers follow
        return Graph(replace(mapping, walk=walk) if walk else mapping)


class KGQA(_Client):
    """Asks a knowledge graph in Neo4j.

        with KGQA.connect(graph="space") as kg:
            reply = kg.ask("Which moons did Galileo Galilei discover?")
            print(reply.text, reply.names, reply.cypher.text)

    :param driver: a Neo4j driver; stays open when the client is closed
    :param graph: name of a loaded graph, or of one that ``mapping`` describes
    :param mapping: for a graph that was not loaded by this package: its mapping, or the path of a mapping file
    :param database: ``None``: the user's home database
    :param encoder: ``None``: the machine's own; see :mod:`kgqa_graphdb.encode`
    :param model: folder of a trained model, for the method; ``kgqa train`` makes one
    :param readings: of a question that are answered together at most, where more than one is about as likely
    :param abstain_below: 0..1: how likely it must be that there is an answer; ``None``: what training found; 0: it
        never abstains for doubt alone
    :param session_options: passed to ``Driver.session``, e.g. ``{"impersonated_user": "jane"}``

    Safe to share between threads: every question has its own session.
    """

    def __init__(self, driver: neo4j.Driver, *, graph: str, **options: Any) -> None:
        super().__init__(graph=graph, **options)
        self._driver = driver
        self._owns_driver = False

    @classmethod
    def connect(cls, graph: str, *, connection: Connection | None = None, **options: Any) -> Self:
        """Connect to the server that ``NEO4J_*`` variables name, or to the local one, which is started if needed.

        :raises ConnectionFailedError: it can't be reached, or refuses the credentials
        :raises ServerError: the local server can't be started
        """
        from kgqa_graphdb.managed import resolve_connection

        target = connection or resolve_connection()
        options.setdefault("database", target.database)
        client = cls(open_driver(target), graph=graph, where=target.uri, **options)
        client._owns_driver = True
        return client

    @classmethod
    def from_py2neo(cls, py2neo_graph: Any, graph: str, **options: Any) -> Self:
        """As :meth:`connect`, to the server, user and database that a py2neo ``Graph`` is connected to.

        :param graph: name of a loaded graph, or of one that ``mapping`` describes
        :raises UsageError: it is no py2neo graph
        :raises ConnectionFailedError: it connects over HTTP, or the server can't be reached
        """
        from kgqa_graphdb.integrations.py2neo import connection_of

        return cls.connect(graph, connection=connection_of(py2neo_graph), **options)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the driver, if :meth:`connect` opened it."""
        if self._owns_driver:
            self._driver.close()

    def _io(self) -> Neo4jIO:
        return Neo4jIO(
            self._driver, self.database, self._encoder, self._limits, self._session_options, where=self._where
        )

    @property
    def graph(self) -> Graph:
        """The graph, its mapping read on first use.

        :raises UnknownGraphError: there is no such graph
        """
        if self._graph is None:
            self._graph = self.perform(self._open_graph())
        return self._graph

    def perform(self, steps: Steps[T]) -> T:
        """Run any stage on this client's server."""
        with self._io() as io:
            return run(steps, io)

    def ask(self, question: str | Question, *, method: str | None = None) -> Reply:
        """Answer a question in plain language; topics may be marked in [brackets].

        An abstention is a reply too: see :attr:`Reply.abstained`.

        :param question: a text, or a :class:`Question` that says which entities it is about
        :raises UsageError: the question is empty
        :raises KgqaError: the graph can't be read
        """
        graph = self.graph
        return self.perform(self._steps(question, graph, method))

    def ask_many(self, questions: Iterable[str | Question], *, method: str | None = None) -> tuple[Reply, ...]:
        """Answer questions side by side: their texts are embedded together. In order."""
        graph = self.graph
        return self.perform(self._many(questions, graph, method))


class AsyncKGQA(_Client):
    """As :class:`KGQA`, on an ``AsyncDriver``: ``async with await AsyncKGQA.connect(graph="space") as kg``."""

    def __init__(self, driver: neo4j.AsyncDriver, *, graph: str, **options: Any) -> None:
        super().__init__(graph=graph, **options)
        self._driver = driver
        self._owns_driver = False

    @classmethod
    async def connect(cls, graph: str, *, connection: Connection | None = None, **options: Any) -> Self:
        """As :meth:`KGQA.connect`."""
        from kgqa_graphdb.managed import resolve_connection

        target = connection if connection is not None else await asyncio.to_thread(resolve_connection)
        options.setdefault("database", target.database)
        client = cls(await open_async_driver(target), graph=graph, where=target.uri, **options)
        client._owns_driver = True
        return client

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the driver, if :meth:`connect` opened it."""
        if self._owns_driver:
            await self._driver.close()

    def _io(self) -> AsyncNeo4jIO:
        return AsyncNeo4jIO(
            self._driver, self.database, self._encoder, self._limits, self._session_options, where=self._where
        )

    async def open(self) -> Graph:
        """The graph, its mapping read on first use.

        :raises UnknownGraphError: there is no such graph
        """
        if self._graph is None:
            self._graph = await run_async(self._open_graph(), self._io())
        return self._graph

    async def ask(self, question: str | Question, *, method: str | None = None) -> Reply:
        """As :meth:`KGQA.ask`."""
        graph = await self.open()
        return await run_async(self._steps(question, graph, method), self._io())

    async def ask_many(self, questions: Iterable[str | Question], *, method: str | None = None) -> tuple[Reply, ...]:
        """As :meth:`KGQA.ask_many`; the reads run side by side too."""
        graph = await self.open()
        return await run_async(self._many(questions, graph, method), self._io())
