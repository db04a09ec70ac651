"""Commands: db."""

from __future__ import annotations
