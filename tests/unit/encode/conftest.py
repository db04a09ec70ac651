"""A tiny model, the real default one if it is installed, and a cache of each test's own."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from kgqa_graphdb.encode.locate import DEFAULT_PACKAGE
from tests.unit.encode.models import tiny_weights, write_model


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing a test builds lands in the user's cache, and no setting of the user's reaches a test."""
    monkeypatch.setenv("KGQA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("KGQA_ENCODER", raising=False)
    return tmp_path / "cache"


@pytest.fixture
def tiny_model(tmp_path: Path) -> Path:
    """A folder with a tiny BERT."""
    return write_model(tmp_path / "tiny", tiny_weights())


@pytest.fixture
def default_model() -> None:
    """Skips where the default model's package is not installed."""
    if importlib.util.find_spec(DEFAULT_PACKAGE) is None:
        pytest.skip(f"the package {DEFAULT_PACKAGE} is not installed")
