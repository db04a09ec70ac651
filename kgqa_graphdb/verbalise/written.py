"""Sentences that a language model writes from the facts of a proof; what it writes is checked before it is shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kgqa_graphdb.errors import LanguageModelError, MissingExtraError
from kgqa_graphdb.language import Language
from kgqa_graphdb.lm.budget import fit_prompt
from kgqa_graphdb.lm.prompts import as_data, prompt
from kgqa_graphdb.plan import TEMPLATES, Result, Tokens
from kgqa_graphdb.steps import CountTokens, DescribeModel, Generate, Sampling, Steps, ask
from kgqa_graphdb.types import Fact, Node, Value
from kgqa_graphdb.verbalise.descriptions import MAX_NAMED
from kgqa_graphdb.verbalise.faithful import Stated, why_unfaithful
from kgqa_graphdb.verbalise.sentences import fact_sentence

MAX_FACTS = 12
"""Facts that a language model is shown, and must state; of more the first ones."""
MAX_TOKENS = 256
_STOP = ("\n\n", ">>>")
_FRAME = re.compile(
    r"^(?:<<<|>>>)\s*|^\d{1,2}\.\s+|^(?:(?:the )?answer(?: to the question)?(?: is)?|question|facts|sentences?)\s*:\s*",
    re.IGNORECASE,
)
"""What small models repeat of the prompt's form before a sentence."""
NOTE_UNFAITHFUL = "the sentence is the template's: what language model {name!r} wrote is not what the facts say: {why}"
NOTE_FAILED = "the sentence is the template's, as no language model wrote one: {error}"
NOTE_SHOWN = "the sentence states the first {kept:,} of {facts:,} facts of the proof"


@dataclass(frozen=True, slots=True)
class Written:
    """A sentence, and who wrote it.

    :ivar by: ``templates``, or the name of the language model
    :ivar note: what the asker should know; empty: nothing
    :ivar tokens: what the language model read and wrote; ``None``: nothing
    """

    text: str
    by: str = TEMPLATES
    note: str = ""
    tokens: Tokens | None = None


def without_frame(text: str) -> str:
    """What a language model wrote, on one line: without the marks, numbers and labels that it copied from its prompt.

    What it says again is left out, too, and so is what its last token cut off of that.
    """
    lines: list[str] = []
    for line in text.splitlines():
        bare = line.strip()
        while (shorter := _FRAME.sub("", bare)) != bare:
            bare = shorter
        if bare and not any(earlier.startswith(bare) for earlier in lines):
            lines.append(bare)
    return " ".join(" ".join(lines).split())


def facts_shown(results: Sequence[Result]) -> tuple[tuple[Fact, ...], int]:
    """The facts of a proof that a language model is shown, and how many there are; no fact twice."""
    facts = tuple(dict.fromkeys(fact for result in results for fact in result.facts))
    return facts[:MAX_FACTS], len(facts)


def to_state(
    question: str, results: Sequence[Result], answers: Sequence[Node], template: str, facts: tuple[Fact, ...]
) -> Stated:
    """What a text on some results must state and may use."""
    amounts = tuple(amount for result in results for amount in result.amounts)
    truth = tuple(node for node in answers if isinstance(node, Value) and isinstance(node.value, bool))
    named = tuple(node for node in answers if node not in truth)[:MAX_NAMED]
    return Stated(facts, named, question, template, (*amounts, *truth))


def write_sentences(
    question: str, results: Sequence[Result], answers: Sequence[Node], template: str, language: Language
) -> Steps[Written]:
    """Have the language model say what a proof shows; the template sentence where it does not, or fails.

    :param results: of the executed plans
    :param answers: best first
    :param template: the sentence that templates make
    """
    facts, every = facts_shown(results)
    if not facts:
        return Written(template)
    lines = [f"{number}. {as_data(fact_sentence(fact, language))}" for number, fact in enumerate(facts, start=1)]
    try:
        fitted = yield from fit_prompt(
            lines,
            lambda shown: prompt("verbalise", facts=shown, answer=as_data(template), question=as_data(question)),
            MAX_TOKENS,
        )
        info = yield from ask(DescribeModel())
        (text,) = yield from ask(Generate(fitted.prompt, Sampling(max_tokens=MAX_TOKENS, stop=_STOP)))
        tokens = Tokens(*(yield from ask(CountTokens((fitted.prompt, text)))))
    except (LanguageModelError, MissingExtraError) as error:
        return Written(template, note=NOTE_FAILED.format(error=error))
    text = without_frame(text)
    why = why_unfaithful(text, to_state(question, results, answers, template, facts[: fitted.kept]), language)
    if why:
        return Written(template, note=NOTE_UNFAITHFUL.format(name=info.name, why=why), tokens=tokens)
    note = NOTE_SHOWN.format(kept=fitted.kept, facts=every) if fitted.kept < every else ""
    return Written(text, info.name, note, tokens)
