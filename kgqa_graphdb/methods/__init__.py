"""The methods: each composes stages around plans, and is asked for by its name in the registry."""

from kgqa_graphdb.methods.protocols import Linker, Method, PathModel, Ranker
from kgqa_graphdb.methods.registry import METHODS, all_methods, method_spec
from kgqa_graphdb.methods.spec import MethodConfig, MethodSpec, NoSettings, changed_settings, setting

__all__ = [
    "METHODS",
    "Linker",
    "Method",
    "MethodConfig",
    "MethodSpec",
    "NoSettings",
    "PathModel",
    "Ranker",
    "all_methods",
    "changed_settings",
    "method_spec",
    "setting",
]
