"""Questions about what they describe instead of naming it: "where does the heaviest animal live?".

What is described has a plan of its own. The question is answered for one that it yields, called by its name, and what
answers that is followed on from all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice

from kgqa_graphdb.compose import Composed, QuestionComposer
from kgqa_graphdb.compose.onward import about_all
from kgqa_graphdb.errors import ReadTimeoutError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.language import ENGLISH
from kgqa_graphdb.methods.finish import conclude
from kgqa_graphdb.methods.linked import GraphModels, Linked
from kgqa_graphdb.parse.described import MAX_SPANS, Described, descriptions
from kgqa_graphdb.parse.lexicon import nouns_of
from kgqa_graphdb.plan import Answer, Every, yields_values
from kgqa_graphdb.steps import Mark, Steps, ask
from kgqa_graphdb.types import Entity, Link, Question, Scored

MAX_ONES = 3
"""Entities that the question is asked of, until one has what it asks for."""


@dataclass(frozen=True, slots=True)
class DescribedTopics:
    """Compose what is described, ask of one, go on from all.

    :ivar answer_linked: answers a question about what was linked
    """

    models: GraphModels
    composer: QuestionComposer
    answer_linked: Callable[[Linked, Graph], Steps[Answer]]

    def answer(self, linked: Linked, graph: Graph) -> Steps[Answer | None]:
        """Answer a question that describes what it is about; ``None``: it does not, or that is not understood."""
        if linked.question.topics or graph.mapping.label is not None or graph.mapping.language.code != ENGLISH.code:
            return None
        text, links = linked.question.text, linked.links
        for one in islice(descriptions(text, nouns_of(graph.mapping), links), MAX_SPANS):
            described = yield from self._described(one, text, links, graph)
            if described and (answer := (yield from self._about(described, one, linked, graph))):
                return answer
        return None

    def _described(self, one: Described, text: str, links: tuple[Link, ...], graph: Graph) -> Steps[Composed | None]:
        """The plan of what is described; ``None``: it is all of a kind, or not understood."""
        question = Question(one.question(text))
        try:
            inside = one.inside(text, links)
            found = yield from self.composer.compose(question, inside, graph, self.models.of(graph))
        except ReadTimeoutError:
            return None
        if found is None and inside:
            found = yield from self._named(question, tuple(inside), graph)
        if not isinstance(found, Composed) or isinstance(found.plan, Every) or yields_values(found.plan):
            return None
        return found

    def _named(self, question: Question, links: tuple[Link, ...], graph: Graph) -> Steps[Composed | None]:
        """The plan of what is described by a name alone: "a player coached by Ann"."""
        answer = yield from self.answer_linked(Linked(question, links), graph)
        if not answer.proof or answer.notes:
            return None
        (best, *_) = answer.proof
        return Composed(best.item.plan, best.score, answer.links)

    def _about(self, described: Composed, one: Described, linked: Linked, graph: Graph) -> Steps[Answer | None]:
        """The answer about all that is described; ``None``: none of them has what the question asks for."""
        yield from ask(Mark("retrieve"))
        over = yield from graph.execute(described.plan)
        entities = [node for node in over.nodes if isinstance(node, Entity) and node.is_called]
        for entity in entities[:MAX_ONES]:
            name = Link(one.start, one.end, entity, 1.0)
            text, links = one.outside(linked.question.text, linked.links, name)
            asked = replace(linked, question=Question(text), links=links)
            answer = yield from self.answer_linked(asked, graph)
            plan = about_all(answer.proof[0].item.plan, entity, described.plan) if answer.proof else None
            if plan is None:
                continue
            result = yield from graph.execute(plan)
            if not result.nodes:
                continue
            proof = (Scored(result, min(described.fit, answer.proof[0].score)),)
            named = tuple(link for link in answer.links if link.entity != entity)
            return (
                yield from conclude(
                    answer.method, linked.question, graph, (*described.links, *named), proof, notes=answer.notes
                )
            )
        return None
