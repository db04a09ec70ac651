"""``kgqa ask``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kgqa_graphdb.cli.app import app
from kgqa_graphdb.cli.asking import (
    AbstainBelow,
    Asking,
    LanguageModelName,
    LanguageModelSettings,
    Mapping,
    Method,
    MethodSettings,
    Model,
    Readings,
    Verbalise,
)
from kgqa_graphdb.cli.db import open_connection
from kgqa_graphdb.cli.output import GraphName, JsonFlag, emit_json, say

if TYPE_CHECKING:
    from kgqa_graphdb.reply import Reply

EXAMPLES = """
Examples:

  kgqa ask "Which moons did Galileo Galilei discover?" --graph space

  kgqa ask "who directed the films that [Joe Thomas] acted in?" --graph metaqa --json

  kgqa ask "who played him in 1990?" --topic "Hannibal Lecter" --graph films

  kgqa ask "What does Chai cost?" --graph northwind --mapping northwind.toml

  kgqa ask "who played him?" --graph films --model trained --set readings=2
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
    method: Method = "paths",
    settings: MethodSettings = None,
    top_k: Annotated[int, typer.Option("--top-k", "-k", min=1, help="Keep at most so many answers.")] = 1_000,
    model: Model = None,
    language_model: LanguageModelName = None,
    language_model_set: LanguageModelSettings = None,
    verbalise: Verbalise = False,
    readings: Readings = None,
    abstain_below: AbstainBelow = None,
    mapping: Mapping = None,
    json: JsonFlag = False,
) -> None:
    """Answer a question: entities, proof, Cypher and a sentence."""
    from dataclasses import replace

    from kgqa_graphdb.cli.interrupt import interruptible
    from kgqa_graphdb.cli.show import show_reply
    from kgqa_graphdb.client import KGQA
    from kgqa_graphdb.errors import UsageError
    from kgqa_graphdb.link.asked import parse_question

    if not question.strip():
        raise UsageError('the question is empty; ask for instance: kgqa ask "who directed Inception?" --graph metaqa')
    asking = Asking(
        method, model, language_model, mapping, settings, readings, abstain_below, language_model_set, verbalise
    )
    options = asking.client_options()
    connection = open_connection()

    def work() -> Reply:
        with KGQA.connect(graph, connection=connection, **options) as kg:
            return kg.ask(parse_question(question, topic or ()))

    reply = interruptible(work)
    kept = replace(reply, answer=replace(reply.answer, answers=reply.answers[:top_k]))
    if json:
        emit_json(kept.to_dict())
        return
    say(show_reply(kept, connection.browser or ""))
