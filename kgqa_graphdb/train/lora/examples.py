"""What a language model learns from: prompts as methods ask them, and what it should write."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from kgqa_graphdb.client import KGQA
from kgqa_graphdb.documents import expanded, parse_json
from kgqa_graphdb.errors import ReadTimeoutError, UsageError
from kgqa_graphdb.graph import Graph, keyed_entities
from kgqa_graphdb.link.asked import parse_question
from kgqa_graphdb.link.topics import likely_links, topics_of
from kgqa_graphdb.lm import as_data, prompt
from kgqa_graphdb.methods.neighbourhood import MOST_HOPS, Neighbourhood
from kgqa_graphdb.plan import Answer
from kgqa_graphdb.questions import Pair, canonical, canonical_value, value_text, with_topics
from kgqa_graphdb.rra.knowledge import lines_of
from kgqa_graphdb.rra.reasoning import sampled
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.train.settings import Progress
from kgqa_graphdb.types import Fact, Node, Value
from kgqa_graphdb.verbalise import FactLine

UNKNOWN = "unknown"
"""What the prompts ask for where the facts have no answer."""
UNANSWERED = 0.05
"""Share of the questions that are shown without the paths to their answers, from which it learns to say so."""
SIZES = (5, 5, 10, 20)
"""Reasoning paths that are shown of a question, drawn; of facts around its topics twice as many."""
FORMS: tuple[Literal["triples", "template"], ...] = ("triples", "template")
"""How reasoning paths are shown, drawn."""
ASKED_AT_ONCE = 32
KEYS_AT_ONCE = 1_000
MOST_NAMES = 3
"""Gold answers of a question that a guesser learns: of a list of hundreds it would learn little else."""
_TRIPLES = re.compile(r"\(.*\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TextExample:
    """A prompt and its completion."""

    prompt: str
    completion: str


def reader_examples(
    kg: KGQA,
    pairs: Sequence[Pair],
    *,
    around: float,
    seed: int = 0,
    given_topics: bool = False,
    progress: Progress | None = None,
) -> list[TextExample]:
    """What the method rra or neighbourhood would show of each question, drawn, and all gold answers among it.

    Wrong relation paths are among it, and facts about something else: the reader learns to leave them out. A question
    of which nothing is retrieved teaches nothing.

    :param kg: a client whose method is rra without a reader, with as many reasoning paths as :data:`SIZES` has
    :param around: share of the questions, 0..1, that are shown as neighbourhood shows them
    """
    rng, found, method = random.Random(seed), list[TextExample](), Neighbourhood()
    pairs = [pair for pair in with_topics(pairs, given=given_topics) if pair.answers]
    for start in range(0, len(pairs), ASKED_AT_ONCE):
        some = pairs[start : start + ASKED_AT_ONCE]
        replies = kg.ask_many([parse_question(pair.question, pair.topics) for pair in some])
        for pair, reply in zip(some, replies, strict=True):
            retrieved = reply.answer.retrieved
            if retrieved is not None and retrieved.facts:
                size = rng.choice(SIZES)
                if rng.random() < around:
                    facts = kg.perform(_facts_around(method, reply.answer, retrieved.hops, kg.graph))
                    lines = method.reader.lines(facts[: 2 * size])
                else:
                    lines = lines_of(rng.choice(FORMS), chain.from_iterable(sampled(retrieved.sample, size)))
                if lines:
                    found.append(_read_example(reply.question, pair, lines, rng))
        if progress:
            progress(start + len(some), len(pairs))
    return found


def _facts_around(method: Neighbourhood, answer: Answer, hops: int, graph: Graph) -> Steps[Sequence[Fact]]:
    """The facts around an answer's topics, in the order in which the method neighbourhood has them read.

    None where there are too many.
    """
    method = replace(method, settings=replace(method.settings, hops=min(hops, MOST_HOPS)))
    text = answer.question.text
    links = topics_of(text, likely_links(answer.links))
    try:
        around = yield from method.around([link.entity for link in links], graph)
    except ReadTimeoutError:
        return ()
    return (yield from method.ordered(text, links, around, graph)).facts


def _read_example(question: str, pair: Pair, lines: Sequence[FactLine], rng: random.Random) -> TextExample:
    gold = GoldTexts.of(pair)
    if rng.random() < UNANSWERED:
        lines = [line for line in lines if not any(map(gold.has, nodes_of(line.facts)))] or lines
    shown = "\n".join(as_data(line.text) for line in lines)
    named = dict.fromkeys(node.name for line in lines for node in nodes_of(line.facts) if gold.has(node))
    answers = "\n".join(map(as_data, named))
    return TextExample(prompt("rra", facts=shown, question=as_data(question)), answers or UNKNOWN)


@dataclass(frozen=True, slots=True)
class GoldTexts:
    """The gold answers of a question as texts, in one way of writing.

    :ivar names: ids and names
    :ivar values: of values
    """

    names: frozenset[str]
    values: frozenset[str]

    @classmethod
    def of(cls, pair: Pair) -> GoldTexts:
        """Those of a pair."""
        texts = {text for gold in pair.answers for text in (gold.id, gold.name)} - {""}
        return cls(frozenset(map(canonical, texts)), frozenset(map(canonical_value, texts)))

    def has(self, node: Node) -> bool:
        """Whether a node or value is gold."""
        if isinstance(node, Value):
            return not self.values.isdisjoint({canonical_value(value_text(node.value)), canonical_value(node.name)})
        return not self.names.isdisjoint({canonical(node.id), canonical(node.name)})


def nodes_of(facts: Iterable[Fact]) -> Iterator[Node]:
    """The nodes and values of facts."""
    for fact in facts:
        yield from (fact.head, fact.tail)


def guesser_examples(kg: KGQA, pairs: Sequence[Pair]) -> list[TextExample]:
    """What the method rerank asks, and one gold answer by name; of a question with several at most :data:`MOST_NAMES`.

    :param kg: a client of the graph that has the names of answers that are given by their ids
    """
    ids = list(dict.fromkeys(gold.id for pair in pairs for gold in pair.answers if gold.id and not gold.name))
    names: dict[str, str] = {}
    for start in range(0, len(ids), KEYS_AT_ONCE):
        found = kg.perform(keyed_entities(kg.graph, ids[start : start + KEYS_AT_ONCE]))
        names.update((one.entity.id, one.entity.name) for one in found if one.entity.is_named)
    examples = []
    for pair in pairs:
        named = dict.fromkeys(gold.name or names.get(gold.id, "") for gold in pair.answers)
        asked = prompt("rerank", question=as_data(parse_question(pair.question).text))
        examples += [TextExample(asked, as_data(name)) for name in list(filter(None, named))[:MOST_NAMES]]
    return examples


def kg2text_examples(files: Sequence[Path]) -> list[TextExample]:
    """Triples and their texts, as the method rra asks for texts.

    :param files: JSON lines ``{"triples": "(…) (…)", "text": "…"}``, as ``kgqa train corpus`` writes them, or a list of
        ``{"instruction": "… (…) (…) …", "output": "…"}``
    :raises UsageError: one can't be read, or holds something else
    """
    found = []
    for file in files:
        path = expanded(file)
        for number, one in enumerate(_documents(path), start=1):
            triples, text = (
                one.get(new) or one.get(old) for new, old in (("triples", "instruction"), ("text", "output"))
            )
            inside = _TRIPLES.search(triples) if isinstance(triples, str) else None
            if inside is None or not isinstance(text, str):
                raise UsageError(f'{path}, entry {number} is no {{"triples": "(…) (…)", "text": "…"}}')
            found.append(TextExample(prompt("kg2text", triples=as_data(inside[0])), as_data(text)))
    return found


def _documents(path: Path) -> list[dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8").strip()
        whole = text.startswith("[")
        found = parse_json(text) if whole else [parse_json(line) for line in text.split("\n") if line.strip()]
    except (OSError, ValueError) as error:
        raise UsageError(f"can't read the corpus {path}: {getattr(error, 'strerror', None) or error}") from error
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise UsageError(f"the corpus {path} is no list of objects")
    return found


def parted(examples: Sequence[TextExample], share: float, seed: int) -> tuple[list[TextExample], list[TextExample]]:
    """Examples to train on, and some to judge by: at least one of each."""
    places = list(range(len(examples)))
    random.Random(seed).shuffle(places)
    count = max(1, round(share * len(examples)))
    held_out = set(places[:count])
    return (
        [one for place, one in enumerate(examples) if place not in held_out],
        [one for place, one in enumerate(examples) if place in held_out],
    )
