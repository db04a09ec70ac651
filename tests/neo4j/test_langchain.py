"""The graph as a retriever and as a tool of LangChain, by LangChain's own standard tests."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import ToolCall
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import BaseTool
from langchain_tests.integration_tests import RetrieversIntegrationTests, ToolsIntegrationTests

from kgqa_graphdb import KGQA, AsyncKGQA
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.integrations.langchain import KGQARetriever, KGQATool

QUESTION = "Which moons does Saturn have?"


class TestRetriever(RetrieversIntegrationTests):
    """LangChain's tests of retrievers."""

    client: KGQA

    @pytest.fixture(autouse=True)
    def _client(self, kg: KGQA) -> None:
        self.client = kg

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return KGQARetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"client": self.client, "k": 2}

    @property
    def retriever_query_example(self) -> str:
        return QUESTION


class TestTool(ToolsIntegrationTests):
    """LangChain's tests of tools."""

    client: KGQA

    @pytest.fixture(autouse=True)
    def _client(self, kg: KGQA) -> None:
        self.client = kg

    @property
    def tool_constructor(self) -> type[BaseTool]:
        return KGQATool

    @property
    def tool_constructor_params(self) -> dict[str, Any]:
        return {"client": self.client}

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return {"question": QUESTION}


def test_documents_carry_fact_proof_and_source(kg: KGQA) -> None:
    (document,) = KGQARetriever(client=kg).invoke("Who discovered Titan?")
    assert isinstance(document, Document)
    assert document.page_content == "Titan was discovered by Christiaan Huygens."
    fact, proof = document.metadata["fact"], document.metadata["proof"]
    assert (fact["head"], fact["relation"], fact["tail"]) == ("Titan", "discovered_by", "Christiaan Huygens")
    assert (proof["answers"], document.metadata["source"]) == (["Christiaan Huygens"], kg.graph_name)
    assert proof["cypher"].startswith("CYPHER 5")
    assert KGQARetriever(client=kg).invoke("Who discovered Nothing at all?") == []


def test_the_tools_artifact_is_the_proof_graph(kg: KGQA) -> None:
    call = ToolCall(name="ask_knowledge_graph", args={"question": "Who discovered Titan?"}, id="1", type="tool_call")
    message = KGQATool(client=kg).invoke(call)
    assert message.content.splitlines()[1] == "[1] Titan was discovered by Christiaan Huygens."
    assert json.loads(json.dumps(message.artifact)) == message.artifact
    assert [node["name"] for node in message.artifact["nodes"]] == ["Titan", "Christiaan Huygens"]
    assert [answer["name"] for answer in message.artifact["answers"]] == ["Christiaan Huygens"]
    assert not message.artifact["abstained"]


def test_an_error_reaches_the_agent_as_text(kg: KGQA) -> None:
    tool = KGQATool(client=kg, handle_tool_error=True)
    assert "question" in tool.invoke({"question": " "})


@pytest.fixture
async def async_kg(space: str, kg: KGQA) -> Any:
    async with await AsyncKGQA.connect(graph=space, encoder=kg._options.encoder) as client:
        yield client


@pytest.mark.asyncio
async def test_an_async_client_serves_async_calls_alone(async_kg: AsyncKGQA) -> None:
    retriever = KGQARetriever(client=async_kg)
    assert len(await retriever.ainvoke(QUESTION, k=3)) == 3
    assert "Titan" in str(await KGQATool(client=async_kg).ainvoke({"question": QUESTION}))
    with pytest.raises(UsageError, match=r"give a KGQA for invoke\(\)"):
        retriever.invoke(QUESTION)
