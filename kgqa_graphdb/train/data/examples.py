"""What a ranker is trained on: questions with their topic masked, and the paths that were mined for them."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from kgqa_graphdb.client import KGQA
from kgqa_graphdb.errors import CypherError, UsageError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.link.asked import parse_question
from kgqa_graphdb.link.topics import disjoint_pair, likely_links, mask_topic
from kgqa_graphdb.mining import (
    MAX_TOPICS,
    Around,
    GoldEnds,
    GoodPath,
    f1_of,
    find_gold,
    good_pairs,
    ranked_topics,
)
from kgqa_graphdb.questions import Pair, with_topics
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.train.data.walks import better_walk, chosen_walk
from kgqa_graphdb.train.settings import Progress
from kgqa_graphdb.types import Entity, Link, Question, WalkRule

log = logging.getLogger(__name__)
WRONG_SHARE = 0.5
"""Of the best path's F1: a topic whose best path has less is the wrong one."""
BOTH_GAIN = 0.05
"""F1 that what two topics have in common must have more than what one alone leads to."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WrongTopic:
    """A question read from a linked topic from which nothing leads to its answers, or hardly.

    :ivar question: masked there
    :ivar starts: codes of the steps that leave it
    """

    question: str
    starts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """A question read from one of two topics whose paths meet in the answers; both are masked.

    :ivar starts: codes of the steps that leave this topic
    :ivar paths: step codes from it, and the F1 of what they and the other topic's lead to, best first
    """

    question: str
    starts: tuple[str, ...]
    paths: tuple[GoodPath, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A question and what it could have been answered by.

    :ivar id: of its pair
    :ivar question: masked by ``rank.mask_mention``
    :ivar starts: codes of the steps that leave the topic
    :ivar paths: step codes and F1 of what they lead to, best first; empty: no path leads to an answer
    :ivar wrong: what else the question may seem to be about
    :ivar sides: of two topics, where paths from both meet in what is nearer to the answers than any single path's ends
    :ivar topic: from which the paths leave; read from a file, its element id is not known
    """

    id: str
    question: str
    starts: tuple[str, ...]
    paths: tuple[GoodPath, ...]
    wrong: tuple[WrongTopic, ...] = ()
    sides: tuple[Side, ...] = ()
    topic: Entity | None = None

    def to_json(self) -> str:
        """One line."""
        record = asdict(self)
        if record["topic"]:
            del record["topic"]["element_id"]
        return json.dumps(record, ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> Example:
        """What :meth:`to_json` wrote."""
        stored = json.loads(line)
        wrong = tuple(WrongTopic(one["question"], tuple(one["starts"])) for one in stored["wrong"])
        sides = tuple(Side(one["question"], tuple(one["starts"]), _good(one["paths"])) for one in stored["sides"])
        topic = Entity(**stored["topic"] | {"labels": tuple(stored["topic"]["labels"])}) if stored["topic"] else None
        return cls(
            stored["id"], stored["question"], tuple(stored["starts"]), _good(stored["paths"]), wrong, sides, topic
        )


def _good(stored: Sequence[Mapping[str, Any]]) -> tuple[GoodPath, ...]:
    return tuple(GoodPath(tuple(path["codes"]), path["f1"]) for path in stored)


@dataclass(frozen=True, slots=True)
class Mined:
    """What was looked for, the first line of a file of examples.

    :ivar graph: name of the graph, and what it holds
    :ivar questions: digest of the questions, the topics that they are looked for from and their answers
    :ivar walk: the walk rule under which paths were looked for
    :ivar settled: the rule was looked at again once all paths were known
    """

    graph: str
    questions: str
    max_hops: int
    walk: WalkRule
    settled: bool = False


def mine(
    kg: KGQA,
    pairs: Sequence[Pair],
    cache: Path,
    *,
    walk: WalkRule | None = None,
    max_hops: int = 3,
    given_topics: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
) -> tuple[list[Example], WalkRule]:
    """Find the paths that questions could have been answered by, from their answers alone.

    A question that can't be asked has no paths; the log names it.

    :param cache: file of examples, written as they are found; what it holds is not looked for again
    :param walk: the walk rule; ``None``: that which fits the answers best, see :mod:`kgqa_graphdb.train.data.walks`
    :param given_topics: look from the topics that a pair gives, where it gives any, not from those that are linked
    :param seed: of the questions that the walk rule is chosen on
    :return: an example of each pair, and the walk rule
    :raises UsageError: the file holds something else, or no topics are given
    """
    tell = progress or (lambda done, total: None)
    pairs = with_topics(pairs, given=given_topics)
    own = kg.graph.mapping.walk
    wanted = Mined(_described(kg), _digest(pairs), max_hops, walk or own)
    found, stored = _kept(cache, wanted, any_walk=walk is None) if cache.exists() else ([], None)
    walks = _Walks(kg, pairs, max_hops)
    if stored is None:
        wanted = replace(wanted, walk=walk or chosen_walk(walks.best, len(pairs), own, seed))
        _write(cache, wanted, ())
    else:
        wanted = stored
    walks.mine(found, wanted.walk, cache, tell)
    if walk is None and not wanted.settled:
        better = better_walk(walks.best, partial(walks.same, found), list(map(_best_f1, found)), wanted.walk, seed)
        wanted = replace(wanted, walk=better or wanted.walk, settled=True)
        found = [] if better else found
        _write(cache, wanted, found)
        walks.mine(found, wanted.walk, cache, tell)
    return found, wanted.walk


@dataclass(frozen=True, slots=True)
class _Walks:
    """The paths of questions under any walk rule."""

    kg: KGQA
    pairs: Sequence[Pair]
    max_hops: int

    def mine(self, found: list[Example], rule: WalkRule, cache: Path, tell: Progress) -> None:
        """Add the examples that are missing, in order, to those found and to a file."""
        around, count = self._around(rule), len(self.pairs)
        tell(len(found), count)
        with cache.open("a", encoding="utf-8", newline="\n") as stream:
            for pair in self.pairs[len(found) :]:
                found.append(self._example(pair, around))
                stream.write(found[-1].to_json() + "\n")
                stream.flush()
                tell(len(found), count)

    def best(self, numbers: Sequence[int], rule: WalkRule) -> list[float]:
        """F1 of the best paths of some of the questions."""
        around = self._around(rule)
        return [_best_f1(self._example(self.pairs[number], around)) for number in numbers]

    def same(self, found: Sequence[Example], numbers: Sequence[int], rule: WalkRule) -> list[float]:
        """F1 that the best paths which were found for some of the questions have under another rule."""
        around = self._around(rule)
        some = ((self.pairs[number], found[number]) for number in numbers)
        return [self._tried(pair, _followed(pair, one, around), 0.0) for pair, one in some]

    def _around(self, rule: WalkRule) -> Around:
        return Around(replace(self.kg.graph, mapping=replace(self.kg.graph.mapping, walk=rule)))

    def _example(self, pair: Pair, around: Around) -> Example:
        """The example of a pair; one without paths where it can't be looked for."""
        return self._tried(pair, _example(pair, around, self.max_hops), Example(pair.id, pair.question, (), ()))

    def _tried(self, pair: Pair, looking: Steps[T], nothing: T) -> T:
        """What looking for something gives; nothing, and a warning, where a pair can't be asked."""
        try:
            return self.kg.perform(looking)
        except (CypherError, UsageError) as error:
            log.warning("question %s is left out: %s", pair.id, error)
            return nothing


def _write(cache: Path, wanted: Mined, found: Iterable[Example]) -> None:
    """A file of examples from its beginning; what it contained is there until all is written."""
    lines = (json.dumps(asdict(wanted)), *(example.to_json() for example in found))
    part = cache.with_name(f"{cache.name}.part")
    part.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    part.replace(cache)


def _best_f1(example: Example) -> float:
    return example.paths[0].f1 if example.paths else 0.0


def _described(kg: KGQA) -> str:
    """Which graph this is."""
    relations = hashlib.sha256(" ".join(sorted(kg.graph.mapping.by_id)).encode()).hexdigest()
    return f"{kg.graph.name} {relations[:12]}"


def _digest(pairs: Sequence[Pair]) -> str:
    questions = [(one.id, one.question, one.topics, [(gold.id, gold.name) for gold in one.answers]) for one in pairs]
    text = json.dumps(questions)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _kept(cache: Path, wanted: Mined, *, any_walk: bool) -> tuple[list[Example], Mined | None]:
    """The examples of a file, without a line that was cut off, and what was looked for.

    :param any_walk: the walk rule of the file is taken
    :raises UsageError: they are of other questions, or another graph
    """
    text = cache.read_text(encoding="utf-8")
    first, *lines = text[: text.rfind("\n") + 1].splitlines() or [""]
    if not first:
        return [], None
    try:
        stored = Mined(**json.loads(first))
        found = [Example.from_json(line) for line in lines]
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{cache} was not made by this version of kgqa (it lacks {error}); remove it, or name another folder"
        ) from error
    if (replace(wanted, walk=stored.walk, settled=stored.settled) if any_walk else wanted) != stored:
        raise UsageError(
            f"{cache} holds paths for other questions, another graph or other options; remove it, or name another "
            "folder"
        )
    _write(cache, stored, found)
    return found, stored


def _example(pair: Pair, around: Around, max_hops: int) -> Steps[Example]:
    """The topic from which the best path leaves, and its paths."""
    graph = around.graph
    question, likely, gold = yield from _read(pair, graph)
    topics = yield from ranked_topics(likely, gold, around, max_hops)
    if not topics or not topics[0][1]:
        return Example(pair.id, question.text, (), ())
    (link, paths), *others = topics
    wrong = [other for other, found in others if _is_wrong(link, paths, other, found)]
    starts = yield from graph.first_steps([one.entity for one in likely])
    readings = [
        WrongTopic(mask_topic(question.text, one), tuple(starts.get(one.entity.element_id, ())))
        for one in (link, *wrong)
    ]
    right, *others_read = readings
    firsts = {path.codes[0] for path in paths}
    # A namesake reads just like the topic where it can be left alike: that nothing is right there would be no lesson.
    negatives = [one for one in others_read if one.question != right.question or not firsts & set(one.starts)]
    sides = yield from _sides(question.text, likely, starts, gold, around, max_hops)
    if not (sides and sides[0].paths and sides[0].paths[0].f1 >= paths[0].f1 + BOTH_GAIN):
        negatives += [WrongTopic(side.question, side.starts) for side in sides]
        sides = ()
    return Example(pair.id, right.question, right.starts, paths, tuple(negatives), sides, link.entity)


def _read(pair: Pair, graph: Graph) -> Steps[tuple[Question, list[Link], GoldEnds]]:
    """A question, the links that may be its topics, and the nodes that answer it."""
    question = parse_question(pair.question, pair.topics)
    links = yield from NameLinker().link(question, graph)
    gold = yield from find_gold(pair.answers, graph)
    return question, likely_links(links), gold


def _followed(pair: Pair, example: Example, around: Around) -> Steps[float]:
    """F1 of the best paths of an example under another walk rule than they were found under."""
    _, likely, gold = yield from _read(pair, around.graph)
    best = 0.0
    for link, path in product(likely[:MAX_TOPICS], example.paths):
        if best < path.f1 == example.paths[0].f1:
            best = max(best, (yield from f1_of(path.codes, link.entity.element_id, gold, around)))
    return best


def _sides(
    question: str,
    likely: Sequence[Link],
    starts: Mapping[str, Sequence[str]],
    gold: GoldEnds,
    around: Around,
    max_hops: int,
) -> Steps[tuple[Side, ...]]:
    """A question read from both of the likeliest two topics that stand apart; nothing where there are none.

    :param starts: of each link's element id the codes of the steps that leave it
    """
    both = disjoint_pair(likely, lambda link: link)
    if both is None:
        return ()
    one, other = both
    met = yield from good_pairs(one, other, gold, around, max_hops)
    return tuple(
        Side(
            mask_topic(question, link, [beside]),
            tuple(starts.get(link.entity.element_id, ())),
            tuple(GoodPath(codes, f1) for codes, f1 in paths.items()),
        )
        for link, beside, paths in (
            (one, other, _best_of((pair.first, pair.f1) for pair in met)),
            (other, one, _best_of((pair.second, pair.f1) for pair in met)),
        )
    )


def _best_of(paths: Iterable[tuple[tuple[str, ...], float]]) -> dict[tuple[str, ...], float]:
    """Each path once, with the first F1 that it has."""
    found: dict[tuple[str, ...], float] = {}
    for codes, f1 in paths:
        found.setdefault(codes, f1)
    return found


def _is_wrong(link: Link, paths: Sequence[GoodPath], other: Link, found: Sequence[GoodPath]) -> bool:
    """Whether a question is not about another linked topic; beside the first one that leads to answers, too, may be."""
    return not found or (not link.is_apart(other) and found[0].f1 < WRONG_SHARE * paths[0].f1)
