"""A predictor that was taught a few questions by heart, in a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from kgqa_graphdb.encode import OnnxEncoder
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.models import ModelCard, write_model, write_weights
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rra.files import FORMAT, METHOD, PARTS, WEIGHTS, PredictorDetails
from kgqa_graphdb.train.data.items import Item

STEPS = 60


def items_of(asked: Mapping[str, Sequence[str]], schema: Schema) -> list[Item]:
    """Questions, their topic masked as X, and the codes of their paths."""
    return [
        Item(text, (), (tuple(schema.row_of[code] for code in codes),), (1.0,), 1.0) for text, codes in asked.items()
    ]


def teach(folder: Path, asked: Sequence[tuple[GraphMapping, Mapping[str, Sequence[str]]]]) -> str:
    """Train a predictor on questions of some graphs."""
    from kgqa_graphdb.train.loop import train_model
    from kgqa_graphdb.train.paths.readers import FrozenReader
    from kgqa_graphdb.train.reading import ReadingOptions
    from kgqa_graphdb.train.rra.fit import PredictorTrainer, codes_of, lessons_of

    schemas = [Schema(mapping) for mapping, _ in asked]
    items = [items_of(some, schema) for (_, some), schema in zip(asked, schemas, strict=True)]
    codes = tuple(
        sorted({code for some, schema in zip(items, schemas, strict=True) for code in codes_of(some, schema)})
    )
    lessons = [one for some, schema in zip(items, schemas, strict=True) for one in lessons_of(some, schema, codes)]
    encoder = OnnxEncoder()
    reader = FrozenReader(encoder, [["words"]])
    options = ReadingOptions(steps=STEPS, check=STEPS, rate=3e-3)
    fitted = train_model(PredictorTrainer(lessons, reader, None, options, (2, len(codes))), None, lambda *_: None)
    card = ModelCard(METHOD, FORMAT, encoder=encoder.name, details=asdict(PredictorDetails(codes)))
    with write_model(folder, card, PARTS) as part:
        write_weights(fitted.weights, part / WEIGHTS)
    return str(folder)
