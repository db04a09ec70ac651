"""A trained ranker on a graph of which no pairs were learned: what both it and the untrained one say counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.models import ModelCard
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.rank import MixedRanker, PathRanker, TrainedRanker, make_ranker
from kgqa_graphdb.rank.mixed import DOUBT, MIXED_SHARE, WORDS_WEIGHT
from kgqa_graphdb.rank.trained import UNASKED_FIT
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Entity
from tests.unit.rank.graphs import schema_of
from tests.unit.rank.networks import made_model
from tests.unit.rank.test_trained import ComputingAlone

RIVER, SEA, COUNTRY = "river", "sea", "country"
MAPPING, LEAVING = schema_of([
    (make_relation("flows_into"), RIVER, SEA),
    (make_relation("country"), RIVER, COUNTRY),
    (make_relation("borders"), COUNTRY, SEA),
    (make_relation("length_km", kind="property"), RIVER, "length"),
])  # fmt: skip
ASKED = "which country does [X] cross"


@pytest.fixture
def ranker() -> MixedRanker:
    made = make_ranker(MAPPING, replace(made_model(), asked=frozenset(["others"])))
    assert isinstance(made, MixedRanker)
    return made


@pytest.mark.parametrize(("asked", "composed", "encoder", "kind"), [
    ("", "", "", MixedRanker), ("", "flows_into country", "", TrainedRanker), ("", "others", "", MixedRanker),
    ("flows_into", "country", "", MixedRanker), ("others", "flows_into country", "", MixedRanker),
    ("flows_into country", "", "", TrainedRanker),
    ("others", "", "characters", TrainedRanker),
])  # fmt: skip
def test_the_network_is_alone_where_it_was_trained_for_the_graph_or_other_letters(
    asked: str, composed: str, encoder: str, kind: type
) -> None:
    relations = frozenset(f"{asked} {composed}".split())
    model = replace(
        made_model(), asked=frozenset(asked.split()), relations=relations, card=ModelCard("paths", 5, encoder=encoder)
    )
    assert type(make_ranker(MAPPING, model)) is kind


def test_scores_of_both_are_multiplied_over_all_that_either_proposes(ranker: MixedRanker) -> None:
    io, trained, untrained = ComputingAlone(), TrainedRanker(MAPPING, made_model()), PathRanker(MAPPING)
    proposal = run(ranker.propose(ASKED, LEAVING[RIVER], limit=1_000), io)
    paths = [scored.item for scored in proposal.paths]
    for alone in (trained, untrained):
        assert {scored.item for scored in run(alone.propose(ASKED, LEAVING[RIVER]), io).paths} <= set(paths)
    rows = [ranker.schema.rows(path) for path in paths]
    likely = np.array(run(trained.scores(ASKED, rows, LEAVING[RIVER], 3), io))
    fits = np.array(run(untrained.scores(ASKED, rows), io))
    expected = (likely + DOUBT) * np.exp(WORDS_WEIGHT * fits)
    _, found = run(trained.found(ASKED, LEAVING[RIVER], 3, 1), io)
    expected *= (1 - found.nothing) / expected.sum()
    assert [scored.score for scored in proposal.paths] == pytest.approx(expected, rel=1e-3)
    assert [scored.score for scored in proposal.paths] == sorted((one.score for one in proposal.paths), reverse=True)
    assert [step.code for step in paths[0]] == [">country"]
    assert (proposal.least_fit, proposal.least_share) == (0.0, MIXED_SHARE)


def test_nothing_is_proposed_where_the_network_knows_of_no_path(ranker: MixedRanker) -> None:
    assert run(ranker.propose(ASKED, ["<unknown"]), ComputingAlone()).paths == ()
    doubtful = TrainedRanker(MAPPING, replace(made_model(), least_fit=0.5))
    assert doubtful.proposal([((0,), 1.0)], 1 - UNASKED_FIT / 2, 1, ()).paths == ()


def test_plans_are_ranked_by_both(ranker: MixedRanker) -> None:
    topic = Entity("rhine", "Rhine")
    codes = [[">flows_into"], [">country"], [">country", ">borders"], [">length_km"]]
    candidates = [Follow(topic, tuple(MAPPING.step(code) for code in path)) for path in codes]
    ranked = run(ranker.rank(ASKED, candidates), ComputingAlone())
    assert {scored.item for scored in ranked} == set(candidates)
    assert ranked[0].item == candidates[1]
    assert [scored.score for scored in ranked] == sorted((scored.score for scored in ranked), reverse=True)


def test_a_pair_is_as_good_as_both_its_paths(ranker: MixedRanker) -> None:
    one, other = (Follow(Entity(name, name), (MAPPING.step(">country"),)) for name in ("rhine", "rhone"))
    asked, turned, codes = "the country of [X] and [Y]", "the country of [Y] and [X]", LEAVING[RIVER]
    assert run(ranker.rank_pairs(asked, [], (codes, codes)), ComputingAlone()) == ()
    (pair,) = run(ranker.rank_pairs(asked, [(one, other)], (codes, codes)), ComputingAlone())
    singles = [
        {scored.item: scored.score for scored in run(ranker.propose(text, codes), ComputingAlone()).paths}
        for text in (asked, turned)
    ]
    assert pair.score == pytest.approx(np.sqrt(singles[0][one.path] * singles[1][other.path]), rel=1e-4)
