"""Makes big dumps to load, N-Triples and Wikidata-like JSON, streamed and seeded, with power-law degrees.

    python benchmarks/made_dumps.py triples --facts 1000000 > made.nt
    python benchmarks/made_dumps.py wikidata --items 100000 > made.json

Triples come subject by subject, as in the dumps that people publish. Of them a tenth are names, 2 % further names, 8 %
classes, a tenth typed literals, the rest facts between entities over 300 relations, all distinct.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np

RELATIONS = 300
CLASSES = 30
ENTITY = "http://example.org/entity/E"
RELATION = "http://example.org/relation/"
CLASS = "http://example.org/class/Class"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ALT_LABEL = "http://www.w3.org/2004/02/skos/core#altLabel"
XSD = "http://www.w3.org/2001/XMLSchema#"
_FACTS_PER_ENTITY = 7
_CHUNK = 20_000
_SYLLABLES = ("ka", "lo", "mi", "ren", "tas", "vel", "dor", "nu", "shi", "bra", "qua", "eth", "ol", "zan", "fi", "gor")
_VERBS = ("founded", "wrote", "visited", "owns", "borders", "teaches", "sells", "directs", "follows", "contains")


def relation_names(count: int = RELATIONS) -> list[str]:
    """Names of relations: two words and a number, e.g. ``founded_ka_17``."""
    return [
        f"{_VERBS[number % len(_VERBS)]}_{_SYLLABLES[number // len(_VERBS) % len(_SYLLABLES)]}_{number}"
        for number in range(count)
    ]


def name_of(entity: int) -> str:
    """An entity's name; some entities share theirs."""
    number, parts = entity * 2_654_435_761 % 2**32, []
    for _ in range(3):
        number, syllable = divmod(number, len(_SYLLABLES))
        parts.append(_SYLLABLES[syllable])
    return f"{''.join(parts).capitalize()} {number % 100_000}"


@dataclass(frozen=True)
class Made:
    """An entity with all that is said of it.

    :ivar facts: number of the relation and of the other entity
    :ivar literals: property, datatype, text
    """

    entity: int
    name: str
    aliases: list[str]
    classes: list[str]
    literals: list[tuple[str, str, str]]
    facts: list[tuple[int, int]]


def made(facts: int, seed: int = 0) -> Iterator[Made]:
    """Entities, of which ``facts`` triples are said, about; the same for the same seed."""
    entities = max(10, facts // 10)
    for start in range(0, entities, _CHUNK):
        yield from _chunk(start, min(start + _CHUNK, entities), entities, np.random.default_rng([seed, start]))


def _chunk(start: int, end: int, entities: int, random: np.random.Generator) -> Iterator[Made]:
    count = end - start
    degrees = np.minimum(random.pareto(1.8, count) * _FACTS_PER_ENTITY * 0.9, 5_000).astype(np.int64)
    degrees = np.maximum(1, degrees)  # (entities,), mean about 7
    owners = np.repeat(np.arange(count), degrees)
    relations = np.minimum(random.zipf(1.3, len(owners)) - 1, RELATIONS * 50) % RELATIONS
    ranks = (entities * random.random(len(owners)) ** 3).astype(np.int64)  # few are popular
    tails = ranks * 7_919 % entities  # spread over all numbers
    codes = np.unique((owners * RELATIONS + relations) * entities + tails)
    owners, rest = np.divmod(codes, RELATIONS * entities)
    relations, tails = np.divmod(rest, entities)
    ends = np.searchsorted(owners, np.arange(count + 1)).tolist()
    pairs = list(zip(relations.tolist(), tails.tolist(), strict=True))
    aliased, classed, literal = random.random((3, count)).tolist()
    for place in range(count):
        entity = start + place
        literals = []
        if literal[place] < 0.5:
            literals.append(("inception", "date", f"{1500 + entity % 520}-{entity % 12 + 1:02}-{entity % 28 + 1:02}"))
        if literal[place] < 0.3:
            literals.append(("population", "integer", str(entity * 31 % 5_000_000)))
        if literal[place] > 0.9:
            literals.append(("height", "double", f"{entity % 8_849 + 0.5}"))
        if literal[place] > 0.9:
            literals.append(("motto", "", f'Motto no. {entity}, \\"quoted\\", of {name_of(entity)}'))
        yield Made(
            entity,
            name_of(entity),
            [f"The {name_of(entity)}"] if aliased[place] < 0.2 else [],
            [f"{CLASS}{entity % CLASSES}"] if classed[place] < 0.8 else [],
            literals,
            pairs[ends[place] : ends[place + 1]],
        )


def write_triples(facts: int, stream: TextIO, seed: int = 0) -> int:
    """Write N-Triples; how many."""
    names, written = relation_names(), 0
    for item in made(facts, seed):
        subject = f"<{ENTITY}{item.entity}>"
        lines = [f'{subject} <{RDFS_LABEL}> "{item.name}"@en .\n']
        lines += [f'{subject} <{ALT_LABEL}> "{alias}"@en .\n' for alias in item.aliases]
        lines += [f"{subject} <{RDF_TYPE}> <{name}> .\n" for name in item.classes]
        for key, datatype, text in item.literals:
            typed = f"^^<{XSD}{datatype}>" if datatype else ""
            lines.append(f'{subject} <{RELATION}{key}> "{text}"{typed} .\n')
        lines += [f"{subject} <{RELATION}{names[relation]}> <{ENTITY}{tail}> .\n" for relation, tail in item.facts]
        stream.writelines(lines)
        written += len(lines)
    return written


def write_csv(facts: int, folder: Path, seed: int = 0) -> tuple[int, int]:
    """Write the same graph as CSV for neo4j-admin, as one would by hand; how many nodes and relationships."""
    names, nodes, relationships = relation_names(), 0, 0
    with (
        (folder / "nodes.csv").open("w", encoding="utf-8", newline="") as node_file,
        (folder / "relationships.csv").open("w", encoding="utf-8", newline="") as relationship_file,
    ):
        rows = csv.writer(node_file, lineterminator="\n")
        rows.writerow(
            [
                "entity_id:ID",
                "name",
                "aliases:string[]",
                "inception:date",
                "population:long",
                "height:double",
                "motto",
                ":LABEL",
            ]
        )
        relationship_file.write(":START_ID,:END_ID,:TYPE\n")
        for item in made(facts, seed):
            held = {key: text.replace('\\"', '"') for key, _, text in item.literals}
            labels = ";".join(
                ["Entity", "KG_raw", *(name.removeprefix("http://example.org/class/") for name in item.classes)]
            )
            values = [held.get(key, "") for key in ("inception", "population", "height", "motto")]
            rows.writerow([f"{ENTITY}{item.entity}", item.name, ";".join(item.aliases), *values, labels])
            head = f"{ENTITY}{item.entity}"
            relationship_file.writelines(
                f"{head},{ENTITY}{tail},{RELATION}{names[relation]}\n" for relation, tail in item.facts
            )
            nodes += 1
            relationships += len(item.facts)
    return nodes, relationships


# ── Wikidata ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def items(count: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Items as in Wikidata's JSON dumps, with names in two languages, ranks, qualifiers, times and quantities."""
    for entity in made(count * 10, seed):
        claims: dict[str, list[dict[str, Any]]] = {}
        for place, (relation, tail) in enumerate(entity.facts):
            property_id = f"P{relation + 1}"
            value = {"entity-type": "item", "numeric-id": tail + 1, "id": f"Q{tail + 1}"}
            claim = _claim(entity.entity, place, property_id, "wikibase-item", "wikibase-entityid", value)
            if place % 8 == 0:
                qualifier = _snak("P900", "time", "time", _time(1900 + tail % 120))
                claim |= {"qualifiers": {"P900": [qualifier]}, "qualifiers-order": ["P900"]}
            claims.setdefault(property_id, []).append(claim)
        for key, _, text in entity.literals:
            snak = {
                "inception": ("P901", "time", "time", _time(int(text[:4])) if key == "inception" else None),
                "population": ("P902", "quantity", "quantity", {"amount": f"+{text}", "unit": "1"}),
                "height": (
                    "P903",
                    "quantity",
                    "quantity",
                    {"amount": f"+{text}", "unit": "http://www.wikidata.org/entity/Q11573"},
                ),
                "motto": ("P904", "string", "string", text.replace('\\"', '"')),
            }[key]
            claims.setdefault(snak[0], []).append(_claim(entity.entity, len(claims) + 5_000, *snak))
        yield {
            "type": "item", "id": f"Q{entity.entity + 1}", "ns": 0, "title": f"Q{entity.entity + 1}",
            "labels": {
                "en": {"language": "en", "value": entity.name},
                "de": {"language": "de", "value": f"{entity.name} (de)"},
            },
            "descriptions": {"en": {"language": "en", "value": f"thing no. {entity.entity}"}},
            "aliases": {"en": [{"language": "en", "value": text} for text in entity.aliases]} if entity.aliases else {},
            "claims": claims, "sitelinks": {}, "lastrevid": entity.entity,
        }  # fmt: skip


def _snak(property_id: str, datatype: str, kind: str, value: Any) -> dict[str, Any]:
    return {
        "snaktype": "value", "property": property_id, "datavalue": {"value": value, "type": kind}, "datatype": datatype,
    }  # fmt: skip


def _claim(entity: int, place: int, property_id: str, datatype: str, kind: str, value: Any) -> dict[str, Any]:
    return {
        "mainsnak": _snak(property_id, datatype, kind, value),
        "type": "statement", "id": _statement_id(entity, place), "rank": "normal",
    }  # fmt: skip


def _statement_id(entity: int, place: int) -> str:
    return f"Q{entity + 1}${place:08x}-0000-4000-8000-{entity:012x}"


def _time(year: int) -> dict[str, Any]:
    return {
        "time": f"+{year:04}-01-01T00:00:00Z", "timezone": 0, "before": 0, "after": 0, "precision": 9,
        "calendarmodel": "http://www.wikidata.org/entity/Q1985727",
    }  # fmt: skip


def write_items(count: int, stream: TextIO, seed: int = 0) -> int:
    """Write a dump as Wikidata does, one item a line in an array; how many items."""
    written = 0
    stream.write("[\n")
    for item in items(count, seed):
        stream.write((",\n" if written else "") + json.dumps(item, separators=(",", ":")))
        written += 1
    stream.write("\n]\n")
    return written


def write_item_csv(count: int, folder: Path, seed: int = 0) -> None:
    """Write the items' graph as CSV for neo4j-admin, as one would by hand: ids as texts, a qualifier as a property."""
    with (
        (folder / "nodes.csv").open("w", encoding="utf-8", newline="") as node_file,
        (folder / "relationships.csv").open("w", encoding="utf-8", newline="") as relationship_file,
    ):
        rows = csv.writer(node_file, lineterminator="\n")
        rows.writerow(
            ["entity_id:ID", "name", "aliases:string[]", "description", "P901:long", "P902:long", "P903_Q11573:double",
             "P904", ":LABEL"]
        )  # fmt: skip
        relationship_file.write(":START_ID,:END_ID,:TYPE,statement_id,P900:long\n")
        for entity in made(count * 10, seed):
            held = {key: text.replace('\\"', '"') for key, _, text in entity.literals}
            year = held.get("inception", "")[:4]
            values = [year, *(held.get(key, "") for key in ("population", "height", "motto"))]
            head, described = f"Q{entity.entity + 1}", f"thing no. {entity.entity}"
            rows.writerow([head, entity.name, ";".join(entity.aliases), described, *values, "Entity;KG_raw"])
            for place, (relation, tail) in enumerate(entity.facts):
                said = "," if place % 8 else f"{_statement_id(entity.entity, place)},{1900 + tail % 120}"
                relationship_file.write(f"{head},Q{tail + 1},P{relation + 1},{said}\n")


def main() -> None:
    """Write one to the standard output."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("kind", choices=("triples", "wikidata"))
    parser.add_argument("--facts", type=int, default=1_000_000)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.kind == "triples":
        write_triples(options.facts, sys.stdout, options.seed)
    else:
        write_items(options.items, sys.stdout, options.seed)


if __name__ == "__main__":
    main()
