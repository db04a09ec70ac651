"""Made schemas: of many domains, in several styles, and questions in other words than the schema's."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from kgqa_graphdb.errors import ConfigError
from kgqa_graphdb.language.english import words_of
from kgqa_graphdb.train.data import made_schemas
from kgqa_graphdb.train.data.made_schemas import DomainRelation, Made, made_sets, read_domains
from kgqa_graphdb.train.settings import Training

PAINTS = DomainRelation("museums", "Artwork", "Artist", ("painter", "~painted"))
YEAR = DomainRelation("museums", "Artwork", "date", ("year", "painted"))
BORN = DomainRelation("people", "Artist", "Town", ("birthplace",))


def test_there_are_many_domains_of_many_relations_and_some_are_properties() -> None:
    domains = read_domains()
    assert len(domains) >= 25
    assert all(8 <= len(told) <= 30 for told in domains.values())
    assert all(any(one.of_value for one in told) for told in domains.values())
    assert not [one for told in domains.values() for one in told if one.of_value and "~" in "".join(one.names)]
    names = Counter(len(one.names) for told in domains.values() for one in told)
    assert names[1] < names.total() / 10


@pytest.mark.parametrize("line", ["Film > Person", "Film > date: year", "Film . Person: director", "Film: director"])
def test_a_line_that_says_no_relation_is_refused(
    line: str, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("train")
    (folder / "schemas").mkdir()
    (folder / "schemas" / "bad.txt").write_text(f"# About\n\n[films]\n{line}\n", encoding="utf-8")
    monkeypatch.setattr(made_schemas, "files", lambda package: folder)
    with pytest.raises(ConfigError, match=r"bad\.txt:4"):
        read_domains()


def test_a_question_asks_for_what_its_path_means_whichever_names_both_have() -> None:
    """A painter is reached forwards by "painter" and backwards by "painted"; questions say either."""
    said = set()
    for seed in range(12):
        made = Made("museum", [PAINTS, BORN], Random(seed))
        step = {words_of(id_): f">{id_}" for id_ in made.mapping.by_id}
        to_painter = step.get("painter") or step["painted"].replace(">", "<")
        for item in made.items(1, 100):
            (path,) = item.paths
            code = made.schema.steps[path[0]].code
            if item.text in ("who painted X", "who is the painter of X"):
                assert code == to_painter
                said.add((item.text, "painter" in step))
            if "birthplace of X" in item.text:
                assert code == step["birthplace"]
    assert said == {(text, own) for text in ("who painted X", "who is the painter of X") for own in (True, False)}


def test_paths_are_allowed_by_the_schema_that_is_shown() -> None:
    told = [one for domain in ("films", "biography", "music") for one in read_domains()[domain]]
    styles = set()
    for seed in range(8):
        made = Made("mixed", told, Random(seed))
        styles.add((bool(made.schema.steps[0].relation.heads), made.schema.steps[0].relation.id))
        for item in made.items(3, 60):
            (path,) = item.paths
            assert path[0] in item.starts
            assert all(after in made.schema.followers(row) for row, after in pairwise(path))
    assert len(styles) > 4
    assert {labelled for labelled, _ in styles} == {True, False}


def test_a_property_and_an_edge_of_one_name_are_two_relations() -> None:
    for seed in range(20):
        made = Made("museum", [DomainRelation("museums", "Artist", "Artwork", ("painted",)), YEAR], Random(seed))
        assert len(made.mapping.relations) == 2 or made._as_edges


def test_each_domain_is_there_alone_and_the_seed_decides_all() -> None:
    one, same, other = (made_sets(Training(seed=seed, max_hops=2), 400, 50) for seed in (1, 1, 2))
    assert [training_set.made for training_set in one] == [training_set.made for training_set in same]
    assert [training_set.made for training_set in one] != [training_set.made for training_set in other]
    assert len(one) == 50
    assert max(len(training_set.schema.steps) for training_set in one[-5:]) > max(
        len(training_set.schema.steps) for training_set in one[:40]
    )
    assert sum(len(training_set.made) for training_set in one) == 400
    assert all(training_set.unseen and training_set.composed for training_set in one)
