"""The kind that "who" asks for, by what the question says of it: who commands ships is no ship."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from kgqa_graphdb.parse.lexicon import Kind
from kgqa_graphdb.parse.parsed import ParsedQuestion
from kgqa_graphdb.rank import PathRanker
from kgqa_graphdb.rank.direction import start_labels

_WHO = re.compile(r"\W*whom?\b", re.IGNORECASE)


def with_doers(parsed: ParsedQuestion, text: str, nouns: Mapping[str, Kind], ranker: PathRanker) -> ParsedQuestion:
    """A question that begins with "who" and names nothing, as one of the kind that does what it says, if there is one.

    :param nouns: for kinds
    """
    if not _WHO.match(text) or not parsed.conditions:
        return parsed
    said = parsed.conditions[0]
    named = {nouns[word].label for word in said.text.split() if word in nouns}
    codes = [step.code for step in ranker.schema.steps if step.relation.kind == "edge"]
    way = ranker.directed(said.clause, codes) if said.clause else None
    if way is None:
        return parsed
    starts = [start_labels(ranker.schema.steps[row]) for row in np.flatnonzero(way.meant & way.said).tolist()]
    labels = {labels for labels in map(frozenset, starts) if not labels & named}
    label = min(next(iter(labels))) if len(labels) == 1 and len(next(iter(labels))) == 1 else ""
    return replace(parsed, kind=Kind(label)) if label else parsed
