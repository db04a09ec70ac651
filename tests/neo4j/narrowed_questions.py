"""Our questions with narrowed measures, entities named twice, comparisons with others and groups, to two graphs.

The answers are from pandas and networkx alone.
``python -m tests.neo4j.property_graph_questions`` writes them to ``questions/``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pandas as pd  # noqa: TID253  # tests that need no data never import this

from tests.neo4j.operator_questions import _greatest
from tests.neo4j.property_graph_questions import Answers, Movies, Northwind


def northwind_narrowed(n: Northwind) -> dict[str, Answers]:
    """Question → answers."""
    products, customers, suppliers, people = n.products, n.customers, n.suppliers, n.people
    orders = n.orders.assign(freight=n.orders.freight.astype(float), year=n.orders.orderDate.str[:4])
    products = products.assign(price=products.unitPrice.astype(float), again=products.reorderLevel.astype(float))
    price = dict(zip(products.productName, products.price, strict=True))
    supplied = products.groupby("s_companyName").productID.nunique()
    in_1997 = orders[orders.year == "1997"].groupby("customer").orderID.nunique()
    to_germany = orders[orders.shipCountry == "Germany"].groupby("customer").freight.sum().to_dict()
    freight_of = orders.set_index("orderID").freight
    hired = people.set_index("employee").hireDate
    around = customers.set_index("companyName").city["Around the Horn"]

    def counted(rows: pd.DataFrame, by: str) -> dict[str, int]:
        return rows.groupby(by).productID.nunique().to_dict()

    def at_least(counts: dict[str, int], least: int) -> list[str]:
        return [name for name, count in counts.items() if count >= least]

    seafood = products[products.categoryName == "Seafood"]
    countries = customers.groupby("country").customerID.nunique()
    return {
        # narrowed measures
        "Which customer has the highest total freight for orders shipped to Germany?": _greatest(to_germany),
        "Which category has the most discontinued products?": _greatest(
            counted(products[products.discontinued == "1"], "categoryName")
        ),
        "Which 3 customers placed the most orders in 1997?": _greatest(in_1997.to_dict(), 3),
        "Which customers placed more than 10 orders in 1997?": at_least(in_1997.to_dict(), 11),
        "Which suppliers supply at least 2 products in the Seafood category?": at_least(
            counted(seafood, "s_companyName"), 2
        ),
        "Which category has the most products that cost more than 30?": _greatest(
            counted(products[products.price > 30], "categoryName")
        ),
        "Which 2 categories have the most products with a reorder level above 15?": _greatest(
            counted(products[products.again > 15], "categoryName"), 2
        ),
        # comparisons with others
        "Which products are cheaper than Chai?": [name for name, one in price.items() if one < price["Chai"]],
        "Which products are more expensive than the average?": [
            name for name, one in price.items() if one > products.price.mean()
        ],
        "Which products in the Seafood category have a unit price above the average?": [
            name for name in seafood.productName if price[name] > products.price.mean()
        ],
        "Which products have the same unit price as Chai?": [
            name for name, one in price.items() if one == price["Chai"] and name != "Chai"
        ],
        "Which customers are in the same city as Around the Horn?": set(customers[customers.city == around].companyName)
        - {"Around the Horn"},
        "Which suppliers supply more products than Exotic Liquids?": supplied[
            supplied > supplied["Exotic Liquids"]
        ].index,
        "Which orders have a higher freight than order 10372?": freight_of[freight_of > freight_of["10372"]].index,
        "Which employees were hired before Nancy Davolio?": hired[hired < hired["Nancy Davolio"]].index,
        "Is Chai cheaper than Chang?": [price["Chai"] < price["Chang"]],
        "Is Chai more expensive than 20?": [price["Chai"] > 20],
        # groups
        "Which countries have more than 5 customers?": countries[countries > 5].index,
        "Which country has the most customers?": _greatest(countries.to_dict()),
        "In which year were the most orders placed?": _greatest(Counter(orders.year)),
        "How many orders were placed in each year?": set(orders.year),
        "How many suppliers are there per country?": set(suppliers.country),
        "What is the average unit price per category?": set(products.categoryName),
        "What are the 3 most common ship cities of orders?": _greatest(Counter(orders.shipCity), 3),
        # two topics, each in a condition of its own
        "Which products of Exotic Liquids are in the Beverages category and cost less than 18.5?": [
            name
            for name in products[
                (products.s_companyName == "Exotic Liquids") & (products.categoryName == "Beverages")
            ].productName
            if price[name] < 18.5
        ],
    }


def movies_narrowed(m: Movies) -> dict[str, Answers]:
    """Question → answers."""
    graph, tails, heads = m.graph, m.tails, m.heads
    movies = [name for name, held in graph.nodes(data=True) if held["label"] == "Movie"]
    people = [name for name, held in graph.nodes(data=True) if held["label"] == "Person"]
    released = {name: graph.nodes[name]["released"] for name in movies}
    born = {name: graph.nodes[name]["born"] for name in people if "born" in graph.nodes[name]}
    acted, directed, produced, wrote = "ACTED_IN", "DIRECTED", "PRODUCED", "WROTE"

    def doing(type_: str, among: Iterable[str]) -> dict[str, int]:
        counts = {name: len(set(tails(name, type_)) & set(among)) for name in people}
        return {name: count for name, count in counts.items() if count}

    def since(year: int) -> list[str]:
        return [name for name in movies if released[name] >= year]

    def both(one: str, other: str) -> dict[str, set[str]]:
        met = {name: set(tails(name, one)) & set(tails(name, other)) for name in people}
        return {name: shared for name, shared in met.items() if shared}

    years = Counter(released.values())
    mean = sum(released.values()) / len(released)
    hanks = born["Tom Hanks"]
    return {
        # narrowed measures
        "Which actor acted in the most movies released after 2000?": _greatest(doing(acted, since(2001))),
        "Who directed the most movies released in the 1990s?": _greatest(
            doing(directed, set(since(1990)) - set(since(2000)))
        ),
        "Which people acted in more than 3 movies that were released after 1999?": [
            name for name, count in doing(acted, since(2000)).items() if count > 3
        ],
        "Which actors acted in at least 2 movies directed by Ron Howard?": [
            name for name, count in doing(acted, tails("Ron Howard", directed)).items() if count > 1
        ],
        "Which movie has the most actors born after 1960?": _greatest(
            {name: sum(born.get(one, 0) > 1960 for one in heads(name, acted)) for name in movies}
        ),
        "Which movies were directed by people born before 1945?": {
            movie for name, year in born.items() if year < 1945 for movie in tails(name, directed)
        },
        # one entity twice
        "Which people directed and acted in the same movie?": both(directed, acted),
        "Which people wrote and directed the same movie?": both(wrote, directed),
        "Which movies were directed and produced by the same person?": set().union(*both(directed, produced).values()),
        "Which directors have also acted in the movies they directed?": both(directed, acted),
        "Who wrote and directed the same movie released after 2000?": [
            name for name, shared in both(wrote, directed).items() if shared & set(since(2001))
        ],
        "List the movies where the director and the writer are the same person.": set().union(
            *both(directed, wrote).values()
        ),
        # comparisons with others
        "Which movies were released in the same year as The Matrix?": [
            name for name in movies if released[name] == released["The Matrix"] and name != "The Matrix"
        ],
        "Which people are older than Tom Hanks?": [name for name, year in born.items() if year < hanks],
        "Who was born after Keanu Reeves?": [name for name, year in born.items() if year > born["Keanu Reeves"]],
        "Which movies that Tom Hanks acted in were released before Apollo 13?": [
            name for name in tails("Tom Hanks", acted) if released[name] < released["Apollo 13"]
        ],
        "Which movies are older than the average?": [name for name in movies if released[name] < mean],
        "Is Tom Hanks older than Meg Ryan?": [hanks < born["Meg Ryan"]],
        "Was The Matrix released before Cast Away?": [released["The Matrix"] < released["Cast Away"]],
        # groups
        "How many movies were released in each year?": set(years),
        "In which year were the most movies released?": _greatest(years),
        "Which years had more than 3 movies?": [year for year, count in years.items() if count > 3],
        "How many movies did each director direct?": doing(directed, movies),
        # yes or no
        "Did Tom Hanks act in Cast Away?": ["Cast Away" in tails("Tom Hanks", acted)],
        # two topics, each in a condition of its own
        "Which movies that Keanu Reeves acted in were directed by Lana Wachowski and released after 2000?": [
            name
            for name in set(tails("Keanu Reeves", acted)) & set(tails("Lana Wachowski", directed))
            if released[name] > 2000
        ],
    }
