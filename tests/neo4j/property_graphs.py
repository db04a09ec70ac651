"""Two graphs that companies' graphs look like, from public files found through ``KGQA_DATA``: northwind and movies.

Northwind comes in two forms: as Neo4j's own guide loads it, everything but a few numbers as text, order lines as
relationships with properties; and typed, with a node for each order line and other names for its relationships.
"""

from __future__ import annotations

import csv
import os
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import neo4j
import networkx as nx  # noqa: TID253  # tests that need no data never import this
import pandas as pd  # noqa: TID253
import pytest

LABELS = ("Product", "Category", "Supplier", "Customer", "Order", "Employee", "Shipper", "Territory", "Region")


def data_folder(name: str) -> Path:
    """The folder of a public graph; skips the test when it is missing."""
    folder = Path(os.environ.get("KGQA_DATA", "data")) / "property-graphs" / name
    if not folder.is_dir():
        pytest.skip(f"no {name} in {folder}: set KGQA_DATA to the folder that holds property-graphs/{name}")
    return folder


def northwind_tables(folder: Path) -> dict[str, pd.DataFrame]:
    """Every table by its name, such as ``order-details``; all cells texts, ``""`` where there is nothing.

    Some addresses hold commas without quotes: what is then too much at a row's end is left out, as LOAD CSV does.
    """
    tables = {}
    for file in sorted(folder.glob("*.csv")):
        with file.open(encoding="utf-8", newline="") as opened:
            header, *rows = csv.reader(opened)
        cells = [[cell if cell != "NULL" else "" for cell in row[: len(header)]] for row in rows]
        tables[file.stem] = pd.DataFrame(cells, columns=header)
    return tables


def _rows(table: pd.DataFrame, *numbers: str) -> list[dict[str, Any]]:
    """Rows as parameters: empty cells left out, some columns as numbers."""
    return [
        {str(key): float(value) if key in numbers else value for key, value in row.items() if value != ""}
        for row in table.to_dict("records")
    ]


def _typed(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows with whole numbers, decimals and dates as what they are."""

    def value(key: str, text: str) -> Any:
        if re.fullmatch(r"\d{4}-\d\d-\d\d 00:00:00\.000", text):
            return datetime.fromisoformat(text).date()
        if re.search(r"[pP]hone|fax|[pP]ostalCode|territoryID|extension", key):
            return text
        if re.fullmatch(r"-?\d+", text):
            return int(text)
        return float(text) if re.fullmatch(r"-?\d+\.\d+", text) else text

    return [
        {str(key): value(str(key), text) for key, text in row.items() if text != ""} for row in table.to_dict("records")
    ]


_NODES = (
    ("Product", "products"), ("Category", "categories"), ("Supplier", "suppliers"), ("Customer", "customers"),
    ("Order", "orders"), ("Employee", "employees"), ("Shipper", "shippers"), ("Territory", "territories"),
    ("Region", "regions"),
)  # fmt: skip

_GUIDE = """
MATCH (p:Product), (c:Category) WHERE p.categoryID = c.categoryID CREATE (p)-[:PART_OF]->(c);
MATCH (p:Product), (s:Supplier) WHERE p.supplierID = s.supplierID CREATE (s)-[:SUPPLIES]->(p);
MATCH (c:Customer), (o:Order) WHERE c.customerID = o.customerID CREATE (c)-[:PURCHASED]->(o);
MATCH (e:Employee), (o:Order) WHERE e.employeeID = o.employeeID CREATE (e)-[:SOLD]->(o);
MATCH (s:Shipper), (o:Order) WHERE s.shipperID = o.shipVia CREATE (s)-[:SHIPS]->(o);
MATCH (e:Employee), (m:Employee) WHERE e.reportsTo = m.employeeID CREATE (e)-[:REPORTS_TO]->(m);
MATCH (t:Territory), (r:Region) WHERE t.regionID = r.regionID CREATE (t)-[:IN_REGION]->(r);
UNWIND $staffed AS row MATCH (e:Employee {employeeID: row.employeeID}), (t:Territory {territoryID: row.territoryID})
  CREATE (e)-[:IN_TERRITORY]->(t);
UNWIND $lines AS row MATCH (o:Order {orderID: row.orderID}), (p:Product {productID: row.productID})
  CREATE (o)-[d:ORDERS]->(p) SET d = row
"""
_TYPED = """
MATCH (p:Product), (c:Category) WHERE p.categoryID = c.categoryID CREATE (p)-[:IN_CATEGORY]->(c);
MATCH (p:Product), (s:Supplier) WHERE p.supplierID = s.supplierID CREATE (p)-[:SUPPLIED_BY]->(s);
MATCH (c:Customer), (o:Order) WHERE c.customerID = o.customerID CREATE (o)-[:PLACED_BY]->(c);
MATCH (e:Employee), (o:Order) WHERE e.employeeID = o.employeeID CREATE (o)-[:HANDLED_BY]->(e);
MATCH (s:Shipper), (o:Order) WHERE s.shipperID = o.shipVia CREATE (o)-[:SHIPPED_VIA]->(s);
MATCH (e:Employee), (m:Employee) WHERE e.reportsTo = m.employeeID CREATE (e)-[:HAS_MANAGER]->(m);
MATCH (t:Territory), (r:Region) WHERE t.regionID = r.regionID CREATE (t)-[:LOCATED_IN]->(r);
UNWIND $staffed AS row MATCH (e:Employee {employeeID: row.employeeID}), (t:Territory {territoryID: row.territoryID})
  CREATE (e)-[:COVERS]->(t);
UNWIND $lines AS row MATCH (o:Order {orderID: row.orderID}), (p:Product {productID: row.productID})
  CREATE (o)-[:HAS_DETAIL]->(d:OrderDetail)-[:OF_PRODUCT]->(p)
  SET d.quantity = row.quantity, d.unitPrice = row.unitPrice, d.discount = row.discount
"""


def write_northwind(driver: neo4j.Driver, tables: dict[str, pd.DataFrame], *, typed: bool) -> None:
    """Write northwind into an empty database, in one of its two forms."""
    numbers = ("unitPrice", "unitsInStock", "unitsOnOrder", "reorderLevel", "freight")
    for label, name in _NODES:
        table = tables[name]
        driver.execute_query(f"CREATE INDEX FOR (n:{label}) ON (n.{table.columns[0]})")
        rows = _typed(table) if typed else _rows(table, *numbers)
        driver.execute_query(f"UNWIND $rows AS row CREATE (n:{label}) SET n = row", rows=rows)
    driver.execute_query("CALL db.awaitIndexes(60)")
    lines, staffed = tables["order-details"], tables["employee-territories"]
    parameters = {
        "lines": _typed(lines) if typed else _rows(lines, "unitPrice", "quantity", "discount"),
        "staffed": _typed(staffed) if typed else _rows(staffed),
    }
    for statement in (_TYPED if typed else _GUIDE).split(";"):
        driver.execute_query(statement, parameters)


def write_movies(driver: neo4j.Driver, folder: Path) -> None:
    """Write the movies into an empty database, by their own script."""
    for statement in (folder / "movies.cypher").read_text(encoding="utf-8").split(";"):
        if statement.strip():
            driver.execute_query(statement)


def movies_graph(folder: Path) -> nx.MultiDiGraph:
    """The movies as a networkx graph, read from their script by pattern: nodes by name, with their properties."""
    text = (folder / "movies.cypher").read_text(encoding="utf-8")
    graph = nx.MultiDiGraph()
    called: dict[str, str] = {}
    for variable, label, properties in re.findall(r"\((\w+):(\w+) \{(.*?)\}\)", text):
        held = _properties(properties)
        name = held.get("title") or held["name"]
        called[variable] = name
        graph.add_node(name, label=label, **held)
    for head, type_, properties, tail in re.findall(r"\((\w+)\)-\[:(\w+)(?: \{(.*?)\})?\]->\((\w+)\)", text):
        graph.add_edge(called[head], called[tail], key=type_, **_properties(properties))
    return graph


def _properties(text: str) -> dict[str, Any]:
    """The properties of a node or relationship of the script."""
    literal = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\[.*?\]|-?\d+"""
    found: dict[str, Any] = {}
    for key, value in re.findall(rf"(\w+):\s*({literal})", text):
        found[key] = [one[1:-1] for one in re.findall(literal, value[1:-1])] if value[0] == "[" else _scalar(value)
    return found


def _scalar(text: str) -> Any:
    return int(text) if text.lstrip("-").isdigit() else text[1:-1]
