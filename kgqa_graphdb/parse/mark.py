"""Marks in a question its values, the numbers that it compares with, and its topic."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial

from kgqa_graphdb.language.english import base_form, past_form, words_of
from kgqa_graphdb.language.english_days import with_days
from kgqa_graphdb.language.english_words import (
    ADJECTIVES,
    AUXILIARIES,
    COMPARATIVES,
    FILLERS,
    MOMENTS,
    NOBODY,
    NUMBERS,
)
from kgqa_graphdb.language.masking import OTHER, TOPIC
from kgqa_graphdb.parse.lexicon import Kind
from kgqa_graphdb.parse.parsed import Bound, Comparison
from kgqa_graphdb.reductions import ReductionName

_QUOTED = re.compile(r"(?<!\w)'([^']+)'(?!\w)|\"([^\"]+)\"|“([^”]+)”|‘([^’]+)’(?!\w)")
_CAPITAL = re.compile(r"(?<=[\w,] )[A-Z][\w.&-]*(?: (?:(?:of|the|and|de|von|van|da) )?[A-Z][\w.&-]*)*")
_CAMEL = re.compile(r"\b[a-z]+(?:[A-Z][a-z]+)+\b|\b\w+_\w+\b")
_IS_NUMBER_OR_DAY = re.compile(r"-?\d+(?:\.\d+)?|\d{4}-\d\d-\d\d")
_HERE = re.compile(r" (?:in|from|of|within) (?:the|this|our) (?:entire |whole )?(?:database|graph|dataset|data|db)\b")
_DEGREE = re.compile(r"\b(highest|lowest|best|worst|most|least|top)-(?=\w)")
_MOST = re.compile(r"\b(?:most|highest|largest|greatest|biggest) (?:total )?(?:number|count|amount) of ")
_FEWEST = re.compile(r"\b(?:fewest|least|lowest|smallest) (?:total )?(?:number|count|amount) of ")
_DECADE = re.compile(r"\b(?:in |during |from )?the ([12]\d\d0)'?s\b", re.ASCII)
_N = r"(?<![\w.])\$?(\d{4}-\d\d-\d\d|-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)(?![\w%])"
_SCALED = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?) ?(thousand|million|billion|bn|k)\b")
_SCALES = {"thousand": 10**3, "k": 10**3, "million": 10**6, "billion": 10**9, "bn": 10**9}
MOST_DIGITS = 18
"""A longer number fits no property."""
_MORE = "(?:more|greater|higher|larger|bigger|longer)"
_LESS = "(?:less|fewer|lower|smaller|shorter)"
_YEARS = r"(?:the )?(?:year )?"
_YEAR_OR_DAY = r"\d{4}-\d\d-\d\d|[12]\d{3}"
_COMPARISONS: tuple[tuple[str, tuple[ReductionName, ...], bool], ...] = (
    (rf"between {_YEARS}{_N} and {_YEARS}{_N}", (">=", "<="), False),
    (rf"from {_YEARS}{_N} (?:to|until|through) {_YEARS}{_N}", (">=", "<="), False),
    (rf"{_MORE} than or equal to {_N}", (">=",), False),
    (rf"{_LESS} than or equal to {_N}", ("<=",), False),
    (rf"(?:at least|no less than|no fewer than|a minimum of|minimum) {_N}", (">=",), False),
    (rf"(?:at most|no more than|up to|a maximum of|maximum) {_N}", ("<=",), False),
    (rf"{_N} (?:or|and) (?:more|higher|greater|above|over|older|later)\b", (">=",), False),
    (rf"{_N} (?:or|and) (?:less|fewer|lower|below|under|younger|earlier)\b", ("<=",), False),
    (rf"(?:{_MORE} than|over|above|exceed(?:s|ing)|beyond) {_N}", (">",), False),
    (rf"(?:{_LESS} than|under|below) {_N}", ("<",), False),
    (rf"on or after {_YEARS}{_N}", (">=",), True),
    (rf"on or before {_YEARS}{_N}", ("<=",), True),
    (rf"(?:later than|after) {_YEARS}{_N}", (">",), True),
    (rf"since {_YEARS}{_N}", (">=",), True),
    (rf"(?:earlier than|before|prior to) {_YEARS}{_N}", ("<",), True),
    (rf"(?:until|till|through|no later than|by(?: the end of)?) {_YEARS}({_YEAR_OR_DAY})\b", ("<=",), True),
    (rf"(?:from|starting(?: in| from)?|as of) {_YEARS}({_YEAR_OR_DAY}) on(?:wards?)?\b", (">=",), True),
    (rf"(?:in|during) {_YEARS}([12]\d\d\d)\b", ("=",), True),
    (rf"(?:exactly|equals?(?: to)?|of exactly|of|is|are|=) {_N}", ("=",), False),
    (_N, ("=",), False),
)  # fmt: skip
"""Patterns, the comparisons with the numbers in them, and whether those are moments; the first that fits counts."""
_BOUND = rf"(?:{re.escape(OTHER)}|(?:the |an )?(?:overall |total )?(?:average|mean)\b)"
_ADJECTIVE = re.compile(
    rf"\b(?:(more|less) ({'|'.join(ADJECTIVES)})|({'|'.join(COMPARATIVES)})) than (?:({_BOUND})|{_N})", re.ASCII
)
_OR_OLDER = re.compile(rf"\b{_N} (?:or|and) (older|younger|elder|newer)\b", re.ASCII)
_IN_YEARS = (
    (re.compile(r"\b(older|younger|elder) than the age of\b"), r"\1 than"),
    (re.compile(r"\b(older|younger|elder) than (\d+) years?(?: old| of age)?\b"), r"\1 than \2"),
    (re.compile(r"\b(\d+) years?(?: old| of age)? (or|and) (older|younger|elder)\b"), r"\1 \2 \3"),
    (re.compile(r"\b(over|above|under|below) (?:the )?age(?: of)? (\d+)\b"), r"age \1 \2"),
    (re.compile(r"\b(\d+) years? (?:old|of age)\b"), r"\1 age"),
    (re.compile(r"\baged(?= (?:over|under|above|below|at|between|exactly|\d))"), "age"),
)
"""Ways to say how old, and the same with the word for the measure or without the one for years."""
_BOUNDS: tuple[tuple[str, ReductionName, bool], ...] = (
    (rf"{_MORE} ((?:\w+ ){{1,4}})than {_BOUND}", ">", False),
    (rf"{_LESS} ((?:\w+ ){{1,4}})than {_BOUND}", "<", False),
    (rf"()(?:{_MORE} than|above|over|exceed(?:s|ing)) {_BOUND}", ">", False),
    (rf"()(?:{_LESS} than|under|below) {_BOUND}", "<", False),
    (rf"()(?:later than|(?<!named )after) {re.escape(OTHER)}", ">", True),
    (rf"()(?:earlier than|before) {re.escape(OTHER)}", "<", True),
    (rf"as many ((?:\w+ ){{1,4}})as {re.escape(OTHER)}", "=", False),
    (rf"(?:in |on |at |of |with )?the same ((?:\w+ ){{1,3}})as {re.escape(OTHER)}", "=", False),
)
"""Patterns of comparisons with what something else has, with the words of the measure in them."""
_TOKEN = re.compile(r"\{\w+\}|#\d+|\[X\]|\[Y\]|[\w$%'.-]*\w|[,;]")
_IN_TIME = re.compile(r"( (?:is|are|was|were))? (\w+) (first|last|earliest|latest|most recently)$")
"""What was done before or after all others: "was launched first"."""
_AT = "(?: (?:on|in|at|for|with|to|by))?"
_ORDER = "(first|last|earliest|latest|most recently)"
_X = re.escape(TOPIC)
_FIRST_OF = re.compile(rf"\bthe (first|last)( \w+ (?:that |which )?{_X} (?:had |has )?)(\w+)({_AT})$")
_FIRST_TO = re.compile(rf"^(?:who|which|what) (?:is|was|were) the (first|last)( \w+)? to (\w+)({_AT} {_X})$")
_DID_IN_TIME = re.compile(rf"( (?:do|does|did|has|have|had) {_X} )(\w+)({_AT}) {_ORDER}$")
_DONE_IN_TIME = re.compile(rf"( )(\w+)({_AT} {_X}) {_ORDER}$")
"""What a topic did, or what was done to it, before or after all others: "did X visit first"."""
_NOBODY = re.compile(rf"\b(\w+) (?:{'|'.join(sorted(NOBODY))}|no one)(?=$|,| (?:and|but)\b)")
"""What is done to nobody: "manage nobody", "managed by no one"."""
_PLACEHOLDER = re.compile(r"\{([vc])(\d+)\}")


@dataclass(slots=True)
class Marked:
    """A question in lower case, with marks in the place of values and comparisons, and :data:`TOPIC` in the topic's."""

    nouns: Mapping[str, Kind]
    text: str = ""
    phrases: list[list[str]] = field(default_factory=list)
    values: Collection[str] = ()
    _values: list[str] = field(default_factory=list)
    _comparisons: list[tuple[Comparison, ...]] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        question: str,
        nouns: Mapping[str, Kind],
        topic: tuple[int, int] | None,
        other: tuple[int, int] | None,
        units: Collection[str] = (),
        values: Collection[str] = (),
    ) -> Marked:
        """Mark a question; see :func:`kgqa_graphdb.parse.read.read`."""
        marked = cls(nouns, values=values)
        question = question.replace("{", "(").replace("}", ")")  # braces are for marks
        masks = [(span, mask) for span, mask in ((topic, TOPIC), (other, OTHER)) if span]
        for (start, end), mask in sorted(masks, reverse=True):
            before, after = question[:start].rstrip("'\""), question[end:].lstrip("'\"")
            question = f"{before} {mask} {after}"
        question = with_days(question)
        text = _QUOTED.sub(lambda found: marked._value(next(filter(None, found.groups()))), question)
        text = _CAPITAL.sub(marked._capital, text)
        text = _CAMEL.sub(lambda found: words_of(found[0]), text)
        lower = " ".join(word if TOPIC in word or OTHER in word else word.lower() for word in text.split()).strip(
            " ?.!"
        )
        lower = re.sub(r"(?<=\w)(?:n't|n’t)\b", " not", lower)
        lower = lower.replace("other than", "except")
        lower = _DEGREE.sub(r"\1 ", lower)
        amounts = "amount" in values  # which then is a property, no number of things
        lower = _MOST.sub(lambda found: found[0] if amounts and "amount" in found[0] else "most ", lower)
        lower = _FEWEST.sub(lambda found: found[0] if amounts and "amount" in found[0] else "fewest ", lower)
        lower = _SCALED.sub(lambda found: f"{float(found[1]) * _SCALES[found[2]]:.15g}", lower)
        lower = " ".join(str(NUMBERS.get(word, word)) for word in lower.split())
        lower = _NOBODY.sub(_not_any, lower)
        if nouns and values:  # "severity 1 incidents"
            held = rf"\b({_any_of(values)}) (\d+) ({_any_of(nouns)})\b"
            lower = re.sub(held, r"\3 with \1 \2", lower)
        lower = re.sub(r"\b(than|least|most|exactly) one\b", r"\1 1", lower)
        lower = _DECADE.sub(marked._decade, _HERE.sub("", lower))
        lower = re.sub(rf"\b(top|first|last|bottom) {_N}(?!\w)", r"\1 #\2", lower)
        for old, plain in _IN_YEARS:
            lower = old.sub(plain, lower)
        lower = _FIRST_OF.sub(_first_of, _FIRST_TO.sub(_who_first, lower))
        lower = _DID_IN_TIME.sub(_dated_deed, lower)
        lower = _DONE_IN_TIME.sub(_dated_deed, lower)
        lower = _IN_TIME.sub(_dated, lower)
        if units:
            lower = re.sub(rf"(?<=\d) ?(?:{_any_of(units)})\b(?! of\b)", "", lower)
        if nouns:
            lower = re.sub(rf"{re.escape(TOPIC)} s ((?:{_any_of(nouns)})\b)", rf"\1 of {TOPIC}", lower)
            lower = re.sub(rf"\b(?:the |an? )?(?:{_any_of(nouns)}) {re.escape(OTHER)}", OTHER, lower)
        lower = _ADJECTIVE.sub(marked._adjective, lower)
        lower = _OR_OLDER.sub(marked._or_older, lower)
        for pattern, op, moment in _BOUNDS:
            lower = re.sub(rf"\b(?:{pattern})", partial(marked._bound, op=op, moment=moment), lower)
        for pattern, ops, moment in _COMPARISONS:
            lower = re.sub(rf"\b(?:{pattern})", partial(marked._found, ops=ops, moment=moment), lower, flags=re.ASCII)
        marked.text = lower
        return marked

    def value(self, word: str) -> str:
        """The value that a word stands for; empty: none."""
        found = _PLACEHOLDER.fullmatch(word)
        return self._values[int(found[2])] if found and found[1] == "v" else ""

    def comparisons(self, word: str) -> tuple[Comparison, ...]:
        """The comparisons that a word stands for."""
        found = _PLACEHOLDER.fullmatch(word)
        return self._comparisons[int(found[2])] if found and found[1] == "c" else ()

    def number(self, word: str) -> int:
        """How many a word says; 0: it is no number."""
        compared = self.comparisons(word)
        if word.startswith("#"):
            return int(word[1 : MOST_DIGITS + 1])
        return compared[0].value if compared and isinstance(compared[0].value, int) else 0

    def _capital(self, found: re.Match[str]) -> str:
        text = found[0].rstrip(".")
        return found[0] if text.lower() in self.nouns or text.isdigit() else self._value(text)

    def _value(self, text: str) -> str:
        if _IS_NUMBER_OR_DAY.fullmatch(text) or _CAMEL.fullmatch(text):
            return f" {text} "  # no text of the graph, but a number, or the name of a property
        self._values.append(text)
        return f" {{v{len(self._values) - 1}}} "

    def _found(self, found: re.Match[str], *, ops: tuple[ReductionName, ...], moment: bool) -> str:
        before = found.string[: found.start()].rstrip()
        if before.endswith(("#", "{v", "{c")):
            return found[0]
        numbers = tuple(_number(text) for text in found.groups())
        known = tuple(number for number in numbers if number is not None)
        until = "until" if found[0].startswith(("until", "till")) else ""  # which says what ended then
        return f"{until}{self._comparison(ops, known, moment)}" if len(known) == len(numbers) else found[0]

    def _adjective(self, found: re.Match[str]) -> str:
        degree, adjective, comparative, bound, number = found.groups()
        value = _bound_of(bound) if bound else _number(number)
        if value is None:
            return found[0]
        superlative = (
            f"{'least' if degree == 'less' else 'most'} {adjective}" if adjective else COMPARATIVES[comparative]
        )
        self._comparisons.append((Comparison(">", value, adjective=superlative),))
        return f" {{c{len(self._comparisons) - 1}}} "

    def _or_older(self, found: re.Match[str]) -> str:
        value = _number(found[1])
        if value is None:
            return found[0]
        self._comparisons.append((Comparison(">=", value, adjective=COMPARATIVES[found[2]]),))
        return f" {{c{len(self._comparisons) - 1}}} "

    def _bound(self, found: re.Match[str], *, op: ReductionName, moment: bool) -> str:
        bound, (*before, noun) = _bound_of(found[0]), found[1].split() or [""]
        counts = "number" in before or noun in self.values or found[0].startswith("as many")
        if bound is Bound.OTHER and op == "=" and noun in self.nouns and not counts:  # "the same project as X"
            bound = Bound.SHARED
        self._comparisons.append((Comparison(op, bound, moment, counted=bool(noun)),))
        return f" {found[1]} {{c{len(self._comparisons) - 1}}} "

    def _decade(self, found: re.Match[str]) -> str:
        return self._comparison((">=", "<"), (int(found[1]), int(found[1]) + 10), True)

    def _comparison(self, ops: tuple[ReductionName, ...], values: tuple[int | float | date, ...], moment: bool) -> str:
        self._comparisons.append(tuple(Comparison(op, value, moment) for op, value in zip(ops, values, strict=True)))
        return f" {{c{len(self._comparisons) - 1}}} "


def _any_of(words: Collection[str]) -> str:
    """A pattern for any of several texts; the longest comes first."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def _dated(found: re.Match[str]) -> str:
    """What was done first, as what has the earliest date."""
    auxiliary, verb, order = found.groups()
    if verb in FILLERS or not (auxiliary or base_form(verb)):
        return found[0]
    return f" with the {_superlative(order)} {verb} {MOMENTS}"


def _who_first(found: re.Match[str]) -> str:
    """Who was the first to do something, as who did it first."""
    order, noun, verb, rest = found.groups()
    return f"{f'which{noun}' if noun else 'who'} {past_form(base_form(verb) or verb)}{rest} {order}"


def _first_of(found: re.Match[str]) -> str:
    """The first that a topic did something to, as that with the earliest date."""
    order, what, verb, rest = found.groups()
    base = base_form(verb)
    return f"the{what}{verb}{rest} with the {_superlative(order)} {past_form(base)} {MOMENTS}" if base else found[0]


def _dated_deed(found: re.Match[str]) -> str:
    """What a topic did first, or what was done to it, as that with the earliest date."""
    before, verb, rest, order = found.groups()
    base = base_form(verb) or (verb if before.strip() else "")
    if not base or verb in FILLERS:
        return found[0]
    return f"{before}{verb}{rest} with the {_superlative(order)} {past_form(base)} {MOMENTS}"


def _superlative(order: str) -> str:
    return "earliest" if order in ("first", "earliest") else "latest"


def _not_any(found: re.Match[str]) -> str:
    """What is done to nobody, as what is not done."""
    return found[0] if found[1] in AUXILIARIES else f"{found[1]} no"


def tokens(text: str) -> list[str]:
    """The words and marks of a text."""
    return _TOKEN.findall(text)


def _bound_of(text: str) -> Bound:
    return Bound.OTHER if OTHER in text else Bound.MEAN


def _number(text: str) -> int | float | date | None:
    """A number or a day; ``None``: there is none like that."""
    plain = text.replace(",", "")
    if len(plain) > MOST_DIGITS:
        return None
    try:
        if plain.count("-") == 2:
            return date.fromisoformat(plain)
        return float(plain) if "." in plain else int(plain)
    except ValueError:
        return None
