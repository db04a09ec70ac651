"""A ranker of relation paths that was trained: its beams over the schema, many questions at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from kgqa_graphdb.encode import CHARACTERS
from kgqa_graphdb.language.masking import swap_topics
from kgqa_graphdb.language.names import scope_of
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.rank.blas import one_thread
from kgqa_graphdb.rank.calibration import Calibration
from kgqa_graphdb.rank.choices import NO_ROWS, Choices, choices_of, likeliest
from kgqa_graphdb.rank.decoder import log_softmax
from kgqa_graphdb.rank.model import PathModelFiles
from kgqa_graphdb.rank.paths import PathRanker
from kgqa_graphdb.rank.propose import LEAST_FIT, PathProbe, Proposal
from kgqa_graphdb.rank.question import Asked, read_question
from kgqa_graphdb.rank.recent import RecentTokens
from kgqa_graphdb.rank.rerank import reranked
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.search import RerankRequest, SearchRequest, SearchResult
from kgqa_graphdb.rank.text import path_text
from kgqa_graphdb.steps import Compute, Steps, ask, together
from kgqa_graphdb.types import Floats, Ints, Scored

MAX_BEAM = 16
"""Paths of a question that are carried on."""
LEAST_SHARE = 0.01
"""Of the best path's probability: where that leads nowhere, what is less likely is no answer either. Of 100 of MetaQA's
dev questions whose facts were deleted 18 are answered, with half the score and a note; .2 answers 13, the AUROC of the
scores is .99 with either, and leaves out right paths that no training had, beside ones that only the schema allows."""
UNASKED_SHARE = 0.002
"""That share on a graph of which no pairs were learned: composed questions leave too little doubt what is meant."""
RERANKED = 32
"""Paths of a question that are ranked again, where the model has a reranker."""
RECONSIDERED = 8
"""Paths of a question that are looked at again."""
DOUBTED_SHARE = 0.5
"""Of the bound on how likely a path must be: what second thoughts need where nobody else can be asked."""
RECONSIDERED_NOTE = "the trained model has doubts that the graph can answer this"
NOTE_OUT_OF_DOMAIN = "answers may be better without it, or once it is trained on this graph's too"
OTHER_ENCODER = "the text encoder is not the one that the model was trained with; train it again"
UNASKED_FIT = 0.002
"""How likely a path at all must be there: composed questions are more regular than people's, and say little of how
likely a right path is. On MetaQA's dev questions, of 1 and 3 hops, .02 loses 6 and 4 points of Hits@1; of 100 questions
off the graph it abstains from 26, this from 14."""
MAX_LOGITS = 4_000_000
"""Paths times steps that are compared at once."""


class _Given(NamedTuple):
    """A question and paths to score, as rows of steps.

    :ivar starts: rows of the steps that leave its topic; empty: any may
    :ivar max_hops: a path of so many is over; ``None``: none is
    """

    text: str
    paths: tuple[tuple[int, ...], ...]
    starts: tuple[int, ...] = ()
    max_hops: int | None = None


@dataclass(slots=True)
class _Beams:
    """Paths on their way, of all questions of a round.

    :ivar owners: shape (paths,): which question each is of; in ascending order
    :ivar paths: shape (paths, hops so far)
    :ivar states: shape (paths, dim); those before the last step
    :ivar log_p: shape (paths,)
    """

    owners: Ints
    paths: Ints
    states: Floats
    log_p: Floats


class TrainedRanker:
    """Ranks relation paths of one graph by a trained model. A score is a probability.

    :param model: the saved model; its encoder reads questions
    :param abstain_below: how likely a path at all must be, without second thoughts; ``None``: what the model says
    :ivar in_domain: the model was trained for this graph: on pairs of it or, where it knows no pairs, on its relations
    :ivar reranker: ranks again what :meth:`search` finds, in :meth:`rerank`; ``None``: nothing does
    """

    scores_are_probabilities = True

    def __init__(
        self, mapping: GraphMapping, model: PathModelFiles, schema: Schema | None = None,
        abstain_below: float | None = None,
    ) -> None:  # fmt: skip
        self.schema = schema or Schema(mapping)
        self.model = model
        self._words: Floats | None = None
        self._steps: Floats | None = None
        self._tokens = RecentTokens(model.encoder)
        self.untrained = PathRanker(mapping, self.schema)
        own = {step.relation.id for step in self.schema.steps}
        new = own - model.relations if model.relations else frozenset()
        asked, learned = (2 * len(own & known) >= len(own) for known in (model.asked, model.relations))
        self.in_domain = asked if model.asked else learned
        self.reranker = model.reranker if asked else None
        learned_fit = model.least_fit if asked else min(model.least_fit, UNASKED_FIT)
        self.least_fit = learned_fit if abstain_below is None else abstain_below
        self._reconsiders = abstain_below is None
        self.least_share = LEAST_SHARE if asked else UNASKED_SHARE
        self.calibration = model.calibration if asked else Calibration()
        note = f"the model was trained on other relations: {len(new):,} of this graph's {len(own):,} are new to it"
        self._notes = (note if 2 * len(new) < len(own) else f"{note}; {NOTE_OUT_OF_DOMAIN}",) if new else ()

    def propose(
        self,
        question: str,
        start_codes: Sequence[str],
        max_hops: int = 3,
        limit: int = 32,
        look: PathProbe | None = None,
    ) -> Steps[Proposal]:
        """The likeliest paths that the schema allows; none where it is likelier that there is none.

        :param question: with its topic masked by :func:`kgqa_graphdb.rank.question.mask_mention`
        :param start_codes: the steps that leave the topic; codes that the mapping does not have are left out
        :param look: tells a reranker what paths lead to
        :raises EncoderError: the model's encoder can't be run
        """
        asked, found = yield from self._searched(question, start_codes, max_hops, limit)
        if self._is_likely(found.nothing):
            found = yield from self._ranked_again(asked, found, limit, look)
        return self.proposal(found.paths, found.nothing, found.looked, asked.notes)

    def proposal(
        self, likely: Sequence[tuple[tuple[int, ...], float]], nothing: float, looked: int, notes: Iterable[str]
    ) -> Proposal:
        """What is proposed of the likeliest paths: nothing where it is likelier that there is none.

        :param likely: as rows of steps with their probabilities, best first
        :param notes: on how the question was read
        """
        trained_with = self.model.card.encoder_fingerprint
        changed = bool(trained_with) and trained_with != self.model.encoder.fingerprint
        all_notes = (*self._notes, *((OTHER_ENCODER,) if changed else ()), *notes)
        if not self._is_likely(nothing):
            doubted = (1 - nothing, self.least_fit) if likely else None
            return Proposal((), looked, 0.0, all_notes, self.least_share, doubted)
        paths = tuple(Scored(self.schema.path(path), score) for path, score in likely)
        return Proposal(paths, looked, 0.0, all_notes, self.least_share)

    def propose_fallback(
        self, question: str, start_codes: Sequence[str], max_hops: int = 3, look: PathProbe | None = None
    ) -> Steps[Proposal]:
        """The paths that were not proposed because it is likelier that there is none, but whose words fit all the same.

        What people ask in words that were never shown looks to a network like what the graph knows nothing of; the
        untrained ranker's doubts are others.

        Where characters were learned there is no second opinion, for the usual encoder can't read such languages; what
        is likely enough to be proposed with a note is proposed.

        :raises EncoderError: the model's encoder can't be run
        """
        if not self._reconsiders:
            return Proposal((), 0)
        _, found = yield from self.found(question, start_codes, max_hops, RECONSIDERED, look)
        if self.model.card.encoder == CHARACTERS:
            likely = 1 - found.nothing >= DOUBTED_SHARE * self.least_fit
            fits = [LEAST_FIT if likely else 0.0] * len(found.paths)
        else:
            fits = yield from self.untrained.scores(question, [path for path, _ in found.paths])
        paths = tuple(
            Scored(self.schema.path(path), score)
            for (path, score), fit in zip(found.paths, fits, strict=True)
            if fit >= LEAST_FIT
        )
        return Proposal(paths, found.looked, 0.0, (RECONSIDERED_NOTE,) if paths else (), self.least_share)

    def found(
        self, question: str, codes: Sequence[str], max_hops: int, limit: int, look: PathProbe | None = None
    ) -> Steps[tuple[Asked, SearchResult]]:
        """A question as it is read, and its likeliest paths, ranked again where there is a reranker."""
        asked, found = yield from self._searched(question, codes, max_hops, limit)
        return asked, (yield from self._ranked_again(asked, found, limit, look))

    def _searched(
        self, question: str, codes: Sequence[str], max_hops: int, limit: int
    ) -> Steps[tuple[Asked, SearchResult]]:
        asked = read_question(question, self.schema.vocabulary)
        found: SearchResult = yield from ask(
            Compute(self.search, SearchRequest(asked.text, self._starts(codes), max_hops, limit))
        )
        return asked, found

    def _ranked_again(
        self, asked: Asked, found: SearchResult, limit: int, look: PathProbe | None
    ) -> Steps[SearchResult]:
        if not self.reranker or not found.paths:
            return found
        ends = (yield from look([self.schema.path(path) for path, _ in found.paths])) if look else None
        again: SearchResult = yield from ask(Compute(self.rerank, RerankRequest(asked.text, found, ends, limit)))
        return again

    def _is_likely(self, nothing: float) -> bool:
        """Whether any path is likely enough to answer, by the probability that there is none."""
        return self.least_fit <= 0 or 1 - nothing >= self.least_fit  # ``nothing`` may be rounded to more than 1

    def scores(
        self,
        question: str,
        paths: Sequence[tuple[int, ...]],
        codes: Sequence[str] = (),
        max_hops: int | None = None,
    ) -> Steps[list[float]]:
        """How likely each path is, as rows of steps, among all that its steps could have been.

        :param codes: the steps that leave the topic; none: any may
        :param max_hops: that a path may have; ``None``: any number
        """
        if not paths:
            return []
        asked = read_question(question, self.schema.vocabulary)
        given = _Given(asked.text, tuple(paths), self._starts(codes), max_hops)
        found: Floats = yield from ask(Compute(self._score, given))
        return [float(score) for score in found]

    def _starts(self, codes: Iterable[str]) -> tuple[int, ...]:
        """Rows of the steps that the schema has."""
        return tuple(sorted({self.schema.row_of[code] for code in codes if code in self.schema.row_of}))

    def confidence(self, score: float) -> float:
        """How often answers by paths of this probability are right."""
        return float(self.calibration.of(score))

    def rank(self, question: str, candidates: Sequence[Follow]) -> Steps[tuple[Scored[Follow], ...]]:
        """Rank plans by how likely their paths are; best first, of equals the shorter, then the given order."""
        scores = yield from self.scores(question, [self.schema.rows(candidate.path) for candidate in candidates])
        ranked = [Scored(candidate, score) for candidate, score in zip(candidates, scores, strict=True)]
        return tuple(sorted(ranked, key=lambda scored: (-scored.score, len(scored.item.path))))

    def rank_pairs(
        self, question: str, pairs: Sequence[tuple[Follow, Follow]], start_codes: tuple[Sequence[str], Sequence[str]]
    ) -> Steps[tuple[Scored[tuple[Follow, Follow]], ...]]:
        """Rank intersections of two paths, each read from its own topic; best first."""
        texts = (question, swap_topics(question))
        sides = [[self.schema.rows(pair[side].path) for pair in pairs] for side in (0, 1)]
        first, second = yield from together(
            self.scores(text, paths, codes) for text, paths, codes in zip(texts, sides, start_codes, strict=True)
        )
        scores = np.sqrt(np.multiply(first, second)).tolist()
        ranked = [Scored(pair, score) for pair, score in zip(pairs, scores, strict=True)]
        return tuple(sorted(ranked, key=lambda scored: -scored.score))

    def step_rows(self) -> Floats:
        """The schema's steps as the network sees them, shape (steps + 2, dim)."""
        if self._steps is None:
            self._steps = self.model.decoder.steps(self.step_words())
        return self._steps

    def step_words(self) -> Floats:
        """Vectors of the words of the schema's steps, shape (steps, width)."""
        if self._words is None:
            self._words = self.model.encoder.encode(step_texts(self.schema))
        return self._words

    # ── many questions at a time ─────────────────────────────────────────────────────────────────────────────────────

    def search(self, items: Sequence[SearchRequest]) -> list[SearchResult]:
        """The likeliest paths of each question, by the network alone; for a reranker at least :data:`RERANKED`.

        :raises EncoderError: the model's encoder can't be run
        """
        if self.reranker:
            items = [item._replace(limit=max(item.limit, RERANKED)) for item in items]
        distinct = list(dict.fromkeys(items))
        at_once = max(1, MAX_LOGITS // (MAX_BEAM * (len(self.schema.steps) + 2)))
        with one_thread():
            chunks = (distinct[start : start + at_once] for start in range(0, len(distinct), at_once))
            found = dict(zip(distinct, (result for some in chunks for result in self._search(some)), strict=True))
        return [found[item] for item in items]

    def rerank(self, items: Sequence[RerankRequest]) -> list[SearchResult]:
        """What was found for each question, in the order of the reranker and the network together.

        :raises EncoderError: the reranker's encoder can't be run
        """
        if not self.reranker:
            return [item.found._replace(paths=item.found.paths[: item.limit]) for item in items]
        again, words = [], self.step_words()
        with one_thread():
            vectors = self.reranker.read([item.text for item in items])
            for (_, found, ends, limit), vector in zip(items, vectors, strict=True):
                scores = self.reranker.scores(vector, [path for path, _ in found.paths], self.schema, words, ends)
                again.append(found._replace(paths=reranked(found.paths, scores)[:limit]))
        return again

    def _search(self, items: Sequence[SearchRequest]) -> list[SearchResult]:
        decoder, steps = self.model.decoder, self.step_rows()
        reading = decoder.read(self._tokens.read([item.text for item in items]))
        count = len(items)
        done: list[list[tuple[tuple[int, ...], float]]] = [[] for _ in items]
        looked, nothing = np.zeros(count, dtype=np.int64), np.ones(count)
        owners = np.arange(count)
        beams = _Beams(owners, np.zeros((count, 0), dtype=np.int64), decoder.begin(count), np.zeros(count, np.float32))
        for hop in range(max(item.max_hops for item in items) + 1):
            choices = self._choices(beams, items)
            columns, allowed = choices.columns, choices.allowed
            logits = np.zeros(allowed.shape, dtype=np.float32)
            going_on = allowed[:, :-2].any(axis=1)  # the others can but stop: nothing is computed for them
            if hop and going_on.any():
                beams.states[going_on] = decoder.advance(beams.states[going_on], steps[beams.paths[going_on, -1]])
            if going_on.any():
                own = beams.owners[going_on]
                logits[going_on] = decoder.score(beams.states[going_on], reading, own, steps[columns])
            log_p = beams.log_p[:, None] + log_softmax(logits, allowed)
            if not hop:
                nothing = np.exp(log_p[:, -1])
            looked += np.bincount(beams.owners, allowed.sum(axis=1), minlength=count).astype(np.int64)
            for row in range(len(beams.owners)) if hop else ():
                done[beams.owners[row]].append((tuple(beams.paths[row].tolist()), float(np.exp(log_p[row, -2]))))
            rows, places = likeliest(beams.owners, log_p[:, :-2], count, MAX_BEAM)
            chosen = columns[places]
            if not len(rows):
                break
            beams = _Beams(
                beams.owners[rows],
                np.column_stack([beams.paths[rows], chosen]),
                beams.states[rows],
                log_p[rows, places],
            )
        return [
            SearchResult(sorted(paths, key=lambda one: (-one[1], len(one[0]), one[0]))[: item.limit], none, number)
            for paths, item, none, number in zip(done, items, nothing.tolist(), looked.tolist(), strict=True)
        ]

    def _choices(self, beams: _Beams, items: Sequence[SearchRequest]) -> Choices:
        """What may come next."""
        hop = beams.paths.shape[1]
        owners = [items[owner] for owner in beams.owners.tolist()]
        if hop == 0:
            after = [np.array(item.starts, dtype=np.int64) for item in owners]
        else:
            lasts = beams.paths[:, -1].tolist()
            after = [
                self.schema.followers(last) if hop < item.max_hops else NO_ROWS
                for last, item in zip(lasts, owners, strict=True)
            ]
        return choices_of(after, len(self.schema.steps), begun=hop > 0)

    def _score(self, items: Sequence[_Given]) -> list[Floats]:
        """The probability of each path of each question, among all that its steps could have been."""
        with one_thread():
            return self._score_paths(items)

    def _score_paths(self, items: Sequence[_Given]) -> list[Floats]:
        decoder, steps = self.model.decoder, self.step_rows()
        stop = len(steps) - 2
        every = np.arange(stop)
        begun = [
            np.union1d(item.starts, [path[0] for path in item.paths if path]).astype(np.int64) if item.starts else every
            for item in items
        ]
        reading = decoder.read(self._tokens.read([item.text for item in items]))
        owners = np.array([number for number, item in enumerate(items) for _ in item.paths], dtype=np.int64)
        paths = [path for item in items for path in item.paths]
        states, log_p = decoder.begin(len(paths)), np.zeros(len(paths), dtype=np.float32)
        for hop in range(max(map(len, paths), default=-1) + 1):
            live = np.array([row for row, path in enumerate(paths) if hop <= len(path)])
            chosen = np.array([paths[row][hop] if hop < len(paths[row]) else stop for row in live])
            after = [begun[owner] for owner in owners[live].tolist()]
            if hop:  # a path that the schema would not allow is scored as one of those that it does
                after = [
                    NO_ROWS if hop == items[owners[row]].max_hops else self.schema.followers(paths[row][hop - 1])
                    for row in live
                ]
                after = [np.append(rows, row) if row < stop else rows for rows, row in zip(after, chosen, strict=True)]
            choices = choices_of(after, stop, begun=hop > 0)
            logits = decoder.score(states[live], reading, owners[live], steps[choices.columns])
            own = np.searchsorted(choices.columns, chosen)
            log_p[live] += log_softmax(logits, choices.allowed)[np.arange(len(live)), own]
            states[live] = decoder.advance(states[live], steps[chosen])
        bounds = np.cumsum([0, *(len(item.paths) for item in items)])
        return [np.exp(log_p[start:end]) for start, end in pairwise(bounds)]


def step_texts(schema: Schema) -> list[str]:
    """What each step is known by; relations of one name differ by what stands before it in their ids."""
    scopes = (scope_of(step.relation.id) for step in schema.steps)
    texts = (path_text((step,), language=schema.language) for step in schema.steps)
    return [f"{scope}: {text}" if scope else text for scope, text in zip(scopes, texts, strict=True)]
