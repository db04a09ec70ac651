"""Importing this module registers every command."""

from __future__ import annotations

from kgqa_graphdb.cli import ask, db, demo, index, load, map

__all__ = ["ask", "db", "demo", "index", "load", "map"]
