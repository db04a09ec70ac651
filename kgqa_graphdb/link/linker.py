"""Links the names in a question to entities of the graph, by the graph's full-text index.

Two searches bring candidates: all the question's words together, which ranks names that share several of them first,
and each word alone, which finds names of one word among millions. A word that no name holds is taken for misspelled and
searched fuzzily. What is kept is decided here: a candidate's name must stand in the question, folded or nearly so.
Which of several links is meant, the plans that fit decide later.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

from rapidfuzz import fuzz

from kgqa_graphdb.compile.lookup import best_known_statement, name_scan_statement, names_statement
from kgqa_graphdb.graph import Graph, Named, keyed_entities, named_entities, search_names
from kgqa_graphdb.language.folding import Folded, fold, folded_text, symbols_agree
from kgqa_graphdb.link.common import CommonWords
from kgqa_graphdb.link.given import meant_span, named_span
from kgqa_graphdb.link.keys import capital_stop_words, codes, is_cased, phrase_query, searchable_words, words_with_marks
from kgqa_graphdb.link.meaning import descriptions_in, near_in_meaning
from kgqa_graphdb.link.other_names import OtherNames
from kgqa_graphdb.link.parts import discriminative_words, part_places, queries_for
from kgqa_graphdb.link.places import (
    Place,
    best_typed,
    exact_places,
    is_free,
    is_name,
    is_outdone,
    lacks_marks,
    letters_of,
    mention_weight,
    near_place,
    nested_spans,
    straddling_spans,
    symbols_fit,
    with_marks,
)
from kgqa_graphdb.link.symbols import symbol_links
from kgqa_graphdb.link.words import LinkWords
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Entity, Link, Question, Rows

MAX_FUZZY_LETTERS = 40
"""Of a word that may be misspelled: longer ones take long to search for."""
MAX_SCANNED_WORDS = 120
"""Words of a question that are compared with every name, where there is no index."""
MAX_SINGLE_WORDS = 24
"""Words searched for alone."""
MARKED_HITS = 50
"""Names with a word with marks that are read: "C", "C++" and "C#" are the same word to the index."""
PART_HITS = 100
"""Names with a word that are read where a part of a name may be meant."""
FEW_NODES = 20_000
"""Up to so many nodes, all are looked at even where there is an index beside the database, which is as old as it is."""
MAX_BEST_KNOWN = 10
"""Of those the ones with most facts that are considered."""

TWIN_PENALTY = 0.7
"""What it is worth where another entity is called exactly as the question has it.

Of 170 of 2,000 dev questions of MetaQA (1 hop) the topic has such a twin: "david lynch" is a tag. As typed, 23 and 89
in 100 tags are then linked right (with guessed words and with phrases), in lower case 90 and 50 in 100 people and
films; at 0.9 it is 2, 48, 92 and 75.
"""


NESTED_MENTION_WEIGHT = 0.7
"""What a name inside a longer one is worth where no spaces tell words apart, and one that straddles two others that are
names from end to end: in 5,000 of ZJQA's train and valid questions none of these alone led to the answers, what follows
them in some twenty."""

ALIAS = 0.99
"""What another name of an entity is worth, letter for letter."""
EXACT = 0.95
"""From this on two names are the same, but for case and accents."""

EMBEDDING_LINK_CAP = 0.95
"""What the best of those found by meaning is worth at most, of the best found by name."""


@dataclass(frozen=True, slots=True)
class NameLinker:
    """Links by names and aliases: exact, folded, or misspelled.

    :ivar together: candidates from the search for all words together
    :ivar alone: candidates for each word alone
    :ivar min_similarity: 0..1, how like the question's words a misspelled name must be
    :ivar max_links: links returned
    """

    together: int = 100
    alone: int = 6
    min_similarity: float = 0.82
    max_links: int = 8
    _words: WeakKeyDictionary[Graph, LinkWords] = field(default_factory=WeakKeyDictionary, init=False, repr=False)

    def link(self, question: Question, graph: Graph) -> Steps[tuple[Link, ...]]:
        """The entities that the question may speak of, likeliest first; links may overlap."""
        text = fold(question.text)
        if not text.text:
            return ()
        if question.topics:
            return (yield from self._given(question, text, graph))
        if question.mentions:
            found: list[Link] = []
            for mention in dict.fromkeys(question.mentions):
                found.extend((yield from self._mention(question, mention, graph)))
            if found:
                return tuple(found)
        candidates, unknown = yield from self._candidates(question.text, text, graph)
        stop_words = graph.mapping.language.stop_words
        keys = [*capital_stop_words(question.text, stop_words), *words_with_marks(question.text, stop_words)]
        if not graph.mapping.owned and graph.mapping.fulltext:  # such an index holds no numbers, and often no keys
            keys += codes(question.text)
        candidates += yield from keyed_entities(graph, list(dict.fromkeys(keys)))
        parts = yield from self._parts(question.text, text, candidates, graph)
        links, well_named = self._choose(question, text, candidates, unknown, parts, graph)
        links = (*links, *symbol_links(question.text, candidates))
        if question.mentions:  # the brackets may have been a part of a name: "[Bracketed] Ltd."
            spans = [_span(question, mention) for mention in question.mentions]
            links = tuple(k for k in links if any(k.start <= start and end <= k.end for start, end in spans))
            well_named = bool(links)
        if graph.mapping.vectors and not well_named:
            links = yield from self._described(question, text, links, graph)
        return links

    def find(self, name: str, graph: Graph, limit: int) -> Steps[tuple[Link, ...]]:
        """Entities called so, likeliest first; the link spans the whole of ``name``."""
        exact = yield from keyed_entities(graph, [name])
        folded = fold(name)
        candidates, _ = (yield from self._candidates(name, folded, graph)) if folded.text else ((), ())
        whole = folded_text(name)
        found = {named.entity.element_id: named for named in (*exact, *candidates)}
        links = [Link(0, len(name), named.entity, _similarity(whole, named, name)) for named in found.values()]
        near = [link for link in links if link.score >= self.min_similarity]
        return tuple(sorted(near, key=_link_order)[:limit])

    def keyed(self, keys: Sequence[str], graph: Graph) -> Steps[tuple[Entity, ...]]:
        """The entities that have these keys."""
        return tuple(named.entity for named in (yield from keyed_entities(graph, keys)))

    def _given(self, question: Question, text: Folded, graph: Graph) -> Steps[tuple[Link, ...]]:
        """The topics that the asker gave, where the question names them; at its end, where it nowhere does."""
        keyed = yield from keyed_entities(graph, question.topics)
        order = {name: place for place, name in enumerate(question.topics)}
        keyed = tuple(sorted(keyed, key=lambda one: order.get(one.entity.id, len(order))))
        topics = {one.entity.element_id: one for one in keyed}
        known = {name for one in keyed for name in (one.entity.id, one.entity.name)}
        for name in question.topics:
            if name not in known:
                called = _called_most_exactly((yield from self.find(name, graph, self.max_links)))
                topics |= {link.entity.element_id: Named(link.entity, ()) for link in called}
        words = self._words_of(graph)
        spans = {key: named_span(text, topic, question.text, words) for key, topic in topics.items()}
        if not all(spans.values()):
            linked: dict[str, Link] = {}
            for link in (yield from self.link(replace(question, topics=()), graph)):
                linked.setdefault(link.entity.element_id, link)
            spans = {
                key: span or meant_span(text, topics[key], question.text, linked.get(key), words)
                for key, span in spans.items()
            }
        nowhere = len(question.text), len(question.text)
        return tuple(Link(*(spans[key] or nowhere), topic.entity, 1.0) for key, topic in topics.items())

    def _mention(self, question: Question, mention: str, graph: Graph) -> Steps[tuple[Link, ...]]:
        """A topic that the asker marked: the entities called exactly so, or else the nearest names."""
        start, end = _span(question, mention)
        found = yield from self.find(mention, graph, self.max_links)
        called = _called_most_exactly(found) or found
        return tuple(Link(start, end, link.entity, link.score) for link in called)

    # ── candidates ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _candidates(
        self, original: str, text: Folded, graph: Graph
    ) -> Steps[tuple[tuple[Named, ...], Collection[str]]]:
        """Entities whose names may stand in a text, which comes as typed and folded; words that may be misspelled."""
        if not graph.has_index:
            return (yield from self._scan(text, graph)), ()
        words = searchable_words(text.text)
        alone = self._words_of(graph).content(words)[:MAX_SINGLE_WORDS]
        marked = words_with_marks(original, graph.mapping.language.stop_words)
        searches = [[" ".join(words), self.together], *([word, self.alone] for word in alone)]
        searches += [[phrase_query(word), MARKED_HITS] for word in marked]
        rows = yield from search_names(graph, searches, names_statement(graph.mapping))
        known = {row[4] for row in rows if row[0]}
        suspects = self._suspects(original, graph)
        covered = _covered(text, original, named_entities(graph, rows)) if is_cased(original) else known
        # A word that a name has may be another's, misspelled: one with a capital that no name in the question takes up.
        misspelled = [
            word
            for word in alone
            if word in suspects and len(word) <= MAX_FUZZY_LETTERS and (word not in known or word not in covered)
        ]
        if misspelled:
            fuzzy = {word: f"{word}~{1 if len(word) < 6 else 2}" for word in misspelled}
            others = [word for word in alone if word not in fuzzy]
            # A second edit costs twice as much to search for as the first; with the others it is searched for anyway.
            lone = [f"{word}~1" for word in misspelled if word not in known]
            searches = [[" ".join([*fuzzy.values(), *others]), self.together], *([query, self.alone] for query in lone)]
            rows += yield from search_names(graph, searches, names_statement(graph.mapping))
        found = named_entities(graph, rows)
        if graph.names is not None and graph.names.nodes <= FEW_NODES:  # some may have been renamed since
            known_ids = {named.entity.element_id for named in found}
            every = yield from self._scan(text, graph)
            found += tuple(named for named in every if named.entity.element_id not in known_ids)
        return found, misspelled

    def _parts(self, original: str, text: Folded, candidates: Iterable[Named], graph: Graph) -> Steps[list[Place]]:
        """Where parts of names stand in a text; what stands there whole, of several words, is no part of another."""
        if not graph.has_index:
            return []
        places = (place for named in candidates for place in exact_places(text, named, original))
        whole = {
            word for place in places if len(folded := text.text[place.start : place.end].split()) > 1 for word in folded
        }
        asked = [word for word in re.findall(r"\w+", original) if folded_text(word) not in whole]
        if is_cased(original):
            asked = [word for word in asked if word[0].isupper()]
        words = self._words_of(graph)
        discriminative = discriminative_words(map(folded_text, asked), words)[:MAX_SINGLE_WORDS]
        queries = queries_for(text, discriminative, words)
        if not queries:
            return []
        searches = [[query, PART_HITS, MAX_BEST_KNOWN] for query in queries]
        rows = yield from search_names(graph, searches, best_known_statement(graph.mapping))
        facts = {id_: known for row in rows for id_, known in zip(row[0], row[5], strict=True)}
        found = [(named, facts[named.entity.element_id]) for named in named_entities(graph, rows)]
        return part_places(text, found, discriminative, original, words)

    def _suspects(self, text: str, graph: Graph) -> frozenset[str]:
        """Words that may be misspelled names: those with capitals, if any, else all but words for relations."""
        asked = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 3]
        if is_cased(text):
            return frozenset(folded_text(word) for word in asked if word[0].isupper())
        words = self._words_of(graph)
        return frozenset(one for one in words.content(map(folded_text, asked)) if not words.is_for_relation(one))

    def _words_of(self, graph: Graph) -> LinkWords:
        if graph not in self._words:
            self._words[graph] = LinkWords.of(graph.mapping)
        return self._words[graph]

    def _scan(self, text: Folded, graph: Graph) -> Steps[tuple[Named, ...]]:
        """Without a full-text index: the names of every node of the entity labels, against the text; no typos."""
        words = " ".join(text.text.split()[:MAX_SCANNED_WORDS])
        rows: Rows = []
        for kind in graph.mapping.entities:
            rows += yield from ask(Read(name_scan_statement(graph.mapping, kind, words, self.together)))
        return named_entities(graph, rows)

    def _described(
        self, question: Question, text: Folded, links: tuple[Link, ...], graph: Graph
    ) -> Steps[tuple[Link, ...]]:
        """Links by names, and after the best of those the entities that the question describes."""
        words = self._words_of(graph)
        marked = [_folded_span(text, *_span(question, mention)) for mention in question.mentions]
        spans = [span for span in marked if span] or descriptions_in(text, words)
        hits = yield from near_in_meaning(question.text, text, spans, words, graph)
        named = {link.entity.element_id for link in links}
        most = max((link.score for link in links), default=1.0) * EMBEDDING_LINK_CAP
        cased, letters = is_cased(question.text), letters_of(text, words)
        found = []
        for hit in hits:
            weight = mention_weight(text, (hit.start, hit.end), question.text, letters, cased, words)
            if hit.entity.element_id not in named:
                score = round(min(hit.quality * weight, most), 6)
                found.append(Link(*text.original(hit.start, hit.end), hit.entity, score))
        return tuple(sorted((*links, *found), key=_link_order)[: self.max_links])

    # ── choice ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _choose(
        self,
        question: Question,
        text: Folded,
        candidates: Iterable[Named],
        unknown: Collection[str],
        parts: Sequence[Place],
        graph: Graph,
    ) -> tuple[tuple[Link, ...], bool]:
        """Links by names, and whether one of them stands there for certain.

        :param unknown: words of the question that may be misspelled
        :param parts: where parts of names stand
        """
        words = self._words_of(graph)
        common = CommonWords.of(question.text, text, words)
        exact: list[Place] = []
        similar: list[Place] = []
        for named in candidates:
            places = list(exact_places(text, named, question.text))
            exact += (place for place in places if not common.has(place))
            if not places:
                similar += self._similar_places(text, named, question.text, graph)
        parts = [place for place in parts if not common.has(place)]
        # A misspelled name is tried only where no exact one stands, or where unknown words stand next to it.
        taken = list(dict.fromkeys(place.span for place in exact))
        torn = straddling_spans(text, taken)
        whole = [span for span in taken if span not in torn]
        similar = [place for place in similar if is_free(text, place, taken, unknown) and not common.has(place)]
        typed = best_typed(exact)
        cased, letters = is_cased(question.text), letters_of(text, words)
        others = OtherNames.of(question.text, text, taken, words)
        inside = nested_spans((place.span for place in (*exact, *similar, *parts)), whole)
        best: dict[tuple[str, int], Link] = {}
        for place in (*exact, *similar, *parts):
            if place.span in inside and not place.is_unspaced(text):  # the longest counts, where words can be told
                continue
            if lacks_marks(place, typed):
                continue
            weight = mention_weight(text, place.span, question.text, letters, cased, words)
            weight *= place.quality * (TWIN_PENALTY if is_outdone(place, typed) else 1.0)
            if place.span in inside or place.span in torn:
                weight *= NESTED_MENTION_WEIGHT
            start, end = with_marks(place, question.text, text)
            link = Link(start, end, place.named.entity, round(weight, 6), others.at(place))
            key = (place.named.entity.element_id, place.start)
            if key not in best or best[key].score < link.score:
                best[key] = link
        well_named = any(is_name(text, place, taken, question.text, cased, words) for place in exact)
        return tuple(sorted(best.values(), key=_link_order)[: self.max_links]), well_named

    def _similar_places(self, text: Folded, named: Named, original: str, graph: Graph) -> list[Place]:
        for name in (named.entity.name, *named.aliases):
            near = near_place(folded_text(name), text.text, self.min_similarity, self._words_of(graph))
            if near and symbols_fit(name, original, *text.original(*near[:2])):
                return [Place(named, *near)]
        return []


def _covered(text: Folded, original: str, candidates: Iterable[Named]) -> frozenset[str]:
    """The words of names that stand in a text."""
    places = (place for named in candidates for place in exact_places(text, named, original))
    return frozenset(word for place in places for word in text.text[place.start : place.end].split())


def _span(question: Question, mention: str) -> tuple[int, int]:
    """Where a marked topic stands in its question; at its end, if it nowhere does."""
    start = question.text.find(mention)
    return (start, start + len(mention)) if start >= 0 else (len(question.text), len(question.text))


def _folded_span(text: Folded, start: int, end: int) -> tuple[int, int] | None:
    """A stretch of the original, in the folded text."""
    inside = [place for place, offset in enumerate(text.offsets) if start <= offset < end]
    return (inside[0], inside[-1] + 1) if inside else None


def _similarity(folded: str, named: Named, name: str) -> float:
    """How well a candidate's best name fits a name, 0..1: 1 where that is its own name or key, letter for letter."""
    if name in (named.entity.name, named.entity.id):
        return 1.0
    if name in named.aliases:
        return ALIAS
    fitting = [other for other in (named.entity.name, *named.aliases) if symbols_agree(other, name)]
    names = [folded_text(other) for other in fitting]
    if folded in names:
        return 0.97
    return max((0.9 * fuzz.ratio(folded, other) / 100 for other in names), default=0.0)


def _called_most_exactly(found: Sequence[Link]) -> list[Link]:
    """Of links to what is called about so, likeliest first, those that are called so most exactly; none may be."""
    return [link for link in found if link.score >= EXACT and link.score == found[0].score]


def _link_order(link: Link) -> tuple[float, int, str, str]:
    return (-link.score, link.start - link.end, link.entity.name, link.entity.id)
