"""Words for relations, guessed from their names."""

from __future__ import annotations

import re

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def words_of(name: str) -> str:
    """A relation's name as words: ``directed_by`` → "directed by", ``DIRECTED_BY`` and ``directedBy`` alike.

    Of a Freebase path or an IRI the last part counts: ``people.person.place_of_birth`` → "place of birth".
    """
    local = re.split(r"[/#]", name.rstrip("/#"))[-1] or name
    local = local.rsplit(".", 1)[-1] or local
    spaced = _CAMEL.sub(" ", re.sub(r"[_\-:\s]+", " ", local)).strip().lower()
    return spaced or name


def guessed_inverse(phrase: str) -> str:
    """Words for a relation walked from tail to head, when nobody wrote any."""
    return f"{phrase} of"


def guessed_template(phrase: str) -> str:
    """A sentence of one fact, when nobody wrote any."""
    return f"{{head}} — {phrase}: {{tail}}."
