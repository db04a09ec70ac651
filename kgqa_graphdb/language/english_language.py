"""English as one object."""

from __future__ import annotations

from kgqa_graphdb.language import (
    english,
    english_deeds,
    english_opposites,
    english_relations,
    english_roles,
    english_senses,
)
from kgqa_graphdb.language import english_words as closed
from kgqa_graphdb.language.english_politeness import without_politeness
from kgqa_graphdb.language.english_sorts import sort_asked
from kgqa_graphdb.language.english_wording import ENGLISH_WORDING
from kgqa_graphdb.language.language import Language, PathPatterns

ENGLISH = Language(
    code="en",
    stop_words=closed.STOP_WORDS,
    grammar_words=closed.GRAMMAR_WORDS,
    sharing=closed.SHARING,
    sharing_prefix="co-",
    interrogatives=closed.INTERROGATIVES,
    amounts=closed.AMOUNT_QUESTIONS,
    clause_words=closed.CLAUSE_WORDS,
    articles=closed.ARTICLES,
    titles=closed.TITLES,
    possessive="'s",
    fillers=closed.FILLERS | closed.PLAIN_PREPOSITIONS,
    joining=closed.JOINING,
    vague=closed.VAGUE,
    patterns=PathPatterns(
        noun="the {what} {phrase} of {start}",
        moment="when {start} was {phrase}",
        clause="what {start} {phrase}",
        clause_about="{what} that {start} {phrase}",
        both="{one} and {other}",
        things="things",
        date="date or year",
    ),
    wording=ENGLISH_WORDING,
    without_politeness=without_politeness,
    words_of=english.words_of,
    lemma=english.lemma,
    stem=english.singular_of,
    root=english.root,
    same_stem=english.same_stem,
    plural_of=english.plural_of,
    regular_plural=english.regular_plural,
    base_form=english.base_form,
    happened_at=english.happened_at,
    is_moment=english_relations.is_moment,
    is_verbal=english_relations.is_verbal,
    ends_noun=english.ends_noun,
    guessed_phrase=english_relations.guessed_phrase,
    guessed_inverse=english_relations.guessed_inverse,
    guessed_template=english_relations.guessed_template,
    edge_words=english_relations.edge_words,
    roles=english_roles.roles,
    senses=english_senses.senses,
    related_roles=english_deeds.related,
    kin=english_deeds.kin,
    is_symmetric=english_senses.is_symmetric,
    stances=english_opposites.stances,
    sort_asked=sort_asked,
)
