"""Languages: one object has all that methods know of one, and a mapping says which its graph is in.

A new language is a :class:`Language` that is registered with :func:`register`; no method changes.
"""

from __future__ import annotations

from kgqa_graphdb.errors import ConfigError, nearest
from kgqa_graphdb.language.chinese import CHINESE
from kgqa_graphdb.language.english_language import ENGLISH
from kgqa_graphdb.language.language import Language, PathPatterns
from kgqa_graphdb.language.wording import Wording, fill

__all__ = [
    "CHINESE",
    "ENGLISH",
    "Language",
    "PathPatterns",
    "Wording",
    "fill",
    "language_of",
    "language_of_text",
    "register",
]

_LANGUAGES: dict[str, Language] = {ENGLISH.code: ENGLISH, CHINESE.code: CHINESE}


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


def language_of_text(text: str, usual: Language) -> Language:
    """The language that a text is in, as far as its script tells.

    :param usual: where the script does not tell
    """
    return next((one for one in _LANGUAGES.values() if one is not usual and one.is_written(text)), usual)
