"""A transformers model with its tokenizer: how it is set and loaded."""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from kgqa_graphdb.errors import LanguageModelError, MissingExtraError, UsageError
from kgqa_graphdb.lm.adapters import Adapters, imported_peft
from kgqa_graphdb.lm.constrained import JsonSchemas
from kgqa_graphdb.lm.files import LanguageModelFiles, find_files
from kgqa_graphdb.settings import setting
from kgqa_graphdb.steps import Sampling

DEFAULT_WINDOW = 2_048
"""Tokens, where neither model nor tokenizer says how many it reads."""
_NO_WINDOW = 1_000_000
"""Tokenizers without a limit say a number far above this."""


_BFLOAT16_UNITS = ("amx_bf16", "avx512_bf16", "bf16")
"""What processors call them."""


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
    def frame(self) -> int:
        """Tokens that stand around a prompt: begin and end of text, the turns of a chat, what its template adds."""
        return len(self.ids(""))

    @cached_property
    def parameters(self) -> frozenset[str]:
        """What ``forward`` takes by name; of a model with an adapter that of the one below, as peft's names little."""
        model = self.model.get_base_model() if hasattr(self.model, "get_base_model") else self.model
        return frozenset(inspect.signature(model.forward).parameters)

    @cached_property
    def cache_name(self) -> str:
        """What this version of transformers calls the cache of what was read."""
        return "cache" if "cache" in self.parameters else "past_key_values"

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
        """Tokens that mean something to the model, the longest first; some that mark turns are not called special."""
        added = (text for text in map(str, self.tokenizer.added_tokens_decoder.values()) if not text.isalnum())
        known = {*added, *self.tokenizer.all_special_tokens}
        return tuple(sorted((token for token in known if len(token.strip()) > 2), key=len, reverse=True))

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


def load_model(name: str, settings: TransformersSettings, *, to_train: bool = False) -> LoadedModel:
    """A model and its tokenizer.

    :param to_train: unpack the weights of a GGUF file, which newer releases of transformers may leave as they are
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
        options = _model_options(settings, torch)
        if to_train and "gguf_file" in files.options:
            options |= _unpacked()
        model = kind.from_pretrained(files.source, **files.options, **options)
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


def fast_dtype() -> Literal["float32", "bfloat16"]:
    """The type that a model is trained in fastest here: bfloat16 only where the hardware computes in it.

    Elsewhere its matrix products take several times as long as those of float32.
    """
    import torch

    if torch.cuda.is_available():
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float32"
    able: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    return "bfloat16" if any(able.get(one) for one in _BFLOAT16_UNITS) else "float32"


def _model_options(settings: TransformersSettings, torch: Any) -> dict[str, Any]:
    """Where and how a model is loaded."""
    device = settings.device
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    options: dict[str, Any] = {"dtype": settings.dtype, "device_map": device}
    if settings.quantisation != "none":
        from transformers import BitsAndBytesConfig

        bits = {"8bit": {"load_in_8bit": True}, "4bit": {"load_in_4bit": True}}[settings.quantisation]
        options["quantization_config"] = BitsAndBytesConfig(**bits)
    return options


def _unpacked() -> dict[str, Any]:
    """The option that has the weights of a GGUF file unpacked, where transformers has one."""
    import transformers

    config = getattr(transformers, "GgufConfig", None)
    return {"quantization_config": config(dequantize=True)} if config else {}


def _adapted(model: Any, files: LanguageModelFiles) -> Any:
    """A model with its adapter, if it has one."""
    if files.adapter is None:
        return model
    return imported_peft().PeftModel.from_pretrained(model, str(files.adapter))


def _first_line(error: BaseException) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
