"""Prompts, a file each; what stands in <angle brackets> is filled in."""

from __future__ import annotations

import re
from importlib.resources import files

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
