"""Lemmas of words, by a dictionary of many languages (simplemma), which is read when a word is first asked for.

Reading it takes some 0.2 s, once a process.
"""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=65_536)
def lemma_of(word: str, code: str) -> str:
    """The form of a word that stands in a dictionary: "flew" → "fly"; an unknown word may stay as it is.

    :param code: of the language: "en", "de"
    """
    import simplemma

    return str(simplemma.lemmatize(word, lang=code))


@lru_cache(maxsize=65_536)
def is_known(word: str, code: str) -> bool:
    """Whether a word is in the dictionary."""
    import simplemma

    return bool(simplemma.is_known(word, lang=code))
