"""What is proposed for a schema that somebody else made, from what a survey of it found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kgqa_graphdb.compile import hop_statement
from kgqa_graphdb.errors import ConfigError, UsageError
from kgqa_graphdb.hops import check_path, hops_of
from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.next_steps import NextByLabel
from kgqa_graphdb.survey import (
    FulltextIndex,
    LabelSurvey,
    Property,
    Survey,
    TypeSurvey,
    names_index,
    propose_mapping,
)

TEXT, NUMBER = frozenset({"STRING"}), frozenset({"INTEGER"})


def held(key: str, types: frozenset[str] = TEXT, held: int = 10, different: int = 10) -> Property:
    return Property(key, types, held, different)


def kind(label: str, *properties: Property, unique: tuple[str, ...] = ()) -> EntityKind:
    """The entity kind proposed for a label of ten nodes."""
    found = Survey((LabelSurvey(label, 10, 10, properties, unique),), (), ())
    return propose_mapping("g", found).entities[0]


def test_a_unique_property_is_the_key_before_one_that_is_called_so() -> None:
    assert kind("Film", held("id"), held("imdb"), unique=("imdb",)).key == "imdb"


def test_without_constraints_the_labels_own_id_is_the_key() -> None:
    assert kind("Order", held("customerID"), held("orderID", NUMBER)).key == "orderID"


@pytest.mark.parametrize("properties", [(held("id", different=9),), (held("id", held=9, different=9),)])
def test_an_id_that_repeats_or_is_missing_is_no_key(properties: tuple[Property, ...]) -> None:
    assert kind("Film", *properties).key is None


def test_a_postal_code_is_no_key_and_a_products_own_code_is() -> None:
    assert kind("Shop", held("postalCode")).key is None
    assert kind("Product", held("postalCode"), held("productCode")).key == "productCode"


def test_a_name_whose_values_all_differ_is_the_last_resort_for_a_key() -> None:
    assert kind("Film", held("title")) == EntityKind("Film", "title", ("title",))


def test_a_job_title_is_not_the_name_of_who_has_first_and_last_name() -> None:
    found = kind("Employee", held("title"), held("first_name"), held("last_name"))
    assert (found.names, found.aliases) == (("first_name", "last_name"), ("last_name",))


def test_a_name_that_many_share_is_not_the_name_of_the_node() -> None:
    assert kind("Order", held("shipName", different=4)).names == ()
    assert kind("Customer", held("companyName")).names == ("companyName",)


ORDERS = TypeSurvey(
    "ORDERS", 3, ("Order",), ("Product",), (held("quantity", NUMBER), held("place", frozenset({"POINT"})))
)
SUPPLIES = TypeSurvey("SUPPLIES", 2, ("Supplier",), ("Product",), (held("quantity", NUMBER),))
SHOP = Survey(
    (
        LabelSurvey("Order", 10, 10, (held("ORDERS", NUMBER), held("id", NUMBER)), ("id",)),
        LabelSurvey("Product", 10, 10, (held("name"), held("price", frozenset({"FLOAT"}))), ()),
        LabelSurvey("Supplier", 10, 10, (held("name"), held("vector", frozenset({"LIST<FLOAT>"}))), ()),
    ),
    (ORDERS, SUPPLIES),
    (
        FulltextIndex("products", ("Product",), ("name",)),
        FulltextIndex("everything", ("Order", "Product", "Supplier"), ("name", "note")),
    ),
)


def test_only_texts_numbers_truths_and_dates_are_read() -> None:
    ids = {relation.id for relation in propose_mapping("shop", SHOP).relations}
    assert ids == {"ORDERS", "SUPPLIES", "property.ORDERS", "price", "ORDERS.quantity", "SUPPLIES.quantity"}


def test_a_full_text_index_is_used_when_it_covers_the_names_of_all_labels() -> None:
    assert propose_mapping("shop", SHOP).fulltext == "everything"
    assert propose_mapping("shop", Survey(SHOP.labels, SHOP.types, SHOP.indexes[:1])).fulltext == ""


def test_qualifiers_follow_their_own_edge_only() -> None:
    mapping = propose_mapping("shop", SHOP)
    assert set(NextByLabel(mapping)["<ORDERS"]) == {">ORDERS", ">property.ORDERS", ">ORDERS.quantity"}
    check_path((mapping.step(">ORDERS"), mapping.step(">ORDERS.quantity")))
    with pytest.raises(UsageError, match="belongs to a relationship"):
        check_path((mapping.step(">SUPPLIES"), mapping.step(">ORDERS.quantity")))


def hop_text(mapping: GraphMapping, code: str) -> str:
    (hop,) = hops_of(mapping, (mapping.step(code),))
    return hop_statement(mapping, hop, ["x"], 5, ordered=False).text


def test_a_qualifier_that_was_deleted_for_one_type_is_not_read_there() -> None:
    mapping = propose_mapping("shop", Survey(SHOP.labels, (ORDERS, replace(SUPPLIES, properties=())), ()))
    assert "r.`quantity`" in hop_text(mapping, ">ORDERS")
    assert "quantity" not in hop_text(mapping, ">SUPPLIES")


def test_names_with_backticks_are_quoted_in_the_index() -> None:
    text = names_index("a`b", [EntityKind("Odd `label`", None, ("the `name`",))]).text
    assert "`a``b`" in text
    assert "n:`Odd ``label```" in text
    with pytest.raises(ConfigError, match="looks like a name"):
        names_index("x", [EntityKind("Order", "id", ())])
