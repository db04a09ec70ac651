"""What a ranker is trained on: questions with their topic masked, and the paths that were mined for them."""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import get_args

from kgqa_graphdb.client import KGQA, parse_question
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.methods.paths import mask_topic
from kgqa_graphdb.mining import Around, GoodPath, find_gold, good_paths
from kgqa_graphdb.questions import Pair
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Link, WalkRule

log = logging.getLogger(__name__)
TOPICS = 3
"""Linked topics that paths are looked for from."""
LIKELY_SHARE = 0.5
"""Of the best link's score: what scores less is no topic."""
WALK_PAIRS = 150
"""Questions that the walk rule is chosen on."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Example:
    """A question and what it could have been answered by.

    :ivar id: of its pair
    :ivar question: masked by ``rank.mask_mention``
    :ivar starts: codes of the steps that leave the topic
    :ivar paths: step codes and F1 of what they lead to, best first; empty: no path leads to an answer
    """

    id: str
    question: str
    starts: tuple[str, ...]
    paths: tuple[GoodPath, ...]

    def to_json(self) -> str:
        """One line."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> Example:
        """What :meth:`to_json` wrote."""
        held = json.loads(line)
        paths = tuple(GoodPath(tuple(path["codes"]), path["f1"]) for path in held["paths"])
        return cls(held["id"], held["question"], tuple(held["starts"]), paths)


def chosen_walk(kg: KGQA, pairs: Sequence[Pair], max_hops: int, progress: Progress, seed: int = 0) -> WalkRule:
    """The walk rule under which single paths come nearest to the answers; the graph's own if none is better.

    :param pairs: of which :data:`WALK_PAIRS` are looked at
    """
    own = kg.graph.mapping.walk
    some = random.Random(seed).sample(pairs, min(WALK_PAIRS, len(pairs)))
    rules: list[WalkRule] = [own, *(rule for rule in get_args(WalkRule) if rule != own)]
    means: dict[WalkRule, float] = {}
    for number, rule in enumerate(rules, start=1):
        around = Around(Graph(replace(kg.graph.mapping, walk=rule)))
        found = [kg.perform(_example(pair, around, max_hops)) for pair in some]
        means[rule] = sum(example.paths[0].f1 if example.paths else 0.0 for example in found) / len(some)
        progress(number, len(rules))
    log.info("F1 of the best paths of %d questions: %s", len(some), means)
    return max(rules, key=lambda rule: round(means[rule], 4))


def mine(
    kg: KGQA,
    pairs: Sequence[Pair],
    cache: Path | None = None,
    *,
    walk: WalkRule | None = None,
    max_hops: int = 3,
    progress: Progress | None = None,
) -> list[Example]:
    """Find the paths that questions could have been answered by, from their answers alone.

    :param walk: the walk rule; ``None``: the graph's own
    :param cache: file of examples, written as they are found; what it holds is not looked for again
    :raises UsageError: the file holds examples of other questions
    """
    tell = progress or (lambda done, total: None)
    found = list(_kept(cache, pairs)) if cache and cache.exists() else []
    graph = Graph(replace(kg.graph.mapping, walk=walk)) if walk else kg.graph
    around = Around(graph)
    tell(len(found), len(pairs))
    stream = cache.open("a", encoding="utf-8", newline="\n") if cache else None
    try:
        for pair in pairs[len(found) :]:
            example = kg.perform(_example(pair, around, max_hops))
            found.append(example)
            if stream:
                stream.write(example.to_json() + "\n")
            tell(len(found), len(pairs))
    finally:
        if stream:
            stream.close()
    return found


def _kept(cache: Path, pairs: Sequence[Pair]) -> Iterator[Example]:
    """The examples of a file; a line that was cut off is taken away.

    :raises UsageError: they are of other questions
    """
    text = cache.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        cache.write_text(whole, encoding="utf-8", newline="\n")
    for pair, line in zip(pairs, whole.splitlines(), strict=False):
        example = Example.from_json(line)
        if example.id != pair.id:
            raise UsageError(f"{cache} holds paths that were mined for other questions; remove it")
        yield example


def _example(pair: Pair, around: Around, max_hops: int) -> Steps[Example]:
    """The topic from which the best path leaves, and its paths."""
    graph = around.graph
    question = parse_question(pair.question)
    links = yield from NameLinker().link(question, graph)
    likely = [link for link in links if link.score >= LIKELY_SHARE * links[0].score][:TOPICS]
    gold = yield from find_gold(pair.answers, graph)
    best: tuple[float, Link, tuple[GoodPath, ...]] | None = None
    for link in likely if gold.count else ():
        paths = yield from good_paths(link.entity.element_id, gold, around, max_hops)
        if paths and (best is None or paths[0].f1 > best[0]):
            best = paths[0].f1, link, paths
    if best is None:
        return Example(pair.id, question.text, (), ())
    _, link, paths = best
    starts = (yield from graph.first_steps([link.entity])).get(link.entity.element_id, ())
    return Example(pair.id, mask_topic(question.text, link), tuple(starts), paths)
