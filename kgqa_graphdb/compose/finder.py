"""Finds the paths that words mean, from the answers of a plan, and reads some of what these lead to."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kgqa_graphdb.compile import answers_statement
from kgqa_graphdb.compose.compare import are_years
from kgqa_graphdb.compose.fits import NAME, explains, in_value, is_known, is_said, joins_a_kind, passes, returns
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.language import Language
from kgqa_graphdb.language.english_words import LIGHT, MOMENTS
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.mapping.hops import end_labels
from kgqa_graphdb.parse.lexicon import Kind
from kgqa_graphdb.plan import Aggregate, Cite, Combine, Every, Follow, Plan
from kgqa_graphdb.rank import PathRanker
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Entity, Path, Relation, Scalar, Scored, Step

LEAST_FIT = 0.5
"""What the words of a condition must have in common with a path."""
LEAST_FIT_OF_KNOWN = 0.4
"""The same where the words say what the path leads to."""
LEAST_FIT_OF_MOMENTS = 0.3
"""The same where no measure is named, only a year: the values then must be moments."""
SAMPLED = 1_000
"""Entities whose values are sampled."""
SAMPLE = 20
"""Answers that are sampled for the steps that leave them."""
MAX_YEARS = 5
"""Paths that are tried for whether they lead to years."""
MAX_HOPS = 3
NEAR = 0.75
"""Of the best path's fit: what is tried after it."""
ALIKE = 0.9
"""Of the best path's fit: what fits as well; the shortest of these is meant."""


@dataclass(slots=True)
class Finder:
    """Finds paths for one question.

    :ivar nouns: of the graph's kinds
    """

    graph: Graph
    ranker: PathRanker
    nouns: Mapping[str, Kind]
    memo: Memo
    samples: dict[Plan, tuple[str, ...]] = field(default_factory=dict)

    @property
    def language(self) -> Language:
        """That of the graph."""
        return self.graph.mapping.language

    def explains(self, path: Path, text: str) -> bool:
        """Whether a path says all that some words say."""
        return explains(path, text, self.language)

    def paths(
        self, plan: Plan, text: str, wanted: Callable[[Path], bool] | None = None, clause: str = ""
    ) -> Steps[list[tuple[Path, float]]]:
        """The paths from a plan's answers that some words mean, likeliest first.

        :param clause: what the words say of those answers, ``[X]``; empty: nothing that tells their place
        """
        starts = yield from self.starts(plan)
        asked = f"which {text} of {TOPIC}"
        proposal = yield from self.ranker.propose(asked, starts, MAX_HOPS, directed=False)
        sharing = self.language.sharing & {*text.split()}
        fitting = [one for one in proposal.paths if is_known(one.item) and (sharing or not returns(one.item))]
        fitting = yield from self._directed(fitting, asked, clause, starts)
        known = yield from self._with_years(plan, fitting)
        found = [one for one in known if wanted is None or wanted(one.item)]
        best, least = (found[0].score if found else 0.0), LEAST_FIT if MOMENTS not in text else LEAST_FIT_OF_MOMENTS
        kept = [(one.item, one.score) for one in found if one.score >= max(least, NEAR * best)]
        if spoken := self.spoken(
            text, found[0].item[-1].phrase if found else ""
        ):  # "directed movies" leads to movies, or to something of theirs, the shortest way
            passing = [one for one in found if any(passes(one.item, kind) for kind in spoken)]
            if near := [one for one in passing if one.score >= max(LEAST_FIT_OF_KNOWN, NEAR * passing[0].score)]:
                return [(one.item, one.score) for one in sorted(near, key=lambda one: len(one.item))]
        return sorted(kept, key=lambda one: (one[1] < ALIKE * best, len(one[0]) if one[1] >= ALIKE * best else 0))

    def _directed(
        self, found: Sequence[Scored[Path]], text: str, clause: str, starts: Sequence[str]
    ) -> Steps[list[Scored[Path]]]:
        """The paths that begin the way that a clause says; of two ways between entities of one kind it must say one.

        A relation fits as well as it does the other way round: words that say its direction alike fit one of them more.
        """
        way, schema = self.ranker.directed(clause, starts) if clause else None, self.ranker.schema
        two_ways = {row for code in starts if self._leads_two_ways(row := schema.row_of[code], starts)}
        said = sorted(row for row in two_ways if way is not None and way.meant[row] and not way.meant[row ^ 1])
        if way is None or not said:
            one_way = [one for one in found if schema.row_of[one.item[0].code] not in two_ways]
            return [one for one in one_way if way is None or way.admits_path(schema.rows(one.item))]
        scores = yield from self.ranker.scores(text, [(row,) for one in said for row in (one, one ^ 1)])
        kept = [Scored(schema.path((row,)), max(scores[2 * at : 2 * at + 2])) for at, row in enumerate(said)]
        for one in found:
            first, *others = schema.rows(one.item)
            if others and way.said[others].any():
                continue  # what is said of the first step is not said again of a later one
            if (first in said and others) or (first not in two_ways and way.admits_path((first, *others))):
                kept.append(one)
        return sorted(kept, key=lambda one: -one.score)

    def _leads_two_ways(self, row: int, starts: Sequence[str]) -> bool:
        """Whether a step and its way back lead from a kind to the same, so that words must say which is meant."""
        schema = self.ranker.schema
        return joins_a_kind(schema.steps[row].relation) and schema.steps[row ^ 1].code in starts

    def _with_years(self, plan: Plan, found: list[Scored[Path]]) -> Steps[list[Scored[Path]]]:
        """Paths, of which those to entities that are years lead to these as values."""
        known = list(found)
        for place, one in enumerate(found[:MAX_YEARS]):
            if len(one.item) == 1 and one.item[0].relation.kind == "edge" and not end_labels(one.item[0]):
                path = (*one.item, NAME)
                values = yield from self.values(plan, path)
                if are_years(values):
                    known[place] = Scored(path, one.score)
        return known

    def spoken(self, text: str, known: str) -> list[Kind]:
        """The kinds that some words speak of, but for words of a phrase that fits them anyhow."""
        if MOMENTS in text:
            return []
        named = {noun: kind for noun, kind in self.nouns.items() if re.search(rf"\b{re.escape(noun)}\b", text)}
        return [kind for noun, kind in named.items() if noun not in known.split()]

    def says_when(self, path: Path, text: str) -> bool:
        """Whether some words say what happened at the point in time that a longer path ends in, or on which way."""
        last = path[-2:] if path[-1].relation.kind == "qualifier" else path[-1:]
        return any(is_said(step, text, self.language) for step in last)

    def words_said(self, path: Path, text: str) -> int:
        """How many of some words are those of a path, but for words that say little alone."""
        words = [word for word in text.split() if self.language.lemma(word) not in LIGHT]
        return sum(any(is_said(step, word, self.language) for step in path) for word in words)

    def is_said(self, path: Path, text: str) -> bool:
        """Whether some words speak of each relationship on a path that leads on."""
        return len(path) == 1 or all(is_said(step, text, self.language) for step in path if not in_value((step,)))

    def only(self, path: Path, text: str) -> Every | None:
        """All of the kind that some words speak of, where a path leads to other kinds, too; ``None``: it does not."""
        edges = [step for step in path if step.relation.kind == "edge"]
        ends = end_labels(edges[-1]) if edges else ()
        named = {kind.label for kind in self.spoken(text, "") if kind.label in ends}
        return Every(named.pop()) if len(ends) > 1 and len(named) == 1 else None

    def properties(self, plan: Plan) -> Steps[list[tuple[Path, float]]]:
        """The properties of a plan's answers."""
        mapping = self.graph.mapping
        steps = [mapping.step(code) for code in (yield from self.starts(plan))]
        return [((step,), 1.0) for step in steps if step.relation.kind == "property" and not step.relation.via]

    def properties_after(self, path: Path, fit: float) -> list[tuple[Path, float]]:
        """The properties of what a path leads to."""
        labels = set(end_labels(path[-1])) if path[-1].relation.kind == "edge" else set()
        properties = (one for one in self.graph.mapping.relations if one.kind == "property" and labels & set(one.heads))
        return [((*path, Step(one)), fit) for one in properties if not one.via]

    def saying_own_words(
        self, plan: Plan, text: str, found: list[tuple[Path, float]]
    ) -> Steps[list[tuple[Path, float]]]:
        """Of paths those that lead to what words call by its own name, if the graph has anything called so.

        "Quantity" is no amount where something else is called so. Where no path does, the only one that does with a
        single step before it is meant.
        """
        values = [one for one in self.graph.mapping.relations if one.kind in ("property", "qualifier")]
        names = {name for one in values for name in names_of(one, self.language)}
        called = [word for word in text.split() if any(self._calls(word, name) for name in names)]
        if not called:
            return found
        saying = [one for one in found if self._end_says(one[0], called)]
        if saying:
            return saying
        near = [path for path in (yield from self._near_values(plan)) if self.explains(path, text)]
        near = [path for path in near if self._end_says(path, called)]
        return [(near[0], 1.0)] if len(near) == 1 else []

    def _calls(self, word: str, name: str) -> bool:
        """Whether a word is a name, in one number or the other."""
        language = self.language
        return bool(name) and (language.root(name) == language.root(word) or language.plural_of(name) == word)

    def _end_says(self, path: Path, words: Sequence[str]) -> bool:
        """Whether a path leads to a value in whose name all of some words are."""
        own = {part for name in names_of(path[-1].relation, self.language) for part in name.split()}
        return in_value(path) and all(any(self._calls(word, part) for part in own) for word in words)

    def _near_values(self, plan: Plan) -> Steps[list[Path]]:
        """The paths from a plan's answers to values, their own or a step away."""
        mapping = self.graph.mapping
        paths: list[Path] = []
        for step in [mapping.step(code) for code in (yield from self.starts(plan))]:
            if step.relation.kind == "property":
                paths.append((step,))
                continue
            paths += [(step, Step(one)) for one in mapping.qualifiers if one.of in ("", step.relation.id)]
            paths += [path for path, _ in self.properties_after((step,), 1.0)]
        return paths

    def starts(self, plan: Plan) -> Steps[tuple[str, ...]]:
        """The steps by which a plan's answers can be left: by their labels, or else as some of them can."""
        plan = origin_of(plan)
        if isinstance(plan, Every):
            labels = {plan.label}
        else:
            labels = set(end_labels(plan.path[-1])) if isinstance(plan, Follow) else set()
        relations = [one for one in self.graph.mapping.relations if one.kind in ("edge", "property")]
        codes = [f">{one.id}" for one in relations if labels & set(one.heads)]
        codes += [f"<{one.id}" for one in relations if labels & set(one.tails) and one.kind == "edge"]
        if codes:
            return tuple(codes)
        result = yield from replace(self.graph, max_edges=SAMPLE, max_facts=0).execute(plan)
        some = [node for node in result.nodes if isinstance(node, Entity)][:SAMPLE]
        found = yield from self.graph.first_steps(some)
        return tuple(sorted({code for codes in found.values() for code in codes}))

    def values(self, plan: Plan, path: Path) -> Steps[list[Scalar]]:
        """Some values that a path from a plan's answers leads to."""
        origin = origin_of(plan)
        if origin not in self.samples:
            statement = answers_statement(self.graph.mapping, origin, SAMPLED)
            self.samples[origin] = tuple(row[0] for row in (yield from ask(Read(statement))))
        walk = yield from self.graph.walker.walk(self.samples[origin], path, self.memo)
        return [value for _, value in walk.values[:SAMPLED]]


def names_of(relation: Relation, language: Language) -> tuple[str, str]:
    """What a property is called."""
    return language.words_of(relation.type), relation.phrase.lower()


def origin_of(plan: Plan) -> Every | Follow | Cite:
    """What was narrowed down to a plan."""
    while isinstance(plan, Aggregate | Combine):
        plan = plan.over if isinstance(plan, Aggregate) else plan.parts[0]
    if not isinstance(plan, Every | Follow | Cite):
        raise UsageError("only entities of a kind, and what a path leads to, can be narrowed down")
    return plan
