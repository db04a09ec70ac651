"""A language model reads the neighbourhood of the topics, a sentence a fact, and lists the answers.

Source: M. Shirdel, Knowledge Graph-based Question Answering with Large Language Models. There the number of hops is the
gold one, nothing is ranked, and prompts that overflow the model fail. Here the hops are a setting, the facts on the
relation paths that fit the question best come first, as many as fit, and only what stands in the facts is an answer.
In another order and form it is the baseline KAPING; see :func:`kgqa_graphdb.methods.fact_order.by_similarity`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import Expansion, Graph
from kgqa_graphdb.language.masking import mask_mention
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.link.topics import likely_links, topics_of
from kgqa_graphdb.methods.fact_order import by_similarity, in_order
from kgqa_graphdb.methods.linked import GraphModels, give_up_unlinked, link_topics
from kgqa_graphdb.methods.protocols import Linker
from kgqa_graphdb.methods.reader import FactReader
from kgqa_graphdb.methods.spec import MethodSpec, setting
from kgqa_graphdb.plan import Answer
from kgqa_graphdb.steps import Mark, Steps, ask
from kgqa_graphdb.types import Question
from kgqa_graphdb.verbalise import fact_sentence, fact_triple

NAME = "neighbourhood"


@dataclass(frozen=True, slots=True)
class NeighbourhoodSettings:
    """How the method can be set."""

    hops: int = setting(2, "How many hops from the topics facts are taken, 1..4.")
    listed: str = setting(
        "",
        "Relations between commas whose ends are listed but not gone on from, such as release_year, in_language, "
        "has_tags and has_genre of MetaQA (the paper's rule).",
    )
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
    facts: int | None = setting(None, "Facts that are read at most; none: as many as fit.")
    max_tokens: int = setting(256, "Tokens that the language model may write.")
    budget: int | None = setting(None, "Tokens of the prompt at most; none: what the language model's window leaves.")

    def __post_init__(self) -> None:
        if not 1 <= self.hops <= 4:
            raise UsageError(f"a neighbourhood of {self.hops} hops is not read: 1 to 4")
        if self.facts is not None and self.facts < 1:
            raise UsageError(f"a language model reads no {self.facts} facts: at least 1")
        if self.max_tokens < 1:
            raise UsageError(f"a language model writes nothing in {self.max_tokens} tokens: at least 1")
        if self.budget is not None and self.budget < 1:
            raise UsageError(f"a prompt has no room in {self.budget} tokens: at least 1")


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Link, take the subgraph around the topics, have a language model list answers, ground them."""

    settings: NeighbourhoodSettings = field(default_factory=NeighbourhoodSettings)
    linker: Linker = field(default_factory=NameLinker)
    models: GraphModels = field(default_factory=GraphModels)

    def answer(self, question: Question, graph: Graph) -> Steps[Answer]:
        """Answer a question; abstains when no entity is named, or the facts don't have what the model names."""
        linked = yield from link_topics(self.linker, question, graph)
        if not linked.links:
            return linked.noted(give_up_unlinked(NAME, question, graph))
        links = topics_of(question.text, likely_links(linked.links))
        topics = [link.entity for link in links]
        yield from ask(Mark("retrieve"))
        around = yield from graph.neighbourhood(topics, self.settings.hops, expansion=self._expansion(graph))
        settings = self.settings
        if settings.order == "similarity":
            around = replace(around, facts=(yield from by_similarity(question.text, around)))
        elif settings.order == "fit" and links:
            first, *others = [(link.start, link.end) for link in links]
            masked = mask_mention(question.text, *first, others)
            ordered = yield from in_order(masked, around, self.models.of(graph).untrained)
            around = replace(around, facts=ordered)
        say = fact_triple if settings.form == "triples" else fact_sentence
        reader = FactReader(NAME, "neighbourhood", settings.max_tokens, settings.budget, settings.facts, say)
        return (yield from reader.answer(linked, around, graph))

    def _expansion(self, graph: Graph) -> Expansion:
        names = [name.strip() for name in self.settings.listed.split(",") if name.strip()]
        return Expansion(frozenset(f">{graph.mapping.relation(name).id}" for name in names))


def _build(settings: NeighbourhoodSettings, model: None) -> Neighbourhood:
    return Neighbourhood(settings)


SPEC = MethodSpec(
    name=NAME,
    summary="A language model reads the facts around the topics, a sentence each, and lists the answers.",
    build=_build,
    settings=NeighbourhoodSettings,
    needs=frozenset({"language_model"}),
    citation="M. Shirdel, Knowledge Graph-based Question Answering with Large Language Models",
)
