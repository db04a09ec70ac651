"""Statement files: their headers, and names that are spliced in."""

from __future__ import annotations

import pytest

from kgqa_graphdb import queries
from kgqa_graphdb.errors import ConfigError, UnknownNameError

SOURCE = """\
// name:    retrieve/example
// purpose: The neighbours of a node.
// params:  $id str
//          element id
// returns: name str
// needs:   nothing
// cost:    O(degree)

CYPHER 5
MATCH (n:`<label>`)-[:`<type>`]->(m) WHERE elementId(n) = $id
// a comment inside stays
RETURN m.name AS name
"""


def test_parse_reads_the_header_and_joins_its_continued_lines() -> None:
    query = queries.parse("retrieve/example", SOURCE)
    assert query.header == {
        "name": "retrieve/example",
        "purpose": "The neighbours of a node.",
        "params": "$id str element id",
        "returns": "name str",
        "needs": "nothing",
        "cost": "O(degree)",
    }


def test_parse_keeps_the_statement_and_its_comments_without_the_header() -> None:
    query = queries.parse("retrieve/example", SOURCE)
    assert query.text.startswith("CYPHER 5\nMATCH")
    assert "// a comment inside stays" in query.text
    assert query.text.endswith("AS name")


def test_parse_refuses_a_header_that_lacks_a_field() -> None:
    with pytest.raises(ConfigError, match="cost"):
        queries.parse("retrieve/example", SOURCE.replace("// cost:    O(degree)\n", ""))


def test_parse_refuses_a_header_that_says_another_name() -> None:
    with pytest.raises(ConfigError, match="name: retrieve/other"):
        queries.parse("retrieve/other", SOURCE)


def test_cypher_splices_quoted_names() -> None:
    query = queries.parse("retrieve/example", SOURCE)
    assert query.splices == {"label", "type"}
    assert "(n:`KG_a``b`)-[:`it``s`]->" in query.cypher(label="KG_a`b", type="it`s")


@pytest.mark.parametrize("names", [{}, {"label": "A"}, {"label": "A", "type": "B", "more": "C"}])
def test_cypher_refuses_missing_and_unknown_names(names: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="splices"):
        queries.parse("retrieve/example", SOURCE).cypher(**names)


def test_a_spliced_name_is_never_read_as_a_placeholder() -> None:
    spliced = queries.parse("retrieve/example", SOURCE).cypher(label="`<type>`", type="B")
    assert "(n:```<type>```)" in spliced


@pytest.mark.parametrize(
    ("name", "quoted"),
    [
        ("Film", "`Film`"),
        ("a b", "`a b`"),
        ("a`b", "`a``b`"),
        ("`", "````"),
        ("line\nbreak", "`line\nbreak`"),
        ("🚀", "`🚀`"),
        ("a\\u0060) DETACH DELETE n //", "`a\\u005Cu0060) DETACH DELETE n //`"),
    ],
)
def test_quote_leaves_no_way_out_of_the_name(name: str, quoted: str) -> None:
    assert queries.quote(name) == quoted


@pytest.mark.parametrize("name", ["", "a\x00b"])
def test_quote_refuses_what_no_name_may_be(name: str) -> None:
    with pytest.raises(UnknownNameError):
        queries.quote(name)


def test_load_names_a_file_that_is_not_there() -> None:
    with pytest.raises(ConfigError, match=r"retrieve/no_such\.cypher"):
        queries.load("retrieve/no_such")


def test_names_are_sorted_and_every_one_loads() -> None:
    names = list(queries.names())
    assert names == sorted(names)
    assert [queries.load(name).name for name in names] == names
