"""Language models that run here, by transformers."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from threading import Event, Lock
from typing import Any, Literal

from kgqa_graphdb.errors import LanguageModelError, MissingExtraError, UsageError
from kgqa_graphdb.lm.adapters import Adapters
from kgqa_graphdb.lm.constrained import JsonSchemas
from kgqa_graphdb.lm.files import LanguageModelFiles, find_files
from kgqa_graphdb.lm.prefix import SharedPrefix, keeps_all, shared_ids
from kgqa_graphdb.lm.stops import before_stop, stream_before_stop
from kgqa_graphdb.settings import setting
from kgqa_graphdb.steps import Sampling

DEFAULT_WINDOW = 2_048
"""Tokens, where neither model nor tokenizer says how many it reads."""
PADDED_FREELY = 64
"""Tokens up to which a prompt may be padded whatever its length; else to twice that, since padding takes time, too."""
_NO_WINDOW = 1_000_000
"""Tokenizers without a limit say a number far above this."""


@dataclass(frozen=True, slots=True)
class TransformersSettings:
    """How a transformers model can be set."""

    adapter: str = setting("", "Folder of a peft adapter to put on the model, such as one that kgqa train made.")
    device: str = setting(
        "auto", "Where it runs: cpu, cuda, cuda:1, or a device map such as balanced; auto: on CUDA where there is one."
    )
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = setting(
        "auto", "Of its weights; auto: as they are stored."
    )
    quantisation: Literal["none", "8bit", "4bit"] = setting("none", "Of its weights, by bitsandbytes.")
    chat: bool | None = setting(None, "Whether prompts go through its chat template; none: where it has one.")
    batch: int = setting(16, "Prompts read at once at most; halved where memory does not suffice.")
    cache: bool = setting(True, "Whether completions are kept on disk and not made twice.")

    def __post_init__(self) -> None:
        if self.batch < 1:
            raise UsageError(f"a language model reads no batch of {self.batch} prompts: at least 1")


class TransformersModel:
    """A causal or sequence-to-sequence model, loaded when it is first used.

    One call at a time uses model or tokenizer: a tokenizer keeps how it pads, so what one thread asks changes what
    another gets. Special tokens in prompts are taken apart, so that no name in a fact ends a turn of a chat.
    """

    def __init__(self, name: str, settings: TransformersSettings | None = None) -> None:
        """
        :param name: a folder, a GGUF file, an installed package that carries one of them, or an id of the Hugging Face
            hub
        """
        self.name = name
        self.settings = settings or TransformersSettings()
        self._loaded: LoadedModel | None = None
        self._lock = Lock()

    @property
    def context_window(self) -> int:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.context_window`."""
        return self._load().window

    @property
    def fingerprint(self) -> str:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.fingerprint`."""
        files = find_files(self.name, self.settings.adapter)
        return hashlib.sha256(repr((files.fingerprint, self.settings)).encode()).hexdigest()[:16]

    def generate(self, prompts: Sequence[str], sampling: Sampling) -> list[tuple[str, ...]]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.generate`; prompts of about one length are read together, and what
        all of them begin with is read once.
        """
        loaded = self._load()
        whole = self._tokenised(loaded, prompts, sampling)
        prefix = self._prefix(loaded, whole, sampling)
        inputs = list(map(prefix.rest, whole))
        order = sorted(range(len(prompts)), key=lambda place: len(inputs[place]))
        completions: dict[int, tuple[str, ...]] = {}
        size = self.settings.batch
        while order:
            longest = len(inputs[order[-1]])  # first: if any batch does not fit in memory, it is this one
            batch = [one for one in order[-size:] if longest <= max(PADDED_FREELY, 2 * len(inputs[one]))]
            try:
                texts = self._continued(loaded, [inputs[place] for place in batch], sampling, prefix)
            except _OutOfMemoryError as error:
                if size == 1:
                    raise LanguageModelError(
                        f"language model {self.name!r} has not enough memory for a prompt of "
                        f"{len(whole[batch[-1]]):,} tokens: ask with a smaller budget, quantise the model, or take a "
                        "smaller one"
                    ) from error
                size = (len(batch) + 1) // 2
                continue
            rows = (tuple(texts[row : row + sampling.n]) for row in range(0, len(texts), sampling.n))
            completions |= dict(zip(batch, rows, strict=True))
            del order[-len(batch) :]
        return [completions[place] for place in range(len(prompts))]

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.score`; a prompt that many pairs share is read once."""
        loaded = self._load()
        by_prompt: dict[str, dict[str, float]] = {}
        for prompt, continuation in pairs:
            by_prompt.setdefault(prompt, {})[continuation] = 0.0
        for prompt, scores in by_prompt.items():
            texts = list(scores)
            for start in range(0, len(texts), self.settings.batch):
                some = texts[start : start + self.settings.batch]
                scores.update(zip(some, self._scored(loaded, prompt, some), strict=True))
        return [by_prompt[prompt][continuation] for prompt, continuation in pairs]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.count_tokens`."""
        tokenizer = self._load().tokenizer
        if not texts:
            return []
        with self._lock:
            return [len(ids) for ids in tokenizer(list(texts), add_special_tokens=False)["input_ids"]]

    def stream(self, prompt: str, sampling: Sampling) -> Iterator[str]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.stream`."""
        loaded = self._load()
        import torch
        from transformers import StoppingCriteriaList, TextIteratorStreamer

        pieces: Any = TextIteratorStreamer(loaded.tokenizer, skip_prompt=True, skip_special_tokens=True)
        inputs = loaded.padded(self._tokenised(loaded, [prompt], sampling))
        left = Event()  # whoever read the stream went away

        def work() -> None:
            with self._lock, torch.random.fork_rng():
                torch.manual_seed(sampling.seed)
                gone = StoppingCriteriaList([lambda ids, scores: torch.full((ids.shape[0],), left.is_set())])
                options = loaded.options(sampling)
                with loaded.adapters.using(sampling.adapter):
                    self._checked(loaded.model.generate, **inputs, **options, streamer=pieces, stopping_criteria=gone)

        pool = ThreadPoolExecutor(1, thread_name_prefix="kgqa-generate")
        done = pool.submit(work)
        pool.shutdown(wait=False)
        done.add_done_callback(lambda _: pieces.end())  # whatever it failed by, nobody waits for more
        try:
            yield from stream_before_stop(pieces, sampling.stop)
        finally:
            left.set()
        done.result()

    def _tokenised(self, loaded: LoadedModel, prompts: Sequence[str], sampling: Sampling) -> list[list[int]]:
        """The token ids of prompts, in the model's chat template where it has one.

        :raises LanguageModelError: one is too long
        """
        with self._lock:
            inputs = [loaded.ids(prompt) for prompt in prompts]
        room = loaded.window - (0 if loaded.reads_apart else sampling.max_tokens)
        for ids in inputs:
            if len(ids) > room:
                raise LanguageModelError(
                    f"a prompt has {len(ids):,} tokens, and language model {self.name!r} reads {room:,} beside its "
                    "answer: give it fewer facts, or take a model with a larger context window"
                )
        return inputs

    def _prefix(self, loaded: LoadedModel, inputs: Sequence[list[int]], sampling: Sampling) -> SharedPrefix:
        """What all inputs begin with, read; nothing where that can't be gone on from in several rows."""
        import torch

        ids = () if loaded.reads_apart or sampling.n > 1 else shared_ids(inputs)
        if not ids:
            return SharedPrefix()
        with self._lock, torch.no_grad(), loaded.adapters.using(sampling.adapter):
            read = torch.tensor([ids], device=loaded.model.device)  # (1, prefix)
            try:
                cache = self._checked(loaded.model, input_ids=read, use_cache=True).get(loaded.cache_name)
            except _OutOfMemoryError:  # the batches are made smaller
                return SharedPrefix()
        return SharedPrefix(ids, cache) if keeps_all(cache) else SharedPrefix()

    def _continued(
        self, loaded: LoadedModel, inputs: Sequence[list[int]], sampling: Sampling, prefix: SharedPrefix
    ) -> list[str]:
        """The completions of a batch, ``sampling.n`` of each input, which goes on from a prefix."""
        import torch

        with self._lock, torch.random.fork_rng(), torch.no_grad():
            batch = prefix.before(loaded.padded(inputs), loaded.cache_name)
            torch.manual_seed(sampling.seed)
            with loaded.adapters.using(sampling.adapter):
                made = self._checked(loaded.model.generate, **batch, **loaded.options(sampling))
            read = 0 if loaded.reads_apart else batch["input_ids"].shape[1]
            texts = loaded.tokenizer.batch_decode(made[:, read:], skip_special_tokens=True)  # batch * n
        return [before_stop(text, sampling.stop) for text in texts]

    def _scored(self, loaded: LoadedModel, prompt: str, continuations: Sequence[str]) -> list[float]:
        """The log probabilities of some continuations of one prompt."""
        import torch

        with self._lock, torch.no_grad(), loaded.adapters.using(""):
            read = torch.tensor([loaded.ids(prompt)], device=loaded.model.device)  # (1, prompt)
            texts = [loaded.tokenizer(one, add_special_tokens=False)["input_ids"] for one in continuations]
            rows, longest = len(texts), max(map(len, texts))
            said = torch.zeros((rows, longest), dtype=torch.long, device=loaded.model.device)
            for row, ids in enumerate(texts):
                said[row, : len(ids)] = torch.tensor(ids, dtype=torch.long)
            if not longest:
                return [0.0] * rows
            if loaded.reads_apart:
                logits = self._checked(loaded.model, input_ids=read.repeat(rows, 1), labels=said).logits
            else:
                first = self._checked(loaded.model, input_ids=read, use_cache=True)
                cache = first[loaded.cache_name]
                cache.batch_repeat_interleave(rows)
                rest = self._checked(loaded.model, input_ids=said, **{loaded.cache_name: cache}).logits
                logits = torch.cat([first.logits[:, -1:].repeat(rows, 1, 1), rest[:, :-1]], dim=1)
            # (continuations, longest)
            likely = logits.float().log_softmax(-1).gather(-1, said.unsqueeze(-1)).squeeze(-1)
            return [float(likely[row, : len(ids)].sum()) for row, ids in enumerate(texts)]

    def _checked(self, call: Any, **inputs: Any) -> Any:
        """Call into the model.

        :raises LanguageModelError: it fails
        """
        import torch

        try:
            return call(**inputs)
        except torch.OutOfMemoryError as error:
            torch.cuda.empty_cache()
            raise _OutOfMemoryError from error
        except (RuntimeError, ValueError, IndexError) as error:
            raise LanguageModelError(f"language model {self.name!r} failed: {error}") from error

    def _load(self) -> LoadedModel:
        """Tokenizer and model.

        :raises LanguageModelError: there are none of that name, or they are of another kind
        :raises MissingExtraError: transformers or torch is not installed
        """
        with self._lock:
            if self._loaded is None:
                self._loaded = load_model(self.name, self.settings)
            return self._loaded


class _OutOfMemoryError(LanguageModelError):
    """The device has not enough memory."""


@dataclass(frozen=True)
class LoadedModel:
    """A model with its tokenizer.

    :ivar chat: whether prompts go through the tokenizer's chat template
    """

    name: str
    tokenizer: Any
    model: Any
    chat: bool

    @property
    def reads_apart(self) -> bool:
        """Whether an encoder reads the prompt, so that what is written holds no part of it."""
        return bool(self.model.config.is_encoder_decoder)

    @cached_property
    def window(self) -> int:
        """Tokens that prompt and completion may have together."""
        limits = (getattr(self.model.config, "max_position_embeddings", None), self.tokenizer.model_max_length)
        return min((int(one) for one in limits if one and one < _NO_WINDOW), default=DEFAULT_WINDOW)

    @cached_property
    def cache_name(self) -> str:
        """What this version of transformers calls the cache of what was read."""
        known = inspect.signature(self.model.forward).parameters
        return "cache" if "cache" in known else "past_key_values"

    @cached_property
    def adapters(self) -> Adapters:
        """What puts further adapters on it."""
        return Adapters(self.model)

    @cached_property
    def schemas(self) -> JsonSchemas:
        """What keeps completions to JSON schemas."""
        return JsonSchemas(self.tokenizer, self.model.config.get_text_config().vocab_size)

    def ids(self, prompt: str) -> list[int]:
        """The token ids of a prompt."""
        for token in self._marks:
            prompt = prompt.replace(token, f"{token[0]} {token[1:]}")
        if self.chat:
            turn = [{"role": "user", "content": prompt}]
            prompt = self.tokenizer.apply_chat_template(turn, tokenize=False, add_generation_prompt=True)
        return list(self.tokenizer(prompt, add_special_tokens=not self.chat)["input_ids"])

    @cached_property
    def _marks(self) -> tuple[str, ...]:
        """Special tokens that a text may hold, the longest first."""
        added = (str(token) for token in self.tokenizer.added_tokens_decoder.values() if token.special)
        known = {*added, *self.tokenizer.all_special_tokens}
        return tuple(sorted((token for token in known if len(token) > 2), key=len, reverse=True))

    def padded(self, inputs: Sequence[list[int]]) -> dict[str, Any]:
        """Inputs as one batch on the model's device; shape (inputs, longest)."""
        batch = self.tokenizer.pad({"input_ids": list(inputs)}, padding=True, return_tensors="pt")
        return {key: batch[key].to(self.model.device) for key in ("input_ids", "attention_mask")}

    def options(self, sampling: Sampling) -> dict[str, Any]:
        """What transformers calls a sampling.

        :raises LanguageModelError: nothing keeps completions to the JSON schema
        """
        how: dict[str, Any] = {"do_sample": True, "temperature": sampling.temperature, "top_k": 0, "top_p": 1.0}
        if not sampling.temperature:
            how = {"do_sample": False, "num_beams": sampling.n, "temperature": None, "top_k": None, "top_p": None}
        if sampling.stop:
            how |= {"stop_strings": list(sampling.stop), "tokenizer": self.tokenizer}
        if sampling.json_schema:
            if self.reads_apart or how.get("num_beams", 1) > 1:
                raise LanguageModelError(
                    f"language model {self.name!r} can't keep to a JSON schema in a beam search, nor with an encoder: "
                    "ask for one completion of a causal model, or for free text"
                )
            how["logits_processor"] = [self.schemas.processor(sampling.json_schema)]
        return {
            **how,
            "max_new_tokens": sampling.max_tokens,
            "num_return_sequences": sampling.n,
            "pad_token_id": self.tokenizer.pad_token_id,
        }


def load_model(name: str, settings: TransformersSettings) -> LoadedModel:
    """A model and its tokenizer.

    :raises LanguageModelError: there are none of that name, or they are of another kind
    :raises MissingExtraError: transformers or torch is not installed
    """
    try:
        import torch
        from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer
    except ImportError as error:
        raise MissingExtraError(str(error.name), "llm") from error
    files = find_files(name, settings.adapter)
    try:
        config = AutoConfig.from_pretrained(files.source, **files.options)
        kind: Any = AutoModelForSeq2SeqLM if config.is_encoder_decoder else AutoModelForCausalLM
        tokenizer = AutoTokenizer.from_pretrained(files.source, padding_side="left", **files.options)
        model = kind.from_pretrained(files.source, **files.options, **_model_options(settings, torch))
        model = _adapted(model, files)
    except ImportError as error:  # gguf, bitsandbytes, accelerate: transformers says which it misses
        raise LanguageModelError(f"language model {name!r} can't be loaded: {_first_line(error)}") from error
    except (OSError, ValueError, KeyError, RuntimeError, json.JSONDecodeError) as error:
        raise LanguageModelError(
            f"language model {name!r} can't be loaded: {_first_line(error)}; name a folder with a transformers model, "
            "a GGUF file, or an id of the Hugging Face hub"
        ) from error
    if tokenizer.pad_token_id is None:  # what is padded is masked, so any token will do
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.convert_ids_to_tokens(0)
    has_template = bool(getattr(tokenizer, "chat_template", None))
    if settings.chat and not has_template:
        raise LanguageModelError(f"language model {name!r} has no chat template; leave the setting chat as it is")
    return LoadedModel(name, tokenizer, model.eval(), has_template if settings.chat is None else settings.chat)


def _model_options(settings: TransformersSettings, torch: Any) -> dict[str, Any]:
    """Where and how a model is loaded."""
    device = settings.device
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    options: dict[str, Any] = {"dtype": settings.dtype, "device_map": device}
    if settings.quantisation != "none":
        from transformers import BitsAndBytesConfig

        bits = {"8bit": {"load_in_8bit": True}, "4bit": {"load_in_4bit": True}}[settings.quantisation]
        options["quantization_config"] = BitsAndBytesConfig(**bits)  # type: ignore[no-untyped-call]
    return options


def _adapted(model: Any, files: LanguageModelFiles) -> Any:
    """A model with its adapter, if it has one."""
    if files.adapter is None:
        return model
    try:
        from peft import PeftModel
    except ImportError as error:
        raise MissingExtraError("peft", "llm") from error
    return PeftModel.from_pretrained(model, str(files.adapter))


def _first_line(error: BaseException) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
