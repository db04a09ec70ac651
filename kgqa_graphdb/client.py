"""The Python client: :class:`KGQA`, and :class:`AsyncKGQA` for asyncio. They share everything but the driver."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path as FilePath
from threading import Lock
from typing import TYPE_CHECKING, Any, Self

from kgqa_graphdb.catalog import GraphInfo, apart_from_loaded, check_graph_name, loaded_mapping
from kgqa_graphdb.documents import expanded
from kgqa_graphdb.encode.locate import cache_folder
from kgqa_graphdb.errors import ConfigError, LanguageModelError, MissingExtraError, UsageError, nearest
from kgqa_graphdb.export import ExportedGraph, export_graph, export_subgraph, open_export
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.link.asked import checked_question, parse_question
from kgqa_graphdb.lm import AbsentModel, LanguageModel, open_language_model
from kgqa_graphdb.lm.files import setting_text
from kgqa_graphdb.mapping import GraphMapping, read_mapping
from kgqa_graphdb.methods import Method, MethodConfig, changed_settings, method_spec
from kgqa_graphdb.methods.finish import language_of_answer, verbalise_answer, worded
from kgqa_graphdb.models import read_card
from kgqa_graphdb.name_index import names_file, open_names
from kgqa_graphdb.plan import Answer
from kgqa_graphdb.reply import Reply
from kgqa_graphdb.runtime import (
    EXPORT_LIMITS,
    AsyncNeo4jIO,
    Limits,
    LocalModels,
    Neo4jIO,
    TextEncoder,
    open_async_driver,
    open_driver,
)
from kgqa_graphdb.steps import Steps, T, run, run_async, timed, together
from kgqa_graphdb.types import Entity, Question

if TYPE_CHECKING:
    import neo4j
    from torch_geometric.data import Data, HeteroData

    from kgqa_graphdb.managed.connection import Connection


def find_mapping(graph: str, mapping: GraphMapping | str | FilePath | None) -> Steps[GraphMapping]:
    """The mapping to use: the one given, that of a loaded graph, or the file kept for a graph that we did not load.

    :raises UnknownGraphError: there is none; the message names the nearest
    :raises ConfigError: the mapping file is wrong, or no graph can have that name
    """
    if isinstance(mapping, GraphMapping):
        return (yield from apart_from_loaded(mapping))
    if mapping is not None and not isinstance(mapping, str | os.PathLike):
        raise ConfigError(f"mapping {mapping!r:.100} is neither a GraphMapping nor the path of a mapping file")
    path = FilePath(mapping) if mapping is not None else mapping_file(graph)
    if mapping is not None or path.exists():
        return (yield from apart_from_loaded(read_mapping(path)))
    return (yield from loaded_mapping(graph, (info.graph for info in mapped_graphs())))


def mapping_file(graph: str) -> FilePath:
    """Where the mapping of a graph that we did not load is kept: with the user's settings, or in ``KGQA_HOME``.

    :raises ConfigError: no graph can have that name
    """
    from platformdirs import user_config_path

    check_graph_name(graph)
    home = os.environ.get("KGQA_HOME")
    folder = expanded(home).absolute() if home else user_config_path("kgqa")
    return folder / "graphs" / f"{graph}.toml"


def mapped_graphs() -> tuple[GraphInfo, ...]:
    """The graphs that a mapping file is kept for, by name; whether this server holds them is not looked at."""
    files = sorted(mapping_file("any").parent.glob("*.toml"))
    return tuple(GraphInfo(file.stem, None, None, str(file), "", "", owned=False) for file in files)


def default_encoder() -> TextEncoder:
    """The text encoder of this machine, with its vectors kept; loaded when first used."""
    from kgqa_graphdb.encode import CachedEncoder, OnnxEncoder

    return CachedEncoder(OnnxEncoder())


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """How a client is set; all can be given by name to :class:`KGQA` and :class:`AsyncKGQA`.

    :ivar mapping: for a graph that was not loaded by this package: its mapping, or the path of a mapping file
    :ivar database: ``None``: the user's home database
    :ivar encoder: ``None``: the machine's own; see :mod:`kgqa_graphdb.encode`
    :ivar language_model: for the methods that use one: its name (see :func:`kgqa_graphdb.lm.open_language_model`), a
        LangChain chat model, or any :class:`kgqa_graphdb.lm.LanguageModel`
    :ivar language_model_settings: of one that is given by name, such as ``{"adapter": FOLDER}``
    :ivar verbalise: whether the language model writes the sentence of an answer; what it writes is checked, and where
        it does not say what the facts say, or there is no model, the sentence is the templates' and a note says why
    :ivar method: how to answer where ``ask`` doesn't say
    :ivar model: folder of a trained model, for that method; ``kgqa train`` makes one
    :ivar settings: of that method; ``kgqa methods`` lists them
    :ivar readings: shorthand for the setting of that name
    :ivar abstain_below: shorthand for the setting of that name
    :ivar methods: further ways to answer: the name by which ``ask(…, method=NAME)`` asks for it → method, model and
        settings
    :ivar limits: what one statement may cost
    :ivar session_options: passed to ``Driver.session``, e.g. ``{"impersonated_user": "jane"}``
    :ivar where: the server, in messages
    """

    mapping: GraphMapping | str | FilePath | None = None
    database: str | None = None
    encoder: TextEncoder | None = None
    language_model: LanguageModel | str | Any = None
    language_model_settings: Mapping[str, Any] = field(default_factory=dict)
    verbalise: bool = False
    method: str = "paths"
    model: str | FilePath | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    readings: int | None = None
    abstain_below: float | None = None
    methods: Mapping[str, MethodConfig] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    session_options: Mapping[str, Any] = field(default_factory=dict)
    where: str = "the server"

    @property
    def as_other_user(self) -> bool:
        """Whether questions are asked as somebody else, who may see less than what this user keeps of a graph."""
        return bool({"impersonated_user", "auth"} & self.session_options.keys())

    @property
    def default_config(self) -> MethodConfig:
        """The method that answers where nobody says which."""
        given = {"readings": self.readings, "abstain_below": self.abstain_below}
        shorthands = {name: value for name, value in given.items() if value is not None}
        if self.method not in self.methods:
            return MethodConfig(self.method, self.model, {**shorthands, **self.settings})
        if self.model is not None or shorthands or self.settings:
            raise UsageError(f"method {self.method!r} has a model and settings of its own: give them in methods={{…}}")
        return self.methods[self.method]


class _Client:
    """What both clients share: options, the methods in use, and the steps from a question to its reply."""

    def __init__(self, *, graph: str, **options: Any) -> None:
        known = [one.name for one in fields(ClientOptions)]
        for name in options:
            if name not in known:
                raise TypeError(f"{type(self).__name__} has no option {name!r}{nearest(name, known)}")
        self.graph_name = graph
        self._options = ClientOptions(**options)
        self._mapped: Graph | None = None
        self._graphs: dict[str, Graph] = {}
        self._methods: dict[str, Method] = {}
        self._local: LocalModels | None = None
        self._opening, self._making = Lock(), Lock()

    @property
    def database(self) -> str | None:
        """The database that is asked; ``None``: the user's home database."""
        return self._options.database

    @property
    def _models(self) -> LocalModels:
        options, model = self._options, self._options.language_model
        with self._opening:  # threads that share a client share its models, too
            if self._local is None:
                encoder = options.encoder if options.encoder is not None else default_encoder()
                settings = options.language_model_settings
                opened = None if model is None else self._open_model(model, settings)
                self._local = LocalModels(encoder, opened)
            return self._local

    def _open_model(self, model: Any, settings: Mapping[str, Any]) -> LanguageModel:
        """The language model; where it is to write sentences only and can't be opened, one that says why."""
        try:
            return open_language_model(model, settings, cache_folder())
        except (LanguageModelError, MissingExtraError) as error:
            configs = (self._options.default_config, *self._options.methods.values())
            if any("language_model" in method_spec(config.method).uses for config in configs):
                raise
            return AbsentModel(str(model), error)

    @property
    def answered_by(self) -> str:
        """The method, the models that it uses, and the settings that differ from the usual ones."""
        config = self._options.default_config
        by = config.method
        if config.model is not None:
            by += f" with {config.model} ({read_card(config.model).digest})"
        if "language_model" in method_spec(config.method).uses and self._models.language_model is not None:
            model = self._models.language_model
            by += f", language model {model.name} ({model.fingerprint[:8]})"
        settings = changed_settings(method_spec(config.method).settings_of(config.settings))
        return by + "".join(f", {name}={setting_text(value)}" for name, value in settings.items())

    def _config(self, name: str) -> MethodConfig:
        """How a method is to be made, by its name among the client's or in the registry."""
        options = self._options
        return options.default_config if name == options.method else options.methods.get(name) or MethodConfig(name)

    def _method(self, name: str) -> Method:
        with self._making:
            if name not in self._methods:
                config, has_model = self._config(name), self._models.language_model is not None
                self._methods[name] = method_spec(config.method).make(config, language_model=has_model)
            return self._methods[name]

    def _graph_of(self, name: str, mapped: Graph) -> Graph:
        """The graph under the walk rule that a method's model learned on it, if it has one."""
        if name not in self._graphs:
            model = self._config(name).model
            card = read_card(model) if model is not None else None
            walk = card.walk if card and card.graph == mapped.mapping.graph else None
            walked = replace(mapped, mapping=replace(mapped.mapping, walk=walk)) if walk else mapped
            self._graphs.setdefault(name, walked)
        return self._graphs[name]

    def _steps(self, question: str | Question, mapped: Graph, method: str | None) -> Steps[Reply]:
        name = method or self._options.method
        asked = parse_question(question) if isinstance(question, str) else checked_question(question)
        done = yield from timed(self._answer(name, asked, self._graph_of(name, mapped)))
        language = language_of_answer(done.item.question, done.item.links, mapped.mapping.language)
        return Reply(mapped.name, worded(done.item, language), done.timings_ms, language)

    def _answer(self, method: str, question: Question, graph: Graph) -> Steps[Answer]:
        answer = yield from self._method(method).answer(question, graph)
        return (yield from verbalise_answer(answer, graph)) if self._options.verbalise else answer

    def _many(self, questions: Iterable[str | Question], mapped: Graph, method: str | None) -> Steps[tuple[Reply, ...]]:
        return (yield from together(self._steps(question, mapped, method) for question in questions))

    def _open(self) -> Steps[Graph]:
        options = self._options
        mapping = yield from find_mapping(self.graph_name, options.mapping)
        if mapping.fulltext or isinstance(options.mapping, GraphMapping) or options.as_other_user:
            return Graph(mapping)
        file = FilePath(options.mapping) if options.mapping is not None else mapping_file(self.graph_name)
        return Graph(mapping, names=(yield from open_names(mapping, names_file(file))))


def _shown(reply: Reply, on_text: Callable[[str], None] | None) -> Reply:
    if on_text is not None:
        for piece in reply.text_pieces:
            on_text(piece)
    return reply


class KGQA(_Client):
    """Asks a knowledge graph in Neo4j.

        with KGQA.connect(graph="space") as kg:
            reply = kg.ask("Which moons did Galileo Galilei discover?")
            print(reply.text, reply.names, reply.cypher.text)

    :param driver: a Neo4j driver; stays open when the client is closed
    :param graph: name of a loaded graph, or of one that ``mapping`` describes
    :param options: see :class:`ClientOptions`

    Safe to share between threads: every question has its own session.
    """

    def __init__(self, driver: neo4j.Driver, *, graph: str, **options: Any) -> None:
        super().__init__(graph=graph, **options)
        self._driver = driver
        self._owns_driver = False

    @classmethod
    def connect(cls, graph: str, *, connection: Connection | None = None, **options: Any) -> Self:
        """Connect to the server that ``NEO4J_*`` variables name, or to the local one, which is started if needed.

        :raises UnknownGraphError: there is no such graph; the message names the nearest
        :raises ConfigError: its mapping file is wrong, or no graph can have that name
        :raises ConnectionFailedError: it can't be reached, or refuses the credentials
        :raises ServerError: the local server can't be started
        """
        from kgqa_graphdb.managed import resolve_connection

        target = connection or resolve_connection()
        options.setdefault("database", target.database)
        driver = open_driver(target)
        try:
            client = cls(driver, graph=graph, where=target.uri, **options)
            client._opened()
        except BaseException:
            driver.close()
            raise
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

    def _io(self, limits: Limits | None = None) -> Neo4jIO:
        options = self._options
        some = limits or options.limits
        return Neo4jIO(self._driver, options.database, self._models, some, dict(options.session_options), options.where)

    @property
    def graph(self) -> Graph:
        """The graph as the default method walks it; its mapping is read on first use.

        :raises UnknownGraphError: there is no such graph
        """
        return self._graph_of(self._options.method, self._opened())

    def _opened(self) -> Graph:
        if self._mapped is None:
            self._mapped = self.perform(self._open())
        return self._mapped

    def perform(self, steps: Steps[T]) -> T:
        """Run any stage on this client's server."""
        with self._io() as io:
            return run(steps, io)

    def ask(
        self, question: str | Question, *, method: str | None = None, on_text: Callable[[str], None] | None = None
    ) -> Reply:
        """Answer a question in plain language; topics may be marked in [brackets].

        An abstention is a reply too: see :attr:`Reply.abstained`.

        :param question: a text, or a :class:`Question` that says which entities it is about
        :param on_text: called with each piece of the sentence, once all of what a language model wrote was checked: no
            text is shown that is taken back
        :raises UsageError: the question is empty
        :raises KgqaError: the graph can't be read
        """
        mapped = self._opened()
        return _shown(self.perform(self._steps(question, mapped, method)), on_text)

    def ask_many(self, questions: Iterable[str | Question], *, method: str | None = None) -> tuple[Reply, ...]:
        """Answer questions side by side: their texts are embedded together. In order."""
        mapped = self._opened()
        return self.perform(self._many(questions, mapped, method))

    def export(self, folder: str | FilePath, **options: Any) -> ExportedGraph:
        """Export the graph into a folder, for learning on it; see :func:`kgqa_graphdb.export.export_graph`."""
        steps = export_graph(self._opened(), FilePath(folder), **options)
        with self._io(EXPORT_LIMITS) as io:
            run(steps, io)
        return ExportedGraph.open(folder)

    def open_export(self, folder: str | FilePath) -> ExportedGraph:
        """Open what was exported of this graph.

        :raises ExportError: there is none, or it is of another graph, or the graph has changed since, as far as
            :func:`kgqa_graphdb.export.fingerprint` shows it
        """
        return self.perform(open_export(self._opened(), FilePath(folder)))

    def export_subgraph(self, topics: Sequence[str | Entity], hops: int = 2, **options: Any) -> Data | HeteroData:
        """The subgraph around topics for PyTorch Geometric; see :func:`kgqa_graphdb.export.export_subgraph`."""
        return self.perform(export_subgraph(self._opened(), topics, hops, **options))


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
        driver = await open_async_driver(target)
        try:
            client = cls(driver, graph=graph, where=target.uri, **options)
            await client._opened()
        except BaseException:
            await driver.close()
            raise
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

    def _io(self, limits: Limits | None = None) -> AsyncNeo4jIO:
        options = self._options
        some = limits or options.limits
        return AsyncNeo4jIO(
            self._driver, options.database, self._models, some, dict(options.session_options), options.where
        )

    async def open(self) -> Graph:
        """The graph as the default method walks it; its mapping is read on first use.

        :raises UnknownGraphError: there is no such graph
        """
        return self._graph_of(self._options.method, await self._opened())

    async def _opened(self) -> Graph:
        if self._mapped is None:
            self._mapped = await run_async(self._open(), self._io())
        return self._mapped

    async def ask(
        self, question: str | Question, *, method: str | None = None, on_text: Callable[[str], None] | None = None
    ) -> Reply:
        """As :meth:`KGQA.ask`."""
        mapped = await self._opened()
        return _shown(await run_async(self._steps(question, mapped, method), self._io()), on_text)

    async def ask_many(self, questions: Iterable[str | Question], *, method: str | None = None) -> tuple[Reply, ...]:
        """As :meth:`KGQA.ask_many`; the reads run side by side too."""
        mapped = await self._opened()
        return await run_async(self._many(questions, mapped, method), self._io())

    async def export(self, folder: str | FilePath, **options: Any) -> ExportedGraph:
        """As :meth:`KGQA.export`."""
        steps = export_graph(await self._opened(), FilePath(folder), **options)
        await run_async(steps, self._io(EXPORT_LIMITS))
        return ExportedGraph.open(folder)

    async def open_export(self, folder: str | FilePath) -> ExportedGraph:
        """As :meth:`KGQA.open_export`."""
        return await run_async(open_export(await self._opened(), FilePath(folder)), self._io())

    async def export_subgraph(self, topics: Sequence[str | Entity], hops: int = 2, **options: Any) -> Data | HeteroData:
        """As :meth:`KGQA.export_subgraph`."""
        return await run_async(export_subgraph(await self._opened(), topics, hops, **options), self._io())
