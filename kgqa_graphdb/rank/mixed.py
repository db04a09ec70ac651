"""A trained ranker on a graph that it was not trained for: what it learned elsewhere, with what words alone say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kgqa_graphdb.encode import CHARACTERS
from kgqa_graphdb.language.masking import swap_topics
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.rank.model import PathModelFiles
from kgqa_graphdb.rank.propose import PathProbe, Proposal
from kgqa_graphdb.rank.rerank import PathRows
from kgqa_graphdb.rank.trained import TrainedRanker
from kgqa_graphdb.steps import Steps, together
from kgqa_graphdb.types import Scored

WORDS_WEIGHT = 20.0
"""What the untrained ranker's score counts beside the log of the network's probability.

Of 100 questions of each set whose graph was left out, with 20 more are right than with 40 at 2 hops of PathQuestion (2)
and of PathQuestion-Large (9), fewer at 3 hops of PathQuestion (2) and of MetaQA (4), and as many elsewhere.
"""
DOUBT = 0.05
"""Added to the network's probabilities: what it holds for impossible may be right all the same.

Beside .01 this gains 5 of those 100 questions at MetaQA's 3 hops; elsewhere one, none, or one less.
"""
MIXED_SHARE = 1e-6
"""Of the best path's probability: where that leads nowhere, what is less likely is no answer either."""


@dataclass(frozen=True, slots=True)
class _Scores:
    """Of a question's paths.

    :ivar paths: with their probabilities, best first
    """

    paths: dict[PathRows, float]
    nothing: float
    looked: int
    notes: tuple[str, ...]


class MixedRanker:
    """Ranks relation paths of one graph by a trained model and by the untrained ranker; a score is a probability.

    What a network learned of other graphs' relations is often wrong of this one's, and what words say by themselves is
    often not enough; both are seldom wrong together. Each proposes paths, all are scored by both, and the scores are
    multiplied: ``(p + DOUBT) · exp(WORDS_WEIGHT · fit)``, in sum as likely as the network holds any path to be.
    """

    scores_are_probabilities = True
    in_domain = False

    def __init__(self, trained: TrainedRanker) -> None:
        self._trained = trained
        self.untrained = trained.untrained
        self.schema = trained.schema

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
        :raises EncoderError: the model's encoder can't be run
        """
        scores = yield from self._scores(question, start_codes, max_hops, limit)
        likely = list(scores.paths.items())[:limit]
        proposal = self._trained.proposal(likely, scores.nothing, scores.looked, scores.notes)
        return replace(proposal, least_share=MIXED_SHARE)

    def propose_fallback(
        self, question: str, start_codes: Sequence[str], max_hops: int = 3, look: PathProbe | None = None
    ) -> Steps[Proposal]:
        """As :meth:`TrainedRanker.propose_fallback`."""
        return (yield from self._trained.propose_fallback(question, start_codes, max_hops, look))

    def confidence(self, score: float) -> float:
        """How often answers by paths of this probability are right."""
        return self._trained.confidence(score)

    def rank(self, question: str, candidates: Sequence[Follow]) -> Steps[tuple[Scored[Follow], ...]]:
        """Rank plans by how likely their paths are; best first, of equals the shorter, then the given order."""
        rows = [self.schema.rows(candidate.path) for candidate in candidates]
        starts = {candidate.path[0].code for candidate in candidates}
        scores = yield from self._scores(question, sorted(starts), also=rows)
        ranked = [Scored(one, scores.paths[path]) for one, path in zip(candidates, rows, strict=True)]
        return tuple(sorted(ranked, key=lambda scored: (-scored.score, len(scored.item.path))))

    def rank_pairs(
        self, question: str, pairs: Sequence[tuple[Follow, Follow]], start_codes: tuple[Sequence[str], Sequence[str]]
    ) -> Steps[tuple[Scored[tuple[Follow, Follow]], ...]]:
        """Rank intersections of two paths, each read from its own topic; best first."""
        if not pairs:
            return ()
        sides = [[self.schema.rows(pair[side].path) for pair in pairs] for side in (0, 1)]
        first, second = yield from together(
            self._scores(text, codes, also=rows)
            for text, codes, rows in zip((question, swap_topics(question)), start_codes, sides, strict=True)
        )
        scores = [(first.paths[one] * second.paths[other]) ** 0.5 for one, other in zip(*sides, strict=True)]
        ranked = [Scored(pair, score) for pair, score in zip(pairs, scores, strict=True)]
        return tuple(sorted(ranked, key=lambda scored: -scored.score))

    def _scores(
        self, question: str, codes: Sequence[str], max_hops: int = 3, limit: int = 32, also: Iterable[PathRows] = ()
    ) -> Steps[_Scores]:
        """What each of the two proposes, and other paths, as both see them."""
        asked, found = yield from self._trained.found(question, codes, max_hops, limit)
        guessed = yield from self.untrained.propose(question, codes, max_hops, limit)
        notes = tuple(dict.fromkeys((*asked.notes, *guessed.notes)))
        likely = dict(found.paths)
        fits = {self.schema.rows(scored.item): scored.score for scored in guessed.paths}
        way = self.untrained.directed(question, codes)
        proposed = (path for path in (*likely, *fits) if way is None or way.admits_path(path))
        paths = tuple(dict.fromkeys((*proposed, *also)))
        unlikely = tuple(path for path in paths if path not in likely)
        unguessed = tuple(path for path in paths if path not in fits)
        rest, others = yield from together(
            (self._trained.scores(question, unlikely, codes, max_hops), self.untrained.scores(question, unguessed))
        )
        likely |= dict(zip(unlikely, rest, strict=True))
        fits |= dict(zip(unguessed, others, strict=True))
        if not paths:
            return _Scores({}, found.nothing, found.looked, notes)
        log_p = np.log([likely[path] + DOUBT for path in paths])
        log_p += WORDS_WEIGHT * np.array([fits[path] for path in paths])
        mixed = np.exp(log_p - log_p.max())
        mixed *= (1 - found.nothing) / mixed.sum()
        order = sorted(zip(paths, mixed.tolist(), strict=True), key=lambda one: (-one[1], len(one[0]), one[0]))
        return _Scores(dict(order), found.nothing, found.looked + guessed.scored, notes)


def make_ranker(
    mapping: GraphMapping, model: PathModelFiles, abstain_below: float | None = None
) -> TrainedRanker | MixedRanker:
    """The ranker of a model for one graph: mixed where what it learned was of other graphs.

    What was composed from a graph's own relations is no habit of another graph's: a network that was shown nothing else
    is better alone. So is one of characters: the usual encoder can't read languages that need it.

    :param abstain_below: see :class:`TrainedRanker`
    """
    trained = TrainedRanker(mapping, model, abstain_below=abstain_below)
    return trained if trained.in_domain or model.card.encoder == CHARACTERS else MixedRanker(trained)
