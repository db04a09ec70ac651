"""The untrained ranker of relation paths."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Self

import numpy as np

from kgqa_graphdb.errors import EncoderError
from kgqa_graphdb.language.masking import swap_topics
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.rank.direction import Directed
from kgqa_graphdb.rank.pairs import pair_text, score_pairs
from kgqa_graphdb.rank.propose import PathProbe, Proposal, directions_of, propose
from kgqa_graphdb.rank.question import read_question
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.score import combine, cosines_of, gather_evidence, score_words
from kgqa_graphdb.rank.text import path_text
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Scored


class PathRanker:
    """Ranks relation paths of one graph against questions, without training.

    A path's score is a blend of three kinds of evidence: the cosine of the question and the path said in words; how
    well words of the question and steps of the path can be laid side by side, both ways; and whether what the path
    arrives at is what the question asks for. Words are compared by spelling and by embedding. The number of hops is
    not given. Without an encoder only spelling is left.
    """

    scores_are_probabilities = False
    in_domain = False

    def __init__(self, mapping: GraphMapping, schema: Schema | None = None) -> None:
        self.schema = schema or Schema(mapping)

    def prepare(self) -> Steps[None]:
        """Embed the schema's words now, so that the first question does not wait for them.

        :raises EncoderError: there is no encoder
        """
        yield from self.schema.embed()

    @property
    def untrained(self) -> Self:
        """This one."""
        return self

    def propose(
        self,
        question: str,
        start_codes: Sequence[str],
        max_hops: int = 3,
        limit: int = 32,
        look: PathProbe | None = None,
        *,
        directed: bool = True,
    ) -> Steps[Proposal]:
        """The best paths that the schema allows; see :func:`kgqa_graphdb.rank.propose.propose`."""
        return (yield from propose(question, start_codes, self.schema, max_hops, limit, directed=directed))

    def directed(self, question: str, start_codes: Sequence[str]) -> Directed | None:
        """What a question says of the way that its topic is left; ``None``: nothing that is known.

        :param question: with its topic masked by :func:`kgqa_graphdb.rank.question.mask_mention`
        """
        asked = read_question(question, self.schema.vocabulary)
        return directions_of(asked, self.schema, self.schema.start_rows(start_codes))

    def meant(self, question: str, start_codes: Sequence[str]) -> tuple[str, ...]:
        """The codes of the steps of which a question means one and nothing else, whether its topic has them or not.

        :param question: with its topic masked by :func:`kgqa_graphdb.rank.question.mask_mention`
        """
        way = self.directed(question, start_codes)
        return self.schema.codes(np.flatnonzero(way.meant).tolist()) if way is not None and way.alone else ()

    def propose_fallback(
        self, question: str, start_codes: Sequence[str], max_hops: int = 3, look: PathProbe | None = None
    ) -> Steps[Proposal]:
        """Nothing: what fits was proposed."""
        yield from ()
        return Proposal((), 0)

    def confidence(self, score: float) -> float:
        """The score itself: nobody has seen how often it is right."""
        return min(1.0, score)

    def rank(self, question: str, candidates: Sequence[Follow]) -> Steps[tuple[Scored[Follow], ...]]:
        """Rank plans by how well their paths fit a question.

        :param question: with its topic masked by :func:`kgqa_graphdb.rank.question.mask_mention`
        :return: all candidates, best first; equal scores keep shorter paths, then the given order, first
        """
        scores = yield from self.scores(question, [self.schema.rows(candidate.path) for candidate in candidates])
        ranked = [Scored(candidate, score) for candidate, score in zip(candidates, scores, strict=True)]
        return tuple(sorted(ranked, key=lambda scored: (-scored.score, len(scored.item.path))))

    def scores(self, question: str, paths: Sequence[tuple[int, ...]]) -> Steps[list[float]]:
        """How well each path fits a question, 0..1.

        :param question: with its topic masked by :func:`kgqa_graphdb.rank.question.mask_mention`
        :param paths: as rows of steps
        """
        if not paths:
            return []
        asked = read_question(question, self.schema.vocabulary)
        distinct = list(dict.fromkeys(paths))
        steps = sorted({row for path in distinct for row in path})
        try:
            evidence = yield from gather_evidence(asked, self.schema, steps)
            texts = tuple(path_text(self.schema.path(path), language=self.schema.language) for path in distinct)
            cosines = None if evidence.vector is None else (yield from cosines_of(texts, evidence.vector))
        except EncoderError:
            evidence, cosines = (yield from gather_evidence(asked, self.schema, None)), None
        words = np.zeros(len(distinct), dtype=np.float32)
        by_length = defaultdict(list)
        for index, path in enumerate(distinct):
            by_length[len(path)].append(index)
        for indices in by_length.values():
            words[indices] = score_words(
                evidence, self.schema, np.array([distinct[index] for index in indices], dtype=np.int64)
            )
        score_of = dict(zip(distinct, combine(words, cosines).tolist(), strict=True))
        return [score_of[path] for path in paths]

    def rank_pairs(
        self, question: str, pairs: Sequence[tuple[Follow, Follow]], start_codes: tuple[Sequence[str], Sequence[str]]
    ) -> Steps[tuple[Scored[tuple[Follow, Follow]], ...]]:
        """Rank intersections of two paths; the scores compare with those of single paths.

        :param question: with both topics masked by :func:`kgqa_graphdb.rank.question.mask_mention`, that of the
            pairs' first paths as the topic, that of their second paths among the others
        :return: all pairs, best first
        """
        if not pairs:
            return ()
        rows = [(self.schema.rows(one.path), self.schema.rows(other.path)) for one, other in pairs]
        asked = read_question(question, self.schema.vocabulary)
        from_other = read_question(swap_topics(question), self.schema.vocabulary)
        steps = sorted({row for pair in rows for path in pair for row in path})
        try:
            evidence = yield from gather_evidence(asked, self.schema, steps)
            texts = tuple(pair_text(one.path, other.path, self.schema.language) for one, other in pairs)
            cosines = None if evidence.vector is None else (yield from cosines_of(texts, evidence.vector))
        except EncoderError:
            evidence, cosines = (yield from gather_evidence(asked, self.schema, None)), None
        scores = combine(score_pairs(evidence, from_other, rows), cosines).tolist()
        ranked = [Scored(pair, score) for pair, score in zip(pairs, scores, strict=True)]
        return tuple(sorted(ranked, key=lambda scored: -scored.score))
