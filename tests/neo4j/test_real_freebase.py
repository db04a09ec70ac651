"""Public graphs load with the counts that another library, or a few lines that use none of our code, give.

The files are looked for in the folder that ``KGQA_DATA`` names; a test whose file is missing is skipped.
"""

from __future__ import annotations

import gzip
import json
import os
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb.catalog import loaded_mapping
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Entity
from kgqa_loaders.names import with_names
from kgqa_loaders.recognise import open_sources
from kgqa_loaders.records import LoadOptions, ReadOptions
from kgqa_loaders.write import LoadReport, load

pytestmark = [pytest.mark.data, pytest.mark.slow, pytest.mark.timeout(1200)]


def public(*parts: str) -> Path:
    """A public file, or skip the test."""
    path = Path(os.environ.get("KGQA_DATA", "data")).joinpath(*parts)
    if not path.exists():
        pytest.skip(f"no {'/'.join(parts)}: set KGQA_DATA to the folder that holds it")
    return path


@dataclass
class Counted:
    """What an independent reader finds.

    :ivar names: entity → its names
    :ivar values: entity and property → values
    """

    facts: set[tuple[str, str, str]] = field(default_factory=set)
    names: dict[str, set[str]] = field(default_factory=dict)
    values: set[tuple[str, str, str]] = field(default_factory=set)
    others: set[str] = field(default_factory=set)

    @property
    def entities(self) -> set[str]:
        ends = {end for head, _, tail in self.facts for end in (head, tail)}
        return ends | set(self.names) | {head for head, _, _ in self.values} | self.others


def loaded(
    driver: neo4j.Driver, graph: str, *paths: Path, options: ReadOptions | None = None, expected: Counted
) -> LoadReport:
    """Load files and compare what is in the database afterwards with what was counted."""
    options = options or ReadOptions()
    opened = open_sources([str(path) for path in paths], options=options)
    source = with_names(opened.source, options.names)
    report = load(driver, source, graph=graph, options=LoadOptions(opened.licence, opened.formats))
    assert (report.entities, report.facts) == (len(expected.entities), len(expected.facts))
    assert report.relations >= len({relation for _, relation, _ in expected.facts})
    rows = driver.execute_query(
        f"MATCH (n:`KG_{graph}`) RETURN n.entity_id AS id, n.name AS name, coalesce(n.aliases, []) AS aliases"
    ).records
    found = {row["id"]: {row["name"], *row["aliases"]} - {row["id"]} for row in rows}
    wanted = {entity: names - {entity} for entity, names in expected.names.items()}
    assert found == {entity: wanted.get(entity, set()) for entity in expected.entities}
    return report


def lines_of(path: Path, separator: str) -> Iterator[list[str]]:
    """The columns of a text file's lines that are not blank."""
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.strip():
            yield line.removesuffix("\r").split(separator)


# ── triples ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("parts", "separator", "facts"),
    [
        (("metaqa", "kb.txt"), "|", 133_582),
        (("zjqa", "triple.txt"), "\t", 11_256),
        (("freebase", "derived", "webqsp_cwq_named_triples.tsv"), "\t", None),
    ],
    ids=["metaqa", "zjqa", "webqsp and cwq"],
)
def test_triples(
    driver: neo4j.Driver, graph_name: str, parts: tuple[str, ...], separator: str, facts: int | None
) -> None:
    path = public(*parts)
    expected = Counted({(head, relation, tail) for head, relation, tail, *_ in lines_of(path, separator)})
    report = loaded(driver, graph_name, path, expected=expected)
    assert report.rejected == 0
    assert facts in (None, report.facts)


@pytest.mark.parametrize("name", ["2H-kb.txt", "3H-kb.txt", "PQL2-KB.txt", "PQL3-KB.txt"])
def test_pathquestion_has_names_with_spaces(driver: neo4j.Driver, graph_name: str, name: str) -> None:
    path = public("pathquestion", name)
    expected = Counted({(head, relation, tail) for head, relation, tail in lines_of(path, "\t")})
    for entity in expected.entities:
        if spoken := " ".join(entity.replace("_", " ").split()) if "_" in entity else "":
            expected.names[entity] = {spoken, entity}
    assert loaded(driver, graph_name, path, expected=expected).rejected == 0


def test_a_folder_of_graphs_and_questions_gives_the_graphs(tmp_path: Path) -> None:
    opened = open_sources([str(public("pathquestion"))])
    assert (len(opened.formats), len(opened.skipped)) == (4, 5)
    opened = open_sources([str(public("zjqa"))])
    assert (len(opened.formats), len(opened.skipped)) == (1, 4)


# ── Freebase ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def fb15k() -> Counted:
    counted = Counted()
    with tarfile.open(public("freebase", "fb15k-237", "FB15k-237.tar.gz")) as archive:
        for member in archive.getmembers():
            file = archive.extractfile(member)
            if file is not None:
                for line in file.read().decode().splitlines():
                    head, relation, tail = line.split("\t")
                    counted.facts.add((head, relation, tail))
    return counted


@pytest.mark.big
def test_fb15k_with_names_from_three_files(driver: neo4j.Driver, graph_name: str) -> None:
    folder = public("freebase", "fb15k-237")
    expected = fb15k()
    assert len(expected.facts) == 310_116
    entities = expected.entities
    for line in (folder / "fb-entity2text-new.txt").read_text(encoding="utf-8").splitlines():
        entity, text = line.split("\t")
        if entity in entities:
            expected.names.setdefault(entity, set()).add(text.split(" -- ")[0].strip())
    for line in (folder / "FB15k_mid2name.txt").read_text(encoding="utf-8").splitlines():
        entity, name = line.split("\t")
        if entity in entities:
            expected.names.setdefault(entity, set()).add(" ".join(name.replace("_", " ").split()))
    for entity, entry in json.loads((folder / "entity2wikidata.json").read_text(encoding="utf-8")).items():
        if entity in entities:
            expected.names.setdefault(entity, set()).update(
                (entry["label"].strip(), *map(str.strip, entry["alternatives"]))
            )
    expected.names = {entity: names - {""} for entity, names in expected.names.items()}
    files = ("fb-entity2text-new.txt", "FB15k_mid2name.txt", "entity2wikidata.json")
    options = ReadOptions(names=tuple(str(folder / file) for file in files))
    report = loaded(driver, graph_name, folder / "FB15k-237.tar.gz", options=options, expected=expected)
    assert (report.entities, report.rejected) == (14_541, 0)


@pytest.mark.big
def test_cayley_film_graph(driver: neo4j.Driver, graph_name: str) -> None:
    pyoxigraph = pytest.importorskip("pyoxigraph")
    path = public("freebase", "cayley-30kmovie", "30kmoviedata.nq.gz")
    expected = Counted()
    with gzip.open(path) as stream:  # relative ids are Turtle's, not N-Quads'
        for quad in pyoxigraph.parse(stream, pyoxigraph.RdfFormat.TURTLE, base_iri="x://y/"):
            head, tail = _id(quad.subject), _id(quad.object)
            relation = _id(quad.predicate)
            if relation == "/name":
                expected.names.setdefault(head, set()).add(quad.object.value)
            elif relation == "/type":
                expected.others.add(head)
            elif isinstance(quad.object, pyoxigraph.Literal):
                expected.values.add((head, relation, tail))
            else:
                expected.facts.add((head, relation, tail))
    report = loaded(driver, graph_name, path, expected=expected)
    assert (report.literals, report.rejected) == (len(expected.values), 0)
    (film,) = [entity for entity, names in expected.names.items() if names == {"Blade Runner"}]
    roles = {tail for head, relation, tail in expected.facts if (head, relation) == (film, "/film/film/starring")}
    actors = {tail for head, relation, tail in expected.facts if head in roles and relation.endswith("actor")}
    with Neo4jIO(driver) as io:
        mapping = run(loaded_mapping(graph_name), io)
        query = f"MATCH (n:`KG_{graph_name}` {{entity_id: $id}}) RETURN elementId(n) AS element"
        (row,) = driver.execute_query(query, id=film).records
        topic = Entity(film, film, element_id=row["element"])
        plan = Follow(topic, (mapping.step(">/film/film/starring./film/performance/actor"),))
        nodes = run(Graph(mapping).execute(plan), io).nodes
    assert {node.id for node in nodes if isinstance(node, Entity)} == actors != set()


def _id(term: object) -> str:
    """An id as we write it: without the base, blank ones with ``_:``."""
    text = str(term)
    return text if text.startswith("_:") else str(getattr(term, "value", "")).removeprefix("x://y")


SKIPPED = (
    "type.",
    "freebase.",
    "dataworld.",
    "pipeline.",
    "kg.",
    "common.licensed_object.",
    "common.notable_for.display",
)
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


def dump_sample(content: bytes, namespace: str) -> Counted:
    """What the rules of the reader's table leave of a dump in which no two relations mirror each other."""
    pyoxigraph = pytest.importorskip("pyoxigraph")
    expected = Counted()
    for quad in pyoxigraph.parse(content, pyoxigraph.RdfFormat.N_TRIPLES, lenient=True):
        head, relation = (term.value.removeprefix(namespace) for term in (quad.subject, quad.predicate))
        literal = isinstance(quad.object, pyoxigraph.Literal)
        tail = quad.object.value.removeprefix(namespace)
        english = literal and quad.object.language in ("en", None)
        topic = head.startswith(("m.", "g."))
        if relation in ("type.object.name", RDFS + "label") or relation == "common.topic.alias":
            if topic and english:
                expected.names.setdefault(head, set()).add(tail)
        elif relation in ("type.object.type", RDF + "type", "common.topic.description"):
            if topic and (english or not literal):
                expected.others.add(head)
        elif relation == "type.type.instance":
            expected.others.add(tail)
        elif not relation.startswith((*SKIPPED, "http:")) and (english or not literal):
            if literal or not quad.object.value.startswith(namespace):
                expected.values.add((head, relation, tail))
            else:
                expected.facts.add((head, relation, tail))
    return expected


def test_sample_of_the_dump_as_basekb_publishes_it(driver: neo4j.Driver, graph_name: str) -> None:
    path = public("freebase", "rdf-dump-samples", "adperezmorales-test.nt.gz")
    expected = dump_sample(gzip.decompress(path.read_bytes()), "http://rdf.basekb.com/ns/")
    report = loaded(driver, graph_name, path, expected=expected)
    assert (report.literals, report.rejected) == (len(expected.values), 0)


def test_sample_of_the_dump_with_schema_and_instances(driver: neo4j.Driver, graph_name: str) -> None:
    path = public("freebase", "rdf-dump-samples", "sample_freebase-rdf-2014-09-28-00-00.triples.txt")
    expected = dump_sample(path.read_bytes(), "http://rdf.freebase.com/ns/")
    assert (len(expected.others), len(expected.facts)) == (945, 0)
    report = loaded(driver, graph_name, path, options=ReadOptions(types="facts"), expected=_with_types(expected, path))
    assert report.rejected == 0


def _with_types(expected: Counted, path: Path) -> Counted:
    """The instances as facts."""
    for line in path.read_text(encoding="utf-8").splitlines():
        head, relation, tail = (term.rstrip(">").rpartition("/ns/")[2] for term in line.split("\t")[:3])
        if relation == "type.type.instance":
            expected.facts.add((tail, "type.object.type", head))
    return expected
