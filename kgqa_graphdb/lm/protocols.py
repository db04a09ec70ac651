"""What a language model is here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class LanguageModel(Protocol):
    """Goes on where texts end."""

    @property
    def name(self) -> str:
        """Tells it from others."""
        ...

    def complete(self, prompts: Sequence[str], *, max_tokens: int, temperature: float, seed: int) -> list[str]:
        """What follows each prompt, without the prompt.

        :param max_tokens: of one completion
        :param temperature: 0: always the likeliest token
        :raises LanguageModelError: it can't be loaded, or fails
        """
        ...
