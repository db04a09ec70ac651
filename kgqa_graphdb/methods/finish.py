"""How every method ends: an answer with its proof, Cypher and sentence, or an abstention that says why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from kgqa_graphdb.graph import Graph
from kgqa_graphdb.language import ENGLISH, Language, fill, language_of_text
from kgqa_graphdb.plan import Answer, Result, Tokens
from kgqa_graphdb.steps import Mark, Steps, ask
from kgqa_graphdb.types import Link, Node, Question, Scored
from kgqa_graphdb.verbalise import sentence, write_sentences


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
    spoken = text or sentence(proof[0].item, language_of_answer(question, links, graph.mapping.language))
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
    """An abstention; an answer too. Its sentence is English until :func:`worded` puts it in another language."""
    text = fill(ENGLISH.wording.abstained, why=why)
    return Answer(question, method, links, (), (), None, text, abstained=why, notes=tuple(notes))


def worded(answer: Answer, language: Language) -> Answer:
    """An answer whose sentence, where it is an abstention, is in a language; :attr:`Answer.abstained` is English."""
    if not answer.abstained:
        return answer
    wording = language.wording
    return replace(answer, text=fill(wording.abstained, why=wording.why(answer.abstained)))


def language_of_answer(question: Question, links: Sequence[Link], usual: Language) -> Language:
    """The language of an answer's sentence: that of the question where its script tells, whatever names it holds.

    :param usual: the graph's
    """
    text = question.text
    for link in sorted(links, key=lambda one: -one.start):
        text = f"{text[: link.start]} {text[link.end :]}"
    return language_of_text(text, usual)


def verbalise_answer(answer: Answer, graph: Graph) -> Steps[Answer]:
    """An answer whose sentence the language model writes, where that says what the proof's facts say."""
    if answer.abstained:
        return answer
    yield from ask(Mark("verbalise"))
    written = yield from write_sentences(
        answer.question.text,
        [scored.item for scored in answer.proof],
        [scored.item for scored in answer.answers],
        answer.text,
        language_of_answer(answer.question, answer.links, graph.mapping.language),
    )
    yield from ask(Mark("answer"))
    notes = (*answer.notes, written.note) if written.note else answer.notes
    tokens = _sum(answer.tokens, written.tokens)
    return replace(answer, text=written.text, verbalised_by=written.by, notes=notes, tokens=tokens)


def _sum(one: Tokens | None, other: Tokens | None) -> Tokens | None:
    if one is None or other is None:
        return one or other
    return Tokens(one.prompt + other.prompt, one.completion + other.completion)
