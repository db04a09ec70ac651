"""A language model that answers from a table: for tests, and for trying a method without a model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from kgqa_graphdb.documents import expanded, parse_json
from kgqa_graphdb.errors import LanguageModelError
from kgqa_graphdb.lm.stops import before_stop
from kgqa_graphdb.steps import Sampling


@dataclass(frozen=True, slots=True)
class ScriptedModel:
    """Continues a prompt with what stands in a table for the longest text of it that the prompt contains.

    Words count as tokens, and a continuation that the table has for its prompt is certain, any other impossible.

    :ivar script: text that a prompt contains → its completion
    :ivar default: completion of all other prompts; ``None``: they are refused
    :ivar prompts: all that was asked, in order
    """

    script: Mapping[str, str]
    default: str | None = None
    name: str = "scripted"
    context_window: int = 8_192
    prompts: list[str] = field(default_factory=list, compare=False)

    @classmethod
    def read(cls, file: Path | str) -> Self:
        """The model of a JSON file, an object of texts; the text for ``""`` is the default.

        :raises LanguageModelError: it can't be read, or holds something else
        """
        path = expanded(file)
        try:
            text = path.read_text(encoding="utf-8")
            script = parse_json(text)
        except (OSError, ValueError) as error:
            raise LanguageModelError(f"script {str(path)!r} can't be read: {error}") from error
        if not isinstance(script, dict) or not all(isinstance(text, str) for text in script.values()):
            raise LanguageModelError(f'script {str(path)!r} must be one JSON object of texts: {{"in the prompt": "…"}}')
        # Without a digest all scripts of one name would be one model in reports.
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        return cls(script, script.pop("", None), name=f"scripted:{path.name} ({digest})")

    @property
    def fingerprint(self) -> str:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.fingerprint`."""
        return hashlib.sha256(json.dumps([dict(self.script), self.default]).encode()).hexdigest()[:16]

    def generate(self, prompts: Sequence[str], sampling: Sampling) -> list[tuple[str, ...]]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.generate`."""
        self.prompts.extend(prompts)
        return [(_cut(self._completion(prompt), sampling),) * sampling.n for prompt in prompts]

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.score`."""
        return [0.0 if self._completion(prompt) == text else float("-inf") for prompt, text in pairs]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.count_tokens`."""
        return [len(text.split()) for text in texts]

    def stream(self, prompt: str, sampling: Sampling) -> Iterator[str]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.stream`."""
        ((text, *_),) = self.generate([prompt], sampling)
        yield from text.splitlines(keepends=True)

    def _completion(self, prompt: str) -> str:
        known = [text for text in self.script if text in prompt]
        if not known and self.default is None:
            raise LanguageModelError(f"{self.name} has no completion for the prompt that ends {prompt[-80:]!r}")
        return self.script[max(known, key=len)] if known else str(self.default)


def _cut(text: str, sampling: Sampling) -> str:
    """A completion up to where it must stop."""
    words = before_stop(text, sampling.stop)
    return words if len(words.split()) <= sampling.max_tokens else " ".join(words.split()[: sampling.max_tokens])
