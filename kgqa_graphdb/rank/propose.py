"""Propose relation paths for a question: a beam over the schema, then the full score for the best of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kgqa_graphdb.errors import EncoderError
from kgqa_graphdb.graph import EndpointStats
from kgqa_graphdb.rank.direction import Directed
from kgqa_graphdb.rank.question import Asked, read_question
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.score import Evidence, combine, cosines_of, gather_evidence, score_words
from kgqa_graphdb.rank.text import path_text
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Bools, Floats, Ints, Path, Scored

MAX_FOLLOWERS = 256
"""Steps of a schema that a question may walk at all: those that its words fit best, and their inverses."""
MAX_BEAM = 256
"""Paths of one length that are carried on to the next."""
MAX_EXPANDED = 6_000
"""Paths of one length that are scored."""
MAX_EMBEDDED = 32
"""Paths whose text is embedded: the first question that meets one pays some 2 ms for it, later ones nothing. On dev
questions of MetaQA 64 gain at most one point of Hits@1, 16 lose up to three."""
# Of right answers to MetaQA's dev questions 99 in 100 score .63 or more; of 100 absurd questions the median scores .25
# and the best ones .42 (guessed words) and .57 (phrases).
LEAST_FIT = 0.52
LEAST_FIT_BY_SPELLING = 0.2
LEAST_SHARE = 0.85
"""Costs nothing on dev questions of MetaQA, PathQuestion 3-hop and PathQuestion-Large 2-hop; at .9 the second loses 3.4
points. Of 100 questions whose answers' facts were deleted, 41 are not answered by another path then, without it 26."""
PathProbe = Callable[[Sequence[Path]], Steps[list[EndpointStats] | None]]
"""Called with paths; returns what each leads to from the topic of a question, ``None`` where that took too long."""
MEANT_FIT = 0.55
"""At least how well a step fits a question that says nothing but its words."""
RELATIVE_FIT = 0.9
"""How well the steps to a relative fit a question that names that: "the grandparents of X"."""
LONGER_THAN_MEANT = 0.9
"""Of that step's fit: what longer paths have at most."""
ONLY_SPELLING = "ranked by spelling alone, because there is no text encoder"


@dataclass(frozen=True, slots=True)
class Proposal:
    """Relation paths for a question.

    :ivar paths: best first; scores are 0..1 and compare across topics of one question
    :ivar scored: how many paths were looked at
    :ivar least_fit: what scores less does not answer the question
    :ivar least_share: of the best score: what has less is no answer where better paths lead nowhere either
    :ivar notes: what the reader of an answer should know
    :ivar doubted: where nothing is proposed for doubt alone: how likely it is that any path answers the question, and
        how likely it must be
    :ivar unknown: where nothing is proposed: the word of the question for what the graph does not know
    """

    paths: tuple[Scored[Path], ...]
    scored: int
    least_fit: float = LEAST_FIT
    notes: tuple[str, ...] = ()
    least_share: float = LEAST_SHARE
    doubted: tuple[float, float] | None = None
    unknown: str = ""


def propose(
    question: str,
    start_codes: Sequence[str],
    schema: Schema,
    max_hops: int = 3,
    limit: int = 32,
    *,
    directed: bool = True,
) -> Steps[Proposal]:
    """The relation paths that fit a question best, among those that the schema allows.

    :param question: with its topic masked by :func:`kgqa_graphdb.rank.question.mask_mention`
    :param start_codes: the steps that leave the topic; codes that the mapping does not have are left out
    :param limit: paths to return at most
    :param directed: the question says which way its topic is left; not so a text that was made of a few of its words
    """
    asked = read_question(question, schema.vocabulary)
    starts = schema.start_rows(start_codes)
    opposed = schema.opposed(asked.words)
    starts = starts[~opposed[starts]]
    relative = schema.directions.relative(asked.masked) if directed else None
    if relative is not None:
        known = bool(relative.steps) and relative.steps[0] in starts and len(relative.steps) <= max_hops
        to_relative = (Scored(schema.path(relative.steps), RELATIVE_FIT),) if known else ()
        unknown = "" if relative.steps else relative.noun
        return Proposal(to_relative, len(to_relative), notes=asked.notes, unknown=unknown)
    way = directions_of(asked, schema, starts) if directed else None
    if way is not None:
        starts = starts[way.admits(starts[:, None])]
        if way.alone and asked.kind == "person" and not asked.noun:
            starts = np.array([row for row in starts.tolist() if _may_be_who(row, asked, schema)], dtype=np.int64)
    notes, least = asked.notes, LEAST_FIT
    try:
        evidence = yield from gather_evidence(asked, schema, starts)
        rows, words, scored = _beam(evidence, schema, starts, max_hops, max(limit, MAX_EMBEDDED), way, opposed)
        texts = tuple(path_text(schema.path(path), language=schema.language) for path in rows)
        scores = (
            combine(words, (yield from cosines_of(texts, evidence.vector)))
            if evidence.vector is not None
            else combine(words, None)
        )
    except EncoderError as error:
        rows, scores, scored = yield from _by_spelling(asked, schema, starts, max_hops, limit, way, opposed)
        notes, least = (*asked.notes, f"{ONLY_SPELLING}: {error}"), LEAST_FIT_BY_SPELLING
    if way is not None and way.alone:
        scores = _direct_first(rows, scores)
    whole = [index for index, path in enumerate(rows) if way is None or way.says_all(path)]
    order = sorted(whole, key=lambda index: (-scores[index], len(rows[index]), rows[index]))[:limit]
    paths = tuple(Scored(schema.path(rows[index]), float(scores[index])) for index in order)
    return Proposal(paths=paths, scored=scored, least_fit=least, notes=notes)


def _may_be_who(row: int, asked: Asked, schema: Schema) -> bool:
    """Whether a step may lead to who is asked for: nobody is a value that no word speaks of."""
    if not schema.terminal[row]:
        return True
    relation, root = schema.steps[row].relation, schema.language.root
    own = {root(word) for word in f"{schema.language.words_of(relation.id)} {relation.phrase}".lower().split()}
    return not own.isdisjoint(map(root, asked.words))


def directions_of(asked: Asked, schema: Schema, starts: Ints) -> Directed | None:
    """What a question says of the way that its topic is left; ``None``: nothing that is known.

    :param starts: rows of the steps that leave the topic
    """
    of_topic = [word for word, apposed in zip(asked.words, asked.apposed, strict=True) if apposed]
    return schema.directions.of(asked.masked, asked.words, starts, of_topic, sharing=asked.sharing)


def _direct_first(rows: Sequence[tuple[int, ...]], scores: Floats) -> Floats:
    """The scores of paths of which the first step is all that the question says: others go on from there."""
    direct = np.array([len(path) == 1 for path in rows], dtype=bool)
    raised: Floats = np.where(direct, np.maximum(scores, MEANT_FIT), scores).astype(np.float32)
    if direct.any():
        raised[~direct] = np.minimum(raised[~direct], LONGER_THAN_MEANT * raised[direct].max())
    return raised


def _by_spelling(
    asked: Asked, schema: Schema, starts: Ints, max_hops: int, limit: int, way: Directed | None, opposed: Bools
) -> Steps[tuple[list[tuple[int, ...]], Floats, int]]:
    evidence = yield from gather_evidence(asked, schema, None)
    rows, words, scored = _beam(evidence, schema, starts, max_hops, limit, way, opposed)
    return rows, combine(words, None), scored


def _beam(
    evidence: Evidence,
    schema: Schema,
    starts: Ints,
    max_hops: int,
    limit: int,
    way: Directed | None,
    opposed: Bools,
) -> tuple[list[tuple[int, ...]], Floats, int]:
    """The best paths by their words.

    :param opposed: shape (steps,): those that say the opposite of the question, which no path walks
    :return: paths as step numbers, best first; their word scores; how many were scored
    """
    allowed = _allowed(evidence, schema) & ~opposed
    frontier = starts[:, None]
    found: list[tuple[int, ...]] = []
    scores: list[Floats] = []
    scored = 0
    for hop in range(max_hops):
        if hop:
            frontier = _expand(frontier, schema, allowed)
            if way is not None:
                frontier = frontier[way.admits(frontier)]
        if not len(frontier):
            break
        level = score_words(evidence, schema, frontier)
        scored += len(frontier)
        order = np.argsort(-level, kind="stable")
        best = order[:limit]
        found += [tuple(path) for path in frontier[best].tolist()]
        scores.append(level[best])
        frontier = frontier[order[:MAX_BEAM]]
    if not found:
        return [], np.zeros(0, dtype=np.float32), scored
    together = np.concatenate(scores)
    # Of equal paths the shorter one comes first: the order of ``found``.
    order = np.argsort(-together, kind="stable")[:limit]
    return [found[index] for index in order], together[order], scored


def _allowed(evidence: Evidence, schema: Schema) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which steps a question may walk after the first, shape (steps,)."""
    count = len(schema.steps)
    if count <= 2 * MAX_FOLLOWERS:
        return np.ones(count, dtype=bool)
    relevance = evidence.kind.copy()
    if len(evidence.match):
        relevance = relevance + evidence.match.max(axis=0)
    best = np.argpartition(-relevance, MAX_FOLLOWERS)[:MAX_FOLLOWERS]
    allowed = np.zeros(count, dtype=bool)
    allowed[best] = True
    allowed[best ^ 1] = True
    return allowed


def _expand(frontier: Ints, schema: Schema, allowed: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Ints:
    """All ways to walk one step on, best paths first, until :data:`MAX_EXPANDED` is reached."""
    parts: list[Ints] = []
    total = 0
    for path in frontier:
        last = int(path[-1])
        steps = schema.followers(last)
        steps = steps[allowed[steps] | (steps == last ^ 1)]
        parts.append(np.column_stack([np.repeat(path[None], len(steps), axis=0), steps]))
        total += len(steps)
        if total >= MAX_EXPANDED:
            break
    hops = frontier.shape[1] + 1
    expanded: Ints = np.concatenate([np.zeros((0, hops), dtype=np.int64), *parts])[:MAX_EXPANDED]
    return expanded
