"""Nodes with labels and properties become records: what their names are, and what else is kept of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from kgqa_loaders.property_graph import Properties, node_records
from kgqa_loaders.recognise import open_source
from kgqa_loaders.records import Literal, Named, Record


def records(properties: Properties, *labels: str) -> list[Record]:
    return list(node_records(1, "7", labels, properties))


@pytest.mark.parametrize(
    ("properties", "labels", "name"),
    [
        ({"Name": "Ann Lee"}, ["Person"], "Ann Lee"),
        ({"productName": "Chai"}, ["Product"], "Chai"),
        ({"full name": "Ben Ray"}, ["Person"], "Ben Ray"),
        ({"companyName": "Exotic Liquids"}, ["Supplier"], "Exotic Liquids"),
        ({"surname": "Ray", "title": "Mrs"}, ["Owner"], "Ray"),
        ({"flightNumber": "LH400", "seats": 300}, ["Flight"], "LH400"),
        ({"accountNumber": "77001"}, ["BankAccount"], "77001"),
        ({"lineNumber": "1"}, ["OrderLine"], ""),
        ({"orderNumber": "10248"}, ["Ticket"], ""),
        ({"shipName": "Ernst Handel", "freight": 3.5}, ["Order"], ""),
    ],
)
def test_a_node_is_called_as_a_mapping_would_call_it(properties: Properties, labels: list[str], name: str) -> None:
    assert records(properties, *labels)[0] == Named("7", name, (), tuple(labels), line=1)


@pytest.mark.parametrize(
    ("entity_id", "name"),
    [("7", "AB12 CDE"), ("5f2c9b7e-0d7a-4c6e-9a57-1c9f3c1f8e55", "AB12 CDE"), ("Old Bus", ""), ("bus-7", "")],
)
def test_a_code_is_the_name_of_what_has_no_name_and_no_id_that_people_use(entity_id: str, name: str) -> None:
    first, *_ = node_records(1, entity_id, ("Car",), {"registration": "AB12 CDE", "colour": "red"})
    assert first == Named(entity_id, name, (), ("Car",), line=1)


def test_a_surname_alone_is_an_alias_as_in_a_mapping() -> None:
    person = {"firstName": "Ben", "lastName": "Ray", "title": "Dr"}
    assert records(person, "Person")[0] == Named("7", "Ben Ray", ("Ray",), ("Person",), line=1)


def test_the_properties_that_make_up_a_name_are_kept() -> None:
    assert records({"firstName": "Ben", "lastName": "Ray"})[1:] == [
        Literal(1, "7", "firstName", "Ben"),
        Literal(1, "7", "lastName", "Ray"),
    ]
    assert records({"name": "Ben"})[1:] == []


def test_further_names_are_aliases_however_their_key_is_written() -> None:
    assert records({"name": "Ann", "Also_Known_As": ["Annie", "A."], "Alias": "Lee"}) == [
        Named("7", "Ann", ("Annie", "A.", "Lee"), (), line=1)
    ]


CALLED = [
    ("Person", {"Name": "Ola Brand"}, "Ola Brand"),
    ("Product", {"productName": "Rye Loaf"}, "Rye Loaf"),
    ("Person", {"full name": "Rut Holm"}, "Rut Holm"),
    ("Supplier", {"companyName": "Mill and Sons"}, "Mill and Sons"),
    ("Person", {"firstName": "Eva", "lastName": "Moss"}, "Eva Moss"),
    ("Order", {"orderNumber": "S-77"}, "S-77"),
    ("Stock", {"shelf": "B"}, ""),
]


def in_csv(label: str, properties: Mapping[str, str]) -> str:
    return f":ID,{','.join(properties)},:LABEL\n7,{','.join(properties.values())},{label}\n"


def in_json_lines(label: str, properties: Mapping[str, str]) -> str:
    return json.dumps({"id": "7", **properties, "labels": [label]}) + "\n"


def in_apoc(label: str, properties: Mapping[str, str]) -> str:
    return json.dumps({"type": "node", "id": "7", "labels": [label], "properties": properties}) + "\n"


@pytest.mark.parametrize("written", [in_csv, in_json_lines, in_apoc])
@pytest.mark.parametrize(("label", "properties", "name"), CALLED)
def test_a_node_is_called_so_in_every_format(
    written: Callable[[str, Mapping[str, str]], str],
    label: str,
    properties: Mapping[str, str],
    name: str,
    tmp_path: Path,
) -> None:
    path = tmp_path / "some"
    path.write_text(written(label, properties))
    named = [record for record in open_source(str(path)).records() if isinstance(record, Named)]
    assert [(one.entity_id, one.name, one.labels) for one in named] == [("7", name, (label,))]
