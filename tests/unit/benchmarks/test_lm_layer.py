"""The language-model layer says the same as plain transformers, and how fast."""

from __future__ import annotations

import re

import pytest

from tests.unit.benchmarks.scripts import run_script
from tests.unit.lm.test_lm import model_folder


@pytest.mark.data
def test_layer_is_compared_with_plain_transformers() -> None:
    printed = run_script("lm_layer.py", "--language-model", str(model_folder()), "--tiny")
    for row in ("plain, in a loop", "the layer"):
        cells = re.search(rf"\| {row} \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d,]+) \|", printed)
        assert cells is not None, printed
        assert float(cells[1]) > 0
    assert re.search(r"torch \d.*, transformers \d.*; (CPU|NVIDIA)", printed)
    assert re.search(r"the layer to plain: \d+\.\d\d; 4 completions are the same", printed)
