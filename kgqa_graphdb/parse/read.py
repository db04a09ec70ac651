"""Reads what a question does with what it speaks of: counts, compares, ranks, leaves out.

A question is taken apart into the kind of entities that it asks for and conditions on them, by the closed classes of
English alone. What the remaining words mean is for the ranker of paths to say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from kgqa_graphdb.language.english import UNCHANGED
from kgqa_graphdb.language.english_words import (
    AGE,
    AUXILIARIES,
    BEYOND,
    BOUNDARIES,
    CONTAINS,
    CORRELATED,
    DEFINITE,
    DIMENSIONS,
    EXCEPTIONS,
    FILLERS,
    HIGH,
    LASTING,
    LOW,
    MOMENTS,
    MOST,
    NEGATIONS,
    PLAIN_PREPOSITIONS,
    RANKED,
    RELATIVE,
    REQUESTS,
    STARTS,
    TIME_WORDS,
    Direction,
    dimensions_of,
)
from kgqa_graphdb.language.masking import OTHER, TOPIC
from kgqa_graphdb.parse.clause import attributive, clause_of, one_more_verb
from kgqa_graphdb.parse.group import grouping
from kgqa_graphdb.parse.head import head, is_participle, unknown_head
from kgqa_graphdb.parse.labels import other_label, with_label
from kgqa_graphdb.parse.lexicon import PEOPLE, Kind, Lexicon, person_kind
from kgqa_graphdb.parse.mark import Marked, tokens
from kgqa_graphdb.parse.measure import each_of, stripped
from kgqa_graphdb.parse.narrow import Narrowed, narrowed
from kgqa_graphdb.parse.parsed import Bound, Comparison, Condition, Extreme, ParsedQuestion
from kgqa_graphdb.parse.same import same_entity
from kgqa_graphdb.parse.wanted import TOTALLED, wanted
from kgqa_graphdb.reductions import ReductionName

_ASK = re.compile(
    r"^(?:please |kindly )?(?:can|could|would) you |^(?:please |kindly )?"
    rf"(?:list|show|name|find|give|tell|{'|'.join(sorted(REQUESTS))}|what|which|who|whom|"
    r"i want to know|i'm looking for)\b(?: me| us)?(?:'s| is| are| was| were)?(?= )"
)
_NAMES_OF = re.compile(r"^(?:the |all |out )*(?:names?|titles?|list|ids?|details?|set) of (?=\w)")
_BY = re.compile(
    r"\b(?:(?:ranked|sorted|ordered|based|measured) (?:by|on)|by|in terms of|according to)(?: the)?"
    r"(?: highest| greatest| most)? (.+)$"
)
_LISTS = re.compile(
    r".*\bare there$|(?:please |can you |could you )?(?:list|show|name|give|find|get|display|return|retrieve|all)\b"
)
_COMPARED_WITH = re.compile(rf"\b(?:than|before|after) (?:the )?{re.escape(TOPIC)}")
_WHO_ARE = re.compile(r"(?:who|what|which) (?:are|were) (?:all )?(?:the|our|my)\b")
_DOES = re.compile(r"(?:what|where|when|how \w+) (?:do|does|did)\b")
"""What follows does something, and is not asked for."""
_OF_IT = re.compile(r"\b(?:of|in|on|at|to|for|from|by|with) it\b")
_ABOUT_TOPIC = rf" (?:in|of|from|by|for|to|at|on|within|among)(?: \w+){{0,3}} {re.escape(TOPIC)}.*$"


def read(
    text: str, lexicon: Lexicon, topic: tuple[int, int] | None = None, other: tuple[int, int] | None = None
) -> ParsedQuestion:
    """Take a question apart; see :meth:`kgqa_graphdb.parse.protocols.Parser.parse`."""
    values = lexicon.values
    marked = Marked.of(text, lexicon.nouns, topic, other, lexicon.units, values)
    marked.phrases = [phrase.split() for phrase in lexicon.phrases if " " in phrase]
    group = grouping(marked, values)
    if group is None:
        return _read(marked, bool(topic), values)
    listed = "" if TOTALLED.match(group.rest) else "list "
    marked.text = f"{listed}{group.rest}"
    parsed = _read(marked, bool(topic), values)
    extreme = Extreme(((group.way, ""),), group.most) if group.way else None
    unsure = parsed.unsure or parsed.extreme is not None or parsed.wants == "exists"
    tests = marked.comparisons(group.test)
    return replace(parsed, per=group.per, extreme=extreme, tests=tests, unsure=unsure, clause=group.clause)


def _read(marked: Marked, topic: bool, values: Collection[str]) -> ParsedQuestion:
    """Take apart what groups nothing."""
    nouns = marked.nouns
    wants, measure, rest = wanted(marked, topic)
    who = re.match(r"(?:who|whom)\b('s| is| are| was| were)?", rest)
    words = tokens(_NAMES_OF.sub("", _ASK.sub("", rest).strip()))
    if who and who[1] and words and words[0] in UNCHANGED:  # "who was hit" did not hit
        words.insert(0, who[1].strip())
    place, size, kind = head([] if who and not who[1] else words, nouns)
    before, after = (words[:place], words[place + size :]) if kind else ([], words)
    if wants == "answers":
        after = _without_how_many(after, marked, begins=kind is None)
    noun = " ".join(words[place : place + size]) if kind else ""
    if kind is None and who:
        kind, noun = person_kind(nouns), PEOPLE
    if kind is None:
        before, noun, after = unknown_head(after, values, noun)
    reader = _Reader(marked, kind)
    extreme, modifiers = reader.modifiers(before)
    twice = None if any(map(marked.comparisons, after)) and "same" not in after else same_entity(after, nouns)
    if twice:
        after = twice[0]
    after, narrow = narrowed(after, marked, kind)
    within = _within(narrow, marked) if narrow else None
    if extreme is None or not extreme.measures:
        extreme, after = reader.ranked(after, extreme)
    labels = [word for word in modifiers if kind and other_label(word, kind, nouns)]
    modifiers = [word for word in modifiers if word not in labels]
    conditions = [Condition(word, attributive=True) for word in labels]
    if modifiers:
        conditions.append(replace(reader.condition(modifiers), clause=attributive(modifiers)))
    conditions += reader.conditions(after)
    every = conditions
    if extreme is None or not extreme.measures:
        extreme, conditions = _extreme_in(conditions, extreme, values, named=kind is not None)
    conditions = [with_label(one, kind, nouns, whether=wants == "exists") for one in conditions]
    conditions = [one for one in conditions if one.text or one.comparisons or one.value]
    conditions = _with_subjects(conditions)
    lost = False
    if within and narrow and narrow.counted:
        at = next((n for n, one in enumerate(conditions) if any(test.counted for test in one.comparisons)), None)
        lost = at is None
        if at is not None:
            conditions[at] = replace(conditions[at], within=within)
    elif within:
        lost = extreme is None or not extreme.measures
        extreme = replace(extreme, within=within) if extreme else None
    if twice:
        _, same, rest_of_same = twice
        about = nouns.get(same.noun)
        inner = _within(Narrowed(about, same.noun, [], rest_of_same, True), marked) if about and rest_of_same else None
        lost = lost or (bool(rest_of_same) and (inner is None or not inner.conditions))
        conditions.append(Condition("", within=inner, same=same))
    unranked = extreme is not None and not extreme.measures and (not conditions or _BY.search(" ".join(after)))
    every_one = kind is not None and not (topic or after or {*before} - FILLERS) and _WHO_ARE.match(rest)
    listed = wants != "answers" or conditions or extreme or _LISTS.match(rest) or every_one
    unsure = (
        bool(unranked)
        or lost
        or (within is not None and within.unsure)
        or not listed
        or (wants == "answers" and kind is not None and _DOES.match(rest) is not None)
        or bool((CORRELATED | BEYOND) & {*before, *after})
        or any(one.unclear or (one.within and one.within.unsure) for one in conditions)
        or "of" in before  # "the population of the largest city" is no city
        or OTHER in rest
        or _OF_IT.search(rest) is not None
        or _COMPARED_WITH.search(rest) is not None
        or any(marked.number(word) > MOST for word in before)
        or _nests(every, nouns)
    )
    ranked = extreme if extreme and extreme.measures else None  # "the first 3" of what has no order are any
    return ParsedQuestion(wants, measure, kind, noun, tuple(conditions), ranked, unsure)


def _with_subjects(conditions: Sequence[Condition]) -> list[Condition]:
    """Conditions, of which those that are one more verb of the topic say so: "does X own but not review"."""
    found: list[Condition] = []
    for one in conditions:
        last = found[-1] if found else None
        plain = last and last.topic and not (one.topic or one.comparisons or one.value or one.within or one.same)
        text = one_more_verb(last.text, one.text) if last and plain else ""
        found.append(replace(one, text=text, topic=True, again=True) if text else one)
    return found


def _without_how_many(words: list[str], marked: Marked, *, begins: bool) -> list[str]:
    """Words without numbers that only say how many there are: "four countries", "the four countries", "X's 4 sons".

    :param begins: whether what is asked for begins there
    """
    kept = []
    for before, word, after in zip(["the" if begins else "", *words], words, [*words[1:], ""], strict=False):
        counts_known = before in DEFINITE and not (after in HIGH | LOW | RANKED or after in DIMENSIONS)
        if not (counts_known and _says_how_many(marked.comparisons(word))):
            kept.append(word)
    return kept


def _says_how_many(compared: Sequence[Comparison]) -> bool:
    """Whether what stands before a noun is a small number and nothing else."""
    return any(one.op == "=" and isinstance(one.value, int) and 0 < one.value <= MOST for one in compared)


def _within(narrow: Narrowed, marked: Marked) -> ParsedQuestion:
    """The question about what is counted or summed up."""
    reader = _Reader(marked, narrow.kind)
    found = [replace(reader.condition(narrow.before), attributive=True)] if narrow.before else []
    found += reader.conditions(narrow.after)
    kept = tuple(one for one in found if one.text or one.comparisons or one.value)
    ranks = any(word in HIGH or word in LOW or word in DIMENSIONS for word in (*narrow.before, *narrow.after))
    odd = bool((CORRELATED | BEYOND) & {*narrow.before, *narrow.after}) or any(one.unclear for one in kept)
    return ParsedQuestion(kind=narrow.kind, noun=narrow.noun, conditions=kept, unsure=ranks or odd or not kept)


@dataclass(frozen=True, slots=True)
class _Reader:
    marked: Marked
    kind: Kind | None

    def modifiers(self, words: list[str]) -> tuple[Extreme | None, list[str]]:
        """The words before the noun: how many of the greatest, and what else."""
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
                measures, degree = dimensions_of(f"{degree} {word}"), ""
            elif mark and word not in FILLERS | PLAIN_PREPOSITIONS:  # "the highest paid"
                measures, mark = ((("max" if mark in HIGH else "min"), word),), ""
            elif word in DIMENSIONS:
                measures, mark = DIMENSIONS[word], word if word in HIGH | LOW else ""
            elif measures and measures[0][1] == MOMENTS and is_participle(word):  # "the earliest launched"
                measures = ((measures[0][0], f"{word} {MOMENTS}"),)
            elif word in HIGH | LOW:
                mark = word
            elif word not in FILLERS | PLAIN_PREPOSITIONS and not degree:
                left.append(word)
        found = Extreme(measures, most, bottom="bottom" in words, clause=attributive([one for _, one in measures[:1]]))
        return (found if measures or ranked or most > 1 else None), left

    def ranked(self, words: list[str], extreme: Extreme | None) -> tuple[Extreme | None, list[str]]:
        """By what "the top 5 …" are ranked, where the end says it."""
        text = " ".join(words)
        topic = re.search(_ABOUT_TOPIC, f" {text}")
        text_before = text[: topic.start()] if topic else text
        found = _BY.search(text_before) if extreme else None
        if not found or not extreme or TOPIC in found[1] or "{" in found[1]:
            return extreme, words
        low = bool(re.search(r"\b(?:ascending|lowest|least|fewest)\b", found[0])) != extreme.bottom
        direction: Direction = "min" if low else "max"
        ranked_by = [word for word in found[1].split() if word not in ("ascending", "descending", "order")]
        measure = stripped([word for word in ranked_by if word not in CORRELATED], self.marked.values)
        rest = text_before[: found.start()] + (topic[0] if topic else "")
        clause = clause_of(["has", *measure.split()], self.marked.nouns)
        ranked = replace(extreme, measures=((direction, measure),), each=each_of(ranked_by, measure), clause=clause)
        return ranked, rest.split()

    def conditions(self, words: list[str]) -> list[Condition]:
        """The conditions after the noun."""
        parts: list[list[str]] = [[]]
        for place, word in enumerate(words):
            ended = (parts[-1] or [""])[-1]
            if word in RELATIVE and (ended in self.marked.nouns or ended in STARTS):
                continue  # "orders that were shipped …", "a film with …" go on about those
            compared = self.marked.value(ended) or self.marked.comparisons(ended)
            # "films by X are …" goes on to something else, "films X has made" does not.
            goes_on = word in AUXILIARIES and TOPIC in parts[-1] and self._compares(words[place + 1 :])
            if word in EXCEPTIONS:
                parts.append([word])
            elif word == "with" and self.kind is None and len(parts) == 1 and words[place + 1 : place + 2] == [TOPIC]:
                parts[-1].append(word)  # "films with X": no kind tells what is asked for but these words together
            elif word in BOUNDARIES or (word in AUXILIARIES and compared) or goes_on:
                parts.append([])
            elif TOPIC in parts[-1][1:] and any(one.adjective for one in self.marked.comparisons(word)):
                parts.append([word])  # "moons of X wider than Y"
            elif TOPIC in parts[-1][1:] and is_participle(word) and self._compares(words[place + 1 :]):
                parts.append([word])  # "films by X released after 2000", "people from X born in Y"
            else:
                parts[-1].append(word)
        if self.kind and self.kind.by and parts[0][:1] == ["of"]:  # "producers of films …" produced films …
            parts[0][:1] = self.kind.by.phrase.split()
        found: list[Condition] = []
        for one in [self.condition(part) for part in parts if part]:
            last = found[-1] if found else None
            adjective = any(test.adjective for test in one.comparisons)  # which says by itself what is compared
            if not (one.text or adjective) and last and last.text and (one.comparisons or one.op != "="):
                bare = not (last.comparisons or last.value or last.topic)  # "a motto that contains …"
                one = replace(one, text=last.text, clause=last.clause)
                found[-1:] = [one] if bare else [last, one]
            else:
                found.append(one)
        return found

    def _compares(self, words: Sequence[str]) -> bool:
        """Whether what comes before the next condition compares."""
        for word in words:
            if word in BOUNDARIES:
                break
            marks = self.marked.comparisons(word) or self.marked.value(word)
            if marks or word in HIGH | LOW or word in DIMENSIONS:
                return True
        return False

    def condition(self, words: Sequence[str]) -> Condition:
        """One of them."""
        comparisons: list[Comparison] = []
        values: list[str] = []
        kept: list[str] = []
        for place, word in enumerate(words):
            if compared := self.marked.comparisons(word):
                counted = any(
                    after not in FILLERS | PLAIN_PREPOSITIONS and after != TOPIC for after in words[place + 1 :]
                )
                comparisons += [replace(one, counted=counted or one.counted) for one in compared]
            elif quoted := self.marked.value(word):
                values.append(quoted)
            elif word not in NEGATIONS:
                kept.append(word)
        op: ReductionName = "="
        if CONTAINS & set(kept):
            op = "contains"
        elif STARTS & set(kept):
            op = "starts"
        topic, negated, value = TOPIC in kept, any(word in NEGATIONS for word in words), "".join(values[:1])
        unclear = len(values) > 1 or (bool(value) and (topic or bool(comparisons)))
        of_all: list[str] = []
        unclear = unclear or any(char.isdigit() for word in kept if word != TOPIC for char in word)
        if any(one.value is Bound.MEAN for one in comparisons):
            kept, of_all = self._of_all(words)
        if topic:
            text = " ".join(kept)
        else:
            text = stripped([w for w in kept if not (value and w in CONTAINS | STARTS)], self.marked.values)
        each = each_of(kept, "" if topic else text)
        clause = clause_of(words, self.marked.nouns)
        mean_of = " ".join(of_all)
        return Condition(
            text, tuple(comparisons), value, op, each, negated, topic, unclear, mean_of=mean_of, clause=clause
        )

    def _of_all(self, words: Sequence[str]) -> tuple[list[str], list[str]]:
        """The words of a comparison with a mean, and those that say what that is the mean of."""
        place = next(at for at, word in enumerate(words) if self.marked.comparisons(word))
        own = {noun for noun, kind in self.marked.nouns.items() if self.kind and kind.label == self.kind.label}
        after = [word for word in words[place + 1 :] if word not in own | FILLERS | PLAIN_PREPOSITIONS]
        before = [word for word in words[:place] if word not in NEGATIONS]
        return [*before, *(word for word in after if word not in before)], after


def _extreme_in(
    conditions: list[Condition], extreme: Extreme | None, values: Collection[str], *, named: bool
) -> tuple[Extreme | None, list[Condition]]:
    """The greatest or the least that a condition speaks of: "with the highest price", "who wrote the most books".

    :param values: nouns for what entities have
    :param named: a noun names a kind; else "the largest moon" is no moon's amount
    """
    for place, one in enumerate(conditions):
        about = re.sub(_ABOUT_TOPIC, "", f" {one.text}")
        words = about.split()
        mark = next((word for word in words if word in HIGH | LOW or word in DIMENSIONS), "")
        if not mark or one.negated:  # what is not the greatest may be any of the rest
            continue
        rest = stripped([word for word in words if word != mark], values)
        had = {"has", "have", "had", *values} & {*words}
        if not named and values and one.topic and mark in DIMENSIONS and rest and not had:
            continue
        measures: tuple[tuple[Direction, str], ...]
        if mark in ("most", "least") and rest in DIMENSIONS:
            measures = dimensions_of(f"{mark} {rest}")
        elif rest and mark in HIGH | LOW:
            measures = (("max" if mark in HIGH else "min", rest),)
        elif mark in DIMENSIONS and rest in LASTING:
            measures = DIMENSIONS[mark]
        elif mark in DIMENSIONS and _at_an_age(mark, rest, values):
            measures = ((_way(mark, AGE), f"{AGE} {rest}"),)
        elif mark in DIMENSIONS:
            measures = ((_way(mark, rest), _dated(mark, rest)),) if rest else DIMENSIONS[mark]
        else:
            continue
        kept = []
        if one.topic:
            kept = [Condition(one.text[len(about) - 1 :].strip(), one.comparisons, topic=True)]
        elif one.comparisons:
            kept = [Condition(MOMENTS if one.comparisons[0].moment else "", one.comparisons)]
        found = Extreme(measures, extreme.most if extreme else 1, one.each, clause=one.clause)
        return found, [*conditions[:place], *kept, *conditions[place + 1 :]]
    return extreme, conditions


def _dated(adjective: str, measure: str) -> str:
    """A measure, as a point in time where the adjective speaks of one: "the earliest command"."""
    dated = DIMENSIONS[adjective][0][1] == MOMENTS and not TIME_WORDS & {*measure.split()}
    return f"{measure} {MOMENTS}" if dated else measure


def _at_an_age(adjective: str, rest: str, values: Collection[str]) -> bool:
    """Whether an adjective says how old those are who do something: "who died oldest"."""
    ages = any(measure == AGE for _, measure in DIMENSIONS[adjective]) and adjective != "newest"
    return ages and len(rest.split()) == 1 and rest not in values


def _way(adjective: str, measure: str) -> Direction:
    """Which way an adjective compares a measure that is named with it: of ages the oldest is the greatest."""
    by_age = next((way for way, known in DIMENSIONS[adjective] if known == AGE), None)
    return by_age if by_age and AGE in measure.split() else DIMENSIONS[adjective][0][0]


def _nests(conditions: Sequence[Condition], nouns: Mapping[str, Kind]) -> bool:
    """Whether a condition speaks of the greatest of something else: "who directed the newest film"."""
    for one in conditions:
        words = one.text.split()
        for place, word in enumerate(words):
            degree = word in ("most", "least") and words[place + 1 : place + 2] and words[place + 1] in DIMENSIONS
            if (degree or word in DIMENSIONS) and any(after in nouns for after in words[place + 1 : place + 3]):
                return True
    return False
