"""Where a question speaks of one entity twice: "directed and wrote the same film", "a film that they also wrote"."""

from __future__ import annotations

from collections.abc import Mapping

from kgqa_graphdb.language.english import base_form, is_act
from kgqa_graphdb.language.english_words import AMOUNTS, AUXILIARIES, FILLERS, HIGH, LOW, PLAIN_PREPOSITIONS, RELATIVE
from kgqa_graphdb.parse.lexicon import Kind
from kgqa_graphdb.parse.parsed import Same

_PRONOUNS = frozenset("they them he she him".split())
_SKIPPED = AUXILIARIES | FILLERS | PLAIN_PREPOSITIONS | RELATIVE | frozenset(("and", ",", "to", "whose"))
_AMOUNTS = HIGH | LOW | AMOUNTS | {"amount"}
_CHOICES = frozenset(("or", "either", "not", "without", "but"))


def same_entity(words: list[str], nouns: Mapping[str, Kind]) -> tuple[list[str], Same, list[str]] | None:
    """Words that are about one entity twice; ``None``: there are none, or they are not understood.

    :param words: what follows the noun for what is asked for
    :return: the words before, what is done to the entity, and the words after that
    """
    if "same" in words[:-1]:
        place = words.index("same")
        noun = words[place + 1]
        if noun not in nouns:
            return None
        start = max((at + 1 for at, word in enumerate(words[:place]) if word in RELATIVE), default=0)
        clause, after = words[start:place], words[place + 2 :]
        verbs = _verbs(clause, nouns)
        if verbs == ():  # "where the same person wrote and directed"
            verbs, after = _verbs(after, nouns), []
        before = words[: max(0, start - 1)]
    elif _PRONOUNS & {*words} and not _AMOUNTS & {*words}:
        place = next(at for at, word in enumerate(words) if word in _PRONOUNS)
        found = [word for word in words[:place] if word in nouns and nouns[word].by is None]
        noun = found[-1] if found else ""
        verbs = _verbs([word for word in words if word != noun and word not in _PRONOUNS], nouns)
        before, after = [], []
    else:
        return None
    return (before, Same(verbs, noun), after) if verbs and len(verbs) > 1 else None


def _verbs(words: list[str], nouns: Mapping[str, Kind]) -> tuple[str, ...] | None:
    """What is done, and who does it; ``None``: other words are there, too."""
    content = [word for word in words if word not in _SKIPPED]
    if _CHOICES & {*words} or not all(_is_deed(word, nouns) for word in content):
        return None
    return tuple(dict.fromkeys(content))


def _is_deed(word: str, nouns: Mapping[str, Kind]) -> bool:
    agent = nouns.get(word)
    return bool(base_form(word)) or is_act(word) or (agent is not None and agent.by is not None)
