"""What a client makes of its options, before any server is asked."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest

from kgqa_graphdb import KGQA, client
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.managed import Connection
from kgqa_graphdb.methods import MethodConfig, MethodSpec


@dataclass
class ClosableDriver:
    """All that a client does with a driver that it never asks."""

    closed: bool = False

    def close(self) -> None:
        self.closed = True


def asked_by(**options: Any) -> KGQA:
    return KGQA(ClosableDriver(), graph="made", **options)  # type: ignore[arg-type]


def test_a_driver_that_no_client_came_of_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = ClosableDriver()
    monkeypatch.setattr(client, "open_driver", lambda connection: driver)
    with pytest.raises(TypeError, match="has no option 'metod'; nearest: 'method'"):
        KGQA.connect("made", connection=Connection("bolt://localhost", "neo4j", "x"), metod="paths")
    assert driver.closed


@pytest.mark.parametrize("also", [{"abstain_below": 0.1}, {"settings": {"readings": 2}}, {"model": "folder"}])
def test_settings_beside_those_that_a_named_method_has_are_refused(also: dict[str, Any]) -> None:
    careful = MethodConfig("paths", settings={"abstain_below": 0.9})
    assert asked_by(method="careful", methods={"careful": careful}).answered_by == "paths, abstain_below=0.9"
    with pytest.raises(UsageError, match=r"'careful' has a model and settings of its own"):
        _ = asked_by(method="careful", methods={"careful": careful}, **also).answered_by


def test_threads_that_share_a_client_share_its_method_and_models(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(settings: object, model: object) -> Any:
        time.sleep(0.05)
        return object()

    monkeypatch.setattr(client, "method_spec", lambda name: MethodSpec(name, "Made.", build))
    kg = asked_by(method="made")
    with ThreadPoolExecutor(4) as pool:
        made = set(pool.map(lambda _: (id(kg._method("made")), id(kg._models)), range(4)))
    assert len(made) == 1
