"""Language models: a prompt goes in, text comes out. The default method needs none."""

from kgqa_graphdb.lm.absent import AbsentModel
from kgqa_graphdb.lm.cached import CachedModel
from kgqa_graphdb.lm.langchain_model import LangChainModel, LangChainSettings
from kgqa_graphdb.lm.loaded import TransformersSettings
from kgqa_graphdb.lm.locate import open_language_model
from kgqa_graphdb.lm.prompts import as_data, prompt
from kgqa_graphdb.lm.protocols import LanguageModel
from kgqa_graphdb.lm.scripted import ScriptedModel
from kgqa_graphdb.lm.transformers_model import TransformersModel

__all__ = [
    "AbsentModel",
    "CachedModel",
    "LangChainModel",
    "LangChainSettings",
    "LanguageModel",
    "ScriptedModel",
    "TransformersModel",
    "TransformersSettings",
    "as_data",
    "open_language_model",
    "prompt",
]
