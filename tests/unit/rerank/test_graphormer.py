"""A Graphormer: torch and numpy agree, neither order nor neighbours matter, and a small task is learned by heart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch  # noqa: TID253

from kgqa_graphdb.models import read_weights
from kgqa_graphdb.rerank import graphormer
from kgqa_graphdb.rerank.files import GRAPHORMER
from kgqa_graphdb.rerank.graphormer import GraphormerNetwork, GraphRanker
from kgqa_graphdb.rerank.shown import BETWEEN, CANDIDATE, TOPIC, RankRequest, RoleGraph
from kgqa_graphdb.train.loop import train_model
from kgqa_graphdb.train.rerank.cases import Case
from kgqa_graphdb.train.rerank.fit import RankOptions, RankTrainer
from kgqa_graphdb.train.rerank.graphs import GraphScorer
from kgqa_graphdb.types import Floats
from tests.unit.rank.networks import WordEncoder

RELATIONS = ("author", "birth place", "capital", "spouse", "part of")
WORDS = {one: (one, f"{one} of what") for one in RELATIONS}


def one_hop(relation: str, back: bool = False) -> RoleGraph:
    return RoleGraph((TOPIC, CANDIDATE), ((1, 0, relation) if back else (0, 1, relation),))


def two_hops(first: str, second: str) -> RoleGraph:
    return RoleGraph((TOPIC, BETWEEN, CANDIDATE), ((0, 1, first), (1, 2, second)))


GRAPHS = (
    one_hop("author"), one_hop("author", back=True), two_hops("author", "birth place"),
    RoleGraph((TOPIC, TOPIC, BETWEEN, CANDIDATE), ((0, 2, "spouse"), (2, 3, "capital"), (1, 3, "part of"),
                                                   (3, 1, "capital"), (3, 3, "part of"))),
    RoleGraph((CANDIDATE,), ()),
)  # fmt: skip


def case(text: str, graphs: Sequence[RoleGraph], right: int) -> Case:
    names = tuple("" for _ in graphs)
    return Case(text, text, names, tuple(graphs), ((0.0,) * 6,) * len(graphs),
                tuple(place == right for place in range(len(graphs))))  # fmt: skip


CASES = [case("who is the author", GRAPHS, 0), case("capital", GRAPHS[::-1], 1)]


def scorer(cases: Sequence[Case] = CASES, *, reads_question: bool) -> GraphScorer:
    torch.manual_seed(0)
    made = GraphScorer(cases, WORDS, WordEncoder(), reads_question=reads_question)
    made.network.eval()
    return made


def asked(one: Case, graphs: Sequence[RoleGraph] | None = None) -> RankRequest:
    own = one.graphs if graphs is None else tuple(graphs)
    return RankRequest(one.text, ("",) * len(own), own, WORDS)


def shuffled_weights(made: GraphScorer) -> None:
    """Give all weights values that say something: at first biases are 0, and gains 1."""
    with torch.no_grad():
        for one in made.network.parameters():
            one.add_(torch.randn_like(one) * 0.2)


@pytest.mark.parametrize("reads_question", [False, True])
def test_torch_and_numpy_score_alike(reads_question: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = scorer(reads_question=reads_question)
    shuffled_weights(made)
    with torch.no_grad():
        found = [made.logits([(one, place) for place in range(len(GRAPHS))]).numpy() for one in CASES]
    ranker = made.save(tmp_path)
    again = GraphRanker(GraphormerNetwork(read_weights(tmp_path / GRAPHORMER)), WordEncoder())
    monkeypatch.setattr(graphormer, "AT_ONCE", 3)
    for own in (ranker, again):
        for scores, torchs in zip(own.scores([asked(one) for one in CASES]), found, strict=True):
            np.testing.assert_allclose(scores, torchs, atol=1e-4)
    assert np.ptp(found[0]) > 1e-2
    alike = np.allclose(found[0], found[1][::-1], atol=1e-4)  # the same subgraphs, in another order
    assert alike is not reads_question


@pytest.mark.parametrize("reads_question", [False, True])
def test_neither_the_order_of_candidates_nor_what_else_is_asked_matters(reads_question: bool) -> None:
    made = scorer(reads_question=reads_question)
    shuffled_weights(made)
    ranker = GraphRanker(
        GraphormerNetwork({name: value.numpy() for name, value in made.network.state_dict().items()}), WordEncoder()
    )
    whole = ranker.scores([asked(CASES[0]), asked(CASES[1])])[0]
    order = [3, 0, 4, 2, 1]
    other = ranker.scores([asked(CASES[0], [GRAPHS[place] for place in order])])[0]
    np.testing.assert_allclose(other, whole[order], atol=1e-5)
    twice = ranker.scores([asked(CASES[0], [GRAPHS[2], GRAPHS[2]])])[0]
    np.testing.assert_allclose(twice, whole[[2, 2]], atol=1e-5)
    assert [own.shape for own in ranker.scores([asked(CASES[0], []), asked(CASES[1])])] == [(0,), (5,)]
    assert ranker.scores([]) == []


def test_a_direction_and_the_order_of_steps_are_told() -> None:
    made = scorer(reads_question=False)
    shuffled_weights(made)
    graphs = (
        one_hop("spouse"),
        one_hop("spouse", back=True),
        two_hops("author", "spouse"),
        two_hops("spouse", "author"),
    )
    with torch.no_grad():
        own = scorer([case("", graphs, 0)], reads_question=False)
        own.network.load_state_dict(made.network.state_dict())
        scores = own.logits([(case("", graphs, 0), place) for place in range(4)]).tolist()
    assert len({round(score, 4) for score in scores}) == 4


def test_words_of_relations_that_were_never_seen_are_read_and_each_graph_has_its_own() -> None:
    made = scorer(reads_question=True)
    shuffled_weights(made)
    ranker = GraphRanker(
        GraphormerNetwork({name: value.numpy() for name, value in made.network.state_dict().items()}), WordEncoder()
    )
    new = RankRequest("who is the author", ("", ""), (one_hop("P50"), one_hop("P19")), {
        "P50": WORDS["author"], "P19": ("place of birth", "born here"),
    })  # fmt: skip
    unlike = RankRequest(new.question, ("",), (one_hop("P50"),), {"P50": WORDS["capital"]})
    found, other, known = ranker.scores([new, unlike, asked(CASES[0], [GRAPHS[0], one_hop("capital")])])
    np.testing.assert_allclose([found[0], other[0]], known, atol=1e-5)
    assert abs(found[0] - found[1]) > 1e-3


def by_heart(cases: Sequence[Case], *, reads_question: bool, steps: int) -> list[Floats]:
    options = RankOptions(steps=steps, check=steps, questions=8, rate=3e-3)
    trainer = RankTrainer(
        lambda: GraphScorer(cases, WORDS, WordEncoder(), reads_question=reads_question), cases, cases, None, options
    )
    fitted = train_model(trainer, None, lambda done, total: None)
    trainer.put(fitted.weights)
    return trainer.scores(cases)


def test_without_the_question_shapes_and_relations_are_learned_by_heart() -> None:
    graphs = [one_hop("author"), one_hop("author", back=True), two_hops("author", "spouse"), one_hop("capital")]
    cases = [case(str(turn), [*graphs[turn:], *graphs[:turn]], -turn % 4) for turn in range(4)]
    scores = by_heart(cases, reads_question=False, steps=60)
    assert [int(np.argmax(own)) for own in scores] == [one.right.index(True) for one in cases]


def test_with_the_question_the_relation_that_it_asks_for_is_learned_by_heart() -> None:
    graphs = [one_hop(one) for one in RELATIONS]
    cases = [case(f"what is the {one}", graphs, place) for place, one in enumerate(RELATIONS)]
    scores = by_heart(cases, reads_question=True, steps=60)
    assert [int(np.argmax(own)) for own in scores] == list(range(len(RELATIONS)))
    blind = by_heart(cases, reads_question=False, steps=5)
    assert all(np.allclose(own, blind[0]) for own in blind)  # it is shown the same five subgraphs each time
