"""A relation path said in words."""

from __future__ import annotations

from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.rank import path_text
from kgqa_graphdb.rank.text import kinds_of
from kgqa_graphdb.types import Step

DIRECTED = make_relation("directed_by")
ACTED = make_relation("ACTED_IN", heads=("Person",), tails=("Movie",))
WRITTEN = make_relation("genre", inverse="films of the genre")


def test_a_path_nests_around_its_topic() -> None:
    path = (Step(DIRECTED), Step(DIRECTED, inverse=True), Step(WRITTEN))
    assert path_text(path) == "the genre of things directed by the director of X"


def test_an_inverse_phrase_with_a_noun_needs_no_other() -> None:
    assert path_text((Step(WRITTEN, inverse=True),)) == "films of the genre X"


def test_a_verb_continues_a_clause() -> None:
    assert path_text((Step(ACTED),), "Ann") == "movie that Ann acted in"


def test_what_a_step_arrives_at() -> None:
    assert kinds_of(Step(DIRECTED)) == ("director",)
    assert kinds_of(Step(DIRECTED, inverse=True)) == ()
    assert kinds_of(Step(WRITTEN, inverse=True)) == ("films",)
    assert kinds_of(Step(ACTED)) == ("movie",)
    assert kinds_of(Step(ACTED, inverse=True)) == ("actor", "person")


def test_a_property_that_names_an_event_says_when() -> None:
    born = Step(make_relation("born", kind="property"))
    assert path_text((born,)) == "when X was born"
    assert kinds_of(born) == ("date or year",)
