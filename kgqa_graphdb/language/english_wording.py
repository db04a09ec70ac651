"""English noun phrases for relation paths: "the directors of the films starring Joe"."""

from __future__ import annotations

from kgqa_graphdb.language import english_words as closed
from kgqa_graphdb.language.english import (
    base_form,
    is_past,
    is_regular,
    past_form,
    plural_of,
    singular_of,
    third_person,
    verb_of,
    words_of,
)
from kgqa_graphdb.language.english_relations import be_before, begins_clause, is_moment, is_verbal, with_article
from kgqa_graphdb.language.english_words import NAME_AUXILIARIES, PREPOSITIONS
from kgqa_graphdb.language.wording import StatementWords, Wording, spoken
from kgqa_graphdb.types import Path, Step

_SAID_OF = ("with", "that")
_DID = frozenset("won received earned held played wrote took gave".split())
"""Past forms with which the name of a relation may begin whose last word is a noun: "won award"."""
_PARTICIPLES = {"wrote": "written", "took": "taken", "gave": "given"}
_AFTER_ADJECTIVES = frozenset(("to", "near", "from", "with", "within"))
"""What stands after such words as "similar" and "next", which name nobody."""
_ENDINGS = PREPOSITIONS | {"as", "during", "starring"}


def path_words(topic: str, path: Path, many: bool, wording: Wording) -> str:
    """What a path leads to: "the director of the films starring Joe Thomas".

    :param many: it leads to several: "the directors of …"
    """
    text, steps = topic, spoken(path)
    for place, step in enumerate(steps, start=1):
        last = place == len(steps)
        if step.relation.kind == "property" and is_moment(step.phrase):
            text = f"when {text} was {step.phrase}"
        elif _is_clause(step):
            start = f"{text}, and what that" if text.startswith("what ") else f"what {text}"
            text = f"{start} {_be(_said(step.phrase))}{with_article(_said(step.phrase))}"
        else:
            text = f"{_leading(step, many=many and last)} {text}"
    return text


def _said(phrase: str) -> str:
    """A phrase as it is said: what is kept apart from its way back as "is cares for" is "cares for"."""
    rest = phrase.removeprefix("is ")
    return rest if third_person(rest.split()) else phrase


def _be(phrase: str) -> str:
    return "is " if _is_progressive(phrase) else be_before(phrase)


def _is_progressive(phrase: str) -> bool:
    """Whether a phrase says what something is doing: "working at"."""
    words = phrase.lower().split()
    return len(words) > 1 and words[-1] in PREPOSITIONS and words[0].endswith("ing") and words[0] != "starring"


def _is_verb(phrase: str) -> bool:
    """Whether a phrase is but the third person of a verb: "endorses"."""
    return " " not in phrase and bool(verb_of(phrase.lower()))


def step_noun(step: Step, many: bool) -> str:
    """A step's phrase as a noun: "director", "movies acted in", where its other end has a label."""
    if step.relation.kind != "edge":
        return _plural(step.phrase) if many else step.phrase
    labels = step.relation.heads if step.inverse else step.relation.tails
    first = step.phrase.split()[0].lower()
    if not (is_verbal(step.phrase) or _is_verb(step.phrase) or first in PREPOSITIONS or first in _SAID_OF):
        return _plural(step.phrase) if many else step.phrase
    if step.inverse and len(step.phrase.split()) == 2 and first.endswith(closed.AGENT_ENDINGS) and not is_past(first):
        return _several(first) if many else first  # "worker on": the noun is said already
    noun = words_of(labels[0]) if len(labels) == 1 else "thing"
    noun = plural_of(noun) if many else noun
    if _said(step.relation.phrase) != step.relation.phrase:  # "cares for"
        return f"{noun} that {'' if step.inverse else 'it '}{_said(step.phrase)}"
    if first in NAME_AUXILIARIES:  # "is part of": "whole" is not known, so what stands there is said of it
        return f"{noun} that it {with_article(step.phrase)}"
    base = verb_of(first) if first == step.phrase.lower() else ""
    if base and not step.inverse:  # "manages": "things managed"
        return f"{noun} {past_form(base)}" if is_regular(base) else f"{noun} that it {step.phrase}"
    return f"{noun} {step.phrase}"


def _leading(step: Step, *, many: bool) -> str:
    """A step that is no clause, before what it starts from: "the spacecraft that visited", "the directors of".

    What a phrase such as "that reports to" is about is its heads' label, if they have one; else it is about "those".
    """
    phrase = _about_heads(step.phrase) if step.inverse else ""
    if step.inverse and _said(step.relation.phrase) == step.phrase != step.relation.phrase:
        phrase = f"that {step.phrase}"
    if not phrase:
        return f"the {_before(step, many=many)}"
    words = phrase.split()
    (label,) = step.relation.heads if len(step.relation.heads) == 1 else ("",)
    if words[0] in _SAID_OF and (many or not label) and len(words) > 1:
        words[1] = (
            "are" if words[1] == "is" else verb_of(words[1]) or third_person(words[1:]) or words[1]
        )  # "those that work at"
    noun = words_of(label) if label else ""
    about = f"the {plural_of(noun) if many else noun}" if noun else "those"
    return f"{about} {' '.join(words)}"


def _about_heads(phrase: str) -> str:
    """What a way back says of the heads, such as "that reports to" and "born in"; empty where it names them.

    What was taken for a noun as its verb is no common one is mended: "with endorses".
    """
    words = phrase.split()
    first, last = words[0].lower(), words[-1].lower()
    if first == "with" and len(words) > 1 and (words[1] in _DID or (len(words) == 2 and _is_verb(words[1]))):
        return " ".join(("that", *words[1:]))
    if first in _SAID_OF or first in PREPOSITIONS:
        return phrase
    if len(words) != 2 or last not in PREPOSITIONS - {"of"}:
        return ""
    if _is_progressive(phrase):
        return f"that is {phrase}"
    done = is_past(first) or first in closed.IS_DONE | closed.WAS_DONE or bool(base_form(first))
    plain = last in _AFTER_ADJECTIVES and not first.endswith((*closed.AGENT_ENDINGS, "s"))
    return phrase if done or plain else ""


def _before(step: Step, *, many: bool) -> str:
    """A step's phrase before what it starts from: "spacecraft that visited", "director of", "managers of"."""
    first, *words = step.phrase.split() or [""]
    if not step.inverse and words and first.lower() in _DID and words[-1].lower() not in PREPOSITIONS:
        noun = " ".join(words)  # "won award"
        return f"{plural_of(noun) if many else noun} {_past_participle(first.lower())} by"
    last = words[-1].lower() if words else ""
    if step.inverse and many and len(words) == 1 and last in PREPOSITIONS:  # "manager of"
        return f"{_several(first)} {words[0]}"
    if step.inverse and "with" in words[:-1]:  # "ticket with project"
        place = words.index("with")
        noun = " ".join((first, *words[:place]))
        return f"{_several(noun) if many else noun} {' '.join(words[place:])}"
    if len(words) == 2 and words[0] == "in" and last in map(words_of, step.relation.heads):  # "product in order"
        return f"{_plural(first) if many else first} in {words[1]}"
    if (last or first.lower()) in _ENDINGS or "that" in [word.lower() for word in words[:-1]]:
        return step.phrase
    return f"{_plural(step.phrase) if many and not step.inverse else step.phrase} of"


def _several(noun: str) -> str:
    """A noun in the plural, unless it is one: "moons" and "spacecraft" stay."""
    return plural_of(noun) if noun.isascii() and singular_of(noun) == noun else noun


def _past_participle(past: str) -> str:
    return _PARTICIPLES.get(past, past)


def _plural(phrase: str) -> str:
    """The plural of a phrase that is a noun of a language with such plurals."""
    done = phrase.endswith("ed") and base_form(phrase.split()[-1])
    return plural_of(phrase) if phrase.isascii() and not (is_verbal(phrase) or done) else phrase


def _is_clause(step: Step) -> bool:
    """Whether a step's phrase goes on after its start, as in "what Tom Hanks acted in"."""
    if step.relation.kind != "edge" or step.inverse:
        return False
    clause = is_verbal(step.phrase) and begins_clause(step.phrase)
    return clause or _is_progressive(step.phrase) or _is_verb(step.phrase)


def _every(label: str) -> str:
    return f"the {plural_of(words_of(label))}"


def _without_article(phrase: str) -> str:
    return phrase.removeprefix("the ")


_GLUE = frozenset(
    """also both too as well together respectively namely while whereas there these those this that which who whom whose
    where when following follows one ones each all named called known titled according based graph fact facts answer
    answers include includes including has have had having do does did then they them their its it he she his her him
    so thus total number list of to be being been is are was were am the a an and or but with in on at by for from into
    than more most what yes s""".split()
)
_WORDS = StatementWords(
    glue=_GLUE,
    negations=closed.NEGATIONS | frozenset("nor cannot neither none nobody nothing hardly".split()),
    prepositions=PREPOSITIONS | {"as"},
    of=frozenset(("of", "for")),
    by=frozenset(("by",)),
    possessive=frozenset(("'s", "'")),
    be=frozenset("is are was were be been being".split()),
    have=frozenset("has have had having with".split()),
    joining=frozenset("and or & , both as well also".split()),
    numbers=closed.NUMBERS,
    moments=(
        "{day} {name} {year}", "{day} {short} {year}", "{name} {day}, {year}", "{short} {day}, {year}",
        "{name} {day} {year}", "{day}th {name} {year}", "{name} {day}th, {year}", "the {day} of {name} {year}",
    ),
    months=tuple(
        "January February March April May June July August September October November December".split()
    ),
)  # fmt: skip


def _tells_when(phrase: str) -> bool:
    """Whether a property's name is of a point in time: "born", "release year", "since"."""
    return is_moment(phrase) or bool({*phrase.lower().split()} & closed.TIME_WORDS)


ENGLISH_WORDING = Wording(
    tells_when=_tells_when,
    says_what_happened=is_moment,
    path=path_words,
    noun=step_noun,
    kind=_every,
    bare=_without_article,
    words=_WORDS,
)
