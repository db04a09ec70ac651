"""``kgqa ask``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgqa_graphdb.cli.app import app
from kgqa_graphdb.cli.db import open_connection
from kgqa_graphdb.cli.output import AbstainBelow, GraphName, JsonFlag, Readings, emit_json, say

if TYPE_CHECKING:
    from kgqa_graphdb.reply import Reply

EXAMPLES = """
Examples:

  kgqa ask "Which moons did Galileo Galilei discover?" --graph space

  kgqa ask "who directed the films that [Joe Thomas] acted in?" --graph metaqa --json

  kgqa ask "who played him in 1990?" --topic "Hannibal Lecter" --graph films

  kgqa ask "What does Chai cost?" --graph northwind --mapping northwind.toml
"""


@app.command(epilog=EXAMPLES)
def ask(
    question: Annotated[str, typer.Argument(help="A question in plain language; topics may stand in [brackets].")],
    graph: GraphName,
    topic: Annotated[
        list[str] | None,
        typer.Option(
            "--topic",
            "-t",
            help="Name or id of an entity that the question is about, instead of looking for names in it; may be "
            "repeated.",
            show_default=False,
        ),
    ] = None,
    method: Annotated[str, typer.Option("--method", "-m", help="How to answer.")] = "paths",
    top_k: Annotated[int, typer.Option("--top-k", "-k", min=1, help="Keep at most so many answers.")] = 1_000,
    model: Annotated[
        Path | None, typer.Option("--model", help="Folder of a trained model; kgqa train makes one.")
    ] = None,
    readings: Readings = 1,
    abstain_below: AbstainBelow = None,
    mapping: Annotated[
        Path | None, typer.Option("--mapping", help="Mapping file of a graph that kgqa did not load.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Answer a question: entities, proof, Cypher and a sentence."""
    from dataclasses import replace

    from kgqa_graphdb.cli.interrupt import interruptible
    from kgqa_graphdb.cli.show import show_reply
    from kgqa_graphdb.client import KGQA, parse_question
    from kgqa_graphdb.errors import UsageError

    if not question.strip():
        raise UsageError('the question is empty; ask for instance: kgqa ask "who directed Inception?" --graph metaqa')
    connection = open_connection()

    def work() -> Reply:
        with KGQA.connect(
            graph,
            connection=connection,
            mapping=mapping,
            method=method,
            model=model,
            readings=readings,
            abstain_below=abstain_below,
        ) as kg:
            return kg.ask(parse_question(question, topic or ()))

    reply = interruptible(work)
    kept = replace(reply, answer=replace(reply.answer, answers=reply.answers[:top_k]))
    if json:
        emit_json(kept.to_dict())
        return
    say(show_reply(kept, connection.browser or ""))
