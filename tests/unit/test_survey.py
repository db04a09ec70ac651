"""What is proposed for a schema that somebody else made, from what a survey of it found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kgqa_graphdb.compile import hop_statement
from kgqa_graphdb.errors import ConfigError, UsageError
from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.mapping.hops import check_path, hops_of
from kgqa_graphdb.mapping.next_steps import NextByLabel
from kgqa_graphdb.survey import (
    Around,
    FulltextIndex,
    LabelSurvey,
    Nameless,
    Property,
    Survey,
    TypeSurvey,
    names_index,
    propose,
    propose_mapping,
)

TEXT, NUMBER = frozenset({"STRING"}), frozenset({"INTEGER"})


def prop(key: str, types: frozenset[str] = TEXT, present: int = 10, different: int = 10) -> Property:
    return Property(key, types, present, different)


def kind(label: str, *properties: Property, unique: tuple[str, ...] = ()) -> EntityKind:
    """The entity kind proposed for a label of ten nodes."""
    found = Survey((LabelSurvey(label, 10, 10, properties, unique),), (), ())
    return propose_mapping("g", found).entities[0]


def test_a_unique_property_is_the_key_before_one_that_is_called_so() -> None:
    assert kind("Film", prop("id"), prop("imdb"), unique=("imdb",)).key == "imdb"


def test_without_constraints_the_labels_own_id_is_the_key() -> None:
    assert kind("Order", prop("customerID"), prop("orderID", NUMBER)).key == "orderID"


@pytest.mark.parametrize("properties", [(prop("id", different=9),), (prop("id", present=9, different=9),)])
def test_an_id_that_repeats_or_is_missing_is_no_key(properties: tuple[Property, ...]) -> None:
    assert kind("Film", *properties).key is None


def test_a_postal_code_is_no_key_and_a_products_own_code_is() -> None:
    assert kind("Shop", prop("postalCode")).key is None
    assert kind("Product", prop("postalCode"), prop("productCode")).key == "productCode"


@pytest.mark.parametrize(
    ("label", "key"),
    [
        ("SalesOrder", "orderNumber"),
        ("PurchaseInvoice", "invoice_no"),
        ("BankAccount", "accountId"),
        ("Order", "orderCode"),
    ],
)
def test_the_number_of_a_labels_head_noun_is_its_key(label: str, key: str) -> None:
    assert kind(label, prop(key), prop("amount", NUMBER)).key == key
    assert kind(label, prop(key, different=8), prop("amount", NUMBER)).key is None
    assert kind("Ticket", prop("orderNumber"), prop("invoice_no"), prop("orderCode")).key is None


def test_a_name_whose_values_all_differ_is_the_last_resort_for_a_key() -> None:
    assert kind("Film", prop("title")) == EntityKind("Film", "title", ("title",))


def test_a_job_title_is_not_the_name_of_who_has_first_and_last_name() -> None:
    found = kind("Employee", prop("title"), prop("first_name"), prop("last_name"))
    assert (found.names, found.aliases) == (("first_name", "last_name"), ("last_name",))


def test_a_name_that_many_share_is_not_the_name_of_the_node() -> None:
    assert kind("Order", prop("shipName", different=4)).names == ()
    assert kind("Customer", prop("companyName")).names == ("companyName",)


ORDERS = TypeSurvey(
    "ORDERS", 3, ("Order",), ("Product",), (prop("quantity", NUMBER), prop("place", frozenset({"POINT"})))
)
SUPPLIES = TypeSurvey("SUPPLIES", 2, ("Supplier",), ("Product",), (prop("quantity", NUMBER),))
SHOP = Survey(
    (
        LabelSurvey("Order", 10, 10, (prop("ORDERS", NUMBER), prop("id", NUMBER)), ("id",)),
        LabelSurvey("Product", 10, 10, (prop("name"), prop("price", frozenset({"FLOAT"}))), ()),
        LabelSurvey("Supplier", 10, 10, (prop("name"), prop("vector", frozenset({"LIST<FLOAT>"}))), ()),
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
    return hop_statement(mapping, hop, 5, ordered=False).text


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


# ── what is read, and what is a thing of its own ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("property_", "why"),
    [
        (prop("passwordHash"), "secret"),
        (prop("api_key"), "secret"),
        (prop("accessToken"), "secret"),
        (prop("embedding", frozenset({"LIST<FLOAT>"})), "vector"),
        (prop("scores", frozenset({"LIST<FLOAT>"})), "vector"),
        (prop("spot", frozenset({"POINT"})), "POINT"),
        (Property("photo", TEXT, 10, 10, mean_size=900.0, longest=990, unbroken=9), "encoded"),
        (Property("biography", TEXT, 10, 10, mean_size=450.0, longest=900), "long texts"),
        (prop("_version", NUMBER), "internal"),
    ],
)
def test_what_is_no_answer_is_left_out_with_its_reason(property_: Property, why: str) -> None:
    found = Survey((LabelSurvey("Person", 10, 10, (prop("name"), property_), ()),), (), ())
    proposal = propose("g", found)
    assert proposal.mapping.relations == ()
    assert [(one.holder, one.key) for one in proposal.left_out] == [("Person", property_.key)]
    assert why in proposal.left_out[0].why


@pytest.mark.parametrize("key", ["hashtag", "tokenized", "salted", "monkey", "secretary", "pinned"])
def test_words_that_only_sound_secret_are_read(key: str) -> None:
    found = Survey((LabelSurvey("Person", 10, 10, (prop("name"), prop(key)), ()),), (), ())
    assert [relation.id for relation in propose("g", found).mapping.relations] == [key]


def test_a_number_is_the_name_of_what_has_an_opaque_key() -> None:
    opaque = Property("id", TEXT, 10, 10, mean_size=36.0)
    assert kind("Invoice", opaque, prop("invoiceNumber", NUMBER)) == EntityKind("Invoice", "id", ("invoiceNumber",))
    assert kind("Invoice", prop("invoiceId", NUMBER), prop("number", NUMBER)).names == ()


def test_a_short_description_names_what_has_no_other_name() -> None:
    short = Property("regionDescription", TEXT, 4, 4, mean_size=7.0, lettered=4)
    assert kind("Region", short, prop("regionID", NUMBER)).names == ("regionDescription",)
    assert kind("Region", replace(short, mean_size=120.0)).names == ()
    assert kind("Region", replace(short, lettered=0)).names == ()


NAMELY = {"mean_size": 9.0, "lettered": 10, "worded": 10, "spaced": 6}
"""What texts that read as names are like."""


@pytest.mark.parametrize("key", ["id", "entity_id", "personId"])
def test_an_id_that_reads_as_a_name_is_the_name(key: str) -> None:
    named = Property(key, TEXT, 10, 10, **NAMELY)
    about = Property("description", TEXT, 10, 10, mean_size=40.0, lettered=10, worded=10)
    kinds = kind("Person", named, about, Property("entity_type", TEXT, 10, 2))
    assert (kinds.key, kinds.names) == (key, (key,))
    found = Survey((LabelSurvey("Person", 10, 10, (named, about), ()),), (), ())
    assert [relation.id for relation in propose_mapping("g", found).relations] == ["description"]


def test_an_id_that_is_a_code_names_nothing_and_one_that_reads_well_no_more_than_a_title_does() -> None:
    assert kind("Person", Property("id", TEXT, 10, 10, mean_size=36.0, lettered=9)).names == ()
    slug, title = Property("id", TEXT, 10, 10, **NAMELY), Property("title", TEXT, 10, 10, **NAMELY)
    assert kind("Film", slug, title).names == ("title",)


def test_first_names_are_no_whole_names() -> None:
    single = Property("name", TEXT, 10, 8, mean_size=5.0, lettered=10, worded=10, spaced=0)
    found = kind("Person", single, prop("surname"))
    assert (found.names, found.aliases) == (("name", "surname"), ("surname",))
    assert kind("Person", replace(single, spaced=10), prop("surname")).names == ("name",)
    assert kind("Person", prop("Full Name")).names == ("Full Name",)


def test_a_film_that_is_called_by_a_number_keeps_the_titles_of_all() -> None:
    assert kind("Film", prop("title", TEXT | NUMBER)).names == ("title",)


@pytest.mark.parametrize("key", ["registration", "Number Plate", "address", "postcode", "carReference"])
def test_what_has_no_name_is_called_by_its_code_which_stays_a_property(key: str) -> None:
    found = Survey(
        (LabelSurvey("Car", 10, 10, (prop("id", NUMBER), prop(key), prop("colour", different=3)), ()),), (), ()
    )
    mapping = propose_mapping("g", found)
    assert [(one.key, one.names) for one in mapping.entities] == [("id", (key,))]
    assert {relation.type for relation in mapping.relations} == {key, "colour"}


def test_a_label_without_a_name_is_told_with_what_might_name_it() -> None:
    visits = (prop("id", NUMBER), prop("reason", different=7), prop("place", different=9), prop("token"))
    found = propose(
        "g",
        Survey((LabelSurvey("Visit", 10, 10, visits, ()), LabelSurvey("Film", 10, 10, (prop("name"),), ())), (), ()),
    )
    assert found.nameless == (Nameless("Visit", ("place", "reason"), "id"),)


def test_a_key_that_repeats_beyond_the_sample_is_none() -> None:
    label = LabelSurvey("Film", 5_000, 10, (prop("id"),), (), repeated=("id",))
    assert propose_mapping("g", Survey((label,), (), ())).entities[0].key is None


def around(type_: str, outgoing: bool, *others: str, nodes: int = 10, single: int = 10, double: int = 0) -> Around:
    return Around(type_, outgoing, nodes, single, double, tuple((label,) for label in others))


def joined(*properties: Property, label: str = "Stay", around_it: tuple[Around, ...]) -> tuple[str, ...]:
    """The labels that are walked through, of a hotel's."""
    labels = (
        LabelSurvey("Guest", 10, 10, (prop("name"),), ()),
        LabelSurvey("Room", 10, 10, (prop("roomNumber", NUMBER),), ()),
        LabelSurvey(label, 10, 10, properties, (), explored=10, around=around_it),
    )
    types = tuple(
        TypeSurvey(one.type, 10, *((label,), ends) if one.outgoing else (ends, (label,)), ())
        for one in around_it
        for ends in [one.others[0]]
    )
    return tuple(join.label for join in propose("hotel", Survey(labels, types, ())).joins)


BOTH = (around("HAS", False, "Guest"), around("IN", True, "Room"))


def test_a_node_between_two_entities_without_a_name_is_a_join_node() -> None:
    assert joined(prop("nights", NUMBER, different=3), around_it=BOTH) == ("Stay",)


def test_what_people_call_by_name_or_number_is_no_join_node() -> None:
    assert joined(prop("name"), around_it=BOTH) == ()
    assert joined(prop("stayNumber", NUMBER), around_it=BOTH) == ()
    assert joined(prop("stayItemNumber", NUMBER), label="StayItem", around_it=BOTH) == ("StayItem",)


def test_a_node_with_many_of_a_kind_around_it_is_no_join_node() -> None:
    assert joined(around_it=(BOTH[0], around("IN", True, "Room", single=4))) == ()
    assert joined(around_it=(BOTH[0], around("IN", True, "Room", nodes=3, single=3))) == ()


def test_two_of_a_kind_are_joined_and_one_takes_the_values() -> None:
    pair = joined(around_it=(around("BETWEEN", True, "Guest", single=0, double=10),))
    one = joined(prop("street"), around_it=(around("LIVES_AT", False, "Guest"),))
    assert pair == one == ("Stay",)
