"""Language models that run here, by transformers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kgqa_graphdb.errors import LanguageModelError, MissingExtraError

BATCH = 16


class TransformersModel:
    """A causal or sequence-to-sequence model, loaded when it is first asked; on a CUDA device where there is one."""

    def __init__(self, name: str) -> None:
        """
        :param name: a folder, or an id of the Hugging Face hub
        """
        self.name = name
        self._loaded: tuple[Any, Any] | None = None

    def complete(self, prompts: Sequence[str], *, max_tokens: int, temperature: float, seed: int) -> list[str]:
        """What follows each prompt; see :class:`kgqa_graphdb.lm.protocols.LanguageModel`."""
        tokenizer, model = self._load()
        import torch

        torch.manual_seed(seed)
        drawn = {"do_sample": True, "temperature": temperature} if temperature else {"do_sample": False}
        told: list[str] = []
        for start in range(0, len(prompts), BATCH):
            some = tokenizer(list(prompts[start : start + BATCH]), return_tensors="pt", padding=True)
            some = {key: some[key].to(model.device) for key in ("input_ids", "attention_mask")}  # (batch, tokens)
            try:
                with torch.no_grad():
                    made = model.generate(
                        **some, max_new_tokens=max_tokens, pad_token_id=tokenizer.pad_token_id, **drawn
                    )
            except (RuntimeError, ValueError, IndexError) as error:
                raise LanguageModelError(f"language model {self.name!r} failed: {error}") from error
            shown = 0 if model.config.is_encoder_decoder else some["input_ids"].shape[1]
            told += tokenizer.batch_decode(made[:, shown:], skip_special_tokens=True)
        return told

    def _load(self) -> tuple[Any, Any]:
        """Tokenizer and model.

        :raises LanguageModelError: there are none of that name, or they are of another kind
        :raises MissingExtraError: transformers or torch is not installed
        """
        if self._loaded is not None:
            return self._loaded
        try:
            import torch
            from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer
        except ImportError as error:
            raise MissingExtraError(str(error.name), "llm") from error
        try:
            config = AutoConfig.from_pretrained(self.name)
            kind = AutoModelForSeq2SeqLM if config.is_encoder_decoder else AutoModelForCausalLM
            tokenizer = AutoTokenizer.from_pretrained(self.name, padding_side="left")
            model: Any = kind.from_pretrained(self.name)
        except (OSError, ValueError, KeyError) as error:
            said = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise LanguageModelError(
                f"language model {self.name!r} can't be loaded: {said}; name a folder with a transformers model, or an "
                "id of the Hugging Face hub"
            ) from error
        if tokenizer.pad_token_id is None:  # what is padded is masked, so any token will do
            tokenizer.pad_token = tokenizer.eos_token or tokenizer.convert_ids_to_tokens(0)
        self._loaded = tokenizer, model.to("cuda" if torch.cuda.is_available() else "cpu").eval()
        return self._loaded
