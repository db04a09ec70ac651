"""Links, models and a graph that were made up, for methods to be tested with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kgqa_graphdb.graph import EndpointStats, Graph, Memo
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.methods.linked import GraphModels
from kgqa_graphdb.methods.paths import Paths
from kgqa_graphdb.methods.protocols import Linker, PathModel
from kgqa_graphdb.methods.relation_paths import RelationPaths
from kgqa_graphdb.plan import Combine, Follow, Plan, Result
from kgqa_graphdb.rank import PathProbe, PathRanker, Proposal
from kgqa_graphdb.runtime import leaves_of, nested
from kgqa_graphdb.steps import Mark, Request, Steps, ask, together
from kgqa_graphdb.types import Entity, Link, Node, Path, Question, Scored, Statement, Step

DIRECTED = make_relation("directed_by")
MAPPING = GraphMapping(
    graph="films",
    entities=(EntityKind("KG_films", "entity_id", ("name",)),),
    relations=(DIRECTED,),
    label="KG_films",
    owned=True,
)
UP = Entity("up", "Up")
DOWN = Entity("down", "Down")


def chain(linker: Linker, model: PathModel | None = None, **options: Any) -> Paths:
    """The default method with a linker, and a model for every graph.

    :param model: ``None``: none is needed
    :param options: of the relation paths
    """
    models = GraphModels() if model is None else GraphModels(lambda mapping: model)
    return Paths.over(RelationPaths(linker, models, **options))


class OneLink:
    """Takes the whole question for a topic."""

    def link(self, question: Question, graph: Graph) -> Steps[tuple[Link, ...]]:
        yield from ask(Mark("link"))
        return (Link(0, len(question.text), UP, 1.0),)


class MadeModel:
    """Proposes paths with the scores that it was made with; nothing else is asked of it by questions of one topic."""

    scores_are_probabilities = True
    in_domain = True

    def __init__(self, scores: dict[str, float], doubted: dict[str, float]) -> None:
        self.scores = scores
        self.doubted = doubted
        self.seen: list[list[EndpointStats] | None] = []

    def propose(
        self,
        question: str,
        start_codes: Sequence[str],
        max_hops: int = 3,
        limit: int = 32,
        look: PathProbe | None = None,
    ) -> Steps[Proposal]:
        return (yield from self._proposed(proposed_by(self.scores, 0.3, "first look"), look))

    def propose_fallback(
        self, question: str, start_codes: Sequence[str], max_hops: int = 3, look: PathProbe | None = None
    ) -> Steps[Proposal]:
        return (yield from self._proposed(proposed_by(self.doubted, 0.0, "second look"), look))

    def _proposed(self, proposal: Proposal, look: PathProbe | None) -> Steps[Proposal]:
        assert look is not None
        self.seen.append((yield from look([one.item for one in proposal.paths])))
        return proposal

    @property
    def untrained(self) -> PathRanker:
        raise NotImplementedError

    def confidence(self, score: float) -> float:
        return score / 2

    def rank(self, question: str, candidates: Sequence[Follow]) -> Steps[tuple[Scored[Follow], ...]]:
        raise NotImplementedError

    def rank_pairs(
        self, question: str, pairs: Sequence[tuple[Follow, Follow]], start_codes: tuple[Sequence[str], Sequence[str]]
    ) -> Steps[tuple[Scored[tuple[Follow, Follow]], ...]]:
        raise NotImplementedError


def proposed_by(scores: dict[str, float], least_fit: float, note: str) -> Proposal:
    one_hop: dict[str, Path] = {name: (Step(make_relation(name)),) for name in scores}
    paths = tuple(Scored(one_hop[name], score) for name, score in scores.items())
    return Proposal(paths, len(paths), least_fit=least_fit, notes=(note,), least_share=0.5)


@dataclass(frozen=True, eq=False)
class MadeGraph(Graph):
    """Holds facts of some relations, and remembers which were walked.

    :ivar reached: what each relation leads to
    :ivar led: in how many ways plans lead to an answer; others: in one
    :ivar known: how many relationships an entity has; others: none
    """

    mapping: GraphMapping = MAPPING
    relation: str = ""
    reached: dict[str, tuple[Entity, ...]] = field(default_factory=dict)
    walked: list[str] = field(default_factory=list)
    led: dict[Entity, int] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)

    def first_steps(self, entities: Sequence[Entity]) -> Steps[dict[str, tuple[str, ...]]]:
        yield from ask(Mark("retrieve"))
        return {}

    def execute(self, plan: Plan, memo: Memo | None = None) -> Steps[Result]:
        yield from ask(Mark("retrieve"))
        if isinstance(plan, Combine):
            assert plan.op == "or"
            results = yield from together(self.execute(part, memo) for part in plan.parts)
            nodes = {node for one in results for node in one.nodes}
            return Result(plan, tuple(sorted(nodes, key=lambda node: node.name)), (), False)
        assert isinstance(plan, Follow)
        self.walked.append(plan.path[0].relation.id)
        ends = {self.relation: (UP,)} | self.reached
        return Result(plan, ends.get(self.walked[-1], ()), (), False)

    def endpoint_stats(self, topic: Entity, paths: Sequence[Path]) -> Steps[list[EndpointStats] | None]:
        yield from ask(Mark("retrieve"))
        return [EndpointStats(len(self.reached.get(path[0].relation.id, ())) if topic == UP else 0) for path in paths]

    def count_walks(self, plan: Plan, nodes: Sequence[Node], memo: Memo) -> Steps[list[int]]:
        yield from ask(Mark("retrieve"))
        return [self.led.get(node, 1) if isinstance(node, Entity) else 1 for node in nodes]

    def degrees(self, element_ids: Sequence[str]) -> Steps[dict[str, int]]:
        yield from ask(Mark("retrieve"))
        return self.known

    def statement(self, plan: Plan, *, proof: bool = True) -> Statement:
        return Statement("RETURN 1", {}, "answers")


class NothingToDo:
    """Performs what needs no performing."""

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        leaves = leaves_of(requests)
        assert all(isinstance(leaf, Mark) for leaf in leaves)
        return nested(requests, iter([None] * len(leaves)))


@dataclass
class LinkedAs:
    """Links the whole question to one entity, and its beginning to another."""

    less: float

    def link(self, question: Question, graph: Graph) -> Steps[tuple[Link, ...]]:
        yield from ask(Mark("link"))
        return (Link(0, len(question.text), UP, 1.0), Link(0, 2, DOWN, self.less))
