"""Who does what to whom: the places that a word such as "manage" has, and which of them a text gives its topic."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Place: TypeAlias = Literal["agent", "patient", "oblique"]
"""Who does it, or is it ("the manager"); to whom it is done, or whose it is; what a preposition joins to it."""
Places: TypeAlias = frozenset[Place]
AGENT: Places = frozenset(("agent",))
OTHERS: dict[Place, Places] = {
    "agent": frozenset(("patient", "oblique")),
    "patient": frozenset(("agent",)),
    "oblique": frozenset(("agent", "patient")),
}
"""The places that what a relation leads to may have, where what it comes from has one."""


@dataclass(frozen=True, slots=True)
class Role:
    """The place that a word gives something.

    :ivar word: the base form of a verb, which a noun made of it shares: "manage" of "manages" and "manager"; any other
        noun after "a": "a child"
    :ivar preposition: that stands between them, if one does: "to" of "reports to"
    :ivar unsure: what is left out may turn it round: of "where does X play" X may be what is played
    """

    word: str
    place: Place
    preposition: str = ""
    unsure: bool = field(default=False, compare=False)

    @property
    def is_noun(self) -> bool:
        """Whether the word is a noun made of no verb."""
        return self.word.startswith("a_")


@dataclass(frozen=True, slots=True)
class TopicRoles:
    """What a text says of its topic.

    :ivar roles: that words give it; of words that are joined by "and" each
    :ivar used: the words of the text that say so, and those that say nothing
    :ivar asked: the noun for what is asked for; empty: there is none
    :ivar outer: the text with the topic in place of what it belongs to, such as "who mentors X" of "who mentors the
        coach of X"; empty: the topic belongs to nothing
    """

    roles: tuple[Role, ...] = ()
    used: frozenset[str] = field(default_factory=frozenset)
    asked: str = ""
    outer: str = ""


@dataclass(frozen=True, slots=True)
class Sense:
    """A word for a relation, and the places that it gives its ends.

    :ivar word: as in :class:`Role`
    :ivar whole: the relation says nothing else: "manager", but not "project manager"
    :ivar is_verb: the name is a verb that says one end does it to the other: "teaches", but not "teacher", "works with"
    """

    word: str
    heads: Places
    tails: Places
    preposition: str = ""
    whole: bool = True
    is_verb: bool = False

    def is_left_from_head(self, place: Place) -> bool:
        """Whether what has a place may be the head: of those who manage and are managed, one or the other."""
        return place in self.heads or (self.tails == AGENT and place != "agent")

    def is_left_from_tail(self, place: Place) -> bool:
        """The same of the tail."""
        return place in self.tails or (self.heads == AGENT and place != "agent")

    def binds(self, role: Role) -> bool:
        """Whether a role says which end has it, whatever the kinds of the ends."""
        alike = role.preposition == self.preposition or (
            self.heads == AGENT and role.place == "agent" and not role.preposition
        )
        return self.is_verb and not role.unsure and alike


def no_roles(text: str) -> TopicRoles:
    """Nothing is known."""
    return TopicRoles()


def no_senses(name: str, phrase: str, inverse: str) -> tuple[Sense, ...]:
    """Nothing is known."""
    return ()


def no_related(role: Role) -> tuple[Role, ...]:
    """No word is known that says the same."""
    return ()


def no_kin(role: Role) -> tuple[Role, ...] | None:
    """No noun for a relative is known."""
    return None
