"""How long a statement of a script may run: Neo4j itself limits whole transactions only."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgqa_graphdb import queries

if TYPE_CHECKING:
    import neo4j

log = logging.getLogger(__name__)


@dataclass(slots=True)
class StatementLimit:
    """Ends a script's transaction when one of its statements takes too long.

    :ivar script: what the transaction is marked with: ``script`` of its metadata
    :ivar seconds: that a statement may run
    :ivar exceeded: whether the transaction was ended
    """

    driver: neo4j.Driver
    database: str | None
    script: str
    seconds: float
    exceeded: bool = False

    @contextmanager
    def statement(self) -> Iterator[None]:
        """While a statement runs."""
        timer = threading.Timer(self.seconds, self._end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _end(self) -> None:
        from neo4j import exceptions as driver_errors

        self.exceeded = True
        try:
            text = queries.load("load/end_script").cypher()
            self.driver.execute_query(text, script=self.script, database_=self.database)
        except (driver_errors.Neo4jError, driver_errors.DriverError) as error:
            log.warning("can't end a statement that takes too long: %s", error)  # the script's own limit does
