"""GNN2R: a graph neural network finds candidates in the question's subgraph, a sentence encoder the pattern behind.

Source: R. Wang et al., GNN2R: Weakly-Supervised Rationale-Providing Question Answering over Knowledge Graphs (2023).
Step I alone answers with the nearest entities, and proves them by the shortest paths to the topics. Step II looks for
all patterns by which the nearest entities hang together with the topics, chooses the one whose words are most like the
question's, and executes it: what the whole pattern leads to is the answer. What is done differently is said in
:mod:`kgqa_graphdb.gnn2r.network`, :mod:`~kgqa_graphdb.gnn2r.expressions` and :mod:`~kgqa_graphdb.gnn2r.patterns`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np

from kgqa_graphdb.documents import expanded
from kgqa_graphdb.errors import SubgraphError, UsageError
from kgqa_graphdb.export import ExportedGraph, SubgraphSettings, open_export
from kgqa_graphdb.export.named import relation_infos
from kgqa_graphdb.export.walks import Walks
from kgqa_graphdb.export.words import phrases_of
from kgqa_graphdb.gnn2r.asked import AskedQuestion, asked_question
from kgqa_graphdb.gnn2r.files import METHOD, Gnn2rFiles, StepTwoDetails, read_model
from kgqa_graphdb.gnn2r.graphs import QuestionGraph
from kgqa_graphdb.gnn2r.patterns import Patterns, candidate_patterns, joining_of, plan_of
from kgqa_graphdb.gnn2r.ranker import StepTwo, ranked_patterns
from kgqa_graphdb.gnn2r.reasoner import ReasonRequest, StepOne, answer_set
from kgqa_graphdb.gnn2r.subgraphs import QuestionSubgraph, question_subgraph
from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.methods.finish import conclude, give_up
from kgqa_graphdb.methods.linked import Linked, give_up_unlinked, link_topics
from kgqa_graphdb.methods.protocols import Linker
from kgqa_graphdb.methods.spec import MethodSpec, setting
from kgqa_graphdb.plan import Answer, Result
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.spelling import Vocabulary
from kgqa_graphdb.steps import Compute, Mark, Steps, ask
from kgqa_graphdb.types import Entity, Floats, Ints, Node, Question, Scored

NAME = METHOD
MAX_CANDIDATES = 100
MAX_TRIED = 5
"""Patterns that are executed, best first, until one leads to anything: the walk rule may bar walks that were found."""
NOT_JOINED = "no path of at most {} hops joins what the model found with {}"
LEADS_NOWHERE = "none of the likeliest paths from {} leads anywhere: the graph's walk rule bars them"
NOTE_PATHS = "more paths lie between {} and what the model found than were looked at: a better one may be missing"
NOTE_TRUNCATED = (
    "more lies around {} than was read: answers may be missing; give an exported graph: --set export=FOLDER"
)
NOTE_MOST = "{} of {} answers are shown; --set answers=N shows more"


@dataclass(frozen=True, slots=True)
class Gnn2rSettings:
    """How the method can be set."""

    threshold: float | None = setting(
        None,
        "What is at most so many times as far from the question as the nearest entity is an answer, too: 1 or more; "
        "none: what training found.",
    )
    answers: int = setting(
        50, "Answers of step I at most, the nearest, 1..1000; step II gives all that its pattern leads to."
    )
    nodes: int | None = setting(
        None, "Entities of a question's subgraph at most, by personalised PageRank; 0: all; none: as in training."
    )
    step_two: bool = setting(
        True,
        "Choose a pattern of the graph by a sentence encoder and answer with all it leads to; false: step I alone, the "
        "nearest entities.",
    )
    candidates: int | None = setting(
        None, "Nearest entities that step II looks for patterns from, 1..100; none: as in training."
    )
    joining: str = setting(
        "",
        "Which paths join topics and candidates in step II: walks, simple (the paper's) or shortest (GNN2R-fast); "
        "empty: as in training.",
    )
    export: str = setting(
        "", "Folder that kgqa export wrote: subgraphs and walks are taken from it; empty: they are read out of Neo4j."
    )

    def __post_init__(self) -> None:
        if self.threshold is not None and self.threshold < 1:
            raise UsageError(f"a threshold of {self.threshold:g} leaves no answer: 1 or more")
        if not 1 <= self.answers <= 1_000:
            raise UsageError(f"{self.answers} answers can't be given: 1 to 1000")
        if self.candidates is not None and not 1 <= self.candidates <= MAX_CANDIDATES:
            raise UsageError(f"patterns of {self.candidates} candidates can't be looked for: 1 to {MAX_CANDIDATES}")
        if self.joining:
            joining_of(self.joining)
        if self.nodes is not None and self.nodes < 0:
            raise UsageError(f"a subgraph of {self.nodes} entities can't be; 0 for all")


@dataclass(frozen=True, slots=True)
class _OnGraph:
    """What is kept for a graph."""

    step_one: StepOne
    vocabulary: Vocabulary
    relations: int
    phrases: Mapping[str, str]
    walks: Walks | None

    @property
    def source(self) -> ExportedGraph | None:
        """The exported graph, where one is given."""
        return self.walks.graph if self.walks else None


@dataclass(frozen=True, slots=True)
class _Reasoned:
    """A question, its subgraph, and how far each entity of that is from it.

    :ivar distances: shape (entities,)
    :ivar notes: for the answer
    """

    linked: Linked
    asked: AskedQuestion
    subgraph: QuestionSubgraph
    distances: Floats
    notes: list[str]

    def note(self, patterns: Patterns) -> None:
        """Say it where a limit left paths out."""
        if patterns.truncated:
            self.notes.append(NOTE_PATHS.format(_names(self.asked, " and ")))

    def given_up(self, why: str) -> Answer:
        """The answer where there is none."""
        linked = self.linked
        return linked.noted(give_up(NAME, linked.question, linked.links, why, self.notes))

    def scored(self, places: Ints, graph: Graph) -> Steps[list[Scored[Entity]]]:
        """Entities of the subgraph, scored by how near they are to the question."""
        yield from ask(Mark("retrieve"))
        entities = yield from self.subgraph.named(places, graph)
        return [
            Scored(entity, 1 / (1 + float(distance)))
            for entity, distance in zip(entities, self.distances[places], strict=True)
            if entity is not None
        ]


@dataclass(frozen=True, slots=True)
class Gnn2r:
    """Link, take the subgraph, find the nearest entities, prove them by patterns.

    :ivar step_two: ``None``: only step I was trained
    """

    settings: Gnn2rSettings
    files: Gnn2rFiles
    linker: Linker = field(default_factory=NameLinker)
    step_two: StepTwo | None = field(init=False, repr=False)
    _graphs: WeakKeyDictionary[Graph, _OnGraph] = field(default_factory=WeakKeyDictionary, init=False, repr=False)

    def __post_init__(self) -> None:
        sentences = self.files.sentences
        object.__setattr__(self, "step_two", StepTwo(sentences) if sentences else None)

    def answer(self, question: Question, graph: Graph) -> Steps[Answer]:
        """Answer a question; abstains when no entity is named, or one without facts.

        :raises UsageError: the model learned on another graph
        :raises ExportError: the exported graph is of another graph, or the graph has changed since
        """
        on_graph = yield from self._on(graph)
        linked = yield from link_topics(self.linker, question, graph)
        if not linked.links:
            return linked.noted(give_up_unlinked(NAME, question, graph, linked.unlinked))
        asked = asked_question(linked.question.text, linked.links, on_graph.vocabulary)
        yield from ask(Mark("retrieve"))
        try:
            subgraph = yield from question_subgraph(graph, asked.entities, self.subgraphs, on_graph.source)
        except SubgraphError as error:
            return linked.noted(give_up(NAME, linked.question, linked.links, str(error)))
        yield from ask(Mark("reason"))
        distances = yield from self._distances(asked, subgraph, on_graph)
        notes = [NOTE_TRUNCATED.format(_names(asked, " and "))] if subgraph.truncated else []
        reasoned = _Reasoned(linked, asked, subgraph, distances, notes)
        learned = self.files.details.step_two
        if learned and self.step_two and self.settings.step_two:
            return (yield from self._explained(reasoned, learned, self.step_two, graph, on_graph))
        return (yield from self._proved(reasoned, graph))

    @property
    def subgraphs(self) -> SubgraphSettings:
        """How a question's subgraph is cut."""
        details, nodes = self.files.details, self.settings.nodes
        return SubgraphSettings(hops=details.hops, max_nodes=details.max_nodes if nodes is None else nodes)

    def _on(self, graph: Graph) -> Steps[_OnGraph]:
        if graph not in self._graphs:
            known, mapping = self.files.card.graphs, graph.mapping
            if known and mapping.graph not in known:
                raise UsageError(
                    f"the model learned on graph {', '.join(map(repr, known))}, not on {mapping.graph!r}: train one "
                    f"with: kgqa train {NAME} --graph {mapping.graph}"
                )
            folder = self.settings.export
            source = (yield from open_export(graph, expanded(Path(folder)))) if folder else None
            relations = relation_infos(mapping)
            step_one = StepOne.of(self.files, relations)
            self._graphs[graph] = _OnGraph(
                step_one, Schema(mapping).vocabulary, len(relations), phrases_of(relations),
                Walks(source) if source else None,
            )  # fmt: skip
        return self._graphs[graph]

    def _distances(self, asked: AskedQuestion, subgraph: QuestionSubgraph, on_graph: _OnGraph) -> Steps[Floats]:
        """How far each entity of the subgraph is from the question; shape (entities,)."""
        graph = QuestionGraph.of(subgraph.index, on_graph.relations, self.files.details.inverse)
        found: Floats = yield from ask(Compute(on_graph.step_one.distances, ReasonRequest(asked.text, graph)))
        return found

    # ── step I alone ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _proved(self, reasoned: _Reasoned, graph: Graph) -> Steps[Answer]:
        """The nearest entities, proved by patterns; of those that no path joins with a topic none is an answer."""
        settings, learned = self.settings, self.files.details.threshold
        chosen = answer_set(reasoned.distances, learned if settings.threshold is None else settings.threshold)
        if chosen.size > settings.answers:
            reasoned.notes.append(NOTE_MOST.format(settings.answers, chosen.size))
        candidates = yield from reasoned.scored(chosen[: settings.answers], graph)
        memo = Memo()
        hops = self.files.details.longest_path
        patterns = yield from candidate_patterns(reasoned.asked, candidates, graph, hops, "shortest")
        reasoned.note(patterns)
        joined = {entity for scored in patterns.ranked for entity in scored.item.candidates}
        answers = [scored for scored in candidates if scored.item in joined]
        if not answers:
            return self._not_joined(reasoned)
        plan = yield from plan_of([scored.item for scored in answers], patterns, graph, memo)
        result = yield from graph.execute(plan, memo)
        return (yield from _concluded(reasoned, result, answers, graph))

    # ── steps I and II ───────────────────────────────────────────────────────────────────────────────────────────────

    def _explained(
        self,
        reasoned: _Reasoned,
        learned: StepTwoDetails,
        step_two: StepTwo,
        graph: Graph,
        on_graph: _OnGraph,
    ) -> Steps[Answer]:
        """The answer that the pattern leads to whose words are most like the question's."""
        settings, asked = self.settings, reasoned.asked
        count = settings.candidates or learned.candidates
        order = np.argsort(reasoned.distances, kind="stable")[: max(count, settings.answers)]
        nearest = yield from reasoned.scored(order, graph)
        candidates = nearest[:count]
        joining = joining_of(settings.joining) if settings.joining else learned.joining
        hops = self.files.details.longest_path
        patterns = yield from candidate_patterns(asked, candidates, graph, hops, joining, on_graph.walks)
        reasoned.note(patterns)
        if not patterns.ranked:
            return self._not_joined(reasoned)
        yield from ask(Mark("reason"))
        patterns = yield from ranked_patterns(step_two, asked, patterns, on_graph.phrases, learned.weight)
        yield from ask(Mark("retrieve"))
        memo = Memo()
        for scored in patterns.ranked[:MAX_TRIED]:
            result = yield from graph.execute(scored.item.plan, memo)
            if result.nodes:
                return (yield from _concluded(reasoned, result, nearest, graph))
        return reasoned.given_up(LEADS_NOWHERE.format(_names(asked, " or ")))

    def _not_joined(self, reasoned: _Reasoned) -> Answer:
        return reasoned.given_up(NOT_JOINED.format(self.files.details.longest_path, _names(reasoned.asked, " or ")))


def _concluded(reasoned: _Reasoned, result: Result, nearest: list[Scored[Entity]], graph: Graph) -> Steps[Answer]:
    """An answer whose entities have the scores of step I; those that are not among the nearest come last."""
    scores: dict[Node, float] = {scored.item: scored.score for scored in nearest}
    linked, proof = reasoned.linked, (Scored(result, min(scores.values())),)
    answer = yield from conclude(NAME, linked.question, graph, linked.links, proof, notes=reasoned.notes, scores=scores)
    return linked.noted(answer)


def _names(asked: AskedQuestion, between: str) -> str:
    return between.join(repr(topic.name) for topic in asked.entities)


SPEC = MethodSpec(
    name=NAME,
    summary="A graph neural network finds candidates in the question's subgraph; the pattern behind them answers it.",
    build=Gnn2r,
    settings=Gnn2rSettings,
    read_model=read_model,
    needs=frozenset({"model"}),
    citation="R. Wang et al., GNN2R: Weakly-Supervised Rationale-Providing Question Answering over KGs (2023)",
)
