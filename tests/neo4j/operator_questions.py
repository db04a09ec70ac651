"""Our questions that count, compare, rank and leave out, to northwind and the movies, from pandas and networkx.

``python -m tests.neo4j.property_graph_questions`` writes them to ``questions/``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pandas as pd  # noqa: TID253  # tests that need no data never import this

from tests.neo4j.property_graph_questions import Answers, Movies, Northwind


def _greatest(values: dict[Any, Any], most: int = 1) -> list[Any]:
    """The keys of the greatest values, with those that tie with the last."""
    bound = sorted(values.values(), reverse=True)[min(most, len(values)) - 1]
    return [key for key, value in values.items() if value >= bound]


def _least(values: dict[Any, Any], most: int = 1) -> list[Any]:
    return _greatest({key: -value for key, value in values.items()}, most)


def northwind_operators(n: Northwind) -> dict[str, Answers]:
    """Question → answers."""
    products, orders, customers, people = n.products, n.orders, n.customers, n.people
    price = dict(zip(products.productName, products.unitPrice.astype(float), strict=True))
    stock = dict(zip(products.productName, products.unitsInStock.astype(float), strict=True))
    reorder = dict(zip(products.productName, products.reorderLevel.astype(float), strict=True))
    freight = dict(zip(orders.orderID, orders.freight.astype(float), strict=True))
    year = orders.orderDate.str[:4]

    def among(values: dict[str, float], keep: Callable[[float], bool], rows: pd.DataFrame = products) -> list[str]:
        return [name for name in rows.productName if keep(values[name])]

    def counted(rows: pd.DataFrame, by: str, what: str) -> dict[str, int]:
        return rows.groupby(by)[what].nunique().to_dict()

    seafood = products[products.categoryName == "Seafood"]
    drinks = products[products.categoryName == "Beverages"]
    liquids = products[products.s_companyName == "Exotic Liquids"]
    alfreds = orders[orders.customer == "Alfreds Futterkiste"]
    return {
        # counting
        "How many products are there?": [len(products)],
        "How many products does Exotic Liquids supply?": [len(liquids)],
        "How many orders did Ernst Handel place?": [sum(orders.customer == "Ernst Handel")],
        "How many customers are in Germany?": [sum(customers.country == "Germany")],
        "How many products are in the Beverages category?": [len(drinks)],
        "How many products cost more than 50?": [len(among(price, lambda one: one > 50))],
        "What is the number of orders shipped by Speedy Express?": [sum(orders.shipper == "Speedy Express")],
        # comparing
        "Which products cost more than 60?": among(price, lambda one: one > 60),
        "Which products have a reorder level of 25?": among(reorder, lambda one: one == 25),
        "List the products with at least 110 units in stock.": among(stock, lambda one: one >= 110),
        "Which products have a unit price between 30 and 33?": among(price, lambda one: 30 <= one <= 33),
        "Which products in the Seafood category cost less than 10?": among(price, lambda one: one < 10, seafood),
        "Which products of Exotic Liquids have more than 15 units in stock?": among(
            stock, lambda one: one > 15, liquids
        ),
        "Which orders have a freight above 600?": [order for order, value in freight.items() if value > 600],
        "Which employees were hired before 1993?": people[people.hireDate.str[:4] < "1993"].employee,
        "Which employees were hired in 1993?": people[people.hireDate.str[:4] == "1993"].employee,
        "Which orders did Alfreds Futterkiste place in 1998?": alfreds[alfreds.orderDate.str[:4] == "1998"].orderID,
        "Which customers are located in Sweden?": customers[customers.country == "Sweden"].companyName,
        "Which suppliers supply more than 4 products?": [
            name for name, count in counted(products, "s_companyName", "productID").items() if count > 4
        ],
        "Which customers have placed at least 25 orders?": [
            name for name, count in counted(orders, "customer", "orderID").items() if count >= 25
        ],
        # ranking
        "What is the most expensive product?": _greatest(price),
        "Which are the 5 cheapest products?": _least(price, 5),
        "Which product has the most units in stock?": _greatest(stock),
        "Which supplier supplies the most products?": _greatest(counted(products, "s_companyName", "productID")),
        "Which 3 customers placed the most orders?": _greatest(counted(orders, "customer", "orderID"), 3),
        "List the top 3 categories by number of products.": _greatest(
            counted(products, "categoryName", "productID"), 3
        ),
        "Which product in the Beverages category has the highest unit price?": _greatest(
            {name: price[name] for name in drinks.productName}
        ),
        "Which employee is the youngest?": people[people.birthDate == people.birthDate.max()].employee,
        "Which order has the highest freight?": _greatest(freight),
        # totals
        "What is the average unit price of products?": [sum(price.values()) / len(price)],
        "What is the total freight of the orders of Alfreds Futterkiste?": [alfreds.freight.astype(float).sum()],
        "Which category has the highest average unit price?": _greatest(
            products.assign(price=products.unitPrice.astype(float)).groupby("categoryName").price.mean().to_dict()
        ),
        # leaving out
        "Which products are not in the Beverages category and cost more than 80?": [
            name for name in products[products.categoryName != "Beverages"].productName if price[name] > 80
        ],
        "Which customers have not placed any orders?": set(customers.companyName) - set(orders.customer),
        # yes or no
        "Does Chai cost more than 10?": [price["Chai"] > 10],
        "Does Tofu cost less than 20?": [price["Tofu"] < 20],
        "How many orders were placed in 1996?": [sum(year == "1996")],
    }


def movies_operators(m: Movies) -> dict[str, Answers]:
    """Question → answers."""
    graph, tails, heads = m.graph, m.tails, m.heads
    movies = [name for name, held in graph.nodes(data=True) if held["label"] == "Movie"]
    people = [name for name, held in graph.nodes(data=True) if held["label"] == "Person"]
    released = {name: graph.nodes[name]["released"] for name in movies}
    born = {name: graph.nodes[name]["born"] for name in people if "born" in graph.nodes[name]}
    acted, directed, produced, wrote, reviewed = "ACTED_IN", "DIRECTED", "PRODUCED", "WROTE", "REVIEWED"

    def doing(type_: str) -> dict[str, int]:
        return {name: len(tails(name, type_)) for name in people if tails(name, type_)}

    def cast(names: Iterable[str]) -> dict[str, int]:
        return {name: len(heads(name, acted)) for name in names if heads(name, acted)}

    def between(first: int, last: int, names: Iterable[str] = movies) -> list[str]:
        return [name for name in names if first <= released[name] <= last]

    reviews = [(movie, held["rating"]) for _, movie, key, held in graph.edges(keys=True, data=True) if key == reviewed]
    praised = [movie for movie, rating in reviews if rating > 90]
    hanks, keanu = tails("Tom Hanks", acted), tails("Keanu Reeves", acted)
    return {
        # counting
        "How many movies are there?": [len(movies)],
        "How many movies did Tom Hanks act in?": [len(hanks)],
        "How many people acted in The Matrix?": [len(heads("The Matrix", acted))],
        "How many movies were released after 2005?": [len(between(2006, 9999))],
        "How many people were born in 1967?": [sum(year == 1967 for year in born.values())],
        "What is the number of movies that Ron Howard directed?": [len(tails("Ron Howard", directed))],
        # comparing
        "Which movies were released before 1990?": between(0, 1989),
        "Which movies were released in 1999?": between(1999, 1999),
        "List all movies released between 1992 and 1995.": between(1992, 1995),
        "Which movies were released in the 1980s?": between(1980, 1989),
        "Which people were born after 1975?": [name for name, year in born.items() if year > 1975],
        "Which directors were born before 1940?": [
            name for name, year in born.items() if year < 1940 and tails(name, directed)
        ],
        "Which movies with Tom Hanks were released after 2000?": between(2001, 9999, hanks),
        "Which movies that Keanu Reeves acted in were released before 2000?": between(0, 1999, keanu),
        "Who directed more than 2 movies?": [name for name, count in doing(directed).items() if count > 2],
        "Which people acted in at least 6 movies?": [name for name, count in doing(acted).items() if count >= 6],
        "Which movies have more than 10 actors?": [name for name, count in cast(movies).items() if count > 10],
        'Which movies have a tagline that contains "love"?': [
            name for name in movies if "love" in graph.nodes[name].get("tagline", "").lower()
        ],
        "Which movies have been reviewed with a rating above 90?": praised,
        # ranking
        "What is the oldest movie?": _least(released),
        "Which movie is the most recent?": _greatest(released),
        "Who is the oldest person?": _least(born),
        "Who are the 3 youngest actors?": _greatest({p: year for p, year in born.items() if tails(p, acted)}, 3),
        "Who directed the most movies?": _greatest(doing(directed)),
        "Who produced the most movies?": _greatest(doing(produced)),
        "Which actor acted in the most movies?": _greatest(doing(acted)),
        "Which movie has the most actors?": _greatest(cast(movies)),
        "Which movie directed by Rob Reiner is the oldest?": _least(
            {name: released[name] for name in tails("Rob Reiner", directed)}
        ),
        "List the top 3 movies by number of reviewers.": _greatest(
            {name: len(heads(name, reviewed)) for name in movies if heads(name, reviewed)}, 3
        ),
        # totals
        "What is the average release year of movies with Tom Hanks?": [sum(released[x] for x in hanks) / len(hanks)],
        # leaving out
        "Which people wrote a movie but did not direct any?": [
            name for name in people if tails(name, wrote) and not tails(name, directed)
        ],
        "Which movies have not been reviewed and were released after 2006?": [
            name for name in between(2007, 9999) if not heads(name, reviewed)
        ],
        "Which movies with Tom Hanks were not directed by Ron Howard?": hanks - tails("Ron Howard", directed),
        # yes or no
        "Did Tom Hanks act in Apollo 13?": [True],
        "Did Keanu Reeves act in Apollo 13?": [False],
        "Was The Matrix released before 2000?": [True],
        "Which movies did Tom Hanks or Meg Ryan act in?": hanks | tails("Meg Ryan", acted),
    }
