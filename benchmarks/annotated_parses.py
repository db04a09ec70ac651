"""How many of WebQSP's questions do the parses of its own annotators answer over a table of Freebase's facts?

    python benchmarks/annotated_parses.py triples.tsv WebQSP.test.json --ontology freebase/ontology --answers test.jsonl

Each parse's relations are followed from its topic entity's name, either way round and by their reverses, and then
narrowed by those of its constraints, and put in order by what its answers are ordered by, that have facts in the table.
The best parse of a question counts. Printed is a table in Markdown, in hundredths: Hits@1, where all that is reached
ties, and F1, against the answers of all parses together, as ``kgqa evaluate`` has it, and against those of the parse
that is scored best, as the data set's own script has it. ``--answers`` adds what ``kgqa evaluate --output`` wrote.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kgqa_graphdb.evaluate.metrics import Predicted, Scores, score
from kgqa_graphdb.evaluate.outcome import read_outcomes
from kgqa_graphdb.questions.freebase import read_webqsp
from kgqa_graphdb.questions.pair import Gold

Way = tuple[str, ...]
"""Names from a topic to an answer."""


@dataclass(frozen=True)
class Table:
    """Facts between names.

    :ivar near: name → relation → the names at the other ends of its facts, whichever way round they stand
    """

    near: dict[str, dict[str, set[str]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))

    @classmethod
    def read(cls, facts: Path, reverses: Path) -> Table:
        """A table of head, relation and tail, and one of properties that are each other's reverse."""
        also: dict[str, set[str]] = defaultdict(set)
        for line in reverses.read_text(encoding="utf-8").splitlines():
            one, other = line.split()[:2]
            also[one].add(other)
            also[other].add(one)
        table = cls()
        with facts.open(encoding="utf-8") as lines:
            for head, relation, tail in (line.rstrip("\n").split("\t")[:3] for line in lines if line.strip()):
                for name in {relation, *also[relation]}:
                    table.near[head][name].add(tail)
                    table.near[tail][name].add(head)
        return table

    def step(self, name: str, relation: str) -> set[str]:
        """Where a relation leads from a name."""
        return self.near.get(name, {}).get(relation, set())

    def follow(self, parse: Mapping[str, Any]) -> list[Way]:
        """The ways that a parse's relations lead, to what has a name of its own and is not the topic."""
        ways: list[Way] = [(parse["TopicEntityName"] or "",)]
        for relation in parse["InferentialChain"] or [""]:
            ways = [(*way, name) for way in ways for name in sorted(self.step(way[-1], relation))]
        return [way for way in ways if way[-1] != way[0] and not way[-1].startswith(("m.", "g."))]

    def narrowed(self, ways: Sequence[Way], parse: Mapping[str, Any]) -> list[Way]:
        """The ways that meet the constraints which some of them meet, the first of them if they are ordered."""
        kept = list(ways)
        for told in parse["Constraints"]:
            kept = [way for way in kept if self._meets(way, told)] or kept
        order = parse["Order"]
        if order:
            held = [(max(values), way) for way in kept if (values := self._values(way, order))]
            if held:
                kept = [(min if order["SortOrder"] == "Ascending" else max)(held)[1]]
        return kept

    def _values(self, way: Way, told: Mapping[str, Any]) -> set[str]:
        place = told["SourceNodeIndex"] + 1
        return self.step(way[place], told["NodePredicate"]) if place < len(way) else set()

    def _meets(self, way: Way, told: Mapping[str, Any]) -> bool:
        values = self._values(way, told)
        match told["Operator"]:
            case "Equal":
                return (told["EntityName"] or told["Argument"]) in values
            case "LessOrEqual":  # a post that has no end is held still
                return not values or any(value <= told["Argument"] for value in values)
            case "GreaterOrEqual":
                return not values or any(value >= told["Argument"] for value in values)
            case _:
                return True


@dataclass
class Tally:
    """Scores of a row of the table, a question each."""

    together: list[Scores] = field(default_factory=list)
    by_parse: list[Scores] = field(default_factory=list)

    def add(self, given: Iterable[Sequence[Predicted]], golds: Sequence[Sequence[Gold]], union: Sequence[Gold]) -> None:
        """Count the best of what is given to a question."""
        answers = list(given)
        self.together.append(max((score(one, union) for one in answers), key=_by_f1))
        self.by_parse.append(max((score(one, gold) for one in answers for gold in golds), key=_by_f1))

    def row(self, name: str) -> str:
        """In Markdown."""
        cells = []
        for scores in (self.together, self.by_parse):
            hits, f1 = (100 * sum(getattr(one, key) for one in scores) / len(scores) for key in ("hits_at_1", "f1"))
            cells += [f"{hits:.1f}", f"{f1:.1f}"]
        return f"| {name} | {len(self.together):,} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("facts", type=Path, help="table of head, relation and tail, names and dotted relations")
    parser.add_argument("questions", type=Path, help="WebQSP as released")
    parser.add_argument("--ontology", type=Path, required=True, help="folder that has reverse_properties")
    parser.add_argument("--answers", type=Path, help="JSON lines that kgqa evaluate wrote")
    options = parser.parse_args()
    table = Table.read(options.facts, options.ontology / "reverse_properties")
    document = json.loads(options.questions.read_text(encoding="utf-8"))
    said = {one.id: one.predicted for one in read_outcomes(options.answers)} if options.answers else {}
    asked = {held["QuestionId"]: held for held in document["Questions"]}
    rows = {name: Tally() for name in ("relations", "relations, and constraints that have facts", "answers")}
    for pair in read_webqsp(document):
        held = asked[pair.id]
        golds = [
            one.answers for one in read_webqsp({"Questions": [held | {"Parses": [one]} for one in held["Parses"]]})
        ]
        followed = [(one, table.follow(one)) for one in held["Parses"]]
        rows["relations"].add((_reached(ways) for _, ways in followed), golds, pair.answers)
        kept = (_reached(table.narrowed(ways, one)) for one, ways in followed)
        rows["relations, and constraints that have facts"].add(kept, golds, pair.answers)
        if said:
            rows["answers"].add([said.get(pair.id, ())], golds, pair.answers)
    print("| followed | questions | Hits@1, all parses' answers | F1 | Hits@1, best parse's answers | F1 |")
    print("|---|---|---|---|---|---|")
    for name, tally in rows.items():
        if tally.together:
            print(tally.row(name))


def _by_f1(one: Scores) -> tuple[float, float]:
    return one.f1, one.hits_at_1


def _reached(ways: Iterable[Way]) -> list[Predicted]:
    return [Predicted(name, name, 1.0) for name in sorted({way[-1] for way in ways})]


if __name__ == "__main__":
    main()
