"""Drops a loaded graph: its entities, facts, indexes, constraint and meta nodes, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import neo4j

from kgqa_graphdb.catalog import label_of
from kgqa_graphdb.errors import UnknownGraphError
from kgqa_loaders.server import OutOfServerMemoryError, Progress, Server, address_of, clear_errors

_NODES = 5_000
_FACTS = 20_000


@dataclass(frozen=True, slots=True)
class DropReport:
    """What was deleted.

    :ivar facts: relationships, those included that others attached to the graph's entities
    """

    graph: str
    entities: int
    facts: int


def drop(
    driver: neo4j.Driver, graph: str, *, progress: Progress | None = None, database: str | None = None
) -> DropReport:
    """Delete a graph that was loaded, a batch at a time. Cut off and run again, it goes on.

    :raises UnknownGraphError: no graph of that name was loaded
    :raises ConnectionFailedError: the server went away
    """
    with (
        Server(driver, database) as server,
        clear_errors(lambda: server.where, lambda: "start it and run the same command again: it goes on from there"),
    ):
        server.where = address_of(driver)
        return _drop(server, graph, progress or (lambda done, total=None: None))


def _drop(server: Server, graph: str, progress: Progress) -> DropReport:
    label = {"label": label_of(graph)}
    if not server.run("load/begin_drop", graph=graph)[0][0]:
        raise UnknownGraphError(f"there is no graph {graph!r} that was loaded; see them with: kgqa graphs")
    server.run("schema/drop_index", {"index": f"{label_of(graph)}_vectors"})  # or each deletion changes it
    total = server.run("load/count_entities", label)[0][0]
    entities = facts = 0
    nodes, limit = _NODES, _FACTS
    while True:
        try:
            while deleted := server.run("load/drop_facts", label, nodes=nodes, limit=limit)[0][0]:
                facts += deleted
                progress(entities, total)
                if deleted < limit:
                    break
            deleted = server.run("load/drop_entities", label, nodes=nodes)[0][0]
        except OutOfServerMemoryError:
            if limit == 1:
                raise
            nodes, limit = max(1, nodes // 2), max(1, limit // 2)
            continue
        entities += deleted
        progress(entities, total)
        if deleted < nodes:
            break
    server.run("schema/drop_index", {"index": f"{label_of(graph)}_names"})
    server.run("schema/drop_constraint", {"constraint": f"{label_of(graph)}_entity_id"})
    server.run("load/end_drop", graph=graph)
    return DropReport(graph, entities, facts)
