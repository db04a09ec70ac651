"""The same questions as people would type them in a hurry: without brackets, in lower case, with typos, wrapped.

What is changed never changes the answer, so gold answers stay. The wording is ours and general: it knows no graph.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from kgqa_graphdb.questions.pair import Pair

_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_LONG_WORD = re.compile(r"[^\W\d_]{5,}")
_NEAR = """
    q wa w qes e wrd r etf t ryg y tuh u yij i uok o ipl p ol a qsz s adwx d sfec f dgrv g fhtb h gjyn j hkum k jlim
    l kop z asx x zcsd c xvdf v cbfg b vngh n bmhj m njk
""".split()
_KEYS = dict(zip(_NEAR[::2], _NEAR[1::2], strict=True))
"""Letters next to each on a keyboard."""
_WRAPPINGS = (
    "could you tell me {}", "please tell me {}", "I would like to know {}", "do you know {}", "quick question: {}",
    "hi, {} thanks", "{} please",
)  # fmt: skip


def _unmarked(text: str, dice: random.Random) -> str:
    plain: str = _BRACKETS.sub(r"\1", text)
    return plain


def _lower(text: str, dice: random.Random) -> str:
    return _unmarked(text, dice).lower()


def _bare(text: str, dice: random.Random) -> str:
    return re.sub(r"[?!.,;]+(?=\s|$)", "", _unmarked(text, dice))


def _wrapped(text: str, dice: random.Random) -> str:
    return dice.choice(_WRAPPINGS).format(_unmarked(text, dice))


def _topic_typo(text: str, dice: random.Random) -> str:
    """A typo in a topic; in any word where none is marked."""
    spans = [match.span(1) for match in _BRACKETS.finditer(text)] or [(0, len(text))]
    return _unmarked(_mistyped(text, spans, dice), dice)


def _word_typo(text: str, dice: random.Random) -> str:
    """A typo in a word outside the topics; none where none is marked, as it might be a name."""
    spans: list[tuple[int, int]] = []
    at = 0
    for match in _BRACKETS.finditer(text):
        spans.append((at, match.start()))
        at = match.end()
    return _unmarked(_mistyped(text, [*spans, (at, len(text))] if at else [], dice), dice)


def _mistyped(text: str, spans: Iterable[tuple[int, int]], dice: random.Random) -> str:
    """One letter of a long word left out, doubled, exchanged for the next, or for one next to it on the keyboard."""
    places = [(match.start(), match.end()) for start, end in spans for match in _LONG_WORD.finditer(text, start, end)]
    if not places:
        return text
    start, end = dice.choice(places)
    at = dice.randrange(start + 1, end - 1)  # people seldom mistype the first letter
    letter, following = text[at], text[at + 1]
    ways: list[str] = [text[:at] + some + text[at + 1 :] for some in ("", letter * 2, *_KEYS.get(letter.lower(), ""))]
    if letter != following:
        ways.append(text[:at] + following + letter + text[at + 2 :])
    return dice.choice(ways)


PERTURBATIONS: Mapping[str, Callable[[str, random.Random], str]] = MappingProxyType({
    "unmarked": _unmarked, "lower case": _lower, "no punctuation": _bare, "wrapped": _wrapped,
    "typo in topic": _topic_typo, "typo elsewhere": _word_typo,
})  # fmt: skip
"""Name → what changes a question."""


def perturbed(pairs: Iterable[Pair], seed: int = 0) -> Iterator[Pair]:
    """Each question as it is and in all variants that differ from it; their kind takes the place of their type.

    :param seed: of what is drawn; a question's variants depend on it and on the question alone
    """
    for pair in pairs:
        yield replace(pair, type="as asked")
        for kind, change in PERTURBATIONS.items():
            text = change(pair.question, random.Random(f"{seed} {kind} {pair.question}"))
            if text != pair.question:
                yield replace(pair, id=f"{pair.id} {kind}", question=text, type=kind)
