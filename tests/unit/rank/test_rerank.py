"""The reranker: how it scores a path, and what becomes of the order in which paths are proposed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from kgqa_graphdb.graph import EndpointStats
from kgqa_graphdb.rank.memory import Asked, Memory
from kgqa_graphdb.rank.propose import PathProbe
from kgqa_graphdb.rank.recent import MAX_KEPT, RecentTokens
from kgqa_graphdb.rank.rerank import (
    ENDS,
    MEMORY_WEIGHT,
    RERANK_WEIGHT,
    SIZES,
    UNSEEN,
    Learned,
    PathReranker,
    reranked,
    see,
)
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.search import RerankRequest, SearchRequest, SearchResult
from kgqa_graphdb.rank.trained import TrainedRanker
from kgqa_graphdb.steps import Steps, run
from kgqa_graphdb.types import Floats, Path
from tests.unit.rank.networks import WIDTH, WordEncoder, made_model
from tests.unit.rank.test_trained import ASKED, LEAVING, MAPPING, RIVER, Computing

SCHEMA = Schema(MAPPING)
FLOWS, COUNTRY, BORDERS = (SCHEMA.row_of[code] for code in (">flows_into", ">country", ">borders"))
PATHS = [(FLOWS,), (COUNTRY, BORDERS), (COUNTRY,)]


def made_reranker(seed: int = 0, known: float = 1.0) -> PathReranker:
    """One with random weights.

    :param known: how much what was learned of steps and paths says
    """
    rng = np.random.default_rng(seed)
    shapes = {"question.bias": (WIDTH,), "length.bias": (2,), "length.weight": (2, WIDTH)}
    shapes |= {f"{name}.weight": (WIDTH, WIDTH) for name in ("question", "kind", *ENDS)}
    shapes |= {"size.weight": (SIZES, WIDTH), "size.bias": (SIZES,)}
    weights = {name: rng.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}
    tables = [known * rng.normal(0, 0.3, (rows, WIDTH)).astype(np.float32) for rows in (3, 3, 2)]
    learned = Learned([">flows_into", ">country"], [[">country", ">borders"]], *tables)
    asked = WordEncoder().encode(["which sea", "which land"])
    memory = Memory(asked, [[">flows_into"], [">country"]], [Asked(0, 0, 1.0), Asked(1, 1, 1.0)])
    return PathReranker(WordEncoder(), weights | {"scale": np.float32(0.5)}, learned, memory)


def words_of_steps() -> Floats:
    return WordEncoder().encode([step.relation.id for step in SCHEMA.steps])


def log_softmax(fits: Sequence[float]) -> Floats:
    return np.array(fits) - np.log(np.exp(fits).sum())


def test_a_path_is_scored_by_its_words_and_by_what_was_learned_of_it() -> None:
    reranker, words = made_reranker(), words_of_steps()
    (question,) = reranker.read(["which sea is it"])
    weights, learned = reranker.weights, reranker.learned
    assert np.linalg.norm(question) == pytest.approx(1.0, abs=1e-5)
    asked = weights["question.weight"] @ question + weights["question.bias"]
    first, last = (weights[f"{end}.weight"] for end in ENDS)
    vectors = [
        last @ words[FLOWS],
        (first @ words[COUNTRY] + last @ words[BORDERS]) / 2,
        last @ words[COUNTRY],
    ]
    known = [
        learned.first[0] + learned.last[0] + learned.whole[1],
        learned.first[1] + learned.last[2] + learned.whole[0],
        learned.first[1] + learned.last[1] + learned.whole[1],
    ]
    lengths = weights["length.weight"] @ question + weights["length.bias"]
    rest = [lengths[0], lengths[1], lengths[0]]
    sizes = weights["size.weight"] @ question + weights["size.bias"]

    def wanted(kinds: Sequence[Floats | float], rows: Sequence[int]) -> Floats:
        told = [one + weights["kind.weight"] @ np.full(WIDTH, kind) for one, kind in zip(vectors, kinds, strict=True)]
        more = [length + sizes[row] for length, row in zip(rest, rows, strict=True)]
        alone = [np.exp(0.5) * (asked @ one) + beside for one, beside in zip(told, more, strict=True)]
        both = [
            np.exp(0.5) * (asked @ (one + own)) + beside for one, own, beside in zip(told, known, more, strict=True)
        ]
        return (log_softmax(alone) + log_softmax(both)) / 2

    unseen = wanted([0.0, 0.0, 0.0], [UNSEEN, UNSEEN, UNSEEN])
    np.testing.assert_allclose(reranker.log_p(question, PATHS, SCHEMA, words), unseen, atol=1e-4)
    ends = [EndpointStats(0), EndpointStats(5, leaving=((">borders",),)), EndpointStats(1, values=True)]
    borders = words[BORDERS] / np.linalg.norm(words[BORDERS])
    seen = wanted([0.0, borders, 0.0], [0, 3, 8])
    np.testing.assert_allclose(reranker.log_p(question, PATHS, SCHEMA, words, ends), seen, atol=1e-4)


def test_what_a_path_leads_to_is_seen_by_how_much_it_is_and_by_what_leaves_it() -> None:
    words = words_of_steps()
    ends = [
        EndpointStats(3, leaving=((">country",), (">country", ">borders"), ())),
        EndpointStats(0),
        EndpointStats(1, leaving=((),)),
        EndpointStats(10**6, leaving=((">unknown",),)),
        EndpointStats(2, values=True),
    ]
    kinds, sizes = see(ends, len(ends), SCHEMA, words)
    mean = words[COUNTRY] + (words[COUNTRY] + words[BORDERS]) / 2
    np.testing.assert_allclose(kinds[0], mean / np.linalg.norm(mean), atol=1e-6)
    assert not kinds[1:].any()
    assert sizes.tolist() == [2, UNSEEN, 1, 7, 9]
    assert max(see([EndpointStats(10**6, values=True)], 1, SCHEMA, words).sizes) == SIZES - 1
    nobody = see(None, 2, SCHEMA, words)
    assert nobody.kinds.shape == (2, WIDTH)
    assert nobody.sizes.tolist() == [UNSEEN, UNSEEN]


def test_a_path_that_is_longer_than_any_before_is_one_of_the_longest() -> None:
    reranker, words = made_reranker(), words_of_steps()
    (question,) = reranker.read(["which sea"])
    longer = (COUNTRY, SCHEMA.row_of["<country"], BORDERS)
    lengths = reranker.weights["length.weight"]
    lengths[1] += 1_000 * question  # two hops are far likelier than one
    scores = reranker.log_p(question, [(FLOWS,), longer], SCHEMA, words)
    assert scores[1] > scores[0] + 100
    assert reranker.log_p(question, [], SCHEMA, words).shape == (0,)


def test_what_it_scores_and_what_it_remembers_are_added() -> None:
    reranker, words = made_reranker(), words_of_steps()
    ends = [EndpointStats(0), EndpointStats(5, leaving=((">borders",),)), EndpointStats(1, values=True)]
    for question in reranker.read(["which sea", "how long is it"]):
        log_p = reranker.log_p(question, PATHS, SCHEMA, words, ends)
        remembered = reranker.memory.log_shares(question, [(">flows_into",), (">country", ">borders"), (">country",)])
        wanted = RERANK_WEIGHT * log_p + MEMORY_WEIGHT * remembered
        np.testing.assert_allclose(reranker.scores(question, PATHS, SCHEMA, words, ends), wanted, atol=1e-5)
    assert reranker.scores(question, [], SCHEMA, words).shape == (0,)


def test_both_count_and_the_sum_stays() -> None:
    likely = [((1,), 0.5), ((2,), 0.3), ((3, 4), 0.1)]
    found = reranked(likely, np.log([0.1, 0.8, 0.1]))
    assert [path for path, _ in found] == [(2,), (1,), (3, 4)]
    assert sum(score for _, score in found) == pytest.approx(0.9)
    scores = dict(found)
    assert scores[2,] / scores[1,] == pytest.approx(0.6 * 8)
    assert reranked([], np.zeros(0)) == []
    assert [path for path, _ in reranked([((1, 2), 0.0), ((3,), 0.0)], np.log([0.5, 0.5]))] == [(3,), (1, 2)]


def test_proposed_paths_are_ranked_again_before_the_best_are_taken() -> None:
    starts = tuple(sorted(SCHEMA.row_of[code] for code in LEAVING[RIVER]))
    wanted = [SearchRequest(text, starts, 3, 2) for text in ("which sea", "which country", "how long is it")]
    reranker = made_reranker(known=9.0)
    before, after, elsewhere = (
        TrainedRanker(MAPPING, replace(made_model(), asked=asked, reranker=one))
        for asked, one in ((ASKED, None), (ASKED, reranker), (frozenset[str](), reranker))
    )

    def many(path: Path) -> EndpointStats:
        return EndpointStats(len(path[0].relation.id), leaving=((">borders",),) * (len(path) - 1))

    def look(paths: Sequence[Path]) -> Steps[list[EndpointStats]]:
        yield from ()
        return [many(path) for path in paths]

    def found_by(ranker: TrainedRanker, item: SearchRequest, look: PathProbe | None = None) -> SearchResult:
        return run(ranker.found(item.text, LEAVING[RIVER], 3, 2, look), Computing())[1]

    every = before.search([item._replace(limit=100) for item in wanted])
    changed = []
    for item, all_of_it in zip(wanted, every, strict=True):
        (question,) = reranker.read([item.text])
        paths = [path for path, _ in all_of_it.paths]
        for looking, ends in ((None, None), (look, [many(SCHEMA.path(path)) for path in paths])):
            scores = reranker.scores(question, paths, SCHEMA, after.step_words(), ends)
            found = found_by(after, item, looking)
            best = reranked(all_of_it.paths, scores)[:2]
            assert [path for path, _ in found.paths] == [path for path, _ in best]
            assert [score for _, score in found.paths] == pytest.approx([score for _, score in best], rel=1e-4)
            assert found.nothing == pytest.approx(all_of_it.nothing, rel=1e-4)
            changed.append(found.paths != found_by(before, item).paths)
        # What people ask of another graph is not what the reranker has learned.
        assert found_by(elsewhere, item, look) == found_by(before, item)
    assert any(changed)


def test_a_topic_that_nothing_leaves_has_no_paths_to_rank() -> None:
    ranker = TrainedRanker(MAPPING, replace(made_model(), asked=ASKED, reranker=made_reranker()))
    assert run(ranker.propose("which sea", (), 2, look=unasked), Computing()).paths == ()
    assert ranker.rerank([RerankRequest("which sea", SearchResult([], 1.0, 0), None, 5)])[0].paths == []


def unasked(paths: Sequence[Path]) -> Steps[list[EndpointStats]]:
    raise AssertionError(f"nobody has to look at {paths}")


def test_a_question_is_read_once() -> None:
    read: list[str] = []

    class Counting(WordEncoder):
        def encode_tokens(self, texts: Sequence[str]) -> list[Floats]:
            read.extend(texts)
            return super().encode_tokens(texts)

    tokens = RecentTokens(Counting())
    first = tokens.read(["a sea", "a river", "a sea"])
    assert read == ["a sea", "a river"]
    again = tokens.read(["a river", "a country"])
    assert read == ["a sea", "a river", "a country"]
    np.testing.assert_array_equal(first[1], again[0])
    tokens.read([f"a {number}" for number in range(MAX_KEPT)])
    assert tokens.read([]) == []
