"""Parts of a source: around seeds, of relations, classes and domains."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LoadError, UsageError
from kgqa_loaders.recognise import open_source
from kgqa_loaders.records import (
    BlockSource,
    InMemorySource,
    Literal,
    Named,
    Record,
    Reject,
    RelationNote,
    Source,
    Statement,
    Triple,
)
from kgqa_loaders.subset import Subset, read_seeds, subset

RECORDS: tuple[Record, ...] = (
    Named("f1", "First", labels=("film.film",)),
    Named("f2", "Second", labels=("film.film", "award.award_winning_work")),
    Named("p1", "Ann", labels=("people.person",)),
    Triple(1, "f1", "film.film.director", "p1"),
    Triple(2, "f2", "film.film.director", "p1"),
    Statement(3, "p1", "people.person.spouse", "p2", {"since": 1999}),
    Triple(4, "p2", "people.person.place_of_birth", "l1"),
    Literal(5, "p2", "people.person.height", 1.8),
    Literal(6, "f1", "film.film.runtime", 90),
    RelationNote("film.film.director", label="director"),
    RelationNote("people.person.spouse", label="spouse"),
    Reject(7, "no fact", "x"),
)


@pytest.fixture
def source() -> Source:
    return InMemorySource("made", RECORDS)


def kept(source: Source, options: Subset) -> tuple[list[int], set[str]]:
    """The lines of the facts that are kept, and the entities that are named."""
    records = list(subset(source, options).records())
    facts = [record.line for record in records if isinstance(record, (Triple, Statement, Literal))]
    return facts, {record.entity_id for record in records if isinstance(record, Named)}


@pytest.mark.parametrize(
    ("hops", "facts", "named"),
    [
        (0, [6], {"f1"}),
        (1, [1, 6], {"f1", "p1"}),
        (2, [1, 2, 3, 5, 6], {"f1", "f2", "p1"}),
        (3, [1, 2, 3, 4, 5, 6], {"f1", "f2", "p1"}),
        (9, [1, 2, 3, 4, 5, 6], {"f1", "f2", "p1"}),
    ],
)
def test_seeds_and_hops_in_both_directions(source: Source, hops: int, facts: list[int], named: set[str]) -> None:
    assert kept(source, Subset(seeds=("f1",), hops=hops)) == (facts, named)


def test_relations_and_those_with_a_beginning(source: Source) -> None:
    assert kept(source, Subset(relations=("film.film.director",))) == ([1, 2], {"f1", "f2", "p1"})
    assert kept(source, Subset(relations=("people.*",))) == ([3, 4, 5], {"p1"})


def test_domains_keep_relations_and_classes(source: Source) -> None:
    assert kept(source, Subset(domains=("film",)))[0] == [1, 2, 6]
    records = list(subset(source, Subset(domains=("film",))).records())
    assert Named("f2", "Second", labels=("film.film",)) in records
    assert Named("p1", "Ann", labels=()) in records
    assert RelationNote("people.person.spouse", label="spouse") not in records


def test_domains_of_ids_with_slashes() -> None:
    source = InMemorySource("made", [Triple(1, "a", "/film/film/genre", "b"), Triple(2, "a", "/filmed/x/y", "b")])
    assert kept(source, Subset(domains=("film",)))[0] == [1]


def test_classes_told_by_labels_keep_the_facts_of_their_instances(source: Source) -> None:
    assert kept(source, Subset(classes=("award.award_winning_work",))) == ([2], {"f2", "p1"})


def test_classes_told_by_facts() -> None:
    source = InMemorySource(
        "made", [Triple(1, "Q1", "P31", "Q5"), Statement(2, "Q2", "P31", "Q6", {}), Triple(3, "Q1", "P2", "Q2")]
    )
    assert kept(source, Subset(classes=("Q5",)))[0] == [1, 3]
    assert kept(source, Subset(classes=("Q6",)))[0] == [2]


def test_mediators_of_the_instances_of_a_class_are_kept_with_them() -> None:
    source = InMemorySource(
        "made",
        [
            RelationNote("starring", kind="leg"),
            RelationNote("actor", kind="leg"),
            Named("f", labels=("film",)),
            Triple(1, "f", "starring", "m"),
            Triple(2, "m", "actor", "p"),
            Triple(3, "p", "spouse", "q"),
        ],
    )
    assert kept(source, Subset(classes=("film",)))[0] == [1, 2]


def test_conditions_are_met_together(source: Source) -> None:
    options = Subset(seeds=("p1",), hops=1, relations=("film.film.director",), classes=("film.film",))
    assert kept(source, options)[0] == [1, 2]


def test_rejects_stay(source: Source) -> None:
    assert Reject(7, "no fact", "x") in list(subset(source, Subset(seeds=("l1",), hops=0)).records())


def test_nothing_asked_for_is_the_source_itself(source: Source) -> None:
    assert subset(source, Subset()) is source


def test_what_is_not_there_is_an_error(source: Source) -> None:
    with pytest.raises(LoadError, match="none of the 1 seeds: nobody"):
        subset(source, Subset(seeds=("nobody",)))
    with pytest.raises(LoadError, match=r"no entity of class film\.actor"):
        subset(source, Subset(classes=("film.actor",)))
    with pytest.raises(UsageError, match="negative"):
        subset(source, Subset(seeds=("f1",), hops=-1))


def test_a_part_of_blocks_is_read_in_blocks_by_other_processes_too(tmp_path: Path) -> None:
    (tmp_path / "facts").write_text("a|r|b\nb|r|c\nc|r|d\n")
    whole = open_source(str(tmp_path / "facts"))
    part = subset(whole, Subset(seeds=("a",), hops=2))
    assert isinstance(part, BlockSource)
    again: BlockSource = pickle.loads(pickle.dumps(part))  # noqa: S301 - our own
    found = [record for block in again.blocks() for record in again.parse(block)]
    assert found == list(part.records()) == [Triple(1, "a", "r", "b"), Triple(2, "b", "r", "c")]
    assert part.checksum() != whole.checksum()


def test_seeds_are_ids_or_files_of_ids(tmp_path: Path) -> None:
    (tmp_path / "ids").write_text("Q1\tone\n\nQ2\nQ1\n")
    assert read_seeds(("Q9", str(tmp_path / "ids"))) == ("Q9", "Q1", "Q2")
    (tmp_path / "none").write_text("\n")
    with pytest.raises(LoadError, match="is empty"):
        read_seeds((str(tmp_path / "none"),))
