"""GNN2R: a graph neural network finds the answers in the question's subgraph, and paths to the topics prove them.

Source: R. Wang et al., GNN2R: Weakly-Supervised Rationale-Providing Question Answering over Knowledge Graphs (2023).
This is its step I, with the rationales of GNN2R-fast: the shortest paths between topics and answers. What the network
does differently is said in :mod:`kgqa_graphdb.gnn2r.network`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakKeyDictionary

from kgqa_graphdb.documents import expanded
from kgqa_graphdb.errors import SubgraphError, UsageError
from kgqa_graphdb.export import ExportedGraph, SubgraphSettings, open_export
from kgqa_graphdb.export.named import relation_infos
from kgqa_graphdb.gnn2r.asked import AskedQuestion, asked_question
from kgqa_graphdb.gnn2r.files import METHOD, StepOneFiles, read_model
from kgqa_graphdb.gnn2r.graphs import QuestionGraph
from kgqa_graphdb.gnn2r.patterns import FindPatterns, plan_of, shortest_patterns
from kgqa_graphdb.gnn2r.reasoner import ReasonRequest, StepOne, answer_set
from kgqa_graphdb.gnn2r.subgraphs import QuestionSubgraph, question_subgraph
from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.methods.finish import conclude, give_up
from kgqa_graphdb.methods.linked import Linked, give_up_unlinked, link_topics
from kgqa_graphdb.methods.protocols import Linker
from kgqa_graphdb.methods.spec import MethodSpec, setting
from kgqa_graphdb.plan import Answer
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.spelling import Vocabulary
from kgqa_graphdb.steps import Compute, Mark, Steps, ask
from kgqa_graphdb.types import Entity, Question, Scored

NAME = METHOD
MOST_HOPS = 4
"""Between topics and answers; further, paths are not looked for."""
NOT_JOINED = "no path of at most {} hops joins what the model found with {}"
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
    answers: int = setting(50, "Answers at most, the nearest, 1..1000.")
    nodes: int | None = setting(
        None, "Entities of a question's subgraph at most, by personalised PageRank; 0: all; none: as in training."
    )
    export: str = setting(
        "", "Folder that kgqa export wrote: subgraphs are cut out of it; empty: they are read out of Neo4j."
    )

    def __post_init__(self) -> None:
        if self.threshold is not None and self.threshold < 1:
            raise UsageError(f"a threshold of {self.threshold:g} leaves no answer: 1 or more")
        if not 1 <= self.answers <= 1_000:
            raise UsageError(f"{self.answers} answers can't be given: 1 to 1000")
        if self.nodes is not None and self.nodes < 0:
            raise UsageError(f"a subgraph of {self.nodes} entities can't be; 0 for all")


@dataclass(frozen=True, slots=True)
class _OnGraph:
    """What is kept for a graph."""

    step_one: StepOne
    vocabulary: Vocabulary
    relations: int
    source: ExportedGraph | None


@dataclass(frozen=True, slots=True)
class Gnn2r:
    """Link, take the subgraph, find the nearest entities, prove them by patterns.

    :ivar find_patterns: goes from candidates to patterns
    """

    settings: Gnn2rSettings
    files: StepOneFiles
    linker: Linker = field(default_factory=NameLinker)
    find_patterns: FindPatterns = shortest_patterns
    _graphs: WeakKeyDictionary[Graph, _OnGraph] = field(default_factory=WeakKeyDictionary, init=False, repr=False)

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
        candidates, notes = yield from self._candidates(asked, subgraph, on_graph, graph)
        return (yield from self._proved(linked, asked, candidates, notes, graph))

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
            self._graphs[graph] = _OnGraph(step_one, Schema(mapping).vocabulary, len(relations), source)
        return self._graphs[graph]

    def _candidates(
        self, asked: AskedQuestion, subgraph: QuestionSubgraph, on_graph: _OnGraph, graph: Graph
    ) -> Steps[tuple[list[Scored[Entity]], tuple[str, ...]]]:
        """The answers of step I, nearest first, and notes."""
        details, settings = self.files.details, self.settings
        request = ReasonRequest(asked.text, QuestionGraph.of(subgraph.index, on_graph.relations, details.inverse))
        distances = yield from ask(Compute(on_graph.step_one.distances, request))
        chosen = answer_set(distances, details.threshold if settings.threshold is None else settings.threshold)
        notes = []
        if subgraph.truncated:
            notes.append(NOTE_TRUNCATED.format(" and ".join(repr(topic.name) for topic in asked.entities)))
        if chosen.size > settings.answers:
            notes.append(NOTE_MOST.format(settings.answers, chosen.size))
            chosen = chosen[: settings.answers]
        yield from ask(Mark("retrieve"))
        entities = yield from subgraph.named(chosen, graph)
        scored = [
            Scored(entity, 1 / (1 + float(distance)))
            for entity, distance in zip(entities, distances[chosen], strict=True)
            if entity is not None
        ]
        return scored, tuple(notes)

    def _proved(
        self,
        linked: Linked,
        asked: AskedQuestion,
        candidates: list[Scored[Entity]],
        notes: tuple[str, ...],
        graph: Graph,
    ) -> Steps[Answer]:
        """The answer that patterns of the candidates prove; of those that no path joins with a topic none is one."""
        memo, hops = Memo(), min(self.files.details.hops, MOST_HOPS)
        patterns = yield from self.find_patterns(asked, candidates, graph, hops)
        joined = {entity for scored in patterns.ranked for entity in scored.item.candidates}
        answers = [scored for scored in candidates if scored.item in joined]
        if not answers:
            names = " or ".join(repr(topic.name) for topic in asked.entities)
            why = NOT_JOINED.format(hops, names)
            return linked.noted(give_up(NAME, linked.question, linked.links, why, notes))
        plan = yield from plan_of([scored.item for scored in answers], patterns, graph, memo)
        result = yield from graph.execute(plan, memo)
        answer = yield from conclude(
            NAME, linked.question, graph, linked.links, (Scored(result, answers[0].score),), notes=notes,
            scores={scored.item: scored.score for scored in answers},
        )  # fmt: skip
        return linked.noted(answer)


SPEC = MethodSpec(
    name=NAME,
    summary="A graph neural network finds the answers in the question's subgraph; paths to its topics prove them.",
    build=Gnn2r,
    settings=Gnn2rSettings,
    read_model=read_model,
    needs=frozenset({"model"}),
    citation="R. Wang et al., GNN2R: Weakly-Supervised Rationale-Providing Question Answering over KGs (2023)",
)
