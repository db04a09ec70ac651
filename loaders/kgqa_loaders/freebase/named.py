"""Tables of Freebase's facts between names, as cut for WebQSP: ``Blade Runner<TAB>film.film.starring<TAB>m.0k2x``.

Ids are names, and mediators keep theirs. With an ontology a relation that mirrors another is reversed and stored
under that one's name, and so is a fact that stands the wrong way round (:mod:`kgqa_loaders.freebase.reversed_facts`). A
mediator is walked across in one step, and what the ontology says is a value is one. Names show more than the ontology
does: what has none is a mediator, and a fact in which one stands at the other end is reversed.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

from kgqa_graphdb.types import Entity
from kgqa_loaders.formats import Format, share, whole_lines
from kgqa_loaders.freebase.literals import typed
from kgqa_loaders.freebase.ontology import read_ontology
from kgqa_loaders.freebase.reversed_facts import Fact, wrong_way
from kgqa_loaders.freebase.schema import LICENCE, Schema, as_it_is, is_mediator_like
from kgqa_loaders.records import Block, Literal, ReadOptions, Record, Source, Triple
from kgqa_loaders.triples import TabTriples, open_tabs
from kgqa_loaders.underscored import Spaced

ENOUGH = 0.9
"""Share of the lines that make sure."""
MANY_NAMELESS = 10
MORE_NAMELESS = 3
"""So many instances of a type without a name, and so many times as with one, and it is a mediator for certain."""
_LINE = re.compile(rb"[^\t]+\t[a-z0-9_]+(?:\.[a-z0-9_]+){2,}\t[^\t]+(?:\t[^\t]*)?")


def fits(sample: bytes, name: str = "") -> float:
    """Share of the sample's lines that hold a property of Freebase's, with dots, between two other columns.

    A heading and an odd line are no reason to take it for a table like any other.
    """
    found = share(whole_lines(sample), _LINE.fullmatch)
    return 1.0 if found >= ENOUGH else found


@dataclass(frozen=True, slots=True)
class NamedFacts(TabTriples):
    """A file of tab-separated facts.

    :ivar schema: its ontology
    :ivar reversed_facts: facts that stand the wrong way round, as they are after mirrored relations are reversed
    """

    schema: Schema = field(default_factory=Schema)
    reversed_facts: Set[Fact] = frozenset()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was changed in reading."""
        count = len(self.reversed_facts)
        note = f"facts between names that stand the wrong way round by the ontology, now turned: {count:,}"
        return (note,) if count else ()

    def parse(self, block: Block) -> Iterator[Record]:
        """A fact or a reject for each line of a block that is not blank; the first come after the ontology's notes."""
        if block.line == 1:
            yield from self.schema.rejects
            yield from self.schema.notes(as_it_is, labels=False)
        master = self.schema.mirrored.master
        for record in TabTriples.parse(self, block):
            if not isinstance(record, Triple):
                yield record
                continue
            line, head, relation, tail = record
            if relation in master:
                head, relation, tail = tail, master[relation], head
            if kind := self.schema.value_type(relation):
                in_place = tail[:1].isdigit() or not isinstance(typed(tail, kind), str)
                if not in_place and not isinstance(typed(head, kind), str):
                    head, tail = tail, head
                yield Literal(line, head, relation, typed(tail, kind))
            elif (head, relation, tail) in self.reversed_facts:
                yield Triple(line, tail, relation, head)
            else:
                yield Triple(line, head, relation, tail)


def open_named(path: Path, describe: str, options: ReadOptions) -> Source:
    """The source at a path; without an ontology it is a table like any other, with one it is read twice.

    :raises LoadError: it can't be read
    """
    plain = open_tabs(path, describe, options)
    table = plain.inner if isinstance(plain, Spaced) else plain
    if not options.ontology or not isinstance(table, TabTriples):
        return plain
    source = NamedFacts(path, describe, options, table.columns, read_ontology(options.ontology))
    facts = [
        (sys.intern(head), sys.intern(relation), sys.intern(tail))
        for _, head, relation, tail in (record for record in source.records() if isinstance(record, Triple))
    ]
    nameless = {node for head, _, tail in facts for node in (head, tail) if not Entity(node, node).is_named}
    schema = _known_by_names(facts, nameless, source.schema)
    right, wrong = _known_directions(facts, nameless, schema)
    return replace(source, schema=schema, reversed_facts=(wrong_way(facts, schema.ends) - right) | wrong)


def _known_by_names(facts: Sequence[Fact], nameless: Set[str], schema: Schema) -> Schema:
    """An ontology with those types as mediators that join things in some facts: those have no names.

    Types of users' bases often leave out that their instances are topics, and an address is declared as one.
    """
    joining = {type_ for type_, nodes in _instances(facts, schema).items() if nodes & nameless}
    schema = replace(schema, mediators=schema.mediators & joining or schema.mediators)
    _, wrong = _known_directions(facts, nameless, schema)
    instances = _instances((fact[::-1] if fact in wrong else fact for fact in facts), schema)
    more = {
        type_
        for type_, nodes in instances.items()
        if is_mediator_like(type_)
        and len(nodes & nameless) >= max(MANY_NAMELESS, MORE_NAMELESS * len(nodes - nameless))
    }
    return replace(schema, mediators=schema.mediators | more)


def _instances(facts: Iterable[Fact], schema: Schema) -> dict[str, set[str]]:
    """What stands where a type is wanted."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for head, relation, tail in facts:
        for node, type_ in zip((head, tail), schema.ends.get(relation, ()), strict=False):
            found[type_].add(node)
    return found


def _known_directions(facts: Iterable[Fact], nameless: Set[str], schema: Schema) -> tuple[set[Fact], set[Fact]]:
    """The facts between a mediator and something else that stand right, and those that stand the wrong way round.

    Of two ends of which one has no name that is the mediator.
    """
    right: set[Fact] = set()
    wrong: set[Fact] = set()
    for fact in facts:
        head, relation, tail = fact
        if schema.is_leg(relation) and (head in nameless) != (tail in nameless):
            in_place = (head in nameless) == (schema.ends[relation][0] in schema.mediators)
            (right if in_place else wrong).add(fact)
    return right, wrong


FORMATS: Iterable[Format] = (
    Format("freebase-names", "Blade Runner<TAB>film.film.genre<TAB>Thriller", fits, open_named, LICENCE, ontology=True),
)
