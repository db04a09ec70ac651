"""The relations file, and the values that it types."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from kgqa_graphdb.errors import ConfigError
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.types import Scalar
from kgqa_loaders.relations import Datatype, parse_relations, parse_value, property_key, read_relations

TOML = """
[relations."release_year"]
kind = "property"
datatype = "integer"
label = "release year"
inverse = "films released in"
template = "{head} was released in {tail}."

[relations.directed_by]
description = "who directed it"

[relations.akas]
kind = "alias"
"""


def test_file_gives_kinds_and_words(tmp_path: Path) -> None:
    path = tmp_path / "films.toml"
    path.write_text(TOML, encoding="utf-8")
    specs = read_relations(path)
    assert {name: (spec.kind, spec.datatype) for name, spec in specs.items()} == {
        "release_year": ("property", "integer"),
        "directed_by": ("edge", "string"),
        "akas": ("alias", "string"),
    }
    assert specs["release_year"].relation.inverse_phrase == "films released in"
    assert specs["directed_by"].relation.phrase == make_relation("directed_by").phrase
    assert specs["directed_by"].relation.description == "who directed it"


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"relation": {}}, "nearest: 'relations'"),
        ({"relations": {"a": {"lable": "x"}}}, "nearest: 'label'"),
        ({"relations": {"a": {"kind": "egde"}}}, "nearest: 'edge'"),
        ({"relations": {"a": {"kind": "property", "datatype": "int"}}}, "must be one of string, integer"),
        ({"relations": {"a": {"datatype": "integer"}}}, 'add kind = "property"'),
        ({"relations": {"a": {"label": 3}}}, "must be a str"),
        ({"relations": {"a": {"template": "{head} is old."}}}, r"must hold \{head\} and \{tail\}"),
        ({"relations": {"a": "b"}}, "must be a table"),
    ],
)
def test_wrong_file_names_the_place_and_the_cure(table: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        parse_relations(table, "films.toml")


@pytest.mark.parametrize(
    ("text", "datatype", "value"),
    [
        ("-12", "integer", -12),
        (" 7 ", "integer", 7),
        ("1.5e3", "float", 1500.0),
        ("3", "float", 3.0),
        ("Yes", "boolean", True),
        ("0", "boolean", False),
        ("1977-05-25", "date", date(1977, 5, 25)),
        ("1977-05-25T10:00:00+02:00", "datetime", datetime.fromisoformat("1977-05-25T10:00:00+02:00")),
        ("1977-05-25T10:00:00", "datetime", datetime(1977, 5, 25, 10, tzinfo=UTC)),
        (" kept ", "string", " kept "),
    ],
)
def test_text_becomes_a_value_of_its_datatype(text: str, datatype: Datatype, value: Scalar) -> None:
    parsed = parse_value(text, datatype)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("text", "datatype"),
    [
        ("1_000", "integer"), ("1.0", "integer"), ("٣", "integer"), (str(2**63), "integer"), ("nan", "float"),
        ("1e999", "float"), ("maybe", "boolean"), ("1977", "date"), ("1977-02-30", "date"), ("noon", "datetime"),
    ],
)  # fmt: skip
def test_text_that_is_no_value_says_what_it_should_be(text: str, datatype: Datatype) -> None:
    with pytest.raises(ValueError, match=f"is no {datatype}"):
        parse_value(text, datatype)


def test_property_keys_leave_our_own_and_each_other_alone() -> None:
    assert property_key("height") == "height"
    assert property_key("name") == "name_"
    assert property_key("name", {"name_"}) == "name__"


def test_a_relations_file_that_comes_with_the_package_is_read_by_its_name() -> None:
    assert "directed_by" in read_relations("metaqa")


def test_a_relations_file_that_is_not_there_is_refused_and_those_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="come: metaqa"):
        read_relations(tmp_path / "words.toml")
