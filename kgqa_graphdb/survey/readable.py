"""Proposes which properties may be read, and gives reasons against the others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from kgqa_graphdb.language.names import words_of
from kgqa_graphdb.mapping import EntityKind
from kgqa_graphdb.survey.schema import LabelSurvey, Property, TypeSurvey

LONG = 200
"""Characters: a property whose texts are longer on average, or one of them ten times that, is no answer."""
_READABLE = re.compile(
    r"(LIST<)?(STRING|INTEGER|BOOLEAN)( NOT NULL)?>?|FLOAT|DATE|(ZONED|LOCAL) DATETIME"  # LIST<FLOAT> is a vector
)
_SECRET = frozenset(
    "password passwd passphrase pwd secret secrets token tokens credential credentials salt hash cvv cvc pin ssn iban "
    "apikey".split()
)
_SECRET_PAIRS = frozenset(
    ("api key", "private key", "access key", "secret key", "card number", "social security", "session id")
)
_VECTOR = frozenset("embedding embeddings vector vectors".split())


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A property that the proposal does not read.

    :ivar holder: label or relationship type
    """

    holder: str
    key: str
    why: str

    def __str__(self) -> str:
        return f"{self.holder}.{self.key}: {self.why}"


def why_not(prop: Property) -> str:
    """Why a property is not to be read, from its name and what it holds; empty when it may be."""
    words = words_of(prop.key).split()
    pairs = {" ".join(pair) for pair in pairwise(words)}
    if _SECRET & set(words) or _SECRET_PAIRS & pairs:
        return "its name says that it is secret"
    if _VECTOR & set(words) and any(name.startswith("LIST<") for name in prop.types):
        return "a vector"
    if prop.types == {"LIST<FLOAT>"}:
        return "numbers in a list: a vector"
    other = sorted(name for name in prop.types if not _READABLE.fullmatch(name))
    if other:
        return f"values of type {', '.join(other)} are not read"
    if prop.present and 2 * prop.unbroken > prop.present:
        return "encoded data"
    if prop.mean_size > LONG or prop.longest > 10 * LONG:
        return f"long texts, of {prop.mean_size:,.0f} characters on average"
    if prop.key.startswith("_"):
        return "its name begins with '_', as internal ones do"
    return ""


def why_not_of_label(prop: Property, label: LabelSurvey, kinds: Mapping[str, EntityKind]) -> str:
    """As :func:`why_not`; a foreign key that came with an import repeats its relationship."""
    for copy in label.copies:
        other = kinds.get(copy.label)
        if copy.key == prop.key and other is not None and copy.copied == other.key:
            return f"repeats the key of {copy.label}, which a relationship leads to"
    return why_not(prop)


def why_not_of_type(prop: Property, edge: TypeSurvey) -> str:
    """As :func:`why_not`; what an end has already is left out too."""
    return "repeats what one of its ends says" if prop.key in edge.repeats else why_not(prop)
