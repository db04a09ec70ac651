"""Whether a path can be what some words mean: where it leads, and which of the words it says."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from kgqa_graphdb.language import Language
from kgqa_graphdb.language.english_deeds import verb_of
from kgqa_graphdb.language.english_words import GRAMMAR_WORDS
from kgqa_graphdb.mapping.hops import end_labels, inverts
from kgqa_graphdb.parse.lexicon import Kind
from kgqa_graphdb.types import Link, Path, Relation, Step


def explains(path: Path, text: str, language: Language) -> bool:
    """Whether a path says all that some words say."""
    relations = [step.relation for step in path]
    forms = [form for one in relations for form in (language.words_of(one.id), one.phrase, one.inverse_phrase)]
    words = {word for form in forms for word in form.lower().split()}
    known = {language.root(form) for word in words for form in (word, language.plural_of(word))}
    return all(language.root(word) in known for word in text.lower().split() if word not in language.fillers)


def is_said(step: Step, text: str, language: Language) -> bool:
    """Whether one of some words is a word for a step, or for what it leads to."""
    relation = step.relation
    forms = [language.words_of(relation.id), relation.phrase, relation.inverse_phrase]
    forms += [language.words_of(label) for label in (*end_labels(step), *end_labels(Step(relation, not step.inverse)))]
    known = {language.root(word) for form in forms for word in form.lower().split()}
    return any(
        language.root(word) in known or language.root(language.lemma(word)) in known
        for word in text.lower().split()
        if word not in language.fillers
    )


def kind_words(link: Link, language: Language) -> set[str]:
    """The words for the kinds of what is linked."""
    return {word for label in link.entity.labels for word in language.words_of(label).split()}


def says(relation: Relation, words: Sequence[str], language: Language) -> bool:
    """Whether one of some words is a relation's."""
    texts = (language.words_of(relation.id), relation.phrase, relation.inverse_phrase)
    own = {word for text in texts for word in text.lower().split()} - GRAMMAR_WORDS
    return any(_is_form(word, one, language) for word in words for one in own)


def _is_form(word: str, other: str, language: Language) -> bool:
    """Whether two words are forms of one: "caring", "cares"."""
    verb = verb_of(word)
    return language.root(word) == language.root(other) or bool(verb and verb == verb_of(other))


def contradicts(path: Path, text: str, language: Language) -> bool:
    """Whether a step of a path says the opposite of what words say: "opened" is not when something was closed."""
    words = text.lower().split()
    return any(
        language.are_opposite(words, f"{language.words_of(one.id)} {one.phrase} {one.inverse_phrase}".lower().split())
        for one in (step.relation for step in path)
    )


def keeps_ends(path: Path, text: str, language: Language) -> bool:
    """Whether no step of a path says "to" where words say "from", or the other way round, or else the opposite.

    What receives something is what that is sent to.
    """
    words = text.split()
    if contradicts(path, text, language):
        return False
    asked = {*words} & _OPPOSITE.keys()
    if not asked and {language.root(word) for word in words} & {*map(language.root, _RECEIVES)}:
        asked = {"to"}
    if len(asked) != 1:
        return True
    (said,) = asked
    return all(language.words_of(step.relation.id).split()[-1:] != [_OPPOSITE[said]] for step in path)


_OPPOSITE = {"to": "from", "from": "to"}
_RECEIVES = ("receive", "received")


def tells_when(path: Path, measure: str, language: Language) -> bool:
    """Whether a path to a moment is of what was done then, where a measure says that: "launched year or date"."""
    verb, *words = measure.split()
    if not {"year", "date"} <= {*words} or not language.base_form(verb):
        return True
    if not in_value(path):
        return False
    done = {language.happened_at(language.words_of(step.relation.id))[0] for step in path}
    return verb in done or explains(path, verb, language)


def in_value(path: Path) -> bool:
    """Whether a path leads to a value."""
    return path[-1].relation.kind != "edge"


def returns(path: Path) -> bool:
    """Whether a path goes back over a relation, so that it comes by entities of one kind twice."""
    return any(map(inverts, path, path[1:]))


def stops_at(path: Path, labels: Collection[str]) -> list[int]:
    """The steps before the last that lead to entities of some kinds; a property of a relationship is at its end."""
    inner = path[:-2] if path[-1].relation.kind == "qualifier" else path[:-1]
    return [at for at, step in enumerate(inner) if not {*end_labels(step)}.isdisjoint(labels)]


def goes_back_unsaid(path: Path, words: Sequence[str], nouns: Mapping[str, Kind], language: Language) -> bool:
    """Whether a path goes back over a relation of which a question does not speak twice.

    It does with two words for it, as in "the trainees of X's trainer", or one and that for where it turns back: "who
    works in X's office".

    :param words: of the question, without its topic
    """
    text = f" {' '.join(words)} "
    for step, back in pairwise(path):
        if not inverts(step, back):
            continue
        turns = {*end_labels(step)}
        said = sum(says(step.relation, [word], language) for word in dict.fromkeys(words))
        named = any(f" {noun} " in text and kind.label in turns for noun, kind in nouns.items() if kind.by is None)
        if said + named < 2:
            return True
    return False


def joins_a_kind(relation: Relation) -> bool:
    """Whether a relation leads from entities of a kind to such, so that it may mean either way from them."""
    return not relation.symmetric and bool({*relation.heads} & {*relation.tails})


def leads_to_entities(path: Path) -> bool:
    """Whether a path leads to entities."""
    return not in_value(path)


def is_known(path: Path) -> bool:
    """Whether one can tell what a path comes by: where entities are of no kinds, steps can be put together at will."""
    return len(path) == 1 or in_value(path) or all(map(end_labels, path))


NAME = Step(Relation("name", "name", "", "with name", kind="property", template="{head} — name: {tail}."))
"""To what an entity is called, which goes without saying."""


def is_direct(path: Path) -> bool:
    """Whether a path leads to what something has itself: a neighbour, a value, or the year that a neighbour is."""
    return len(path) == 1 or (len(path) == 2 and path[1] == NAME)


def passes(path: Path, kind: Kind) -> bool:
    """Whether a path comes by entities of a kind, as far as one can tell, at its end or before its last step."""
    steps = [step for step in path if step.relation.kind == "edge"][-1:]
    return any(not end_labels(step) or kind.label in end_labels(step) for step in steps)


def ends_at(path: Path, kind: Kind | None) -> bool:
    """Whether a path leads to entities of a kind, as far as one can tell."""
    labels = end_labels(path[-1])
    return kind is None or (path[-1].relation.kind == "edge" and (not labels or kind.label in labels))


def leads_through(path: Path, kind: Kind | None) -> bool:
    """Whether the last entities on a path are of a kind."""
    if kind is None:
        return True
    edges = [step for step in path if step.relation.kind == "edge"]
    return bool(edges) and kind.label in end_labels(edges[-1])
