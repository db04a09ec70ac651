"""Language models: a prompt goes in, text comes out. The default method needs none."""

from kgqa_graphdb.lm.locate import open_language_model
from kgqa_graphdb.lm.prompts import prompt
from kgqa_graphdb.lm.protocols import LanguageModel
from kgqa_graphdb.lm.scripted import ScriptedModel
from kgqa_graphdb.lm.transformers_model import TransformersModel

__all__ = ["LanguageModel", "ScriptedModel", "TransformersModel", "open_language_model", "prompt"]
