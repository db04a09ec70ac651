"""An IO that performs what needs no server; a request to one fails the test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kgqa_graphdb.runtime import LocalModels, leaves_of, nested, perform_locally
from kgqa_graphdb.steps import Request


@dataclass
class Local:
    """Performs requests with some models."""

    models: LocalModels = field(default_factory=LocalModels)

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        leaves = leaves_of(requests)
        answers = perform_locally(leaves, self.models)
        return nested(requests, (answers[place] for place in range(len(leaves))))
