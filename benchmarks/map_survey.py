"""How long ``kgqa map`` looks at a big graph and at a wide one, and how much of what it proposes is right.

    python -m benchmarks.map_survey --home FOLDER

The big one has 5 million nodes, the wide one 100 labels and 300 relationship types. Each is made in a managed server of
its own in FOLDER, the big one with neo4j-admin. Time is that of looking and proposing, without starting Python.
"""

from __future__ import annotations

import argparse
import csv
import random
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import neo4j

from benchmarks.common import environment
from benchmarks.made_company import Company, make_company, write_company
from kgqa_graphdb.managed import ManagedServer
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.survey import Proposal, propose, survey

SHARES = {"Customer": 0.2, "Product": 0.02, "Order": 0.3, "OrderLine": 0.44, "Review": 0.0398, "Category": 0.0002}
"""Of the big graph's nodes."""
SHOP = {
    "Customer": ("customerId", ("firstName", "lastName")),
    "Product": ("sku", ("name",)),
    "Order": ("orderNumber", ()),
    "Category": ("id", ("name",)),
}
SHOP_JOINS = {"OrderLine": ("Order", "Product"), "Review": ("Customer", "Product")}


def write_shop(nodes: int, folder: Path) -> list[str]:
    """CSV files of a shop, and the arguments with which neo4j-admin imports them."""
    choose = random.Random(3)
    count = {label: max(1, int(nodes * share)) for label, share in SHARES.items()}
    words = "red green long small bright old quick soft".split()

    def table(name: str, header: str, rows: Iterable[tuple[object, ...]]) -> str:
        path = folder / f"{name}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(header.split(","))
            writer.writerows(rows)
        return str(path)

    def some(label: str) -> int:
        return choose.randrange(count[label])

    def hexadecimal() -> str:
        return f"{choose.getrandbits(128):032x}"

    files = [
        "Customer=" + table("customer", ":ID(Customer),customerId:long,firstName,lastName,email,passwordHash",
            ((n, n, f"{words[n % 8].title()}", f"Person{n}", f"p{n}@example.org", hexadecimal())
             for n in range(count["Customer"]))),
        "Product=" + table("product", ":ID(Product),sku,name,price:double",
            ((n, f"SKU-{n}", f"{words[n % 8]} {words[n // 8 % 8]} thing {n}", n % 900 / 10)
             for n in range(count["Product"]))),
        "Order=" + table("order", ":ID(Order),orderNumber:long,ordered:date",
            ((n, 100_000 + n, f"20{n % 24:02}-{n % 12 + 1:02}-01") for n in range(count["Order"]))),
        "OrderLine=" + table("line", ":ID(OrderLine),quantity:long,price:double",
            ((n, n % 12 + 1, n % 900 / 10) for n in range(count["OrderLine"]))),
        "Review=" + table("review", ":ID(Review),id,stars:long",
            ((n, hexadecimal(), n % 5 + 1) for n in range(count["Review"]))),
        "Category=" + table("category", ":ID(Category),id:long,name",
            ((n, n, f"category {n}") for n in range(count["Category"]))),
    ]  # fmt: skip
    joins = [
        ("PLACED", "Customer", "Order", ((some("Customer"), n) for n in range(count["Order"]))),
        ("HAS_LINE", "Order", "OrderLine", ((some("Order"), n) for n in range(count["OrderLine"]))),
        ("OF_PRODUCT", "OrderLine", "Product", ((n, some("Product")) for n in range(count["OrderLine"]))),
        ("IN_CATEGORY", "Product", "Category", ((n, some("Category")) for n in range(count["Product"]))),
        ("WROTE", "Customer", "Review", ((some("Customer"), n) for n in range(count["Review"]))),
        ("ABOUT", "Review", "Product", ((n, some("Product")) for n in range(count["Review"]))),
    ]  # fmt: skip
    arguments = [f"--nodes={file}" for file in files]
    for type_, head, tail, pairs in joins:
        path = table(type_.lower(), f":START_ID({head}),:END_ID({tail})", pairs)
        arguments.append(f"--relationships={type_}={path}")
    return arguments


def looked_at(driver: neo4j.Driver) -> tuple[Proposal, float]:
    """A proposal, and the seconds that it took."""
    started = time.perf_counter()
    with Neo4jIO(driver) as io:
        proposal = propose("made", run(survey(), io))
    return proposal, time.perf_counter() - started


def compare(proposal: Proposal, company: Company) -> dict[str, str]:
    """How much of a proposal is right: "right / all" by what is proposed."""
    kinds = {kind.label: (kind.key, kind.names) for kind in proposal.mapping.entities}
    joins = {join.label: sorted(label for end in join.ends for label in end.labels) for join in proposal.joins}
    edges = {r.type: (r.heads, r.tails) for r in proposal.mapping.relations if r.kind == "edge" and not r.via}
    walked = {*company.joins, *company.hung}
    ends = {
        type_: ((head,), (tail,))
        for type_, (head, tail, _) in company.types.items()
        if head not in walked and tail not in walked
    }
    via = {(*r.heads, *r.tails) for r in proposal.mapping.relations if r.kind == "edge" and r.via}
    left = {(one.holder, one.key) for one in proposal.left_out}
    return {
        "keys and names": f"{sum(kinds.get(o) == right for o, right in company.names.items())} / {len(company.names)}",
        "join nodes": f"{sum(joins.get(o) == sorted(r) for o, r in company.joins.items())} / {len(company.joins)}",
        "via steps": f"{sum(r in via or r[::-1] in via for r in company.joins.values())} / {len(company.joins)}",
        "nodes of values": f"{sum(joins.get(o) == [r] for o, r in company.hung.items())} / {len(company.hung)}",
        "ends of types": f"{sum(edges.get(one) == right for one, right in ends.items())} / {len(ends)}",
        "secrets left out": f"{len(company.secret & left)} / {len(company.secret)}",
        "taken for join nodes wrongly": f"{len(set(joins) - walked)} / {len(company.names)}",
    }


def report(name: str, driver: neo4j.Driver, truth: Company) -> None:
    """Look twice, the first time with no plan cached, and print what was found."""
    for time_ in ("first", "again"):
        proposal, seconds = looked_at(driver)
        print(f"{name}, {time_}: {seconds:.1f} s")
    for what, found in compare(proposal, truth).items():
        print(f"  {what}: {found}")


def main() -> None:
    """Make both graphs, look at them, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="an empty folder for the servers")
    parser.add_argument("--nodes", type=int, default=5_000_000, help="of the big graph; 0: leave it out")
    options = parser.parse_args()
    if options.nodes:
        big_graph(options.home.absolute() / "big", options.nodes)
    wide_graph(options.home.absolute() / "wide")


def big_graph(home: Path, nodes: int) -> None:
    """A shop of few labels and many nodes."""
    big = ManagedServer(home)
    with tempfile.TemporaryDirectory() as folder:
        big.import_csv(write_shop(nodes, Path(folder)))
    at = big.start()
    try:
        with neo4j.GraphDatabase.driver(at.uri, auth=at.auth) as driver:
            print(environment(str(big.version)))
            truth = Company(names=SHOP, joins=SHOP_JOINS, secret={("Customer", "passwordHash")})
            report(f"{nodes:,} nodes", driver, truth)
    finally:
        big.stop()


def wide_graph(home: Path) -> None:
    """A company of many labels and relationship types."""
    wide = ManagedServer(home)
    at = wide.start()
    try:
        with neo4j.GraphDatabase.driver(at.uri, auth=at.auth) as driver:
            company = make_company(labels=100, types=300, nodes=500)
            write_company(driver, company)
            report(f"{len(company.labels)} labels, {len(company.types)} types", driver, company)
    finally:
        wide.stop()


if __name__ == "__main__":
    main()
