"""Questions that nobody asked, made of those that people did.

Pairs never have all paths that may be asked for, and what always comes after a path in them seems to belong to it. Two
things that wordings tell of each other undo that. Where two differ in one word, and their paths in one relation, the
words mean the relations; changed together in other questions they ask for other paths in the same form (lexical
symmetries: Akyürek and Andreas 2023). And what several have in common says how far their paths go together, and may
stand in another's place (Andreas 2020). No wording is taken whose path is in doubt.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice, pairwise
from random import Random
from typing import NamedTuple

import numpy as np

from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.data.items import Item
from kgqa_graphdb.train.data.sets import TrainingSet

SWAPPED = 1 / 3
"""Questions with words of another relation, at most so many beside each question of a pair."""
JOINED = 1 / 6
"""Questions joined from parts of two, at most so many beside each."""
BARE = 0.2
"""Share of the tries to join that are left at the first part alone."""
LEAST_WORTH = 0.5
"""F1 that the best path of a question must have to be what it asks for."""
MAX_WORDS = 40
"""Longer wordings share no form with others."""
CLEAR = 1.25
"""How much more a wording's first path must lead to the answers of its questions than any other."""
MEANS = 0.8
"""Share of the wordings with a word that ask for a relation, so that the word means it."""
HINTS = 0.7
"""Share from which on it may mean it: where it stays as it is, another's words are not put beside it."""
LEAST_SEEN = 2
"""Pairs of wordings that must tell that two words stand for two relations, and parts that what stands around one must
stand around."""
MAX_ALIKE = 60
"""Wordings that differ in one word: where there are more, it is a name."""
LIKE_ENDS = 0.75
"""Share of the steps after two others that must be the same, so that both lead to things of one kind."""
MAX_TRIES = 30
_TOPIC = re.compile(r"X(?:['’]s)?\W*")

Path = tuple[int, ...]


class Context(NamedTuple):
    """What is said around a part of a question.

    :ivar rest: the steps after those of the part
    """

    before: str
    after: str
    rest: Path


@dataclass(frozen=True, slots=True)
class Wordings:
    """What people asked, and what they most likely meant.

    :ivar paths: by wording, of those of which it is clear
    :ivar counts: questions of each wording
    """

    paths: Mapping[str, Path]
    counts: Mapping[str, int]

    @classmethod
    def of(cls, items: Sequence[Item]) -> Wordings:
        """What questions say, and which paths lead to their answers."""
        votes: dict[str, dict[Path, float]] = defaultdict(lambda: defaultdict(float))
        counts = Counter(item.text for item in items)
        for item in items:
            if item.worth >= LEAST_WORTH and not item.sides:
                for path, weight in zip(item.paths, item.weights, strict=True):
                    votes[item.text][path] += weight
        paths = {}
        for text, found in votes.items():
            path, *others = sorted(found, key=lambda path: -found[path])
            words = text.split()
            topics = sum(bool(_TOPIC.fullmatch(word)) for word in words)
            if topics == 1 and len(words) <= MAX_WORDS and all(found[path] >= CLEAR * found[other] for other in others):
                paths[text] = path
        return cls(paths, counts)


def with_recombined(training_set: TrainingSet, seed: int, max_hops: int) -> TrainingSet:
    """With questions made of those that are trained on; none that are held out are made of them.

    :param max_hops: longest path
    """
    held_out = {item.text for item in training_set.held_out}
    made = recombined(training_set.train, training_set.schema, seed, max_hops)
    return replace(training_set, train=[*training_set.train, *(item for item in made if item.text not in held_out)])


def recombined(items: Sequence[Item], schema: Schema, seed: int, max_hops: int) -> list[Item]:
    """Questions made of some; none where no two wordings tell anything of each other.

    :param max_hops: longest path
    """
    wordings, rng = Wordings.of(items), Random(seed)
    of_each = sum(wordings.counts[text] for text in wordings.paths) / max(1, len(wordings.paths))
    leaving: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for item in items:
        for row in item.starts:
            leaving[row].append(item.starts)

    def some(source: Iterator[list[tuple[str, Path]]], share: float) -> list[Item]:
        most, counts = round(share * len(items)), Counter[str]()
        made: list[Item] = []
        for text, path in chain.from_iterable(islice(source, MAX_TRIES * most)):
            if counts[text] < of_each and path[0] in leaving:
                counts[text] += 1
                made.append(Item(text, rng.choice(leaving[path[0]]), (path,), (1.0,), 1.0))
            if len(made) >= most:
                break
        return made

    return [
        *some(swapped(wordings, schema, rng), SWAPPED),
        *some(joined(wordings, schema, rng, max_hops), JOINED),
    ]


# ── words of another relation ────────────────────────────────────────────────────────────────────────────────────────


def swapped(wordings: Wordings, schema: Schema, rng: Random) -> Iterator[list[tuple[str, Path]]]:
    """Wordings in which one relation's words are changed for another's, and the paths that they ask for.

    :return: one or, where a try came to nothing, none, without end
    """
    means = _meanings(wordings)
    words = _words_of_relations(wordings, means)
    partners: dict[int, list[int]] = defaultdict(list)
    for one, other in sorted(words):
        partners[one].append(other)
    bases: dict[Path, list[str]] = defaultdict(list)
    for text, path in sorted(wordings.paths.items()):
        if any(row >> 1 in partners for row in path):
            bases[path].append(text)
    of_paths = list(bases.items())
    while of_paths:
        path, texts = rng.choice(of_paths)
        text = rng.choice(texts)
        one = rng.choice([row >> 1 for row in path if row >> 1 in partners])
        other = rng.choice(partners[one])
        known, said = words[one, other], text.split()
        changed = " ".join(
            rng.choices(list(known[word]), list(known[word].values()))[0] if word in known else word for word in said
        )
        into = _exchanged(path, one, other)
        is_left = any(means(word, one) >= HINTS for word in said if word not in known and not _TOPIC.fullmatch(word))
        is_new = changed not in wordings.counts
        yield [(changed, into)] if is_new and not is_left and _is_path(into, schema) else []


def _meanings(wordings: Wordings) -> Callable[[str, int], float]:
    """The share of the wordings with a word that ask for a relation; 0 where there is but one."""
    having: Counter[str] = Counter()
    asking: Counter[tuple[str, int]] = Counter()
    for text, path in wordings.paths.items():
        for word in set(text.split()):
            having[word] += 1
            asking.update((word, relation) for relation in {row >> 1 for row in path})
    return lambda word, relation: asking[word, relation] / having[word] if having[word] >= LEAST_SEEN else 0.0


def _words_of_relations(
    wordings: Wordings, means: Callable[[str, int], float]
) -> Mapping[tuple[int, int], Mapping[str, Mapping[str, int]]]:
    """By two relations, words of the first and how many pairs of wordings have which of the second in their place."""
    alike: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
    for text in sorted(wordings.paths):
        words = text.split()
        for place, word in enumerate(words):
            if not _TOPIC.fullmatch(word):
                alike[(*words[:place], "", *words[place + 1 :])].append((word, text))
    pairs: Counter[tuple[int, int, str, str]] = Counter()
    for group in alike.values():
        for (word, text), (instead, counterpart) in combinations(group if len(group) <= MAX_ALIKE else (), 2):
            one, other = _difference(wordings.paths[text], wordings.paths[counterpart])
            if one != other and means(word, one) >= MEANS and means(instead, other) >= MEANS:
                pairs.update([(one, other, word, instead), (other, one, instead, word)])
    found: dict[tuple[int, int], dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for (one, other, word, instead), count in pairs.items():
        if count >= LEAST_SEEN:
            found[one, other][word][instead] = count
    return found


def _difference(path: Path, instead: Path) -> tuple[int, int]:
    """The relations in which alone two paths of one form differ; else one twice."""
    differing = {(row >> 1, other >> 1) for row, other in zip(path, instead, strict=False) if row != other}
    is_one_form = [row % 2 for row in path] == [other % 2 for other in instead]
    return next(iter(differing)) if is_one_form and len(differing) == 1 else (-1, -1)


def _exchanged(path: Path, one: int, other: int) -> Path:
    """A path with another relation in one's place."""
    return tuple(2 * other + row % 2 if row >> 1 == one else row for row in path)


def _is_path(path: Path, schema: Schema) -> bool:
    """Whether hardly anything speaks against a path being there."""
    follows = all(after in schema.followers(row) for row, after in pairwise(path))
    return follows and not schema.rare_turns(np.array([path])).any()


# ── parts of two questions ───────────────────────────────────────────────────────────────────────────────────────────


def joined(wordings: Wordings, schema: Schema, rng: Random, max_hops: int) -> Iterator[list[tuple[str, Path]]]:
    """What some wordings have in common, alone or in what is said around another, and the paths that it asks for.

    :return: one or, where a try came to nothing, none, without end
    """
    parts, contexts = _parts(wordings)
    after = {path[-1]: set(schema.followers(path[-1]).tolist()) for path in parts.values()}

    def are_alike(one: int, other: int) -> bool:
        return one == other or len(after[one] & after[other]) >= LIKE_ENDS * len(after[one] | after[other])

    by_path: dict[Path, list[str]] = defaultdict(list)
    for text, path in parts.items():
        by_path[path].append(text)
    by_rest: dict[Path, list[tuple[Context, list[str]]]] = defaultdict(list)
    for context, inner in contexts:
        by_rest[context.rest].append((context, inner))
    of_paths, of_rests = list(by_path.items()), list(by_rest.values())
    while of_paths and of_rests:
        path, texts = rng.choice(of_paths)
        text = rng.choice(texts)
        if rng.random() < BARE:
            yield [(text, path)] if text not in wordings.counts else []
            continue
        around, inner = rng.choice(rng.choice(of_rests))
        whole = f"{around.before} {text} {around.after}".strip()
        into = path + around.rest
        fits = are_alike(path[-1], parts[rng.choice(inner)][-1]) and len(into) <= max_hops and _is_path(into, schema)
        yield [(whole, into)] if fits and whole not in wordings.counts else []


def _parts(wordings: Wordings) -> tuple[dict[str, Path], list[tuple[Context, list[str]]]]:
    """What several wordings have in common and the beginning that their paths have, and what is said around which."""
    spans: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
    for text in sorted(wordings.paths):
        words = text.split()
        topic = next(place for place, word in enumerate(words) if _TOPIC.fullmatch(word))
        for begin in range(topic + 1):
            for end in range(topic + 1, len(words) + 1):
                if 3 <= end - begin < len(words):
                    spans[" ".join(words[begin:end])].append((text, begin, end))
    longest: dict[tuple[str, int], tuple[str, int, int]] = {}
    for part, found in spans.items():
        size = _shared([wordings.paths[text] for text, _, _ in found])
        for text, begin, end in found if size else ():
            _, first, last = longest.get((text, size), ("", 0, 0))
            if end - begin > last - first:
                longest[text, size] = (part, begin, end)
    parts: dict[str, Path] = {}
    inner: dict[Context, list[str]] = defaultdict(list)
    for (text, size), (part, begin, end) in longest.items():
        path, words = wordings.paths[text], text.split()
        parts[part] = path[:size]
        inner[Context(" ".join(words[:begin]), " ".join(words[end:]), path[size:])].append(part)
    return parts, [(context, around) for context, around in inner.items() if len(around) >= LEAST_SEEN]


def _shared(paths: Sequence[Path]) -> int:
    """How many steps paths begin alike with, if they do not go on alike; else 0."""
    if len(set(paths)) < 2:
        return 0
    size = 0
    while len({path[: size + 1] for path in paths}) == 1:
        size += 1
    return size
