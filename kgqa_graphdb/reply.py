"""What a person gets back for a question: answers, proof, Cypher and sentence, and the forms they can be had in."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgqa_graphdb.compile.literal import browser_text
from kgqa_graphdb.errors import MissingExtraError
from kgqa_graphdb.language import ENGLISH, Language
from kgqa_graphdb.plan import Answer, Candidate, Retrieved
from kgqa_graphdb.plots.picture import Picture, PictureEdge, PictureNode
from kgqa_graphdb.types import Entity, Fact, Node, Point, Scalar, Scored, Statement, Value
from kgqa_graphdb.verbalise import describe_plan

if TYPE_CHECKING:
    import networkx
    import pandas


_PIECE_END = re.compile(r"(?<=[.!?])(?=\s)|(?<=[。！？])")


@dataclass(frozen=True, slots=True)
class ProofPath:
    """An executed plan: what it asked for, in words, and the facts on its ways to the answers."""

    score: float
    text: str
    truncated: bool
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a question.

    :ivar graph: name of the graph that was asked
    :ivar answer: the method's answer, whole
    :ivar timings_ms: milliseconds by stage: ``link``, ``retrieve``, ``reason``, ``verbalise``, ``answer``, ``total``
    :ivar language: that plans are put in words in
    """

    graph: str
    answer: Answer
    timings_ms: dict[str, float]
    language: Language = ENGLISH

    @property
    def question(self) -> str:
        """The question as it was understood, without brackets."""
        return self.answer.question.text

    @property
    def answers(self) -> tuple[Scored[Node], ...]:
        """Entities and values with their scores, best first."""
        return self.answer.answers

    @property
    def entities(self) -> tuple[Entity, ...]:
        """The answers that are entities, best first."""
        return tuple(scored.item for scored in self.answers if isinstance(scored.item, Entity))

    @property
    def values(self) -> tuple[Value, ...]:
        """The answers that are values, best first."""
        return tuple(scored.item for scored in self.answers if isinstance(scored.item, Value))

    @property
    def names(self) -> tuple[str, ...]:
        """The answers as a person reads them, best first."""
        return tuple(scored.item.name for scored in self.answers)

    @property
    def paths(self) -> tuple[ProofPath, ...]:
        """The executed plans that support the answers, best first."""
        return tuple(
            ProofPath(
                scored.score,
                describe_plan(scored.item.plan, language=self.language),
                scored.item.truncated,
                scored.item.facts,
            )
            for scored in self.answer.proof
        )

    @property
    def facts(self) -> tuple[Fact, ...]:
        """All facts of the proof, without repeats."""
        return tuple(dict.fromkeys(fact for path in self.paths for fact in path.facts))

    @property
    def cypher(self) -> Statement | None:
        """The statement that reproduces answers and proof; ``None`` when nothing was executed."""
        return self.answer.cypher

    @property
    def cypher_to_paste(self) -> str:
        """The same for Neo4j Browser, with its parameters; empty when nothing was executed."""
        return browser_text(self.cypher) if self.cypher else ""

    @property
    def text(self) -> str:
        """The answer as a sentence."""
        return self.answer.text

    @property
    def text_pieces(self) -> tuple[str, ...]:
        """The sentence in pieces, as ``ask(on_text=…)`` gives them; together they are :attr:`text`."""
        return tuple(piece for piece in _PIECE_END.split(self.text) if piece)

    @property
    def verbalised_by(self) -> str:
        """What wrote the sentence: ``templates``, or the name of a language model."""
        return self.answer.verbalised_by

    @property
    def abstained(self) -> str:
        """Why there is no answer; empty when there is one."""
        return self.answer.abstained

    @property
    def notes(self) -> tuple[str, ...]:
        """What the asker should know: caps that cut, an encoder that is missing."""
        return self.answer.notes

    @property
    def amounts(self) -> dict[Node, Value]:
        """By what answers were ranked or grouped: how many they have, or their greatest value."""
        results = [scored.item for scored in self.answer.proof]
        return {node: one for result in results for node, one in zip(result.nodes, result.amounts, strict=False)}

    def to_dict(self) -> dict[str, Any]:
        """The reply as JSON has it; see the guide for its shape."""
        return {
            "question": self.question,
            "graph": self.graph,
            "method": self.answer.method,
            "linked": [
                {
                    "mention": self.question[link.start : link.end],
                    "id": shown_id(link.entity),
                    "name": link.entity.name,
                    "score": round(link.score, 4),
                }
                for link in self.answer.links
            ],
            "answers": self._answer_entries(),
            "abstained": bool(self.abstained),
            "text": self.text,
            "verbalised_by": self.verbalised_by,
            "notes": list(self.notes),
            "paths": [
                {
                    "score": round(path.score, 4),
                    "text": path.text,
                    "truncated": path.truncated,
                    "facts": [_fact_entry(fact) for fact in path.facts],
                }
                for path in self.paths
            ],
            "cypher": None
            if self.cypher is None
            else {
                "text": self.cypher.text,
                "parameters": dict(self.cypher.parameters),
                "replays": self.cypher.replays,
            },
            "timings_ms": {
                stage: round(self.timings_ms.get(stage, 0.0), 2)
                for stage in ("link", "retrieve", "reason", "verbalise", "answer", "total")
            },
            **self._reader_entries(),
        }

    def _reader_entries(self) -> dict[str, Any]:
        """What only methods know that have a language model read facts, predict paths, or choose among candidates."""
        answer = self.answer
        entries: dict[str, Any] = {}
        if answer.cut is not None:
            entries["cut"] = {"facts": answer.cut.facts, "kept": answer.cut.kept}
        if answer.ungrounded:
            entries["ungrounded"] = list(answer.ungrounded)
        if answer.tokens is not None:
            entries["tokens"] = {"prompt": answer.tokens.prompt, "completion": answer.tokens.completion}
        if answer.retrieved is not None:
            entries["retrieved"] = _retrieved_entry(answer.retrieved)
        if answer.candidates is not None:
            entries["candidates"] = [_candidate_entry(one) for one in answer.candidates]
        return entries

    def _answer_entries(self) -> list[dict[str, Any]]:
        amounts = self.amounts
        return [
            {**_answer_entry(one), **({"amount": _plain(amounts[one.item].value)} if one.item in amounts else {})}
            for one in self.answers
        ]

    def to_networkx(self) -> networkx.MultiDiGraph[str]:
        """The proof as a networkx graph: a node per entity id (or value), with ``name``; an edge per fact.

        :raises MissingExtraError: networkx is not installed
        """
        try:
            import networkx
        except ImportError as error:
            raise MissingExtraError("networkx", "viz") from error
        graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
        answers = dict.fromkeys(scored.item for scored in self.answers)
        ids = _node_ids(self.facts, answers)
        for node, node_id in ids.items():
            graph.add_node(node_id, name=node.name, answer=node in answers)
        for fact in self.facts:
            graph.add_edge(
                ids[fact.head],
                ids[fact.tail],
                key=fact.relation.id,
                relation=fact.relation.id,
                phrase=fact.relation.phrase,
                **{f"qualifier_{key}": value for key, value in fact.qualifiers},
            )
        return graph

    def to_frame(self) -> pandas.DataFrame:
        """The answers as a pandas frame with the columns ``name``, ``id``, ``value``, ``unit`` and ``score``.

        Answers that were ranked or grouped have ``amount``, too.

        :raises MissingExtraError: pandas is not installed
        """
        try:
            import pandas
        except ImportError as error:
            raise MissingExtraError("pandas", "viz") from error
        rows = [{"value": None, "unit": "", **entry} for entry in self._answer_entries()]
        amount = ["amount"] if self.amounts else []
        return pandas.DataFrame(rows, columns=["name", "id", "value", "unit", "score", *amount])

    def to_viz(self) -> Picture:
        """The proof as a picture: in a notebook, ``reply.to_viz().render()``. The answers stand out."""
        answers = dict.fromkeys(scored.item for scored in self.answers)
        ids = _node_ids(self.facts, answers)
        return Picture(
            tuple(PictureNode(node_id, node.name, node in answers) for node, node_id in ids.items()),
            tuple(PictureEdge(ids[fact.head], ids[fact.tail], fact.relation.phrase) for fact in self.facts),
        )

    def to_py2neo(self) -> Any:
        """The proof as a py2neo ``Subgraph``: nodes with labels, ``entity_id`` and ``name``, a relationship per fact.

        :raises MissingExtraError: py2neo is not installed
        """
        from kgqa_graphdb.integrations.py2neo import subgraph_of

        return subgraph_of(self.facts, self.entities)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        items = "".join(f"<li>{html.escape(name)}</li>" for name in self.names[:50])
        cypher = html.escape(self.cypher_to_paste)
        picture = self.to_viz().render().data if self.facts else ""
        return (
            f"<p><b>{html.escape(self.text)}</b></p><ul>{items}</ul>{picture}"
            f"<details><summary>Cypher</summary><pre>{cypher}</pre></details>"
        )


def shown_id(entity: Entity) -> str | None:
    """The id of an entity as others know it; ``None`` of a node without a key, which only this process can tell."""
    return entity.id if entity.has_key else None


def _node_ids(facts: Iterable[Fact], answers: Iterable[Node]) -> dict[Node, str]:
    """The nodes of a picture or a graph, each with an id of its own there; those without keys are numbered."""
    ids: dict[Node, str] = {}
    for node in (*(end for fact in facts for end in (fact.head, fact.tail)), *answers):
        if node not in ids:
            if isinstance(node, Entity):
                ids[node] = node.id if node.has_key else f"{node.name} #{len(ids) + 1}"
            else:
                ids[node] = f"= {node.name}"
    return ids


def _plain(value: Scalar) -> object:
    """A value as JSON has it."""
    if isinstance(value, Point):
        return value._asdict()
    return value if isinstance(value, str | int | float) else value.isoformat()


def _answer_entry(scored: Scored[Node]) -> dict[str, Any]:
    node, score = scored.item, round(scored.score, 4)
    if isinstance(node, Entity):
        return {"id": shown_id(node), "name": node.name, "score": score}
    return {"id": None, "name": node.name, "value": _plain(node.value), "unit": node.unit, "score": score}


def _candidate_entry(one: Candidate) -> dict[str, Any]:
    named = {"id": shown_id(one.entity), "name": one.entity.name} if one.entity else {"id": None, "name": None}
    score = None if one.score is None else round(one.score, 4)
    return {"text": one.text, **named, "place": one.place, "votes": one.votes, "score": score}


def _retrieved_entry(retrieved: Retrieved) -> dict[str, Any]:
    sample = retrieved.sample or ((),) * len(retrieved.paths)
    return {
        "hops": retrieved.hops,
        "paths": [
            {
                "score": round(scored.score, 4),
                "text": describe_plan(scored.item),
                "steps": [step.code for step in scored.item.path],
                "reasoning_paths": [[_fact_entry(fact) for fact in one.facts] for one in some],
            }
            for scored, some in zip(retrieved.paths, sample, strict=True)
        ],
    }


def _fact_entry(fact: Fact) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "head": fact.head.name,
        "head_id": shown_id(fact.head),
        "relation": fact.relation.id,
        "tail": fact.tail.name,
        "tail_id": shown_id(fact.tail) if isinstance(fact.tail, Entity) else None,
    }
    if fact.qualifiers:
        entry["qualifiers"] = {key: _plain(value) for key, value in fact.qualifiers}
    return entry
