"""Vectors beside an exported graph: what a text encoder makes of the names of entities and the words of relations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kgqa_graphdb.errors import ExportError
from kgqa_graphdb.export.exported import ExportedGraph
from kgqa_graphdb.export.manifest import write_manifest
from kgqa_graphdb.export.named import NAMES, RELATIONS, relation_words
from kgqa_graphdb.types import Vectors

AT_ONCE = 4_096
"""Names that are embedded together."""


def write_features(
    graph: ExportedGraph,
    encode: Callable[[Sequence[str]], Vectors],
    encoder: str,
    progress: Callable[[int, int | None], None] = lambda done, total: None,
) -> ExportedGraph:
    """Write the vectors of all names (feature ``names``) and of all relations (``relations``) beside a graph.

    Relation ``r`` has the vector of its words from head to tail, ``r + num_relations`` that of those from tail to head.

    :param encode: embeds texts; shape (texts, dim), float32
    :param encoder: its name, for the manifest
    :param progress: called with (done, total) names
    :return: the graph, opened anew
    :raises ExportError: the folder can't be written to
    """
    folder = graph.folder / graph.manifest.columns
    try:
        np.save(folder / f"feature-{RELATIONS}.npy", encode(relation_words(graph.manifest.relations)))
        part = folder / "feature.part"
        dim = encode([graph.names[0]]).shape[1]
        vectors = np.lib.format.open_memmap(part, mode="w+", dtype=np.float32, shape=(graph.num_entities, dim))
        for start in range(0, graph.num_entities, AT_ONCE):
            some = graph.names[start : start + AT_ONCE]
            vectors[start : start + len(some)] = encode(some)
            progress(start + len(some), graph.num_entities)
        vectors.flush()
        part.replace(folder / f"feature-{NAMES}.npy")
        features = graph.manifest.features | {NAMES: encoder, RELATIONS: encoder}
        write_manifest(graph.folder, graph.manifest.model_copy(update={"features": features}))
    except OSError as error:
        raise ExportError(f"{graph.folder} can't be written to: {error.strerror or error}; free some space") from error
    return ExportedGraph.open(graph.folder)
