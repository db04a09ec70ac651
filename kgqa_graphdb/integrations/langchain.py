"""LangChain: a graph as a retriever of facts, and as a tool that answers with its proof."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from kgqa_graphdb.client import KGQA, AsyncKGQA
from kgqa_graphdb.errors import KgqaError, MissingExtraError, UsageError
from kgqa_graphdb.reply import Reply
from kgqa_graphdb.types import Fact
from kgqa_graphdb.verbalise import fact_sentence

try:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.tools import ArgsSchema, BaseTool, ToolException
    from pydantic import BaseModel, Field
except ImportError as missing:
    raise MissingExtraError("langchain-core", "llm") from missing


class KGQARetriever(BaseRetriever):
    """The facts that prove the answers to a question, a document each, best first.

        with KGQA.connect(graph="space") as kg:
            KGQARetriever(client=kg, k=5).invoke("Which moons did Galileo Galilei discover?")

    A document's text is the fact in a sentence. Its metadata have the ``fact`` as a triple with ids and qualifiers, the
    ``proof`` it is part of (what was asked of the graph, and the Cypher that finds it again), and the ``source``, the
    name of the graph. A question that is not answered has no documents.

    :ivar client: answers; an :class:`AsyncKGQA` serves ``ainvoke`` alone
    :ivar k: documents at most, 1 or more
    :ivar method: how to answer; ``None``: as the client does
    """

    client: Any
    k: int = Field(default=10, ge=1)
    method: str | None = None

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None, **_: Any
    ) -> list[Document]:
        return _documents(_ask(self.client, query, self.method), self.k if k is None else k)

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, k: int | None = None, **_: Any
    ) -> list[Document]:
        return _documents(await _aask(self.client, query, self.method), self.k if k is None else k)


class KGQAQuestion(BaseModel):
    """What the tool is called with."""

    question: str = Field(
        description="The question, complete and in plain language, with the names as they are written."
    )


class KGQATool(BaseTool):
    """Answers from the graph: the content is a sentence with the facts below it, the artifact the proof graph.

    The artifact is a dict that JSON can hold: ``answers``, ``nodes`` and ``edges`` of the proof, ``cypher`` for Neo4j
    Browser, and ``abstained``, which says why there is no answer.

    :ivar client: answers; an :class:`AsyncKGQA` serves ``ainvoke`` alone
    :ivar method: how to answer; ``None``: as the client does
    """

    name: str = "ask_knowledge_graph"
    description: str = (
        "Answers a question from a knowledge graph, with the facts that prove the answer. It says so when the graph "
        "has no answer."
    )
    args_schema: ArgsSchema | None = KGQAQuestion
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    client: Any
    method: str | None = None

    def _run(self, question: str) -> tuple[str, dict[str, Any]]:
        try:
            return _content_and_artifact(_ask(self.client, question, self.method))
        except KgqaError as error:
            raise ToolException(str(error)) from error

    async def _arun(self, question: str) -> tuple[str, dict[str, Any]]:
        try:
            return _content_and_artifact(await _aask(self.client, question, self.method))
        except KgqaError as error:
            raise ToolException(str(error)) from error


def _ask(client: KGQA | AsyncKGQA, question: str, method: str | None) -> Reply:
    if isinstance(client, AsyncKGQA):
        raise UsageError("an AsyncKGQA answers ainvoke() alone; give a KGQA for invoke()")
    return client.ask(question, method=method)


async def _aask(client: KGQA | AsyncKGQA, question: str, method: str | None) -> Reply:
    if isinstance(client, AsyncKGQA):
        return await client.ask(question, method=method)
    return await asyncio.to_thread(client.ask, question, method=method)


def _documents(reply: Reply, k: int) -> list[Document]:
    """The facts of a proof, the best path's first."""
    statement = reply.cypher_to_paste
    found: dict[Fact, Document] = {}
    for path, entry in zip(reply.paths, reply.to_dict()["paths"], strict=True):
        for fact, plain in zip(path.facts, entry["facts"], strict=True):
            proof = {"asked": path.text, "score": path.score, "cypher": statement, "answers": list(reply.names)}
            metadata = {"fact": plain, "proof": proof, "source": reply.graph}
            found.setdefault(fact, Document(page_content=fact_sentence(fact), metadata=metadata))
    return list(found.values())[:k]


def _content_and_artifact(reply: Reply) -> tuple[str, dict[str, Any]]:
    """A reply as a tool gives it: content and artifact."""
    plain = reply.to_dict()
    edges = [fact for path in plain["paths"] for fact in path["facts"]]
    edges = [edge for place, edge in enumerate(edges) if edge not in edges[:place]]
    ends = [(edge[f"{end}_id"], edge[end]) for edge in edges for end in ("head", "tail")]
    artifact = {
        "graph": reply.graph,
        "answers": plain["answers"],
        "nodes": [{"id": id, "name": name} for id, name in dict.fromkeys(ends)],
        "edges": edges,
        "cypher": reply.cypher_to_paste,
        "abstained": reply.abstained,
    }
    facts = [f"[{number}] {fact_sentence(fact)}" for number, fact in enumerate(reply.facts, start=1)]
    return "\n".join([reply.text, *facts]), artifact
