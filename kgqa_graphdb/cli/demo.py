"""``kgqa demo``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kgqa_graphdb.cli.app import app
from kgqa_graphdb.cli.db import open_connection
from kgqa_graphdb.cli.output import JsonFlag, emit_json, print_status, progress, say

if TYPE_CHECKING:
    from kgqa_graphdb.cli.output import Advance
    from kgqa_graphdb.managed import Connection
    from kgqa_graphdb.reply import Reply
    from kgqa_loaders.write import LoadReport

EPILOG = """
Examples:

  kgqa demo

  kgqa demo --json | head -30
"""


@app.command(epilog=EPILOG)
def demo(json: JsonFlag = False) -> None:
    """Load a small graph of worlds and spacecraft, and ask it a dozen questions.

    The first time, a local Neo4j is fetched and started, unless NEO4J_URI names a server.
    """
    from kgqa_graphdb.cli.interrupt import interruptible
    from kgqa_graphdb.cli.show import one_line, show_reply
    from kgqa_graphdb.client import KGQA
    from kgqa_graphdb.demo import GRAPH_NAME, questions

    connection = open_connection()
    with progress("Loading the demo graph") as advance:
        report = interruptible(lambda: _load(connection, advance))
    asked = questions()
    if not json:
        say(f"The graph '{GRAPH_NAME}': {report.entities} entities, {report.facts + report.literals} facts.\n")

    def ask_all() -> list[Reply]:
        replies = []
        with KGQA.connect(GRAPH_NAME, connection=connection) as kg:
            for number, question in enumerate(asked, start=1):
                replies.append(kg.ask(question.question))
                if not json:
                    say(f"{number:>2}. {question.question}")
                    say(f"    {one_line(replies[-1].text)}\n")
        return replies

    replies = interruptible(ask_all)
    shown = next((reply for reply, question in zip(replies, asked, strict=True) if question.hops == 2), replies[0])
    if json:
        emit_json(_document(report, replies, connection))
        return
    say(f'What stands behind an answer: kgqa ask "{shown.question}" --graph {GRAPH_NAME}\n')
    say("\n".join("    " + line if line else "" for line in show_reply(shown).splitlines()))
    say(_next(connection))


def _load(connection: Connection, advance: Advance) -> LoadReport:
    from kgqa_graphdb.demo import FACTS_FILE, GRAPH_NAME, RELATIONS_FILE
    from kgqa_graphdb.runtime import open_driver
    from kgqa_loaders.recognise import open_source
    from kgqa_loaders.records import LoadOptions
    from kgqa_loaders.relations import read_relations
    from kgqa_loaders.write import load

    with open_driver(connection) as driver:
        report = load(
            driver,
            open_source(str(FACTS_FILE)),
            graph=GRAPH_NAME,
            relations=read_relations(RELATIONS_FILE),
            options=LoadOptions(licence="Apache-2.0"),
            progress=advance,
            database=connection.database,
        )
    for note in report.notes:
        print_status(f"note: {note}")
    return report


def _next(connection: Connection) -> str:
    """Where to go from here."""
    from kgqa_graphdb.demo import GRAPH_NAME

    browser = connection.browser or "your Neo4j Browser"
    password = "" if connection.browser is None else "   (user and password: kgqa db status --show-password)"
    return f"""
See the graph: open {browser}{password}
and paste

    MATCH way = (:KG_{GRAPH_NAME} {{name: 'Apollo 11'}})--() RETURN way

or the Cypher above. Ask on:

    kgqa ask "Which spacecraft visited Saturn?" --graph {GRAPH_NAME}

Your own facts, one per line as head|relation|tail:

    kgqa load FACTS.txt --graph mine
    kgqa ask "…" --graph mine"""


def _document(report: LoadReport, replies: list[Reply], connection: Connection) -> dict[str, Any]:
    return {
        "graph": report.graph,
        "entities": report.entities,
        "facts": report.facts,
        "literals": report.literals,
        "browser": connection.browser,
        "replies": [reply.to_dict() for reply in replies],
    }
