"""Names without a letter or digit, such as the album "=": folding leaves nothing of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kgqa_graphdb.graph import Named
from kgqa_graphdb.types import Link

SYMBOL_WEIGHT = 0.55
"""The score of a link to what is called so: about that of a short name with a capital."""
_ENDS = "?!.,;:"


def symbol_links(text: str, candidates: Iterable[Named]) -> list[Link]:
    """Links to the candidates whose names are words of a question without letters or digits.

    Of what may be the question's own punctuation as much is a part of the name as the longest one has.
    """
    called: dict[str, list[Named]] = {}
    for named in candidates:
        for name in {named.entity.name, *named.aliases}:
            if not any(map(str.isalnum, name)):
                called.setdefault(name, []).append(named)
    found = []
    for start, word in _lone(text) if called else ():
        shorter = (word[:end] for end in range(len(word), 0, -1) if not word[end:].strip(_ENDS))
        name = next((one for one in shorter if one in called), "")
        ids = {named.entity.element_id: named.entity for named in called.get(name, ())}
        found += [Link(start, start + len(name), entity, SYMBOL_WEIGHT) for entity in ids.values()]
    return found


def _lone(text: str) -> Iterator[tuple[int, str]]:
    """The words of a question without letters or digits, and where they begin."""
    for match in re.finditer(r"\S+", text):
        if not any(map(str.isalnum, match[0])):
            yield match.start(), match[0]
