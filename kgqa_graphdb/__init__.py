"""Question answering over knowledge graphs in Neo4j.

    from kgqa_graphdb import KGQA

    with KGQA.connect(graph="space") as kg:
        reply = kg.ask("Which moons did Galileo Galilei discover?")

The public names are loaded when first used, so that importing the package is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kgqa_graphdb.client import KGQA, AsyncKGQA
    from kgqa_graphdb.errors import KgqaError
    from kgqa_graphdb.mapping import GraphMapping, read_mapping, write_mapping
    from kgqa_graphdb.plan import Aggregate, Answer, Cite, Combine, Follow, Native, Result
    from kgqa_graphdb.reply import Reply
    from kgqa_graphdb.types import Entity, Fact, Question, Relation, Statement, Step, Value

_HOME = {
    "client": ("KGQA", "AsyncKGQA"),
    "errors": ("KgqaError",),
    "mapping": ("GraphMapping", "read_mapping", "write_mapping"),
    "plan": ("Aggregate", "Answer", "Cite", "Combine", "Follow", "Native", "Result"),
    "reply": ("Reply",),
    "types": ("Entity", "Fact", "Question", "Relation", "Statement", "Step", "Value"),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "KGQA",
    "Aggregate",
    "Answer",
    "AsyncKGQA",
    "Cite",
    "Combine",
    "Entity",
    "Fact",
    "Follow",
    "GraphMapping",
    "KgqaError",
    "Native",
    "Question",
    "Relation",
    "Reply",
    "Result",
    "Statement",
    "Step",
    "Value",
    "read_mapping",
    "write_mapping",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
