"""The trained ranker: what it proposes the schema allows, its scores are probabilities, many questions are as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from kgqa_graphdb.encode import CHARACTERS
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.models import ModelCard
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.rank import make_ranker
from kgqa_graphdb.rank.calibration import Calibration
from kgqa_graphdb.rank.decoder import log_softmax
from kgqa_graphdb.rank.question import read_question
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.search import SearchRequest
from kgqa_graphdb.rank.trained import (
    DOUBTED_SHARE,
    LEAST_SHARE,
    NOTE_OUT_OF_DOMAIN,
    RECONSIDERED,
    RECONSIDERED_NOTE,
    UNASKED_FIT,
    UNASKED_SHARE,
    TrainedRanker,
    step_texts,
)
from kgqa_graphdb.runtime import LocalModels, leaves_of, nested, perform_locally
from kgqa_graphdb.steps import Compute, Request, run, together
from kgqa_graphdb.types import Entity
from tests.unit.rank.graphs import schema_of
from tests.unit.rank.networks import made_model, random_weights

RIVER, SEA, COUNTRY, LENGTH = "river", "sea", "country", "length"
MAPPING, LEAVING = schema_of([
    (make_relation("flows_into"), RIVER, SEA),
    (make_relation("country"), RIVER, COUNTRY),
    (make_relation("borders"), COUNTRY, SEA),
    (make_relation("length_km", kind="property"), RIVER, LENGTH),
])  # fmt: skip


ASKED = frozenset(MAPPING.by_id)


class Computing:
    """Performs computations alone, those of a round together; counts the rounds."""

    def __init__(self) -> None:
        self.rounds: list[int] = []

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        leaves = leaves_of(requests)
        assert all(isinstance(leaf, Compute) for leaf in leaves)
        self.rounds.append(len({leaf.work for leaf in leaves if isinstance(leaf, Compute)}))
        return nested(requests, iter(perform_locally(leaves, LocalModels()).values()))


class ComputingAlone(Computing):
    """Has no encoder for the words of a schema."""

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        leaves = leaves_of(requests)
        found = perform_locally(leaves, LocalModels())
        return nested(requests, iter(found[index] for index in range(len(leaves))))


@pytest.fixture
def ranker() -> TrainedRanker:
    return TrainedRanker(MAPPING, made_model())


def test_only_paths_that_the_schema_allows_are_proposed(ranker: TrainedRanker) -> None:
    proposal = run(ranker.propose("which sea does [X] reach", LEAVING[RIVER]), Computing())
    allowed = {row: set(ranker.schema.followers(row).tolist()) for row in range(len(ranker.schema.steps))}
    assert proposal.paths
    for scored in proposal.paths:
        rows = ranker.schema.rows(scored.item)
        assert scored.item[0].code in LEAVING[RIVER]
        assert all(after in allowed[row] for row, after in pairwise(rows))
        assert len(rows) <= 3


def test_scores_are_probabilities_best_first_and_leave_room_for_nothing(ranker: TrainedRanker) -> None:
    starts = tuple(sorted(ranker.schema.row_of[code] for code in LEAVING[RIVER]))
    ((paths, nothing, looked),) = ranker.search([SearchRequest("which sea", starts, 2, 10_000)])
    scores = [score for _, score in paths]
    assert scores == sorted(scores, reverse=True)
    assert 0 < sum(scores) <= 1 - nothing + 1e-6
    assert 0 < nothing < 1
    assert looked >= len(paths)
    assert len({path for path, _ in paths}) == len(paths)


def test_all_paths_and_nothing_share_one_whole(ranker: TrainedRanker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kgqa_graphdb.rank.trained.MAX_BEAM", 10_000)
    starts = tuple(sorted(ranker.schema.row_of[code] for code in LEAVING[RIVER]))
    ((paths, nothing, _),) = ranker.search([SearchRequest("which sea", starts, 3, 100_000)])
    steps, decoder = ranker.step_rows(), ranker.model.decoder
    reading = decoder.read(ranker.model.encoder.encode_tokens(["which sea"]))
    allowed = np.zeros((1, len(steps)), dtype=bool)
    allowed[0, [*starts, len(steps) - 1]] = True
    first = log_softmax(decoder.score(decoder.begin(1), reading, np.array([0]), steps), allowed)
    assert nothing == pytest.approx(np.exp(first[0, -1]), abs=1e-6)
    assert sum(score for _, score in paths) + nothing == pytest.approx(1.0, abs=1e-4)


def test_where_a_path_at_all_is_unlikely_none_is_proposed(ranker: TrainedRanker) -> None:
    starts = tuple(sorted(ranker.schema.row_of[code] for code in LEAVING[RIVER]))
    ((_, nothing, _),) = ranker.search([SearchRequest("which sea", starts, 3, 10)])
    for least, proposed in ((1 - nothing - 1e-6, True), (1 - nothing + 1e-6, False)):
        choosy = TrainedRanker(MAPPING, replace(made_model(), least_fit=least, asked=ASKED))
        assert bool(run(choosy.propose("which sea", LEAVING[RIVER]), Computing()).paths) is proposed


def test_relations_that_are_new_to_it_are_counted_and_where_most_are_that_is_a_warning() -> None:
    for known, wanted in (
        (ASKED, ()),
        (ASKED - {"country"}, ("the model was trained on other relations: 1 of this graph's 4 are new to it",)),
        (
            frozenset(["country"]),
            (f"the model was trained on other relations: 3 of this graph's 4 are new to it; {NOTE_OUT_OF_DOMAIN}",),
        ),
    ):
        ranker = TrainedRanker(MAPPING, replace(made_model(), relations=known))
        assert run(ranker.propose("which sea", LEAVING[RIVER]), Computing()).notes == wanted


def test_bounds_hold_on_graphs_whose_questions_were_learned(ranker: TrainedRanker) -> None:
    for asked, fit, share in (
        (ASKED, 0.4, LEAST_SHARE),
        (frozenset(["flows_into", "country"]), 0.4, LEAST_SHARE),
        (frozenset(["flows_into"]), UNASKED_FIT, UNASKED_SHARE),
        (frozenset[str](), UNASKED_FIT, UNASKED_SHARE),
    ):
        made = TrainedRanker(MAPPING, replace(made_model(), least_fit=0.4, asked=asked))
        assert (made.least_fit, made.least_share) == (fit, share)
        assert run(made.propose("which sea", LEAVING[RIVER]), Computing()).least_share == share


def test_what_was_doubted_is_proposed_where_its_words_fit() -> None:
    sure = TrainedRanker(MAPPING, replace(made_model(), least_fit=1.0, asked=ASKED))
    asked, io = "how long in km is the length of [X]", ComputingAlone()
    assert run(sure.propose(asked, LEAVING[RIVER]), io).paths == ()
    (first, *others) = run(sure.propose_fallback(asked, LEAVING[RIVER]), io).paths
    ((found, _, _),) = sure.search(
        [SearchRequest(read_question(asked).text, sure._starts(LEAVING[RIVER]), 3, RECONSIDERED)]
    )
    known = {sure.schema.path(path): score for path, score in found}
    assert [step.code for step in first.item] == [">length_km"]
    assert [one.score for one in (first, *others)] == pytest.approx([known[one.item] for one in (first, *others)])
    assert run(sure.propose_fallback("who painted the ceiling of [X]", LEAVING[RIVER]), io).paths == ()


def test_what_was_doubted_is_proposed_by_characters_where_it_is_half_as_likely_as_it_need_be() -> None:
    asked, io = "how long is [X]", ComputingAlone()
    model = replace(made_model(), asked=ASKED, card=ModelCard("paths", 5, encoder=CHARACTERS))
    _, found = run(TrainedRanker(MAPPING, model).found(asked, LEAVING[RIVER], 3, RECONSIDERED), io)
    likely = 1 - found.nothing
    for bound, proposed in ((likely / (DOUBTED_SHARE * 1.01), True), (likely / (DOUBTED_SHARE * 0.99), False)):
        sure = TrainedRanker(MAPPING, replace(model, least_fit=bound))
        assert run(sure.propose(asked, LEAVING[RIVER]), io).paths == ()
        again = run(sure.propose_fallback(asked, LEAVING[RIVER]), io)
        assert [sure.schema.rows(one.item) for one in again.paths] == [path for path, _ in found.paths if proposed]
        assert again.notes == ((RECONSIDERED_NOTE,) if proposed else ())


@pytest.mark.parametrize("asked", [ASKED, frozenset[str]()])
@pytest.mark.parametrize("encoder", ["", CHARACTERS])
def test_a_bound_that_is_asked_for_holds_everywhere_and_there_are_no_second_thoughts(
    asked: frozenset[str], encoder: str
) -> None:
    question, io = "how long in km is the length of [X]", ComputingAlone()
    model = replace(made_model(), asked=asked, relations=ASKED, card=ModelCard("paths", 5, encoder=encoder))
    strict, lenient = (make_ranker(MAPPING, model, bound) for bound in (1.0, 0.0))
    assert run(strict.propose(question, LEAVING[RIVER]), io).paths == ()
    assert run(strict.propose_fallback(question, LEAVING[RIVER]), io).paths == ()
    assert run(lenient.propose(question, LEAVING[RIVER]), io).paths


def test_a_score_is_said_as_how_often_such_answers_are_right() -> None:
    ranker = TrainedRanker(MAPPING, replace(made_model(), calibration=Calibration(2.0, 1.0), asked=ASKED))
    assert ranker.confidence(0.5) == pytest.approx(1 / (1 + np.exp(-1.0)))


def test_questions_of_a_round_are_worked_on_together_and_as_if_alone(ranker: TrainedRanker) -> None:
    questions = ["which sea does [X] reach", "how long is [X]", "the country of the long river [X] that we saw"]
    io = Computing()
    many = run(together(ranker.propose(text, LEAVING[RIVER]) for text in questions), io)
    assert io.rounds == [1]
    for text, proposal in zip(questions, many, strict=True):
        alone = run(ranker.propose(text, LEAVING[RIVER]), Computing())
        assert [scored.item for scored in proposal.paths] == [scored.item for scored in alone.paths]
        np.testing.assert_allclose(
            [scored.score for scored in proposal.paths], [scored.score for scored in alone.paths], rtol=1e-4
        )


def test_steps_of_one_name_are_known_by_what_stands_before_it() -> None:
    mapping, _ = schema_of([
        (make_relation("location.country.capital"), COUNTRY, "city"),
        (make_relation("location.us_state.capital"), "state", "city"),
        (make_relation("flows_into"), RIVER, SEA),
    ])  # fmt: skip
    country, _, state, _, river, _ = step_texts(Schema(mapping))
    assert country.startswith("location country: ")
    assert state.startswith("location us state: ")
    assert ":" not in river


def test_a_bound_of_0_proposes_whatever_the_doubt_and_a_doubt_is_told(ranker: TrainedRanker) -> None:
    likely = [((0,), 1e-9)]
    ranker.least_fit = 0.0
    assert len(ranker.proposal(likely, 1.0000001, 1, ()).paths) == 1  # the rounded probability of nothing
    ranker.least_fit = 0.2
    doubted = ranker.proposal(likely, 0.9, 1, ())
    assert (doubted.paths, doubted.doubted) == ((), (pytest.approx(0.1), 0.2))
    assert ranker.proposal([], 1.0, 1, ()).doubted is None


def test_a_topic_that_nothing_leaves_has_no_path(ranker: TrainedRanker) -> None:
    assert run(ranker.propose("what is [X]", ["<unknown"]), Computing()).paths == ()
    assert ranker.search([SearchRequest("what is it", (), 3, 10)])[0].nothing == pytest.approx(1.0)


def test_ranking_orders_candidates_by_their_probability(ranker: TrainedRanker) -> None:
    topic = Entity("rhine", "Rhine")
    codes = [[">flows_into"], [">country"], [">country", ">borders"], [">length_km"]]
    candidates = [Follow(topic, tuple(MAPPING.step(code) for code in path)) for path in codes]
    ranked = run(ranker.rank("which sea does [X] reach", candidates), Computing())
    assert {scored.item for scored in ranked} == set(candidates)
    assert [scored.score for scored in ranked] == sorted((scored.score for scored in ranked), reverse=True)
    assert all(0 < scored.score < 1 for scored in ranked)


def test_a_pair_is_as_good_as_both_its_paths(ranker: TrainedRanker) -> None:
    one, other = (Follow(Entity(name, name), (MAPPING.step(">country"),)) for name in ("rhine", "rhone"))
    ((scored,), single, turned) = (
        run(ranker.rank_pairs("the country of [X] and [Y]", [(one, other)], ((), ())), Computing()),
        run(ranker.rank("the country of [X] and [Y]", [one]), Computing())[0].score,
        run(ranker.rank("the country of [Y] and [X]", [other]), Computing())[0].score,
    )
    assert scored.score == pytest.approx(np.sqrt(single * turned), rel=1e-4)


def test_numpy_and_torch_agree() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from kgqa_graphdb.train.paths.network import Network

    weights = random_weights(dim=16)
    network = Network(32, 16).eval()
    network.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    model = made_model(weights)
    tokens = model.encoder.encode_tokens(["which sea does it reach", "how long"])
    reading, rows = model.decoder.read(tokens), model.decoder.steps(model.encoder.encode(["flows into", "country"]))
    states = model.decoder.begin(2)
    here = model.decoder.score(states, reading, np.array([0, 1]), rows)
    padded, mask = np.zeros((2, 6, 32), dtype=np.float32), np.zeros((2, 6), dtype=bool)
    for row, own in enumerate(tokens):
        padded[row, : len(own)], mask[row, : len(own)] = own, True
    with torch.no_grad():
        keys, values = network.read(torch.from_numpy(padded))
        steps = network.steps(torch.from_numpy(model.encoder.encode(["flows into", "country"])))
        begun = network.start.expand(2, -1)
        there = network.score(begun, keys, values, torch.from_numpy(mask), steps).numpy()
        after = network.gru(steps[:2], begun).numpy()
    np.testing.assert_allclose(here, there, atol=1e-4)
    np.testing.assert_allclose(model.decoder.advance(states, rows[:2]), after, atol=1e-5)
