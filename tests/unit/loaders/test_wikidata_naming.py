"""Files that only say what Wikidata's entities are called, beside those that hold the facts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.gather import StagedGraph, gather
from kgqa_loaders.normal import merged_note, normalise
from kgqa_loaders.recognise import Many, open_source, open_sources
from kgqa_loaders.records import Literal, Named, Record, Reject, RelationNote
from kgqa_loaders.wikidata.labels import pieces_of, whole_aliases
from kgqa_loaders.wikidata.naming import description_among

STATEMENTS = "Q1,P17,Q2\nQ1,P50,Q3,P453,Q4\nQ5,P17,Q2\n"


def put(folder: Path, files: dict[str, str]) -> list[str]:
    """Write files; their paths."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [str(folder / name) for name in files]


def staged(folder: Path, files: dict[str, str]) -> tuple[StagedGraph, list[Reject]]:
    """What some files make together."""
    rejects: list[Reject] = []
    records = open_sources(put(folder, files)).source.records()
    return gather(normalise(records, {}), rejects.append), rejects


def texts(graph: StagedGraph, entity: str) -> tuple[str, set[str], str]:
    """Name, aliases and description of an entity."""
    number = graph.entities.index[entity]
    described = graph.descriptions.get(number, ("", ""))[1]
    return graph.name(number), graph.aliases.get(number, set()) - {graph.name(number)}, described


def test_names_aliases_and_descriptions_come_from_files_of_their_own(tmp_path: Path) -> None:
    graph, rejects = staged(
        tmp_path,
        {
            "facts.txt": STATEMENTS,
            "entity_labels_en.txt": "Q1\tTall Mill\nQ2\tFarland\nQ9\tNobody\n",
            "entity_aliases_en.txt": "Q1\tTM, The Mill\n",
            "entity_descriptions_en.txt": "Q1\tmill in Farland\n",
            "relation_labels_en.txt": "P17\tcountry\nP453\tcharacter role\nP999\tunused\n",
        },
    )
    assert not rejects
    assert texts(graph, "Q1") == ("Tall Mill", {"TM", "The Mill"}, "mill in Farland")
    assert texts(graph, "Q2") == ("Farland", set(), "")
    assert merged_note(graph.notes["P17"]).label == "country"
    assert merged_note(graph.notes["P453"]).label == "character role"


def test_what_is_named_but_in_no_fact_makes_no_entity_and_no_relation(tmp_path: Path) -> None:
    graph, _ = staged(tmp_path, {"facts.txt": STATEMENTS, "labels.json": json.dumps({"Q9": "Nobody", "P999": "none"})})
    assert graph.entities.names == ["Q1", "Q2", "Q3", "Q5"]
    assert "P999" not in graph.notes


def test_an_entity_without_a_name_anywhere_goes_by_its_id(tmp_path: Path) -> None:
    graph, _ = staged(tmp_path, {"facts.txt": STATEMENTS, "labels.json": '{"Q1": "Tall Mill"}'})
    assert texts(graph, "Q5") == ("Q5", set(), "")


def test_a_name_from_the_facts_wins_then_the_first_file_and_the_others_are_aliases(tmp_path: Path) -> None:
    graph, _ = staged(
        tmp_path,
        {
            "a.json": '{"Q1": "A Mill", "Q2": "Far Land"}',
            "b.json": '{"Q1": "The Mill", "Q2": "A Far Land"}',
            "labelled.tsv": "Q1\tTall Mill\tP17\tcountry\tQ2\t\n",
            "facts.txt": STATEMENTS,
        },
    )
    assert texts(graph, "Q1") == ("Tall Mill", {"A Mill", "The Mill"}, "")
    assert texts(graph, "Q2") == ("Far Land", {"A Far Land"}, "")


def test_the_same_fact_of_two_sources_is_one_and_one_with_qualifiers_another(tmp_path: Path) -> None:
    graph, _ = staged(
        tmp_path, {"facts.txt": STATEMENTS, "labelled.tsv": "Q1\ta\tP17\tcountry\tQ2\tb\nQ1\ta\tP50\tby\tQ3\tc\n"}
    )
    assert len(graph.codes()) == 3
    assert len(graph.statements) == 1


def test_files_that_only_name_things_are_no_graph(tmp_path: Path) -> None:
    for name, text in (("labels.json", '{"Q1": "x"}'), ("entity_labels.txt", "Q1\tx\n")):
        with pytest.raises(LoadError, match="only names things; give it together with the facts"):
            open_source(put(tmp_path, {name: text})[0])


def test_two_columns_are_names_only_where_the_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="--names"):
        open_source(put(tmp_path, {"table.txt": "Q1\tx\nQ2\ty\n"})[0])
    with pytest.raises(LoadError, match="--names"):
        open_source(put(tmp_path, {"entity_labels_types.txt": "Q1\tQ5\nQ2\tQ5\n"})[0])


def test_lines_that_name_nothing_are_rejected_once_with_their_file(tmp_path: Path) -> None:
    files = {
        "a.txt": STATEMENTS,
        "b.txt": STATEMENTS,
        "x_labels.txt": "Q1\tTall Mill\n" * 9 + "Q2\n",
        "y.json": '{"Q1": "x", "Q2": ""}',
    }
    _, rejects = staged(tmp_path, files)
    assert [(reject.line, reject.reason.split(": ")[1]) for reject in rejects] == [
        (10, "it is no id and label with a tab between"),
        (0, "it gives 'Q2' no label"),
    ]


def test_broken_json_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"can't read .*labels\.json as JSON"):
        open_sources(put(tmp_path, {"facts.txt": STATEMENTS, "labels.json": '{"Q1": "x", '}))


def test_names_count_for_where_they_came_from(tmp_path: Path) -> None:
    source = open_sources(put(tmp_path, {"facts.txt": STATEMENTS, "labels.json": '{"Q1": "x"}'})).source
    assert isinstance(source, Many)
    assert source.naming == (str(tmp_path / "labels.json"),)
    before = source.checksum()
    put(tmp_path, {"labels.json": '{"Q1": "y"}'})
    changed = open_sources([str(tmp_path / "facts.txt"), str(tmp_path / "labels.json")]).source
    assert changed.checksum() != before


def test_a_unit_goes_by_its_name_and_its_property_by_its_label(tmp_path: Path) -> None:
    files = {
        "numbers.txt": 'Q1\tP2048_Q77\t"3.5"^^<http://www.w3.org/2001/XMLSchema#decimal>\n',
        "labels.json": '{"Q77": "spans", "P2048": "height"}',
    }
    records = list(open_sources(put(tmp_path, files)).source.records())
    assert RelationNote("P2048_Q77", unit="spans", like="P2048") in records
    assert any(isinstance(record, RelationNote) and record.label == "height" for record in records)
    assert Literal(1, "Q1", "P2048_Q77", 3.5) in records


# ── aliases between commas ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("column", "pieces"),
    [
        ("TM, The Mill", ("TM", "The Mill")),
        ('"Ann ""Annie"" As, Annie"', ('Ann "Annie" As', "Annie")),
        ("Ben As, Jr., Benny", ("Ben As, Jr.", "Benny")),
        ("Mill Works, Inc.", ("Mill Works, Inc.",)),
        ("Ann, 3rd Lady of Far, Annie", ("Ann, 3rd Lady of Far", "Annie")),
        ("  one ,  two", ("one", "two")),
    ],
)
def test_a_column_is_split_at_its_commas(column: str, pieces: tuple[str, ...]) -> None:
    assert pieces_of(column) == pieces


def test_what_follows_the_label_belongs_to_it() -> None:
    records = [Named("Q1", "Far"), Named("Q1", aliases=("Farland", "Far", "Near State", "Old Far", "Far", "NS"))]
    assert whole_aliases(records)[1].aliases == ("Farland", "Far, Near State", "Old Far", "Far, NS")
    assert whole_aliases([Named("Q1", aliases=("Far", "NS"))])[0].aliases == ("Far", "NS")


def test_a_name_with_the_last_name_first_is_one_alias() -> None:
    records = [Named("Q1", "Ann As"), Named("Q1", aliases=("Annie", "As", "Ann", "A. As"))]
    assert whole_aliases(records)[1].aliases == ("Annie", "As, Ann", "A. As")


# ── InferWiki's vocabulary ───────────────────────────────────────────────────────────────────────────────────────────


def vocabulary(tmp_path: Path, text: str) -> list[Record]:
    """The records of a vocabulary, beside facts."""
    files = {"facts.txt": STATEMENTS, "ent_vocab.txt": text}
    opened = open_sources(put(tmp_path, files))
    assert opened.formats == ("wikidata-statements", "inferwiki-names")
    return [record for record in opened.source.records() if isinstance(record, (Named, Reject))]


def test_behind_a_label_stand_aliases_and_the_description_in_any_order(tmp_path: Path) -> None:
    found = vocabulary(tmp_path, "Q1\t\t12\t\tTall Mill\t\tTM\told mill in the north of Farland\tTall Mill\n")
    assert [(n.name, n.aliases, n.description) for n in found if isinstance(n, Named)] == [
        ("Tall Mill", ("TM",), "old mill in the north of Farland")
    ]


@pytest.mark.parametrize(
    ("texts", "description"),
    [
        (["Tall Mill", "", "Farlandish landmark"], "Farlandish landmark"),
        (["", "Tall Mill"], ""),
        (["TM", "", "Old Tall Mill", "Tall Mill"], ""),
        (["2019 edition of the Tall Mill", "TM", "Tall Mill"], "2019 edition of the Tall Mill"),
        (["", "Tall Mill Works"], ""),
        ([], ""),
    ],
)
def test_which_text_is_the_description(texts: list[str], description: str) -> None:
    assert description_among("Tall Mill", texts) == description


def test_a_line_without_a_label_is_rejected(tmp_path: Path) -> None:
    good = "Q1\t\t12\t\tTall Mill\t\tTM\tTall Mill\n"
    found = vocabulary(tmp_path, good * 9 + "Q2\t\t3\n")
    assert [record.line for record in found if isinstance(record, Reject)] == [10]
