"""English words that relate two things: verbs in any form, the nouns made of them, and which of them say the same."""

from __future__ import annotations

from functools import lru_cache

from kgqa_graphdb.language import english_words as closed
from kgqa_graphdb.language.english import UNCHANGED, base_form, is_verb, singular_of
from kgqa_graphdb.language.lemmas import lemma_of
from kgqa_graphdb.language.roles import AGENT, OTHERS, Place, Role

_NOT_VERBS = closed.GRAMMAR_WORDS | closed.AUXILIARIES | closed.SHARING
_PERSONS = frozenset(
    "author boss captain coach father guide host judge mentor mother nurse parent pilot sponsor tutor".split()
)
"""Nouns for who does what the verb of the same form says; else such a noun is another word: "a track", "a part"."""
_NOUNS: dict[str, tuple[str, Place]] = {
    "successor": ("succeed", "agent"), "predecessor": ("precede", "agent"), "descendant": ("descend", "agent"),
    "dependent": ("depend", "agent"), "dependant": ("depend", "agent"), "dependency": ("depend", "patient"),
    "mentee": ("mentor", "patient"), "attendee": ("attend", "agent"), "citation": ("cite", "patient"),
    "acquisition": ("acquire", "patient"), "holding": ("hold", "patient"), "possession": ("own", "patient"),
}  # fmt: skip
"""Nouns made of verbs that no rule finds, and the place of what they name."""

TWO_WAYS = frozenset(("star",))
"""Verbs whose subject may be either end, so that they tell no direction: an actor stars in a film that stars them."""
SYMMETRIC = frozenset(
    """marry border neighbor neighbour adjoin collaborate relate a|spouse a|sibling a|friend a|colleague a|coworker
    a|cousin a|neighbor a|neighbour a|twin a|peer a|partner a|classmate a|roommate a|teammate a|synonym a|antonym
    a|adjacent a|border a|similar a|equivalent a|identical""".replace("|", "_").split()
)
RECIPROCAL = frozenset("meet encounter date face rival ally partner merge trade".split())
"""Verbs that mostly hold both ways, though a relation's name alone does not tell so."""
_SAME: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (frozenset(one.split()), frozenset(other.split()))
    for one, other in (
        ("parent father mother a_dad a_daddy a_mom a_mum", "a_child a_son a_daughter a_kid a_offspring"),
        ("a_ancestor a_forefather", "descend"),
        ("manage supervise boss a_superior", "report a_report a_subordinate"),
        ("teach tutor instruct", "a_student a_pupil"),
        ("precede", "succeed"),
        ("defeat beat", "lose"),
        ("own", "belong a_subsidiary"),
        ("parent", "a_subsidiary"),
        ("contain comprise include", "a_part a_component"),
        ("a_spouse marry a_husband a_wife", ""),
        ("a_sibling a_brother a_sister", ""),
        ("border a_neighbor a_neighbour neighbor neighbour adjoin", ""),
    )
)
"""Words that say the same, and those that say it from the other end."""
_UP, _DOWN = "parent", "a_child"
_KIN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys("grandparent grandmother grandfather grandma grandpa grandmom granddad".split(), (_UP, _UP)),
    **dict.fromkeys("grandchild grandson granddaughter grandkid".split(), (_DOWN, _DOWN)),
    **dict.fromkeys("sibling brother sister".split(), (_UP, _DOWN)),
    **dict.fromkeys("uncle aunt".split(), (_UP, _UP, _DOWN)),
    **dict.fromkeys("nephew niece".split(), (_UP, _DOWN, _DOWN)),
    **dict.fromkeys(
        "cousin colleague coworker teammate classmate roommate stepmother stepfather stepchild marry spouse husband "
        "wife".split(),
        (),
    ),
}
"""Nouns for relatives and the like, each with the words of the steps that lead there; without: no such steps do.

Each means another than all others, however near they are in meaning.
"""


@lru_cache(maxsize=65_536)
def verb_of(word: str) -> str:
    """The base form of a verb in any form: "manages", "managed", "managing", "manage"; empty: it is no verb."""
    if word in _NOT_VERBS or not word.replace("-", "").isalpha():
        return ""
    if base := base_form(word):
        return base
    if word.endswith("ing"):
        base = lemma_of(word, "en")
        known = base != word or base in closed.VERBS | closed.ONLY_VERBS  # "sing", but not "king"
        return base if known and is_verb(base) else ""
    if word.endswith("s") and not word.endswith("ss"):
        forms = (word[:-1], word[:-2] if word.endswith("es") else "", f"{word[:-3]}y" if word.endswith("ies") else "")
        return next((form for form in forms if form and is_verb(form)), "")
    return word if is_verb(word) else ""


def is_participle(word: str) -> bool:
    """Whether a word is a past form, which may be passive: "managed", "written"."""
    return bool(base_form(word)) and not word.endswith("s")


def may_be_participle(word: str) -> bool:
    """The same, or whether it is a base form that is one, too: "hit by X"."""
    return is_participle(word) or word in UNCHANGED


@lru_cache(maxsize=65_536)
def deed_of(noun: str) -> tuple[str, Place]:
    """What a noun's word is in a :class:`Role`, and the place of what it names: "managers" → "manage", the agent."""
    noun = singular_of(noun)
    if noun in _NOUNS:
        return _NOUNS[noun]
    if noun in _PERSONS:
        return noun, "agent"
    if noun.endswith("ee") and (verb := _verb_in(noun[:-2])):  # "employee"
        return verb, "patient"
    if noun.endswith(("er", "or")) and (verb := _verb_in(noun[:-2])):
        return verb, "agent"
    return f"a_{noun}", "agent"


def _verb_in(stem: str) -> str:
    """The verb of which a noun was made by an ending: "manag" → "manage", "winn" → "win", "suppli" → "supply"."""
    forms = [f"{stem}e", stem]
    if len(stem) > 3 and stem[-1] == stem[-2]:
        forms.append(stem[:-1])
    if stem.endswith("i"):
        forms.append(f"{stem[:-1]}y")
    return next((form for form in forms if len(form) > 1 and is_verb(form)), "")


def related(role: Role) -> tuple[Role, ...]:
    """The same in other words: whoever manages somebody is reported to by them."""
    found: list[Role] = []
    for same, other in (pair for one, back in _SAME for pair in ((one, back), (back, one))):
        if role.word in same:
            found += [Role(word, role.place, unsure=True) for word in sorted(same) if word != role.word]
            # Those who are reported to manage; nobody is managed by being reported to.
            places = OTHERS["agent"] if role.place == "agent" else AGENT
            found += [Role(word, place, unsure=True) for word in sorted(other) for place in sorted(places)]
    return tuple(found)


def kin(role: Role) -> tuple[Role, ...] | None:
    """The roles that say what a noun for a relative does, a step each; empty: none do; ``None``: it is no such noun."""
    steps = _KIN.get(role.word.removeprefix("a_"))
    if steps is None:
        return None
    if role.place != "agent":
        return tuple(Role(word, "patient") for word in steps)
    return tuple(Role(word, "agent") for word in reversed(steps))
