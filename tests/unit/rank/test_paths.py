"""Ranking relation paths: the right one comes first in several domains, with an encoder and without."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from kgqa_graphdb.language.masking import mask_mention
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.rank import PathRanker, Proposal
from kgqa_graphdb.steps import IO, run
from kgqa_graphdb.types import Entity
from tests.unit.rank.graphs import (
    HAS_ENCODER,
    WithEncoder,
    WithoutEncoder,
    films,
    kings,
    many_relations,
    mountains,
    movies,
)

Schema = tuple[GraphMapping, dict[str, list[str]]]
needs_encoder = pytest.mark.skipif(not HAS_ENCODER, reason="the default text encoder's package is not installed")


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> WithEncoder:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("KGQA_ENCODER", raising=False)
        patch.setenv("KGQA_CACHE", str(tmp_path_factory.mktemp("cache")))
        io = WithEncoder()
        io.encoder.encode(["warm"])
    return io


def masked(question: str) -> str:
    """Mask a topic in brackets."""
    return mask_mention(question, question.index("["), question.index("]") + 1)


def propose(schema: Schema, kind: str, question: str, io: IO, max_hops: int = 3) -> Proposal:
    mapping, leaving = schema
    return run(PathRanker(mapping).propose(masked(question), leaving[kind], max_hops), io)


def best(schema: Schema, kind: str, question: str, io: IO) -> list[str]:
    return [step.code for step in propose(schema, kind, question, io).paths[0].item]


CASES = [
    (films, "film", "who directed [Alien]?", [">directed_by"]),
    (films, "film", "[Alien] was written by whom?", [">written_by"]),
    (films, "person", "which films did [Ridley Scott] direct?", ["<directed_by"]),
    (films, "film", "when was the film [Alien] released?", [">release_year"]),
    (films, "person", "what genres are the films directed by [Ridley Scott]?", ["<directed_by", ">has_genre"]),
    (films, "person", "who wrote the films directed by [Ridley Scott]?", ["<directed_by", ">written_by"]),
    (films, "person", "who directed the films written by [Dan O'Bannon]?", ["<written_by", ">directed_by"]),
    (films, "film", "which films have the same director as [Alien]?", [">directed_by", "<directed_by"]),
    (
        films,
        "film",
        "in which years were the films released that share a writer with [Alien]?",
        [">written_by", "<written_by", ">release_year"],
    ),
    (mountains, "mountain", "who was the first to climb [Eiger]?", [">first_climbed_by"]),
    (mountains, "mountain", "what is the elevation of [Eiger]?", [">elevation"]),
    (mountains, "mountain", "in which country is [Eiger] located?", [">located_in"]),
    (
        mountains,
        "mountain",
        "what is the nationality of the people who first climbed [Eiger]?",
        [">first_climbed_by", ">nationality"],
    ),
    (
        mountains,
        "mountain",
        "what is the capital of the country where [Eiger] is located?",
        [">located_in", ">capital"],
    ),
    (kings, "person", "who was the father of [Henry]?", [">father"]),
    (kings, "person", "who was the father of [Henry]'s spouse?", [">spouse", ">father"]),
    (kings, "person", "where was [Henry]'s father buried?", [">father", ">buried"]),
    (kings, "person", "who was the architect of the church in which [Henry] is buried?", [">buried", ">architect"]),
    (movies, "movie", "who directed [The Matrix]?", ["<DIRECTED"]),
    (movies, "person", "which movies did [Tom Hanks] act in?", [">ACTED_IN"]),
    (movies, "person", "when was [Tom Hanks] born?", [">born"]),
    (movies, "person", "who directed the movies that [Tom Hanks] acted in?", [">ACTED_IN", "<DIRECTED"]),
    (movies, "person", "when were the movies released that [Tom Hanks] directed?", [">DIRECTED", ">released"]),
    (kings, "country", "where were the rulers of [Aragon] buried?", ["<ruled", ">buried"]),
]


@needs_encoder
@pytest.mark.parametrize(("schema", "kind", "question", "expected"), CASES, ids=[case[2] for case in CASES])
def test_the_right_path_comes_first(
    schema: Callable[[], Schema], kind: str, question: str, expected: list[str], encoder: WithEncoder
) -> None:
    assert best(schema(), kind, question, encoder) == expected


@pytest.mark.parametrize(
    ("kind", "question", "expected"),
    [
        ("film", "who directed [Alien]?", [">directed_by"]),
        ("film", "what genre is [Alien]?", [">has_genre"]),
        ("person", "what genres are the films directed by [Ridley Scott]?", ["<directed_by", ">has_genre"]),
    ],
)
def test_without_an_encoder_spelling_decides_and_a_note_says_so(kind: str, question: str, expected: list[str]) -> None:
    proposal = propose(films(), kind, question, WithoutEncoder())
    assert [step.code for step in proposal.paths[0].item] == expected
    assert "no text encoder" in proposal.notes[0]


@needs_encoder
def test_with_an_encoder_there_is_no_note(encoder: WithEncoder) -> None:
    assert propose(films(), "film", "who directed [Alien]?", encoder).notes == ()


@needs_encoder
def test_a_question_of_another_world_scores_low(encoder: WithEncoder) -> None:
    absurd = ["what is the boiling point of [Alien]?", "how do I cook [Alien]?", "[Alien]", "where can I buy [Alien]?"]
    asked = ["who directed [Alien]?", "what genre is [Alien]?", "who wrote the films that share actors with [Alien]?"]

    def top(question: str) -> float:
        return propose(films(), "film", question, encoder).paths[0].score

    assert max(map(top, absurd)) < 0.45 < min(map(top, asked))


@needs_encoder
def test_scores_lie_between_0_and_1_and_fall(encoder: WithEncoder) -> None:
    for _, kind, question, _ in CASES[:9]:
        scores = [scored.score for scored in propose(films(), kind, question, encoder).paths]
        assert scores == sorted(scores, reverse=True)
        assert 0 <= scores[-1] <= scores[0] <= 1


@needs_encoder
def test_ranking_given_plans_scores_as_proposing_does(encoder: WithEncoder) -> None:
    mapping, leaving = films()
    ranker = PathRanker(mapping)
    question = masked("who wrote the films directed by [Ridley Scott]?")
    proposed = run(ranker.propose(question, leaving["person"]), encoder).paths
    topics = [Entity("1", "Ridley Scott"), Entity("2", "Ridley Scott")]
    plans = [Follow(topic, scored.item) for scored in reversed(proposed) for topic in topics]
    ranked = run(ranker.rank(question, plans), encoder)
    assert len(ranked) == len(plans)
    assert [scored.item.path for scored in ranked[::2]] == [scored.item for scored in proposed]
    assert [scored.score for scored in ranked[::2]] == pytest.approx([scored.score for scored in proposed], abs=1e-5)
    assert [scored.item.topic.id for scored in ranked[:2]] == ["1", "2"]


@needs_encoder
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("which films did [Ann] direct and [Bo] star in?", ("<directed_by", "<starred_actors")),
        ("which films did [Ann] star in and [Bo] direct?", ("<starred_actors", "<directed_by")),
        ("films written by [Ann] and directed by [Bo]", ("<written_by", "<directed_by")),
        ("what films starring [Ann] were written by [Bo]?", ("<starred_actors", "<written_by")),
        ("which films of the genre [drama] did [Bo] write?", ("<has_genre", "<written_by")),
    ],
)
def test_two_topics_get_the_words_that_are_theirs(
    question: str, expected: tuple[str, str], encoder: WithEncoder
) -> None:
    mapping, leaving = films()
    one, other = question.index("["), question.rindex("[")
    ends = question.index("]") + 1, question.rindex("]") + 1
    both = mask_mention(question, one, ends[0], [(other, ends[1])])
    steps = [mapping.step(code) for code in (*leaving["person"], *leaving["genre"])]
    topics = Entity("1", "Ann"), Entity("2", "Bo")
    pairs = [(Follow(topics[0], (first,)), Follow(topics[1], (second,))) for first in steps for second in steps]
    ranker = PathRanker(mapping)
    ranked = run(ranker.rank_pairs(both, pairs, ((), ())), encoder)
    assert tuple(follow.path[0].code for follow in ranked[0].item) == expected
    assert len(ranked) == len(pairs)
    assert all(0 <= scored.score <= 1 for scored in ranked)
    single = run(ranker.propose(both, leaving["person"]), encoder).paths[0]
    assert ranked[0].score > single.score


def test_ranking_nothing_gives_nothing() -> None:
    assert run(PathRanker(films()[0]).rank("who?", []), WithoutEncoder()) == ()


def test_a_topic_that_leads_nowhere_has_no_paths() -> None:
    mapping, _ = films()
    assert run(PathRanker(mapping).propose("who directed [X]?", []), WithoutEncoder()).paths == ()
    assert run(PathRanker(mapping).propose("who directed [X]?", [">unknown"]), WithoutEncoder()).paths == ()


def test_a_schema_without_relations_has_no_paths() -> None:
    empty = GraphMapping("empty", (), ())
    assert run(PathRanker(empty).propose("who directed [X]?", [">directed_by"]), WithoutEncoder()).paths == ()


@pytest.mark.parametrize("question", ["", "???", "[X]", "x" * 10_000, "the of and", "`MATCH (n)` '\"\n😀 [X]"])
def test_odd_questions_are_ranked_too(question: str) -> None:
    mapping, leaving = films()
    proposal = run(PathRanker(mapping).propose(question, leaving["film"]), WithoutEncoder())
    assert proposal.paths
    assert all(0 <= scored.score <= 1 for scored in proposal.paths)


def test_paths_only_join_steps_that_follow_each_other_and_stop_at_properties() -> None:
    mapping, leaving = mountains()
    proposal = run(PathRanker(mapping).propose("elevation of [X]?", leaving["mountain"], 3, 10_000), WithoutEncoder())
    for scored in proposal.paths:
        codes = [step.code for step in scored.item]
        assert codes[0] in leaving["mountain"]
        for one, other in pairwise(codes):
            assert other in mapping.next_steps[one]
        assert all(step.relation.kind == "edge" for step in scored.item[:-1])


@pytest.mark.parametrize("max_hops", [1, 2, 3])
def test_no_path_is_longer_than_asked(max_hops: int) -> None:
    mapping, leaving = films()
    paths = run(PathRanker(mapping).propose("who [X]?", leaving["film"], max_hops, 10_000), WithoutEncoder()).paths
    assert max(len(scored.item) for scored in paths) == max_hops
    assert len({scored.item for scored in paths}) == len(paths)


def test_five_thousand_relations_are_searched_within_bounds() -> None:
    mapping, leaving = many_relations(5_000)
    reachable = len(leaving["kind0"]) * len(leaving["kind1"]) * len(leaving["kind2"])
    assert reachable > 1_000_000
    first = mapping.step(leaving["kind0"][0])
    second = mapping.step(mapping.next_steps[first.code][3])
    third = mapping.step(mapping.next_steps[second.code][5])
    path = (first, second, third)
    words = " ".join(step.relation.id.replace("_", " ") for step in reversed(path))
    proposal = run(PathRanker(mapping).propose(f"{words} [X]", leaving["kind0"]), WithoutEncoder())
    assert len(proposal.paths) == 32
    assert proposal.scored < 15_000
    assert [step.relation.id for step in proposal.paths[0].item] == [step.relation.id for step in path]


def test_a_schema_that_does_not_say_what_follows_is_searched_within_bounds() -> None:
    mapping, leaving = many_relations(800)
    open_ended = GraphMapping("open", (), mapping.relations)
    proposal = run(PathRanker(open_ended).propose("bada of [X]", leaving["kind0"]), WithoutEncoder())
    assert len(proposal.paths) == 32
    assert proposal.scored < 15_000


@needs_encoder
def test_words_of_very_many_relations_are_not_all_embedded(
    encoder: WithEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgqa_graphdb.rank.schema.MAX_EMBEDDED", 40)
    monkeypatch.setattr("kgqa_graphdb.rank.schema.MOST_USED", 40)
    of_films, leaving = films()
    others, _ = many_relations(300)
    mapping = GraphMapping("wide", (), (*others.relations, *of_films.relations), next_steps=of_films.next_steps)
    ranker, fresh = PathRanker(mapping), PathRanker(mapping)
    assert len(ranker.schema.words) + len(ranker.schema.kinds) > 600
    encoder.embedded.clear()
    first = run(ranker.propose(masked("who is the author of [Alien]?"), leaving["film"]), encoder)
    assert first.paths[0].item[0].code == ">written_by"  # its words are no more used than others', but the topic has it
    assert 40 <= len(set(encoder.embedded)) < 140
    last = masked("what genres are the films directed by [Ridley Scott]?")
    proposals = [run(one.propose(last, leaving["person"]), encoder) for one in (ranker, fresh)]
    assert proposals[0] == proposals[1]  # whatever was asked before
    assert [step.code for step in proposals[0].paths[0].item] == ["<directed_by", ">has_genre"]


@needs_encoder
def test_few_paths_are_embedded_however_many_there_are(encoder: WithEncoder) -> None:
    mapping, leaving = films()
    encoder.embedded.clear()
    run(PathRanker(mapping).propose("who directed [X]?", leaving["film"]), encoder)
    assert sum(" of " in text or text.startswith("things") for text in encoder.embedded) <= 32
