"""Schemas of many kinds to compose questions from, so that a ranker learns to ask of graphs that it has not seen.

The files in ``schemas/`` list domains. A schema is drawn of one domain, or of several that share their kinds; it has
one of each relation's names, in one of the styles that schemas are written in, with labels or without. Questions are
composed with other names of the same relations: the ranker is to find what is meant, not the word that was said.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import islice
from random import Random

from kgqa_graphdb.errors import ConfigError
from kgqa_graphdb.language.english_relations import edge_words
from kgqa_graphdb.mapping import GraphMapping, make_relation
from kgqa_graphdb.rank.question import read_question
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.data.compose import compose
from kgqa_graphdb.train.data.items import Item
from kgqa_graphdb.train.data.sets import MAX_HELD_OUT, TrainingSet, with_made
from kgqa_graphdb.train.settings import Training
from kgqa_graphdb.types import Relation

SCHEMAS = 100
"""Drawn for a training: each domain alone once, then several together."""
MADE_COMPOSED = 24_000
"""Questions of all schemas."""
MADE_STEPS = 8_000
"""Batches: after 2,000 chains of steps were hardly learned (3 hops of MetaQA's dev questions 11 %, now 57 alone)."""
MAX_DOMAINS = 8
"""Together in one schema."""
SPEAKERS = 4
"""Choices of names that the questions of one schema are composed with."""
SAME_NAME = 0.4
"""How often a relation is asked for by the name that the schema has."""
VALUES = ("date", "number", "text")
_LINE = re.compile(r"(?P<head>\w+) (?P<mark>[>.]) (?P<tail>\w+): (?P<names>~?\w[\w -]*(?: / ~?\w[\w -]*)*)")


@dataclass(frozen=True, slots=True)
class DomainRelation:
    """A relation of a domain.

    :ivar tail: a kind of entities, or of :data:`VALUES`
    :ivar names: all mean the same; "~" before one: it is said from the tail to the head
    """

    domain: str
    head: str
    tail: str
    names: tuple[str, ...]

    @property
    def of_value(self) -> bool:
        """It is a property."""
        return self.tail in VALUES


@dataclass(frozen=True, slots=True)
class Named:
    """A relation of a domain under one of its names.

    :ivar name: as words
    :ivar turned: it leads from the tail to the head
    """

    relation: DomainRelation
    name: str
    turned: bool

    @property
    def ends(self) -> tuple[str, str]:
        """The kinds of its head and its tail."""
        relation = self.relation
        return (relation.tail, relation.head) if self.turned else (relation.head, relation.tail)


def read_domains() -> dict[str, list[DomainRelation]]:
    """The domains by name.

    :raises ConfigError: a line can't be read
    """
    found: dict[str, list[DomainRelation]] = {}
    domain = ""
    for file in sorted(files("kgqa_graphdb.train.data").joinpath("schemas").iterdir(), key=lambda file: file.name):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            if not line or line.startswith("#"):
                continue
            if line.startswith("["):
                domain = line.strip("[]")
                found[domain] = []
                continue
            match = _LINE.fullmatch(line)
            if not match or (match["mark"] == ".") != (match["tail"] in VALUES) or not domain:
                raise ConfigError(f"{file.name}:{number}: not 'Head > Tail: names' or 'Head . value: names': {line}")
            names = tuple(match["names"].split(" / "))
            found[domain].append(DomainRelation(domain, match["head"], match["tail"], names))
    return found


def made_sets(training: Training, count: int, schemas: int = SCHEMAS) -> list[TrainingSet]:
    """Schemas with questions composed for each.

    :param count: questions in all
    """
    rng, domains = Random(training.seed), list(read_domains().values())
    sets = []
    for number in range(schemas):
        some = [domains[number]] if number < len(domains) else rng.sample(domains, rng.randint(2, MAX_DOMAINS))
        relations = [one for domain in some for one in domain]
        made = Made(f"made {number}", relations, rng)
        items = list(made.items(training.max_hops, count // schemas))
        sets.append(with_made(TrainingSet(made.mapping, made.schema), items, training.seed, MAX_HELD_OUT // schemas))
    return sets


class Made:
    """A schema that nobody has, and questions to it.

    :ivar schema: what a ranker sees
    """

    def __init__(self, name: str, relations: Sequence[DomainRelation], rng: Random) -> None:
        labelled = rng.random() < 0.5
        style = rng.choice(_LABELLED if labelled else _UNLABELLED)
        self._rng = rng
        self._shown = [_named(one, rng) for one in relations]
        # In triples values are often nodes like any other.
        self._as_edges = not labelled and rng.random() < 0.5
        edges = {style(one) for one in self._shown if not one.relation.of_value}
        self._ids = [
            f"property.{id_}" if one.relation.of_value and id_ in edges else id_
            for one, id_ in ((one, style(one)) for one in self._shown)
        ]
        self.mapping = mapping_of(name, self._shown, self._ids, labelled=labelled, as_edges=self._as_edges)
        self.schema = Schema(self.mapping)

    def items(self, max_hops: int, count: int) -> Iterator[Item]:
        """Questions that are composed with other names than the schema's.

        :param count: nearly so many
        """
        for _ in range(SPEAKERS):
            said = [one if self._rng.random() < SAME_NAME else _named(one.relation, self._rng) for one in self._shown]
            ids = [f"{number}.{one.name}" for number, one in enumerate(said)]
            schema = Schema(mapping_of("said", said, ids, labelled=True, as_edges=self._as_edges))
            row_of = [self._row(step.relation.id, said, inverse=step.inverse) for step in schema.steps]
            questions = compose(schema, self._rng.randrange(2**32), max_hops)
            for text, path, starts in islice(questions, count // SPEAKERS):
                yield Item(
                    text=read_question(text, self.schema.vocabulary).text,
                    starts=tuple(sorted({row_of[row] for row in starts})),
                    paths=(tuple(row_of[row] for row in path),),
                    weights=(1.0,),
                    worth=1.0,
                )

    def _row(self, said_id: str, said: Sequence[Named], *, inverse: bool) -> int:
        """The row of the schema's step that means a step that was said."""
        number = int(said_id.partition(".")[0])
        backwards = inverse ^ said[number].turned ^ self._shown[number].turned
        return self.schema.row_of[("<" if backwards else ">") + self._ids[number]]


def mapping_of(
    graph: str, named: Sequence[Named], ids: Sequence[str], *, labelled: bool, as_edges: bool
) -> GraphMapping:
    """A mapping of some relations; those of one id are one, as in a graph.

    :param labelled: the graph's nodes have labels
    :param as_edges: values are nodes
    """
    ends: dict[str, list[tuple[str, str]]] = defaultdict(list)
    values = set()
    for one, id_ in zip(named, ids, strict=True):
        ends[id_].append(one.ends)
        if one.relation.of_value and not as_edges:
            values.add(id_)
    relations: list[Relation] = []
    leaving: dict[str, list[str]] = defaultdict(list)
    for id_, pairs in ends.items():
        heads, tails = (tuple(dict.fromkeys(side)) for side in zip(*pairs, strict=True))
        for head in heads:
            leaving[head].append(f">{id_}")
        for tail in tails if id_ not in values else ():
            leaving[tail].append(f"<{id_}")
        phrase, inverse, template = edge_words(id_, heads, tails) if labelled and id_ not in values else ("", "", "")
        relations.append(make_relation(
            id_, label=phrase, inverse=inverse, template=template, kind="property" if id_ in values else "edge",
            heads=heads if labelled else (), tails=tails if labelled and id_ not in values else (),
        ))  # fmt: skip
    following = {}
    for id_, pairs in ends.items():
        if id_ not in values:
            heads, tails = (tuple(dict.fromkeys(side)) for side in zip(*pairs, strict=True))
            following[f">{id_}"] = tuple(dict.fromkeys(code for kind in tails for code in leaving[kind]))
            following[f"<{id_}"] = tuple(dict.fromkeys(code for kind in heads for code in leaving[kind]))
    return GraphMapping(graph, (), tuple(relations), next_steps=following)


def _named(relation: DomainRelation, rng: Random) -> Named:
    """A relation under one of its names."""
    name = rng.choice(relation.names)
    return Named(relation, name.removeprefix("~"), name.startswith("~"))


def _camel(one: Named) -> str:
    first, *rest = one.name.split()
    return first + "".join(map(str.capitalize, rest))


def _dotted(one: Named) -> str:
    return ".".join(part.lower().replace(" ", "_") for part in (one.relation.domain, one.ends[0], one.name))


_LABELLED: tuple[Callable[[Named], str], ...] = (lambda one: one.name.upper().replace(" ", "_"), _camel)
_UNLABELLED: tuple[Callable[[Named], str], ...] = (
    lambda one: one.name,
    lambda one: one.name.replace(" ", "_"),
    _camel,
    _dotted,
)
