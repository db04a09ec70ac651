"""The predictor: hops, then step by step with a beam; scores are products of probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pytest

from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rra.files import PredictorFiles
from kgqa_graphdb.rra.network import Classifier
from kgqa_graphdb.rra.predictor import LEAST_HOPS, PathPredictor, PredictRequest, with_steps
from kgqa_graphdb.types import Floats
from tests.unit.rank.graphs import schema_of
from tests.unit.rank.networks import WordEncoder

FILM, PERSON, TOWN, YEAR = "film", "person", "town", "year"
MAPPING, LEAVING = schema_of([
    (make_relation("directed_by"), FILM, PERSON),
    (make_relation("written_by"), FILM, PERSON),
    (make_relation("born_in"), PERSON, TOWN),
    (make_relation("released", kind="property"), FILM, YEAR),
])  # fmt: skip
SCHEMA = Schema(MAPPING)
CODES = ("<directed_by", ">born_in", ">directed_by", ">released", ">written_by")


class Table:
    """A classifier that has its probabilities in a table, by the words that it reads."""

    def __init__(self, classes: int, table: Mapping[str, Sequence[float]]) -> None:
        self.classes = classes
        self.table = table

    def log_p(self, tokens: Sequence[str]) -> Floats:
        return np.log(np.array([self.table[text] for text in tokens], dtype=np.float32) + np.float32(1e-9))


class Texts:
    """An encoder whose vectors are the texts themselves."""

    name = fingerprint = "texts"
    dim = 1

    def __init__(self) -> None:
        self.read: list[str] = []

    def encode_tokens(self, texts: Sequence[str]) -> Sequence[str]:
        self.read += texts
        return texts


def predictor(hops: Sequence[float], steps: Mapping[str, Sequence[float]]) -> tuple[PathPredictor, Texts]:
    encoder = Texts()
    files = PredictorFiles(encoder, CODES, Table(3, {"q": hops}), Table(len(CODES), steps))  # type: ignore[arg-type]
    return PathPredictor(MAPPING, files, SCHEMA), encoder


def of(code: str) -> str:
    step = SCHEMA.steps[SCHEMA.row_of[code]]
    return step.phrase


FIRST = (0.0, 0.05, 0.6, 0.15, 0.2)  # directed_by is likelier than written_by
AFTER_DIRECTED = (0.3, 0.7, 0.0, 0.0, 0.0)
AFTER_WRITTEN = (0.1, 0.9, 0.0, 0.0, 0.0)
TABLE = {
    "q": FIRST,
    with_steps("q", [of(">directed_by")]): AFTER_DIRECTED,
    with_steps("q", [of(">written_by")]): AFTER_WRITTEN,
}
STARTS = tuple(sorted(SCHEMA.row_of[code] for code in (">directed_by", ">released", ">written_by")))


def paths(found: list[tuple[tuple[int, ...], float]]) -> dict[tuple[str, ...], float]:
    return {SCHEMA.codes(rows): pytest.approx(score, abs=1e-4) for rows, score in found}


def test_a_score_is_the_product_of_the_steps_and_the_likeliest_come_first() -> None:
    made, _ = predictor((0.0, 1.0, 0.0), TABLE)
    (found,) = made.predict([PredictRequest("q", STARTS, None, 3)])
    assert found.hops == 2
    assert paths(found.paths) == {
        (">directed_by", ">born_in"): 0.6 * 0.7,
        (">written_by", ">born_in"): 0.2 * 0.9,
        (">directed_by", "<directed_by"): 0.6 * 0.3,
    }
    assert all(before >= after for (_, before), (_, after) in pairwise(found.paths))


def test_only_steps_that_leave_what_was_reached_are_taken() -> None:
    made, _ = predictor((1.0, 0.0, 0.0), TABLE)
    (found,) = made.predict([PredictRequest("q", (SCHEMA.row_of[">written_by"],), None, 3)])
    assert paths(found.paths) == {(">written_by",): 0.2}
    (found,) = made.predict([PredictRequest("q", (), None, 3)])
    assert found.paths == []


def test_a_beam_goes_on_from_the_likeliest_paths_alone() -> None:
    made, encoder = predictor((0.0, 1.0, 0.0), TABLE)
    (found,) = made.predict([PredictRequest("q", STARTS, None, 1)])
    assert paths(found.paths) == {(">directed_by", ">born_in"): 0.6 * 0.7}
    assert encoder.read == ["q", with_steps("q", [of(">directed_by")])]


def test_numbers_of_hops_that_are_likely_compete_and_a_given_one_stands_alone() -> None:
    made, _ = predictor((0.4, 0.6, LEAST_HOPS / 2), TABLE)
    (found,) = made.predict([PredictRequest("q", STARTS, None, 2)])
    assert found.hops == 2
    assert paths(found.paths) == {(">directed_by", ">born_in"): 0.6 * 0.6 * 0.7, (">directed_by",): 0.4 * 0.6}
    (found,) = made.predict([PredictRequest("q", STARTS, 1, 2)])
    assert (found.hops, paths(found.paths)) == (1, {(">directed_by",): 0.6, (">written_by",): 0.2})


def test_no_step_follows_a_value_and_unknown_steps_are_none() -> None:
    made, _ = predictor((0.0, 0.0, 1.0), TABLE)
    released = (SCHEMA.row_of[">released"],)
    assert made.predict([PredictRequest("q", released, 2, 3)])[0].paths == []
    assert made.rows([">written_by", ">unheard_of"]) == (SCHEMA.row_of[">written_by"],)


def test_many_questions_are_as_one() -> None:
    rng = np.random.default_rng(0)
    weights = {}
    for name, classes in (("hops", 3), ("steps", len(CODES))):
        shapes = {"attend.weight": (4, 32), "hidden.weight": (8, 128), "hidden.bias": (8,),
                  "out.weight": (classes, 8), "out.bias": (classes,)}  # fmt: skip
        weights |= {f"{name}.{key}": rng.normal(0, 0.3, size).astype(np.float32) for key, size in shapes.items()}
    files = PredictorFiles(WordEncoder(), CODES, Classifier(weights, "hops"), Classifier(weights, "steps"))
    made = PathPredictor(MAPPING, files, SCHEMA)
    asked = [PredictRequest(text, STARTS, hops, 3) for text in ("who made X", "where is X") for hops in (None, 2)]
    together = made.predict(asked)
    alone = [made.predict([one])[0] for one in asked]
    assert [one.hops for one in together] == [one.hops for one in alone]
    for some, own in zip(together, alone, strict=True):
        assert [path for path, _ in some.paths] == [path for path, _ in own.paths]
        assert [score for _, score in some.paths] == pytest.approx([score for _, score in own.paths], rel=1e-4)
    assert made.predict([]) == []
