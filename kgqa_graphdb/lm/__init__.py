"""Language models: a prompt goes in, text comes out. Nothing in this package needs one."""

from kgqa_graphdb.lm.local import TransformersModel
from kgqa_graphdb.lm.prompts import prompt
from kgqa_graphdb.lm.protocols import LanguageModel

__all__ = ["LanguageModel", "TransformersModel", "prompt"]
