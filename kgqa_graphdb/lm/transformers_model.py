"""Language models that run here, by transformers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

from kgqa_graphdb.errors import LanguageModelError, MissingExtraError
from kgqa_graphdb.steps import Sampling

BATCH = 16
DEFAULT_WINDOW = 2_048
"""Tokens, where neither model nor tokenizer says how many it reads."""
_NO_WINDOW = 1_000_000
"""Tokenizers without a limit say a number far above this."""


class TransformersModel:
    """A causal or sequence-to-sequence model, loaded when it is first used; on a CUDA device where there is one.

    One call at a time uses model or tokenizer: a tokenizer keeps how it pads, so what one thread asks changes what
    another gets.
    """

    def __init__(self, name: str) -> None:
        """
        :param name: a folder, or an id of the Hugging Face hub
        """
        self.name = name
        self._loaded: tuple[Any, Any] | None = None
        self._lock = Lock()

    @property
    def context_window(self) -> int:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.context_window`."""
        tokenizer, model = self._load()
        limits = (getattr(model.config, "max_position_embeddings", None), tokenizer.model_max_length)
        return min((int(one) for one in limits if one and one < _NO_WINDOW), default=DEFAULT_WINDOW)

    def generate(self, prompts: Sequence[str], sampling: Sampling) -> list[tuple[str, ...]]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.generate`; prompts are read in batches of :data:`BATCH`."""
        if sampling.json_schema:
            raise LanguageModelError(f"language model {self.name!r} can't keep to a JSON schema; ask for free text")
        tokenizer, model = self._load()
        import torch

        completions: list[tuple[str, ...]] = []
        for start in range(0, len(prompts), BATCH):
            with self._lock, torch.random.fork_rng(), torch.no_grad():
                inputs = tokenizer(list(prompts[start : start + BATCH]), return_tensors="pt", padding=True)
                inputs = {key: inputs[key].to(model.device) for key in ("input_ids", "attention_mask")}
                torch.manual_seed(sampling.seed)
                made = self._checked(model.generate, **inputs, **self._options(sampling, tokenizer))
                skipped = 0 if model.config.is_encoder_decoder else inputs["input_ids"].shape[1]
                texts = tokenizer.batch_decode(made[:, skipped:], skip_special_tokens=True)  # batch * n
            texts = [_until(text, sampling.stop) for text in texts]
            completions += [tuple(texts[row : row + sampling.n]) for row in range(0, len(texts), sampling.n)]
        return completions

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.score`."""
        tokenizer, model = self._load()
        import torch

        scores = []
        for prompt, continuation in pairs:
            with self._lock, torch.no_grad():
                read = tokenizer(prompt, return_tensors="pt")["input_ids"].to(model.device)  # (1, prompt)
                said = tokenizer(continuation, return_tensors="pt", add_special_tokens=False)["input_ids"]
                said = said.to(model.device)  # (1, continuation)
                if model.config.is_encoder_decoder:
                    logits = self._checked(model, input_ids=read, labels=said).logits  # (1, continuation, vocabulary)
                else:
                    both = torch.cat([read, said], dim=1)  # (1, prompt + continuation)
                    logits = self._checked(model, input_ids=both).logits[:, read.shape[1] - 1 : -1]
            likely = logits.float().log_softmax(-1).gather(-1, said.unsqueeze(-1))  # (1, continuation, 1)
            scores.append(float(likely.sum()))
        return scores

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.count_tokens`."""
        tokenizer, _ = self._load()
        if not texts:
            return []
        with self._lock:
            return [len(ids) for ids in tokenizer(list(texts), add_special_tokens=False)["input_ids"]]

    def stream(self, prompt: str, sampling: Sampling) -> Iterator[str]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.stream`; ends of ``sampling.stop`` are not looked for."""
        tokenizer, model = self._load()
        import torch
        from transformers import TextIteratorStreamer

        pieces: Any = TextIteratorStreamer(tokenizer, skip_prompt=True, skip_special_tokens=True)
        with self._lock:
            inputs = tokenizer(prompt, return_tensors="pt")
        inputs = {key: inputs[key].to(model.device) for key in ("input_ids", "attention_mask")}

        def work() -> None:
            with self._lock, torch.random.fork_rng():
                torch.manual_seed(sampling.seed)
                self._checked(model.generate, **inputs, **self._options(sampling, tokenizer), streamer=pieces)

        pool = ThreadPoolExecutor(1, thread_name_prefix="kgqa-generate")
        done = pool.submit(work)
        pool.shutdown(wait=False)
        done.add_done_callback(lambda _: pieces.end())  # whatever it failed by, nobody waits for more
        yield from pieces
        done.result()

    def _options(self, sampling: Sampling, tokenizer: Any) -> dict[str, Any]:
        """What transformers calls a sampling."""
        drawn: dict[str, Any] = {"do_sample": True, "temperature": sampling.temperature}
        if not sampling.temperature:
            drawn = {"do_sample": False, "num_beams": sampling.n}
        return {
            **drawn,
            "max_new_tokens": sampling.max_tokens,
            "num_return_sequences": sampling.n,
            "pad_token_id": tokenizer.pad_token_id,
        }

    def _checked(self, call: Any, **inputs: Any) -> Any:
        """Call into the model.

        :raises LanguageModelError: it fails
        """
        try:
            return call(**inputs)
        except (RuntimeError, ValueError, IndexError) as error:
            raise LanguageModelError(f"language model {self.name!r} failed: {error}") from error

    def _load(self) -> tuple[Any, Any]:
        """Tokenizer and model.

        :raises LanguageModelError: there are none of that name, or they are of another kind
        :raises MissingExtraError: transformers or torch is not installed
        """
        with self._lock:
            if self._loaded is None:
                self._loaded = _loaded(self.name)
            return self._loaded


def _loaded(name: str) -> tuple[Any, Any]:
    try:
        import torch
        from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer
    except ImportError as error:
        raise MissingExtraError(str(error.name), "llm") from error
    try:
        config = AutoConfig.from_pretrained(name)
        kind = AutoModelForSeq2SeqLM if config.is_encoder_decoder else AutoModelForCausalLM
        tokenizer = AutoTokenizer.from_pretrained(name, padding_side="left")
        model: Any = kind.from_pretrained(name)
    except (OSError, ValueError, KeyError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise LanguageModelError(
            f"language model {name!r} can't be loaded: {reason}; name a folder with a transformers model, or an id of "
            "the Hugging Face hub"
        ) from error
    if tokenizer.pad_token_id is None:  # what is padded is masked, so any token will do
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.convert_ids_to_tokens(0)
    return tokenizer, model.to("cuda" if torch.cuda.is_available() else "cpu").eval()


def _until(text: str, stop: Sequence[str]) -> str:
    """A text up to the first of some texts in it."""
    return text[: min((place for end in stop if (place := text.find(end)) >= 0), default=len(text))]
