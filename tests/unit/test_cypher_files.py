"""Every statement file keeps the rules of CONTRIBUTING.md; the test of the same name in tests/neo4j asks a server."""

from __future__ import annotations

import re

import pytest

from kgqa_graphdb import queries

NAMES = tuple(queries.names())
LITERALS = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|//[^\n]*|/\*.*?\*/", re.DOTALL)
PARAMETER = re.compile(r"\$(\w+)")
SPLICED_TYPE = re.compile(r"\$\(")
"""A dynamic label or type, ``$($name)``, is no parameter itself."""


def code_of(query: queries.Query) -> str:
    """The statement without its string literals and comments."""
    return LITERALS.sub("''", query.text)


def test_there_are_statement_files() -> None:
    assert NAMES


@pytest.mark.parametrize("name", NAMES)
def test_header_fields_are_all_filled(name: str) -> None:
    query = queries.load(name)
    assert set(query.header) == set(queries.HEADER_FIELDS)
    assert all(query.header.values())
    assert query.header["purpose"].endswith(".")


@pytest.mark.parametrize("name", NAMES)
def test_statement_names_its_cypher_version(name: str) -> None:
    assert re.match(r"CYPHER 5\b(?!\s*=)", queries.load(name).text)


@pytest.mark.parametrize("name", NAMES)
def test_parameters_used_are_those_that_the_header_names(name: str) -> None:
    query = queries.load(name)
    named = PARAMETER.findall(query.header["params"])
    assert len(set(named)) == len(named)
    assert set(PARAMETER.findall(code_of(query))) == set(named)
    if not named:
        assert query.header["params"].split()[0].rstrip(",;.") in ("none", "nothing")


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_and_column_has_a_type_or_a_meaning(name: str) -> None:
    header = queries.load(name).header
    for field in ("params", "returns"):
        if header[field].split()[0].rstrip(",;.") not in ("none", "nothing"):
            assert all(len(part.split()) >= 2 for part in header[field].split("·")), header[field]


@pytest.mark.parametrize("name", NAMES)
def test_limit_comes_after_an_order(name: str) -> None:
    """A LIMIT or SKIP follows an ORDER BY in its own clause; where any rows will do, a comment says so and why."""
    query = queries.load(name)
    if re.search(r"// unordered: \w+", query.text):
        return
    code = code_of(query)
    for limit in re.finditer(r"\b(?:LIMIT|SKIP)\b", code):
        clause = re.split(r"\b(?:WITH|RETURN)\b", code[: limit.start()])[-1]
        assert re.search(r"\bORDER\s+BY\b", clause), f"LIMIT without ORDER BY after: …{clause[-60:]}"


@pytest.mark.parametrize("name", NAMES)
def test_statement_is_one_and_has_no_trailing_semicolon(name: str) -> None:
    assert ";" not in code_of(queries.load(name))
