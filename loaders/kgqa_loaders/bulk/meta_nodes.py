"""The meta nodes of a graph as cells of CSV."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from kgqa_graphdb.catalog import label_of
from kgqa_graphdb.catalog.next_steps import pack_steps
from kgqa_loaders.bulk.cells import Column, Separators, cell
from kgqa_loaders.following import Followers


def about(
    graph: str,
    source: str,
    licence: str,
    counts: Mapping[str, int],
    classes: Sequence[str],
    formats: Sequence[str],
    steps: Followers,
    edges: Iterable[int],
) -> dict[str, Any]:
    """The properties of a graph's own meta node but its checksum; ``load/finish_import`` says that it is complete.

    :param counts: ``entities``, ``facts``, ``literals``, ``statements``
    :param edges: numbers of the relations that lead to entities
    """
    after = {step: steps.after.get(step, 0) for number in edges for step in (2 * number, 2 * number + 1)}
    return {
        "graph": graph, "state": "loading", "label": label_of(graph), "fulltext": f"{label_of(graph)}_names",
        "walk": "no_backtrack", "licence": licence, "language": "", "classes": list(classes),
        "formats": sorted(set(formats)), "source": source, "after": pack_steps(after),
        "rare": pack_steps({step: bits for step, bits in steps.rare.items() if bits}),
        **{key: counts[key] for key in ("entities", "facts", "literals", "statements")},
    }  # fmt: skip


def columns_of(row: Mapping[str, Any], separators: Separators) -> tuple[tuple[Column, ...], list[str]]:
    """The columns and cells of a meta node; CSV has no empty list, so it is left out."""
    found = []
    for key in sorted(row):
        value = row[key]
        if isinstance(value, bytes):
            numbers = np.frombuffer(value, dtype=np.int8).tolist()
            found.append((Column(key, "byte", True), separators.item.join(map(str, numbers))))
        elif value != []:
            found.append(cell(key, value, separators))
    return tuple(column for column, _ in found), [text for _, text in found]
