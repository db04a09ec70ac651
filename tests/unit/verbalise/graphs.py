"""Facts that tests of sentences share, and a runner of stages with a language model of a script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kgqa_graphdb.lm import LanguageModel
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.runtime import LocalModels, leaves_of, nested
from kgqa_graphdb.runtime.performers import perform_locally
from kgqa_graphdb.steps import Request
from kgqa_graphdb.types import Entity

DIRECTED = make_relation("directed_by", inverse="films directed by")
STARRED = make_relation("starred", label="actor", inverse="films starring")
ACTED = make_relation("ACTED_IN")
MANAGES = make_relation("manages")
WORKS = make_relation("works_at")
HEIGHT = make_relation("height", kind="property", unit="m")
BORN = make_relation("birth_date", kind="property")
UP, DOWN, ANN, BOB, ACME = (Entity(name.lower(), name) for name in ("Up", "Down", "Ann", "Bob", "Acme"))


@dataclass(frozen=True)
class ModelOnly:
    """Performs what needs no server."""

    model: LanguageModel | None

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        leaves = leaves_of(requests)
        answers = perform_locally(leaves, LocalModels(language_model=self.model))
        return nested(requests, iter([answers[place] for place in range(len(leaves))]))
