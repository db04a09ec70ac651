"""Freebase's ontology: what its properties lead from and to, which mirror others, and which types are mediators.

A mediator (compound value type) is a node that has no name: it joins the topics of one n-ary fact, as a performance
joins a film, an actor and a character. The relations at a mediator are legs, and every pair of them is one relation
that is walked via the mediator: ``film.film.starring..film.performance.actor``, as data sets cut from Freebase say.

Freebase stores a property and its reverse. Only one of the two is kept, its master; where the ontology does not say
which that is, the one that leads from a topic to a mediator, then the one that is worded from its head ("place of
birth", not "people born here"), then a singular, then the id that comes first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

from kgqa_graphdb.language.english import words_of
from kgqa_graphdb.language.english_relations import guessed_inverse, guessed_phrase
from kgqa_graphdb.language.english_words import PREPOSITIONS
from kgqa_loaders.records import Reject, RelationNote

VALUES = frozenset(
    f"type.{name}" for name in "datetime float text int boolean rawstring uri enumeration key value id lang".split()
)
"""Types whose instances are values, not nodes."""
_CORE = ("type.", "freebase.", "meta.", "dataworld.", "pipeline.", "kg.")
LICENCE = "CC BY 2.5"
GUESSED_RANK = 1_000
"""Rank of words that are guessed from ids: any that the source has itself are better."""
_BACKWARDS = re.compile(r"_(here|this|these)(_|$)")
_PLURAL = re.compile(r"_s$")
_KINDS = ("_type", "_category")
"""How the names of types end whose instances are kinds."""


@dataclass(frozen=True, slots=True)
class Mirrored:
    """Which properties are stored as the mirror image of others.

    :ivar master: property → the one that it is the reverse of
    :ivar reverse: master → its reverse, whose words are those for walking it backwards
    """

    master: dict[str, str] = field(default_factory=dict)
    reverse: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Schema:
    """An ontology. Ids are dotted: ``film.film.starring``.

    :ivar ends: property → the types that it leads from and to; a type that is not known is empty
    :ivar mediators: types whose nodes join others
    :ivar unique: properties with at most one value for each head
    :ivar rejects: lines of its files that could not be read
    """

    ends: dict[str, tuple[str, str]] = field(default_factory=dict)
    mirrored: Mirrored = field(default_factory=Mirrored)
    mediators: frozenset[str] = frozenset()
    unique: frozenset[str] = frozenset()
    rejects: tuple[Reject, ...] = ()

    def value_type(self, relation: str) -> str:
        """The type of a property's values, such as ``type.int``; empty when it has none or is not known."""
        range_ = self.ends.get(relation, ("", ""))[1]
        return range_ if range_ in VALUES else ""

    def is_property(self, id_: str) -> bool:
        """Whether an id is a property's: by the ontology, else by how deep it lies."""
        return id_ in self.ends or depth(id_) >= 3

    def is_leg(self, relation: str) -> bool:
        """Whether a relation joins a mediator and something else."""
        head, tail = self.ends.get(relation, ("", ""))
        return tail not in VALUES and (head in self.mediators) != (tail in self.mediators)

    def notes(self, spell: Callable[[str], str], *, labels: bool = True) -> Iterator[RelationNote]:
        """Notes on the ontology's relations, those via mediators included.

        :param spell: a dotted id as the source writes it
        :param labels: say the types of heads and tails, which nodes then carry as labels
        """
        for relation in sorted(self.ends):
            if relation in self.mirrored.master or relation.startswith(_CORE):
                continue
            head, tail = self.ends[relation]
            reverse = self.mirrored.reverse.get(relation, "")
            yield RelationNote(
                spell(relation),
                kind="leg" if self.is_leg(relation) else None,
                label=phrase(relation),
                inverse=inverse_phrase(reverse) if reverse else "",
                heads=(spell(head),) if labels and head else (),
                tails=(spell(tail),) if labels and tail and tail not in VALUES else (),
                rank=GUESSED_RANK,
            )
        yield from self._via(spell, labels=labels)

    def _via(self, spell: Callable[[str], str], *, labels: bool) -> Iterator[RelationNote]:
        """One relation for each pair of a mediator's roles, and for each of its values from each role."""
        roles: dict[str, list[_Role]] = {}
        values: dict[str, list[str]] = {}
        for relation in sorted(self.ends):
            head, tail = self.ends[relation]
            if relation in self.mirrored.master or relation.startswith(_CORE):
                continue
            if head in self.mediators and tail in VALUES:
                values.setdefault(head, []).append(relation)
            elif self.is_leg(relation):
                mediator = head if head in self.mediators else tail
                roles.setdefault(mediator, []).append(_Role.of(self, relation, out=mediator == head))
        for mediator in sorted(roles):
            # First those that have words for the way in: "headquarters, their town", not "town, its headquarters".
            here = sorted(roles[mediator], key=lambda role: role.out)
            # A mediator of hundreds of properties, such as a dated number, belongs to one of them.
            pairs = [(one, two) for one, two in combinations(here, 2) if one.own or two.own]
            members = [role for role in here if role.own and not role.is_kind]
            pairs += [(role, role) for role in here if role.is_mutual(self.unique, alone=members == [role])]
            for first, second in pairs:
                yield RelationNote(
                    _joined(spell, first.enter, second.leave),
                    label=_together(first.enter, second.leave),
                    inverse=_inverse(first, second),
                    heads=(spell(first.type),) if labels and first.type else (),
                    tails=(spell(second.type),) if labels and second.type else (),
                    via=(first.inwards(spell), second.outwards(spell)),
                    rank=GUESSED_RANK,
                )
            for role in here:
                for value in values.get(mediator, ()):
                    yield RelationNote(
                        _joined(spell, role.enter, value),
                        kind="property",
                        label=_together(role.enter, value),
                        heads=(spell(role.type),) if labels and role.type else (),
                        via=(role.inwards(spell), f">{spell(value)}"),
                        rank=GUESSED_RANK,
                    )


@dataclass(frozen=True, slots=True)
class _Role:
    """A leg as its mediator sees it.

    :ivar relation: what is stored
    :ivar out: it is stored from the mediator to the topic
    :ivar enter: the property whose words lead from the topic to the mediator
    :ivar leave: the property whose words lead from the mediator to the topic
    :ivar type: of the topic
    :ivar own: the mediator's type has a property for it
    """

    relation: str
    out: bool
    enter: str
    leave: str
    type: str
    own: bool

    @classmethod
    def of(cls, schema: Schema, relation: str, *, out: bool) -> _Role:
        other = schema.mirrored.reverse.get(relation, relation)
        head, tail = schema.ends[relation]
        enter, leave, type_ = (other, relation, tail) if out else (relation, other, head)
        return cls(relation, out, enter, leave, type_, out or other != relation)

    def inwards(self, spell: Callable[[str], str]) -> str:
        """The step from the topic to the mediator."""
        return ("<" if self.out else ">") + spell(self.relation)

    def outwards(self, spell: Callable[[str], str]) -> str:
        """The step from the mediator to the topic."""
        return (">" if self.out else "<") + spell(self.relation)

    @property
    def is_kind(self) -> bool:
        """Whether what it leads to says of which kind the fact is, as whether a romance was a friendship."""
        return self.type.endswith(_KINDS)

    def is_mutual(self, unique: frozenset[str], *, alone: bool) -> bool:
        """Whether a mediator joins several topics in this same role, as a marriage does its spouses.

        No file says so. Freebase names the way in as the role itself then: ``person.spouse_s``, ``marriage.spouse``.
        And with no other role it would join nothing: ``location.adjoin_s``, ``adjoining_relationship.adjoins``.

        :param alone: the mediator's type has no other role, kinds apart
        """
        if self.enter == self.leave or self.leave in unique:
            return False
        return alone or phrase(self.enter) == phrase(self.leave)


# ── ids and words ────────────────────────────────────────────────────────────────────────────────────────────────────


def depth(id_: str) -> int:
    """How deep a schema id lies: 1 a domain, 2 a type, 3 a property; 0 for an entity.

    The domains of users are longer: ``base.scenery.park``, ``user.jane.default_domain.book``.
    """
    if is_entity(id_):
        return 0
    parts = id_.split(".")
    return len(parts) - {"base": 1, "user": 2}.get(parts[0], 0)


def is_entity(id_: str) -> bool:
    """Whether an id is an entity's, not one of the schema's own."""
    return id_.startswith(("m.", "g.", "en.", "_:")) or "/" in id_


def dotted(id_: str) -> str:
    """A relation's id with dots: ``/film/film/genre`` → ``film.film.genre``; two joined ones keep two dots."""
    return id_.removeprefix("/").replace("./", "..").replace("/", ".") if "/" in id_ else id_


def slashed(id_: str) -> str:
    """A relation's id with slashes: ``film.film.genre`` → ``/film/film/genre``."""
    return ".".join("/" + part.replace(".", "/") for part in id_.split(".."))


def as_it_is(id_: str) -> str:
    """The dotted id."""
    return id_


@lru_cache(maxsize=100_000)
def phrase(relation: str) -> str:
    """Words for walking a property: ``people.person.spouse_s`` → "spouse"."""
    return guessed_phrase(_PLURAL.sub("", relation))


def inverse_phrase(reverse: str) -> str:
    """Words for walking a property backwards, from its reverse; they come before a name.

    ``film.film_genre.films_in_this_genre`` → "films in this genre", ``film.actor.film`` → "film of".
    """
    return before_a_name(phrase(reverse))


def before_a_name(words: str) -> str:
    """A property's words, so that they can come before a name."""
    if words.endswith(" here"):
        return words.removesuffix("here") + "in"
    split = words.split()
    return words if "this" in split or (split[-1:] and split[-1] in PREPOSITIONS) else f"{words} of"


def _joined(spell: Callable[[str], str], first: str, second: str) -> str:
    joint = "." if spell(first).startswith("/") else ".."
    return f"{spell(first)}{joint}{spell(second)}"


def _together(first: str, second: str) -> str:
    """The words of two properties, none twice: "places lived" and "location" → "places lived location"."""
    words = phrase(first).split()
    stems = {word.rstrip("s") for word in words}
    return " ".join([*words, *(word for word in phrase(second).split() if word.rstrip("s") not in stems)])


def _inverse(first: _Role, second: _Role) -> str:
    """Words for walking from the second role to the first; they come before a name.

    Where nothing is known to lead from the second role to the mediator, its words are those of the way back: "films
    starring" of what leads from a film to an actor.
    """
    if second.enter != second.leave or not first.type:
        return before_a_name(_together(second.enter, first.leave))
    noun, words = words_of(first.type), phrase(first.enter)
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else noun if noun.endswith("s") else f"{noun}s"
    return f"{plural} {words if words.endswith('ing') else guessed_inverse(words)}"


def joined_notes(relation: str) -> RelationNote:
    """Words for a relation that is two at once: ``/film/film/starring./film/performance/actor``."""
    first, second = (dotted(part) for part in relation.split("./", 1))
    return RelationNote(relation, label=_together(first, second), rank=GUESSED_RANK)


# ── from its parts ───────────────────────────────────────────────────────────────────────────────────────────────────


def is_mediator_like(type_: str) -> bool:
    """Whether a type that is no topic may be a mediator: the core's own bookkeeping types are not."""
    return bool(type_) and not type_.startswith(_CORE) and type_ != "common.topic"


def mirrored(
    pairs: Iterable[tuple[str, str]], masters: Iterable[tuple[str, str]], mediators: frozenset[str],
    ends: dict[str, tuple[str, str]],
) -> Mirrored:  # fmt: skip
    """Which of each pair is the master.

    :param pairs: properties that are each other's reverse, in any order
    :param masters: master and reverse, where the ontology says so
    """

    def weight(relation: str) -> tuple[bool, bool, bool, str]:
        back = bool(_BACKWARDS.search(relation))
        return ends.get(relation, ("", ""))[0] in mediators, back, relation.endswith("s"), relation

    declared = sorted(set(masters))
    known = {relation for pair in declared for relation in pair}
    guessed = sorted({tuple(sorted(pair, key=weight)) for pair in pairs if not known.intersection(pair)})
    found = Mirrored()
    for master, reverse in (*declared, *guessed):
        # A chain of reverses would turn a relation into another: each is a master or a reverse, never both.
        if master != reverse and not {master, reverse} & found.master.keys() and reverse not in found.reverse:
            found.master[reverse] = master
            found.reverse.setdefault(master, reverse)
    return found


def plain_words(name: str) -> str:
    """A property's name in running text: "Place of birth" → "place of birth", "ISBN" stays."""
    return name[:1].lower() + name[1:] if name[1:2].islower() else name or words_of(name)
