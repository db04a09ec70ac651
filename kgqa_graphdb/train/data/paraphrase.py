"""Composed questions in other words, by a language model: what it writes is checked, and shown beside the question."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.language.masking import OTHER, TOPIC
from kgqa_graphdb.lm import LanguageModel, prompt
from kgqa_graphdb.steps import Sampling

log = logging.getLogger(__name__)
MAX_TOKENS = 48
TEMPERATURE = 0.7
AT_ONCE = 64
LEAST_WORDS, MOST_WORDS = 2, 30
MOST_TIMES_AS_LONG = 2.5
"""In words: what is so much longer than the question says more than that."""
Composed = tuple[str, tuple[int, ...], tuple[int, ...]]
"""What :func:`kgqa_graphdb.train.data.compose.compose` gives: a question, its path, the steps that leave the topic."""
_END = re.compile(r"\n|Question:|Another way:")
_ODD = re.compile(r"[^\w\s'’\"?!.,:;()\[\]/&-]")


class Paraphraser(Protocol):
    """Says questions in other words."""

    @property
    def name(self) -> str:
        """Tells it from others."""
        ...

    def paraphrase(self, questions: Sequence[str], seed: int) -> list[str]:
        """Another wording of each question, as it comes: nothing is promised of it.

        :param questions: with :data:`kgqa_graphdb.rank.question.TOPIC` where the topic is named
        """
        ...


class PromptedParaphraser:
    """Asks a language model, with a prompt that has two examples."""

    def __init__(self, model: LanguageModel) -> None:
        self.name = model.name
        self._model = model

    def paraphrase(self, questions: Sequence[str], seed: int) -> list[str]:
        """The first line of what the model says to each question."""
        prompts = [prompt("paraphrase", question=question) for question in questions]
        sampling = Sampling(max_tokens=MAX_TOKENS, temperature=TEMPERATURE, seed=seed)
        completions = self._model.generate(prompts, sampling)
        return [_END.split(text.strip(), maxsplit=1)[0].strip() for (text,) in completions]


def is_usable(wording: str, question: str) -> bool:
    """Whether a wording can stand for a question: it names the topic once, and is a short line in other words."""
    words = wording.split()
    return (
        wording.count(TOPIC) == 1
        and OTHER not in wording
        and LEAST_WORDS <= len(words) <= min(MOST_WORDS, MOST_TIMES_AS_LONG * len(question.split()))
        and not _ODD.search(wording)
        and _plain(wording) != _plain(question)
    )


def paraphrased(
    questions: Sequence[str], paraphraser: Paraphraser, cache: Path, seed: int, progress: Callable[[int, int], None]
) -> dict[str, str]:
    """Another wording of each question for which the paraphraser has a usable one that no other question has.

    :param cache: file of what the paraphraser said, a line of JSON each; what it holds is not asked again
    :return: question → wording
    :raises UsageError: the file holds what another paraphraser said
    """
    answers = _kept(cache, paraphraser.name)
    left = [question for question in dict.fromkeys(questions) if question not in answers]
    total = len(answers) + len(left)
    progress(len(answers), total)
    with cache.open("a", encoding="utf-8", newline="\n") as stream:
        for start in range(0, len(left), AT_ONCE):
            some = left[start : start + AT_ONCE]
            for question, wording in zip(some, paraphraser.paraphrase(some, seed + start), strict=True):
                answers[question] = wording
                line = {"by": paraphraser.name, "question": question, "wording": wording}
                stream.write(json.dumps(line, ensure_ascii=False) + "\n")
            stream.flush()
            progress(len(answers), total)
    seen = {_plain(question) for question in questions}
    found: dict[str, str] = {}
    for question in dict.fromkeys(questions):
        wording = answers[question]
        if is_usable(wording, question) and _plain(wording) not in seen:
            seen.add(_plain(wording))
            found[question] = wording
    log.info("%d of %d composed questions have a usable wording by %s", len(found), len(answers), paraphraser.name)
    return found


def reworded(
    asked: Sequence[Composed], paraphraser: Paraphraser, cache: Path, seed: int, progress: Callable[[int, int], None]
) -> list[Composed]:
    """Composed questions in the wordings of :func:`paraphrased`, to be shown beside them."""
    found = paraphrased([text for text, _, _ in asked], paraphraser, cache, seed, progress)
    first = {text: (path, starts) for text, path, starts in reversed(asked)}
    return [(wording, *first[question]) for question, wording in found.items()]


def _plain(text: str) -> str:
    """A question without what makes no other wording of it."""
    return " ".join(text.lower().rstrip("?!. ").split())


def _kept(cache: Path, name: str) -> dict[str, str]:
    """What a file holds, without a line that was cut off."""
    if not cache.exists():
        return {}
    text = cache.read_text(encoding="utf-8")
    lines = text[: text.rfind("\n") + 1].splitlines()
    stored = [json.loads(line) for line in lines]
    others = {line["by"] for line in stored} - {name}
    if others:
        raise UsageError(f"{cache} holds wordings by {', '.join(sorted(others))}; remove it, or name another folder")
    cache.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    return {line["question"]: line["wording"] for line in stored}
