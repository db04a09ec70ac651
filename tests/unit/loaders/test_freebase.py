"""Freebase's ontology and mediators, its N-Quads, and FB15k's tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.freebase.ontology import read_ontology
from kgqa_loaders.freebase.schema import as_it_is, depth, dotted, inverse_phrase, phrase, slashed
from kgqa_loaders.recognise import open_sources
from kgqa_loaders.records import Literal, Named, ReadOptions, Record, Reject, RelationNote, Triple


@pytest.fixture
def ontology(tmp_path: Path) -> str:
    """A folder as public copies of the ontology have it."""
    folder = tmp_path / "ontology"
    folder.mkdir()
    topics = ("film.film", "film.actor", "people.person", "location.location")
    (folder / "fb_types").write_text("".join(f"{topic} meta.subclassOf common.topic\n" for topic in topics))
    (folder / "fb_roles").write_text(
        "film.film film.film.starring film.performance\n"
        "film.performance film.performance.film film.film\n"
        "film.actor film.actor.film film.performance\n"
        "film.performance film.performance.actor film.actor\n"
        "film.performance film.performance.since type.datetime\n"
        "people.person people.person.spouse_s people.marriage\n"
        "people.marriage people.marriage.spouse people.person\n"
        "people.person people.person.place_of_birth location.location\n"
        "location.location location.location.people_born_here people.person\n"
        "one line glued to another one\n"
    )
    (folder / "reverse_properties").write_text(
        "film.film.starring\tfilm.performance.film\n"
        "film.performance.film\tfilm.film.starring\n"
        "film.performance.actor\tfilm.actor.film\n"
        "people.marriage.spouse\tpeople.person.spouse_s\n"
        "location.location.people_born_here\tpeople.person.place_of_birth\n"
    )
    return str(folder)


def add_lines(ontology: str, **lines: str) -> None:
    """Write lines at the end of an ontology's files."""
    for name, text in lines.items():
        with (Path(ontology) / name).open("a") as file:
            file.write(text)


def test_types_that_include_no_topic_are_mediators(ontology: str) -> None:
    assert read_ontology(ontology).mediators == {"film.performance", "people.marriage"}


def test_of_a_mirrored_pair_the_way_to_the_mediator_or_the_one_worded_from_its_head_is_kept(ontology: str) -> None:
    assert read_ontology(ontology).mirrored.master == {
        "film.performance.film": "film.film.starring",
        "film.performance.actor": "film.actor.film",
        "people.marriage.spouse": "people.person.spouse_s",
        "location.location.people_born_here": "people.person.place_of_birth",
    }


def test_a_pair_of_roles_is_one_relation_via_the_mediator(ontology: str) -> None:
    notes = {note.relation: note for note in read_ontology(ontology).notes(as_it_is)}
    played = notes["film.actor.film..film.performance.film"]
    assert played.via == (">film.actor.film", "<film.film.starring")
    assert (played.label, played.inverse) == ("film", "starring actor of")
    assert (played.heads, played.tails) == (("film.actor",), ("film.film",))
    assert notes["people.person.spouse_s..people.marriage.spouse"].via == (
        ">people.person.spouse_s",
        "<people.person.spouse_s",
    )
    assert "film.film.starring..film.performance.film" not in notes, "a film is not in its own cast"
    since = notes["film.film.starring..film.performance.since"]
    assert (since.kind, since.via) == ("property", (">film.film.starring", ">film.performance.since"))
    birth = notes["people.person.place_of_birth"]
    assert (birth.kind, birth.label, birth.inverse) == (None, "place of birth", "people born in")
    assert notes["film.film.starring"].kind == "leg"


def test_the_only_role_beside_kinds_is_one_that_a_mediator_joins_several_topics_in(ontology: str) -> None:
    add_lines(
        ontology,
        fb_types="film.crossover_type meta.subclassOf common.topic\n",
        fb_roles="film.film film.film.crossovers film.crossover\n"
        "film.crossover film.crossover.members film.film\n"
        "film.crossover film.crossover.kind film.crossover_type\n",
        reverse_properties="film.crossover.members\tfilm.film.crossovers\n",
    )
    notes = {note.relation: note for note in read_ontology(ontology).notes(as_it_is)}
    met = notes["film.film.crossovers..film.crossover.members"]
    assert met.via == (">film.film.crossovers", "<film.film.crossovers")
    assert "film.crossover.kind..film.crossover.kind" not in notes, "two kinds have nothing to do with one another"
    add_lines(ontology, fb_roles="film.crossover film.crossover.place location.location\n")
    notes = {note.relation: note for note in read_ontology(ontology).notes(as_it_is)}
    assert "film.film.crossovers..film.crossover.members" not in notes, "it may join one film and one place"


def test_an_unreadable_line_of_the_ontology_is_a_reject(ontology: str, tmp_path: Path) -> None:
    rejects = read_ontology(ontology).rejects
    assert rejects == (Reject(10, "fb_roles: 6 columns instead of 3", "one line glued to another one"),)
    (tmp_path / "facts").write_text("/m/01\t/a/b/c\t/m/02\n")
    source = open_sources([str(tmp_path / "facts")], options=ReadOptions(ontology=ontology)).source
    assert rejects[0] in list(source.records())


def test_an_ontology_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="no ontology at"):
        read_ontology(str(tmp_path / "nothing"))
    with pytest.raises(LoadError, match="fb_types"):
        read_ontology(str(tmp_path))


@pytest.mark.parametrize(
    ("id_", "expected"),
    [("m.0abc", 0), ("_:1", 0), ("film", 1), ("film.film", 2), ("base.scenery.park", 2), ("film.film.genre", 3)],
)
def test_depth(id_: str, expected: int) -> None:
    assert depth(id_) == expected


def test_both_spellings_of_ids() -> None:
    assert slashed("a.b.c..d.e.f") == "/a/b/c./d/e/f"
    assert dotted("/a/b/c./d/e/f") == "a.b.c..d.e.f"


def test_words_of_a_property_and_of_its_mirror_image() -> None:
    assert phrase("people.person.spouse_s") == "spouse"
    assert inverse_phrase("film.film_genre.films_in_this_genre") == "films in this genre"
    assert inverse_phrase("location.location.people_born_here") == "people born in"
    assert inverse_phrase("film.actor.film") == "film of"


# ── N-Quads ──────────────────────────────────────────────────────────────────────────────────────────────────────────

QUADS = (
    '</en/blue_tower> <name> "Blue \\"Tower\\"" .\n'
    "</en/blue_tower> <type> </film/film> .\n"
    "</en/blue_tower> </film/film/starring> _:1 .\n"
    "_:1 </film/performance/actor> </en/ann_lee> </graph> .\n"
    '_:1 </film/performance/character> "Herself" .\n'
)


def read(tmp_path: Path, text: str, options: ReadOptions | None = None) -> tuple[tuple[str, ...], list[Record]]:
    path = tmp_path / "facts"
    path.write_text(text, encoding="utf-8")
    opened = open_sources([str(path)], options=options)
    return opened.formats, list(opened.source.records())


def test_quads_are_names_types_facts_and_properties(tmp_path: Path) -> None:
    formats, records = read(tmp_path, QUADS)
    assert formats == ("freebase-nquads",)
    assert [record for record in records if not isinstance(record, RelationNote)] == [
        Named("/en/blue_tower", name='Blue "Tower"', rank=2, line=1),
        Named("/en/blue_tower", labels=("/film/film",), line=2),
        Triple(3, "/en/blue_tower", "/film/film/starring", "_:1"),
        Triple(4, "_:1", "/film/performance/actor", "/en/ann_lee"),
        Literal(5, "_:1", "/film/performance/character", "Herself"),
    ]


def test_blank_nodes_are_mediators_without_any_ontology(tmp_path: Path) -> None:
    _, records = read(tmp_path, QUADS)
    via = {record.relation: record.via for record in records if isinstance(record, RelationNote) and record.via}
    assert via == {
        "/film/film/starring./film/performance/actor": (">/film/film/starring", ">/film/performance/actor"),
        "/film/film/starring./film/performance/character": (">/film/film/starring", ">/film/performance/character"),
        "/film/performance/actor./film/performance/character": (
            "</film/performance/actor",
            ">/film/performance/character",
        ),
    }


def test_words_of_a_step_over_a_mediator_that_only_knows_the_way_in(tmp_path: Path) -> None:
    _, records = read(tmp_path, QUADS)
    (acted,) = [r for r in records if isinstance(r, RelationNote) and r.relation.endswith("./film/performance/actor")]
    assert (acted.label, acted.inverse) == ("starring actor", "films starring")


def test_quads_are_turned_round_by_the_ontology(tmp_path: Path, ontology: str) -> None:
    _, records = read(tmp_path, QUADS, ReadOptions(ontology=ontology))
    assert Triple(4, "/en/ann_lee", "/film/actor/film", "_:1") in records


def test_a_broken_quad_is_a_reject(tmp_path: Path) -> None:
    _, records = read(tmp_path, QUADS + "_:1 </film/performance/actor> </en/ann_lee>\n")
    assert records[-1] == Reject(
        6, "it is no statement of subject, predicate and object", "_:1 </film/performance/actor> </en/ann_lee>"
    )


# ── FB15k ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_tables_are_facts_with_words_for_relations_of_two_parts(tmp_path: Path) -> None:
    text = "/m/01\t/film/film/starring./film/performance/actor\t/m/02\n/m/01\t/film/film/genre\t/m/03\n"
    formats, records = read(tmp_path, text)
    assert formats == ("fb15k",)
    notes = {record.relation: record.label for record in records if isinstance(record, RelationNote)}
    assert notes == {"/film/film/starring./film/performance/actor": "starring actor", "/film/film/genre": "genre"}
    assert [record for record in records if isinstance(record, Triple)] == [
        Triple(1, "/m/01", "/film/film/starring./film/performance/actor", "/m/02"),
        Triple(2, "/m/01", "/film/film/genre", "/m/03"),
    ]


def test_a_mirrored_relation_is_turned_round_in_both_its_parts(tmp_path: Path, ontology: str) -> None:
    text = (
        "/m/01\t/location/location/people_born_here\t/m/02\n"
        "/m/01\t/film/performance/actor./location/location/people_born_here\t/m/03\n"
    )
    _, records = read(tmp_path, text, ReadOptions(ontology=ontology))
    assert [record[1:] for record in records if isinstance(record, Triple)] == [
        ("/m/02", "/people/person/place_of_birth", "/m/01"),
        ("/m/03", "/people/person/place_of_birth./film/actor/film", "/m/01"),
    ]
    note = next(record for record in records if isinstance(record, RelationNote))
    assert (note.label, note.inverse) == ("place of birth", "people born in")


# ── facts between names ──────────────────────────────────────────────────────────────────────────────────────────────

NAMED = (
    "The Blue Tower\tfilm.film.starring\tm.0role\n"
    "m.0role\tfilm.performance.film\tThe Blue Tower\n"
    "m.0role\tfilm.performance.actor\tAnn Lee\n"
    "m.0role\tfilm.performance.since\t1999\n"
)


def test_a_table_of_names_is_like_any_other_without_an_ontology(tmp_path: Path) -> None:
    formats, records = read(tmp_path, NAMED)
    assert formats == ("freebase-names",)
    assert [record[1:] for record in records if isinstance(record, Triple)] == [
        tuple(line.split("\t")) for line in NAMED.splitlines()
    ]
    assert len(records) == 4
    formats, _ = read(tmp_path, NAMED.replace("film.", "film/").replace("performance.", "performance/"))
    assert formats == ("tsv",)


@pytest.mark.parametrize("source", ["", "\tdump"])
def test_with_an_ontology_its_facts_are_turned_round_mediators_joined_and_values_typed(
    tmp_path: Path, ontology: str, source: str
) -> None:
    text = "".join(f"{line}{source}\n" for line in (NAMED * 10).splitlines())
    formats, records = read(tmp_path, text, ReadOptions(ontology=ontology))
    assert formats == ("freebase-names",)
    assert [record for record in records if isinstance(record, Triple | Literal)][:4] == [
        Triple(1, "The Blue Tower", "film.film.starring", "m.0role"),
        Triple(2, "The Blue Tower", "film.film.starring", "m.0role"),
        Triple(3, "Ann Lee", "film.actor.film", "m.0role"),
        Literal(4, "m.0role", "film.performance.since", 1999),
    ]
    notes = {record.relation: record for record in records if isinstance(record, RelationNote)}
    assert notes["film.film.starring"].kind == "leg"
    assert notes["film.actor.film..film.performance.film"].via == (">film.actor.film", "<film.film.starring")
    assert sum(isinstance(record, Reject) for record in records) == 1  # a line of the ontology


@pytest.mark.parametrize("odd", ["head\trelation\ttail", "a\tan.odd..relation\tb"])
def test_a_heading_or_an_odd_line_keeps_no_table_from_its_ontology(tmp_path: Path, ontology: str, odd: str) -> None:
    formats, records = read(tmp_path, f"{odd}\n{NAMED * 5}", ReadOptions(ontology=ontology))
    assert formats == ("freebase-names",)
    assert "film.performance.film" not in {record.relation for record in records if isinstance(record, Triple)}


@pytest.mark.parametrize(("line", "said"), [
    ("1999\tfilm.performance.since\tm.0role", ("m.0role", "film.performance.since", 1999)),
    ("m.0role\tfilm.performance.since\tlong ago", ("m.0role", "film.performance.since", "long ago")),
    ("1984\tfilm.performance.since\t1984-11", ("1984", "film.performance.since", "1984-11")),
])  # fmt: skip
def test_a_value_stands_last(tmp_path: Path, ontology: str, line: str, said: tuple[object, ...]) -> None:
    _, records = read(tmp_path, f"{NAMED * 5}{line}\n", ReadOptions(ontology=ontology))
    assert next(record[1:] for record in reversed(records) if isinstance(record, Literal)) == said


def test_facts_that_stand_the_wrong_way_round_are_turned_and_counted(tmp_path: Path, ontology: str) -> None:
    right = [f"film {n}\tfilm.film.starring\trole {n}\nann {n % 5}\tfilm.actor.film\trole {n}\n" for n in range(40)]
    wrong = "role 3\tfilm.film.starring\tfilm 3\n1999\tfilm.performance.since\trole 3\n"
    path = tmp_path / "facts.tsv"
    path.write_text("".join(right).replace(right[3].splitlines()[0] + "\n", wrong), encoding="utf-8")
    opened = open_sources([str(path)], options=ReadOptions(ontology=ontology))
    assert opened.notes == ("facts between names that stand the wrong way round by the ontology, now turned: 1",)
    found = {record[1:] for record in opened.source.records() if isinstance(record, Triple | Literal)}
    assert {("film 3", "film.film.starring", "role 3"), ("role 3", "film.performance.since", 1999)} <= found
    assert len(found) == 81


def test_a_fact_whose_mediator_has_a_name_and_the_other_end_none_is_turned(tmp_path: Path, ontology: str) -> None:
    text = f"{NAMED * 5}m.0other\tfilm.film.starring\tThe Red Tower\nm.0other\tfilm.performance.actor\tAnn Lee\n"
    _, records = read(tmp_path, text, ReadOptions(ontology=ontology))
    assert [record[1:] for record in records if isinstance(record, Triple)][-2:] == [
        ("The Red Tower", "film.film.starring", "m.0other"),
        ("Ann Lee", "film.actor.film", "m.0other"),
    ]


def test_a_type_whose_instances_all_have_names_is_no_mediator_where_others_have_none(
    tmp_path: Path, ontology: str
) -> None:
    witness = "people.marriage.witness"
    add_lines(ontology, fb_roles=f"people.marriage {witness} people.person\n")
    wedding = f"The Wedding of 1999\t{witness}\tAnn Lee\n"
    for text, kind in ((f"{NAMED * 5}{wedding}", None), (wedding * 5, "leg")):
        _, records = read(tmp_path, text, ReadOptions(ontology=ontology))
        notes = {record.relation: record for record in records if isinstance(record, RelationNote)}
        assert notes[witness].kind == kind
        assert any(witness in step for note in notes.values() for step in note.via) == (kind == "leg")


@pytest.mark.parametrize(("nameless", "named", "joined"), [(10, 3, True), (10, 4, False), (9, 0, False)])
def test_a_type_that_is_said_to_be_a_topic_is_a_mediator_where_hardly_any_of_it_has_a_name(
    tmp_path: Path, ontology: str, nameless: int, named: int, joined: bool
) -> None:
    add_lines(
        ontology,
        fb_types="location.address meta.subclassOf common.topic\n",
        fb_roles="people.person people.person.address location.address\n"
        "location.address location.address.town location.location\n",
    )
    keys = [*(f"m.0{number}" for number in range(nameless)), *(f"Street {number}" for number in range(named))]
    text = "".join(f"ann {key}\tpeople.person.address\t{key}\n{key}\tlocation.address.town\tBath\n" for key in keys)
    _, records = read(tmp_path, f"{NAMED}{text}", ReadOptions(ontology=ontology))
    via = {record.relation: record.via for record in records if isinstance(record, RelationNote) and record.via}
    assert via.get("people.person.address..location.address.town", ()) == (
        (">people.person.address", ">location.address.town") if joined else ()
    )
