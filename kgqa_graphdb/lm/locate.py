"""From the name that a person gives to a language model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from kgqa_graphdb.lm.protocols import LanguageModel
from kgqa_graphdb.lm.scripted import ScriptedModel
from kgqa_graphdb.lm.transformers_model import TransformersModel

KINDS: Mapping[str, Callable[[str], LanguageModel]] = MappingProxyType(
    {"transformers": TransformersModel, "scripted": ScriptedModel.read}
)
"""What may stand before a colon in a name → what makes the model of the rest."""


def open_language_model(name: str) -> LanguageModel:
    """The language model of a name: a folder or hub id for transformers, or ``KIND:REST`` with one of :data:`KINDS`.

    A transformers model is loaded when it is first used.

    :raises LanguageModelError: a script can't be read
    """
    kind, _, rest = name.partition(":")
    return KINDS[kind](rest) if rest and kind in KINDS else TransformersModel(name)
