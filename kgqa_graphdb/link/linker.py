"""Links the names in a question to entities of the graph, by the graph's full-text index.

Two searches bring candidates: all the question's words together, which ranks names that share several of them first,
and each word alone, which finds names of one word among millions. A word that no name holds is taken for misspelled and
searched fuzzily. What is kept is decided here: a candidate's name must stand in the question, folded or nearly so.
Which of several links is meant is settled later, by the plans that fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from kgqa_graphdb.compile import describe_keys, name_scan_statement, names_statement
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.link.text import STOP_WORDS, Folded, content_words, fold, folded_text, occurrences
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Entity, Link, Question, Rows

MAX_WORDS = 120
"""Different words of a question that are searched for; Lucene allows 1,024 clauses."""
MAX_SINGLE_WORDS = 24
"""Words searched for alone."""

# Chosen on 200 dev questions of MetaQA per number of hops, brackets removed, as typed and in lower case.
OTHER_CASE = 0.95
"""What a name is worth that differs from the question in case or accents."""


@dataclass(frozen=True, slots=True)
class _Named:
    """A candidate: an entity, and all its names."""

    entity: Entity
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameLinker:
    """Links by names and aliases: exact, folded, or misspelled.

    :ivar together: candidates from the search for all words together
    :ivar alone: candidates for each word alone
    :ivar min_similarity: 0..1, how like the question's words a misspelled name must be
    :ivar min_exact: 0..1, a name that fits less well does not bar the names inside it
    :ivar max_links: links returned
    """

    together: int = 200
    alone: int = 8
    min_similarity: float = 0.82
    min_exact: float = 0.9
    max_links: int = 8

    def link(self, question: Question, graph: Graph) -> Steps[tuple[Link, ...]]:
        """The entities that the question may speak of, likeliest first; links may overlap."""
        text = fold(question.text)
        if not text.text:
            return ()
        if question.mentions:
            found: list[Link] = []
            for mention in question.mentions:
                found.extend((yield from self._mention(question, mention, graph)))
            return tuple(found)
        candidates = yield from self._candidates(text, graph, _capital_stop_words(question.text))
        return self._choose(question, text, candidates, graph)

    def find(self, name: str, graph: Graph, limit: int) -> Steps[tuple[Link, ...]]:
        """Entities called so, likeliest first; the link spans the whole of ``name``."""
        candidates = yield from self._candidates(fold(name), graph)
        whole = folded_text(name)
        links = [Link(0, len(name), named.entity, _similarity(whole, named, name)) for named in candidates]
        near = [link for link in links if link.score >= self.min_similarity]
        return tuple(sorted(near, key=_link_order)[:limit])

    def _mention(self, question: Question, mention: str, graph: Graph) -> Steps[tuple[Link, ...]]:
        """A topic that the asker marked: the entities called exactly so, or else the nearest names."""
        start = max(question.text.find(mention), 0)
        found = yield from self.find(mention, graph, self.max_links)
        exact = [link for link in found if link.score >= 1.0] or [link for link in found if link.score >= 0.95]
        return tuple(Link(start, start + len(mention), link.entity, link.score) for link in exact or found)

    # ── candidates ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _candidates(
        self, text: Folded, graph: Graph, capitals: frozenset[str] = frozenset()
    ) -> Steps[tuple[_Named, ...]]:
        """Entities whose names may stand in a text.

        :param capitals: stop words that the asker capitalised: they may be names, such as the film "They"
        """
        if not graph.mapping.fulltext:
            return (yield from self._scan(text, graph))
        words = list(dict.fromkeys(text.text.split()))[:MAX_WORDS]
        alone = [word for word in words if word not in STOP_WORDS or word in capitals][:MAX_SINGLE_WORDS]
        searches = [(" ".join(words), self.together), *((word, self.alone) for word in alone)]
        rows = yield from ask(Read(names_statement(graph.mapping, searches)))
        known = {row[4] for row in rows if row[0]}
        misspelled = [word for word in alone if word not in known and len(word) > 3 and word.isalpha()]
        if misspelled:
            fuzzy = [f"{word}~{1 if len(word) < 6 else 2}" for word in misspelled]
            others = [word for word in alone if word not in misspelled]
            searches = [(" ".join([*fuzzy, *others]), self.together), *((word, self.alone) for word in fuzzy)]
            rows += yield from ask(Read(names_statement(graph.mapping, searches)))
        return _named(rows, graph)

    def _scan(self, text: Folded, graph: Graph) -> Steps[tuple[_Named, ...]]:
        """Without a full-text index: every stretch of words, against every node of the entity labels."""
        words = text.text.split()[:MAX_WORDS]
        stretches = [" ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, min(len(words), i + 8) + 1)]
        rows: Rows = []
        for kind in graph.mapping.entities:
            rows += yield from ask(Read(name_scan_statement(graph.mapping, kind, stretches, self.together)))
        return _named(rows, graph)

    # ── choice ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _choose(self, question: Question, text: Folded, candidates: Iterable[_Named], graph: Graph) -> tuple[Link, ...]:
        best: dict[tuple[str, int], tuple[Link, float]] = {}
        relation_words = words_for_relations(graph)
        cased = _is_cased(question.text)
        for named in candidates:
            for start, end, quality in self._places(text, named, question.text):
                weight = quality * _weight(text, start, end, question.text, cased, relation_words)
                link = Link(*text.original(start, end), named.entity, round(weight, 6))
                key = (named.entity.element_id, link.start)
                if key not in best or best[key][0].score < weight:
                    best[key] = (link, quality)
        # The longest name counts: one inside it is not meant.
        longest = [(link.start, link.end) for link, quality in best.values() if quality >= self.min_exact]
        links = [link for link, _ in best.values() if not _is_inside(link, longest)]
        return tuple(sorted(links, key=_link_order)[: self.max_links])

    def _places(self, text: Folded, named: _Named, original: str) -> list[tuple[int, int, float]]:
        """Where in the question a candidate is named, and how well: 0..1."""
        places: list[tuple[int, int, float]] = []
        for rank, name in enumerate((named.entity.name, *named.aliases)):
            folded = folded_text(name)
            for start, end in occurrences(folded, text.text):
                left, right = text.original(start, end)
                same = original[left:right] == name
                places.append((start, end, (1.0 if same else OTHER_CASE) - (0.02 if rank else 0.0)))
        if not places:
            for name in (named.entity.name, *named.aliases):
                near = _near(folded_text(name), text.text, self.min_similarity)
                if near:
                    places.append(near)
        return places


def _near(name: str, text: str, at_least: float) -> tuple[int, int, float] | None:
    """The stretch of whole words most like a misspelled name; 0.9 × likeness, since exact names go first."""
    if len(name) < 4 or name in STOP_WORDS:
        return None
    found = fuzz.partial_ratio_alignment(name, text, score_cutoff=at_least * 100 - 12)
    if found is None or found.dest_end <= found.dest_start:
        return None
    start = text.rfind(" ", 0, found.dest_start + 1) + 1
    end = text.find(" ", max(found.dest_end - 1, start))
    end = len(text) if end < 0 else end
    likeness = fuzz.ratio(name, text[start:end]) / 100
    return (start, end, 0.9 * likeness) if likeness >= at_least else None


def _named(rows: Rows, graph: Graph) -> tuple[_Named, ...]:
    columns = describe_keys(graph.mapping)
    found: dict[str, _Named] = {}
    for ids, labels, keys, aliases, *_ in rows:
        for element_id, some, values, others in zip(ids, labels, keys, aliases, strict=True):
            if element_id not in found:
                entity = graph.entity(element_id, some, dict(zip(columns, values, strict=True)))
                found[element_id] = _Named(entity, tuple(_flat(others)))
    return tuple(found.values())


def _flat(aliases: Sequence[object]) -> Iterable[str]:
    for alias in aliases:
        if isinstance(alias, list):
            yield from (str(one) for one in alias)
        elif alias is not None:
            yield str(alias)


def _similarity(folded: str, named: _Named, name: str) -> float:
    """How well a candidate's best name fits a name: 1 the same, 0.97 but for case and accents, less when misspelled."""
    if name in (named.entity.name, named.entity.id):
        return 1.0
    names = [folded_text(other) for other in (named.entity.name, *named.aliases)]
    if folded in names:
        return 0.97
    return max(0.9 * fuzz.ratio(folded, other) / 100 for other in names)


def _is_cased(text: str) -> bool:
    """Whether capitals in a question mean anything: there is one after its first letter, and not all are."""
    return any(char.isupper() for char in text[1:]) and any(char.islower() for char in text)


def _capital_stop_words(text: str) -> frozenset[str]:
    """Stop words written with a capital inside a question."""
    words = text.split()[1:] if _is_cased(text) else []
    return frozenset(folded_text(word) for word in words if word[:1].isupper()) & STOP_WORDS


def words_for_relations(graph: Graph) -> frozenset[str]:
    """Folded words that a question may use for the graph's relations, rather than as a name."""
    words: set[str] = set()
    for relation in graph.mapping.relations:
        words.update(folded_text(relation.phrase).split(), folded_text(relation.inverse_phrase).split())
    return frozenset(word.rstrip("s") for word in words) - STOP_WORDS


def _weight(text: Folded, start: int, end: int, original: str, cased: bool, relation_words: frozenset[str]) -> float:
    """How much a mention looks like a name, 0..1.

    Longer is better, and so are capitals inside a sentence; words that name relations are worse. The constants were
    chosen on MetaQA's dev questions.
    """
    words = text.text[start:end].split()
    content = [word for word in words if word not in STOP_WORDS]
    letters = sum(map(len, content)) + 0.3 * sum(len(word) for word in words if word in STOP_WORDS)
    left, right = text.original(start, end)
    # A capital at the beginning of the question says nothing.
    capital = cased and any(map(str.isupper, original[max(left, 1) : right]))
    capital = capital or any(map(str.isdigit, original[left:right]))
    share = letters / max(1.0, sum(map(len, content_words(text.text))))
    weight = 0.35 + 0.4 * min(share, 1.0) + 0.02 * min(len(words), 5) + (0.15 if capital else 0.0)
    for_relation = not capital and all(word.rstrip("s") in relation_words for word in content)
    return weight * (0.7 if for_relation else 1.0)


def _is_inside(link: Link, spans: Sequence[tuple[int, int]]) -> bool:
    return any(
        start <= link.start and link.end <= end and (start, end) != (link.start, link.end) for start, end in spans
    )


def _link_order(link: Link) -> tuple[float, int, str, str]:
    return (-link.score, link.start - link.end, link.entity.name, link.entity.id)
