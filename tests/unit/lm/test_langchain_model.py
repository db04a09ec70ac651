"""Chat models of LangChain serve as language models: set alike, retried where that helps, silent about their keys."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda
from pydantic import SecretStr

import kgqa_graphdb.lm.langchain_model as module
from kgqa_graphdb.errors import LanguageModelError, UsageError
from kgqa_graphdb.lm import LangChainModel, LangChainSettings, open_language_model
from kgqa_graphdb.steps import Sampling

KEY = "sk-very-secret"


class Chat(BaseChatModel):
    """Answers by a function of the prompt and of how often it was asked."""

    model_name: str = "chat-1"
    api_key: SecretStr = SecretStr(KEY)
    reply: Callable[[str, int], str] = lambda prompt, call: f"re: {prompt}"
    calls: list[dict[str, Any]] = []

    @property
    def _llm_type(self) -> str:
        return "chat"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.calls.append({"stop": stop, **kwargs})
        text = self.reply(str(messages[-1].content), len(self.calls))
        return ChatResult(generations=[ChatGeneration(message=AIMessage(text))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for letter in self.reply(str(messages[-1].content), 1):
            yield ChatGenerationChunk(message=AIMessageChunk(letter))

    def with_structured_output(self, schema: Any, *, include_raw: bool = False, **kwargs: Any) -> Runnable[Any, Any]:
        assert (kwargs["method"], include_raw, schema["title"]) == ("json_schema", True, "Answer")
        return RunnableLambda(lambda prompt: {"raw": AIMessage("{}"), "parsed": {"answers": [prompt]}})


class HttpError(Exception):
    """As vendors' clients raise."""

    def __init__(self, status_code: int) -> None:
        super().__init__(f"status {status_code} for key {KEY}\nand more")
        self.status_code = status_code


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_WAIT_S", 0.0)


def failing(*errors: Exception) -> Chat:
    """Fails with these errors, then answers."""

    def reply(prompt: str, call: int) -> str:
        if call <= len(errors):
            raise errors[call - 1]
        return "done"

    return Chat(reply=reply, calls=[])


def test_prompts_are_asked_side_by_side_and_answered_in_order() -> None:
    chat = Chat(calls=[])
    model = open_language_model(chat)
    sampling = Sampling(max_tokens=9, stop=("END",))
    assert model.generate(["a", "b END c"], sampling) == [("re: a",), ("re: b ",)]
    assert chat.calls[0] == {"stop": ["END"], "temperature": 0.0, "max_tokens": 9}
    assert model.name == "Chat:chat-1"


def test_several_completions_are_several_calls_where_they_are_drawn() -> None:
    chat = Chat(reply=lambda prompt, call: f"{prompt}{call}", calls=[])
    (drawn,) = LangChainModel(chat, LangChainSettings(concurrency=1)).generate(["a"], Sampling(n=3, temperature=1.0))
    assert drawn == ("a1", "a2", "a3")
    assert LangChainModel(chat).generate(["a"], Sampling(n=2)) == [("a4", "a4")]


def test_a_search_in_groups_is_refused() -> None:
    with pytest.raises(LanguageModelError, match=r"'Chat:chat-1' has no beam search.*temperature"):
        LangChainModel(Chat()).generate(["a"], Sampling(n=4, groups=2, diversity=1.0))


def test_a_stream_ends_at_a_stop_text_wherever_its_pieces_part() -> None:
    model = LangChainModel(Chat(reply=lambda prompt, call: "one STOP two"))
    assert "".join(model.stream("x", Sampling(stop=("STOP",)))) == "one "
    assert "".join(model.stream("x", Sampling(stop=("STOPS",)))) == "one STOP two"


def test_a_json_schema_is_handed_to_the_vendor() -> None:
    schema = json.dumps({"type": "object", "properties": {"answers": {"type": "array"}}})
    assert LangChainModel(Chat()).generate(["x"], Sampling(json_schema=schema)) == [('{"answers": ["x"]}',)]
    with pytest.raises(LanguageModelError, match="can't keep to this JSON schema"):
        LangChainModel(Chat()).generate(["x"], Sampling(json_schema="no json"))


@pytest.mark.parametrize("error", [HttpError(429), HttpError(503), TimeoutError(), ConnectionError("reset")])
def test_what_may_pass_is_tried_again(error: Exception) -> None:
    chat = failing(error, error)
    assert LangChainModel(chat).generate(["x"], Sampling()) == [("done",)]
    assert len(chat.calls) == 3


@pytest.mark.parametrize("error", [HttpError(401), ValueError(f"bad key {KEY}")])
def test_what_will_not_pass_is_not_tried_again_and_names_no_key(error: Exception) -> None:
    chat = failing(error)
    with pytest.raises(LanguageModelError, match=r"'Chat:chat-1' failed: .*\*\*\*") as caught:
        LangChainModel(chat).generate(["x"], Sampling())
    assert len(chat.calls) == 1
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None
    assert KEY not in LangChainModel(chat).fingerprint


def test_attempts_have_an_end() -> None:
    chat = failing(*[HttpError(500)] * 9)
    with pytest.raises(LanguageModelError, match="status 500"):
        LangChainModel(chat, LangChainSettings(attempts=2)).generate(["x"], Sampling())
    assert len(chat.calls) == 2


def test_a_call_that_hangs_is_left_and_the_end_of_the_process_does_not_wait_for_it() -> None:
    threads = []

    def hang(prompt: str, call: int) -> str:
        threads.append(threading.current_thread())
        time.sleep(1)
        return "late"

    settings = LangChainSettings(timeout_s=0.05, attempts=2)
    with pytest.raises(LanguageModelError, match=r"no answer within 0\.05 seconds; raise it"):
        LangChainModel(Chat(reply=hang), settings).generate(["x"], Sampling())
    assert [thread.daemon for thread in threads] == [True, True]


def test_after_a_failure_calls_that_have_not_begun_are_not_made() -> None:
    given_up = threading.Event()

    def reply(prompt: str, call: int) -> str:
        if call == 1:
            raise HttpError(400)
        given_up.wait(30)
        return "done"

    chat = Chat(reply=reply, calls=[])
    model = LangChainModel(chat, LangChainSettings(concurrency=1))
    with pytest.raises(LanguageModelError, match="status 400"):
        model.generate([*"abcdefgh"], Sampling())
    given_up.set()
    assert model.generate(["next"], Sampling()) == [("done",)]  # in the same queue, after all that was in it
    assert len(chat.calls) <= 3


def test_tokens_are_estimated_high_and_the_window_is_what_model_or_person_says() -> None:
    model = LangChainModel(Chat())
    assert model.count_tokens(["", "four words are here", "日本"]) == [0, 7, 2]
    assert LangChainModel(Chat(), count=len).count_tokens(["abc"]) == [3]
    assert model.context_window == 8_192
    assert LangChainModel(Chat(), LangChainSettings(window=50)).context_window == 50
    with pytest.raises(LanguageModelError, match="gives no probabilities"):
        model.score([("a", "b")])


@pytest.mark.parametrize("settings", [{"window": 0}, {"timeout_s": 0}, {"attempts": 0}, {"concurrency": "0"}])
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        open_language_model(Chat(), settings)


def test_other_models_have_other_fingerprints() -> None:
    one, same, other = (LangChainModel(Chat(model_name=name)).fingerprint for name in ("a", "a", "b"))
    assert one == same != other
