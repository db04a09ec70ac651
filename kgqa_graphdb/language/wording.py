"""How one language puts plans and answers in words: patterns, and the few functions that no pattern can replace.

The defaults are English, in whose place another language puts its own; see :mod:`kgqa_graphdb.language.chinese`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from kgqa_graphdb.reductions import REDUCTIONS
from kgqa_graphdb.types import Path, Step

_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
StepNoun: TypeAlias = Callable[[Step, bool], str]
"""A step's words as a noun; whether it leads to several."""


def fill(pattern: str, **values: str) -> str:
    """A pattern with its placeholders filled in; what is filled in is not looked at again, other braces stay.

    Where a word in Latin letters or digits meets a Chinese character of the pattern, or the other way round, a space
    stands between them, as Chinese printers have it.
    """
    parts = _PLACEHOLDER.split(pattern)
    text = parts[0]
    for name, after in zip(parts[1::2], parts[2::2], strict=True):
        text = _joined(_joined(text, values.get(name, f"{{{name}}}")), after)
    return text


def _joined(left: str, right: str) -> str:
    if not left or not right:
        return left + right
    ends = (left[-1], right[0])
    apart = any(_IDEOGRAPH.match(one) and other.isascii() and other.isalnum() for one, other in (ends, ends[::-1]))
    return f"{left} {right}" if apart else left + right


def plain_path(topic: str, path: Path, many: bool, wording: Wording) -> str:
    """What a path leads to, its steps' words one after the other."""
    text = topic
    for step in spoken(path):
        text = fill(wording.step_back if step.inverse else wording.step, phrase=step.phrase, start=text)
    return text


def plain_noun(step: Step, many: bool) -> str:
    """A step's words as they are."""
    return step.phrase


def spoken(path: Path) -> list[Step]:
    """The steps that have words; that a year is its name goes without saying."""
    return [step for step in path if step.phrase]


def unchanged_list(noun: str) -> str:
    """A noun for several, where it is the same as for one; a text that needs no other words."""
    return noun


def always(template: str) -> bool:
    """Yes."""
    return True


def never(phrase: str) -> bool:
    """No."""
    return False


_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class StatementWords:
    """Words by which a text that a language model wrote is compared with facts; of scripts without spaces, characters.

    :ivar glue: may stand in any sentence: they name nothing and relate nothing
    :ivar negations: turn a statement into its opposite
    :ivar prepositions: belong to the verb or noun before them
    :ivar of: joins a noun to what has it: "the director of Up"
    :ivar by: joins what was done to who did it
    :ivar possessive: follows what has something: "Up's director"
    :ivar be: say what something is, and ``have`` what it has
    :ivar joining: stand between names in a row
    :ivar numbers: words for numbers
    :ivar moments: how a year, a month and a day may be written, with ``{year}``, ``{month}`` and ``{day}``, a number
        each, ``{name}`` and ``{short}`` of the month
    :ivar months: their names
    """

    glue: frozenset[str] = _NONE
    negations: frozenset[str] = _NONE
    prepositions: frozenset[str] = _NONE
    of: frozenset[str] = _NONE
    by: frozenset[str] = _NONE
    possessive: frozenset[str] = _NONE
    be: frozenset[str] = _NONE
    have: frozenset[str] = _NONE
    joining: frozenset[str] = _NONE
    numbers: Mapping[str, int] = field(default_factory=dict, hash=False)
    moments: tuple[str, ...] = ()
    months: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wording:
    """How answers are put in sentences; patterns have their placeholders in braces.

    :ivar abstained: says why there is no answer
    :ivar reasons: of each English reason, with placeholders, what it is in this language; others stay as they are
    :ivar reason_part: what is filled in there, such as quoted names
    :ivar between: stands between names in a row, and ``last`` before the last of them
    :ivar more: how many are not named; a name of its own in the row
    :ivar cut_row: a row of names and ``more``; empty: as any row
    :ivar amount: a name with what it was ranked by
    :ivar path: what a path leads to from a topic, as a noun phrase
    :ivar step: a step to a noun, and ``step_back`` the same against its direction, where ``path`` is a plain one
    :ivar noun: a step's words as a noun without what it starts from
    :ivar part: a noun that belongs to another: "price of the product"
    :ivar kind: all entities of a kind
    :ivar bare: a noun phrase without its article
    :ivar of_both: what a relationship between two entities says
    :ivar pinned: what leads to one entity
    :ivar combined: two plans' answers, by the operation
    :ivar reductions: of each reduction the words for it; ``attributes`` of several values of one answer
    :ivar number_of: how many there are of something; ``number`` is the same word alone
    :ivar is_any: answers that have any of what is measured, and ``with_any`` those with any value
    :ivar measure: each with its value; ``reduced`` one value of all, ``reduced_bare`` where they are the values
    :ivar with_extreme: the greatest or the least, in a noun phrase; ``ranked`` in a sentence
    :ivar compared: those whose measure compares so; ``compared_bare`` those that do themselves
    :ivar wanted: what is compared with
    :ivar tells_when: whether a property's name is of a point in time
    :ivar says_what_happened: whether it does as "born" does
    :ivar when: of each comparison with one the words for it, in the place of ``reductions``
    :ivar happened: ``compared``, where the measure says what happened: "born before 1980"
    :ivar groups: one answer a value; ``by`` with what of their numbers stands with it
    :ivar the_one: the best answer, and ``those`` where there are several; ``extremes`` are those of moments
    :ivar answer: what was asked for, and the names
    :ivar answer_path: the same where a path was followed
    :ivar is_so: of a comparison that is right, and ``is_not`` of one that is not
    :ivar claimed: that something is a fact, and ``unclaimed`` that the graph does not say so
    :ivar both_claims: two claims, and ``either_claim`` one of two
    :ivar has: that the graph has something, and ``has_not``
    :ivar fact: of a fact whose relation has no sentence in this language
    :ivar is_template: whether a relation's sentence is in this language
    :ivar stop: ends a sentence
    :ivar capitals: whether a sentence begins with a capital letter
    :ivar words: by which what a language model wrote is compared with facts
    """

    no_answer: str = "The graph holds no answer."
    abstained: str = "I can't answer that: {why}."
    reasons: Mapping[str, str] = field(default_factory=dict, hash=False)
    reason_part: Callable[[str], str] = unchanged_list
    between: str = ", "
    last: str = " and "
    more: str = "{count} more"
    cut_row: str = ""
    amount: str = "{name} ({amount})"
    path: Callable[[str, Path, bool, Wording], str] = plain_path
    step: str = "{phrase} of {start}"
    step_back: str = "{phrase} {start}"
    noun: StepNoun = plain_noun
    part: str = "{noun} of the {owner}"
    also: str = "{measure} that is also {other}"
    within: str = "{measure} (only {within})"
    kind: Callable[[str], str] = unchanged_list
    bare: Callable[[str], str] = unchanged_list
    of_both: str = "{phrase} of {topic} and {other}"
    pinned: str = "{what} that is {name}"
    combined: Mapping[str, str] = field(
        default_factory=lambda: {
            "and": "{one} that are also {other}",
            "or": "{one} or {other}",
            "not": "{one} but not {other}",
        },
        hash=False,
    )
    reductions: Mapping[str, str] = field(
        default_factory=lambda: {name: one.phrase for name, one in REDUCTIONS.items()}, hash=False
    )
    attributes: Mapping[str, str] = field(
        default_factory=lambda: {name: one.attribute for name, one in REDUCTIONS.items()}, hash=False
    )
    attribute: str = "{attribute} {measure}"
    counted: str = "{reduction} of {what}"
    exists: str = "{reduction} {what}"
    native: str = "what the query returns"
    cited: str = "the facts cited"
    number_of: str = "number of {measure}"
    number: str = "number"
    is_any: str = "{over} with any {measure}"
    with_any: str = "{over} with any {measure}"
    measure: str = "{reduction} {measure} of {over}"
    reduced: str = "{reduction} of the {measure} of {over}"
    reduced_bare: str = "{reduction} of {over}"
    with_extreme: str = "{over} with {reduction} {measure}"
    compared: str = "{over} with {measure} {wanted}"
    compared_bare: str = "{over}, {wanted}"
    wanted: str = "{reduction} {value}"
    tells_when: Callable[[str], bool] = never
    says_what_happened: Callable[[str], bool] = never
    when: Mapping[str, str] = field(
        default_factory=lambda: {"<": "before", "<=": "until", ">=": "from", ">": "after", "=": ""}, hash=False
    )
    happened: str = "{over} {measure} {wanted}"
    groups: str = "each {measure} of {over}"
    year: str = "year of {measure}"
    by: str = "{groups}, by {attribute} {number}"
    the_one: str = "the one"
    those: str = "those"
    extremes: Mapping[str, str] = field(
        default_factory=lambda: {"max": "the latest", "min": "the earliest"}, hash=False
    )
    ranked: str = "Of {over}, {one} with {extreme} {measure}: {names}."
    answer: str = "{what}: {names}."
    answer_path: str = "{what}: {names}."
    named: str = "{names}."
    is_so: str = "Yes: {what} is {wanted}."
    is_not: str = "No: {what} is not {wanted}."
    claimed: str = "Yes: {claim}."
    unclaimed: str = "No: the graph does not say that {claim}."
    has: str = "Yes: the graph has {what}."
    has_not: str = "No: the graph does not have {what}."
    both_claims: str = "{one} and {other}"
    either_claim: str = "{one} or {other}"
    is_one: str = "{name} is {what}"
    fact: str = "{head} — {phrase}: {tail}."
    qualified: str = "{fact} ({qualifiers})"
    is_template: Callable[[str], bool] = always
    stop: str = "."
    capitals: bool = True
    words: StatementWords = StatementWords()  # frozen

    def why(self, reason: str) -> str:
        """An English reason for an abstention in this language, where it is one of those that are known."""
        for pattern, here in self.reasons.items():
            parts = _PLACEHOLDER.split(pattern)
            known = "".join(f"(?P<{one}>.+)" if place % 2 else re.escape(one) for place, one in enumerate(parts))
            found = re.fullmatch(known, reason, re.DOTALL)
            if found:
                return fill(here, **{name: self.reason_part(text) for name, text in found.groupdict().items()})
        return reason

    def row(self, names: Sequence[str], more: int = 0) -> str:
        """Names in a row: "A, B and C", or "A, B and 12 more".

        :param more: how many are not named
        """
        if more and self.cut_row:
            return fill(self.cut_row, names=self.between.join(names), count=f"{more + len(names):,}")
        named = [*names, *([fill(self.more, count=f"{more:,}")] if more else [])]
        if len(named) == 1:
            return named[0]
        pattern = f"{{names}}{self.last}{{name}}"
        return fill(pattern, names=self.between.join(named[:-1]), name=named[-1])


PLAIN_WORDING = Wording()
