"""A reply in all its forms."""

from __future__ import annotations

import json

from kgqa_graphdb.cli.output import emit_json
from tests.unit.replies import DEIMOS, abstention, both, dated, moons, two_hops


def test_to_dict_has_the_agreed_shape() -> None:
    assert moons().to_dict() == {
        "question": "What are the moons of Mars?",
        "graph": "space",
        "method": "paths",
        "linked": [],
        "answers": [
            {"id": "Q7548", "name": "Deimos <b>& co</b>", "score": 0.8765},
            {"id": "Q7547", "name": "Phobos", "score": 0.8765},
        ],
        "abstained": False,
        "text": "The <answer>.",
        "verbalised_by": "templates",
        "notes": [],
        "paths": [
            {
                "score": 0.8765,
                "text": "the moons of Mars",
                "truncated": True,
                "facts": [
                    {
                        "head": "Deimos <b>& co</b>",
                        "head_id": "Q7548",
                        "relation": "moon_of",
                        "tail": "Mars",
                        "tail_id": "Q111",
                    },
                    {"head": "Phobos", "head_id": "Q7547", "relation": "moon_of", "tail": "Mars", "tail_id": "Q111"},
                ],
            }
        ],
        "cypher": {
            "text": "CYPHER 5\nMATCH (n {entity_id: $topic}) RETURN n",
            "parameters": {"topic": "Q111"},
            "replays": "facts",
        },
        "timings_ms": {"link": 1.23, "retrieve": 0.0, "reason": 0.0, "verbalise": 0.0, "answer": 0.0, "total": 9.0},
    }


def test_to_dict_tells_what_was_linked_and_qualifiers() -> None:
    reply = two_hops().to_dict()
    assert reply["linked"] == [{"mention": "s", "id": "Q111", "name": "Mars", "score": 0.91}]
    assert reply["paths"][0]["facts"][2]["qualifiers"] == {"year": 1877}
    assert "qualifiers" not in reply["paths"][0]["facts"][3]


def test_to_dict_of_a_value_has_no_id(capsys) -> None:
    (answer,) = dated().to_dict()["answers"]
    assert (answer["id"], answer["name"], answer["unit"]) == (None, "1877-08-18", "")
    assert dated().to_dict()["paths"][0]["facts"][0]["tail_id"] is None
    emit_json(dated().to_dict())
    assert json.loads(capsys.readouterr().out)["answers"][0]["value"] == "1877-08-18"


def test_to_dict_of_an_abstention_is_empty_but_whole() -> None:
    reply = abstention().to_dict()
    assert reply["abstained"] is True
    assert (reply["answers"], reply["paths"], reply["cypher"], reply["notes"]) == ([], [], None, ["a note"])
    assert reply.keys() == moons().to_dict().keys()


def test_entities_and_values_are_told_apart() -> None:
    assert [entity.id for entity in moons().entities] == ["Q7548", "Q7547"]
    assert moons().values == ()
    assert dated().entities == ()
    assert [str(value.value) for value in dated().values] == ["1877-08-18"]


def test_facts_of_several_paths_are_not_repeated() -> None:
    assert len(two_hops().facts) == 4
    assert len(both().facts) == 2


def test_to_networkx_holds_the_proof_and_marks_the_answers() -> None:
    graph = two_hops().to_networkx()
    assert set(graph) == {"Q111", "Q7547", "Q7548", "Q310"}
    assert graph.number_of_edges() == 4
    assert [node for node, held in graph.nodes(data="answer") if held] == ["Q310"]
    assert graph.nodes["Q111"]["name"] == "Mars"
    assert graph.edges["Q7547", "Q310", "discovered_by"]["qualifier_year"] == 1877
    assert len(abstention().to_networkx()) == 0


def test_to_networkx_keeps_values_apart_from_entities() -> None:
    graph = dated().to_networkx()
    assert set(graph) == {"Q7547", "= 1877-08-18"}


def test_to_frame_has_a_row_for_each_answer() -> None:
    frame = moons().to_frame()
    assert list(frame.columns) == ["name", "id", "value", "unit", "score"]
    assert list(frame["id"]) == ["Q7548", "Q7547"]
    assert list(dated().to_frame()["name"]) == ["1877-08-18"]
    empty = abstention().to_frame()
    assert list(empty.columns) == list(frame.columns)
    assert len(empty) == 0


def test_to_viz_draws_the_proof() -> None:
    picture = two_hops().to_viz()
    assert len(picture.nodes) == 4
    assert len(picture.relationships) == 4
    assert picture.render().data
    assert abstention().to_viz().nodes == ()


def test_a_notebook_shows_names_as_text_not_as_html() -> None:
    shown = moons()._repr_html_()
    assert "The &lt;answer&gt;." in shown
    assert "Deimos &lt;b&gt;&amp; co&lt;/b&gt;" in shown
    assert DEIMOS.name not in shown
    assert "MATCH" in shown
    assert "I can&#x27;t answer that" in abstention()._repr_html_()


def test_the_cypher_to_paste_holds_its_parameters() -> None:
    assert moons().cypher_to_paste == "CYPHER 5\nMATCH (n {entity_id: 'Q111'}) RETURN n"
    assert abstention().cypher_to_paste == ""
