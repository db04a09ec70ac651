"""Language models behind LangChain: any vendor, vLLM, Ollama, or a server that speaks OpenAI's protocol."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from kgqa_graphdb.apart import begin_apart
from kgqa_graphdb.errors import LanguageModelError, MissingExtraError, UsageError
from kgqa_graphdb.lm.stops import before_stop, stream_before_stop
from kgqa_graphdb.settings import setting
from kgqa_graphdb.steps import Sampling

DEFAULT_WINDOW = 8_192
"""Tokens, where the model does not say how many it reads."""
_TRANSIENT = frozenset({408, 409, 425, 429, *range(500, 600)})
"""HTTP states after which a call may do better."""
_WAIT_S, _MOST_WAIT_S = 0.5, 20.0


@dataclass(frozen=True, slots=True)
class LangChainSettings:
    """How a LangChain chat model is used."""

    window: int | None = setting(None, "Tokens that prompt and answer may have together; none: as the model says.")
    timeout_s: float = setting(60.0, "Seconds that one call may take.")
    attempts: int = setting(4, "Calls at most where a call times out, is refused for its rate, or the server fails.")
    concurrency: int = setting(8, "Calls side by side at most.")
    cache: bool = setting(True, "Whether completions are kept on disk and not made twice.")

    def __post_init__(self) -> None:
        if self.window is not None and self.window < 1:
            raise UsageError(f"a language model reads more than {self.window} tokens: give a window of 1 or more")
        if not self.timeout_s > 0:
            raise UsageError(f"no call is done in {self.timeout_s} seconds: give a timeout_s above 0")
        if self.attempts < 1 or self.concurrency < 1:
            raise UsageError("attempts and concurrency are at least 1")


def sampling_options(sampling: Sampling) -> dict[str, Any]:
    """A sampling as most chat models take it."""
    return {"temperature": sampling.temperature, "max_tokens": sampling.max_tokens}


class LangChainModel:
    """A LangChain ``BaseChatModel``: each prompt is one message of a user.

        LangChainModel(ChatOpenAI(model="gpt-5-mini"))
        LangChainModel(ChatOpenAI(base_url="http://localhost:8000/v1", model="…", api_key="-"))      # vLLM
        LangChainModel(ChatOllama(model="…"), options=lambda sampling: {"num_predict": sampling.max_tokens})

    What a call fails by is retried where that may help, and reported without the model's secrets.
    """

    def __init__(
        self,
        model: Any,
        settings: LangChainSettings | None = None,
        *,
        options: Callable[[Sampling], Mapping[str, Any]] = sampling_options,
        count: Callable[[str], int] | None = None,
    ) -> None:
        """
        :param model: the chat model
        :param options: what the model calls a sampling
        :param count: tokens of a text; ``None``: a third of its bytes, which is more than most tokenizers make of it
        """
        self.model = model
        self.settings = settings or LangChainSettings()
        self._options = options
        self._count = count or _many_tokens
        self._pool = ThreadPoolExecutor(self.settings.concurrency, thread_name_prefix="kgqa-langchain")

    @property
    def name(self) -> str:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.name`."""
        called = getattr(self.model, "model_name", None) or getattr(self.model, "model", None)
        return f"{type(self.model).__name__}:{called}" if isinstance(called, str) else type(self.model).__name__

    @property
    def fingerprint(self) -> str:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.fingerprint`."""
        parameters = {key: str(value) for key, value in dict(self.model._identifying_params).items()}
        base = getattr(self.model, "openai_api_base", None) or getattr(self.model, "base_url", None)
        text = json.dumps([self.name, str(base), parameters], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def context_window(self) -> int:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.context_window`."""
        profile = getattr(self.model, "profile", None) or {}
        return int(self.settings.window or profile.get("max_input_tokens") or DEFAULT_WINDOW)

    def generate(self, prompts: Sequence[str], sampling: Sampling) -> list[tuple[str, ...]]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.generate`; a call for each completion, some side by side."""
        runnable, stop = self._runnable(sampling), list(sampling.stop) or None
        alike = 1 if not sampling.temperature else sampling.n  # at temperature 0 all completions are the same
        calls = [self._pool.submit(self._invoke, runnable, prompt, stop) for prompt in prompts for _ in range(alike)]
        try:
            texts = [before_stop(call.result(), sampling.stop) for call in calls]
        finally:
            for call in calls:  # after a failure nobody waits for the others
                call.cancel()
        return [tuple(texts[row : row + alike]) * (sampling.n // alike) for row in range(0, len(texts), alike)]

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Refused: chat models behind an interface give no probabilities of given texts."""
        raise LanguageModelError(
            f"language model {self.name!r} gives no probabilities; take one that runs here: --language-model FOLDER"
        )

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.count_tokens`; an estimate where nothing else was given."""
        return [self._count(text) for text in texts]

    def stream(self, prompt: str, sampling: Sampling) -> Iterator[str]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.stream`; a stream that breaks is not begun again."""
        runnable = self.model.bind(**self._options(sampling))
        try:
            pieces = (_text_of(one) for one in runnable.stream(prompt, stop=list(sampling.stop) or None))
            yield from stream_before_stop(pieces, sampling.stop)
        except Exception as error:  # noqa: BLE001  # each vendor has errors of its own, without a common base
            raise self._error(error) from None

    def _runnable(self, sampling: Sampling) -> Any:
        """The model, set as asked; it gives a message, or with a schema a dict that holds one.

        :raises LanguageModelError: it can't be set so
        """
        if sampling.adapter:
            raise LanguageModelError(
                f"language model {self.name!r} takes no adapter; take one that runs here: --language-model FOLDER"
            )
        if sampling.groups > 1:
            raise LanguageModelError(
                f"language model {self.name!r} has no beam search, so none in groups: draw completions at a "
                "temperature above 0, or take one that runs here: --language-model FOLDER"
            )
        if not sampling.json_schema:
            return self.model.bind(**self._options(sampling))
        try:
            schema = json.loads(sampling.json_schema)
            schema.setdefault("title", "Answer")  # vendors want a name
            schema.setdefault("description", "The answer to the question.")
            return self.model.with_structured_output(
                schema, method="json_schema", include_raw=True, **self._options(sampling)
            )
        except (NotImplementedError, TypeError, ValueError, AttributeError) as error:
            raise LanguageModelError(
                f"language model {self.name!r} can't keep to this JSON schema ({error}); ask for free text"
            ) from error

    def _invoke(self, runnable: Any, prompt: str, stop: list[str] | None) -> str:
        """One completion, tried again where that may help.

        :raises LanguageModelError: no attempt worked; the message has no secrets
        """
        try:
            from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential
        except ImportError as error:
            raise MissingExtraError("tenacity", "llm") from error
        retrying = Retrying(
            stop=stop_after_attempt(self.settings.attempts),
            wait=wait_random_exponential(multiplier=_WAIT_S, max=_MOST_WAIT_S),
            retry=retry_if_exception(_may_pass),
            reraise=True,
        )
        try:
            return str(retrying(self._invoke_once, runnable, prompt, stop))
        except Exception as error:  # noqa: BLE001  # each vendor has errors of its own, without a common base
            raise self._error(error) from None

    def _invoke_once(self, runnable: Any, prompt: str, stop: list[str] | None) -> str:
        call = begin_apart(partial(runnable.invoke, prompt, **({"stop": stop} if stop else {})))
        return _text_of(call.result(timeout=self.settings.timeout_s))

    def _error(self, error: Exception) -> LanguageModelError:
        """What a call failed by, without secrets and without the cause, whose text may have them."""
        if isinstance(error, LanguageModelError):
            return error
        if isinstance(error, TimeoutError):
            reason = f"no answer within {self.settings.timeout_s:g} seconds; raise it with the setting timeout_s"
        else:
            reason = f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}"
        for secret in _secrets(self.model):
            reason = reason.replace(secret, "***")
        return LanguageModelError(f"language model {self.name!r} failed: {reason}")


def open_chat_model(name: str) -> Any:
    """The LangChain chat model of a name, such as ``openai:gpt-5-mini``, as ``init_chat_model`` knows it.

    :raises LanguageModelError: there is none, or its package or key is missing
    """
    try:
        from langchain.chat_models import init_chat_model
    except ImportError as error:
        raise LanguageModelError(
            f"language model 'langchain:{name}' needs LangChain and its package for this vendor: pip install langchain "
            "langchain-VENDOR; or hand a chat model to KGQA(…, language_model=…)"
        ) from error
    try:
        return init_chat_model(name)
    except Exception as error:  # noqa: BLE001  # each vendor has errors of its own, without a common base
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise LanguageModelError(f"language model 'langchain:{name}' can't be opened: {lines[0]}") from None


def _text_of(message: Any) -> str:
    """The text of what a chat model gave; of structured output its raw message."""
    if isinstance(message, dict):
        parsed = message.get("parsed")
        if parsed is not None:
            return json.dumps(parsed, ensure_ascii=False)
        message = message["raw"]
    content = message.content if hasattr(message, "content") else message
    if isinstance(content, str):
        return content
    blocks = (block if isinstance(block, str) else block.get("text", "") for block in content)
    return "".join(blocks)


def _may_pass(error: BaseException) -> bool:
    """Whether a call that failed so may do better the next time."""
    response = getattr(error, "response", None)
    states = (getattr(error, "status_code", None), getattr(response, "status_code", None), getattr(error, "code", None))
    if any(isinstance(state, int) for state in states):
        return any(state in _TRANSIENT for state in states)
    named = type(error).__name__.lower()
    return isinstance(error, TimeoutError | ConnectionError) or "timeout" in named or "connection" in named


def _secrets(model: Any) -> list[str]:
    """The secrets that a chat model holds."""
    values: list[Any] = [getattr(model, name, None) for name in getattr(type(model), "model_fields", ())]
    found = (value.get_secret_value() for value in values if hasattr(value, "get_secret_value"))
    return [secret for secret in found if isinstance(secret, str) and secret]


def _many_tokens(text: str) -> int:
    return math.ceil(len(text.encode("utf-8", "replace")) / 3)
