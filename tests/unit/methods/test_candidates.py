"""Which readings of a question are answered: names in longer ones, and several that are about as likely."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.mapping import GraphMapping, make_relation
from kgqa_graphdb.methods.candidates import Candidate, CandidateSelection, ExecutedCandidate
from kgqa_graphdb.methods.paths import Paths, PathsSettings
from kgqa_graphdb.methods.relation_paths import NOTE_OTHER_READINGS
from kgqa_graphdb.plan import Answer, Combine, Follow
from kgqa_graphdb.rank import PathProbe, Proposal
from kgqa_graphdb.steps import Mark, Steps, ask, run
from kgqa_graphdb.types import Entity, Link, Path, Question, Step
from tests.unit.methods.made import (
    DIRECTED,
    DOWN,
    MAPPING,
    UP,
    LinkedAs,
    MadeGraph,
    MadeModel,
    NothingToDo,
    OneLink,
    chain,
    proposed_by,
)


def read_as(most: int, scores: dict[str, float], graph: Graph) -> Answer:
    """The answer where so many readings may be answered together."""
    paths = chain(OneLink(), MadeModel(scores, {}), readings=most, least_fit=0.0)
    return run(paths.answer(Question("up"), graph), NothingToDo())


def test_readings_that_are_about_as_likely_are_answered_together_where_that_is_asked_for() -> None:
    off = Entity("off", "A third")
    scores = {"likely": 0.8, "less": 0.5, "same": 0.45, "least": 0.25, "far": 0.23}
    ends = {"likely": (UP,), "less": (DOWN,), "same": (UP, DOWN), "least": (off,), "far": (Entity("far", "Far"),)}
    alone = read_as(1, scores, MadeGraph(reached=ends))
    assert ([one.item for one in alone.answers], alone.notes) == ([UP], ("first look",))
    two = read_as(2, scores, MadeGraph(reached=ends))
    assert [(one.item, one.score) for one in two.answers] == [(UP, 0.4), (DOWN, 0.2)]
    assert two.notes == ("first look", NOTE_OTHER_READINGS)
    (proof,) = two.proof
    assert proof.score == 0.4
    assert isinstance(proof.item.plan, Combine)
    all_near = read_as(9, scores, MadeGraph(reached=ends))
    assert [(one.item, one.score) for one in all_near.answers] == [(UP, 0.4), (DOWN, 0.2), (off, 0.1)]


def test_several_readings_need_scores_that_are_probabilities() -> None:
    with pytest.raises(UsageError, match=r"with a trained model only \(--model\).*kgqa train paths makes one"):
        Paths.of(PathsSettings(readings=2))


def test_what_is_asked_for_in_numbers_must_make_sense() -> None:
    with pytest.raises(UsageError, match="0 readings can't be answered"):
        PathsSettings(readings=0)
    with pytest.raises(UsageError, match=r"a bound of 1\.5 .* is not in 0\.\.1"):
        PathsSettings(abstain_below=1.5)


def linked(start: int, end: int, entity: Entity) -> Link:
    return Link(start, end, entity, 1.0)


def found_of(selection: CandidateSelection) -> ExecutedCandidate:
    first = run(selection.first(), NothingToDo())
    assert first is not None
    return first


def led_by(name: str) -> Follow:
    return Follow(UP, (Step(make_relation(name)),))


def test_a_part_of_a_question_of_two_topics_is_no_other_reading_of_it() -> None:
    one, other, far = linked(0, 2, UP), linked(3, 5, DOWN), linked(6, 8, Entity("far", "Far"))
    graph = MadeGraph(reached={"both": (UP,), "half": (DOWN,), "far": (UP, DOWN)})
    both, half = Candidate(led_by("both"), (one, other), 0.5, 1.0), Candidate(led_by("half"), (one,), 0.9, 0.9)
    third = Candidate(led_by("far"), (far,), 0.4, 0.8)
    selection = CandidateSelection(Question("up there"), graph, [both, half, third], 0.5, 40)
    assert [one.candidate for one in run(selection.others(found_of(selection), 9), NothingToDo())] == [third]
    turned = Candidate(led_by("half"), (other, one), 0.25, 0.9)
    selection = CandidateSelection(Question("up there"), graph, [both, turned], 0.5, 40)
    assert [one.candidate for one in run(selection.others(found_of(selection), 9), NothingToDo())] == [turned]


def test_a_topic_that_the_question_does_not_name_stands_in_no_name() -> None:
    named, unnamed = linked(4, 6, UP), linked(6, 6, DOWN)
    graph = MadeGraph(reached={"both": (UP,), "own": (DOWN,), "less": (UP,)})
    pair = Candidate(led_by("both"), (unnamed, named), 0.5, 1.0)
    assert found_of(CandidateSelection(Question("up there"), graph, [pair], 0.5, 40)).candidate == pair
    own, less = Candidate(led_by("own"), (unnamed,), 0.9, 0.9), Candidate(led_by("less"), (named,), 0.8, 0.8)
    assert found_of(CandidateSelection(Question("up there"), graph, [own, less], 0.5, 40)).candidate == own


@pytest.mark.parametrize(("less", "chosen"), [(0.46, True), (0.44, False)])
def test_of_a_longer_name_a_path_counts_less_where_a_better_one_leads_nowhere(less: float, chosen: bool) -> None:
    inner, longer = linked(0, 2, DOWN), linked(0, 8, UP)
    graph = MadeGraph(reached={"inner": (DOWN,), "some": (UP,)})
    likely = Candidate(led_by("inner"), (inner,), 0.9, 2.0)
    paths = [Candidate(led_by(name), (longer,), fit, fit) for name, fit in (("nowhere", 0.8), ("some", less))]
    selection = CandidateSelection(Question("up there"), graph, [likely, *paths], 0.5, 40)
    assert found_of(selection).candidate == (paths[1] if chosen else likely)
    assert selection.led_nowhere == chosen
    strict = CandidateSelection(Question("up there"), graph, [likely, *paths], 0.6, 40)
    assert found_of(strict).candidate == likely


def test_another_reading_yields_values_only_where_the_likeliest_does() -> None:
    value = make_relation("length_km", kind="property")
    path: Path = (Step(value),)
    here = (linked(0, 2, UP),)
    one, other = (Candidate(Follow(UP, steps), here, 0.5, 0.5) for steps in ((Step(DIRECTED),), path))
    graph = MadeGraph(reached={"directed_by": (UP,), "length_km": (DOWN,)})
    selection = CandidateSelection(Question("up there"), graph, [one, other], 0.5, 40)
    assert run(selection.others(found_of(selection), 9), NothingToDo()) == []


class OwnPathsModel(MadeModel):
    """Knows of each topic a path of its own: of the whole question ``longer``, of its beginning ``inner``."""

    def propose(
        self,
        question: str,
        start_codes: Sequence[str],
        max_hops: int = 3,
        limit: int = 32,
        look: PathProbe | None = None,
    ) -> Steps[Proposal]:
        yield from ask(Mark("reason"))
        name = "longer" if question == "[X]" else "inner"
        return proposed_by({name: self.scores[name]}, 0.2, "")


@pytest.mark.parametrize(("longer", "less", "reached", "topic"), [
    (0.45, 0.9, ("longer", "inner"), UP),
    (0.44, 0.9, ("longer", "inner"), DOWN),
    (0.45, 0.9, ("inner",), DOWN),
    (0.45, 1.0, ("longer", "inner"), UP),
])  # fmt: skip
def test_of_a_name_inside_a_longer_one_the_longer_is_meant_where_a_path_of_it_fits_half_as_well(
    longer: float, less: float, reached: tuple[str, ...], topic: Entity
) -> None:
    graph = MadeGraph(reached=dict.fromkeys(reached, (UP,)))
    model = OwnPathsModel({"longer": longer, "inner": 0.9}, {})
    answer = run(chain(LinkedAs(less), model).answer(Question("up there"), graph), NothingToDo())
    assert answer.links[0].entity == topic


def test_a_better_name_inside_a_longer_one_may_be_meant() -> None:
    graph = MadeGraph(reached={"longer": (UP,), "inner": (UP,)})
    model = OwnPathsModel({"longer": 0.6, "inner": 0.7}, {})
    answer = run(chain(LinkedAs(1.1), model).answer(Question("up there"), graph), NothingToDo())
    assert answer.links[0].entity == DOWN


CREW, ROLE = make_relation("crew", via=(">seat", ">taken by")), make_relation("role", via=(">seat", ">as"))
ROLE_OF = make_relation("role of", via=("<taken by", ">as"))
LEGS = tuple(make_relation(name, kind="leg") for name in ("seat", "taken by", "as"))
ABOARD = GraphMapping("crews", MAPPING.entities, (*LEGS, CREW, ROLE, ROLE_OF), "KG_crews")
FLOWN, PILOT = Entity("flight", "Flight 8"), Entity("pilot", "Pilot")
ANN, BOB = Entity("ann", "Ann Lee"), Entity("bob", "Bob Ray")
OF_FLIGHT = {"crew": CREW, "role": ROLE, "directed_by": DIRECTED}


def of_flight(text: str, **fits: float) -> CandidateSelection:
    """Candidates of a question about a flight, on which Bob and Ann were, and somebody was the pilot."""
    reached = {"crew": (BOB, ANN), "role": (PILOT,), "role of": (PILOT,), "directed_by": (UP,)}
    graph = MadeGraph(ABOARD, reached=reached)
    candidates = []
    for name, fit in fits.items():
        topic, relation = (FLOWN, OF_FLIGHT[name]) if name in OF_FLIGHT else (ANN, ROLE_OF)
        start = text.index(topic.name)
        link = linked(start, start + len(topic.name), topic)
        candidates.append(Candidate(Follow(topic, (Step(relation),)), (link,), fit, fit))
    return CandidateSelection(Question(text), graph, candidates, 0.01, 40)


def chosen_of(selection: CandidateSelection) -> tuple[str, ...]:
    """The relations of what is answered first, and of what is told beside it."""
    first = found_of(selection)
    plans = [one.candidate.plan for one in (first, *run(selection.others(first, 9), NothingToDo()))]
    return tuple(plan.path[0].relation.id for plan in plans if isinstance(plan, Follow))


@pytest.mark.parametrize(("text", "fits", "chosen"), [
    ("what was Ann Lee on Flight 8", {"crew": 0.8, "role": 0.041}, ("role",)),
    ("what was Ann Lee on Flight 8", {"crew": 0.8, "role": 0.039}, ("crew",)),
    ("what was Ann Lee on Flight 8", {"crew": 0.8, "role_of": 0.5}, ("role of",)),
    ("what was ann lee on Flight 8", {"role": 0.5, "crew": 0.4}, ("role",)),
    ("was Ann Lee on Flight 8, and who was", {"crew": 0.8, "directed_by": 0.5}, ("crew", "directed_by")),
    ("who was on Flight 8 with Ann Lee", {"crew": 0.8, "role": 0.2}, ("crew",)),
    ("who was on Flight 8 apart from Ann Lee", {"crew": 0.8, "role": 0.2}, ("crew",)),
    ("who was on Flight 8 with lee", {"crew": 0.8, "role": 0.2}, ("crew",)),
    ("who was on Flight 8", {"crew": 0.8, "role": 0.3}, ("crew", "role")),
])  # fmt: skip
def test_what_is_named_beside_the_topic_is_not_asked_for_where_join_nodes_join_more(
    text: str, fits: dict[str, float], chosen: tuple[str, ...]
) -> None:
    assert chosen_of(of_flight(text, **fits)) == chosen


def test_another_role_that_leads_nowhere_or_to_what_is_named_is_not_asked_for_either() -> None:
    selection = of_flight("what was Ann Lee, the Chief Pilot, on Flight 8", crew=0.8, role=0.5)
    for role in ((), (Entity("chief", "Chief Pilot"),)):
        selection.graph.reached["role"] = role
        assert chosen_of(selection)[0] == "crew"


@pytest.mark.parametrize("name", ["Lee", "It Is", "2012"])
def test_a_name_of_one_word_or_of_none_that_says_anything_is_a_word_of_the_question(name: str) -> None:
    selection = of_flight("which of 2012 was it is Lee on Flight 8", crew=0.8, role=0.5)
    selection.graph.reached["crew"] = (Entity("one", name),)
    assert chosen_of(selection)[0] == "crew"


def test_a_name_within_the_topics_own_is_not_named_beside_it() -> None:
    text = "what was Ann Lee Flight"
    graph = MadeGraph(ABOARD, reached={"crew": (ANN,), "role": (PILOT,)})
    topic = linked(text.index("Ann"), len(text), FLOWN)
    paths = [Candidate(Follow(FLOWN, (Step(OF_FLIGHT[name]),)), (topic,), 0.8, 0.8) for name in ("crew", "role")]
    assert found_of(CandidateSelection(Question(text), graph, paths, 0.01, 40)).candidate == paths[0]


def test_a_longer_name_asks_for_another_role_as_well() -> None:
    text = "what was Ann Lee on Flight 8"
    selection = of_flight(text, crew=0.6, role=0.5)
    inner = Candidate(
        Follow(DOWN, (Step(DIRECTED),)), (linked(text.index("Flight"), text.index("8") - 1, DOWN),), 0.9, 2
    )
    selection.candidates.insert(0, inner)
    assert chosen_of(selection)[0] == "role"
