"""Requests that need no server: what one round asks of one model is one call, and errors reach those who asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from kgqa_graphdb.errors import EncoderError, KgqaError, LanguageModelError
from kgqa_graphdb.lm import ScriptedModel
from kgqa_graphdb.runtime import LocalModels, leaves_of, nested, perform_locally
from kgqa_graphdb.runtime.performers import takes_time
from kgqa_graphdb.steps import (
    Batch,
    Compute,
    CountTokens,
    DescribeModel,
    Embed,
    Generate,
    Mark,
    ModelInfo,
    Read,
    Request,
    Sampling,
    ScoreContinuation,
)
from kgqa_graphdb.types import Statement


class Doubler:
    """Doubles numbers; can't double what is negative."""

    def __init__(self) -> None:
        self.calls: list[list[int]] = []

    def many(self, items: Sequence[int]) -> list[int]:
        self.calls.append(list(items))
        if min(items) < 0:
            raise EncoderError("negative")
        return [2 * item for item in items]


@dataclass(frozen=True)
class Recorder(ScriptedModel):
    """Keeps the prompts of each call."""

    calls: list[list[str]] = field(default_factory=list)

    def generate(self, prompts: Sequence[str], sampling: Sampling) -> list[tuple[str, ...]]:
        self.calls.append(list(prompts))
        return ScriptedModel.generate(self, prompts, sampling)


def perform(*requests: Request[Any], models: LocalModels | None = None) -> list[Any]:
    answers = perform_locally(requests, models or LocalModels())
    return [answers[place] for place in range(len(requests))]


def test_a_model_works_once_a_round_on_what_is_its_own() -> None:
    one, other = Doubler(), Doubler()
    assert perform(
        Compute(one.many, 1), Mark("reason"), Compute(other.many, 5), Compute(one.many, 2)
    ) == [2, None, 10, 4]  # fmt: skip
    assert (one.calls, other.calls) == ([[1, 2]], [[5]])


def test_what_goes_wrong_reaches_those_who_asked() -> None:
    bad, good = Doubler(), Doubler()
    first, second, third = perform(Compute(bad.many, 1), Compute(good.many, 1), Compute(bad.many, -1))
    assert second == 2
    assert isinstance(first, EncoderError)
    assert first is third


def test_leaves_and_their_answers_keep_their_order_at_any_depth() -> None:
    requests = [Mark("a"), Batch((Mark("b"), Batch((Mark("c"), Mark("d"))))), Mark("e")]
    leaves = leaves_of(requests)
    assert [leaf.stage for leaf in leaves if isinstance(leaf, Mark)] == list("abcde")
    assert nested(requests, iter([1, 2, 3, 4, 5])) == [1, (2, (3, 4)), 5]


def test_a_request_that_nothing_performs_is_named() -> None:
    class Wish(Request[None]):
        pass

    with pytest.raises(TypeError, match=r"unknown request .*Wish"):
        perform(Wish())


def test_prompts_of_a_round_that_are_sampled_alike_are_one_call() -> None:
    model = Recorder({"capital": "Paris", "river": "Seine"}, default="?")
    short = Sampling(max_tokens=1, n=2)
    answers = perform(
        Generate("the capital"), Generate("a river", short), Generate("the sea"), Generate("which capital", short),
        models=LocalModels(language_model=model),
    )  # fmt: skip
    assert answers == [("Paris",), ("Seine", "Seine"), ("?",), ("Paris", "Paris")]
    assert model.calls == [["the capital", "the sea"], ["a river", "which capital"]]


def test_a_prompt_that_fails_takes_no_other_with_it() -> None:
    models = LocalModels(language_model=ScriptedModel({"capital": "Paris"}))
    first, second, third = perform(Generate("a capital"), Generate("the sea"), Generate("capital"), models=models)
    assert (first, third) == (("Paris",), ("Paris",))
    assert isinstance(second, LanguageModelError)
    assert "the sea" in str(second)


def test_scores_counts_and_what_the_model_says_of_itself() -> None:
    models = LocalModels(language_model=ScriptedModel({"capital": "Paris"}, context_window=9))
    answers = perform(
        ScoreContinuation("the capital", "Paris"), ScoreContinuation("the capital", "Rome"),
        CountTokens(("one two", "")), CountTokens(()), DescribeModel(), CountTokens(("a b c",)), models=models,
    )  # fmt: skip
    assert answers == [0.0, float("-inf"), (2, 0), (), ModelInfo("scripted", 9), (3,)]


@pytest.mark.parametrize("request_", [Generate("x"), ScoreContinuation("x", "y"), CountTokens(("x",)), DescribeModel()])
def test_without_a_language_model_the_cure_is_told(request_: Request[Any]) -> None:
    (error,) = perform(request_)
    assert isinstance(error, LanguageModelError)
    assert "--language-model" in str(error)


@dataclass(frozen=True)
class Miscounter(ScriptedModel):
    """Gives one output too few of everything."""

    def generate(self, prompts: Sequence[str], sampling: Sampling) -> list[tuple[str, ...]]:
        return ScriptedModel.generate(self, prompts, sampling)[1:]

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return ScriptedModel.score(self, pairs)[1:]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return ScriptedModel.count_tokens(self, texts)[1:]


@pytest.mark.parametrize("request_", [Generate("x"), ScoreContinuation("x", "y"), CountTokens(("x",))])
def test_a_model_that_gives_another_number_of_outputs_is_named(request_: Request[Any]) -> None:
    (error,) = perform(request_, models=LocalModels(language_model=Miscounter({}, default="?")))
    assert isinstance(error, LanguageModelError)
    assert "gave 0 outputs where 1 were asked for" in str(error)


def test_completions_of_a_prompt_are_counted_too() -> None:
    class Doubled(ScriptedModel):
        def generate(self, prompts: Sequence[str], sampling: Sampling) -> list[tuple[str, ...]]:
            return [one * 2 for one in ScriptedModel.generate(self, prompts, sampling)]

    (error,) = perform(Generate("x"), models=LocalModels(language_model=Doubled({}, default="?")))
    assert "gave 2 outputs where 1 were asked for" in str(error)


def test_what_computes_and_what_embeds_is_counted_too() -> None:
    (error,) = perform(Compute(lambda items: [], 1))
    assert isinstance(error, KgqaError)

    class NoVectors:
        def encode(self, texts: Sequence[str]) -> Any:
            return []

    (error,) = perform(Embed(("a",)), models=LocalModels(NoVectors()))
    assert isinstance(error, EncoderError)
    assert "0 vectors for 1 texts" in str(error)


def test_only_what_computes_goes_to_a_thread() -> None:
    read = cast(Request[Any], Read(Statement("RETURN 1")))
    assert not takes_time([read, Mark("link")])
    assert takes_time([read, Generate("x")])
