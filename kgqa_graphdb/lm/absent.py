"""In the place of a language model that can't be opened: whoever asks it gets the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgqa_graphdb.errors import KgqaError
from kgqa_graphdb.steps import Sampling


@dataclass(frozen=True, slots=True)
class AbsentModel:
    """Fails whenever it is asked, by the error that opening the model gave."""

    name: str
    error: KgqaError

    @property
    def fingerprint(self) -> str:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.fingerprint`."""
        raise self.error

    @property
    def context_window(self) -> int:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.context_window`."""
        raise self.error

    def generate(self, prompts: Sequence[str], sampling: Sampling) -> list[tuple[str, ...]]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.generate`."""
        raise self.error

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.score`."""
        raise self.error

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.count_tokens`."""
        raise self.error

    def stream(self, prompt: str, sampling: Sampling) -> Iterator[str]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.stream`."""
        raise self.error
