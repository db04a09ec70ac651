"""Small schemas of several domains, their facts, and an IO that has an encoder or none."""

from __future__ import annotations

import importlib.util
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from kgqa_graphdb.encode import CachedEncoder, OnnxEncoder
from kgqa_graphdb.encode.locate import DEFAULT_PACKAGE
from kgqa_graphdb.errors import EncoderError
from kgqa_graphdb.mapping import GraphMapping, make_relation
from kgqa_graphdb.steps import Embed, Request
from kgqa_graphdb.types import Relation

HAS_ENCODER = importlib.util.find_spec(DEFAULT_PACKAGE) is not None


class WithEncoder:
    """Performs embeddings with the default model."""

    def __init__(self) -> None:
        self.encoder = CachedEncoder(OnnxEncoder())
        self.embedded: list[str] = []

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        answers = []
        for request in requests:
            assert isinstance(request, Embed)
            self.embedded += request.texts
            answers.append(self.encoder.encode(request.texts))
        return answers


class WithoutEncoder:
    """Has no encoder."""

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        return [EncoderError("no text encoder is installed") for _ in requests]


def schema_of(relations: Iterable[tuple[Relation, str, str]]) -> tuple[GraphMapping, dict[str, list[str]]]:
    """A mapping from relations with the kinds of their heads and tails, and the steps that leave each kind."""
    listed = list(relations)
    leaving: dict[str, list[str]] = defaultdict(list)
    for relation, head, tail in listed:
        leaving[head].append(f">{relation.id}")
        if relation.kind == "edge":
            leaving[tail].append(f"<{relation.id}")
    following = {}
    for relation, head, tail in listed:
        if relation.kind == "edge":
            following[f">{relation.id}"] = tuple(leaving[tail])
            following[f"<{relation.id}"] = tuple(leaving[head])
    mapping = GraphMapping("made", (), tuple(relation for relation, _, _ in listed), next_steps=following)
    return mapping, dict(leaving)


def films() -> tuple[GraphMapping, dict[str, list[str]]]:
    """Films, from relation names alone."""
    return schema_of(
        [
            (make_relation("directed_by"), "film", "person"),
            (make_relation("written_by"), "film", "person"),
            (make_relation("starred_actors"), "film", "person"),
            (make_relation("release_year"), "film", "year"),
            (make_relation("has_genre"), "film", "genre"),
        ]
    )


def mountains() -> tuple[GraphMapping, dict[str, list[str]]]:
    """Mountains and those who climb them, from relation names alone."""
    return schema_of(
        [
            (make_relation("first_climbed_by"), "mountain", "person"),
            (make_relation("located_in"), "mountain", "country"),
            (make_relation("part_of_range"), "mountain", "range"),
            (make_relation("elevation", kind="property", unit="m"), "mountain", "value"),
            (make_relation("nationality"), "person", "country"),
            (make_relation("birth_place"), "person", "town"),
            (make_relation("capital"), "country", "town"),
        ]
    )


def kings() -> tuple[GraphMapping, dict[str, list[str]]]:
    """Kings and their families, with written words."""
    return schema_of(
        [
            (make_relation("father", inverse="children fathered by"), "person", "person"),
            (make_relation("spouse", inverse="people married to"), "person", "person"),
            (make_relation("ruled", label="country that was ruled", inverse="rulers of"), "person", "country"),
            (make_relation("buried", label="burial place", inverse="people buried in"), "person", "church"),
            (make_relation("architect", inverse="churches designed by"), "church", "person"),
        ]
    )


def movies() -> tuple[GraphMapping, dict[str, list[str]]]:
    """People and movies as a property graph has them: verbs in capitals, labels, properties."""
    person, movie = ("Person",), ("Movie",)
    return schema_of(
        [
            *((make_relation(verb, heads=person, tails=movie), "person", "movie") for verb in ("ACTED_IN", "DIRECTED")),
            (make_relation("WROTE", heads=person, tails=movie), "person", "movie"),
            (make_relation("FOLLOWS", heads=person, tails=person), "person", "person"),
            (make_relation("released", heads=movie, kind="property"), "movie", "value"),
            (make_relation("born", heads=person, kind="property"), "person", "value"),
        ]
    )


def many_relations(count: int, kinds: int = 60, seed: int = 0) -> tuple[GraphMapping, dict[str, list[str]]]:
    """A schema of made-up words in which everything is densely connected."""
    rng = random.Random(seed)
    syllables = [a + b for a in "bdfgklmnprstv" for b in ("a", "e", "i", "o", "u")]
    names: set[str] = set()
    while len(names) < count:
        names.add("_".join("".join(rng.sample(syllables, 3)) for _ in range(2)))
    labels = [f"kind{number}" for number in range(kinds)]
    return schema_of((make_relation(name), rng.choice(labels), rng.choice(labels)) for name in sorted(names))
