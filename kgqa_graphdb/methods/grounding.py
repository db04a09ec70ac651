"""From names that a reader gave to nodes of the subgraph that it read, with the facts that lead to them.

What the subgraph does not have is never an answer. The result is a plan like any other, whose Cypher finds the nodes
and facts again.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from kgqa_graphdb.documents import parse_json
from kgqa_graphdb.language.folding import folded_text, symbols_agree
from kgqa_graphdb.plan import Cite
from kgqa_graphdb.types import Entity, Fact, Node, Subgraph

_FRAME = re.compile(r"```\w*|<\|?/?\w+\|?>|</s>")
"""Fences and special tokens that small models leave in their text."""
_MARK = re.compile(r"^(?:[-*•]|\(?\d{1,3}[.)])\s+|^(?:answers?|the answers? (?:is|are))\s*:\s*", re.IGNORECASE)
"""What stands before an item of a list."""
_EMPHASIS = re.compile(r"^(\*+)(.+?)(?:\1|\*\*+)$|^\*\*+|\*\*+$")
"""Stars around a text, or two at one end, whose others were lost."""
_FOOTNOTE = re.compile(r"\s*\[\d+\]")
MOST_PIECES = 10
"""Lines that one name is looked for in: of a long list of what nothing is called, not every run of lines is tried."""


@dataclass(frozen=True, slots=True)
class Grounded:
    """Names found in a subgraph.

    :ivar plan: cites the nodes, in the order of the names, and the facts on a shortest way from a topic to each
    :ivar ungrounded: names that no node has
    """

    plan: Cite
    ungrounded: tuple[str, ...]

    @property
    def scores(self) -> dict[Node, float]:
        """1 for what was named first, a half for the next, and so on: an order, no probabilities."""
        return {node: 1 / place for place, node in enumerate(self.plan.nodes, start=1)}


def listed_names(text: str, is_name: Callable[[str], bool] = lambda name: False) -> tuple[str, ...]:
    """The names in a list that a language model wrote: a JSON list, an item a line, or items between commas or bars.

    Names may hold commas only in JSON, in lines of more than one, in quotes, or where they are known.

    :param is_name: whether something is called so, such as "Washington, D.C."
    """
    plain = _FRAME.sub(" ", text).strip()
    start, end = plain.find("["), plain.rfind("]")
    if 0 <= start < end:
        found = _parsed_list(plain[start : end + 1])
        alone = not _MARK.sub("", plain[:start])
        if alone or any(isinstance(one, str) for one in found):
            return _names(map(str, found), is_name)
    lines = [_unmarked(line.strip(), is_name) for line in _FOOTNOTE.sub("", plain).splitlines() if line.strip()]
    if len(lines) > 1:
        pieces = (part.strip().rstrip(",") for line in lines for part in line.split("|"))
        parts = [part for piece in pieces for part in (piece, ", ")][:-1]
        return _names(_items(parts, is_name, lines=True), is_name)
    line = lines[0] if lines else ""
    quoted = re.findall(r'"([^"]+)"', line) if line.startswith('"') or not is_name(_cleaned(line, is_name)) else []
    return _names(quoted or _items(re.split(r"([|,;])", line), is_name), is_name)


def _parsed_list(text: str) -> list[object]:
    """A list as JSON or Python write it; empty: it is none."""
    for parse in (parse_json, ast.literal_eval):
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            found = parse(text)
            return found if isinstance(found, list) else []
    return []


def _items(parts: Sequence[str], is_name: Callable[[str], bool], *, lines: bool = False) -> Iterator[str]:
    """The items of a list; a known name with commas is one.

    :param parts: what stands between marks, and the marks
    :param lines: the parts were lines, which small models break such names into: one that is a name stands alone
    """
    start = 0
    while start < len(parts):
        last = min(len(parts), start + 2 * MOST_PIECES - 1) if lines else len(parts)
        alone = lines and is_name(_cleaned(parts[start], is_name))
        longer = () if alone else range(last, start + 1, -2)
        end = next((end for end in longer if is_name(_cleaned("".join(parts[start:end]), is_name))), start + 1)
        yield "".join(parts[start:end])
        start = end + 1


def _names(items: Iterable[str], is_name: Callable[[str], bool]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for item in items if (name := _cleaned(item, is_name))))


def _cleaned(item: str, is_name: Callable[[str], bool]) -> str:
    """An item without what Markdown and lists put around it; a star at the end may be the name's, as in A*."""
    plain = _EMPHASIS.sub(r"\2", _unmarked(item.strip(), is_name).strip(" \t\"'`"))
    return plain.strip(" \t\"'`").rstrip(".").strip()


def _unmarked(item: str, is_name: Callable[[str], bool]) -> str:
    """An item without the mark before it, unless that is the name's, as in "(500) Days of Summer"."""
    bare = _MARK.sub("", item)
    return bare if is_name(bare) or not is_name(item) else item


def ground_list(text: str, subgraph: Subgraph) -> Grounded:
    """Find the names in a list that a language model wrote; see :func:`listed_names` and :func:`ground`."""
    known = {folded_text(name) for node in _nodes(subgraph) for name in _called(node)}
    return ground(listed_names(text, lambda name: folded_text(name) in known), subgraph)


def ground(names: Sequence[str], subgraph: Subgraph) -> Grounded:
    """Find names among the nodes of a subgraph: letter for letter, else without case, accents and punctuation.

    Of several nodes of one name those nearest the topics are meant; topics themselves only where no other is. A topic
    is left out where other nodes are named: it is what the question is about, and a model that lists it copied it.
    """
    nodes = _nodes(subgraph)
    exact, folded = _by_name(nodes, lambda name: name), _by_name(nodes, folded_text)
    found: dict[Node, None] = {}
    ungrounded = []
    for name in names:
        alike = folded.get(folded_text(name), ())
        same = exact.get(name) or [one for one in alike if any(symbols_agree(called, name) for called in _called(one))]
        if not same:
            ungrounded.append(name)
            continue
        others = [node for node in same if nodes[node]] or same
        nearest = min(nodes[node] for node in others)
        found.update(dict.fromkeys(node for node in others if nodes[node] == nearest))
    named = tuple(node for node in found if nodes[node]) or tuple(found)
    return Grounded(Cite(named, facts_to(named, subgraph)), tuple(ungrounded))


def facts_to(nodes: Sequence[Node], subgraph: Subgraph) -> tuple[Fact, ...]:
    """The facts of a subgraph on a shortest way from a topic to each of some nodes; of equals the first."""
    around: defaultdict[Node, list[tuple[Fact, Node]]] = defaultdict(list)
    for fact in subgraph.facts:
        around[fact.head].append((fact, fact.tail))
        around[fact.tail].append((fact, fact.head))
    came: dict[Node, tuple[Fact, Node] | None] = dict.fromkeys(subgraph.topics)
    queue: deque[Node] = deque(subgraph.topics)
    while queue:
        node = queue.popleft()
        if not isinstance(node, Entity):
            continue  # two things of one price have nothing to do with each other
        for fact, other in around[node]:
            if other not in came:
                came[other] = (fact, node)
                queue.append(other)
    found: dict[Fact, None] = {}
    for node in nodes:
        way: list[Fact] = []
        step = came.get(node)
        while step is not None:
            way.append(step[0])
            step = came[step[1]]
        found.update(dict.fromkeys(reversed(way)))
    return tuple(found)


def _nodes(subgraph: Subgraph) -> Mapping[Node, int]:
    """The nodes of a subgraph, and how far each is from the nearest topic; a value as far as what has it, and one."""
    distances: dict[Node, int] = dict.fromkeys(subgraph.topics, 0)
    for entity, hops in subgraph.distances.items():
        distances.setdefault(entity, hops)
    for fact in subgraph.facts:
        for node, other in ((fact.head, fact.tail), (fact.tail, fact.head)):
            distances.setdefault(node, distances.get(other, 0) + 1)
    return distances


def _by_name(nodes: Iterable[Node], key: Callable[[str], str]) -> dict[str, list[Node]]:
    found: defaultdict[str, list[Node]] = defaultdict(list)
    for node in nodes:
        for name in {key(name) for name in _called(node)}:
            found[name].append(node)
    return found


def _called(node: Node) -> Iterator[str]:
    """What a node may be called by one who read its facts: those have no keys."""
    yield node.name
    if isinstance(node, Entity):
        return
    yield str(node.value)
    if isinstance(node.value, int | float) and not isinstance(node.value, bool):
        number = int(node.value) if isinstance(node.value, float) and node.value.is_integer() else node.value
        for text in (f"{number}", f"{number:,}"):  # "9" of 9.0, "5,150" of 5150
            yield text
            yield f"{text} {node.unit}"
