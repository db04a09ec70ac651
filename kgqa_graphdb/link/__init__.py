"""Linking: which entities of the graph a question speaks of."""

from __future__ import annotations

from kgqa_graphdb.link.linker import NameLinker
from kgqa_graphdb.link.other_names import unresolved

__all__ = ["NameLinker", "unresolved"]
