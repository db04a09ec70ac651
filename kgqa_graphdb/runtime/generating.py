"""Performs what the language model is asked: one call for all prompts of a round that are sampled alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from kgqa_graphdb.errors import KgqaError, LanguageModelError
from kgqa_graphdb.lm.protocols import LanguageModel
from kgqa_graphdb.runtime.computing import LocalModels, call_once, check_count
from kgqa_graphdb.steps import CountTokens, DescribeModel, Generate, ModelInfo, Sampling, ScoreContinuation

NO_MODEL = "this needs a language model: name one with --language-model, or KGQA(…, language_model=…)"


def generate_all(requests: Mapping[int, Generate], models: LocalModels) -> dict[int, Any]:
    """Answer every :class:`Generate` of a round."""
    by_sampling: dict[Sampling, dict[int, str]] = {}
    for place, request in requests.items():
        by_sampling.setdefault(request.sampling, {})[place] = request.prompt

    def work(model: LanguageModel) -> dict[int, Any]:
        answers: dict[int, Any] = {}
        for sampling, prompts in by_sampling.items():
            answers |= _call_each(prompts, partial(_generate, model, sampling))
        return answers

    return _with_model(requests, models, work)


def _generate(model: LanguageModel, sampling: Sampling, prompts: list[str]) -> list[tuple[str, ...]]:
    """The completions of each prompt.

    :raises LanguageModelError: there are more or fewer than were asked for
    """
    completions = model.generate(prompts, sampling)
    check_count(f"language model {model.name!r}", len(completions), len(prompts))
    for some in completions:
        check_count(f"language model {model.name!r}, of one prompt,", len(some), sampling.n)
    return completions


def score_all(requests: Mapping[int, ScoreContinuation], models: LocalModels) -> dict[int, Any]:
    """Answer every :class:`ScoreContinuation` of a round."""
    pairs = {place: (one.prompt, one.continuation) for place, one in requests.items()}
    return _with_model(requests, models, lambda model: _call_each(pairs, model.score))


def count_all(requests: Mapping[int, CountTokens], models: LocalModels) -> dict[int, Any]:
    """Answer every :class:`CountTokens` of a round."""

    def count(model: LanguageModel, texts: Sequence[tuple[str, ...]]) -> list[tuple[int, ...]]:
        every = [text for some in texts for text in some]
        given = model.count_tokens(every)
        check_count(f"language model {model.name!r}", len(given), len(every))
        counts = iter(given)
        return [tuple(islice(counts, len(some))) for some in texts]

    texts = {place: one.texts for place, one in requests.items()}
    return _with_model(requests, models, lambda model: call_once(texts, lambda some: count(model, some)))


def describe_all(requests: Mapping[int, DescribeModel], models: LocalModels) -> dict[int, Any]:
    """Answer every :class:`DescribeModel` of a round."""
    return _with_model(
        requests,
        models,
        lambda model: call_once(requests, lambda some: [ModelInfo(model.name, model.context_window)] * len(some)),
    )


def _with_model(
    requests: Mapping[int, Any], models: LocalModels, work: Callable[[LanguageModel], dict[int, Any]]
) -> dict[int, Any]:
    if models.language_model is None:
        return dict.fromkeys(requests, LanguageModelError(NO_MODEL))
    return work(models.language_model)


def _call_each(items: Mapping[int, Any], work: Callable[[list[Any]], Sequence[Any]]) -> dict[int, Any]:
    """One call for all items; where that fails, a call for each, so that the error reaches only those it comes from."""
    answers = call_once(items, work)
    if len(items) > 1 and any(isinstance(answer, KgqaError) for answer in answers.values()):
        return {place: answer for place, item in items.items() for answer in call_once({place: item}, work).values()}
    return answers
