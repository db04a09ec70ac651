"""Northwind, in two forms, and the movies: mapped without a correction, and asked our own questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.survey import Proposal, propose, survey
from tests.neo4j.databases import clear

pytestmark = [pytest.mark.slow, pytest.mark.data]

LEAST_RIGHT = {"movies": 42, "guide": 45, "typed": 46}
"""Of 44, 50 and 50 questions."""
LEAST_OPERATORS_RIGHT = {"movies": 36, "guide": 35, "typed": 30}
"""Of 37 questions each, which count, compare, rank and leave out."""
LEAST_NARROWED_RIGHT = {"movies": 24, "guide": 24, "typed": 23}
"""Of 25 questions each, which narrow measures down, name one entity twice, compare with others and group."""


@pytest.fixture(scope="module", params=sorted(LEAST_RIGHT))
def mapped(request: pytest.FixtureRequest, empty: neo4j.Driver) -> Iterator[tuple[str, Proposal]]:
    from tests.neo4j.property_graphs import data_folder, northwind_tables, write_movies, write_northwind

    if request.param == "movies":
        write_movies(empty, data_folder("movies"))
    else:
        write_northwind(empty, northwind_tables(data_folder("northwind")), typed=request.param == "typed")
    with Neo4jIO(empty) as io:
        yield request.param, propose(request.param, run(survey(), io))
    clear(empty)


def test_the_files_hold_what_pandas_and_networkx_answer() -> None:
    from tests.neo4j.property_graph_questions import all_questions, read_questions

    for name, questions in all_questions().items():
        assert read_questions(name) == questions


@pytest.mark.parametrize(
    ("suffix", "least"),
    [("", LEAST_RIGHT), ("_operators", LEAST_OPERATORS_RIGHT), ("_narrowed", LEAST_NARROWED_RIGHT)],
)
def test_most_questions_are_answered_right_over_the_untouched_proposal(
    empty: neo4j.Driver, mapped: tuple[str, Proposal], suffix: str, least: dict[str, int]
) -> None:
    from tests.neo4j.property_graph_questions import as_text, read_questions

    name, proposal = mapped
    questions: list[dict[str, Any]] = read_questions(("movies" if name == "movies" else "northwind") + suffix)
    wrong = []
    with KGQA(empty, graph=name, mapping=proposal.mapping) as kg:
        for entry in questions:
            reply = kg.ask(entry["question"])
            if sorted({as_text(getattr(a.item, "value", a.item.name)) for a in reply.answers}) != entry["answers"]:
                wrong.append((entry["question"], reply.text))
    assert len(questions) - len(wrong) >= least[name], wrong


def test_what_no_answer_should_show_is_left_out(mapped: tuple[str, Proposal]) -> None:
    name, proposal = mapped
    left = {(one.holder, one.key) for one in proposal.left_out}
    if name == "movies":
        assert left == set()
        return
    assert left >= {("Employee", "photo"), ("Category", "picture"), ("Employee", "notes")}
    assert left >= {("Product", "supplierID"), ("Product", "categoryID"), ("Order", "customerID")}
    read = {relation.type for relation in proposal.mapping.relations}
    assert not read & {"photo", "picture", "notes", "supplierID", "reportsTo"}


def test_order_lines_are_one_step_in_both_forms(mapped: tuple[str, Proposal]) -> None:
    name, proposal = mapped
    if name == "movies":
        assert proposal.joins == ()
        return
    told = {(r.of, r.type) for r in proposal.mapping.relations if r.kind == "qualifier"}
    step = "ORDERS" if name == "guide" else "Order.Product"
    assert told == {(step, "quantity"), (step, "unitPrice"), (step, "discount")}
