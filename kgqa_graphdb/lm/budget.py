"""Prompts that fit: as many lines of facts as the language model can read beside its completion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from kgqa_graphdb.errors import LanguageModelError
from kgqa_graphdb.steps import CountTokens, DescribeModel, Steps, ask

FRAME = 16
"""Tokens left for what frames a prompt: begin and end of text, the roles of a chat."""


@dataclass(frozen=True, slots=True)
class FittedPrompt:
    """A prompt, and how many of the lines it holds: the first ones."""

    prompt: str
    kept: int


def fit_prompt(
    lines: Sequence[str], fill: Callable[[str], str], max_tokens: int, budget: int | None = None
) -> Steps[FittedPrompt]:
    """The prompt with as many of the first lines as the language model reads.

    :param lines: best first
    :param fill: the prompt with these lines, one below the other, in their place
    :param max_tokens: of the completion
    :param budget: tokens of the prompt at most; ``None``: what the model's window leaves
    :raises LanguageModelError: there is no model, or the prompt without any line is too long for it
    """
    info = yield from ask(DescribeModel())
    window = info.context_window - max_tokens - FRAME
    if window < 1:
        raise LanguageModelError(
            f"language model {info.name!r} reads and writes {info.context_window:,} tokens: an answer of up to "
            f"{max_tokens:,} leaves no room for a prompt; ask for fewer"
        )
    most = window if budget is None else min(window, budget)
    bare, *counts = yield from ask(CountTokens((fill(""), *lines)))
    if bare > most:
        raise LanguageModelError(
            f"the prompt takes {bare:,} tokens without any facts; language model {info.name!r} has room for {most:,} "
            "beside its answer: ask a shorter question, or take a model with a larger context window"
        )
    kept = sum(total <= most - bare for total in accumulate(count + 1 for count in counts))  # 1 for the line's end
    while True:
        prompt = fill("\n".join(lines[:kept]))
        (size,) = yield from ask(CountTokens((prompt,)))
        if size <= most or not kept:
            return FittedPrompt(prompt, kept)
        kept = max(0, min(kept - 1, kept * most // size))  # where lines meet, tokens may be others
