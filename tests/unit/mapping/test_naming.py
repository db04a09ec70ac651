"""What names a node: the same for graphs that are mapped and for those that are loaded."""

from __future__ import annotations

import pytest

from kgqa_graphdb.mapping import NameProperty, Naming, choose_naming, name_keys, name_of
from kgqa_graphdb.mapping.naming import own_words


@pytest.mark.parametrize(
    ("labels", "properties", "name"),
    [
        (["Person"], {"Name": "Ann Lee"}, "Ann Lee"),
        (["Person"], {"full name": "Ben Ray"}, "Ben Ray"),
        (["Person"], {"FULL_NAME": "Ben Ray", "title": "Dr"}, "Ben Ray"),
        (["Person"], {"firstName": "Ben", "lastName": "Ray", "title": "Sales Manager"}, "Ben Ray"),
        (["Person"], {"given_name": "Ben", "Surname": "Ray"}, "Ben Ray"),
        (["Person"], {"first": "Ben", "last": "Ray"}, "Ben Ray"),
        (["Customer"], {"customerFirstName": "Ben", "customerLastName": "Ray"}, "Ben Ray"),
        (["Person"], {"name": "Ann", "surname": "Lee"}, "Ann Lee"),
        (["Person"], {"surname": "Lee", "name": "Ann Lee"}, "Ann Lee"),
        (["Person"], {"name": "Lee", "firstName": "Ann"}, "Ann Lee"),
        (["Person"], {"name": "alee", "firstName": "Ann", "lastName": "Lee"}, "Ann Lee"),
        (["Person"], {"name": "alee", "displayName": "Ann Lee"}, "Ann Lee"),
        (["Owner"], {"title": "Mr", "surname": "Ray"}, "Ray"),
        (["Owner"], {"title": "Dr", "given name": "Ben"}, "Ben"),
        (["Owner"], {"ownerTitle": "Mrs", "ownerSurname": "Ray"}, "Ray"),
        (["Film"], {"name": "Alien", "title": "A Film"}, "Alien"),
        (["Film"], {"Title": "A Film", "year": 1999}, "A Film"),
        (["Film"], {"title": 1984}, "1984"),
        (["Product"], {"productName": "Chai", "supplierID": "7"}, "Chai"),
        (["Supplier"], {"companyName": "Exotic Liquids", "contactName": "Charlotte Cooper"}, "Exotic Liquids"),
        ([], {"company_name": "Exotic Liquids"}, "Exotic Liquids"),
        (["Order"], {"shipName": "Ernst Handel", "orderID": "10248"}, ""),
        (["Order"], {"companyName": "Exotic Liquids", "companyId": "4"}, ""),
        (["Order"], {"companyName": "Exotic Liquids", "productName": "Chai"}, ""),
        (["Person"], {"name": "", "nick": "Ann"}, ""),
        (["Film"], {"name": True}, ""),
    ],
)
def test_a_node_is_called_what_people_call_it(labels: list[str], properties: dict[str, object], name: str) -> None:
    assert name_of(labels, properties) == name


def test_a_shared_rule_keeps_the_keys_as_they_are_written() -> None:
    assert name_keys(["Person"], {"Last Name": "Ray", "First Name": "Ben"}) == ("First Name", "Last Name")


def test_titles_that_hardly_differ_name_nothing() -> None:
    title = NameProperty("title", spaced=True, different=0.1, present=100)
    assert choose_naming(("Post",), (title,)) == Naming()


def test_of_a_sample_a_name_that_mostly_differs_is_the_nodes_own() -> None:
    ship = NameProperty("shipName", different=0.4, present=100)
    lake = NameProperty("lakeName", different=0.95, present=90)
    assert choose_naming(("Trip",), (ship, lake)) == Naming(("lakeName",))
    assert choose_naming(("Order",), (ship,)) == Naming()


@pytest.mark.parametrize("keys", [("companyName", "contactName"), ("contactName", "companyName")])
def test_a_company_is_not_called_by_its_contact(keys: tuple[str, str]) -> None:
    both = tuple(NameProperty(key, different=1.0, present=29) for key in keys)
    assert choose_naming(("Supplier",), both) == Naming(("companyName",))


def test_of_names_that_differ_the_first_is_taken_where_nothing_tells_them_apart() -> None:
    both = tuple(NameProperty(key, different=1.0, present=29) for key in ("lakeName", "riverName"))
    assert choose_naming(("Trip",), both) == Naming(("lakeName",))


def test_a_surname_is_an_alias() -> None:
    first, last = NameProperty("firstName"), NameProperty("surname")
    assert choose_naming(("Person",), (first, last)) == Naming(("firstName", "surname"), ("surname",))
    name = NameProperty("name", spaced=False)
    assert choose_naming(("Person",), (name, last)) == Naming(("name", "surname"), ("surname",))


def test_a_form_of_address_names_nobody_though_it_differs() -> None:
    title, last = NameProperty("title", different=1.0, present=2), NameProperty("surname", different=1.0, present=2)
    assert choose_naming(("Owner",), (title, last)) == Naming(("surname",))
    assert choose_naming(("Owner",), (title, NameProperty("surname", different=0.2, present=9))) == Naming()


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("Order", ("order",)),
        ("SalesOrder", ("salesorder", "order")),
        ("vip_bank_account", ("vipbankaccount", "bankaccount", "account")),
    ],
)
def test_a_compound_label_is_called_by_its_head_noun_too(label: str, words: tuple[str, ...]) -> None:
    assert own_words(label) == words
