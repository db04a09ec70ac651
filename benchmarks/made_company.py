"""A made company's graph of many labels and relationship types, and what is right to say of it.

Labels follow the ways in which schemas call things: a name, first and last name, a title beside a code, only a number,
a join node between two others, a node that only holds values of another.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import neo4j

_FIRST = "Asset Batch Claim Depot Engine Fleet Grant Harbour Invoice Journey Kiosk Ledger Machine Notice Outlet Parcel Quota Route Site Tariff".split()  # noqa: E501
_SECOND = "Branch Group Model Office Plan".split()
_VERBS = "serves owns supplies manages ships covers sponsors monitors hosts trains".split()
_PAST = "approved delivered inspected reviewed purchased rented repaired ordered published assigned".split()
_SHAPES = ("named", "person", "numbered", "titled", "named", "join", "titled", "numbered", "named", "hung")
_PLACES = "Aston Birch Cedar Dover Elm Frost Grove Haven Iris Jade Knoll Lake Maple North Oak Pine".split()


@dataclass
class Company:
    """A made graph and its truth.

    :ivar labels: label → properties of its nodes
    :ivar types: relationship type → label of its heads, label of its tails, pairs of node numbers
    :ivar names: label → key and names, of entities
    :ivar joins: label → the two labels that it joins
    :ivar hung: label → the label whose values it holds
    """

    labels: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    types: dict[str, tuple[str, str, list[tuple[int, int]]]] = field(default_factory=dict)
    names: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    joins: dict[str, tuple[str, str]] = field(default_factory=dict)
    hung: dict[str, str] = field(default_factory=dict)
    secret: set[tuple[str, str]] = field(default_factory=set)


def make_company(labels: int, types: int, nodes: int, seed: int = 7) -> Company:
    """A graph of so many labels and relationship types, with so many nodes of each label."""
    choose = random.Random(seed)
    words = [f"{first}{second}" for second in ("", *_SECOND) for first in _FIRST]
    if labels > len(words):
        raise ValueError(f"there are names for {len(words)} labels only")
    company = Company()
    shapes = {label: _SHAPES[number % len(_SHAPES)] for number, label in enumerate(words[:labels])}
    entities = [label for label, shape in shapes.items() if shape not in ("join", "hung")]
    for label, shape in shapes.items():
        company.labels[label] = [_node(label, shape, number, choose) for number in range(nodes)]
        own = label[0].lower() + label[1:]
        if shape == "join":
            one, other = choose.sample(entities, 2)
            company.joins[label] = (one, other)
            _add(company, f"HAS_{label.upper()}", one, label, [(choose.randrange(nodes), n) for n in range(nodes)])
            _add(company, f"{label.upper()}_FOR", label, other, [(n, choose.randrange(nodes)) for n in range(nodes)])
        elif shape == "hung":
            company.hung[label] = choose.choice(entities)
            pairs = [(n, n) for n in range(nodes)]
            _add(company, f"WITH_{label.upper()}", company.hung[label], label, pairs)
        else:
            key, names = {
                "named": (f"{own}Id", ("name",)),
                "person": (f"{own}Id", ("firstName", "lastName")),
                "numbered": (f"{own}Number", ()),
                "titled": ("code", ("title",)),
            }[shape]
            company.names[label] = (key, names)
            if shape == "person":
                company.secret.add((label, "passwordHash"))
    while len(company.types) < types:
        head, tail = choose.sample(entities, 2)
        pairs = [(choose.randrange(nodes), choose.randrange(nodes)) for _ in range(nodes)]
        number = len(company.types)
        verb = (_VERBS if number % 2 else _PAST)[number % 10].upper()
        _add(company, f"{verb}_{tail.upper()}" if number % 3 else f"{verb}_BY_{tail.upper()}", head, tail, pairs)
    return company


def _add(company: Company, name: str, head: str, tail: str, pairs: list[tuple[int, int]]) -> None:
    if name not in company.types:
        company.types[name] = (head, tail, sorted(set(pairs)))


def _node(label: str, shape: str, number: int, choose: random.Random) -> dict[str, Any]:
    own = label[0].lower() + label[1:]
    called = f"{choose.choice(_PLACES)} {choose.choice(_PLACES)} {number}"
    count = {"amount": choose.randrange(1, 500)}
    match shape:
        case "named":
            return {f"{own}Id": f"{label[:2].upper()}{number:06}", "name": called, **count}
        case "person":
            first, last = choose.choice(_PLACES), f"{choose.choice(_PLACES)}son{number}"
            secret = f"{choose.getrandbits(256):064x}"
            return {f"{own}Id": number, "firstName": first, "lastName": last, "passwordHash": secret, **count}
        case "numbered":
            return {f"{own}Number": 10_000 + number, "opened": f"20{number % 24:02}-03-01", **count}
        case "titled":
            return {"code": f"{label[:3].upper()}-{number}", "title": called, "embedding": [choose.random()] * 4}
        case "join":
            return {"quantity": choose.randrange(1, 90), "agreed": choose.random() < 0.5}
        case _:
            return {"street": f"{number % 70} {choose.choice(_PLACES)} Street", "postcode": f"{number % 50:05}"}


def write_company(driver: neo4j.Driver, company: Company) -> None:
    """Write the graph into a database."""
    ids: dict[str, list[str]] = {}
    for label, rows in company.labels.items():
        text = "CYPHER 5 UNWIND $rows AS row CREATE (n:$($label)) SET n = row RETURN elementId(n) AS id"
        ids[label] = [row["id"] for row in driver.execute_query(text, rows=rows, label=label).records]
    for type_, (head, tail, pairs) in company.types.items():
        driver.execute_query(
            "CYPHER 5 UNWIND $pairs AS pair MATCH (h), (t) WHERE elementId(h) = pair[0] AND elementId(t) = pair[1] "
            "CREATE (h)-[:$($type)]->(t)",
            pairs=[[ids[head][one], ids[tail][other]] for one, other in pairs],
            type=type_,
        )
