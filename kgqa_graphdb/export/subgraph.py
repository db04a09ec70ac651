"""Subgraphs of an exported graph: what lies within some hops of topics, cut to a number of entities by PageRank.

Personalised PageRank (Haveliwala 2002) is how GraftNet (Sun et al. 2018) and its successors cut question subgraphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kgqa_graphdb.errors import SubgraphError, UsageError
from kgqa_graphdb.export.exported import ExportedGraph
from kgqa_graphdb.export.read import Numbers
from kgqa_graphdb.types import Bools, Ints


@dataclass(frozen=True, slots=True)
class SubgraphSettings:
    """How a question's subgraph is cut.

    :ivar hops: undirected steps from the nearest topic, 1 or more
    :ivar max_nodes: entities that are kept, the topics always among them; 0: all
    :ivar restart: probability that the walk of PageRank starts anew at a topic, above 0 and below 1
    :ivar by_relation: the walk leaves an entity by each relation, in each direction, as often, however many facts that
        has: a hub of one relation does not draw all of it. Our change; the usual walk leaves by each fact as often
    :ivar rounds: steps of the walk; what lies further than so many steps away has no rank
    :ivar max_facts: facts within the hops, before they are cut; more is an error
    """

    hops: int = 2
    max_nodes: int = 500
    restart: float = 0.3
    by_relation: bool = True
    rounds: int = 20
    max_facts: int = 20_000_000

    def __post_init__(self) -> None:
        if self.hops < 1 or self.max_nodes < 0 or self.rounds < 1 or not 0 < self.restart < 1:
            raise UsageError(
                f"a subgraph of {self.hops} hops, {self.max_nodes} nodes, restart {self.restart}, {self.rounds} rounds"
                " can't be; hops and rounds are 1 or more, restart lies between 0 and 1"
            )


@dataclass(frozen=True, slots=True, eq=False)
class IndexedSubgraph:
    """A subgraph by numbers: its entities are 0 and up, the topics first, then by distance and number in the graph.

    :ivar nodes: number in the graph of each entity; shape (nodes,)
    :ivar distances: undirected steps from the nearest topic; shape (nodes,)
    :ivar head: of each fact, by number in the subgraph; shape (facts,)
    :ivar relation: number of the relation; shape (facts,)
    :ivar tail: as ``head``
    :ivar facts: number of the fact in the graph; shape (facts,)
    :ivar topics: how many topics there are: entities 0 up to that
    :ivar cut: entities within the hops that were left out
    """

    nodes: Ints
    distances: Ints
    head: Ints
    relation: Ints
    tail: Ints
    facts: Ints
    topics: int
    cut: int = 0


def cut_subgraph(
    graph: ExportedGraph, topics: Sequence[int], settings: SubgraphSettings | None = None
) -> IndexedSubgraph:
    """The subgraph around topics.

    :param topics: numbers of entities
    :raises UsageError: no topic
    :raises SubgraphError: no fact joins a topic with anything, or there are more facts than ``max_facts``
    """
    settings = settings or SubgraphSettings()
    if not topics:
        raise UsageError("a subgraph lies around topics; name one or more")
    whole = within_hops(graph, topics, settings)
    if not whole.facts.size:
        names = ", ".join(repr(graph.names[topic]) for topic in topics[:3])
        raise SubgraphError(
            f"no fact of graph {graph.manifest.graph!r} joins {names} with anything; name another topic"
        )
    return cut_to_size(whole, settings)


def cut_to_size(whole: IndexedSubgraph, settings: SubgraphSettings) -> IndexedSubgraph:
    """A subgraph with at most ``max_nodes`` entities: the topics and those of the highest PageRank."""
    if not settings.max_nodes or whole.nodes.size <= settings.max_nodes:
        return whole
    return prune(whole, page_rank(whole, settings), settings)


def within_hops(graph: ExportedGraph, topics: Sequence[int], settings: SubgraphSettings) -> IndexedSubgraph:
    """All entities within the hops, and all facts that the hops walk, each once.

    :raises SubgraphError: there are more facts than ``max_facts``
    """
    frontier = np.array(list(dict.fromkeys(topics)), dtype=np.int64)
    nodes, distances = [frontier], [np.zeros(frontier.size, np.int64)]
    seen, found = np.sort(frontier), np.zeros(0, np.int64)
    for hop in range(1, settings.hops + 1):
        walked = np.unique(np.concatenate([
            runs(graph.out_start[frontier], graph.out_start[frontier + 1]),
            graph.in_fact[runs(graph.in_start[frontier], graph.in_start[frontier + 1])],
        ]))  # fmt: skip
        found = np.union1d(found, walked)
        if found.size > settings.max_facts:
            raise SubgraphError(
                f"{found.size:,} facts lie within {hop} hops of the topics, and the cap is {settings.max_facts:,}; ask"
                " for fewer hops, or raise max_facts"
            )
        ends = np.unique(np.concatenate([graph.head[walked], graph.tail[walked]])).astype(np.int64)
        frontier = ends[~is_in(ends, seen)]
        seen = np.union1d(seen, frontier)
        nodes.append(frontier)
        distances.append(np.full(frontier.size, hop, dtype=np.int64))
    members = np.concatenate(nodes)
    order = np.argsort(members)
    places = order[np.searchsorted(members[order], np.concatenate([graph.head[found], graph.tail[found]]))]
    return IndexedSubgraph(
        nodes=members,
        distances=np.concatenate(distances),
        head=places[: found.size],
        relation=np.asarray(graph.relation[found], dtype=np.int64),
        tail=places[found.size :],
        facts=found,
        topics=nodes[0].size,
    )


def page_rank(whole: IndexedSubgraph, settings: SubgraphSettings) -> Numbers:
    """How often a walk is at each entity that goes over facts either way, and starts anew at the topics.

    ``rank = restart · topics + (1 - restart) · Wᵀ rank``, so many rounds from the topics on; the rows of ``W`` say
    where a walk goes from an entity, and sum to 1.

    :return: shape (nodes,), sums to 1
    """
    left, right = np.concatenate([whole.head, whole.tail]), np.concatenate([whole.tail, whole.head])  # (2 · facts,)
    size = whole.nodes.size
    share = _shares(whole, left) if settings.by_relation else 1 / np.bincount(left)[left]  # (2 · facts,)
    start = np.zeros(size)
    start[: whole.topics] = 1 / whole.topics
    rank: Numbers = start
    for _ in range(settings.rounds):
        arriving = np.bincount(right, weights=rank[left] * share, minlength=size)
        rank = settings.restart * start + (1 - settings.restart) * arriving
    ranked: Numbers = rank / rank.sum()
    return ranked


def _shares(whole: IndexedSubgraph, left: Ints) -> Numbers:
    """How likely a walk goes over each fact, either way, where it leaves by each relation as often; (2 · facts,)."""
    relations = int(whole.relation.max()) + 1
    way = np.concatenate([whole.relation, whole.relation + relations])
    ways, place, count = np.unique(left * (2 * relations) + way, return_inverse=True, return_counts=True)
    ways_of = np.bincount(ways // (2 * relations))  # (nodes,)
    shares: Numbers = 1 / (count[place] * ways_of[left])
    return shares


def prune(whole: IndexedSubgraph, rank: Numbers, settings: SubgraphSettings) -> IndexedSubgraph:
    """The topics and the entities of the highest rank, as many as may be kept, and the facts between them.

    Of equal rank the nearer is kept, then the one of the lower number. What no longer hangs together with a topic goes,
    too, so that every distance is that in the subgraph.
    """
    order = np.lexsort((np.arange(rank.size), whole.distances, -rank))
    order = np.concatenate([np.arange(whole.topics), order[order >= whole.topics]])
    kept = np.zeros(rank.size, dtype=bool)
    kept[order[: max(settings.max_nodes, whole.topics)]] = True
    facts = kept[whole.head] & kept[whole.tail]
    distances = _distances(whole, facts, settings.hops)
    kept &= distances >= 0
    return _only(replace(whole, distances=distances), kept, facts & kept[whole.head] & kept[whole.tail])


def _distances(whole: IndexedSubgraph, facts: Bools, hops: int) -> Ints:
    """Steps from the nearest topic over some of the facts; -1 where there is no way within the hops; shape (nodes,)."""
    left, right = whole.head[facts], whole.tail[facts]
    distances = np.full(whole.nodes.size, -1, dtype=np.int64)
    distances[: whole.topics] = 0
    for hop in range(1, hops + 1):
        for one, other in ((left, right), (right, left)):
            reached = other[(distances[one] == hop - 1) & (distances[other] < 0)]
            distances[reached] = hop
    return distances


def _only(whole: IndexedSubgraph, kept: Bools, facts: Bools) -> IndexedSubgraph:
    chosen = np.flatnonzero(kept)
    chosen = chosen[np.lexsort((whole.nodes[chosen], whole.distances[chosen], chosen >= whole.topics))]
    place = np.full(kept.size, -1, dtype=np.int64)
    place[chosen] = np.arange(chosen.size)
    place[: whole.topics] = np.arange(whole.topics)
    chosen[: whole.topics] = np.arange(whole.topics)
    return IndexedSubgraph(
        nodes=whole.nodes[chosen],
        distances=whole.distances[chosen],
        head=place[whole.head[facts]],
        relation=whole.relation[facts],
        tail=place[whole.tail[facts]],
        facts=whole.facts[facts],
        topics=whole.topics,
        cut=kept.size - chosen.size,
    )


def runs(starts: Ints, ends: Ints) -> Ints:
    """All numbers from each start up to its end, one run after the other."""
    sizes = (ends - starts).astype(np.int64)
    return np.repeat(starts.astype(np.int64) - np.cumsum(sizes) + sizes, sizes) + np.arange(int(sizes.sum()))


def is_in(values: Ints, ascending: Ints) -> Bools:
    """Which values are among some that are sorted."""
    if not ascending.size:
        return np.zeros(values.size, dtype=bool)
    found: Bools = ascending[np.minimum(np.searchsorted(ascending, values), ascending.size - 1)] == values
    return found
