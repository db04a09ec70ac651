"""What composed plans are made with: paths that a model proposes, which may look at what they lead to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from kgqa_graphdb.compose.composed import Model, proposed
from kgqa_graphdb.graph import EndpointStats, Graph
from kgqa_graphdb.rank import PathProbe, Proposal
from kgqa_graphdb.steps import Steps, run
from kgqa_graphdb.types import Entity, Link, Path
from tests.unit.rank.test_trained import Computing

RIVER = Entity("1", "river", ("River",))


class OneRiver:
    """A graph of a river, which one step leaves."""

    def first_steps(self, entities: Sequence[Entity]) -> Steps[dict[str, list[str]]]:
        yield from ()
        return {entity.element_id: [">flows_into"] for entity in entities}

    def endpoint_stats(self, topic: Entity, paths: Sequence[Path]) -> Steps[list[EndpointStats]]:
        yield from ()
        assert topic == RIVER
        return [EndpointStats(7) for _ in paths]


class Looking:
    """Proposes nothing, and notes what it sees."""

    in_domain = True

    def propose(self, question: str, start_codes: Sequence[str], *, look: PathProbe | None = None) -> Steps[Proposal]:
        assert look
        self.asked = question, [*start_codes]
        self.seen = yield from look([(), ()])
        return Proposal((), 0)


def test_a_model_may_look_at_what_paths_lead_to_from_the_topic() -> None:
    model = Looking()
    link = Link(0, 5, RIVER, 1.0)
    run(proposed(link, "how many seas", cast(Graph, OneRiver()), cast(Model, model)), Computing())
    assert model.asked == ("how many seas", [">flows_into"])
    assert model.seen == [EndpointStats(7), EndpointStats(7)]
