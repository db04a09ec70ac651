"""Subgraphs of candidates, made of triples of names."""

from __future__ import annotations

from collections.abc import Sequence

from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.rerank.subgraphs import CandidateGraph
from kgqa_graphdb.types import Entity, Fact


def entity(name: str) -> Entity:
    return Entity(name, name, element_id=f"#{name}")


def candidate_graph(
    triples: Sequence[tuple[str, str, str]], candidate: str, topics: Sequence[str] = ("topic",)
) -> CandidateGraph:
    """A subgraph whose nodes are the topics, then what facts name, in their order, the candidate last."""
    facts = tuple(Fact(entity(head), make_relation(relation), entity(tail)) for head, relation, tail in triples)
    between = [end for head, _, tail in triples for end in (head, tail)]
    names = [name for name in dict.fromkeys((*topics, *between)) if name != candidate or name in topics]
    nodes = tuple(entity(name) for name in dict.fromkeys((*names, candidate)))
    codes = tuple((">x",) for _ in topics)
    return CandidateGraph(entity(candidate), tuple(map(entity, topics)), nodes, facts, facts, codes)
