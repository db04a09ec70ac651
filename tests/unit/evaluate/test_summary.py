"""Figures of many questions: means, intervals, groups, and comparing two runs."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.evaluate import Predicted, score
from kgqa_graphdb.evaluate.compare import compare, permutation_p, sign_p
from kgqa_graphdb.evaluate.metrics import ProofScores
from kgqa_graphdb.evaluate.outcome import Outcome, read_outcomes
from kgqa_graphdb.evaluate.summary import by_group, summarise
from kgqa_graphdb.questions import Gold


def outcome(number: int, right: bool, *, hops: int = 1, type_: str = "", latency_ms: float = 5.0) -> Outcome:
    gold, answers = (Gold(name="a"),), (Predicted("", "a" if right else "b", 1.0),)
    return Outcome(
        str(number), f"q{number}?", gold, answers, score(answers, gold), hops=hops, type=type_, latency_ms=latency_ms
    )


def run(*rights: bool, hops: int = 1) -> list[Outcome]:
    return [outcome(number, right, hops=hops) for number, right in enumerate(rights)]


def test_means_leave_failures_out_and_count_abstentions_as_wrong() -> None:
    outcomes = run(True, True, False)
    outcomes.append(replace(outcome(4, False), scores=None, predicted=(), error="CypherError: no"))
    outcomes.append(replace(outcome(5, False), predicted=(), scores=score([], [Gold(name="a")]), abstained="no topic"))
    found = summarise(outcomes)
    assert (found.questions, found.errors, found.abstained) == (5, 1, 1)
    assert found.means["hits_at_1"] == 2 / 4
    assert found.means["f1"] == 2 / 4


def test_nothing_answered_has_no_means() -> None:
    found = summarise([replace(outcome(1, True), scores=None, error="x")])
    assert (found.questions, found.errors, found.means) == (1, 1, {})


def test_interval_is_that_of_the_binomial() -> None:
    found = summarise(run(*[number % 4 > 0 for number in range(2_000)]), seed=3)
    low, high = found.intervals["hits_at_1"]
    half = 1.96 * math.sqrt(0.75 * 0.25 / 2_000)
    assert (low, high) == (pytest.approx(0.75 - half, abs=0.004), pytest.approx(0.75 + half, abs=0.004))
    assert summarise(run(True, False), seed=3) == summarise(run(True, False), seed=3)


def test_latency_is_given_by_percentiles() -> None:
    found = summarise([outcome(number, True, latency_ms=float(number)) for number in range(101)])
    assert found.latency_ms == {"p50": 50.0, "p95": 95.0}


def test_ungrounded_is_the_share_of_all_names_that_a_language_model_gave() -> None:
    outcomes = [
        replace(one, ungrounded=names)
        for one, names in zip(run(True, False, True, True), (("x", "y"), (), ("z",), None), strict=True)
    ]
    found = summarise(outcomes)
    assert found.means["ungrounded"] == 3 / 6
    low, high = found.intervals["ungrounded"]
    assert 0 <= low < 0.5 < high <= 2 / 3
    assert found.to_dict()["ungrounded"] == 0.5
    silent = replace(outcome(9, False), predicted=(), scores=score([], [Gold(name="a")]), ungrounded=())
    assert "ungrounded" not in summarise([silent, *run(True)]).means  # nothing was named by one
    assert summarise([replace(outcomes[0], ungrounded=())]).means["ungrounded"] == 0


def test_groups_are_hops_and_types() -> None:
    outcomes = [outcome(1, True, hops=1, type_="a"), outcome(2, False, hops=2, type_="a"), outcome(3, True, hops=0)]
    found = by_group(outcomes)
    assert {name: (one.questions, one.means["f1"]) for name, one in found.items()} == {
        "1-hop": (1, 1.0), "2-hop": (1, 0.0), "a": (2, 0.5),
    }  # fmt: skip


def test_coverage_is_of_the_questions_that_were_looked_at() -> None:
    outcomes = [replace(one, best_path_f1=f1) for one, f1 in zip(run(True, False, False), (1.0, 0.5, 0.0), strict=True)]
    found = summarise(outcomes)
    assert (found.means["coverage"], found.means["best_path_f1"]) == (2 / 3, 0.5)
    assert found.to_dict()["coverage"] == round(2 / 3, 6)
    covered = by_group(outcomes)["covered"]
    assert (covered.questions, covered.means["f1"]) == (2, 0.5)
    assert "coverage" not in summarise(run(True, False)).means
    assert "covered" not in by_group(outcomes[:2])  # all are


def test_proofs_are_averaged_over_the_questions_that_have_gold_chains() -> None:
    outcomes = run(True, True, False)
    proofs = (ProofScores(0.5, 1.0, 2 / 3), None, ProofScores(0.0, 0.0, 0.0))
    found = summarise([replace(one, proof=proof) for one, proof in zip(outcomes, proofs, strict=True)])
    assert [found.means[name] for name in ("proof_precision", "proof_recall", "proof_f1")] == [1 / 4, 1 / 2, 1 / 3]
    assert "proof_f1" not in summarise(outcomes).means


def test_outcomes_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    outcomes = [*run(True, False), replace(outcome(3, True), scores=None, error="x", linked=("A",))]
    outcomes.append(replace(outcome(4, True), best_path_f1=0.5, proof=ProofScores(0.5, 1.0, 2 / 3)))
    path.write_text("".join(one.to_json() + "\n" for one in outcomes) + outcomes[0].to_json()[:30], encoding="utf-8")
    assert list(read_outcomes(path)) == outcomes
    path.write_text('{"id": 1}\n{}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="line 1: not a line that kgqa evaluate writes"):
        list(read_outcomes(path))


def test_runs_are_compared_question_by_question() -> None:
    before, after = run(True, True, False, False, False), run(True, False, True, True, True)
    found = compare(before, [*after, outcome(9, True)])
    assert (found.questions, found.left_out) == (5, 1)
    [hits, *_] = found.metrics
    assert (hits.metric, hits.first, hits.second, hits.won, hits.lost) == ("hits_at_1", 0.4, 0.8, 3, 1)
    assert hits.sign_p == pytest.approx(2 * (1 + 4) / 16)
    assert (found.won, found.lost) == (("2", "3", "4"), ("1",))


def test_runs_over_other_questions_are_refused() -> None:
    with pytest.raises(UsageError, match="no question in common"):
        compare(run(True), [outcome(7, True)])


@pytest.mark.parametrize(("won", "lost", "p"), [(0, 0, 1.0), (1, 0, 1.0), (5, 0, 2 / 32), (8, 2, 2 * 56 / 1024)])
def test_sign_test_is_that_of_the_fair_coin(won: int, lost: int, p: float) -> None:
    assert sign_p(won, lost) == sign_p(lost, won) == pytest.approx(p)


def test_permutation_test_tells_a_difference_from_chance() -> None:
    random = np.random.default_rng(1)
    noise = random.normal(0, 1, 400)
    assert permutation_p(noise - noise.mean()) > 0.9
    assert permutation_p(noise + 0.5) < 0.001
    assert permutation_p(np.zeros(5)) == 1
    assert permutation_p(np.array([1.0, 1.0, 1.0])) == pytest.approx(2 / 8, abs=0.02)
