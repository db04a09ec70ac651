"""Commands: load."""

from __future__ import annotations
