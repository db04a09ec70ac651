"""What looking for patterns takes, and following them: out of Neo4j, and in an exported graph.

    kgqa export --graph pq3 --output pq3-export
    python -m benchmarks.gnn2r_patterns --graph pq3 --questions PQ-3H.txt --export pq3-export --hops 3 --count 40

As step II of GNN2R is trained: of each question the patterns by which its answers and some entities of its subgraph,
drawn at random, hang together with the topics, and what each leads to. Both sides do all questions, Neo4j's reads what
is around a node once; what they find is compared.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence, Sized
from pathlib import Path

import numpy as np

from benchmarks.common import environment, linked_sample
from kgqa_graphdb import KGQA
from kgqa_graphdb.export import ExportedGraph, SubgraphSettings
from kgqa_graphdb.export.walks import Follower, Walks
from kgqa_graphdb.gnn2r.patterns import Pattern, candidate_patterns
from kgqa_graphdb.gnn2r.subgraphs import entities_of, numbers_of
from kgqa_graphdb.mining import Around
from kgqa_graphdb.mining.around import follow
from kgqa_graphdb.mining.exported import gold_numbers
from kgqa_graphdb.train.gnn2r.cases import MAX_ANSWERS, ends_of
from kgqa_graphdb.train.gnn2r.lessons import Topics, cut_for
from kgqa_graphdb.types import Entity, Ints, Scored

Found = list[dict[str, frozenset[str] | None]]
"""Of each question its patterns, by their codes, and the element ids that each leads to."""


def candidates_of(
    kg: KGQA, exported: ExportedGraph, linked: Sequence[Topics], settings: SubgraphSettings, drawn: int
) -> list[tuple[Topics, list[Scored[Entity]]]]:
    """Questions with answers and entities of their subgraphs."""
    rng, found = np.random.default_rng(0), []
    for one in linked:
        cut = cut_for(exported, one, settings)
        if isinstance(cut, str) or one.asked is None:
            continue
        some = rng.choice(cut.nodes, min(drawn, cut.nodes.size), replace=False).tolist()
        golds = [number for gold in one.pair.answers for number in gold_numbers(exported, gold)]
        entities = kg.perform(entities_of(exported, list(dict.fromkeys([*some, *golds])), kg.graph))
        found.append((one, [Scored(entity, 1.0) for entity in entities if entity is not None]))
    return found


def code_of(pattern: Pattern) -> str:
    """A pattern in one word."""
    return " & ".join(f"{side.topic.id} {' '.join(step.code for step in side.path)}" for side in pattern.sides)


def in_neo4j(kg: KGQA, asked: Sequence[tuple[Topics, list[Scored[Entity]]]], hops: int) -> Found:
    """Patterns and their ends, read out of Neo4j."""
    around, found = Around(kg.graph), Found()
    for one, chosen in asked:
        assert one.asked is not None
        own: dict[str, frozenset[str] | None] = {}
        for scored in kg.perform(candidate_patterns(one.asked, chosen, kg.graph, hops, "walks")).ranked:
            each = [
                kg.perform(follow([step.code for step in side.path], side.topic.element_id, around, MAX_ANSWERS))
                for side in scored.item.sides
            ]
            full = [frozenset(map(str, ends)) for ends in each if ends is not None]
            own[code_of(scored.item)] = frozenset.intersection(*full) if len(full) == len(each) else None
        found.append(own)
    return found


def in_export(
    kg: KGQA, exported: ExportedGraph, asked: Sequence[tuple[Topics, list[Scored[Entity]]]], hops: int
) -> list[dict[str, Ints | None]]:
    """The same in the exported graph; ends are numbers."""
    walks, found = Walks(exported), list[dict[str, Ints | None]]()
    for one, chosen in asked:
        assert one.asked is not None
        follower = Follower(walks, kg.graph.mapping.walk, MAX_ANSWERS)
        topics = {topic: numbers_of(exported, topic) for topic in one.asked.entities}
        ranked = kg.perform(candidate_patterns(one.asked, chosen, kg.graph, hops, "walks", walks)).ranked
        own = {code_of(scored.item): ends_of(scored.item, topics, walks, follower) for scored in ranked}
        found.append(own)
    return found


def sizes(own: Mapping[str, Sized | None]) -> dict[str, int | None]:
    """How many entities each pattern leads to."""
    return {code: None if ends is None else len(ends) for code, ends in own.items()}


def main() -> None:
    """Look for patterns both ways, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--export", type=Path, required=True, help="folder that kgqa export wrote")
    parser.add_argument("--hops", type=int, default=2)
    parser.add_argument("--drawn", type=int, default=5, help="entities of a subgraph beside the answers")
    parser.add_argument("--count", type=int, default=12)
    options = parser.parse_args()
    with KGQA.connect(options.graph) as kg:
        exported, linked = linked_sample(kg, options.export, options.questions, options.count)
        asked = candidates_of(kg, exported, linked, SubgraphSettings(options.hops, 1_000), options.drawn)
        began = time.perf_counter()
        ours = in_export(kg, exported, asked, options.hops)
        took = time.perf_counter() - began
        began = time.perf_counter()
        theirs = in_neo4j(kg, asked, options.hops)
        slow = time.perf_counter() - began
    same = sum(sizes(one) == sizes(other) for one, other in zip(ours, theirs, strict=True))
    print(environment())
    print(
        f"{len(asked)} questions of {options.graph}, {sum(map(len, ours)):,} patterns; {same} questions have the same"
    )
    print(f"Neo4j {slow:.2f} s, exported {took:.2f} s, ratio {slow / took:.0f}")


if __name__ == "__main__":
    main()
