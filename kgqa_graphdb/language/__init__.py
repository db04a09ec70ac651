"""Languages: one object has all that methods know of one, and a mapping says which its graph is in.

A new language is a :class:`Language` that is registered with :func:`register`; no method changes.
"""

from __future__ import annotations

from kgqa_graphdb.errors import ConfigError, nearest
from kgqa_graphdb.language.english_language import ENGLISH
from kgqa_graphdb.language.language import Language, PathPatterns

__all__ = ["ENGLISH", "Language", "PathPatterns", "language_of", "register"]

_LANGUAGES: dict[str, Language] = {ENGLISH.code: ENGLISH}


def register(language: Language) -> None:
    """Make a language known, so that mapping files can name it.

    :raises ConfigError: another has its code
    """
    if _LANGUAGES.setdefault(language.code, language) != language:
        raise ConfigError(f"language {language.code!r} is there already; give the new one another code")


def language_of(code: str, where: str = "language") -> Language:
    """The language of a code.

    :param where: the file and key that name it, for the message
    :raises ConfigError: there is none; the message names the nearest
    """
    if code not in _LANGUAGES:
        known = ", ".join(sorted(_LANGUAGES))
        raise ConfigError(f"{where}: no language {code!r} is known{nearest(code, _LANGUAGES)}; choose from: {known}")
    return _LANGUAGES[code]
