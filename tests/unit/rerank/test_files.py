"""Folders of rankers: which ranker a folder has, and what must be in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.models import CARD, ModelCard, write_model, write_weights
from kgqa_graphdb.rerank.choice import FEATURES
from kgqa_graphdb.rerank.files import FORMAT, GRAPHORMER, METHOD, ONNX, PARTS, TOKENIZER, RerankDetails, read_model
from kgqa_graphdb.rerank.graphormer import GraphRanker
from kgqa_graphdb.rerank.sequences import SequenceRanker
from kgqa_graphdb.rerank.shown import RankerKind
from kgqa_graphdb.train.rerank.train import RankSettings


def saved(folder: Path, ranker: RankerKind, parts: tuple[str, ...]) -> Path:
    details = RerankDetails("", 128, 2, 50, 0, True, True, dict.fromkeys(FEATURES, 1.0), 0.0, ranker)
    card = ModelCard(METHOD, FORMAT, encoder="some-encoder", details=asdict(details))
    with write_model(folder, card, PARTS) as part:
        for name in parts:
            if name == GRAPHORMER:
                weights = {
                    "layers.0.up.weight": np.ones((2, 2), np.float32),
                    "spatial.weight": np.ones((8, 4), np.float32),
                }
                write_weights(weights, part / name)
            else:
                (part / name).write_bytes(b"")
    return folder


def change_details(folder: Path, change: Mapping[str, Any], without: str = "") -> None:
    card = json.loads((folder / CARD).read_text())
    card["details"] |= change
    card["details"].pop(without, None)
    (folder / CARD).write_text(json.dumps(card))


def test_a_folder_has_the_ranker_that_its_card_names(tmp_path: Path) -> None:
    files = read_model(saved(tmp_path / "graph", "graphormer", (GRAPHORMER,)))
    assert isinstance(files.ranker, GraphRanker)
    assert files.details.ranker == "graphormer"
    assert isinstance(read_model(saved(tmp_path / "text", "sequence", (ONNX, TOKENIZER))).ranker, SequenceRanker)


def test_a_folder_of_before_there_were_others_is_of_sequences(tmp_path: Path) -> None:
    folder = saved(tmp_path, "sequence", (ONNX, TOKENIZER))
    change_details(folder, {}, without="ranker")
    files = read_model(folder)
    assert files.details.ranker == "sequence"
    assert isinstance(files.ranker, SequenceRanker)


@pytest.mark.parametrize(
    ("ranker", "parts", "missing"),
    [("graphormer-question", (ONNX, TOKENIZER), GRAPHORMER), ("sequence", (ONNX, GRAPHORMER), TOKENIZER)],
)
def test_what_the_ranker_needs_must_be_there(
    ranker: RankerKind, parts: tuple[str, ...], missing: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=f"lacks {missing}; train it again"):
        read_model(saved(tmp_path, ranker, parts))


def test_other_rankers_are_refused(tmp_path: Path) -> None:
    folder = saved(tmp_path, "graphormer", (GRAPHORMER,))
    change_details(folder, {"ranker": "oracle"})
    with pytest.raises(UsageError, match=r"'details\.ranker' can't be 'oracle'"):
        read_model(folder)


@pytest.mark.parametrize("setting", ["highlight", "subgraph"])
def test_a_graph_network_is_not_told_how_to_read_sequences(setting: str) -> None:
    with pytest.raises(UsageError, match="reads no sequences"):
        RankSettings(ranker="graphormer", **{setting: False})
    assert RankSettings(**{setting: False}).ranker == "sequence"
