"""Cypher scripts that create a graph: hand-written ones, cypher-shell's, those of ``apoc.export.cypher``.

The server runs the script in one transaction; what it created is read back, and the transaction is rolled back: nothing
of it stays in the database but the graph that is then loaded from these records, with an id of its own for each node.
The script neither sees nor changes any node but its own (:mod:`kgqa_loaders.cypher_scope`). Constraints and indexes are
skipped. A script that reads files, calls procedures or deletes is refused before it runs. Labels and relationship types
that the database did not know stay known to it.
"""

from __future__ import annotations

import json
import logging
import re
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from kgqa_graphdb import queries
from kgqa_graphdb.errors import LoadError
from kgqa_graphdb.mapping import EntityKind, code_of, name_of
from kgqa_graphdb.survey import SAMPLE, LabelSurvey, called_kind, properties_of
from kgqa_graphdb.types import Scalar
from kgqa_loaders.cypher_limit import StatementLimit
from kgqa_loaders.cypher_scope import MARK, found_nothing, scoped, unscoped
from kgqa_loaders.cypher_text import SCHEMA, ScriptStatement, check, decoded, statements
from kgqa_loaders.files import FileSource, open_bytes, reading
from kgqa_loaders.formats import Format
from kgqa_loaders.property_graph import fact_records, node_records, place_on_earth
from kgqa_loaders.records import ReadOptions, Record, Reject

if TYPE_CHECKING:
    import neo4j

log = logging.getLogger(__name__)

_PAGE = 10_000
SCRIPT_TIME_S = 900
"""Seconds that a script may run, with all its statements."""
MAX_SCRIPT = 256 << 20
"""Bytes of a script, which is read whole."""
_READS = re.compile(r"\b(MATCH|MERGE|EXISTS|COUNT|COLLECT)\b|\[[^\[\]]*\(", re.IGNORECASE)
_JOINS = re.compile(r"\bMATCH\b.*\b(CREATE|MERGE|INSERT|SET|REMOVE)\b", re.IGNORECASE | re.DOTALL)
_OTHERS = (
    "may read what is in the database already; take it out, or run it with cypher-shell and ask the graph "
    "with: kgqa map"
)
_OWN = (
    "a script sees only what it made itself; take the statement out, or run the script with cypher-shell and ask the "
    "graph with: kgqa map"
)


@contextmanager
def _server() -> Iterator[tuple[neo4j.Driver, str | None]]:
    """A driver for the server that is asked otherwise, too, and the database."""
    from kgqa_graphdb.managed import resolve_connection
    from kgqa_graphdb.runtime import open_driver

    connection = resolve_connection()
    with closing(open_driver(connection)) as driver:
        yield driver, connection.database


class Made(NamedTuple):
    """A node that the script created.

    :ivar called: what people call it; empty: nothing tells
    """

    labels: tuple[str, ...]
    properties: dict[str, Any]
    called: str = ""


@dataclass(frozen=True, slots=True)
class CypherScript(FileSource):
    """A Cypher script.

    :ivar options: how long a statement may run; no other applies
    :ivar connect: opens what gives a driver and a database's name, for running the script
    """

    options: ReadOptions = field(default_factory=ReadOptions)
    connect: Callable[[], AbstractContextManager[tuple[neo4j.Driver, str | None]]] = _server

    def records(self) -> Iterator[Record]:
        """The nodes and relationships that the script creates.

        :raises LoadError: a statement fails, or does what no loaded script may do
        """
        with reading(self.describe), open_bytes(self.path) as stream:
            data = stream.read(MAX_SCRIPT + 1)
        if len(data) > MAX_SCRIPT:
            raise LoadError(f"{self.describe} is longer than {MAX_SCRIPT >> 20} MiB; load it in parts, or as CSV")
        try:
            script = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise LoadError(f"{self.describe} is not UTF-8 at byte {error.start + 1}; convert it with iconv") from error
        todo = list(self._checked(script))
        with self.connect() as (driver, database):
            nodes, edges, lost = self._run(todo, driver, database)
        yield from lost
        if not nodes:
            raise LoadError(
                f"{self.describe} creates no nodes: it sees none but its own; what is in the database already is asked "
                "with: kgqa map"
            )
        ids = _ids(nodes)
        for element, made in sorted(nodes.items(), key=lambda item: ids[item[0]]):
            yield from node_records(0, ids[element], made.labels, _plain_properties(made.properties), made.called)
        written = [(ids[head], type_, ids[tail], _json(properties)) for head, type_, tail, properties in edges]
        for place in sorted(range(len(edges)), key=written.__getitem__):
            head, type_, tail, properties = edges[place]
            yield from fact_records(0, ids[head], type_, ids[tail], _plain_properties(properties))

    def _checked(self, script: str) -> Iterator[tuple[int, ScriptStatement]]:
        """The statements to run, with their numbers from 1."""
        try:
            for number, statement in enumerate(statements(decoded(script)), start=1):
                if SCHEMA.match(statement.bare):
                    log.info("%s: line %d, about constraints or indexes, is skipped", self.describe, statement.line)
                    continue
                check(statement)
                yield number, statement
        except LoadError as error:
            raise LoadError(f"{self.describe}: {error}") from None

    def _run(
        self, todo: list[tuple[int, ScriptStatement]], driver: neo4j.Driver, database: str | None
    ) -> tuple[dict[str, Made], list[tuple[str, str, str, dict[str, Any]]], list[Reject]]:
        """Run the statements, read what they created, and undo them; also the statements that matched nothing."""
        from neo4j import exceptions as driver_errors

        nodes: dict[str, Made] = {}
        edges: list[tuple[str, str, str, dict[str, Any]]] = []
        lost: list[Reject] = []
        place, number = "", 0
        limit = StatementLimit(driver, database, uuid.uuid4().hex, self.options.statement_time_s)
        marked = {"app": "kgqa-graphdb", "script": limit.script}
        try:
            with (
                driver.session(database=database, notifications_min_severity="OFF") as session,
                session.begin_transaction(timeout=SCRIPT_TIME_S, metadata=marked) as transaction,
            ):
                created: Counter[str] = Counter()
                parameters: dict[str, Any] = {}
                for number, statement in todo:
                    place = f"line {statement.line}: "
                    with limit.statement():
                        if not self._run_one(transaction, statement, parameters, created):
                            reason = f"statement {number} matched nothing: {_OWN}"
                            lost.append(Reject(statement.line, reason, " ".join(statement.text.split())))
                place, number = "", 0
                fresh = list(_elements(transaction))
                for start in range(0, len(fresh), _PAGE):
                    page = fresh[start : start + _PAGE]
                    for element, labels, properties in transaction.run(
                        queries.load("load/created_nodes").cypher(), elements=page
                    ):
                        nodes[element] = Made(tuple(sorted(set(labels) - {MARK})), properties)
                    query = queries.load("load/created_relationships").cypher()
                    edges += [tuple(record) for record in transaction.run(query, elements=page)]
                kinds = {label: _kind(transaction, label, some) for label, some in _by_label(nodes).items()}
                transaction.rollback()
        except driver_errors.Neo4jError as error:
            raise LoadError(f"{self.describe}: {place}{self._why(error, number, limit)}") from error
        except driver_errors.DriverError as error:
            raise LoadError(f"{self.describe}: can't run it: {str(error).splitlines()[0]}") from error
        if (len(nodes), len(edges)) != (created["nodes"], created["relationships"]):
            raise LoadError(
                f"{self.describe} creates {created['nodes']:,} nodes and {created['relationships']:,} relationships, "
                f"of which {len(nodes):,} and {len(edges):,} are found again; give each node that it creates a label"
            )
        return {element: made._replace(called=_called(made, kinds)) for element, made in nodes.items()}, edges, lost

    def _run_one(
        self,
        transaction: neo4j.Transaction,
        statement: ScriptStatement,
        parameters: dict[str, Any],
        created: Counter[str],
    ) -> bool:
        """Run a statement; whether it found all that it is to join.

        :param created: how many nodes and relationships the script has created; those of this statement are added
        """
        text = scoped(statement.text)
        if _READS.search(statement.bare):
            plan = transaction.run(f"EXPLAIN {text}", parameters).consume().plan
            if plan and unscoped(plan):
                raise LoadError(f"{self.describe}: line {statement.line} {_OTHERS}")
        if statement.parameter:
            parameters[statement.parameter] = transaction.run(text, parameters).single(strict=True)[0]
            return True
        joins = _JOINS.search(statement.bare) is not None
        summary = transaction.run(f"PROFILE {text}" if joins else text, parameters).consume()
        created["nodes"] += summary.counters.nodes_created
        created["relationships"] += summary.counters.relationships_created
        return not (joins and summary.profile and found_nothing(summary.profile))

    def _why(self, error: neo4j.exceptions.Neo4jError, number: int, limit: StatementLimit) -> str:
        """Why the script failed."""
        if limit.exceeded:
            return (
                f"statement {number} timed out: it ran for over {limit.seconds:g} s, the most that one may; let it do "
                "less at once, or raise --statement-timeout"
            )
        if "TransactionTimedOut" in (error.code or ""):
            return f"the script timed out after {SCRIPT_TIME_S:,} s, the most that one may run; load it in parts"
        return (error.message or str(error)).split("\n")[0]


def _elements(transaction: neo4j.Transaction) -> Iterator[str]:
    for _, elements in transaction.run(queries.load("load/script_nodes").cypher()):
        yield from elements


def _ids(nodes: dict[str, Made]) -> dict[str, str]:
    """An id for each node: its name where only one has it, else the name with its labels, else with a number.

    They depend on what the nodes are, not on when they were created.
    """
    names = {element: made.called for element, made in nodes.items()}
    with_labels = {element: f"{names[element]} ({', '.join(made.labels)})" for element, made in nodes.items()}
    times, times_labelled = Counter(names.values()), Counter(with_labels.values())
    ids: dict[str, str] = {}
    numbers: Counter[str] = Counter()
    for element, made in sorted(nodes.items(), key=lambda item: (with_labels[item[0]], _json(item[1].properties))):
        name, labelled = names[element], with_labels[element]
        if name and times[name] == 1:
            ids[element] = name
        elif name and times_labelled[labelled] == 1:
            ids[element] = labelled
        else:
            numbers[labelled] += 1
            ids[element] = f"{name or ', '.join(made.labels) or 'node'} #{numbers[labelled]}"
    return ids


def _by_label(nodes: dict[str, Made]) -> dict[str, list[str]]:
    """Label → the first of its nodes, so many as a survey reads."""
    found: dict[str, list[str]] = {}
    for element, made in nodes.items():
        for label in made.labels:
            some = found.setdefault(label, [])
            if len(some) < SAMPLE:
                some.append(element)
    return found


def _kind(transaction: neo4j.Transaction, label: str, elements: list[str]) -> EntityKind:
    """What a mapping would take for the key and the name of a label's nodes."""
    rows = transaction.run(queries.load("survey/properties").cypher(), ids=elements)
    return called_kind(LabelSurvey(label, len(elements), len(elements), properties_of(rows), ()))


def _called(made: Made, kinds: dict[str, EntityKind]) -> str:
    """What people call a node: by its name or key, as a mapping would have it, else by what it has itself."""
    mapped = [kinds[label] for label in made.labels]
    keys = ((kind.key,) for kind in mapped if kind.key and not kind.names)
    for names in (*(kind.names for kind in mapped), *keys):
        if text := " ".join(str(made.properties[key]).strip() for key in names if key in made.properties):
            return text
    return name_of(made.labels, made.properties) or code_of(made.labels, made.properties)


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=str, ensure_ascii=False)


def _plain_properties(properties: dict[str, Any]) -> dict[str, Scalar | list[Scalar]]:
    return {
        key: [_plain(item) for item in value] if isinstance(value, list) else _plain(value)
        for key, value in sorted(properties.items())
        if value != []
    }


def _plain(value: Any) -> Scalar:
    """A value of the driver's as one of ours; times of day and durations become texts."""
    from neo4j.spatial import WGS84Point

    if isinstance(value, WGS84Point):
        return place_on_earth(value.longitude, value.latitude, value.height if len(value) == 3 else None)
    if hasattr(value, "to_native") and not hasattr(value, "months"):
        native = value.to_native()
        return native if isinstance(native, date) else str(native)
    return value if isinstance(value, str | int | float) else str(value)


_START = re.compile(
    r"\s*(:(begin|param|use)\b|(CREATE|MERGE|UNWIND|MATCH|OPTIONAL\s+MATCH|WITH|FOREACH|DROP|CALL|CYPHER)\b)",
    re.IGNORECASE,
)


def fits(sample: bytes, name: str = "") -> float:
    """Whether a sample begins with a statement and creates something."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", sample.decode(errors="replace").removeprefix("\ufeff"), flags=re.DOTALL)
    creates = re.search(r"\b(CREATE|MERGE)\s*(CONSTRAINT|INDEX|[A-Z]* INDEX|\(|`|\w+\s*=\s*\()", text, re.IGNORECASE)
    return 0.95 if _START.match(text) and creates else 0.0


FORMATS = (Format("cypher", "CREATE (:Film {title: …})", fits, CypherScript),)
