"""Prompts, a file each; what stands in <angle brackets> is filled in."""

from __future__ import annotations

import re
from importlib.resources import files

_MARKS = re.compile(r"<{3,}|>{3,}")
_PLACEHOLDER = re.compile(r"<([a-z_]+)>")


def prompt(name: str, **values: str) -> str:
    """A prompt with its placeholders filled in; what is filled in is not looked at again.

    :param name: of the file, without ``.txt``
    :raises ValueError: values are missing, or more are given than the prompt has placeholders for
    """
    text = files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")
    wanted = set(_PLACEHOLDER.findall(text))
    if wanted != set(values):
        raise ValueError(f"prompt {name!r} takes {sorted(wanted)}, not {sorted(values)}")
    return _PLACEHOLDER.sub(lambda found: values[found[1]], text)


def as_data(text: str) -> str:
    """A text of the graph or of a person, on one line and without the marks that facts stand between in a prompt.

    So no name ends the facts and goes on as an instruction.
    """
    return _MARKS.sub(" ", " ".join(text.split()))
