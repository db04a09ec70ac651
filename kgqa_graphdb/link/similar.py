"""Links the entities of a graph that a text encoder finds most like the whole question, whatever it names.

Source: M. Shirdel, Knowledge Graph-based Question Answering with Large Language Models, which tried it and left it: the
labels of all entities are compared with the question by the cosine, and the first 1, 3 or 10 are the topics. Here the
texts are those of the graph's vector index: names with what describes them.
"""

from __future__ import annotations

from dataclasses import dataclass

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.link.meaning import nearest_entities
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Link, Question


@dataclass(frozen=True, slots=True)
class SimilarLinker:
    """Links by the graph's vector index.

    :ivar nearest: links returned
    """

    nearest: int = 1

    def link(self, question: Question, graph: Graph) -> Steps[tuple[Link, ...]]:
        """The entities most like the question, likeliest first; a score is the cosine, and no link has a place in it.

        :raises UsageError: the graph has no vector index
        """
        indexes = graph.mapping.vectors
        if indexes is None:
            raise UsageError(
                f"graph {graph.name!r} has no vectors by which topics could be found; "
                f"make them with: kgqa index --graph {graph.name} --vectors"
            )
        hits = yield from nearest_entities((question.text,), indexes, graph, self.nearest)
        best = sorted(hits, key=lambda hit: (-hit.cosine, hit.entity.name, hit.entity.id))[: self.nearest]
        return tuple(Link(0, 0, hit.entity, min(1.0, max(0.0, hit.cosine))) for hit in best)
