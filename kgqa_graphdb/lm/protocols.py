"""What a language model is here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from kgqa_graphdb.steps import Sampling


class LanguageModel(Protocol):
    """Continues texts. Methods reach it through requests (``Generate``, ``ScoreContinuation``, ``CountTokens``, …), so
    that what many questions ask of it in one round is one call.

    Any object with these members serves; :class:`kgqa_graphdb.lm.TransformersModel` is one that runs here. Calls may
    come from several threads.
    """

    @property
    def name(self) -> str:
        """Tells it from others; part of what answers and runs say of themselves."""
        ...

    @property
    def fingerprint(self) -> str:
        """Changes whenever the model could continue a text in another way: files, adapter, settings; no secrets."""
        ...

    @property
    def context_window(self) -> int:
        """Tokens that a prompt and its completion may have together."""
        ...

    def generate(self, prompts: Sequence[str], sampling: Sampling) -> list[tuple[str, ...]]:
        """Continue each prompt.

        :return: for each prompt ``sampling.n`` completions, without the prompt
        :raises LanguageModelError: it can't be loaded, fails, or can't keep to a JSON schema
        """
        ...

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The log probability of the second text of each pair as the continuation of the first; natural, 0 or less.

        :raises LanguageModelError: it can't be loaded, fails, or has no probabilities to give
        """
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text is, without any that frame it.

        :raises LanguageModelError: it can't be loaded
        """
        ...

    def stream(self, prompt: str, sampling: Sampling) -> Iterator[str]:
        """One completion of a prompt, piece by piece as it comes.

        :raises LanguageModelError: it can't be loaded, or fails
        """
        ...
