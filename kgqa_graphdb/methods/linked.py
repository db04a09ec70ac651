"""What methods that follow relation paths begin with: a question's links, and the ranker of the graph's paths."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import islice
from weakref import WeakKeyDictionary

from kgqa_graphdb.graph import Graph
from kgqa_graphdb.link import unresolved
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.methods.finish import give_up
from kgqa_graphdb.methods.protocols import Linker, PathModel
from kgqa_graphdb.methods.understood import recognised
from kgqa_graphdb.plan import Answer
from kgqa_graphdb.rank import PathRanker
from kgqa_graphdb.steps import Mark, Steps, ask, together
from kgqa_graphdb.types import Link, Question

MAX_NEAREST = 3
"""Names that are suggested where the question has none of the graph's."""


@dataclass(frozen=True, slots=True)
class GraphModels:
    """The rankers of graphs' paths: one for each graph, kept as long as that lives.

    :ivar make_model: makes one
    """

    make_model: Callable[[GraphMapping], PathModel] = PathRanker
    _made: WeakKeyDictionary[Graph, PathModel] = field(default_factory=WeakKeyDictionary, init=False, repr=False)

    def of(self, graph: Graph) -> PathModel:
        """The ranker of a graph."""
        if graph not in self._made:
            self._made[graph] = self.make_model(graph.mapping)
        return self._made[graph]


@dataclass(frozen=True, slots=True)
class Linked:
    """A question and the entities that it may speak of.

    :ivar links: likeliest first
    :ivar notes: which given topics the graph does not have, where it has others, or what may be meant instead
    :ivar unlinked: why there are no links: a name in the question is no entity's; empty: none is known to be
    """

    question: Question
    links: tuple[Link, ...]
    notes: tuple[str, ...] = ()
    unlinked: str = ""

    def noted(self, answer: Answer) -> Answer:
        """An answer with these notes before its own."""
        return replace(answer, notes=(*self.notes, *answer.notes)) if self.notes else answer


def link_topics(linker: Linker, question: Question, graph: Graph) -> Steps[Linked]:
    """Link a question, without what it says for politeness alone; what follows counts as reasoning."""
    question = replace(question, text=graph.mapping.language.without_politeness(question.text))
    yield from ask(Mark("link"))
    links = yield from linker.link(question, graph)
    notes: tuple[str, ...] = ()
    if links and len(question.topics) > len({link.entity.element_id for link in links}):
        alone = [replace(question, topics=(name,)) for name in question.topics]
        each = yield from together(linker.link(one, graph) for one in alone)
        lacking = [one for one, found in zip(alone, each, strict=True) if not found]
        notes = tuple(f"{why_unlinked(one, graph)}; answered without it" for one in lacking)
    yield from ask(Mark("reason"))
    name, nearest = unresolved(question.text, links)
    if name:
        names = dict.fromkeys(repr(link.entity.name) for link in nearest)
        notes += (f"did you mean {' or '.join(islice(names, MAX_NEAREST))}?",)
        return Linked(question, (), notes, f"no entity of graph {graph.name!r} is called {name!r}")
    return Linked(question, tuple(link for link in links if link.other is None), notes)


def why_unlinked(question: Question, graph: Graph) -> str:
    """Why nothing is linked."""
    if question.topics:
        return f"graph {graph.name!r} has no entity {' or '.join(map(repr, question.topics))}"
    return f"no entity of graph {graph.name!r} is named in the question"


def give_up_unlinked(method: str, question: Question, graph: Graph, why: str = "") -> Answer:
    """An abstention where nothing is linked; where a kind of entities is named, it says what can be asked of it.

    :param why: see :attr:`Linked.unlinked`
    """
    if why:
        return give_up(method, question, (), why)
    known = None if question.topics else recognised(question.text, graph.mapping)
    if known is None:
        return give_up(method, question, (), why_unlinked(question, graph))
    nouns = " and ".join(known.nouns)
    why = f"the question is about {nouns}, but what it asks of them was not understood, and it names no entity"
    return give_up(method, question, (), why, (known.note,))
