"""Candidates that a language model guesses, chosen among by the subgraphs that join them with the question's topics.

Source: M. Salnikov et al., Large Language Models Meet Knowledge Graphs to Answer Factoid Questions (2023). What is done
differently is said in :mod:`kgqa_graphdb.rerank.subgraphs` and :mod:`kgqa_graphdb.rerank.choice`. Candidates may
also be given, or be what the method paths answers; and what the graph does not join with a topic is never an answer.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np

from kgqa_graphdb.errors import LanguageModelError, UsageError
from kgqa_graphdb.export.named import relation_infos
from kgqa_graphdb.export.words import told_apart
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.language import fill
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.link.topics import likely_links, topics_of
from kgqa_graphdb.lm import as_data, prompt
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.methods.finish import conclude, give_up, language_of_answer
from kgqa_graphdb.methods.linked import Linked, give_up_unlinked, link_topics
from kgqa_graphdb.methods.paths import Paths, PathsSettings
from kgqa_graphdb.methods.protocols import Linker, Method
from kgqa_graphdb.methods.spec import MethodSpec, setting
from kgqa_graphdb.plan import Answer, Candidate, Cite
from kgqa_graphdb.rank import read_model as read_paths_model
from kgqa_graphdb.rerank.choice import known_features, with_scores
from kgqa_graphdb.rerank.files import METHOD, RerankFiles, read_model
from kgqa_graphdb.rerank.gather import CandidateSet, GatherSettings, gather
from kgqa_graphdb.rerank.guesses import cleaned_guess
from kgqa_graphdb.rerank.kinds import question_kind
from kgqa_graphdb.rerank.shown import RankRequest, RelationWords, RoleGraph
from kgqa_graphdb.rerank.subgraphs import CandidateGraph, linearised
from kgqa_graphdb.steps import Compute, DescribeModel, Embed, Generate, Mark, Sampling, Steps, ask
from kgqa_graphdb.types import Entity, Floats, Node, Question, Scored, Value

NAME = METHOD
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)")
"""A number with commas between its thousands."""
MAX_GUESSES, MAX_NEIGHBOURS, MAX_HOPS = 200, 1_000, 4
READINGS = 5
"""Of a question whose answers are candidates, with a trained model of the method paths."""
SHARE_AS_LIKELY = 0.9
"""Of the best link's score: links of one stretch of the question that have as much are homonyms."""
NOT_JOINED = "nothing that was guessed is joined with {} by a path of at most {} hops"
NOTHING_GUESSED = "nothing was guessed that could be the answer"
UNLIKELY = "the likeliest candidate is {}, and only {:.0%} likely to be right"
NOTE_KEPT = "what was guessed first is the answer, and no fact proves it: a question {} is not answered by a subgraph"
_OF_KIND = {"yes_no": "of yes or no", "count": "of how many", "value": "of when or how much"}


@dataclass(frozen=True, slots=True)
class RerankSettings:
    """How the method can be set."""

    source: Literal["any", "given", "language_model", "paths"] = setting(
        "any",
        "Where candidates come from: they are given with the question (given; where none are, there are neighbours "
        "alone), a language model guesses them (language_model), or the method paths answers them (paths); any: the "
        "first of these that there is.",
    )
    candidates: int | None = setting(
        None, "Distinct candidates that are ranked, the first, 1..200; none: as in training, else 50."
    )
    neighbours: int | None = setting(
        None, "Entities next to the topics that are candidates, too, 0..1000; none: as in training, else 0."
    )
    hops: int | None = setting(None, "Of a path between topic and candidate, 1..4; none: as in training, else 2.")
    ranker: Literal["any", "model", "similarity", "first", "random"] = setting(
        "any",
        "Who chooses: the trained model (model), the text encoder, by how like the question a subgraph is "
        "(similarity), nobody, so that the first that is joined with a topic is the answer (first), or chance "
        "(random); any: the model if there is one, else similarity.",
    )
    answers: Literal["one", "alike"] = setting(
        "one",
        "The best candidate alone, as in the paper (one), or with it those that the same relations join with the "
        "topics (alike): all moons that were guessed, where the best is a moon.",
    )
    abstain_below: float = setting(0.0, "0..1: abstain where the best candidate is less likely than this to be right.")
    beams: int = setting(50, "Guesses of the language model, by beam search, 1..200; the paper has 200.")
    groups: int = setting(10, "Groups of beams that differ from each other; beams is a multiple; the paper has 20.")
    diversity: float = setting(0.1, "What a token costs a group that another group chose before; the paper has 0.1.")
    adapter: str = setting("", "Folder of a peft adapter with which the language model guesses; empty: as it is.")
    paths_model: str = setting("", "With source=paths: folder of a trained model of the method paths.")

    def __post_init__(self) -> None:
        for name, value, least, most in (
            ("candidates", self.candidates, 1, MAX_GUESSES), ("neighbours", self.neighbours, 0, MAX_NEIGHBOURS),
            ("hops", self.hops, 1, MAX_HOPS), ("beams", self.beams, 1, MAX_GUESSES),
            ("groups", self.groups, 1, self.beams),
        ):  # fmt: skip
            if value is not None and not least <= value <= most:
                raise UsageError(f"{name} can't be {value}: {least} to {most}")
        if self.beams % self.groups:
            raise UsageError(f"{self.beams} beams are not parted into {self.groups} groups of one size")
        if not 0 <= self.abstain_below <= 1:
            raise UsageError(f"a bound of {self.abstain_below:g} on how likely an answer must be is not in 0..1")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A question with its candidates.

    :ivar kept: the answer to a question that no subgraph answers; ``None``: it is of another kind
    """

    linked: Linked
    gathered: CandidateSet
    kept: Answer | None = None


@dataclass(frozen=True, slots=True)
class Rerank:
    """Link, guess, join guesses with the topics, rank the subgraphs, answer with the best.

    :ivar paths: answers with source=paths
    """

    settings: RerankSettings = field(default_factory=RerankSettings)
    files: RerankFiles | None = None
    linker: Linker = field(default_factory=NameLinker)
    paths: Method = field(default_factory=Paths)
    _words: WeakKeyDictionary[Graph, RelationWords] = field(default_factory=WeakKeyDictionary, init=False, repr=False)

    def answer(self, question: Question, graph: Graph) -> Steps[Answer]:
        """Answer a question; abstains when no entity is named, nothing is guessed, or no guess is joined with a topic.

        :raises UsageError: candidates are to be given, and none are
        """
        prepared = yield from self.prepare(question, graph)
        linked, gathered = prepared.linked, prepared.gathered
        if prepared.kept is not None:
            return linked.noted(prepared.kept)
        if not linked.links:
            given_up = give_up_unlinked(NAME, question, graph, linked.unlinked)
            return linked.noted(replace(given_up, candidates=gathered.candidates))
        joined = gathered.joined
        if not joined:
            names = " or ".join(repr(topic.name) for topic in gathered.topics)
            why = NOT_JOINED.format(names, self.gathering.hops) if gathered.candidates else NOTHING_GUESSED
            return linked.noted(
                replace(give_up(NAME, linked.question, linked.links, why), candidates=gathered.candidates)
            )
        yield from ask(Mark("reason"))
        scores = yield from self.scores(linked, gathered, graph)
        best = int(np.argmax(scores))  # of equals the first
        answer = yield from self._concluded(linked, [one for _, one in joined], scores, best, graph)
        return linked.noted(replace(answer, candidates=gathered.scored(scores)))

    def prepare(self, question: Question, graph: Graph) -> Steps[Prepared]:
        """Link a question, find its candidates, and read their subgraphs."""
        linked = yield from link_topics(self.linker, question, graph)
        guesses, by_paths = yield from self._guesses(linked.question, graph)
        kind = question_kind(linked.question.text, graph.mapping.language, linked.links)
        by_value = by_paths is not None and bool(by_paths.answers) and isinstance(by_paths.answers[0].item, Value)
        if guesses and (kind != "other" or by_value):
            kept = replace(by_paths, method=NAME) if by_paths else _kept(linked, guesses[0], kind, graph)
            return Prepared(linked, CandidateSet((), kept.candidates or ()), kept)
        if kind != "other":  # no neighbour answers it
            return Prepared(linked, CandidateSet((), ()))
        yield from ask(Mark("retrieve"))
        gathered = yield from gather(graph, _mentions(linked), guesses, self.gathering)
        meant = tuple(link for link in linked.links if link.entity in gathered.topics)
        linked = replace(linked, links=meant)
        if not linked.links or not gathered.answered_by_value:
            return Prepared(linked, gathered)
        kept = _kept(linked, gathered.candidates[0].text, "value", graph)
        return Prepared(linked, gathered, replace(kept, candidates=gathered.candidates))

    @property
    def gathering(self) -> GatherSettings:
        """What candidates there are, and how they are joined with topics."""
        settings, usual = self.settings, GatherSettings()
        if self.files:
            details = self.files.details
            usual = GatherSettings(details.hops, details.candidates, details.neighbours)
        return GatherSettings(
            usual.hops if settings.hops is None else settings.hops,
            usual.guesses if settings.candidates is None else settings.candidates,
            usual.neighbours if settings.neighbours is None else settings.neighbours,
        )

    def _guesses(self, question: Question, graph: Graph) -> Steps[tuple[tuple[str, ...], Answer | None]]:
        """What may be the answer, likeliest first; and the answer of the method paths, where it is that which guesses.

        :raises UsageError: candidates are to be given, none are, and neighbours are none
        """
        source = self.settings.source
        if source == "given" and not question.candidates and not self.gathering.neighbours:
            raise UsageError("the question comes with no candidates, and source=given takes no others but neighbours")
        if source == "given" or (source == "any" and question.candidates):
            return question.candidates, None
        if source in ("any", "language_model"):
            try:
                yield from ask(DescribeModel())
            except LanguageModelError:
                if source == "language_model":
                    raise
            else:
                return (yield from self._generated(question)), None
        answer = yield from self.paths.answer(question, graph)
        return tuple(_guess(scored.item) for scored in answer.answers), answer

    def _generated(self, question: Question) -> Steps[tuple[str, ...]]:
        """What a language model guesses."""
        settings = self.settings
        sampling = Sampling(
            max_tokens=32, n=settings.beams, stop=("\n",), adapter=settings.adapter, groups=settings.groups,
            diversity=settings.diversity,
        )  # fmt: skip
        return (yield from ask(Generate(prompt("rerank", question=as_data(question.text)), sampling)))

    def scores(self, linked: Linked, gathered: CandidateSet, graph: Graph) -> Steps[Floats]:
        """How likely each candidate that is joined with a topic is the answer, 0..1; shape (candidates,)."""
        question, joined, ranker = linked.question.text, gathered.joined, self.settings.ranker
        if ranker == "first":
            return np.array([1 / (1 + place) for place in range(len(joined))], dtype=np.float32)
        if ranker == "random":
            return np.array([_chance(question, one) for one, _ in joined], dtype=np.float32)
        if self.files is None or ranker == "similarity":
            texts = [linearised(one, highlight=False) for _, one in joined]
            vectors = yield from ask(Embed((question, *texts)))
            similar: Floats = np.clip(vectors[1:] @ vectors[0], 0, 1).astype(np.float32)
            return similar
        details = self.files.details
        request = RankRequest(
            question,
            tuple(sequence_of(one, highlight=details.highlight, subgraph=details.subgraph) for _, one in joined),
            tuple(RoleGraph.of(one) for _, one in joined),
            self._words_of(graph),
        )
        found: Floats = yield from ask(Compute(self.files.ranker.scores, request))
        return self.files.choice.probabilities(with_scores(known_features(joined, trust_of(linked)), found))

    def _words_of(self, graph: Graph) -> RelationWords:
        if graph not in self._words:
            self._words[graph] = relation_words_of(graph.mapping)
        return self._words[graph]

    def _concluded(
        self, linked: Linked, graphs: Sequence[CandidateGraph], scores: Floats, best: int, where: Graph
    ) -> Steps[Answer]:
        """The answer that the best candidate is.

        :param scores: shape (graphs,)
        """
        likely, first = float(scores[best]), graphs[best]
        if likely < self.settings.abstain_below:
            why = UNLIKELY.format(repr(first.candidate.name), likely)
            return give_up(NAME, linked.question, linked.links, why)
        chosen: dict[Node, float] = {first.candidate: likely}
        facts = dict.fromkeys(first.facts)
        if self.settings.answers == "alike":
            for place in np.argsort(-scores, kind="stable").tolist():
                if graphs[place].codes == first.codes:
                    chosen.setdefault(graphs[place].candidate, float(scores[place]))
                    facts.update(dict.fromkeys(graphs[place].facts))
        yield from ask(Mark("retrieve"))
        result = yield from where.execute(Cite(tuple(chosen), tuple(facts)))
        return (
            yield from conclude(NAME, linked.question, where, linked.links, (Scored(result, likely),), scores=chosen)
        )


def sequence_of(graph: CandidateGraph, *, highlight: bool, subgraph: bool) -> str:
    """What a ranker reads of a candidate; its name alone where it reads no subgraphs."""
    return linearised(graph, highlight=highlight) if subgraph else graph.candidate.name


def relation_words_of(mapping: GraphMapping) -> RelationWords:
    """The words of a graph's relations, of which no two are alike."""
    return {one.id: (one.phrase, one.inverse_phrase) for one in told_apart(relation_infos(mapping))}


def trust_of(linked: Linked) -> dict[Entity, float]:
    """How surely each topic of a question is meant: how well and how much of it names the entity; 1 where it is given.

    :param linked: with the links of the chosen topics
    """
    text, given = linked.question.text, bool(linked.question.topics)
    found: dict[Entity, float] = {}
    for link in linked.links:
        trust = 1.0 if given else link.score * (link.end - link.start) / len(text)
        found[link.entity] = max(trust, found.get(link.entity, 0.0))
    return found


def _mentions(linked: Linked) -> list[list[Entity]]:
    """Of each topic of a question the entities that it may be, likeliest first."""
    if not linked.links:
        return []
    likely = likely_links(linked.links)
    alike: defaultdict[tuple[int, int], list[Entity]] = defaultdict(list)
    best: dict[tuple[int, int], float] = {}
    for link in likely:
        span = link.start, link.end
        best.setdefault(span, link.score)
        if link.score >= SHARE_AS_LIKELY * best[span]:
            alike[span].append(link.entity)
    topics = topics_of(linked.question.text, likely)
    if linked.question.topics:  # each of them is meant, wherever it stands
        return [[entity] for entity in dict.fromkeys(link.entity for link in topics)]
    return [alike[span] for span in dict.fromkeys((link.start, link.end) for link in topics)]


def _kept(linked: Linked, guess: str, kind: str, graph: Graph) -> Answer:
    """The first guess as it is, as the answer to a question that no entity answers."""
    value = guessed_value(guess, kind)
    language = language_of_answer(linked.question, linked.links, graph.mapping.language)
    return Answer(
        linked.question, NAME, linked.links, (Scored(value, 1.0),), (), None,
        fill(language.wording.named, names=value.name), notes=(NOTE_KEPT.format(_OF_KIND[kind]),),
        candidates=(Candidate(guess, 0),),
    )  # fmt: skip


def _guess(node: Node) -> str:
    return node.id if isinstance(node, Entity) and node.has_key else node.name


def _chance(question: str, candidate: Candidate) -> float:
    """A number in 0..1 that is the same each time."""
    digest = hashlib.sha256(f"{question}\n{candidate.text}".encode()).digest()
    return int.from_bytes(digest[:4], "big") / 2**32


def guessed_value(guess: str, kind: str) -> Value:
    """A guess as yes or no or as a number, where it begins with one."""
    text = cleaned_guess(guess) or guess.strip()
    text = _GROUPED.sub(lambda number: number[0].replace(",", ""), text)
    word = (text.replace(",", " ").split() or [""])[0].rstrip(".").lower()
    if kind == "yes_no" and word in ("yes", "true", "no", "false"):
        return Value(word in ("yes", "true"))
    if kind == "count" and word.isdecimal():
        return Value(int(word))
    return Value(text)


def _build(settings: RerankSettings, model: RerankFiles | None) -> Rerank:
    if settings.ranker == "model" and model is None:
        raise UsageError("ranker=model needs a trained model: --model DIR; kgqa train rerank makes one")
    paths = Paths()
    if settings.paths_model:
        paths = Paths.of(PathsSettings(readings=READINGS), read_paths_model(settings.paths_model))
    return Rerank(settings, model, paths=paths)


SPEC = MethodSpec(
    name=NAME,
    summary="Candidates that a language model guesses, chosen among by the subgraphs that join them with the topics.",
    build=_build,
    settings=RerankSettings,
    read_model=read_model,
    may_use=frozenset({"language_model"}),
    citation="M. Salnikov et al., Large Language Models Meet Knowledge Graphs to Answer Factoid Questions (2023)",
)
