"""What is recognised of a question that names no entity."""

from __future__ import annotations

from kgqa_graphdb.graph import Graph
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.methods.linked import give_up_unlinked
from kgqa_graphdb.methods.understood import recognised
from kgqa_graphdb.types import Question

SHOP = GraphMapping(
    graph="shop",
    entities=(EntityKind("Customer", "id", ("name",)), EntityKind("OrderLine", "id", ("id",))),
    relations=(
        make_relation("country", kind="property", heads=("Customer",)),
        make_relation("credit_limit", kind="property", heads=("Customer",)),
        make_relation("price", kind="property", heads=("OrderLine",)),
        make_relation("PLACED", heads=("Customer",), tails=("OrderLine",)),
    ),
)


def test_kinds_and_properties_are_recognised_and_an_example_is_given() -> None:
    found = recognised("Which customers gobble the country of an order line?", SHOP)
    assert found is not None
    assert found.nouns == {"customers": "Customer", "order line": "OrderLine"}
    assert found.properties == ("country",)
    assert found.has == ("country", "credit limit")
    assert found.example == "How many customers are there?"
    assert found.note == (
        "recognised in the question: 'customers' (all Customer) and 'order line' (all OrderLine), 'country'; "
        "Customer has: country, credit limit; "
        'this graph can be asked, for instance: "How many customers are there?"'
    )


def test_where_no_kind_is_named_the_reason_is_that_nothing_is_named() -> None:
    assert recognised("who did it?", SHOP) is None
    answer = give_up_unlinked("paths", Question("who did it?"), Graph(SHOP))
    assert answer.abstained == "no entity of graph 'shop' is named in the question"
    assert answer.notes == ()


def test_where_a_kind_is_named_the_reason_is_not_that_nothing_is_named() -> None:
    answer = give_up_unlinked("paths", Question("Which customers gobble?"), Graph(SHOP))
    assert answer.abstained == (
        "the question is about customers, but what it asks of them was not understood, and it names no entity"
    )
    assert "How many customers are there?" in answer.notes[0]
    given = give_up_unlinked("paths", Question("Which customers?", topics=("Nobody",)), Graph(SHOP))
    assert given.abstained == "graph 'shop' has no entity 'Nobody'"
