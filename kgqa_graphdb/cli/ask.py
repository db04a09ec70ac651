"""Commands: ask."""

from __future__ import annotations
