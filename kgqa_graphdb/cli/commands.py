"""Importing this module registers every command."""

from __future__ import annotations

from kgqa_graphdb.cli import ask, browser, db, demo, evaluate, graphs, index, load, map, methods, models, train

__all__ = ["ask", "browser", "db", "demo", "evaluate", "graphs", "index", "load", "map", "methods", "models", "train"]
