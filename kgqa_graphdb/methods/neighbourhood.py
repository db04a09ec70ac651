"""A language model reads the neighbourhood of the topics, a sentence a fact, and lists the answers.

Source: M. Shirdel, Knowledge Graph-based Question Answering with Large Language Models. There the number of hops is the
gold one, nothing is ranked, and prompts that overflow the model fail. Here the hops are a setting, the facts on the
relation paths that fit the question best come first, as many as fit, and only what stands in the facts is an answer.
Topics by similarity are what the paper tried and left; ranking what the facts lead to by it is ours.
In another order and form it is the baseline KAPING; see :func:`kgqa_graphdb.methods.fact_order.by_similarity`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import NEIGHBOURHOOD_LIMITS, Expansion, Graph, NeighbourhoodLimits
from kgqa_graphdb.language.masking import mask_mention
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.link.similar import SimilarLinker
from kgqa_graphdb.link.topics import likely_links, topics_of
from kgqa_graphdb.methods.fact_order import by_similarity, in_order, similar_ends
from kgqa_graphdb.methods.finish import conclude, give_up
from kgqa_graphdb.methods.grounding import facts_to
from kgqa_graphdb.methods.linked import GraphModels, Linked, give_up_unlinked, link_topics
from kgqa_graphdb.methods.protocols import Linker
from kgqa_graphdb.methods.reader import FactReader, check_token_limits, notes_on, why_nothing_to_read
from kgqa_graphdb.methods.spec import MethodSpec, Need, setting
from kgqa_graphdb.plan import Answer, Cite
from kgqa_graphdb.steps import Mark, Steps, ask
from kgqa_graphdb.types import Entity, Link, Question, Scored, Subgraph
from kgqa_graphdb.verbalise import fact_sentence, fact_triple

NAME = "neighbourhood"


PROMPTS = {
    "lines": "neighbourhood",
    "list": "neighbourhood_list",
    "plain": "neighbourhood_plain",
    "trained": "rra",
}
"""The prompts, by the names that the setting has for them. The paper's own is not printed there: ``list`` says what the
paper says that it says."""
MOST_HOPS = 4
MOST_NEAREST = 100
ENDS = 10
"""Answers without a language model, where ``facts`` does not say."""


@dataclass(frozen=True, slots=True)
class NeighbourhoodSettings:
    """How the method can be set."""

    hops: int = setting(2, "How many hops from the topics facts are taken, 1..4.")
    listed: str = setting(
        "",
        "Relations between commas whose ends are listed but not gone on from, such as release_year, in_language, "
        "has_tags and has_genre of MetaQA (the paper's rule).",
    )
    topics: Literal["names", "similarity"] = setting(
        "names",
        "How topics are found: entities that the question names, or those that the graph's vector index finds most "
        "like the whole question (similarity), as the paper tried.",
    )
    nearest: int = setting(1, "With topics=similarity: how many topics, 1..100; the paper has 1, 3 and 10.")
    order: Literal["fit", "distance", "similarity"] = setting(
        "fit",
        "Which facts come first where not all are read: those on relation paths that fit the question (fit), those "
        "nearest the topics (distance), or those whose triples the text encoder finds most like the question "
        "(similarity).",
    )
    form: Literal["sentences", "triples"] = setting(
        "sentences",
        "How a fact is said. order=similarity with form=triples and facts=10 is KAPING.",
    )
    facts: int | None = setting(
        None, "Facts that are read at most; none: as many as fit. With reader=none: answers at most; none: 10."
    )
    reader: Literal["language_model", "none"] = setting(
        "language_model",
        "Who answers: a language model that reads the facts, or nobody (none): then the answers are what the facts "
        "lead to that the text encoder finds most like the question, and no language model is needed.",
    )
    prompt: Literal["lines", "list", "plain", "trained"] = setting(
        "lines",
        "What the language model is asked for: an answer a line (lines), a JSON list, as in the paper (list), nothing "
        "but the facts and the question (plain), or as kgqa train reader asks it (trained).",
    )
    max_tokens: int = setting(256, "Tokens that the language model may write.")
    budget: int | None = setting(None, "Tokens of the prompt at most; none: what the language model's window leaves.")

    def __post_init__(self) -> None:
        if not 1 <= self.hops <= MOST_HOPS:
            raise UsageError(f"a neighbourhood of {self.hops} hops is not read: 1 to {MOST_HOPS}")
        if not 1 <= self.nearest <= MOST_NEAREST:
            raise UsageError(f"the {self.nearest} entities nearest a question are no topics: 1 to {MOST_NEAREST}")
        if self.facts is not None and self.facts < 1:
            raise UsageError(f"a language model reads no {self.facts} facts: at least 1")
        check_token_limits(self.max_tokens, self.budget)


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Link, take the subgraph around the topics, have a language model list answers, ground them."""

    settings: NeighbourhoodSettings = field(default_factory=NeighbourhoodSettings)
    linker: Linker = field(default_factory=NameLinker)
    models: GraphModels = field(default_factory=GraphModels)

    def answer(self, question: Question, graph: Graph) -> Steps[Answer]:
        """Answer a question; abstains when no entity is named, or the facts don't have what the model names."""
        settings = self.settings
        similar = settings.topics == "similarity" and not question.topics
        linked = yield from link_topics(SimilarLinker(settings.nearest) if similar else self.linker, question, graph)
        if not linked.links:
            return linked.noted(give_up_unlinked(NAME, question, graph, linked.unlinked))
        links = linked.links if similar else topics_of(question.text, likely_links(linked.links))
        yield from ask(Mark("retrieve"))
        around = yield from self.around([link.entity for link in links], graph)
        if settings.reader == "none":
            return (yield from self._most_similar(linked, around, graph))
        around = yield from self.ordered(question.text, links, around, graph)
        return (yield from self.reader.answer(linked, around, graph))

    @property
    def reader(self) -> FactReader:
        """Has the language model read the facts."""
        settings = self.settings
        say = fact_triple if settings.form == "triples" else fact_sentence
        name = PROMPTS[settings.prompt]
        return FactReader(NAME, name, settings.max_tokens, settings.budget, settings.facts, say)

    def around(
        self, topics: Sequence[Entity], graph: Graph, limits: NeighbourhoodLimits = NEIGHBOURHOOD_LIMITS
    ) -> Steps[Subgraph]:
        """The subgraph around the topics, the facts nearest them first."""
        names = [name.strip() for name in self.settings.listed.split(",") if name.strip()]
        listed = frozenset(f">{graph.mapping.relation(name).id}" for name in names)
        expansion, hops = Expansion(listed), self.settings.hops
        return (yield from graph.neighbourhood(topics, hops, limits=limits, expansion=expansion))

    def ordered(self, question: str, links: Sequence[Link], around: Subgraph, graph: Graph) -> Steps[Subgraph]:
        """A subgraph with its facts in the order in which they are read."""
        if self.settings.order == "similarity":
            return replace(around, facts=(yield from by_similarity(question, around)))
        if self.settings.order == "distance":
            return around
        first, *others = [(link.start, link.end) for link in links]
        masked = mask_mention(question, *first, others)
        return replace(around, facts=(yield from in_order(masked, around, self.models.of(graph).untrained)))

    def _most_similar(self, linked: Linked, around: Subgraph, graph: Graph) -> Steps[Answer]:
        """The answer without a language model: what the facts lead to that are most like the question."""
        yield from ask(Mark("reason"))
        best = yield from similar_ends(linked.question.text, around, self.settings.facts or ENDS)
        if not best:
            return linked.noted(give_up(NAME, linked.question, linked.links, why_nothing_to_read(around)))
        yield from ask(Mark("retrieve"))
        nodes = tuple(scored.item for scored in best)
        result = yield from graph.execute(Cite(nodes, facts_to(nodes, around)))
        answer = yield from conclude(
            NAME, linked.question, graph, linked.links, (Scored(result, 1.0),), notes=notes_on(around),
            scores={scored.item: scored.score for scored in best},
        )  # fmt: skip
        return linked.noted(answer)


def _build(settings: NeighbourhoodSettings, model: None) -> Neighbourhood:
    return Neighbourhood(settings)


def _waived(settings: NeighbourhoodSettings) -> frozenset[Need]:
    return frozenset({"language_model"}) if settings.reader == "none" else frozenset()


SPEC = MethodSpec(
    name=NAME,
    summary="A language model reads the facts around the topics, a sentence each, and lists the answers.",
    build=_build,
    settings=NeighbourhoodSettings,
    needs=frozenset({"language_model"}),
    waived=_waived,
    citation="M. Shirdel, Knowledge Graph-based Question Answering with Large Language Models",
)
