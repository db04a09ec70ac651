"""How many answers lie in the subgraphs of questions, on a graph that is worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.evaluate.subgraphs import subgraph_coverage
from kgqa_graphdb.export import SubgraphSettings
from kgqa_graphdb.questions import Gold, Pair
from tests.unit.export.made import exported

PAIRS = (
    Pair("1", "whose children has [Ann]?", (Gold(name="Bob"), Gold(name="Cid"))),
    Pair("2", "who are the friends of [Dan]?", (Gold(name="Eve"), Gold(name="Ann"))),
    Pair("3", "who knows [Zed]?", (Gold(name="Eve"),)),
    Pair("4", "who knows Fay?", (Gold(name="Eve"),), topics=("Fay",)),
)


def test_answers_are_counted_by_question_and_what_has_no_subgraph_has_none(tmp_path: Path) -> None:
    graph = exported(tmp_path / "out", alone=["Fay"])
    covered = subgraph_coverage(graph, PAIRS, SubgraphSettings(hops=1))
    assert (covered.questions, covered.without_topic) == (4, 2)
    assert (covered.any_answer, covered.all_answers, covered.answers) == (0.5, 0.25, 0.375)
    assert (covered.nodes, covered.facts) == (3.5, 2.5)
    with pytest.raises(UsageError, match="no question names a topic that is in the graph"):
        subgraph_coverage(graph, PAIRS[2:3], SubgraphSettings())
