"""What people's files hold, whatever that is: JSON that may be anything, paths that may be none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

MALFORMED = (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError)
"""What reading a document of another shape than expected raises."""
_NOTHING: Mapping[str, Any] = MappingProxyType({})


def parse_json(text: str | bytes) -> Any:
    """What a JSON text says.

    :raises ValueError: it is no JSON, or is nested too deep
    """
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def expanded(path: Path | str) -> Path:
    """A path with ``~`` as the folder that it means; as it is where there is no such user."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def first_of(document: Any) -> Mapping[str, Any]:
    """The first object of a list; an empty one where there is none."""
    first = document[0] if isinstance(document, list) and document else None
    return first if isinstance(first, dict) else _NOTHING


def reason(error: Exception) -> str:
    """What is wrong with a document, in words."""
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return "it is nested too deep" if isinstance(error, RecursionError) else str(error)
