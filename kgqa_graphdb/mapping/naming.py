"""Which properties hold a node's name: one rule for graphs that are mapped and for those that are loaded.

Keys are compared without case and without what joins their words: ``Full Name``, ``full_name`` and ``fullName`` alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kgqa_graphdb.language.names import words_of

MOSTLY_DIFFERENT = 0.9
"""A property such as ``companyName`` is a name when so many of its values differ; ``shipName`` of orders is none."""
HALF_DIFFERENT = 0.5
"""The same of a property that is called like a name: titles of films recur, those of posts hardly differ."""

_FIRST = ("firstname", "givenname", "forename", "fname")
_LAST = ("lastname", "surname", "familyname", "lname")
_WHOLE = ("fullname", "displayname", "completename", "preferredname", "nameen", "labelen", "preflabel")
_TITLES = ("title", "label", "caption", "headline", "heading", "subject", "titleen")
_OF_ITSELF = (
    "company business organisation organization firm institution legal trade trading brand product item file host user "
    "screen place site common scientific official canonical english"
).split()
"""Where one node is all that is seen: ``companyName`` of a supplier is its name, ``shipName`` of an order is not."""

_CODES = tuple(
    "registration registrationnumber registrationno regno numberplate licenseplate licenceplate platenumber plate vin "
    "serialnumber serial address fulladdress postaladdress postcode postalcode zipcode zip reference ref isbn iata "
    "icao login email url".split()
)
"""What people call things by that have no name: cars, houses, districts; the likeliest first."""
OWN_NUMBERS = ("number", "no", "nr", "code")
"""What ends the key of a thing's own number: ``flightNumber`` of a flight."""
_LEAST_NUMBER = 3
"""Characters of such a number from which on it is taken for one node's own; that of a line or a page has fewer."""
_OPAQUE = 16
"""Characters from which on an id without a space is nothing that a person would type."""


@dataclass(frozen=True, slots=True)
class NameProperty:
    """A property that may hold names, as one node has it or as a sample of many shows it.

    :ivar spaced: it holds several words; of a sample: mostly
    :ivar different: share of its values that differ, 0..1; ``None``: one node is all that is seen
    :ivar present: how many nodes have it
    """

    key: str
    spaced: bool = True
    different: float | None = None
    present: int = 1


@dataclass(frozen=True, slots=True)
class Naming:
    """What names a node.

    :ivar names: properties whose values make up the name, joined by a space; empty: none does
    :ivar aliases: properties of these that people use alone, such as a surname
    """

    names: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


@lru_cache(maxsize=65_536)
def flat(name: str) -> str:
    """A name without case and what joins its words: ``first_name`` and ``firstName`` alike."""
    return re.sub(r"[\W_]+", "", name).lower()


@lru_cache(maxsize=65_536)
def own_words(label: str) -> tuple[str, ...]:
    """What a label's nodes are in their own keys: of ``SalesOrder`` "salesorder" and, by its head noun, "order"."""
    words = words_of(label).split()
    return tuple(dict.fromkeys((flat(label), *(flat("".join(words[start:])) for start in range(1, len(words))))))


def choose_naming(labels: tuple[str, ...], properties: tuple[NameProperty, ...]) -> Naming:
    """What names the nodes of some labels.

    :param properties: those that hold texts
    """
    own = tuple(map(flat, labels))
    by_word: dict[str, NameProperty] = {}
    for one in properties:
        by_word.setdefault(flat(one.key), one)

    def first_of(words: Iterable[str]) -> NameProperty | None:
        return next((by_word[word] for word in words if word in by_word), None)

    def people(words: Sequence[str]) -> Iterator[str]:
        yield from words
        yield from (label + word for label in own for word in words)

    first, last = first_of(people(_FIRST)), first_of(people(_LAST))
    if not (first and last) and {"first", "last"} <= by_word.keys():
        first, last = by_word["first"], by_word["last"]
    name, whole = by_word.get("name"), first_of((*_WHOLE, *(label + "name" for label in own)))
    if name is not None:
        return _with_name(name, whole, first, last)
    if whole is not None:
        return Naming((whole.key,))
    if first and last:
        return Naming((first.key, last.key), (last.key,))
    titles = ("title", *(label + "title" for label in own))
    title = first_of((*titles, *_TITLES[1:]))
    person = next((one for one in (last, first) if one and _is_telling(one)), None)
    if title and (last or first) and flat(title.key) in titles:
        title = person  # "Mr" or "Sales Manager" is a person's, no work's
    if title is not None and _is_telling(title):
        return Naming((title.key,))
    other = _other_name(own, by_word) or person
    return Naming((other.key,)) if other else Naming()


def _is_telling(called: NameProperty) -> bool:
    """Whether a property that is called like a name tells nodes apart."""
    return called.different is None or called.different >= HALF_DIFFERENT


def _with_name(
    name: NameProperty, whole: NameProperty | None, first: NameProperty | None, last: NameProperty | None
) -> Naming:
    """What names nodes that have a ``name``: of people it may be the first name, or the surname."""
    if name.spaced or not (whole or first or last):
        return Naming((name.key,))
    if whole is not None and whole.spaced:
        return Naming((whole.key,))
    if first and last:
        return Naming((first.key, last.key), (last.key, name.key))
    if last:
        return Naming((name.key, last.key), (last.key,))
    return Naming((first.key, name.key), (name.key,)) if first else Naming((name.key,))


def _other_name(own: Sequence[str], by_word: Mapping[str, NameProperty]) -> NameProperty | None:
    """A property called ``…Name`` that is the node's own name."""
    ending = {word: one for word, one in by_word.items() if word.endswith("name")}
    sampled = {
        word: one for word, one in ending.items() if one.different is not None and one.different >= MOSTLY_DIFFERENT
    }
    if sampled:  # a company is called by its own name, not by that of its contact
        best = max(sampled, key=lambda word: (word.removesuffix("name") in _OF_ITSELF, sampled[word].present))
        return sampled[best]
    seen = [one for word, one in ending.items() if one.different is None and _is_of_itself(word, own, by_word)]
    return seen[0] if len(seen) == 1 else None


def _is_of_itself(word: str, own: Sequence[str], by_word: Mapping[str, NameProperty]) -> bool:
    """Whether ``…name`` is a node's own; where it has the key of such a thing, too, it refers to another."""
    noun = word.removesuffix("name")
    return word in (*_FIRST, *_LAST) or (noun in _OF_ITSELF and (noun in own or f"{noun}id" not in by_word))


def code_keys(labels: Sequence[str], keys: Iterable[str]) -> tuple[str, ...]:
    """Of some properties those that hold a code or an address by which people call things, likeliest first."""
    by_word = {flat(key): key for key in keys}
    own = tuple(map(flat, labels))
    words = (spelled for word in _CODES for spelled in (word, *(label + word for label in own)))
    return tuple(dict.fromkeys(by_word[word] for word in words if word in by_word))


# ── one node ─────────────────────────────────────────────────────────────────────────────────────────────────────────

_MAY_BE_NUMBERS = frozenset({"name", "title"})
"""A film is called 1984."""
_WORDS_COUNT = frozenset({"name", *_WHOLE})
"""Where it matters whether a name is of several words."""


def name_keys(labels: Sequence[str], properties: Mapping[str, object]) -> tuple[str, ...]:
    """The properties that make up the name of one node; none where it has no name."""
    return _naming_of(labels, properties).names


def _naming_of(labels: Sequence[str], properties: Mapping[str, object]) -> Naming:
    keys = tuple(key for key, value in properties.items() if _may_name(key, value))
    single = tuple(key for key in keys if flat(key) in _WORDS_COUNT and " " not in str(properties[key]).strip())
    return _names_among(tuple(labels), keys, single)


@lru_cache(maxsize=65_536)
def _names_among(labels: tuple[str, ...], keys: tuple[str, ...], single: tuple[str, ...]) -> Naming:
    """What names a node, of the properties that may.

    :param single: those whose text is one word
    """
    return choose_naming(labels, tuple(NameProperty(key, spaced=key not in single) for key in keys))


def name_of(labels: Sequence[str], properties: Mapping[str, object]) -> str:
    """The name of one node; empty where it has none."""
    return " ".join(str(properties[key]).strip() for key in name_keys(labels, properties))


def aliases_of(labels: Sequence[str], properties: Mapping[str, object]) -> tuple[str, ...]:
    """What people call one node beside its name: a surname alone."""
    return tuple(str(properties[key]).strip() for key in _naming_of(labels, properties).aliases)


def code_of(labels: Sequence[str], properties: Mapping[str, object]) -> str:
    """A code by which people call a node that has no name; empty where there is none."""
    texts = {key: value.strip() for key, value in properties.items() if isinstance(value, str) and value.strip()}
    own = {word + number for label in labels for word in own_words(label) for number in OWN_NUMBERS}
    numbers = (key for key, text in texts.items() if flat(key) in own and len(text) >= _LEAST_NUMBER)
    return next((texts[key] for key in (*code_keys(labels, texts), *numbers)), "")


def is_opaque_id(entity_id: str) -> bool:
    """Whether an id is nothing that people call a node by: a number, or long."""
    return not re.search(r"[^\W\d_]{2}", entity_id) or (len(entity_id) >= _OPAQUE and " " not in entity_id)


def _may_name(key: str, value: object) -> bool:
    if isinstance(value, str):
        return bool(value.strip())
    return isinstance(value, int) and not isinstance(value, bool) and flat(key) in _MAY_BE_NUMBERS
