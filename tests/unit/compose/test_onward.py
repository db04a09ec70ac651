"""A plan about one entity, put over all that another plan yields."""

from __future__ import annotations

import pytest

from kgqa_graphdb.compose.onward import about_all
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.plan import Aggregate, Cite, Combine, Every, Follow, Group, Onward, Plan
from kgqa_graphdb.types import Entity, Step

OWNS, AGE = Step(make_relation("owns")), Step(make_relation("age", kind="property"))
ANN, BO, CY = (Entity(name, name, element_id=name) for name in ("Ann", "Bo", "Cy"))
OLDEST = Aggregate("max", Every("Horse"), by=(AGE,))
FOLLOWED = Onward(OLDEST, (OWNS,))


@pytest.mark.parametrize(
    ("plan", "put"),
    [
        (Follow(BO, (OWNS,)), FOLLOWED),
        (Follow(BO, (OWNS,), to=ANN), Combine("and", (FOLLOWED, Cite((ANN,), ())))),
        (Follow(ANN, (OWNS,), to=BO), Combine("and", (Follow(ANN, (OWNS,)), OLDEST))),
        (Cite((BO,), ()), OLDEST),
        (
            Combine("and", (Follow(BO, (OWNS,)), Follow(ANN, (OWNS,)))),
            Combine("and", (FOLLOWED, Follow(ANN, (OWNS,)))),
        ),
        (Aggregate("exists", Follow(BO, (OWNS,))), Aggregate("exists", FOLLOWED)),
        (
            Aggregate(">", Follow(ANN, (OWNS,)), by=(AGE,), value=Follow(BO, (AGE,))),
            Aggregate(">", Follow(ANN, (OWNS,)), by=(AGE,), value=Onward(OLDEST, (AGE,))),
        ),
        (Group(Follow(BO, (OWNS,)), (AGE,)), Group(FOLLOWED, (AGE,))),
    ],
)
def test_the_answers_of_another_plan_take_the_place_of_an_entity(plan: Plan, put: Plan) -> None:
    assert about_all(plan, BO, OLDEST) == put


@pytest.mark.parametrize(
    "plan",
    [
        Follow(ANN, (OWNS,)),  # it is not about Bo
        Every("Horse"),
        Follow(BO, (OWNS, AGE), to=ANN),  # whose value?
        Combine("or", (Follow(ANN, (OWNS,)), Follow(BO, (AGE,), to=CY))),
        Cite((ANN, BO), ()),
    ],
)
def test_what_cannot_be_put_so_is_no_plan(plan: Plan) -> None:
    assert about_all(plan, BO, OLDEST) is None
