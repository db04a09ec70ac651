"""The words in names that databases give to labels, relationship types and properties; of no language."""

from __future__ import annotations

import re

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def words_of(name: str) -> str:
    """A name as words: ``directed_by`` → "directed by", ``DIRECTED_BY`` and ``directedBy`` alike.

    Of a Freebase path or an IRI the last part counts: ``people.person.place_of_birth``,
    ``/people/person/place_of_birth`` and ``__people__person__place_of_birth`` → "place of birth".
    """
    return _CAMEL.sub(" ", re.sub(r"[_\-:\s]+", " ", levels(name)[-1])).strip().lower() or name


def scope_of(name: str) -> str:
    """The words before the last part of a name that has several: ``people.person.place_of_birth`` → "people person"."""
    *before, _ = levels(name)
    return " ".join(dict.fromkeys(word for part in before for word in words_of(part).split()))


def levels(name: str) -> list[str]:
    """The parts of a Freebase path, with dots, slashes or underscores for them, or of what comes last in an IRI."""
    local, apart = re.split(r"[/#]", name.rstrip("/#"))[-1], r"\."
    if name.startswith("/"):
        local, apart = name, r"[/#.]+"
    elif local.startswith("__"):  # but "billing__address" is no address of any kind
        apart = r"__+"
    return [part for part in re.split(apart, local) if part.strip("_")] or [local or name]
