"""What a property measures, and what comparing words speak of."""

from __future__ import annotations

from datetime import date

import pytest

from kgqa_graphdb.compose.scale import admits, scale_of
from kgqa_graphdb.language import ENGLISH
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.types import Scalar, Step

DAYS: list[Scalar] = [date(1990, 4, 1), date(2001, 1, 30)]
BIRTH, FOUNDED, NOTHING = "date of birth", "year or date founded or released", ""


@pytest.mark.parametrize(
    ("name", "values", "scale"),
    [
        ("birthDate", DAYS, "moment"),
        ("admitted", ["2020-01-01", "2021-05-05"], "moment"),
        ("opened", [1988, 2011], "moment"),
        ("releaseYear", [2005, 2012], "moment"),
        ("year", ["1999", "2001"], "moment"),
        ("age", [35, 67], "amount"),
        ("yearsOfService", [8, 15], "amount"),
        ("durationMinutes", [1045, 1190], "amount"),
        ("employees", [1040, 2900], "amount"),
        ("openingHours", [8, 12], "amount"),
        ("colour", ["red", "blue"], ""),
        ("paid", [True, False], ""),
        ("age", [], ""),
    ],
)
def test_values_and_words_say_what_is_measured(name: str, values: list[Scalar], scale: str) -> None:
    assert scale_of((Step(make_relation(name, kind="property")),), values, ENGLISH) == scale


@pytest.mark.parametrize(
    ("name", "values", "measures"),
    [
        ("birthDate", DAYS, {BIRTH, FOUNDED, "year or date"}),
        ("foundingDate", DAYS, {BIRTH, FOUNDED, "year or date"}),
        ("releaseYear", [2005, 2012], {BIRTH, FOUNDED, "year or date"}),
        ("year", [2005, 2012], {BIRTH, FOUNDED, "year or date"}),
        # somebody who was admitted, or has a passport that expires, then was there before
        ("admitted", DAYS, {"year or date"}),
        ("hireDate", DAYS, {"year or date"}),
        ("expiryDate", DAYS, {"year or date"}),
        ("age", [35, 67], {"age", "length or duration"}),
        ("ageInYears", [35, 67], {"age", "length or duration"}),
        ("averageAge", [35, 67], {"age", "length or duration"}),
        # nobody is as old as the age at which something happens
        ("pensionAge", [61, 67], {"length or duration"}),
        ("ageAtDeath", [35, 67], {"length or duration"}),
        ("yearsOfService", [8, 15], {"length or duration"}),
        ("salary", [1100, 2200], {"length or duration"}),
        ("colour", ["red", "blue"], set()),
    ],
)
def test_an_adjective_compares_what_it_speaks_of(name: str, values: list[Scalar], measures: set[str]) -> None:
    path = (Step(make_relation(name, kind="property")),)
    tried = (BIRTH, FOUNDED, "year or date", "age", "length or duration")
    assert {one for one in tried if admits(path, values, one, ENGLISH)} == measures
