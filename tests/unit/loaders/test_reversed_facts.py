"""Facts of an extract that stand the wrong way round: found by what their ends are elsewhere."""

from __future__ import annotations

import random

import pytest

from kgqa_loaders.freebase.reversed_facts import Fact, wrong_way

ENDS = {
    "film.film.director": ("film.film", "film.director"),
    "film.film.country": ("film.film", "location.country"),
    "people.person.nationality": ("people.person", "location.country"),
    "people.person.children": ("people.person", "people.person"),
    "film.director.born": ("film.director", "location.country"),
}


def made(seed: int = 0) -> list[Fact]:
    """Films, their directors and countries, all the right way round."""
    rng = random.Random(seed)
    countries = [f"land {number}" for number in range(6)]
    found: list[Fact] = []
    for number in range(80):
        director = f"director {number % 25}"
        found += [
            (f"film {number}", "film.film.director", director),
            (f"film {number}", "film.film.country", rng.choice(countries)),
            (director, "people.person.nationality", countries[number % 25 % 6]),
            (director, "film.director.born", rng.choice(countries)),
        ]
    return list(dict.fromkeys(found))


def test_facts_that_stand_the_right_way_round_stay() -> None:
    assert wrong_way(made(), ENDS) == set()


@pytest.mark.parametrize("share", [0.05, 0.15, 0.3])
def test_those_that_do_not_are_found(share: float) -> None:
    facts = made()
    wrong = set(random.Random(1).sample(facts, round(share * len(facts))))
    found = wrong_way([fact[::-1] if fact in wrong else fact for fact in facts], ENDS)
    assert found == {fact[::-1] for fact in wrong}


def test_of_a_fact_that_stands_there_both_ways_the_wrong_one_is_found() -> None:
    facts = made()
    both = random.Random(2).sample(facts, 30)
    assert wrong_way([*facts, *(fact[::-1] for fact in both)], ENDS) == {fact[::-1] for fact in both}


def test_where_nothing_tells_a_fact_stays() -> None:
    unknown = [("land 0", "film.film.rating", "film 0"), ("b", "people.person.children", "a")]
    alone = [("nowhere", "film.film.country", "nobody")]
    assert wrong_way([*made(), *unknown, *alone], ENDS) == set()
    assert wrong_way([], ENDS) == set()
    assert wrong_way([fact[::-1] for fact in made()], {}) == set()
