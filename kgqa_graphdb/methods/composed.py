"""Questions that count, compare, rank, group or leave out: parsed, and answered by one composed plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from kgqa_graphdb.compose import Composed, NotCovered, NoValue, QuestionComposer
from kgqa_graphdb.errors import ReadTimeoutError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.methods.finish import conclude, give_up
from kgqa_graphdb.methods.linked import GraphModels, Linked, link_topics
from kgqa_graphdb.methods.protocols import Linker
from kgqa_graphdb.methods.spec import MethodSpec, NoSettings
from kgqa_graphdb.methods.understood import recognised
from kgqa_graphdb.parse.cues import asks_whether
from kgqa_graphdb.plan import Answer, yields_values
from kgqa_graphdb.rank import PathModelFiles, make_ranker, read_model
from kgqa_graphdb.steps import Mark, Steps, ask
from kgqa_graphdb.types import Link, Question, Scored
from kgqa_graphdb.verbalise import describe_plan

NAME = "composed"
NOT_COMPOSED = "the question counts, compares, ranks, groups and leaves out nothing that was understood"


@dataclass(frozen=True, slots=True)
class ComposedQuestions:
    """Link, parse, compose, execute, verbalise.

    :ivar linker: finds what may be the topics
    :ivar models: the rankers of graphs' paths, which say what the words of conditions mean
    :ivar composer: composes plans
    """

    linker: Linker = field(default_factory=NameLinker)
    models: GraphModels = field(default_factory=GraphModels)
    composer: QuestionComposer = field(default_factory=QuestionComposer)

    def answer(self, question: Question, graph: Graph) -> Steps[Answer]:
        """Answer a question; abstains where it does nothing that is understood with what it names."""
        linked = yield from link_topics(self.linker, question, graph)
        answer = yield from self.answer_linked(linked, graph)
        known = None if answer or linked.links else recognised(question.text, graph.mapping)
        notes = (known.note,) if known else ()
        return linked.noted(answer or give_up(NAME, question, linked.links, NOT_COMPOSED, notes))

    def answer_linked(self, linked: Linked, graph: Graph) -> Steps[Answer | None]:
        """Answer a question about what was linked; ``None``: no plan was composed."""
        question, links = linked.question, linked.links
        if linked.unlinked:
            return give_up(NAME, question, (), linked.unlinked)
        try:
            composed = yield from self.composer.compose(question, links, graph, self.models.of(graph))
        except ReadTimeoutError:  # so much would have to be read that the question is left to other methods
            composed = None
        if composed is None or (isinstance(composed, Composed) and _is_no_yes(question, composed, links, graph)):
            return None
        if isinstance(composed, NotCovered | NoValue):
            return give_up(NAME, question, links, composed.why)
        yield from ask(Mark("retrieve"))
        result = yield from graph.execute(composed.plan)
        if not result.nodes:
            why = f"nothing in the graph is {describe_plan(composed.plan)}"
            return give_up(NAME, question, composed.links or links, why)
        proof = (Scored(result, min(1.0, composed.fit)),)
        return (yield from conclude(NAME, question, graph, composed.links or links, proof))


def _is_no_yes(question: Question, composed: Composed, links: Sequence[Link], graph: Graph) -> bool:
    """Whether a question asks for yes or no, and a plan gives entities."""
    return not yields_values(composed.plan) and asks_whether(question.text, links, graph.mapping.language)


def _build(settings: NoSettings, model: PathModelFiles | None) -> ComposedQuestions:
    return ComposedQuestions(models=GraphModels(partial(make_ranker, model=model)) if model else GraphModels())


SPEC = MethodSpec(
    name=NAME,
    summary="Questions that count, compare, rank, group or leave out, as one composed plan; abstains from all others.",
    build=_build,
    read_model=read_model,
)
