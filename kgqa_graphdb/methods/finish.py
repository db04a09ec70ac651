"""How every method ends: an answer with its proof, Cypher and sentence, or an abstention that says why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from kgqa_graphdb.graph import Graph
from kgqa_graphdb.plan import Answer, Result
from kgqa_graphdb.steps import Mark, Steps, ask
from kgqa_graphdb.types import Link, Node, Question, Scored
from kgqa_graphdb.verbalise import sentence


def conclude(
    method: str,
    question: Question,
    graph: Graph,
    links: tuple[Link, ...],
    proof: Sequence[Scored[Result]],
    text: str = "",
    notes: Sequence[str] = (),
    scores: Mapping[Node, float] = MappingProxyType({}),
) -> Steps[Answer]:
    """The answer that executed plans give: their nodes by score, then as the results have them.

    :param proof: not empty, best first; the first one's Cypher is the answer's
    :param text: the sentence; made from the first result when empty
    :param scores: of answers of which more is known than that a plan leads to them
    """
    yield from ask(Mark("verbalise"))
    spoken = text or sentence(proof[0].item)
    yield from ask(Mark("answer"))
    best: dict[Node, float] = {}
    for scored in proof:
        for node in scored.item.nodes:
            best[node] = max(best.get(node, 0.0), scores.get(node, scored.score))
    ranked = sorted(best.items(), key=lambda pair: -pair[1])  # stable: of equals the order that the results have
    answers = tuple(Scored(node, score) for node, score in ranked)
    all_notes = list(notes)
    if any(scored.item.truncated for scored in proof):
        all_notes.append(
            f"more was found than is shown: a hop is cut at {graph.max_edges:,} facts and a proof at "
            f"{graph.max_facts:,}; the Cypher is not cut"
        )
    statement = graph.statement(proof[0].item.plan)
    return Answer(question, method, links, answers, tuple(proof), statement, spoken, notes=tuple(all_notes))


def give_up(method: str, question: Question, links: tuple[Link, ...], why: str, notes: Sequence[str] = ()) -> Answer:
    """An abstention; an answer too."""
    text = f"I can't answer that: {why}."
    return Answer(question, method, links, (), (), None, text, abstained=why, notes=tuple(notes))
