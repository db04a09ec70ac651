"""Our questions to northwind and to the movies, with answers from pandas and networkx alone.

``python -m tests.neo4j.property_graph_questions`` writes them to ``questions/``, from the data in ``KGQA_DATA``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import networkx as nx  # noqa: TID253  # tests that need no data never import this
import pandas as pd  # noqa: TID253

from tests.neo4j.property_graphs import data_folder, movies_graph, northwind_tables

FOLDER = Path(__file__).parent / "questions"
Answers = Iterable[Any]


class Northwind:
    """Northwind's tables, joined."""

    def __init__(self, tables: dict[str, pd.DataFrame]) -> None:
        people = tables["employees"].assign(
            employee=lambda t: t.firstName + " " + t.lastName, boss=lambda t: t.reportsTo
        )
        self.people = people.merge(
            people[["employeeID", "employee"]].rename(columns={"employeeID": "boss", "employee": "manager"}), "left"
        )
        self.products = (
            tables["products"]
            .merge(tables["categories"][["categoryID", "categoryName"]])
            .merge(tables["suppliers"].add_prefix("s_"), left_on="supplierID", right_on="s_supplierID")
        )
        self.customers, self.suppliers, self.shippers = tables["customers"], tables["suppliers"], tables["shippers"]
        self.orders = (
            tables["orders"]
            .merge(self.customers[["customerID", "companyName"]].rename(columns={"companyName": "customer"}))
            .merge(people[["employeeID", "employee"]])
            .merge(
                self.shippers[["shipperID", "companyName"]].rename(
                    columns={"shipperID": "shipVia", "companyName": "shipper"}
                )
            )
        )
        self.lines = (
            tables["order-details"]
            .merge(self.products[["productID", "productName", "categoryName", "s_companyName"]])
            .merge(self.orders[["orderID", "customer", "employee", "shipper"]])
        )
        self.regions = (
            tables["employee-territories"]
            .merge(tables["territories"])
            .merge(tables["regions"])
            .merge(people[["employeeID", "employee"]])
        )

    def of(self, table: str, column: str, **where: str) -> list[str]:
        """The values of a column in the rows where some others are as given."""
        rows = getattr(self, table)
        for key, value in where.items():
            rows = rows[rows[key] == value]
        return [value for value in rows[column] if value != ""]

    def both(self, table: str, column: str, *conditions: dict[str, str]) -> set[str]:
        """Those that meet every condition, each in some row."""
        return set.intersection(*(set(self.of(table, column, **where)) for where in conditions))


def northwind_answers(n: Northwind) -> dict[str, Answers]:
    """Question → answers."""
    of, both = n.of, n.both
    return {
        # properties
        "What does Chai cost?": of("products", "unitPrice", productName="Chai"),
        "What is the unit price of Tofu?": of("products", "unitPrice", productName="Tofu"),
        "How many units of Chang are in stock?": of("products", "unitsInStock", productName="Chang"),
        "What is the reorder level of Ikura?": of("products", "reorderLevel", productName="Ikura"),
        "What is the quantity per unit of Konbu?": of("products", "quantityPerUnit", productName="Konbu"),
        "What is the phone number of Exotic Liquids?": of("suppliers", "phone", companyName="Exotic Liquids"),
        "In which city is Tokyo Traders?": of("suppliers", "city", companyName="Tokyo Traders"),
        "Which country is Around the Horn in?": of("customers", "country", companyName="Around the Horn"),
        "Who is the contact of Alfreds Futterkiste?": of("customers", "contactName", companyName="Alfreds Futterkiste"),
        "What is the job title of Nancy Davolio?": of("people", "title", employee="Nancy Davolio"),
        "When was Andrew Fuller hired?": of("people", "hireDate", employee="Andrew Fuller"),
        "What is the birth date of Anne Dodsworth?": of("people", "birthDate", employee="Anne Dodsworth"),
        "What is the freight of order 10248?": of("orders", "freight", orderID="10248"),
        "When was order 10249 shipped?": of("orders", "shippedDate", orderID="10249"),
        "What is the postal code of Michael Suyama?": of("people", "postalCode", employee="Michael Suyama"),
        # one hop
        "Who supplies Chai?": of("products", "s_companyName", productName="Chai"),
        "Which products does Tokyo Traders supply?": of("products", "productName", s_companyName="Tokyo Traders"),
        "What category is Tofu in?": of("products", "categoryName", productName="Tofu"),
        "Which products are in the category Seafood?": of("products", "productName", categoryName="Seafood"),
        "Who placed order 10250?": of("orders", "customer", orderID="10250"),
        "Which customer purchased order 10251?": of("orders", "customer", orderID="10251"),
        "Which employee sold order 10252?": of("orders", "employee", orderID="10252"),
        "Which shipper shipped order 10253?": of("orders", "shipper", orderID="10253"),
        "Which orders did Around the Horn purchase?": of("orders", "orderID", customer="Around the Horn"),
        "Who does Nancy Davolio report to?": of("people", "manager", employee="Nancy Davolio"),
        "Who reports to Steven Buchanan?": of("people", "employee", manager="Steven Buchanan"),
        "Which territories does Janet Leverling cover?": of(
            "regions", "territoryDescription", employee="Janet Leverling"
        ),
        "Which region is Boston in?": of("regions", "regionDescription", territoryDescription="Boston"),
        # order lines
        "Which products are in order 10248?": of("lines", "productName", orderID="10248"),
        "Which orders contain Gravad lax?": of("lines", "orderID", productName="Gravad lax"),
        "How many Chai were in order 10285?": of("lines", "quantity", orderID="10285", productName="Chai"),
        "What was the quantity of Queso Cabrales in order 10248?": of(
            "lines", "quantity", orderID="10248", productName="Queso Cabrales"
        ),
        "What was the unit price of Tofu in order 10249?": of(
            "lines", "unitPrice", orderID="10249", productName="Tofu"
        ),
        "What discount was given on Geitost in order 10252?": of(
            "lines", "discount", orderID="10252", productName="Geitost"
        ),
        # two and three hops
        "Which suppliers supply products in the category Condiments?": of(
            "products", "s_companyName", categoryName="Condiments"
        ),
        "In which country is the supplier of Chai?": of("products", "s_country", productName="Chai"),
        "Which categories does Exotic Liquids supply?": of("products", "categoryName", s_companyName="Exotic Liquids"),
        "Which customers bought Chartreuse verte?": of("lines", "customer", productName="Chartreuse verte"),
        "Which products did Du monde entier buy?": of("lines", "productName", customer="Du monde entier"),
        "Which products has Anne Dodsworth sold?": of("lines", "productName", employee="Anne Dodsworth"),
        "Which shippers shipped orders of Centro comercial Moctezuma?": of(
            "orders", "shipper", customer="Centro comercial Moctezuma"
        ),
        "Which regions does Robert King cover?": of("regions", "regionDescription", employee="Robert King"),
        "Who is the manager of the employee who sold order 10248?": of(
            "people", "manager", employee=of("orders", "employee", orderID="10248")[0]
        ),
        "Which categories of products are in order 10250?": of("lines", "categoryName", orderID="10250"),
        "Who supplies the products in order 10248?": of("lines", "s_companyName", orderID="10248"),
        # two topics
        "Which products in the category Beverages does Exotic Liquids supply?": of(
            "products", "productName", categoryName="Beverages", s_companyName="Exotic Liquids"
        ),
        "Which orders of Around the Horn did Laura Callahan sell?": of(
            "orders", "orderID", customer="Around the Horn", employee="Laura Callahan"
        ),
        "Which orders contain both Chang and Pavlova?": both(
            "lines", "orderID", {"productName": "Chang"}, {"productName": "Pavlova"}
        ),
        "Which customers bought both Ikura and Konbu?": both(
            "lines", "customer", {"productName": "Ikura"}, {"productName": "Konbu"}
        ),
        "Which orders of Ernst Handel were shipped by Speedy Express?": of(
            "orders", "orderID", customer="Ernst Handel", shipper="Speedy Express"
        ),
    }


class Movies:
    """The movies as a graph."""

    def __init__(self, graph: nx.MultiDiGraph) -> None:
        self.graph = graph

    def tails(self, heads: str | Iterable[str], type_: str) -> set[str]:
        """What some nodes lead to."""
        names = {heads} if isinstance(heads, str) else set(heads)
        return {tail for head in names for _, tail, key in self.graph.out_edges(head, keys=True) if key == type_}

    def heads(self, tails: str | Iterable[str], type_: str) -> set[str]:
        """What leads to some nodes."""
        names = {tails} if isinstance(tails, str) else set(tails)
        return {head for tail in names for head, _, key in self.graph.in_edges(tail, keys=True) if key == type_}

    def held(self, node: str, key: str) -> list[Any]:
        """A property of a node."""
        return [self.graph.nodes[node][key]]

    def told(self, head: str, type_: str, tail: str, key: str) -> list[Any]:
        """A property of a relationship: one value or several."""
        value = self.graph.edges[head, tail, type_][key]
        return value if isinstance(value, list) else [value]


def movies_answers(m: Movies) -> dict[str, Answers]:
    """Question → answers."""
    tails, heads, held, told = m.tails, m.heads, m.held, m.told
    acted, directed, produced, wrote, reviewed = "ACTED_IN", "DIRECTED", "PRODUCED", "WROTE", "REVIEWED"
    return {
        # properties
        "When was The Matrix released?": held("The Matrix", "released"),
        "When was Tom Hanks born?": held("Tom Hanks", "born"),
        "What is the tagline of Top Gun?": held("Top Gun", "tagline"),
        "In which year was Keanu Reeves born?": held("Keanu Reeves", "born"),
        "What year did Cloud Atlas come out?": held("Cloud Atlas", "released"),
        "What is the slogan of Twister?": held("Twister", "tagline"),
        # one hop
        "Who directed The Matrix?": heads("The Matrix", directed),
        "Who acted in Apollo 13?": heads("Apollo 13", acted),
        "Which movies did Tom Hanks act in?": tails("Tom Hanks", acted),
        "Who wrote A Few Good Men?": heads("A Few Good Men", wrote),
        "Who produced Cloud Atlas?": heads("Cloud Atlas", produced),
        "What did Joel Silver produce?": tails("Joel Silver", produced),
        "Which movies did Ron Howard direct?": tails("Ron Howard", directed),
        "Who reviewed The Da Vinci Code?": heads("The Da Vinci Code", reviewed),
        "Which movies did Jessica Thompson review?": tails("Jessica Thompson", reviewed),
        "Who does James Thompson follow?": tails("James Thompson", "FOLLOWS"),
        "Who follows Jessica Thompson?": heads("Jessica Thompson", "FOLLOWS"),
        "Which movies did Nora Ephron write?": tails("Nora Ephron", wrote),
        "Who starred in Top Gun?": heads("Top Gun", acted),
        "Who is the director of Cast Away?": heads("Cast Away", directed),
        "Who are the actors of The Green Mile?": heads("The Green Mile", acted),
        "Who was the writer of Jerry Maguire?": heads("Jerry Maguire", wrote),
        "Which films were directed by Rob Reiner?": tails("Rob Reiner", directed),
        # relationship properties
        "What role did Keanu Reeves play in The Matrix?": told("Keanu Reeves", acted, "The Matrix", "roles"),
        "Which roles did Tom Hanks play in The Polar Express?": told("Tom Hanks", acted, "The Polar Express", "roles"),
        "What rating did Jessica Thompson give Cloud Atlas?": told(
            "Jessica Thompson", reviewed, "Cloud Atlas", "rating"
        ),
        "What did James Thompson say in his summary of The Replacements?": told(
            "James Thompson", reviewed, "The Replacements", "summary"
        ),
        "How did Angela Scope rate The Replacements?": told("Angela Scope", reviewed, "The Replacements", "rating"),
        # two and three hops
        "Who directed the movies that Tom Cruise acted in?": heads(tails("Tom Cruise", acted), directed),
        "Who acted in movies directed by Ron Howard?": heads(tails("Ron Howard", directed), acted),
        "Which movies were written by the director of The Matrix?": tails(heads("The Matrix", directed), wrote),
        "When were the movies directed by Nora Ephron released?": [
            held(movie, "released")[0] for movie in tails("Nora Ephron", directed)
        ],
        "Who acted together with Meg Ryan?": heads(tails("Meg Ryan", acted), acted) - {"Meg Ryan"},
        "When was the director of Jerry Maguire born?": [
            held(person, "born")[0] for person in heads("Jerry Maguire", directed)
        ],
        "Which movies did the people that follow Jessica Thompson review?": tails(
            heads("Jessica Thompson", "FOLLOWS"), reviewed
        ),
        "Who directed the movies that Jessica Thompson reviewed?": heads(tails("Jessica Thompson", reviewed), directed),
        "Who produced the movies that Keanu Reeves acted in?": heads(tails("Keanu Reeves", acted), produced),
        "Which people wrote movies that Joel Silver produced?": heads(tails("Joel Silver", produced), wrote),
        "Which other movies did the actors of Twister act in?": tails(heads("Twister", acted), acted) - {"Twister"},
        # two topics
        "Which movies did both Tom Hanks and Meg Ryan act in?": tails("Tom Hanks", acted) & tails("Meg Ryan", acted),
        "Which movies directed by Ron Howard did Tom Hanks act in?": tails("Ron Howard", directed)
        & tails("Tom Hanks", acted),
        "Who acted in both The Matrix and The Devil's Advocate?": heads("The Matrix", acted)
        & heads("The Devil's Advocate", acted),
        "Which movies did Lilly Wachowski direct and Joel Silver produce?": tails("Lilly Wachowski", directed)
        & tails("Joel Silver", produced),
        "Who reviewed both The Da Vinci Code and The Replacements?": heads("The Da Vinci Code", reviewed)
        & heads("The Replacements", reviewed),
    }


def made_questions(answers: Callable[[Any], dict[str, Answers]], graph: Any) -> list[dict[str, Any]]:
    """Questions as our JSON lines have them, answers as sorted texts without repeats."""
    return [
        {"question": question, "answers": sorted({as_text(one) for one in found})}
        for question, found in answers(graph).items()
    ]


def as_text(value: Any) -> str:
    """A value as it is compared: whole numbers without a point, dates without a time of day."""
    text = str(value).removesuffix(" 00:00:00.000")
    try:
        number = float(text)
    except ValueError:
        return {"True": "yes", "False": "no"}.get(text, text)
    return str(int(number)) if number == int(number) else str(round(number, 6))


def read_questions(name: str) -> list[dict[str, Any]]:
    """The questions of a file."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def all_questions() -> dict[str, list[dict[str, Any]]]:
    """The questions of each file."""
    from tests.neo4j.narrowed_questions import movies_narrowed, northwind_narrowed
    from tests.neo4j.operator_questions import movies_operators, northwind_operators

    northwind = Northwind(northwind_tables(data_folder("northwind")))
    movies = Movies(movies_graph(data_folder("movies")))
    return {
        "northwind": made_questions(northwind_answers, northwind),
        "northwind_operators": made_questions(northwind_operators, northwind),
        "northwind_narrowed": made_questions(northwind_narrowed, northwind),
        "movies": made_questions(movies_answers, movies),
        "movies_operators": made_questions(movies_operators, movies),
        "movies_narrowed": made_questions(movies_narrowed, movies),
    }


def main() -> None:
    """Write the files."""
    for name, questions in all_questions().items():
        lines = [json.dumps(entry, ensure_ascii=False) for entry in questions]
        (FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
