"""Step II without a graph: patterns in words, and which is most like a question."""

from __future__ import annotations

import numpy as np
import pytest

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.export.manifest import RelationInfo
from kgqa_graphdb.export.words import phrases_of, told_apart
from kgqa_graphdb.gnn2r.asked import AskedQuestion, asked_question
from kgqa_graphdb.gnn2r.expressions import expression, wh_word
from kgqa_graphdb.gnn2r.patterns import MAX_COMBINED, Pattern, Patterns, _combined, joining_of
from kgqa_graphdb.gnn2r.ranker import PooledEncoder, RankRequest, StepTwo, ranked_patterns
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.plan import Combine, Follow
from kgqa_graphdb.steps import Compute, Steps
from kgqa_graphdb.types import Entity, Link, Scored, Step
from tests.unit.rank.networks import WordEncoder

ANN, ROME = (Entity(name, name, name) for name in ("Ann", "Rome"))
CHILD, BORN = make_relation("child"), make_relation("born_in", label="place of birth")

PHRASES = {"child": "child", "born_in": "place of birth"}


def side(topic: Entity, *steps: Step) -> Follow:
    return Follow(topic, steps)


def test_a_pattern_is_read_from_the_answer_to_the_topics() -> None:
    grandchild = side(ANN, Step(CHILD), Step(CHILD))
    parent, native = side(ANN, Step(CHILD, inverse=True)), side(ROME, Step(BORN, inverse=True))
    assert expression("who", [grandchild], PHRASES) == "who is the child of an entity that is the child of [X]"
    assert expression("who", [parent], PHRASES) == "who has the child [X]"
    assert expression("what", [native, parent], PHRASES) == "what has the place of birth [X] and has the child [Y]"


def test_relations_that_share_a_phrase_are_told_apart_by_their_ids() -> None:
    infos = [
        RelationInfo(id="__music__recording__releases", phrase="release", inverse_phrase="released"),
        RelationInfo(id="__music__track__release", phrase="release", inverse_phrase="track"),
        RelationInfo(id="out_on", phrase="release", inverse_phrase="label"),
        RelationInfo(id="child", phrase="child", inverse_phrase="parent"),
    ]
    assert [one.phrase for one in told_apart(infos)] == [
        "release (music recording)", "release (music track)", "release (out on)", "child",
    ]  # fmt: skip
    assert [one.inverse_phrase for one in told_apart(infos)] == ["released", "track", "label", "parent"]
    assert phrases_of(infos)["out_on"] == "release (out on)"


def test_the_question_word_stands_for_the_answer() -> None:
    assert wh_word("[X] was born Where ?") == "where"
    assert wh_word("the nation of [X] 's couple ?") == "what"
    assert wh_word("somewhat whole") == "what"


def test_an_unknown_way_to_join_names_the_nearest() -> None:
    assert joining_of("simple") == "simple"
    with pytest.raises(UsageError, match=r"'wlks'.*nearest: 'walks'"):
        joining_of("wlks")


def test_similarities_are_cosines_of_the_means_of_tokens_whoever_asks_beside() -> None:
    encoder = WordEncoder()
    requests = [RankRequest("child of [X]", ("who is the child of [X]", "place")), RankRequest("place", ("place",))]
    found = StepTwo(encoder).similarities(requests)
    assert [own.shape for own in found] == [(2,), (1,)]
    means = [vectors.mean(axis=0) for vectors in encoder.encode_tokens(["child of [X]", "place"])]
    expected = means[0] @ means[1] / np.linalg.norm(means[0]) / np.linalg.norm(means[1])
    assert found[0][1] == pytest.approx(expected, abs=1e-5)
    assert found[1][0] == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(np.linalg.norm(PooledEncoder(encoder).encode(["a b", "c"]), axis=1), 1, atol=1e-6)


def test_patterns_are_ranked_by_their_words_and_of_equal_words_the_nearer_candidate_is_first() -> None:
    other = Entity("Ann2", "Ann", "Ann2")
    sides = [(side(ANN, Step(BORN)),), (side(ANN, Step(CHILD)),), (side(other, Step(CHILD)),)]
    patterns = Patterns(tuple(Scored(Pattern(one, (ROME,), ()), 1.0 - place / 10) for place, one in enumerate(sides)))
    asked = AskedQuestion("who is the child of [X]", ((ANN, other),))

    def performed(steps: Steps[Patterns]) -> Patterns:
        request = next(steps)
        assert isinstance(request, Compute)
        try:
            steps.send(request.work([request.item])[0])
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        raise AssertionError

    ranked = performed(ranked_patterns(StepTwo(WordEncoder()), asked, patterns, PHRASES)).ranked
    assert [one.item.sides for one in ranked] == [sides[1], sides[2], sides[0]]
    assert ranked[0].score == pytest.approx(1, abs=1e-5)
    weighed = performed(ranked_patterns(StepTwo(WordEncoder()), asked, patterns, PHRASES, weight=50)).ranked
    assert [one.item.sides for one in weighed] == sides
    assert weighed[0].score > 50


def test_the_plan_of_a_pattern_meets_in_what_all_topics_lead_to() -> None:
    one, other = side(ANN, Step(CHILD)), side(ROME, Step(BORN, inverse=True))
    assert Pattern((one,), (), ()).plan == one
    assert Pattern((one, other), (), ()).plan == Combine("and", (one, other))


def test_many_topics_of_many_ways_make_few_patterns_the_shorter_ones() -> None:
    topics = [Entity(name, name, name) for name in ("a", "b", "c")]
    lengths = {topics[0]: 40, topics[1]: 30, topics[2]: 2}
    ways = {
        (topic, ROME): [(side(topic, *[Step(CHILD)] * (1 + size // 10)), ()) for size in range(count)]
        for topic, count in lengths.items()
    }
    asked = AskedQuestion("both of [X] and [Y]", tuple((topic,) for topic in topics))
    found = [tuple(len(way.path) for way, _ in some) for some in _combined(asked, ROME, ways, None)]
    assert MAX_COMBINED / 2 < len(found) <= MAX_COMBINED
    assert set(found) == {(1, 1, 1)}  # of the 40 ways the ten shortest are left at most, of the two both
    alone = AskedQuestion("of [X]", ((topics[0],),))
    assert len(list(_combined(alone, ROME, ways, None))) == 40


def test_who_is_named_again_and_again_is_one_topic() -> None:
    text = " ".join(["Ann"] * 300) + " Rome"
    links = [Link(start, start + 3, ANN, 1.0) for start in range(0, 4 * 300, 4)]
    asked = asked_question(text, [*links, Link(1200, 1204, ROME, 0.9)])
    assert asked.topics == ((ANN,), (ROME,))
    assert "Ann" not in asked.text
