"""Small graphs made for the tests, and a reference that walks them in plain Python."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import neo4j

from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.types import Entity, Path, Scalar, WalkRule

Triple = tuple[str, str, str]


@dataclass(frozen=True)
class Made:
    """A graph in the database, and what is in it."""

    mapping: GraphMapping
    triples: tuple[Triple, ...]
    values: dict[tuple[str, str], Scalar]
    entities: dict[str, Entity]

    def under(self, rule: WalkRule) -> Made:
        """The same graph under another walk rule."""
        return replace(self, mapping=replace(self.mapping, walk=rule))

    def ways(self, topic: str, path: Path) -> list[tuple[Triple | str, ...]]:
        """Every way along a path: its nodes, and the triple between each two, by brute force."""
        ways: list[tuple[str | Triple, ...]] = [(topic,)]
        for position, step in enumerate(path):
            if step.relation.kind == "property":
                return [way for way in ways if (str(way[-1]), step.relation.id) in self.values]
            longer: list[tuple[str | Triple, ...]] = []
            for way in ways:
                for triple in self.triples:
                    head, relation, tail = triple
                    left, right = (tail, head) if step.inverse else (head, tail)
                    if relation != step.relation.id or left != way[-1]:
                        continue
                    before = path[position - 1]
                    turns = position > 0 and before.relation == step.relation and before.inverse != step.inverse
                    if self.mapping.walk == "no_backtrack" and turns and right == way[-3]:
                        continue
                    if self.mapping.walk == "exclude_topic" and right == topic:
                        continue
                    longer.append((*way, triple, right))
            ways = longer
        return ways

    def reached(self, topic: str, path: Path) -> set[Scalar]:
        """What a path leads to: entity ids, or values."""
        ends = {str(way[-1]) for way in self.ways(topic, path)}
        last = path[-1].relation
        return {self.values[end, last.id] for end in ends} if last.kind == "property" else set(ends)

    def proof(self, topic: str, path: Path, to: Iterable[Scalar]) -> set[Triple]:
        """The triples on the ways to some ends."""
        wanted, last = set(to), path[-1].relation
        found: set[Triple] = set()
        for way in self.ways(topic, path):
            end = self.values[str(way[-1]), last.id] if last.kind == "property" else way[-1]
            if end in wanted:
                found |= {part for part in way if isinstance(part, tuple)}
        return found


def make_graph(
    driver: neo4j.Driver,
    name: str,
    triples: Sequence[Triple],
    values: dict[tuple[str, str], Scalar] | None = None,
) -> Made:
    """Write a graph the way a loaded graph is stored, without the loaders."""
    values = values or {}
    label = f"KG_{name}"
    ids = sorted({end for head, _, tail in triples for end in (head, tail)} | {holder for holder, _ in values})
    run = driver.execute_query
    run(f"CREATE CONSTRAINT `{label}_entity_id` IF NOT EXISTS FOR (n:`{label}`) REQUIRE n.entity_id IS UNIQUE")
    run(
        f"CREATE FULLTEXT INDEX `{label}_names` IF NOT EXISTS FOR (n:`{label}`) ON EACH [n.name, n.aliases] "
        "OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}"
    )
    run(f"UNWIND $ids AS id CREATE (n:Entity:`{label}` {{entity_id: id, name: id}})", ids=ids)
    for head, relation, tail in triples:
        run(
            f"MATCH (h:`{label}` {{entity_id: $h}}), (t:`{label}` {{entity_id: $t}}) CREATE (h)-[:`{relation}`]->(t)",
            h=head,
            t=tail,
        )
    for (holder, key), value in values.items():
        run(f"MATCH (n:`{label}` {{entity_id: $id}}) SET n.`{key}` = $value", id=holder, value=value)
    run("CALL db.awaitIndexes(60)")
    relations = [make_relation(relation) for relation in sorted({relation for _, relation, _ in triples})]
    relations += [make_relation(key, kind="property") for key in sorted({key for _, key in values})]
    mapping = GraphMapping(
        graph=name,
        entities=(EntityKind(label, "entity_id", ("name",), ("aliases",)),),
        relations=tuple(relations),
        label=label,
        fulltext=f"{label}_names",
        owned=True,
    )
    records = run(f"MATCH (n:`{label}`) RETURN n.entity_id AS id, elementId(n) AS element_id").records
    entities = {row["id"]: Entity(row["id"], row["id"], (), row["element_id"]) for row in records}
    return Made(mapping, tuple(triples), values, entities)


def remove_graph(driver: neo4j.Driver, made: Made) -> None:
    """Take a made graph out of the database."""
    label = made.mapping.label
    driver.execute_query(f"MATCH (n:`{label}`) DETACH DELETE n")
    driver.execute_query(f"DROP INDEX `{label}_names` IF EXISTS")
    driver.execute_query(f"DROP CONSTRAINT `{label}_entity_id` IF EXISTS")


def random_triples(
    seed: int, entities: int = 14, relations: Sequence[str] = ("likes", "knows"), facts: int = 40
) -> list[Triple]:
    """A dense little graph with loops and cycles, so that every walk rule matters."""
    choose = random.Random(seed)
    names = [f"e{number}" for number in range(entities)]
    found: dict[Triple, None] = {}
    while len(found) < facts:
        found[(choose.choice(names), choose.choice(relations), choose.choice(names))] = None
    return list(found)
