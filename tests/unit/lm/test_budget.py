"""Prompts never overflow a model's window."""

from __future__ import annotations

import pytest

from kgqa_graphdb.errors import LanguageModelError
from kgqa_graphdb.lm import ScriptedModel
from kgqa_graphdb.lm.budget import FRAME, FittedPrompt, fit_prompt
from kgqa_graphdb.runtime import LocalModels, perform_locally
from kgqa_graphdb.steps import run
from tests.unit.local import Local

LINES = [f"fact {number} is so" for number in range(10)]  # four words each, and one for the line's end


def fitted(window: int, max_tokens: int = 10, budget: int | None = None) -> FittedPrompt:
    model = ScriptedModel({}, context_window=window)
    steps = fit_prompt(LINES, lambda facts: f"facts\n{facts}\nquestion", max_tokens, budget)
    return run(steps, Local(LocalModels(language_model=model)))


def test_all_lines_are_kept_where_they_fit() -> None:
    found = fitted(window=1_000)
    assert found.kept == 10
    assert found.prompt == "\n".join(["facts", *LINES, "question"])


@pytest.mark.parametrize("window", range(28 + FRAME - 16, 100))
def test_the_first_lines_that_fit_are_kept_and_the_prompt_is_never_too_long(window: int) -> None:
    found = fitted(window)
    assert len(found.prompt.split()) <= window - 10 - FRAME
    assert found.prompt == "\n".join(["facts", *LINES[: found.kept], "question"]).replace("facts\nq", "facts\n\nq")


def test_a_budget_below_the_window_counts() -> None:
    assert fitted(window=1_000, budget=12).kept == 2


def test_a_prompt_that_is_too_long_without_any_line_is_refused_with_a_cure() -> None:
    with pytest.raises(LanguageModelError, match="larger context window"):
        fitted(window=27)


def test_an_answer_as_long_as_the_window_is_refused_with_a_cure() -> None:
    with pytest.raises(LanguageModelError, match=r"up to 2,000 leaves no room for a prompt; ask for fewer"):
        fitted(window=1_000, max_tokens=2_000)


def test_without_a_model_there_is_no_prompt() -> None:
    steps = fit_prompt(LINES, lambda facts: facts, 10)
    with pytest.raises(LanguageModelError, match="--language-model"):
        run(steps, Local(LocalModels()))
    assert perform_locally([], LocalModels()) == {}
