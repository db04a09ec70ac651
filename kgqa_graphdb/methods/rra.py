"""Retrieve-Rewrite-Answer: relation paths are predicted and executed, a sample is rewritten, a language model answers.

Source: Y. Wu et al., Retrieve-Rewrite-Answer: A KG-to-Text Enhanced LLMs Framework for Knowledge Graph Question
Answering (2023). What the prediction does differently is said in :mod:`kgqa_graphdb.rra.predictor`, what the sample
does in :func:`kgqa_graphdb.rra.reasoning.sampled`. Only what stands in the retrieved facts is an answer here; there it
is the text that the language model writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Literal
from weakref import WeakKeyDictionary

from kgqa_graphdb.errors import ReadTimeoutError, UsageError
from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.link.asked import question_key
from kgqa_graphdb.link.topics import likely_links, mask_topic
from kgqa_graphdb.methods.finish import conclude, give_up
from kgqa_graphdb.methods.linked import Linked, give_up_unlinked, link_topics
from kgqa_graphdb.methods.protocols import Linker
from kgqa_graphdb.methods.reader import FactReader, check_token_limits
from kgqa_graphdb.methods.spec import MethodSpec, Need, setting
from kgqa_graphdb.plan import Answer, Follow, ReasoningPath, Result, Retrieved
from kgqa_graphdb.rank.question import read_question
from kgqa_graphdb.rra.files import PredictorFiles, read_model
from kgqa_graphdb.rra.knowledge import lines_of, read_texts, rewritten
from kgqa_graphdb.rra.predictor import PathPredictor, Predicted, PredictRequest
from kgqa_graphdb.rra.reasoning import reasoning_paths, sampled
from kgqa_graphdb.steps import Compute, Mark, Steps, ask, together
from kgqa_graphdb.types import Entity, Link, Question, Scored, Subgraph
from kgqa_graphdb.verbalise import FactLine

NAME = "rra"
PROMPTS = {"lines": "rra", "paper": "rra_paper"}
"""The prompts, by the names that the setting has for them; without facts it is another."""
MAX_TOPICS = 5
"""Linked entities from which paths are predicted, the likeliest: of one name several may be meant."""
MOST_PATHS, MOST_REASONING_PATHS = 20, 1_000
NO_PATH = "no relation path that the model knows leaves {}"
NOWHERE = "no relation path that was predicted leads anywhere from {}"
NOTE_NO_TEXT = "the file of texts has none for this question: the facts were shown as sentences"
NOTE_TIMEOUT = "a predicted relation path was left out: reading what it leads to took too long"


@dataclass(frozen=True, slots=True)
class RraSettings:
    """How the method can be set."""

    paths: int = setting(3, "Relation paths that are predicted and executed, 1..20 (the paper's K).")
    reasoning_paths: int = setting(
        5,
        "Reasoning paths, each to an answer that a relation path leads to, that are read in all, 1..1000 (the "
        "paper's M).",
    )
    hops: int | None = setting(None, "How many hops the question has, where that is known; none: predicted.")
    reader: Literal["language_model", "none"] = setting(
        "language_model",
        "Who answers: a language model that reads the sample, or nobody (none): then all that the likeliest path "
        "leads to is the answer, and no language model is needed.",
    )
    knowledge: Literal["none", "triples", "template", "text", "file"] = setting(
        "template",
        "What the language model reads: nothing (none), triples, sentences by the relations' templates (template), "
        "texts that it writes of each reasoning path first (text), or texts from a file (file).",
    )
    rewriter: str = setting(
        "",
        "With knowledge=text: folder of a peft adapter with which the language model writes them, such as one that "
        "kgqa train kg2text made; empty: as it is.",
    )
    texts: str = setting("", 'With knowledge=file: JSON lines {"question": "…", "text": "…"}.')
    prompt: Literal["lines", "paper"] = setting(
        "lines",
        "How the language model is asked: for an answer a line and nothing else, as adapters of kgqa train reader are "
        "(lines), or in the paper's words (paper), to which most models write a sentence.",
    )
    max_tokens: int = setting(256, "Tokens that the language model may write as its answer.")
    budget: int | None = setting(None, "Tokens of the prompt at most; none: what the language model's window leaves.")

    def __post_init__(self) -> None:
        if not 1 <= self.paths <= MOST_PATHS:
            raise UsageError(f"{self.paths} relation paths are not predicted: 1 to {MOST_PATHS}")
        if not 1 <= self.reasoning_paths <= MOST_REASONING_PATHS:
            raise UsageError(f"{self.reasoning_paths} reasoning paths are not read: 1 to {MOST_REASONING_PATHS}")
        if self.hops is not None and self.hops < 1:
            raise UsageError(f"no question has {self.hops} hops: at least 1, or none to predict them")
        check_token_limits(self.max_tokens, self.budget)
        if (self.knowledge == "file") != bool(self.texts):
            raise UsageError("knowledge=file and texts=FILE go together: give both, or neither")
        if self.rewriter and self.knowledge != "text":
            raise UsageError("a rewriter writes texts: give knowledge=text, too, or leave it out")


@dataclass(frozen=True, slots=True)
class Rra:
    """Link, predict relation paths, execute them, sample reasoning paths, rewrite, have a language model answer.

    :ivar texts: question → what is read for it
    """

    settings: RraSettings
    files: PredictorFiles
    linker: Linker = field(default_factory=NameLinker)
    texts: Mapping[str, str] = field(default_factory=dict)
    _predictors: WeakKeyDictionary[Graph, PathPredictor] = field(
        default_factory=WeakKeyDictionary, init=False, repr=False
    )

    def answer(self, question: Question, graph: Graph) -> Steps[Answer]:
        """Answer a question; abstains when no entity is named, no path leads anywhere, or nothing is grounded."""
        linked = yield from link_topics(self.linker, question, graph)
        if not linked.links:
            return linked.noted(give_up_unlinked(NAME, question, graph, linked.unlinked))
        likely = likely_links(linked.links)[:MAX_TOPICS]
        retrieved = yield from self._predict(linked.question, likely, graph)
        topics = tuple(dict.fromkeys(scored.item.topic for scored in retrieved.paths))
        if not topics:
            return self._nothing(linked, NO_PATH, [link.entity for link in likely], retrieved, ())
        yield from ask(Mark("retrieve"))
        results, notes = yield from self._execute(retrieved, graph)
        reached = [scored for scored in results if scored.item.nodes]
        if not reached:
            return self._nothing(linked, NOWHERE, topics, retrieved, notes)
        retrieved = replace(retrieved, sample=self._sample(results, graph))
        yield from ask(Mark("reason"))
        if self.settings.reader == "none":
            best = yield from conclude(NAME, linked.question, graph, linked.links, reached[:1], notes=notes)
            return linked.noted(replace(best, retrieved=retrieved))
        answer = yield from self._read(question, linked, retrieved, topics, graph)
        return replace(answer, notes=(*notes, *answer.notes), retrieved=retrieved)

    def _nothing(
        self, linked: Linked, why: str, topics: Sequence[Entity], retrieved: Retrieved, notes: Sequence[str]
    ) -> Answer:
        names = " or ".join(dict.fromkeys(repr(topic.name) for topic in topics))
        answer = give_up(NAME, linked.question, linked.links, why.format(names), notes)
        return linked.noted(replace(answer, retrieved=retrieved))

    def _predict(self, question: Question, likely: Sequence[Link], graph: Graph) -> Steps[Retrieved]:
        """The relation paths from linked entities; how well an entity is named counts as much as its paths."""
        if graph not in self._predictors:
            self._predictors[graph] = PathPredictor(graph.mapping, self.files)
        predictor = self._predictors[graph]
        yield from ask(Mark("retrieve"))
        starts = yield from graph.first_steps([link.entity for link in likely])
        yield from ask(Mark("reason"))
        settings, vocabulary = self.settings, predictor.schema.vocabulary
        requests = [
            PredictRequest(
                read_question(mask_topic(question.text, link), vocabulary).text,
                predictor.rows(starts.get(link.entity.element_id, ())),
                settings.hops,
                settings.paths,
            )
            for link in likely
        ]
        found: Sequence[Predicted] = yield from together(ask(Compute(predictor.predict, one)) for one in requests)
        paths = [
            Scored(Follow(link.entity, predictor.schema.path(rows)), score * link.score / likely[0].score)
            for link, one in zip(likely, found, strict=True)
            for rows, score in one.paths
        ]
        best = sorted(paths, key=lambda scored: -scored.score)[: settings.paths]  # stable: of equals the likelier link
        first = next((one for link, one in zip(likely, found, strict=True)
                      if best and link.entity == best[0].item.topic), found[0])  # fmt: skip
        return Retrieved(first.hops, tuple(best))

    def _execute(self, retrieved: Retrieved, graph: Graph) -> Steps[tuple[list[Scored[Result]], tuple[str, ...]]]:
        """What each relation path leads to, and notes."""
        memo, notes = Memo(), []
        results = []
        for scored in retrieved.paths:
            try:
                result = yield from graph.execute(scored.item, memo)
            except ReadTimeoutError:
                result, notes = Result(scored.item, (), (), truncated=True), [NOTE_TIMEOUT]
            results.append(Scored(result, min(1.0, scored.score)))
        return results, tuple(notes)

    def _sample(self, results: Sequence[Scored[Result]], graph: Graph) -> tuple[tuple[ReasoningPath, ...], ...]:
        most = self.settings.reasoning_paths
        found = [list(islice(reasoning_paths(scored.item, graph.mapping), most)) for scored in results]
        return tuple(map(tuple, sampled(found, most)))

    def _read(
        self, question: Question, linked: Linked, retrieved: Retrieved, topics: tuple[Entity, ...], graph: Graph
    ) -> Steps[Answer]:
        """What the language model answers from the sample.

        :param question: as it was asked
        """
        settings = self.settings
        paths = [path for some in retrieved.sample for path in some]
        notes: tuple[str, ...] = ()
        lines: list[FactLine] = []
        if settings.knowledge == "text":
            lines = yield from rewritten(paths, settings.rewriter)
        elif settings.knowledge == "file":
            text = self.texts.get(question_key(question.text))
            if text is None:
                lines, notes = lines_of("template", paths), (NOTE_NO_TEXT,)
            else:
                lines = [FactLine(text, retrieved.facts)]
        elif settings.knowledge != "none":
            lines = lines_of(settings.knowledge, paths)
        reader = FactReader(
            NAME, PROMPTS[settings.prompt] if lines else "rra_none", settings.max_tokens, settings.budget
        )
        subgraph = Subgraph(retrieved.facts, truncated=False, topics=topics)
        answer = yield from reader.read(linked, lines, subgraph, graph)
        return replace(answer, notes=(*notes, *answer.notes))


def _build(settings: RraSettings, model: PredictorFiles) -> Rra:
    texts = read_texts(settings.texts) if settings.texts else {}
    return Rra(settings, model, texts=texts)


def _waived(settings: RraSettings) -> frozenset[Need]:
    return frozenset({"language_model"}) if settings.reader == "none" else frozenset()


SPEC = MethodSpec(
    name=NAME,
    summary="Relation paths are predicted and executed; a language model answers from a sample of what they lead to.",
    build=_build,
    settings=RraSettings,
    read_model=read_model,
    needs=frozenset({"model", "language_model"}),
    waived=_waived,
    citation="Y. Wu et al., Retrieve-Rewrite-Answer: A KG-to-Text Enhanced LLMs Framework for KGQA (arXiv 2309.11206)",
)
