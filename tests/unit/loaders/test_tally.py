"""Counts of what each of several sources gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgqa_graphdb.catalog.provenance import SourceCounts, joined_sources, pack_sources, unpack_sources
from kgqa_loaders.gather import StagedGraph, gather
from kgqa_loaders.normal import Row, normalise
from kgqa_loaders.records import NAMING_RANK, Literal, Named, Record, Statement, Triple
from kgqa_loaders.tally import Tally


def counts(*sources: tuple[str, Sequence[Record]], naming: Sequence[str] = ()) -> tuple[SourceCounts, ...]:
    """The counts of sources: origin and records."""
    staged = StagedGraph()
    tally = Tally(staged, naming)

    def rows() -> Iterator[Row]:
        for origin, records in sources:
            yield from normalise(tally.counted(origin, records), {})

    gather(rows(), lambda reject: None, staged)
    return tally.counts()


def test_facts_that_an_earlier_source_has_are_not_new() -> None:
    first = [Triple(1, "a", "r", "b"), Triple(2, "a", "r", "b"), Triple(3, "b", "s", "c")]
    second = [Triple(1, "b", "s", "c"), Triple(2, "c", "t", "d")]
    assert counts(("one", first), ("two", second)) == (
        SourceCounts("one", facts=2, new_facts=2, entities=3, new_entities=3),
        SourceCounts("two", facts=2, new_facts=1, entities=3, new_entities=1),
    )


def test_files_of_one_place_count_together() -> None:
    fact = Triple(1, "a", "r", "b")
    found = counts(("one", [fact]), ("two", [fact]), ("one", [fact, Triple(2, "a", "r", "c")]))
    assert [(c.source, c.facts, c.new_facts) for c in found] == [("one", 2, 2), ("two", 1, 0)]


def test_facts_with_qualifiers_are_facts_of_their_own() -> None:
    said = [Statement(1, "a", "r", "b", {"since": 1912}), Statement(2, "a", "r", "b", {"since": 1913})]
    found = counts(("one", said), ("two", [said[0], Triple(2, "a", "r", "b"), Statement(3, "a", "r", "c", {}, "id")]))
    assert [(c.facts, c.new_facts, c.qualified) for c in found] == [(2, 2, 2), (3, 2, 1)]


def test_names_count_for_the_file_that_gives_them() -> None:
    records = [
        Triple(1, "a", "r", "b"),
        Named("a", "A", rank=0),
        Named("b", "B", aliases=("bee",), rank=NAMING_RANK + 1),
        Named("b", description="a letter", rank=NAMING_RANK),
        Named("b", "B", rank=NAMING_RANK + 1),
        Literal(2, "a", "height", 3),
    ]
    assert counts(("facts", records), naming=("texts", "names")) == (
        SourceCounts("facts", facts=1, new_facts=1, entities=2, new_entities=2, values=1, named=1),
        SourceCounts("names", named=1, aliased=1),
        SourceCounts("texts", described=1),
    )


def test_counts_are_kept_as_text_and_a_later_load_adds_to_them() -> None:
    stored = (SourceCounts("one", 2, 2), SourceCounts("two", 3, 1))
    assert unpack_sources(pack_sources(stored)) == stored
    assert unpack_sources("") == ()
    assert pack_sources(()) == ""
    assert unpack_sources('[{"source": "x", "facts": 1, "later": 2}]') == (SourceCounts("x", 1),)
    more = joined_sources(stored, [SourceCounts("two", 4, 1), SourceCounts("three", 1, 1)])
    assert [(c.source, c.facts) for c in more] == [("one", 2), ("two", 4), ("three", 1)]
