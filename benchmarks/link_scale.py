"""How long it takes to find whom a question means among 1,000,000 entities with names much alike.

    python benchmarks/link_scale.py --entities 1000000

A made graph: names of people, works and places of made words, many of which are shared by several entities, differ in
one letter from another name, or hold another name. It is written once, straight into the database as a load stores
it, and kept (``--drop`` takes it away). Asked for are names that several entities bear (ambiguous), names that one
bears, in the case of the graph and in lower case, and names with a letter changed, left out, doubled or swapped
(misspelled; none of them is another entity's name). Every question is put once; what is measured is linking, by one
process, one question at a time, the server's answers included. Accuracy is printed beside it: an entity of that name
is the first link, the one meant is among the links. The last column is mean processor time of server and client,
which other programs on the machine do not change.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import neo4j
from common import cpu_seconds, environment, percentile
from made_graph import _power_law, _word

from kgqa_graphdb import KGQA
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.managed import resolve_connection
from kgqa_graphdb.runtime import Neo4jIO, open_driver
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Question
from kgqa_loaders.drop import drop

BATCH = 10_000
TITLES = (
    "The Last {} of {}|A {} in {}|{} and the {}|Return to {}|The House of {}|{} at Midnight|A Song for {}|{}".split("|")
)
SUFFIXES = " II| III| Junior| (film)| (town)| Society| Works| of the North".split("|")
QUESTIONS = (
    "who founded {}?",
    "where was {} born?",
    "which places did the friends of {} visit?",
    "what is the name of the oldest friend of {}?",
    "which works are about {} and were sold in the year 1900?",
)


@dataclass(frozen=True)
class Asked:
    """A name to ask for, and the ids of the entities that are right."""

    name: str
    meant: frozenset[str]


def made_names(count: int, seed: int = 0) -> list[str]:
    """Names by entity number, some of them many times."""
    choose = random.Random(seed)
    firsts = sorted({_word(choose) for _ in range(4_000)})
    lasts = sorted({_word(choose) + choose.choice(("", "", _word(choose).lower())) for _ in range(60_000)})
    choose.shuffle(firsts)
    choose.shuffle(lasts)
    first_weights, last_weights = _power_law(len(firsts), 0.6), _power_law(len(lasts), 0.6)

    def person() -> str:
        first = choose.choices(firsts, cum_weights=first_weights)[0]
        return f"{first} {choose.choices(lasts, cum_weights=last_weights)[0]}"

    names: list[str] = []
    while len(names) < count:
        kind = choose.random()
        if kind < 0.6 or not names:
            names.append(person())
        elif kind < 0.7:  # another bearer of a name; the early ones have many
            names.append(names[int(len(names) * choose.random() ** 3)])
        elif kind < 0.8:
            names.append(misspelled(choose.choice(names), choose))
        elif kind < 0.9:
            words = [choose.choice(lasts) for _ in range(2)]
            names.append(choose.choice(TITLES).format(*words))
        else:
            names.append(choose.choice(names).split(" (")[0] + choose.choice(SUFFIXES))
    return names


def misspelled(name: str, choose: random.Random) -> str:
    """The name with one letter changed, left out, doubled, or swapped with the next; not the first of a word."""
    places = [i for i in range(1, len(name)) if name[i].isalpha() and name[i - 1].isalpha()]
    if not places:
        return name + "e"
    place = choose.choice(places)
    kind = choose.randrange(4)
    if kind == 0:
        return name[:place] + choose.choice("abcdefghijklmnopqrstuvwxyz") + name[place + 1 :]
    if kind == 1:
        return name[:place] + name[place + 1 :]
    if kind == 2:
        return name[:place] + name[place] + name[place:]
    return name[: place - 1] + name[place] + name[place - 1] + name[place + 1 :]


def checksum(names: Sequence[str]) -> str:
    """Tells one made graph from another."""
    return hashlib.sha256("\n".join(names).encode()).hexdigest()


# ── the graph ────────────────────────────────────────────────────────────────────────────────────────────────────────


def write(driver: neo4j.Driver, database: str | None, graph: str, names: Sequence[str]) -> float:
    """Write the graph as a load stores it, one fact an entity; seconds."""
    started = time.perf_counter()
    label = f"KG_{graph}"

    def execute(text: str, **parameters: object) -> None:
        driver.execute_query(text, parameters, database_=database)

    execute("CREATE CONSTRAINT _KGQA_graph IF NOT EXISTS FOR (g:_KGQA_Graph) REQUIRE g.graph IS UNIQUE")
    execute("CREATE INDEX _KGQA_relation IF NOT EXISTS FOR (r:_KGQA_Relation) ON (r.graph)")
    execute(
        "MERGE (g:_KGQA_Graph {graph: $graph}) SET g += {label: $label, fulltext: $label + '_names', "
        "walk: 'no_backtrack', licence: '', source: 'made', state: 'loading', loaded_at: datetime()}",
        graph=graph,
        label=label,
    )
    execute(f"CREATE CONSTRAINT `{label}_entity_id` IF NOT EXISTS FOR (n:`{label}`) REQUIRE n.entity_id IS UNIQUE")
    for start in range(0, len(names), BATCH):
        execute(
            f"UNWIND range(0, size($names) - 1) AS i CREATE (n:Entity:`{label}` "
            "{entity_id: 'e' + ($start + i), name: $names[i]})",
            names=names[start : start + BATCH],
            start=start,
        )
        execute(
            f"UNWIND range($start, $end - 1) AS i MATCH (a:`{label}` {{entity_id: 'e' + i}}), "
            f"(b:`{label}` {{entity_id: 'e' + (i * 7919 % $end)}}) CREATE (a)-[:friend]->(b)",
            start=start,
            end=min(start + BATCH, len(names)),
        )
        print(f"\r{start + BATCH:,} entities", end="", file=sys.stderr, flush=True)
    execute(
        f"CREATE FULLTEXT INDEX `{label}_names` IF NOT EXISTS FOR (n:`{label}`) ON EACH [n.name, n.aliases] "
        "OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}"
    )
    execute(
        "CREATE (r:_KGQA_Relation {graph: $graph, relation: 'friend', type: 'friend', kind: 'edge', datatype: '', "
        "number: 0, label: 'friend', inverse: 'friend of', description: '', template: '', unit: '', heads: [], "
        "tails: []})",
        graph=graph,
    )
    execute("CALL db.awaitIndexes(1800)")
    execute(
        "MATCH (g:_KGQA_Graph {graph: $graph}) "
        "SET g.state = 'complete', g.checksum = $checksum, g.entities = $count, g.facts = $count",
        graph=graph,
        checksum=checksum(names),
        count=len(names),
    )
    print(file=sys.stderr)
    return time.perf_counter() - started


# ── the questions ────────────────────────────────────────────────────────────────────────────────────────────────────


def asked(names: Sequence[str], count: int, seed: int) -> dict[str, list[Asked]]:
    """Names to ask for, by group."""
    choose = random.Random(seed)
    bearers: dict[str, list[str]] = defaultdict(list)
    for number, name in enumerate(names):
        bearers[name].append(f"e{number}")
    shared = [name for name, ids in bearers.items() if 3 <= len(ids) <= 8]
    single = [name for name, ids in bearers.items() if len(ids) == 1]
    folded = Counter(name.lower() for name in bearers)

    def named(name: str) -> Asked:
        return Asked(name, frozenset(bearers[name]))

    def wrong(name: str) -> Asked:
        while folded[(other := misspelled(name, choose)).lower()]:
            pass
        return Asked(other, frozenset(bearers[name]))

    def sample(pool: list[str]) -> list[str]:
        return choose.sample(pool, min(count, len(pool)))

    misspelt = [wrong(name) for name in sample(single)]
    return {
        "ambiguous": [named(name) for name in sample(shared)],
        "ambiguous, lower case": [Asked(name.lower(), frozenset(bearers[name])) for name in sample(shared)],
        "one bearer": [named(name) for name in sample(single)],
        "misspelled": misspelt,
        "misspelled, lower case": [Asked(one.name.lower(), one.meant) for one in misspelt],
    }


def measure(link: Callable[[str], Sequence[str]], group: Sequence[Asked]) -> Iterator[tuple[float, bool, bool]]:
    """Milliseconds; whether the first link is right; whether a right one is among the links."""
    for number, one in enumerate(group):
        text = QUESTIONS[number % len(QUESTIONS)].format(one.name)
        started = time.perf_counter()
        ids = link(text)
        spent = (time.perf_counter() - started) * 1000
        yield spent, bool(ids) and ids[0] in one.meant, bool(one.meant & set(ids))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entities", type=int, default=1_000_000)
    parser.add_argument("--count", type=int, default=200, help="names per group")
    parser.add_argument("--graph", default="link_scale")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--drop", action="store_true", help="delete the graph afterwards")
    options = parser.parse_args()
    names = made_names(options.entities)
    connection = resolve_connection()
    with open_driver(connection) as driver:
        record = driver.execute_query(
            "OPTIONAL MATCH (g:_KGQA_Graph {graph: $graph}) CALL dbms.components() YIELD versions "
            "RETURN versions[0] AS version, g.state AS state, g.checksum AS checksum",
            graph=options.graph,
            database_=connection.database,
        ).records[0]
        print(environment(record["version"]))
        if (record["state"], record["checksum"]) != ("complete", checksum(names)):
            if record["state"]:
                drop(driver, options.graph, database=connection.database)
            seconds = write(driver, connection.database, options.graph, names)
            print(f"wrote {options.entities:,} entities and as many facts in {seconds:.0f} s")
        graph = KGQA(driver, graph=options.graph, database=connection.database).graph
        words = {word.lower() for name in names for word in name.split()}
        print(f"{len(names):,} entities, {len(set(names)):,} different names, {len(words):,} different words")
        linker, cpu = NameLinker(), cpu_seconds()
        with Neo4jIO(driver, connection.database) as io:

            def link(text: str) -> list[str]:
                return [link.entity.id for link in run(linker.link(Question(text), graph), io)]

            for text in QUESTIONS * 10:  # plans, caches
                link(text.format(random.Random(text).choice(names)))
            print(f"{'linking, ms':<24}{'n':>6}{'median':>9}{'p95':>9}{'most':>9}{'first':>9}{'among':>9}{'cpu':>7}")
            for title, group in asked(names, options.count, options.seed).items():
                began = cpu()
                rows = list(measure(link, group))
                each = (cpu() - began) * 1000 / len(rows)
                spent = [row[0] for row in rows]
                first, among = (100 * sum(row[place] for row in rows) / len(rows) for place in (1, 2))
                print(
                    f"{title:<24}{len(rows):>6}{percentile(spent, 0.5):>9.1f}{percentile(spent, 0.95):>9.1f}"
                    f"{max(spent):>9.1f}{first:>8.1f}%{among:>8.1f}%{each:>7.1f}"
                )
        if options.drop:
            drop(driver, options.graph, database=connection.database)


if __name__ == "__main__":
    main()
