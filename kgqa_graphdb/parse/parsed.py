"""What a question is taken apart into: a value that crosses from parsers to composers, and that JSON can hold."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import date
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from kgqa_graphdb.documents import parse_json
from kgqa_graphdb.errors import ConfigError, nearest
from kgqa_graphdb.language.english_words import Direction
from kgqa_graphdb.language.masking import OTHER
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.parse.lexicon import Kind
from kgqa_graphdb.reductions import REDUCTIONS, ReductionName
from kgqa_graphdb.types import Step

PARSED_VERSION = 1
"""Of the form of :meth:`ParsedQuestion.to_json`; another is refused."""


class Bound(Enum):
    """What is compared with where no number is named: what another entity has, the mean of all, or, of entities, some
    that another has, too."""

    OTHER = OTHER
    MEAN = "mean"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A number, a day, or what something else has, to compare with.

    :ivar op: ``<``, ``<=``, ``=``, ``>=`` or ``>``
    :ivar value: what is compared with
    :ivar moment: it was named as a year or so: "after 1990"
    :ivar counted: it stands before what it may be the number of: "more than 3 films"
    :ivar adjective: a superlative that says what is compared, with "most" or "least" before it if need be
    """

    op: ReductionName
    value: int | float | date | Bound
    moment: bool = False
    counted: bool = False
    adjective: str = ""


@dataclass(frozen=True, slots=True)
class Same:
    """What is done to, or by, one entity: "directed and wrote the same film".

    :ivar verbs: two or more, as they stand, or who does it: "directed", "writer"
    :ivar noun: for the entity; empty: none names it
    """

    verbs: tuple[str, ...]
    noun: str


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that holds of what is asked for.

    :ivar text: its words, without what stands below; the topic, if it speaks of that, as ``[X]``
    :ivar comparisons: what its number or day is compared with; each of them holds
    :ivar value: a text that was quoted or written with a capital
    :ivar op: how the value is compared: ``=``, ``contains`` or ``starts``
    :ivar each: what of several numbers is compared, a reduction such as ``sum``; empty: each by itself
    :ivar negated: it does not hold
    :ivar topic: it speaks of the topic, which is in the text
    :ivar unclear: it says more than this
    :ivar within: what it counts or sums up is narrowed down to these
    :ivar mean_of: the words of a mean that is compared with
    :ivar attributive: it stands before the noun
    :ivar same: what is done to, or by, one entity
    :ivar label: its words are those for a label, which they may carry, too: "premium customers"
    :ivar clause: what it says of what is asked for, which stands in it as ``[X]``; see :mod:`kgqa_graphdb.parse.clause`
    :ivar again: it is one more verb of the topic: "not review" of "does X own but not review"
    """

    text: str
    comparisons: tuple[Comparison, ...] = ()
    value: str = ""
    op: ReductionName = "="
    each: ReductionName = ""
    negated: bool = False
    topic: bool = False
    unclear: bool = False
    within: ParsedQuestion | None = None
    mean_of: str = ""
    attributive: bool = False
    same: Same | None = None
    label: str = ""
    clause: str = ""
    again: bool = False


@dataclass(frozen=True, slots=True)
class Extreme:
    """The greatest or the least.

    :ivar measures: by what, in words, and which way; the first that the graph has
    :ivar most: so many of them are asked for
    :ivar each: what of several numbers counts, a reduction such as ``sum``; empty: each by itself
    :ivar bottom: the list is read from its end
    :ivar within: what is counted or summed up is narrowed down to these
    :ivar clause: as that of a condition
    """

    measures: tuple[tuple[Direction, str], ...]
    most: int = 1
    each: ReductionName = ""
    bottom: bool = False
    within: ParsedQuestion | None = None
    clause: str = ""


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question taken apart: what is wanted of which entities, and what holds of them.

    :ivar wants: what of the answers: ``answers`` themselves, or a reduction to one value, such as ``count`` or ``sum``
    :ivar measure: what is summed up, in words
    :ivar kind: what is asked for; ``None``: no noun tells
    :ivar noun: the word for it
    :ivar conditions: what holds of what is asked for; all of them do
    :ivar extreme: the greatest or the least of these is asked for
    :ivar unsure: it says something that is not understood
    :ivar per: words for what the answers are grouped by
    :ivar tests: what the number of a group is compared with
    :ivar clause: what is said of each that the answers are grouped by, which stands in it as ``[X]``
    """

    wants: ReductionName = "answers"
    measure: str = ""
    kind: Kind | None = None
    noun: str = ""
    conditions: tuple[Condition, ...] = ()
    extreme: Extreme | None = None
    unsure: bool = False
    per: str = ""
    tests: tuple[Comparison, ...] = ()
    clause: str = ""

    @property
    def compares(self) -> bool:
        """Whether anything is done with what a path leads to."""
        conditions = any(
            one.comparisons or one.negated or one.value or one.same or one.label for one in self.conditions
        )
        return self.wants != "answers" or self.extreme is not None or conditions or bool(self.per)

    @property
    def reduces(self) -> bool:
        """Whether entities of a kind are counted, summed up, ranked or grouped: what is left out changes that."""
        reduced = self.wants not in ("answers", "exists") or self.extreme is not None or bool(self.per)
        return reduced and self.kind is not None

    @property
    def narrowed(self) -> tuple[ParsedQuestion, ...]:
        """What measures are narrowed down to."""
        some = (*(one.within for one in self.conditions), self.extreme.within if self.extreme else None)
        return tuple(one for one in some if one is not None)

    def to_json(self) -> str:
        """The question on one line, with the version of this form; what has its default is left out."""
        return json.dumps({"version": PARSED_VERSION, **_plain(self)}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, mapping: GraphMapping) -> ParsedQuestion:
        """What :meth:`to_json` wrote.

        :param mapping: of the graph that the question is asked; it has the relations that kinds are named by
        :raises ConfigError: the text is of another version, or is no parsed question
        :raises UnknownRelationError: a relation is not in the graph
        """
        try:
            written = parse_json(text)
        except ValueError as error:
            raise ConfigError(f"parsed question: {text!r:.200} is not valid JSON: {error}") from error
        if not isinstance(written, dict) or "version" not in written:
            raise ConfigError("parsed question: 'version' is missing; write it with ParsedQuestion.to_json")
        if (version := written.pop("version")) != PARSED_VERSION:
            raise ConfigError(f"parsed question: version {version!r} is not {PARSED_VERSION}; parse the question anew")
        try:
            parsed: ParsedQuestion = _FromPlain(mapping).read(cls, written, "parsed question")
        except RecursionError as error:
            raise ConfigError("parsed question: it is nested too deep; parse the question anew") from error
        return parsed


def _plain(value: object) -> Any:
    """A value as JSON has it: a step by its code, a day and a bound as what they are, a class by its fields."""
    match value:
        case Step():
            return value.code
        case Bound():
            return {"bound": value.name.lower()}
        case date():
            return {"date": value.isoformat()}
        case tuple():
            return [_plain(one) for one in value]
    if not is_dataclass(value):
        return value
    pairs = [(one, getattr(value, one.name)) for one in fields(value)]
    return {one.name: _plain(own) for one, own in pairs if one.default is MISSING or own != one.default}


@dataclass(frozen=True, slots=True)
class _FromPlain:
    """Reads what :func:`_plain` gave.

    :ivar mapping: has the relations of steps
    """

    mapping: GraphMapping

    def read(self, hint: Any, plain: Any, where: str) -> Any:
        """The value of a type.

        :param where: what is read, for errors
        :raises ConfigError: it is none of that type
        :raises UnknownRelationError: a step's relation is not in the graph
        """
        origin, kinds = get_origin(hint), get_args(hint)
        if hint == ReductionName:
            return self._choice(("", "answers", *REDUCTIONS), plain, where)
        if origin is Literal:
            return self._choice(kinds, plain, where)
        if origin is UnionType:
            return self._one_of(kinds, plain, where)
        if origin is tuple:
            return self._tuple(kinds, plain, where)
        if hint is Step and isinstance(plain, str):
            return self.mapping.step(plain)
        if hint is Bound or hint is date:
            return self._named(hint, plain, where)
        if isinstance(hint, type) and is_dataclass(hint) and isinstance(plain, dict):
            return self._fields(hint, plain, where)
        if type(plain) is not hint:
            raise ConfigError(f"{where}: {plain!r} is no {hint.__name__}")
        return plain

    def _choice(self, choices: Sequence[str], plain: Any, where: str) -> Any:
        if plain not in choices:
            known = ", ".join(filter(None, choices))
            raise ConfigError(f"{where}: {plain!r} must be one of {known}{nearest(str(plain), choices)}")
        return plain

    def _one_of(self, kinds: Sequence[Any], plain: Any, where: str) -> Any:
        """A value of one of several types; of a class or ``None`` what is not ``None`` is of the class."""
        if NoneType in kinds:
            return None if plain is None else self.read(kinds[0], plain, where)
        for kind in kinds:
            if type(plain) is kind or (isinstance(plain, dict) and kind.__name__.lower() in plain):
                return self.read(kind, plain, where)
        raise ConfigError(f"{where}: {plain!r} is none of {', '.join(kind.__name__.lower() for kind in kinds)}")

    def _tuple(self, kinds: Sequence[Any], plain: Any, where: str) -> tuple[Any, ...]:
        if not isinstance(plain, list):
            raise ConfigError(f"{where}: {plain!r} is no list")
        each = [kinds[0]] * len(plain) if kinds[-1] is Ellipsis else list(kinds)
        if len(each) != len(plain):
            raise ConfigError(f"{where}: {plain!r} must have {len(each)} items")
        return tuple(
            self.read(kind, one, f"{where}[{at}]") for at, (kind, one) in enumerate(zip(each, plain, strict=True))
        )

    def _named(self, hint: type[Bound] | type[date], plain: Any, where: str) -> Bound | date:
        """A bound or a day, under its name."""
        text = plain.get(hint.__name__.lower()) if isinstance(plain, dict) else None
        try:
            return Bound[str(text).upper()] if hint is Bound else date.fromisoformat(str(text))
        except (KeyError, ValueError) as error:
            raise ConfigError(f"{where}: {plain!r} is no {hint.__name__.lower()}") from error

    def _fields(self, hint: type[Any], plain: Mapping[str, Any], where: str) -> Any:
        hints = get_type_hints(hint, include_extras=True)
        for name in plain:
            if name not in hints:
                raise ConfigError(f"{where}: there is no {name!r}{nearest(name, hints)}")
        lacking = [one.name for one in fields(hint) if one.default is MISSING and one.name not in plain]
        if lacking:
            raise ConfigError(f"{where}: {lacking[0]!r} is missing")
        return hint(**{name: self.read(hints[name], own, f"{where}.{name}") for name, own in plain.items()})
