"""How many answers lie in the subgraphs that questions are answered on: what a reader of them can reach at best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kgqa_graphdb.errors import SubgraphError, UsageError
from kgqa_graphdb.export import ExportedGraph, SubgraphSettings, cut_subgraph
from kgqa_graphdb.mining.exported import gold_numbers, topic_numbers
from kgqa_graphdb.questions import Pair


@dataclass(frozen=True, slots=True)
class SubgraphCoverage:
    """What lies in the subgraphs of some questions. A question without a topic that is in the graph has none.

    :ivar questions: how many there are
    :ivar without_topic: those that name no topic that the graph has, or one without facts
    :ivar any_answer: share of the questions with a gold answer in their subgraph, 0..1
    :ivar all_answers: share of those with all gold answers in it, 0..1
    :ivar answers: mean share of a question's gold answers that are in it, 0..1
    :ivar nodes: mean entities of a subgraph
    :ivar facts: mean facts of a subgraph
    """

    questions: int
    without_topic: int
    any_answer: float
    all_answers: float
    answers: float
    nodes: float
    facts: float


def subgraph_coverage(
    graph: ExportedGraph,
    pairs: Sequence[Pair],
    settings: SubgraphSettings,
    progress: Callable[[int, int | None], None] = lambda done, total: None,
) -> SubgraphCoverage:
    """Cut the subgraph of every question around the topics that its data set gives, and look for its answers.

    :param progress: called with (done, total) questions
    :raises UsageError: no question names a topic
    """
    found, nodes, facts = [], [], []
    topics = [topic_numbers(graph, pair) for pair in pairs]
    if not any(topics):
        raise UsageError('no question names a topic that is in the graph: as "topics", or in [brackets]')
    for place, (pair, some) in enumerate(zip(pairs, topics, strict=True)):
        try:
            index = cut_subgraph(graph, some, settings) if some else None
        except SubgraphError:
            index = None
        members = set(index.nodes.tolist()) if index is not None else set()
        hits = [not members.isdisjoint(gold_numbers(graph, answer)) for answer in pair.answers]
        found.append(sum(hits) / len(hits) if hits else 0.0)
        if index is not None:
            nodes.append(index.nodes.size)
            facts.append(index.facts.size)
        progress(place + 1, len(pairs))
    return SubgraphCoverage(
        questions=len(pairs),
        without_topic=len(pairs) - len(nodes),
        any_answer=_mean([share > 0 for share in found]),
        all_answers=_mean([share == 1 for share in found]),
        answers=_mean(found),
        nodes=_mean(nodes),
        facts=_mean(facts),
    )


def _mean(values: Sequence[float]) -> float:
    return float(sum(values) / len(values)) if values else 0.0
