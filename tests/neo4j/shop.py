"""A company's graph as it may be found: not loaded but mapped, with join nodes, and with much that is not mapped."""

from __future__ import annotations

import neo4j

from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation

SECRETS = ("ada@shop.example", "SECRET-MARGIN", "Salary of Carl", "fraud suspect", "internal memo", "SECRET-PRICE")
"""Texts of the graph that the mapping leaves out: no answer, proof, prompt, note or log may have them."""
_GRAPH = """
CREATE (ada:ShopCustomer {id: 1, name: 'Ada Lovell', email: 'ada@shop.example'}),
       (bo:ShopCustomer {id: 2, name: 'Bo Nilsen', email: 'bo@shop.example'}),
       (tea:ShopProduct {id: 11, name: 'Green Tea', price: 4.5, margin: 'SECRET-MARGIN'}),
       (mug:ShopProduct {id: 12, name: 'Blue Mug', price: 9.0, margin: 'SECRET-MARGIN'}),
       (jar:ShopProduct {id: 13, name: 'Glass Jar', price: 6.0, margin: 'SECRET-MARGIN'}),
       (leaf:ShopSupplier {id: 21, name: 'Leaf and Sons', note: 'internal memo'}),
       (kiln:ShopSupplier {id: 22, name: 'Kiln Works', note: 'internal memo', price: 'SECRET-PRICE'}),
       (leaf)-[:SHOP_SUPPLIES {terms: 'internal memo'}]->(tea),
       (kiln)-[:SHOP_SUPPLIES]->(mug), (kiln)-[:SHOP_SUPPLIES]->(jar),
       (o1:ShopOrder {id: 1001}), (o2:ShopOrder {id: 1002}),
       (ada)-[:SHOP_PLACED]->(o1), (bo)-[:SHOP_PLACED]->(o2),
       (o1)-[:SHOP_HAS_LINE]->(:ShopLine {quantity: 2})-[:SHOP_OF]->(tea),
       (o1)-[:SHOP_HAS_LINE]->(:ShopLine {quantity: 1})-[:SHOP_OF]->(mug),
       (o2)-[:SHOP_HAS_LINE]->(:ShopLine {quantity: 5})-[:SHOP_OF]->(jar),
       (ada)-[:SHOP_FLAGGED]->(:ShopFlag {name: 'fraud suspect'}),
       (:ShopSalary {name: 'Salary of Carl', amount: 1})-[:SHOP_PAID_TO]->(bo)
"""
MAPPING = GraphMapping(
    graph="shop",
    entities=(
        EntityKind("ShopCustomer", "id", ("name",)),
        EntityKind("ShopProduct", "id", ("name",)),
        EntityKind("ShopSupplier", "id", ("name",)),
        EntityKind("ShopOrder", "id", ()),
        EntityKind("ShopLine", None, ()),
    ),
    relations=(
        make_relation(
            "SHOP_SUPPLIES", label="product supplied by", inverse="supplier of", template="{head} supplies {tail}.",
            heads=("ShopSupplier",), tails=("ShopProduct",),
        ),
        make_relation(
            "SHOP_PLACED", label="order placed by", inverse="customer who placed", template="{head} placed {tail}.",
            heads=("ShopCustomer",), tails=("ShopOrder",),
        ),
        make_relation("SHOP_HAS_LINE", kind="leg", heads=("ShopOrder",), tails=("ShopLine",)),
        make_relation("SHOP_OF", kind="leg", heads=("ShopLine",), tails=("ShopProduct",)),
        make_relation(
            "Order.Product", label="product in", inverse="order with", template="Order {head} has {tail}.",
            heads=("ShopOrder",), tails=("ShopProduct",), via=(">SHOP_HAS_LINE", ">SHOP_OF"),
        ),
        make_relation(
            "price", kind="property", label="price of", template="{head} costs {tail}.", heads=("ShopProduct",),
        ),
    ),
)  # fmt: skip


def write_shop(driver: neo4j.Driver) -> None:
    """Write the graph; its labels are its own, so it may stand beside others."""
    remove_shop(driver)
    driver.execute_query(_GRAPH)


def remove_shop(driver: neo4j.Driver) -> None:
    """Take it away."""
    driver.execute_query("MATCH (n) WHERE any(l IN labels(n) WHERE l STARTS WITH 'Shop') DETACH DELETE n")
