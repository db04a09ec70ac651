"""Reads what a question does with what it speaks of: counts, compares, ranks, leaves out.

A question is taken apart into the kind of entities that it asks for and conditions on them, by the closed classes of
English alone. What the remaining words mean is for the ranker of paths to say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from kgqa_graphdb.operators.kinds import Kind, person_kind
from kgqa_graphdb.operators.mark import Comparison, Marked, tokens
from kgqa_graphdb.operators.words import (
    AUXILIARIES,
    BEYOND,
    BOUNDARIES,
    CONTAINS,
    CORRELATED,
    DIMENSIONS,
    EACH,
    FILLERS,
    HIGH,
    LOW,
    MOMENTS,
    NEGATIONS,
    PREPOSITIONS,
    RANKED,
    RELATIVE,
    STARTS,
    Direction,
)
from kgqa_graphdb.plan import AggregateOp, Each
from kgqa_graphdb.rank.question import TOPIC

Wants: TypeAlias = Literal["answers", "count", "exists", "sum", "mean"]
MOST = 999
"""A larger number before the noun says a year, not how many."""
MAX_MODIFIERS = 8
"""Words before the noun for what is asked for."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that holds of what is asked for.

    :ivar text: its words, without what stands below
    :ivar value: a text that was quoted or written with a capital
    :ivar op: how the value is compared
    :ivar each: what of several numbers is compared
    :ivar topic: it speaks of the topic, which is in the text
    :ivar unclear: it says more than this
    """

    text: str
    comparisons: tuple[Comparison, ...] = ()
    value: str = ""
    op: AggregateOp = "="
    each: Each = ""
    negated: bool = False
    topic: bool = False
    unclear: bool = False


@dataclass(frozen=True, slots=True)
class Extreme:
    """The greatest or the least.

    :ivar measures: by what, in words, and which way; the first that the graph has
    :ivar each: what of several numbers counts
    :ivar bottom: the list is read from its end
    """

    measures: tuple[tuple[Direction, str], ...]
    most: int = 1
    each: Each = ""
    bottom: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A question taken apart.

    :ivar measure: what is summed up, in words
    :ivar kind: what is asked for
    :ivar noun: the word for it
    :ivar unsure: it says something that is not understood
    """

    wants: Wants = "answers"
    measure: str = ""
    kind: Kind | None = None
    noun: str = ""
    conditions: tuple[Condition, ...] = ()
    extreme: Extreme | None = None
    unsure: bool = False

    @property
    def compares(self) -> bool:
        """Whether anything is done with what a path leads to."""
        conditions = any(one.comparisons or one.negated or one.value for one in self.conditions)
        return self.wants != "answers" or self.extreme is not None or conditions


_ASK = re.compile(
    r"^(?:please |kindly )?(?:can|could|would) you |^(?:please |kindly )?"
    r"(?:list|show|name|find|give|tell|identify|get|display|return|retrieve|provide|fetch|select|what|which|who|whom|"
    r"i want to know|i'm looking for)\b(?: me| us)?(?:'s| is| are| was| were)?(?= )"
)
_NAMES_OF = re.compile(r"^(?:the |all |out )*(?:names?|titles?|list|ids?|details?|set) of (?=\w)")
_COUNT = re.compile(
    r"^(?:how many|(?:what is |what's |give me |find |tell me )?the (?:total )?(?:number|count) of|"
    r"count(?: of)?(?: how many)?|number of)\b(?: different| distinct| unique| the| all)*"
)
_TOTAL = re.compile(
    r"^(?:what is |what's |what was |find |give me |calculate |compute |show |tell me )?(?:the )?"
    r"(average|mean|total|sum of(?: the)?|combined)(?: number of| amount of)? (.+?) (?:of|for|across|among|over|by) "
)
_THERE = re.compile(r"^(?:is|are|was|were) there (?:any |some |an? )?")
_BY = re.compile(
    r"\b(?:(?:ranked|sorted|ordered|based|measured) (?:by|on)|by|in terms of|according to)(?: the)?"
    r"(?: highest| greatest| most)? (.+)$"
)
_LISTS = re.compile(r"(?:please |can you |could you )?(?:list|show|name|give|find|get|display|return|retrieve|all)\b")
_COMPARED_WITH = re.compile(rf"\b(?:than|before|after) (?:the )?{re.escape(TOPIC)}")
_ABOUT_TOPIC = rf" (?:in|of|from|by|for|to|at|on|within|among)(?: \w+){{0,3}} {re.escape(TOPIC)}.*$"


def read(text: str, nouns: Mapping[str, Kind], topic: tuple[int, int] | None = None) -> Reading:
    """Take a question apart.

    :param nouns: of the graph's kinds
    :param topic: where the topic's mention begins and ends; a number there is none to compare with
    """
    marked = Marked.of(text, nouns, topic)
    wants, measure, rest = _wanted(marked.text, bool(topic))
    who = re.match(r"(?:who|whom)\b('s| is| are| was| were)?", rest)
    words = tokens(_NAMES_OF.sub("", _ASK.sub("", rest).strip()))
    place, size, kind = _head([] if who and not who[1] else words, nouns)
    before, after = (words[:place], words[place + size :]) if kind else ([], words)
    noun = " ".join(words[place : place + size]) if kind else ""
    if kind is None and who:
        kind, noun = person_kind(nouns), "people"
    reader = _Reader(marked, kind)
    extreme, modifiers = reader.modifiers(before)
    if extreme is None or not extreme.measures:
        extreme, after = reader.ranked(after, extreme)
    conditions = [*([reader.condition(modifiers)] if modifiers else []), *reader.conditions(after)]
    said = conditions
    if extreme is None or not extreme.measures:
        extreme, conditions = _extreme_in(conditions, extreme)
    conditions = [one for one in conditions if one.text or one.comparisons or one.value]
    unranked = extreme is not None and not extreme.measures and (not conditions or _BY.search(" ".join(after)))
    listed = wants != "answers" or conditions or extreme or _LISTS.match(rest)
    unsure = (
        bool(unranked)
        or not listed
        or bool((CORRELATED | BEYOND) & {*before, *after})
        or any(one.unclear for one in conditions)
        or "of" in before  # "the population of the largest city" is no city
        or _COMPARED_WITH.search(rest) is not None
        or any(marked.number(word) > MOST for word in before)
        or _nests(said, nouns)
    )
    ranked = extreme if extreme and extreme.measures else None  # "the first 3" of what has no order are any
    return Reading(wants, measure, kind, noun, tuple(conditions), ranked, unsure)


def _wanted(text: str, topic: bool) -> tuple[Wants, str, str]:
    """What of the answers is wanted, what is summed up, and the rest of the question."""
    if found := _COUNT.match(text):
        return "count", "", text[found.end() :].strip()
    if found := _TOTAL.match(text):
        return ("mean" if found[1] in ("average", "mean") else "sum"), found[2], text[found.end() :]
    if found := _THERE.match(text):
        return "exists", "", text[found.end() :]
    first, _, rest = text.partition(" ")
    asks = first in AUXILIARIES and topic and not rest.startswith("you ")
    return ("exists", "", rest) if asks else ("answers", "", text)


def _head(words: list[str], nouns: Mapping[str, Kind]) -> tuple[int, int, Kind | None]:
    """Where the noun for what is asked for stands, of how many words it is, and its kind."""
    for place in range(min(MAX_MODIFIERS, len(words))):
        for size in (3, 2, 1):
            if kind := nouns.get(" ".join(words[place : place + size])):
                return place, size, kind
        if words[place] in BOUNDARIES or words[place] == TOPIC:
            break
    return 0, 0, None


@dataclass(frozen=True, slots=True)
class _Reader:
    marked: Marked
    kind: Kind | None

    def modifiers(self, words: list[str]) -> tuple[Extreme | None, list[str]]:
        """What is said before the noun: how many of the greatest, and what else."""
        most, ranked, degree, mark = 1, False, "", ""
        measures: tuple[tuple[Direction, str], ...] = ()
        left: list[str] = []
        for word in words:
            if number := self.marked.number(word):
                most = number
            elif word in RANKED:
                ranked = True
            elif word in ("most", "least"):
                degree = word
            elif degree and not word.endswith("ly"):
                measures, degree = _dimensions(word, degree), ""
            elif mark and word not in FILLERS | PREPOSITIONS:  # "the highest paid"
                measures, mark = ((("max" if mark in HIGH else "min"), word),), ""
            elif word in DIMENSIONS:
                measures, mark = DIMENSIONS[word], word if word in HIGH | LOW else ""
            elif word in HIGH | LOW:
                mark = word
            elif word not in FILLERS | PREPOSITIONS and not degree:
                left.append(word)
        found = Extreme(measures, most, bottom="bottom" in words)
        return (found if measures or ranked or most > 1 else None), left

    def ranked(self, words: list[str], extreme: Extreme | None) -> tuple[Extreme | None, list[str]]:
        """By what "the top 5 …" are ranked, where it is said at the end."""
        text = " ".join(words)
        topic = re.search(_ABOUT_TOPIC, f" {text}")
        said = text[: topic.start()] if topic else text
        found = _BY.search(said) if extreme else None
        if not found or not extreme or TOPIC in found[1] or "{" in found[1]:
            return extreme, words
        low = bool(re.search(r"\b(?:ascending|lowest|least|fewest)\b", found[0])) != extreme.bottom
        direction: Direction = "min" if low else "max"
        ranked_by = [word for word in found[1].split() if word not in ("ascending", "descending", "order")]
        measure = _stripped([word for word in ranked_by if word not in CORRELATED])
        rest = said[: found.start()] + (topic[0] if topic else "")
        return replace(extreme, measures=((direction, measure),), each=_each(ranked_by)), rest.split()

    def conditions(self, words: list[str]) -> list[Condition]:
        """The conditions after the noun."""
        parts: list[list[str]] = [[]]
        for place, word in enumerate(words):
            ended = (parts[-1] or [""])[-1]
            if word in RELATIVE and (ended in self.marked.nouns or ended in STARTS):
                continue  # "orders that were shipped …", "a film with …" go on about those
            said = self.marked.value(ended) or self.marked.comparisons(ended)
            # "films by X are …" goes on to something else, "films X has made" does not.
            goes_on = word in AUXILIARIES and TOPIC in parts[-1] and self._compares(words[place + 1 :])
            if word in BOUNDARIES or (word in AUXILIARIES and said) or goes_on:
                parts.append([])
            else:
                parts[-1].append(word)
        if self.kind and self.kind.by and parts[0][:1] == ["of"]:  # "producers of films …" produced films …
            parts[0][:1] = self.kind.by.phrase.split()
        found: list[Condition] = []
        for one in [self.condition(part) for part in parts if part]:
            last = found[-1] if found else None
            if not one.text and last and last.text and (one.comparisons or one.op != "="):
                bare = not (last.comparisons or last.value or last.topic)  # "a motto that contains …"
                found[-1:] = [replace(one, text=last.text)] if bare else [last, replace(one, text=last.text)]
            else:
                found.append(one)
        return found

    def _compares(self, words: Sequence[str]) -> bool:
        """Whether what comes before the next condition compares."""
        for word in words:
            if word in BOUNDARIES:
                break
            if self.marked.comparisons(word) or word in HIGH | LOW or word in DIMENSIONS:
                return True
        return False

    def condition(self, words: Sequence[str]) -> Condition:
        """One of them."""
        comparisons: list[Comparison] = []
        values: list[str] = []
        kept: list[str] = []
        for place, word in enumerate(words):
            if compared := self.marked.comparisons(word):
                counted = any(after not in FILLERS | PREPOSITIONS and after != TOPIC for after in words[place + 1 :])
                comparisons += [replace(one, counted=counted) for one in compared]
            elif held := self.marked.value(word):
                values.append(held)
            elif word not in NEGATIONS:
                kept.append(word)
        op: AggregateOp = "="
        if CONTAINS & set(kept):
            op = "contains"
        elif STARTS & set(kept):
            op = "starts"
        topic, negated, value = TOPIC in kept, any(word in NEGATIONS for word in words), "".join(values[:1])
        unclear = len(values) > 1 or (bool(value) and (topic or bool(comparisons)))
        unclear = unclear or any(char.isdigit() for word in kept if word != TOPIC for char in word)
        text = " ".join(kept) if topic else _stripped([w for w in kept if not (value and w in CONTAINS | STARTS)])
        return Condition(text, tuple(comparisons), value, op, _each(kept), negated, topic, unclear)


def _stripped(words: Sequence[str]) -> str:
    """Words that say what is compared; between them prepositions stay: "units in stock"."""
    kept = [word for word in words if word not in FILLERS and word not in EACH]
    while kept and kept[0] in PREPOSITIONS:
        del kept[0]
    while kept and kept[-1] in PREPOSITIONS:
        del kept[-1]
    return " ".join(kept)


def _each(words: Sequence[str]) -> Each:
    """What of several numbers is meant."""
    return next((EACH[word] for word in words if word in EACH), "")


def _extreme_in(conditions: list[Condition], extreme: Extreme | None) -> tuple[Extreme | None, list[Condition]]:
    """The greatest or the least that a condition speaks of: "with the highest price", "who wrote the most books"."""
    for place, one in enumerate(conditions):
        said = re.sub(_ABOUT_TOPIC, "", f" {one.text}")
        words = said.split()
        mark = next((word for word in words if word in HIGH | LOW or word in DIMENSIONS), "")
        if not mark:
            continue
        rest = _stripped([word for word in words if word != mark])
        measures: tuple[tuple[Direction, str], ...]
        if mark in ("most", "least") and rest in DIMENSIONS:
            measures = _dimensions(rest, mark)
        elif rest and mark in HIGH | LOW:
            measures = (("max" if mark in HIGH else "min", rest),)
        elif mark in DIMENSIONS:
            measures = tuple((way, rest) for way, _ in DIMENSIONS[mark][:1]) if rest else DIMENSIONS[mark]
        else:
            continue
        kept = []
        if one.topic:
            kept = [Condition(one.text[len(said) - 1 :].strip(), one.comparisons, topic=True)]
        elif one.comparisons:
            kept = [Condition(MOMENTS if one.comparisons[0].moment else "", one.comparisons)]
        found = Extreme(measures, extreme.most if extreme else 1, one.each)
        return found, [*conditions[:place], *kept, *conditions[place + 1 :]]
    return extreme, conditions


def _nests(conditions: Sequence[Condition], nouns: Mapping[str, Kind]) -> bool:
    """Whether a condition speaks of the greatest of something else: "who directed the newest film"."""
    for one in conditions:
        words = one.text.split()
        for place, word in enumerate(words):
            degree = word in ("most", "least") and words[place + 1 : place + 2] and words[place + 1] in DIMENSIONS
            if (degree or word in DIMENSIONS) and any(after in nouns for after in words[place + 1 : place + 3]):
                return True
    return False


def _dimensions(adjective: str, degree: str) -> tuple[tuple[Direction, str], ...]:
    """What "most expensive" and "least recent" compare."""
    known = DIMENSIONS.get(adjective, (("max", adjective),))
    turned: dict[Direction, Direction] = {"max": "min", "min": "max"}
    return known if degree == "most" else tuple((turned[way], measure) for way, measure in known)
