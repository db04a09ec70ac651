"""From what a person gives for a language model: a name, or a model of some library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.lm.cached import CachedModel
from kgqa_graphdb.lm.langchain_model import LangChainModel, LangChainSettings, open_chat_model
from kgqa_graphdb.lm.loaded import TransformersSettings
from kgqa_graphdb.lm.protocols import LanguageModel
from kgqa_graphdb.lm.scripted import ScriptedModel
from kgqa_graphdb.lm.transformers_model import TransformersModel
from kgqa_graphdb.settings import read_settings


@dataclass(frozen=True, slots=True)
class ScriptSettings:
    """A table of answers has none."""


KINDS: Mapping[str, tuple[type[Any], Callable[[str, Any], LanguageModel]]] = MappingProxyType(
    {
        "transformers": (TransformersSettings, TransformersModel),
        "langchain": (LangChainSettings, lambda name, settings: LangChainModel(open_chat_model(name), settings)),
        "scripted": (ScriptSettings, lambda name, settings: ScriptedModel.read(name)),
    }
)
"""What may stand before a colon in a name → its settings, and what makes the model of the rest and of them."""


def open_language_model(
    model: Any, settings: Mapping[str, Any] | None = None, cache: Path | None = None
) -> LanguageModel:
    """The language model of a name, or of a LangChain chat model.

    :param model: a folder, a GGUF file, an installed package that carries one, or a hub id, for transformers, which
        loads it when it is first used; ``KIND:REST`` with one of :data:`KINDS`; a LangChain ``BaseChatModel``; or what
        is a :class:`LanguageModel` already
    :param settings: of its kind
    :param cache: folder in which completions of a model that was given by name are kept; ``None``: nowhere
    :raises LanguageModelError: a script or a chat model can't be opened
    :raises UsageError: a setting is unknown or can't have its value, or settings are given for what is set already
    """
    given = settings or {}
    if isinstance(model, str):
        kind, _, rest = model.partition(":")
        kind, name = (kind, rest) if rest and kind in KINDS else ("transformers", model)
        settings_class, make = KINDS[kind]
        chosen = read_settings(settings_class, given, f"a language model of the kind {kind!r}")
        made = make(name, chosen)
        return CachedModel(made, cache) if cache is not None and getattr(chosen, "cache", False) else made
    if hasattr(model, "bind") and hasattr(model, "generate_prompt"):
        return LangChainModel(model, read_settings(LangChainSettings, given, "a LangChain chat model"))
    if given:
        raise UsageError(f"settings are for language models that are given by name, not for a {type(model).__name__}")
    checked: LanguageModel = model
    return checked
