"""SimpleQuestions over Wikidata: how often is the subject found in the bare question, and the first answer right?

The data folder has no Wikidata, only parts of it, so the graph is put together from them:

    python benchmarks/simple_questions.py prepare --output simple
    kgqa load simple/facts.csv --graph sqwd --names simple/names.json
    python benchmarks/simple_questions.py ask --graph sqwd --questions simple/test.jsonl
    kgqa train paths --graph sqwd -q simple/train.jsonl --dev simple/valid.jsonl --output model
    python benchmarks/simple_questions.py ask --graph sqwd --questions simple/test.jsonl --model model

The facts are WD50K's, those of the labelled triples, and the ones that the questions of all three splits were made
from: without these hardly any question could be answered. Gold are all objects of a question's subject and relation
there. Questions are those of the ``_answerable`` files whose subject has a label that stands in the question, in
whatever case; the facts of the files' other questions are not in Wikidata and left out. Most other entities have no
label and go by their ids.

Linked right is a question whose executed plan starts at the subject and nowhere else.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from common import environment, wikidata_folder

from kgqa_graphdb import KGQA, Entity, Reply
from kgqa_graphdb.evaluate.outcome import outcome_of
from kgqa_graphdb.evaluate.summary import summarise
from kgqa_graphdb.plan import Aggregate, Combine, Every, Follow, Plan
from kgqa_graphdb.questions import Pair, read_pairs, sampled

SPLITS = ("train", "valid", "test")
Triple = tuple[str, str, str]


@dataclass(frozen=True)
class Asked:
    """A question of the data set.

    :ivar subject: id, e.g. ``Q12439``
    :ivar relation: ``P19``, or ``R19``: the subject is the tail of the fact
    """

    subject: str
    relation: str
    answer: str
    question: str

    @property
    def fact(self) -> Triple:
        """The fact that the question was made from."""
        ends = (self.answer, self.subject) if self.relation.startswith("R") else (self.subject, self.answer)
        return ends[0], f"P{self.relation[1:]}", ends[1]


def asked_in(split: str) -> list[Asked]:
    """The answerable questions of a split."""
    name = f"annotated_wd_data_{split}_answerable.txt"
    path = wikidata_folder() / "questions" / "simplequestions-wikidata" / name
    return [Asked(*line.split("\t")) for line in path.read_text(encoding="utf-8").splitlines()]


def known_facts() -> Iterator[Triple]:
    """The facts of WD50K and of the labelled triples."""
    for part in ("train", "valid", "test"):
        for line in (wikidata_folder() / "wd50k" / "triples" / f"{part}.txt").read_text().splitlines():
            head, relation, tail = line.split(",")
            yield head, relation, tail
    path = wikidata_folder() / "labelled" / "wikidata_labelled_triples.tsv"
    for line in path.read_text(encoding="utf-8").splitlines():
        head, _, relation, _, tail, _ = line.split("\t")
        yield head, relation, tail


def labels() -> dict[str, str]:
    """English labels of entities and properties, by their ids."""
    found: dict[str, str] = {}
    for name in ("qid_labels_en.json", "pid_labels_en.json"):
        found |= json.loads((wikidata_folder() / "labelled" / name).read_text(encoding="utf-8"))
    return found


def named(questions: Iterable[Asked], label: dict[str, str]) -> Iterator[tuple[int, Asked]]:
    """The questions in which their subject's label stands, with their lines' numbers."""
    for line, one in enumerate(questions, start=1):
        if one.subject in label and label[one.subject].lower() in one.question.lower():
            yield line, one


def prepare(output: Path) -> None:
    """Write the graph's facts and names, and the questions of each split with all their answers."""
    splits = {split: asked_in(split) for split in SPLITS}
    own = {one.fact for questions in splits.values() for one in questions}
    facts = {*known_facts(), *own}
    label = labels()
    output.mkdir(parents=True, exist_ok=True)
    lines = (",".join(fact) + "\n" for fact in sorted(facts))
    (output / "facts.csv").write_text("".join(lines), encoding="utf-8")
    (output / "names.json").write_text(json.dumps(label, ensure_ascii=False), encoding="utf-8")
    objects: dict[tuple[str, str], set[str]] = {}
    for head, relation, tail in facts:
        objects.setdefault((head, relation), set()).add(tail)
        objects.setdefault((tail, f"R{relation[1:]}"), set()).add(head)
    print(f"{len(facts):,} facts, {len(own):,} of them from the questions; {len(label):,} labels")
    for split, questions in splits.items():
        rows = [
            {"id": str(line), "question": one.question, "topics": [one.subject], "type": one.relation, "hops": 1,
             "answers": [{"id": answer} for answer in sorted(objects[one.subject, one.relation])]}
            for line, one in named(questions, label)
        ]  # fmt: skip
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (output / f"{split}.jsonl").write_text(text, encoding="utf-8")
        print(f"{split}: {len(rows):,} questions of {len(questions):,}")


def topics_of(plan: Plan) -> set[str]:
    """Ids of the entities that a plan starts from."""
    match plan:
        case Follow():
            return {plan.topic.id}
        case Combine():
            return set().union(*map(topics_of, plan.parts))
        case Aggregate():
            return topics_of(plan.over)
        case Every():
            return set()
        case _:
            raise TypeError(f"a plan that this script can't judge: {plan}")


def starts_of(reply: Reply) -> set[str]:
    """Ids of the entities that the executed plan starts from; empty for an abstention."""
    return topics_of(reply.answer.proof[0].item.plan) if reply.answer.proof else set()


def told(pair: Pair, reply: Reply) -> dict[str, object]:
    """What came of a question, to look at."""
    links = [link.entity for link in reply.answer.links]
    answers = [scored.item.id if isinstance(scored.item, Entity) else scored.item.name for scored in reply.answers[:5]]
    return {"id": pair.id, "question": pair.question, "subject": pair.topics[0], "relation": pair.type,
            "starts": sorted(starts_of(reply)), "links": [(one.id, one.name) for one in links],
            "plan": reply.paths[0].text if reply.paths else reply.abstained, "answers": answers,
            "hit": outcome_of(pair, reply, 0.0).scores.hits_at_1}  # fmt: skip


def ask(options: argparse.Namespace) -> None:
    """Ask the questions and print the figures."""
    pairs = sampled(read_pairs(options.questions), options.limit, options.seed)
    replies: list[Reply] = []
    with KGQA.connect(options.graph, model=options.model) as kg:
        for start in range(0, len(pairs), options.batch):
            replies += kg.ask_many([pair.question for pair in pairs[start : start + options.batch]])
            print(f"\r{len(replies):,} of {len(pairs):,}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    both = list(zip(pairs, replies, strict=True))
    linked = sum(starts_of(reply) == {pair.topics[0]} for pair, reply in both) / len(both)
    among = sum(pair.topics[0] in {link.entity.id for link in reply.answer.links} for pair, reply in both) / len(both)
    total = summarise([outcome_of(pair, reply, 0.0) for pair, reply in both], seed=options.seed)
    low, high = total.intervals["hits_at_1"]
    print(environment())
    print(f"{len(both):,} questions of {options.questions.name}, {options.model or 'untrained'}")
    print(f"the plan starts at the subject: {linked:.1%}; the subject is among the links: {among:.1%}")
    print(f"strict Hits@1: {total.means['hits_at_1']:.1%} ± {(high - low) / 2:.1%}; macro F1: {total.means['f1']:.1%}")
    print(f"exact set: {total.means['exact_match']:.1%}; abstained: {total.abstained:,}")
    if options.output:
        lines = (json.dumps(told(pair, reply), ensure_ascii=False) + "\n" for pair, reply in both)
        options.output.write_text("".join(lines), encoding="utf-8")


def main() -> None:
    """Prepare the files, or ask."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    preparing = commands.add_parser("prepare", help="write facts, names and questions")
    preparing.add_argument("--output", type=Path, required=True, help="folder")
    asking = commands.add_parser("ask", help="ask questions that were prepared")
    asking.add_argument("--graph", default="sqwd")
    asking.add_argument("--questions", type=Path, required=True)
    asking.add_argument("--model", type=Path)
    asking.add_argument("--limit", type=int, help="a random sample of so many")
    asking.add_argument("--seed", type=int, default=0)
    asking.add_argument("--batch", type=int, default=64)
    asking.add_argument("--output", type=Path, help="write one JSON line per question")
    options = parser.parse_args()
    if options.command == "prepare":
        prepare(options.output)
    else:
        ask(options)


if __name__ == "__main__":
    main()
