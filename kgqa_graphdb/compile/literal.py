"""Values as Cypher literals, and statements with their parameters written into them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.queries import quote
from kgqa_graphdb.types import Point, Statement

_PARAMETER_OR_TEXT = re.compile(
    r"""\$(?:(?P<name>\w+)|`(?P<quoted>(?:[^`]|``)+)`)|`[^`]*`|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/""",
    re.S,
)
"""A parameter, or a stretch of a statement in which ``$`` means nothing."""


def browser_text(statement: Statement) -> str:
    """A statement for pasting into Neo4j Browser, its parameters written into it as literals.

    A ``:params`` line before the statement would make two statements, and of those Browser draws no graph.
    """

    def written(found: re.Match[str]) -> str:
        name = found["name"] or found["quoted"]
        if name not in statement.parameters:  # a string, a comment, a quoted name
            return found[0]
        text = literal(statement.parameters[name])
        return f"({text})" if text.startswith("-") else text

    return _PARAMETER_OR_TEXT.sub(written, statement.text)


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def literal(value: Any) -> str:
    """A parameter as a Cypher literal."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            escaped = value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r")
            # Tabs and control characters do not survive being printed and pasted.
            return f"'{_CONTROL.sub(lambda found: f'{chr(92)}u{ord(found[0]):04x}', escaped)}'"
        case Point():
            return f"point({{longitude: {value.longitude!r}, latitude: {value.latitude!r}}})"
        case Mapping():
            return "{" + ", ".join(f"{quote(str(key))}: {literal(inner)}" for key, inner in value.items()) + "}"
        case Sequence():
            return "[" + ", ".join(map(literal, value)) + "]"
        case _ if hasattr(value, "isoformat"):
            zone = "" if getattr(value, "tzinfo", None) else "local"
            return f"{f'{zone}datetime' if hasattr(value, 'hour') else 'date'}('{value.isoformat()}')"
    raise UsageError(f"{value!r} can't be a Cypher parameter")
