"""Relations made from what is known of them: the words that are missing are guessed."""

from __future__ import annotations

from typing import TypedDict, Unpack

from kgqa_graphdb.language import ENGLISH, Language
from kgqa_graphdb.types import Relation, RelationKind


class RelationFields(TypedDict, total=False):
    """The fields of a :class:`Relation` that are taken as they are."""

    kind: RelationKind
    description: str
    unit: str
    heads: tuple[str, ...]
    tails: tuple[str, ...]
    of: str
    via: tuple[str, ...]


def make_relation(
    relation_id: str,
    *,
    type: str = "",
    label: str = "",
    inverse: str = "",
    template: str = "",
    language: Language = ENGLISH,
    symmetric: bool | None = None,
    **fields: Unpack[RelationFields],
) -> Relation:
    """A relation whose missing words are guessed from its name.

    :param type: as it is stored, if not as its id
    :param label: words for walking from head to tail
    :param inverse: words for walking from tail to head
    :param template: sentence of one fact, with ``{head}`` and ``{tail}``
    :param language: of the id and the words
    :param symmetric: a fact says the same of both of its ends; ``None``: what its name says
    """
    words = label or language.words_of(relation_id)
    edge = fields.get("kind", "edge") == "edge"
    of_value = fields.get("kind") in ("property", "qualifier")
    return Relation(
        id=relation_id,
        type=type or relation_id,
        phrase=label or language.guessed_phrase(relation_id),
        inverse_phrase=inverse or language.guessed_inverse(words),
        template=template or language.guessed_template(words, of_value=of_value),
        symmetric=edge and (seems_symmetric(relation_id, label, language) if symmetric is None else symmetric),
        **fields,
    )


def seems_symmetric(relation_id: str, label: str, language: Language = ENGLISH) -> bool:
    """Whether the name of a relation between entities, or its label, says the same of both of its ends."""
    return language.is_symmetric(language.words_of(relation_id)) or (bool(label) and language.is_symmetric(label))
