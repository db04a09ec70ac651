"""How well relation paths fit a question: evidence from its words, from what it asks for, and from its meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kgqa_graphdb.rank.question import Asked
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.spelling import beginnings, similarity
from kgqa_graphdb.steps import Embed, Steps, ask
from kgqa_graphdb.types import Floats, Ints, Vectors

# The weights of the parts and the bounds below are round numbers, chosen on 360 dev questions of MetaQA (120 per number
# of hops): strict Hits@1 75 / 90 / 79 with guessed words and 79 / 95 / 86 with written ones; and checked on 300 of
# PathQuestion, whose questions and relations are of another kind: 74 / 60 % of 2- and 3-hop paths right. The optimum is
# flat: a fifth more or less of a single one moves a cell by some three points.
MEANING_WEIGHT = 1.0
ALIGNED_WEIGHT = 0.5
EXPLAINED_WEIGHT = 0.5
KIND_WEIGHT = 0.5
KIND_FLOOR, KIND_SURE = 0.4, 0.7
"""Cosines of the noun asked for with what a step arrives at: below the first it is no evidence for the step."""
RETURN_PENALTY = 0.07
"""For walking back over the relation just walked where the question does not speak of things in common."""
RARE_PENALTY = 0.2
"""A step that hardly any entity reached can be left by: most often two entities that share a name."""
HOP_PENALTY = 0.01
"""For each hop after the first: of paths that fit alike the shorter one is meant."""

# Cosines of single words: below the first they say nothing, from the second on the words mean the same.
UNRELATED, SYNONYMS = 0.3, 0.75
ABOVE_MEAN = 0.1
"""A word that is near to all of the schema's words tells nothing: only what lies so far above its mean counts."""
RETURN_MATCH = 0.8
"""What a step back over the same relation is worth where the question speaks of things in common."""
SHARING_SHARE = 0.5
"""What the words for things in common weigh among those that a path must explain."""
MIN_EXPLAINABLE = 0.3
"""A question whose words hardly match anything in the schema gets no credit for matching all of it."""
MAX_SPELLED = 256
"""Steps of a very large schema whose words are embedded because the question has some of them."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A question against a schema.

    :ivar match: shape (content words, steps), 0..1: how well a word fits a step
    :ivar kind: shape (steps,), centred on 0: how well what a step arrives at fits what is asked for
    :ivar vector: shape (dim,): the question's embedding; ``None`` without an encoder
    """

    asked: Asked
    match: Floats
    kind: Floats
    vector: Floats | None


def gather_evidence(asked: Asked, schema: Schema, rows: Ints | Sequence[int] | None) -> Steps[Evidence]:
    """Compare a question's words with a schema's.

    :param rows: steps that the question is about, such as those that leave its topic; ``None``: compare spellings only
    :raises EncoderError: there is no encoder, though there were rows
    """
    same = np.zeros((len(asked.words), len(schema.words)), dtype=np.float32)  # (content words, schema words)
    for place, word in enumerate(asked.words):
        for row in {row for one in beginnings(word, schema.language) for row in schema.words_by_prefix.get(one, ())}:
            same[place, row] = similarity(word, schema.words[row], schema.language)
    kind = np.zeros(len(schema.steps), dtype=np.float32)
    if rows is None:
        return Evidence(asked, _by_step(same, schema), kind, None)
    vectors = yield from schema.embed(rows if schema.embeds_all else [*rows, *_spelled(same, schema)])
    texts = (asked.text, *asked.words, *((asked.kind,) if asked.kind else ()))
    embedded = yield from ask(Embed(texts))
    near = embedded[1 : 1 + len(asked.words)] @ vectors.words.T
    known_near = near if vectors.has_word is None else near[:, vectors.has_word]
    mean = known_near.mean(1, keepdims=True) if known_near.size else np.zeros((len(near), 1), dtype=np.float32)
    floor = np.clip(mean + ABOVE_MEAN, UNRELATED, (UNRELATED + SYNONYMS) / 2)
    near = np.clip((near - floor) / (SYNONYMS - floor), 0.0, 1.0)
    if vectors.has_word is not None:
        near[:, ~vectors.has_word] = 0.0
    near[list(asked.apposed)] = 0.0  # "the film X" is no hint of an actor; "the genre X" is one of a genre
    if asked.kind and schema.kinds:
        fits = np.append(vectors.kinds @ embedded[-1], np.float32(-1.0))  # the last stands for no kind
        all_kinds = np.ones(len(schema.kinds), dtype=bool)
        has_kind = np.append(all_kinds if vectors.has_kind is None else vectors.has_kind, False)
        fits[~has_kind] = -1.0
        fit = fits[schema.kind_rows].max(axis=1)  # (steps,)
        known = has_kind[schema.kind_rows].any(axis=1)
        above = fit - fit[known].mean()
        if asked.noun:
            above = np.where(above > 0, above * np.clip((fit - KIND_FLOOR) / (KIND_SURE - KIND_FLOOR), 0.0, 1.0), above)
        kind = np.where(known, above, 0.0).astype(np.float32)
    return Evidence(asked, _by_step(np.maximum(near, same), schema), kind, embedded[0])


def _spelled(same: Floats, schema: Schema) -> list[int]:
    """The steps that share most with a question by spelling."""
    best = _by_step(same, schema).sum(axis=0)
    return [row for row in np.argsort(-best, kind="stable")[:MAX_SPELLED].tolist() if best[row] > 0]


def _by_step(of_words: Floats, schema: Schema) -> Floats:
    """The best that any word of a step does, shape (content words, steps)."""
    filled = np.concatenate([of_words, np.zeros((len(of_words), 1), dtype=np.float32)], axis=1)
    best: Floats = np.zeros((len(of_words), len(schema.steps)), dtype=np.float32)
    for column in range(schema.word_rows.shape[1]):  # a few columns over many steps: faster than one reduction
        np.maximum(best, filled[:, schema.word_rows[:, column]] * schema.word_weights[:, column], out=best)
    return best


def score_words(evidence: Evidence, schema: Schema, paths: Ints) -> Floats:
    """The share of the score that needs no embedding of a path.

    :param paths: shape (paths, hops): step numbers; paths of one length
    :return: shape (paths,); add :data:`MEANING_WEIGHT` times the cosine for the whole
    """
    asked, match = evidence.asked, evidence.match
    returns = paths[:, 1:] == paths[:, :-1] ^ 1  # (paths, hops - 1)
    score = KIND_WEIGHT * evidence.kind[paths[:, -1]] - HOP_PENALTY * (paths.shape[1] - 1)
    score = score - RARE_PENALTY * schema.rare_turns(paths)
    if not asked.sharing:
        score = score - RETURN_PENALTY * returns.sum(axis=1)
    if asked.words and len(paths):
        aligned = np.max([align(match[list(order)], paths, asked.sharing) for order in asked.orders], axis=0)
        found = match[:, paths].max(axis=2).sum(axis=0)
        explainable = match.max(axis=1).sum()
        if asked.sharing:
            found = found + SHARING_SHARE * returns.any(axis=1)
            explainable = explainable + SHARING_SHARE
        # A step explains all words that fit it ("release", "year"), but two words may also stand for two steps ("the
        # child of X's son"): both readings count half.
        explained = (found + np.minimum(aligned, explainable)) / (2 * max(float(explainable), MIN_EXPLAINABLE))
        score = score + ALIGNED_WEIGHT * aligned / paths.shape[1] + EXPLAINED_WEIGHT * explained
    whole: Floats = score.astype(np.float32)
    return whole


def align(match: Floats, paths: Ints, sharing: bool) -> Floats:
    """Give each step a word of its own, words in walking order; the best sum of matches.

    Words near the topic belong to early steps. A step without a word counts 0; one that goes back over the relation
    just walked needs none where the question speaks of things in common ("films that share a director with X").

    :param match: shape (words, steps), words ordered from the topic outwards
    :return: shape (paths,), 0..hops
    """
    best = np.maximum.accumulate(match[:, paths[:, 0]], axis=0)  # (words, paths): using words up to this one
    for hop in range(1, paths.shape[1]):
        before = np.concatenate([np.zeros((1, len(paths)), dtype=np.float32), best[:-1]])
        skipped = best
        if sharing:
            returns = paths[:, hop] == paths[:, hop - 1] ^ 1
            skipped = best + np.where(returns, RETURN_MATCH * match.max(axis=0)[paths[:, hop - 1]], 0.0)
        best = np.maximum.accumulate(np.maximum(before + match[:, paths[:, hop]], skipped), axis=0)
    total: Floats = best[-1]
    return total


def combine(words: Floats, cosines: Floats | None) -> Floats:
    """The whole score, 0..1."""
    weight = ALIGNED_WEIGHT + EXPLAINED_WEIGHT
    if cosines is not None:
        words = words + MEANING_WEIGHT * cosines
        weight += MEANING_WEIGHT
    clipped: Floats = np.clip(words / weight, 0.0, 1.0)
    return clipped


def cosines_of(texts: tuple[str, ...], vector: Floats) -> Steps[Floats]:
    """How near texts are to a question, shape (texts,).

    :raises EncoderError: there is no encoder
    """
    vectors: Vectors = yield from ask(Embed(texts, keep=True))
    near: Floats = vectors @ vector
    return near
