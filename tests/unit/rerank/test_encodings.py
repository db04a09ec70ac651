"""What a Graphormer is told of a subgraph, by hand."""

from __future__ import annotations

import numpy as np

from kgqa_graphdb.rerank.encodings import APART, FURTHEST, MOST_DEGREE, dense_batch, encoded
from kgqa_graphdb.rerank.shown import BETWEEN, BOTH, CANDIDATE, TOPIC, RoleGraph
from tests.unit.rerank.graphs import candidate_graph

SISTER = RoleGraph((TOPIC, BETWEEN, CANDIDATE), ((0, 1, "child_of"), (2, 1, "child_of"), (0, 1, "lives_with")))
"""The topic and the candidate are children of one person; the topic lives with them."""


def test_nodes_have_roles_and_facts_their_relations() -> None:
    graph = candidate_graph([("topic", "child_of", "b"), ("c", "child_of", "b"), ("topic", "lives_with", "b")], "c")
    assert RoleGraph.of(graph) == SISTER
    loop = candidate_graph([("topic", "knows", "other")], "other", topics=("topic", "other"))
    assert RoleGraph.of(loop).roles == (TOPIC, BOTH)


def test_degrees_distances_and_the_steps_of_shortest_paths() -> None:
    one = encoded(SISTER)
    assert one.nodes == 3
    assert (one.in_degree.tolist(), one.out_degree.tolist()) == ([0, 3, 0], [2, 0, 1])
    assert one.distance.tolist() == [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    assert walked(one.steps, one, 0, 2) == {
        (0, ("child_of", False), 0.25), (0, ("lives_with", False), 0.25), (1, ("child_of", True), 0.5),
    }  # fmt: skip
    assert walked(one.steps, one, 2, 1) == {(0, ("child_of", False), 1.0)}
    assert walked(one.steps, one, 1, 0) == {(0, ("child_of", True), 0.5), (0, ("lives_with", True), 0.5)}
    assert walked(one.steps, one, 1, 1) == set()


def walked(steps: tuple, graph: object, start: int, end: int) -> set:
    """Place, relation as it is walked, and share of each step on the path between two nodes."""
    rows = zip(graph.pair.tolist(), graph.hop.tolist(), graph.step.tolist(), graph.share.tolist(), strict=True)  # type: ignore[attr-defined]
    count = graph.nodes  # type: ignore[attr-defined]
    return {(hop, steps[step], share) for pair, hop, step, share in rows if pair == start * count + end}


def test_of_equally_short_paths_the_first_by_places_is_read() -> None:
    square = RoleGraph((TOPIC, BETWEEN, BETWEEN, CANDIDATE), ((0, 2, "b"), (2, 3, "b"), (0, 1, "a"), (1, 3, "a")))
    one = encoded(square)
    assert walked(one.steps, one, 0, 3) == {(0, ("a", False), 0.5), (1, ("a", False), 0.5)}


def test_what_is_far_or_many_is_clipped_and_what_is_apart_is_told() -> None:
    count = FURTHEST + 3
    chain = RoleGraph((TOPIC,) * count, tuple((place, place + 1, "next") for place in range(count - 2)))
    one = encoded(chain)
    assert one.distance[0].tolist() == [*range(FURTHEST + 1), FURTHEST, APART]
    assert one.hop.max() == FURTHEST - 1
    far = one.share[one.pair == count - 2]
    np.testing.assert_allclose(far, np.full(FURTHEST, 1 / FURTHEST), rtol=1e-6)
    hub = encoded(RoleGraph((TOPIC, CANDIDATE), ((0, 1, "a"),) * (MOST_DEGREE + 4)))
    assert (hub.out_degree.tolist(), hub.in_degree.tolist()) == ([MOST_DEGREE, 0], [0, MOST_DEGREE])


def test_a_fact_that_joins_a_node_with_itself_is_on_no_path() -> None:
    one = encoded(RoleGraph((TOPIC, CANDIDATE), ((0, 0, "same_as"), (0, 1, "a"))))
    assert one.distance.tolist() == [[0, 1], [1, 0]]
    assert (one.out_degree.tolist(), one.in_degree.tolist()) == ([2, 0], [1, 1])
    assert {step for step, _ in one.steps} == {"a"}
    alone = encoded(RoleGraph((CANDIDATE,), ()))
    assert (alone.pair.size, alone.steps, alone.distance.tolist()) == (0, (), [[0]])


def test_subgraphs_side_by_side_keep_their_own() -> None:
    pair = RoleGraph((TOPIC, CANDIDATE), ((1, 0, "part_of"),))
    batch = dense_batch([encoded(pair), encoded(SISTER)])
    assert batch.there.tolist() == [[True, True, False], [True, True, True]]
    assert batch.role[0, :2].tolist() == list(pair.roles)
    assert batch.distance[1].tolist() == encoded(SISTER).distance.tolist()
    first = batch.graph == 0
    found = set(
        zip(
            batch.first[first].tolist(), batch.second[first].tolist(),
            [batch.steps[one] for one in batch.step[first].tolist()], strict=True,
        )
    )  # fmt: skip
    assert found == {(0, 1, ("part_of", True)), (1, 0, ("part_of", False))}
    assert {batch.steps[one][0] for one in batch.step[~first].tolist()} == {"child_of", "lives_with"}
