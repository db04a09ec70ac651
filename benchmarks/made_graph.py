"""A made graph with as many relations as a big schema has, for measuring what grows with them.

    python benchmarks/made_graph.py --relations 5000 --facts 300000 > made.txt
    kgqa load made.txt --graph made5000

Deterministic: the same arguments give the same file, whatever the machine. Entities have one of 40 types. A relation
leads from one type to another, and its name says what its tails are: ``former_chief_editor`` leads to a person. How
often relations are used, and how many facts an entity has, follows a power law, as in graphs that people made.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass

KINDS = {
    "person": "director editor founder architect composer sponsor mayor captain teacher painter curator producer heir "
    "rival translator designer owner critic narrator inventor",
    "place": "birthplace headquarters venue harbour capital border district landmark suburb campus estate outpost "
    "station crossing valley",
    "organisation": "publisher employer orchestra league ministry museum manufacturer university laboratory council "
    "charity studio broadcaster parliament guild",
    "work": "novel film album painting opera poem sequel manuscript documentary sculpture anthem essay play game "
    "treatise",
    "thing": "instrument mineral vessel engine language award species treaty festival ritual cuisine currency symbol "
    "disease garment",
}
"""Kinds of tails, and the nouns that name a relation to one."""

MODIFIERS = (
    "former current founding chief honorary assistant earliest latest principal secret official alleged regional "
    "national local famous lost original unfinished restored annual rival joint senior junior acting interim deputy "
    "northern southern eastern western coastal royal civic military religious commercial academic musical literary "
    "maritime medical legal scientific industrial colonial medieval modern ancient temporary permanent private public "
    "favourite nearest adopted abandoned elected appointed hereditary visiting"
).split()

_ENDINGS = {
    "person": ("",),
    "place": ("", " Bay", " Hill", "ville", " Cross", " Springs"),
    "organisation": (" Society", " Institute", " Company", " Union", " Trust", " Works"),
    "work": (" Nights", " Songs", " Elegy", " Chronicle", " Letters", " Variations"),
    "thing": (" Prize", " Engine", " Accord", " Stone", " Cup", " Creole"),
}
_TYPES_PER_KIND = 8
_STARTS = "b br c d dr f g gr h j k l m n p r s st t th v w".split()
_VOWELS = "a e i o u ai ea io".split()
_CLOSES = "l n r s t nd rk lm x ss".split()


@dataclass(frozen=True)
class MadeRelation:
    """A relation from entities of one type to those of another.

    :ivar domain: number of the heads' type; ``range`` of the tails'
    """

    name: str
    domain: int
    range: int


@dataclass(frozen=True)
class MadeGraph:
    """A made graph.

    :ivar entities: names by type
    :ivar facts: distinct (head, relation, tail)
    """

    relations: tuple[MadeRelation, ...]
    entities: tuple[tuple[str, ...], ...]
    facts: tuple[tuple[str, str, str], ...]


def made_graph(relations: int = 5_000, facts: int = 300_000, entities: int = 100_000, seed: int = 0) -> MadeGraph:
    """Make a graph; each relation has a fact at least.

    :param entities: how many there are to choose from; the rarest may end up in no fact
    :raises ValueError: more relations than names can be made for, or fewer facts than relations
    """
    if facts < relations:
        raise ValueError(f"{facts:,} facts are too few for {relations:,} relations")
    choose = random.Random(seed)
    kinds = [kind for kind in KINDS for _ in range(_TYPES_PER_KIND)]  # of each type
    by_type = tuple(_entity_names(choose, kinds, entities))
    made = tuple(_relations(choose, kinds, relations))
    popularity = [_power_law(len(names), 0.7) for names in by_type]

    found: dict[tuple[str, str, str], None] = {}
    uses = itertools.chain(made, _endless(choose, made, _power_law(relations, 1.0)))
    while len(found) < facts:
        relation = next(uses)
        head, tail = (
            choose.choices(by_type[end], cum_weights=popularity[end])[0] for end in (relation.domain, relation.range)
        )
        if head != tail:
            found[head, relation.name, tail] = None
    return MadeGraph(made, by_type, tuple(found))


def _endless(choose: random.Random, made: tuple[MadeRelation, ...], cumulative: list[float]) -> Iterator[MadeRelation]:
    while True:
        yield from choose.choices(made, cum_weights=cumulative, k=1_000)


def _relations(choose: random.Random, kinds: list[str], count: int) -> Iterator[MadeRelation]:
    """Distinct names, a third of them of three words, in an order that says nothing of their use."""
    nouns = [(noun, kind) for kind, words in KINDS.items() for noun in words.split()]
    two = [(f"{modifier}_{noun}", kind) for modifier in MODIFIERS for noun, kind in nouns]
    three = [
        (f"{first}_{second}_{noun}", kind)
        for first, second in itertools.permutations(MODIFIERS[:24], 2)
        for noun, kind in nouns
    ]
    choose.shuffle(two)
    choose.shuffle(three)
    wanted = min(len(two), count - count // 3)
    names = two[:wanted] + three[: count - wanted]
    if len(names) < count:
        raise ValueError(f"names can be made for {len(two) + len(three):,} relations only")
    choose.shuffle(names)
    for name, kind in names:
        range_ = choose.choice([number for number, other in enumerate(kinds) if other == kind])
        yield MadeRelation(name, choose.randrange(len(kinds)), range_)


def _entity_names(choose: random.Random, kinds: list[str], count: int) -> Iterator[tuple[str, ...]]:
    """Distinct names by type, which no two types share."""
    used: set[str] = set()
    for number, kind in enumerate(kinds):
        wanted = count // len(kinds) + (number < count % len(kinds))
        names: list[str] = []
        while len(names) < wanted:
            name = f"{_word(choose)} {_word(choose)}{choose.choice(_ENDINGS[kind])}"
            if name not in used:
                used.add(name)
                names.append(name)
        yield tuple(names)


def _word(choose: random.Random) -> str:
    syllables = [choose.choice(_STARTS) + choose.choice(_VOWELS) for _ in range(choose.randint(1, 2))]
    return ("".join(syllables) + choose.choice(_CLOSES)).capitalize()


def _power_law(count: int, exponent: float) -> list[float]:
    """Cumulative weights: the n-th of ``count`` has n to the power of ``-exponent``."""
    return list(itertools.accumulate((n + 1) ** -exponent for n in range(count)))


def main() -> None:
    """Write the facts to the standard output, one ``head|relation|tail`` a line."""
    parser = argparse.ArgumentParser(description="Write a made graph as head|relation|tail lines.")
    parser.add_argument("--relations", type=int, default=5_000)
    parser.add_argument("--facts", type=int, default=300_000)
    parser.add_argument("--entities", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    graph = made_graph(options.relations, options.facts, options.entities, options.seed)
    sys.stdout.writelines(f"{head}|{relation}|{tail}\n" for head, relation, tail in graph.facts)


if __name__ == "__main__":
    main()
