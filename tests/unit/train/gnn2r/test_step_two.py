"""The training of step II: votes by hand, the loss is the paper's, what is drawn, and that expressions are learned."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kgqa_graphdb.encode import CHARACTERS

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("safetensors", reason="safetensors is not installed")

import torch  # noqa: TID253 - what needs it is skipped where it is not installed

from kgqa_graphdb.gnn2r.files import STEP_TWO, STEP_TWO_WEIGHTS
from kgqa_graphdb.gnn2r.patterns import Pattern, Patterns
from kgqa_graphdb.gnn2r.ranker import StepTwo
from kgqa_graphdb.models import read_weights
from kgqa_graphdb.train.gnn2r.cases import Case, Votes, best_walk, best_weight, chosen_f1, votes_of
from kgqa_graphdb.train.gnn2r.fit_two import StepTwoOptions, StepTwoTrainer, contrastive_loss, triplet_loss
from kgqa_graphdb.train.gnn2r.step_two import StepTwoSettings, fit_cases
from kgqa_graphdb.train.paths.make_reader import make_reader
from kgqa_graphdb.train.settings import Training
from kgqa_graphdb.types import Scored

RIGHT, HALF, WRONG = Votes(2, 0, 1.0), Votes(2, 2, 2 / 3), Votes(0, 1, 0.0)
WORDS = {"offspring": "is the child of", "mother": "has the child", "home": "is the town of", "folk": "has the town"}


def case(text: str, *votes: Votes, sizes: tuple[int, ...] = ()) -> Case:
    names = tuple(f"pattern {number}" for number in range(len(votes)))
    return Case(text, text, names, votes, sizes or (1,) * len(votes))


def asked(word: str) -> Case:
    """A question whose pattern is the one for its word."""
    expressions = tuple(f"what {words} [X]" for words in WORDS.values())
    votes = tuple(RIGHT if words == WORDS[word] else WRONG for words in WORDS.values())
    return Case(word, f"{word} of [X]", expressions, votes, (1,) * len(votes))


def stage(name: str, total: int) -> Callable[[int, int], None]:
    return lambda done, of: None


def test_the_patterns_with_the_most_votes_are_positive_if_they_lead_to_an_answer() -> None:
    one = case("q", HALF, RIGHT, WRONG, RIGHT, sizes=(1, 3, 1, 2))
    assert [own.vote for own in one.votes] == [0, 2, -1, 2]
    assert one.positives().tolist() == [1, 3]
    assert one.positives(shortest=True).tolist() == [3]
    assert case("q", Votes(0, 0, 0.0), Votes(1, 5, 0.3)).positives().tolist() == [1]  # worse than none, but it answers
    assert case("q", WRONG).positives().size == 0


def test_votes_count_what_is_reached_also_for_a_question_without_answers() -> None:
    ends = np.array([1, 4, 5])
    assert votes_of(ends, right=[4, 9], golds=2) == Votes(1, 2, pytest.approx(0.4))
    assert votes_of(ends, right=[], golds=0) == Votes(0, 3, 0.0)
    assert votes_of(None, right=[4], golds=1) == Votes(0, 0, 0.0)


def test_no_pattern_is_near_where_all_were_found_from_answers_that_are_not() -> None:
    far, near = Scored(Pattern((), (), ()), 0.0), Scored(Pattern((), (), ()), 0.5)
    assert Patterns((far, far)).nearness == (0.0, 0.0)
    assert Patterns((near, far)).nearness == (1.0, 0.0)


def test_expressions_are_put_in_the_order_of_their_likeness_with_their_votes() -> None:
    one = case("q", HALF, RIGHT, WRONG, sizes=(1, 2, 3)).by_likeness(np.array([0.1, 0.3, 0.2], dtype=np.float32))
    assert one.expressions == ("pattern 1", "pattern 2", "pattern 0")
    assert (one.votes, one.sizes) == ((RIGHT, WRONG, HALF), (2, 3, 1))


def test_the_loss_is_sentence_transformers_triplet_loss_where_one_pattern_is_positive() -> None:
    losses = pytest.importorskip("sentence_transformers.losses")
    torch.manual_seed(0)
    question, near, *far = torch.nn.functional.normalize(torch.randn(5, 8), dim=-1)
    stacked = torch.stack(far)
    theirs = losses.TripletLoss(None, losses.TripletDistanceMetric.COSINE, 0.7)  # type: ignore[arg-type]
    columns = [question.expand(3, -1), near.expand(3, -1), stacked]
    expected = theirs.compute_loss_from_embeddings(columns, None)
    found = triplet_loss((near @ question)[None], stacked @ question, 0.7)
    assert found.item() == pytest.approx(expected.item(), abs=1e-6)


def test_of_several_positive_patterns_the_most_similar_is_drawn_near() -> None:
    near, far = torch.tensor([0.2, 0.9]), torch.tensor([0.8, 0.5])
    assert triplet_loss(near, far, 0.2).item() == pytest.approx((0.1 + 0.0) / 2)


def test_the_contrast_is_clips_where_each_question_has_one_pattern() -> None:
    torch.manual_seed(0)
    alike, own = torch.randn(4, 4), torch.eye(4, dtype=torch.bool)
    expected = sum(torch.nn.functional.cross_entropy(one, torch.arange(4)) for one in (alike, alike.T))
    assert contrastive_loss(alike, own, ~own, own).item() == pytest.approx(float(expected), abs=1e-6)


def test_the_contrast_is_between_questions_and_patterns_that_do_not_answer_them() -> None:
    alike = torch.tensor([[3.0, 2.0, 1.0], [9.0, 2.0, 4.0]])
    near = torch.tensor([[True, True, False], [False, False, True]])
    entropy = torch.nn.functional.cross_entropy
    there = entropy(torch.tensor([[np.logaddexp(3, 2), 1.0], [4.0, np.logaddexp(9, 2)]]), torch.tensor([0, 0]))
    back = entropy(torch.tensor([[3.0, 9.0], [4.0, 1.0]]), torch.tensor([0, 0]))  # of the patterns 0 and 2
    two = torch.eye(2, dtype=torch.bool)
    assert contrastive_loss(alike, near, ~near, two).item() == pytest.approx((there + back).item(), abs=1e-6)
    assert contrastive_loss(alike, near, ~near, two | True).item() == pytest.approx(there.item(), abs=1e-6)


def test_a_pattern_that_answers_each_time_costs_less_than_those_that_do_by_chance() -> None:
    """Two questions of the same words; the first pattern answers both, the others one each."""
    near = torch.tensor([[True, True, False], [True, False, True]])
    same = torch.ones(2, 2, dtype=torch.bool)
    always, by_chance = (torch.tensor([row, row]) for row in ([9.0, 5.0, 5.0], [5.0, 9.0, 9.0]))
    assert contrastive_loss(always, near, ~near, same) < 0.1 < 0.5 < contrastive_loss(by_chance, near, ~near, same)


def test_the_likeliest_negatives_are_drawn_more_often_and_no_positive_ever_is() -> None:
    one = case("q", *([WRONG] * 40), RIGHT, RIGHT)
    reader = make_reader(CHARACTERS, ["q", *one.expressions], [["q"]], 0)
    trainer = StepTwoTrainer([one], reader, None, StepTwoOptions(negatives=4, positives=1))
    drawn = [trainer._draw(one) for _ in range(200)]
    assert all(some[-1] == 40 for some in drawn)
    bad = np.concatenate([some[:-1] for some in drawn])
    assert set(bad.tolist()) == set(range(40))
    assert np.mean(bad < 8) > 0.5


def test_what_is_chosen_is_the_first_pattern_that_leads_to_anything() -> None:
    nothing = Votes(0, 0, 0.0)
    cases = [case("a", nothing, HALF, RIGHT), case("b", nothing)]
    similarities = [np.array(one, dtype=np.float32) for one in ([0.9, 0.8, 0.7], [0.5])]
    assert chosen_f1(cases, similarities) == [pytest.approx(2 / 3), 0.0]


def test_how_near_step_one_finds_a_pattern_counts_as_much_as_helps() -> None:
    def near(*nearness: float) -> Case:
        return Case("q", "q", ("a", "b"), (HALF, RIGHT), (1, 1), nearness)

    alike = [np.array([0.9, 0.8], dtype=np.float32)]
    assert chosen_f1([near(0.7, 1.0)], alike) == [pytest.approx(2 / 3)]
    assert chosen_f1([near(0.7, 1.0)], alike, 0.5) == [1.0]
    assert best_weight([near(0.7, 1.0)], alike) == 0.5  # 0.25 times 0.3 is less than 0.1
    assert best_weight([near(1.0, 0.7)], alike) == 0.0


def test_the_first_walk_rule_is_taken_unless_another_is_better() -> None:
    good, bad = [case("q", RIGHT)], [case("q", HALF)]
    assert best_walk([("free", good), ("no_backtrack", good)]) == "free"
    assert best_walk([("free", bad), ("no_backtrack", good)]) == "no_backtrack"


def test_which_pattern_a_word_means_is_learned_and_the_folder_reads_alike(tmp_path: Path) -> None:
    cases = [asked(word) for word in WORDS]
    training = Training(encoder=CHARACTERS)
    settings = StepTwoSettings(steps=80, margin=0.3)
    fitted = fit_cases(cases, cases, "free", tmp_path, training=training, settings=settings, stage=stage)
    assert fitted is not None
    assert (fitted.walk, fitted.details.candidates, fitted.details.joining) == ("free", 10, "walks")
    assert fitted.details.training.metrics == {"f1": 1.0, "f1_of_words": 1.0, "best_f1": 1.0}
    assert (tmp_path / "training-two.svg").exists()
    fitted.save(tmp_path)
    weights = read_weights(tmp_path / STEP_TWO / STEP_TWO_WEIGHTS)
    again = StepTwo(fitted.reader.encoder(weights)).similarities([one.request for one in cases])
    assert chosen_f1(cases, again) == [1.0] * 4


def test_without_a_batch_the_encoder_is_judged_and_kept_as_it_comes(tmp_path: Path) -> None:
    cases, training = [asked(word) for word in WORDS], Training(encoder=CHARACTERS)
    made = fit_cases(cases, cases, "free", tmp_path, training=training, settings=StepTwoSettings(steps=0), stage=stage)
    assert made is not None
    assert made.details.training.history == ()
    assert made.details.training.metrics["best_f1"] == 1.0
    made.save(tmp_path)
    assert (tmp_path / STEP_TWO / STEP_TWO_WEIGHTS).exists()


def test_where_nothing_was_held_out_nothing_is_judged(tmp_path: Path) -> None:
    cases, settings = [asked(word) for word in WORDS], StepTwoSettings(steps=0)
    made = fit_cases(cases, [], "free", tmp_path, training=Training(encoder=CHARACTERS), settings=settings, stage=stage)
    assert made is not None
    assert made.details.training.metrics == {}


def test_nothing_is_trained_where_every_pattern_is_right(tmp_path: Path) -> None:
    made = fit_cases(
        [case("q", RIGHT)], [], "free", tmp_path, training=Training(encoder=CHARACTERS), settings=StepTwoSettings(),
        stage=stage,
    )  # fmt: skip
    assert made is None
