"""Makes a graph's vector index: a vector for the names and the description of each entity, batch by batch.

A vector is stored with a digest of its text and of its encoder. Run again, cut off or not, only entities whose digest
differs are embedded: those that have no vector yet, whose text changed, or that were embedded by another encoder. The
index is made when all vectors are there, which is quicker than to keep it up to date meanwhile; from then on Neo4j
keeps it so.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import neo4j

from kgqa_graphdb import queries
from kgqa_graphdb.errors import LoadError, UnknownGraphError, UsageError
from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.types import VectorIndexes
from kgqa_loaders.server import Progress, Server, address_of, clear_errors, in_batches

if TYPE_CHECKING:
    from kgqa_graphdb.encode import Encoder

PROPERTY = "_kgqa_vector"
"""The property of an entity that holds its vector; the statement files in ``cypher/vectors`` name it, too."""
BATCH = 512
"""Entities embedded and written at a time: what a Ctrl-C loses at most, about a second's work."""
MAX_DIMENSION = 4_096
"""Neo4j's own limit."""
MAX_TEXT = 1_500
"""Characters of an entity's text that are embedded; an encoder cuts at some 256 tokens."""
DESCRIPTIONS = ("description", "summary", "abstract", "tagline", "comment")
"""Properties of a graph that we did not load that describe an entity, if its mapping lets them be read."""
_POPULATED_S = 24 * 3600
_REMOVED = 20_000


@dataclass(frozen=True, slots=True)
class VectorReport:
    """What was indexed.

    :ivar vectors: what the mapping of the graph now says
    :ivar entities: that have a vector
    :ivar embedded: of them, by this run
    """

    graph: str
    vectors: VectorIndexes
    entities: int
    embedded: int
    seconds: float


def vector_index_name(graph: str, kind: EntityKind, owned: bool) -> str:
    """Name of the vector index over a kind of entities."""
    return f"{kind.label}_vectors" if owned else f"{graph}_kgqa_{kind.label}_vectors"


def index_vectors(
    driver: neo4j.Driver,
    mapping: GraphMapping,
    encoder: Encoder,
    *,
    rebuild: bool = False,
    write_properties: bool = False,
    progress: Progress | None = None,
    database: str | None = None,
) -> VectorReport:
    """Make or update the vector index of a graph.

    :param mapping: of a graph that was loaded, or of another; then keep the report's ``vectors`` in its mapping
    :param rebuild: drop vectors that another encoder made
    :param write_properties: allow it for a graph that was not loaded: its nodes get two properties
    :raises UsageError: the graph was not loaded and ``write_properties`` is not given, or another encoder made its
        vectors and ``rebuild`` is not given
    :raises EncoderError: the encoder can't be found or run
    :raises LoadError: the server refuses
    :raises ConnectionFailedError: the server went away; the same call again goes on from there
    """
    if not mapping.owned and not write_properties:
        raise UsageError(
            f"graph {mapping.graph!r} was not loaded by kgqa, and a vector index needs two properties, {PROPERTY} and "
            f"{PROPERTY}_of, on each of its nodes; to allow that, add --write-properties"
        )
    if encoder.dim > MAX_DIMENSION:
        raise UsageError(f"{encoder.name} makes vectors of {encoder.dim:,} numbers; Neo4j takes up to {MAX_DIMENSION}")
    started = time.perf_counter()
    run = _Run(driver, database, mapping, encoder, progress or (lambda done, total=None: None))
    with Server(driver, database) as run.server, clear_errors(run.where, run.cure):
        run.server.where = address_of(driver)
        entities, embedded = run.write(rebuild)
    return VectorReport(mapping.graph, run.made, entities, embedded, round(time.perf_counter() - started, 3))


def remove_vectors(
    driver: neo4j.Driver, mapping: GraphMapping, *, progress: Progress | None = None, database: str | None = None
) -> int:
    """Drop the vector indexes of a graph and take the vectors off its nodes, a batch at a time; how many nodes."""
    report_progress = progress or (lambda done, total=None: None)
    done = 0
    with Server(driver, database) as server, clear_errors(lambda: server.where, lambda: "run the same command again"):
        server.where = address_of(driver)
        forget = dict.fromkeys(("vectors", "vector_encoder", "vector_fingerprint", "vector_dimension"))
        if mapping.owned:
            server.run("vectors/claim", graph=mapping.graph, properties=forget)
        for kind in mapping.entities:
            server.run("schema/drop_index", {"index": vector_index_name(mapping.graph, kind, mapping.owned)})
            splices, apart = {"label": kind.label}, list(mapping.apart)
            while removed := server.run("vectors/remove", splices, limit=_REMOVED, apart=apart)[0][0]:
                done += removed
                report_progress(done)
    return done


def entity_text(values: Sequence[Any], names: int) -> str:
    """What is embedded of an entity: its names, and after a colon what describes it; empty when it has neither.

    :param values: texts or lists of texts, those of ``names`` first
    """
    first = [text for value in values[:names] for text in _texts(value)]
    rest = [text for value in values[names:] for text in _texts(value)]
    text = ", ".join(dict.fromkeys(first))
    if rest:
        text = f"{text}: {' '.join(rest)}" if text else " ".join(rest)
    return " ".join(text.split())[:MAX_TEXT]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        yield from (str(one) for one in value if one is not None)
    elif value is not None and value != "":
        yield str(value)


def digest(text: str, fingerprint: str) -> int:
    """64 bits that change when a text or its encoder does."""
    found = hashlib.blake2b(f"{fingerprint}\0{text}".encode(), digest_size=8).digest()
    return int.from_bytes(found, "little", signed=True)


@dataclass(slots=True)
class _Run:
    """One run over a graph."""

    driver: neo4j.Driver
    database: str | None
    mapping: GraphMapping
    encoder: Encoder
    progress: Progress
    server: Server = field(init=False)
    done: int = 0
    total: int = 0
    embedded: int = 0
    textless: int = 0

    def where(self) -> str:
        return self.server.where or "its address"

    def cure(self) -> str:
        so_far = f"{self.done:,} of {self.total:,} entities are embedded. " if self.total else ""
        return f"{so_far}Start it (kgqa db start, if it is ours) and run the same command again: it goes on from there"

    @property
    def made(self) -> VectorIndexes:
        names = tuple(self.index(kind) for kind in self.mapping.entities)
        return VectorIndexes(names, self.encoder.name, self.encoder.fingerprint, self.encoder.dim)

    def index(self, kind: EntityKind) -> str:
        return vector_index_name(self.mapping.graph, kind, self.mapping.owned)

    def write(self, rebuild: bool) -> tuple[int, int]:
        """Embed what needs it and see to the indexes; entities with a vector, and those embedded now."""
        complete = self.check_encoder(rebuild)
        if not complete:  # an index that is there is of another encoder, or of a run that was cut off
            for kind in self.mapping.entities:
                self.server.run("schema/drop_index", {"index": self.index(kind)})
        self.note(complete)
        entities = 0
        wanted: list[tuple[EntityKind, list[str]]] = []
        for kind in self.mapping.entities:
            seen, stale = self.stale(kind)
            entities += seen
            wanted.append((kind, stale))
        self.total = sum(len(stale) for _, stale in wanted)
        self.progress(0, self.total)
        for kind, stale in wanted:
            self.embed(kind, stale)
        options = {
            "indexConfig": {"vector.dimensions": self.encoder.dim, "vector.similarity_function": "cosine"},
        }
        for kind in self.mapping.entities:
            self.server.run("vectors/create_index", {"index": self.index(kind), "label": kind.label}, options=options)
        for kind in self.mapping.entities:
            self.server.run("schema/await_index", index=self.index(kind), timeout_s=_POPULATED_S)
        self.note(complete=True)
        return entities - self.textless, self.embedded

    def check_encoder(self, rebuild: bool) -> bool:
        """Whether the index is there and complete, of this encoder.

        :raises UsageError: another encoder made the vectors
        """
        encoder, fingerprint, there = "", "", False
        if self.mapping.owned:
            rows = self.server.run("vectors/state", graph=self.mapping.graph)
            if not rows:
                raise UnknownGraphError(f"there is no graph {self.mapping.graph!r}; see them with: kgqa graphs")
            name, encoder, fingerprint, _ = rows[0]
            there = name is not None
        elif self.mapping.vectors:
            encoder, fingerprint = self.mapping.vectors.encoder, self.mapping.vectors.fingerprint
            there = set(self.mapping.vectors.indexes) == {self.index(kind) for kind in self.mapping.entities}
        if not encoder:
            return False
        same = (encoder, fingerprint) == (self.encoder.name, self.encoder.fingerprint)
        if not same and not rebuild:
            raise UsageError(
                f"the vectors of graph {self.mapping.graph!r} were made by the encoder {encoder!r}"
                f"{' of another training' if encoder == self.encoder.name else ''}, not by {self.encoder.name!r}; "
                "use that one (KGQA_ENCODER), or embed all entities anew with --rebuild"
            )
        return there and same

    def note(self, complete: bool) -> None:
        """Write the state to the graph's meta node; that of a graph we did not load is the caller's to keep."""
        if not self.mapping.owned:
            return
        made = self.made
        properties = {
            "vectors": made.indexes[0] if complete else None,
            "vector_encoder": made.encoder,
            "vector_fingerprint": made.fingerprint,
            "vector_dimension": made.dimension,
        }
        if not self.server.run("vectors/claim", graph=self.mapping.graph, properties=properties)[0][0]:
            raise LoadError(f"graph {self.mapping.graph!r} was dropped meanwhile; load it again, then run this again")

    def keys(self, kind: EntityKind) -> tuple[list[str], int]:
        """The properties that make up an entity's text, and how many of them are names."""
        names = [*kind.names, *kind.aliases]
        if self.mapping.owned:
            return [*names, "description"], len(names)
        readable = {relation.type for relation in self.mapping.relations if relation.kind == "property"}
        more = [key for key in sorted(readable) if key.lower() in DESCRIPTIONS]
        return [*names, *(key for key in more if key not in names)], len(names)

    def text(self, kind: EntityKind, values: Sequence[Any]) -> str:
        return entity_text(values, self.keys(kind)[1])

    def stale(self, kind: EntityKind) -> tuple[int, list[str]]:
        """Number of entities, and the element ids of those to embed; read as a stream."""
        keys, _ = self.keys(kind)
        text = queries.load("vectors/read_texts").cypher(label=kind.label)
        seen, stale = 0, []
        with self.driver.session(database=self.database, default_access_mode=neo4j.READ_ACCESS) as session:
            for element, made_of, values in session.run(neo4j.Query(text), keys=keys, apart=list(self.mapping.apart)):
                seen += 1
                if made_of is None or made_of != digest(self.text(kind, values), self.encoder.fingerprint):
                    stale.append(element)
        return seen, stale

    def embed(self, kind: EntityKind, elements: list[str]) -> None:
        """Embed some entities, and store their vectors."""
        keys, _ = self.keys(kind)

        def batch(start: int, end: int) -> None:
            rows = self.server.run("vectors/texts_of", elements=elements[start:end], keys=keys)
            texts = {
                element: text for element, values in zip(*rows[0], strict=True) if (text := self.text(kind, values))
            }
            vectors = self.encoder.encode(list(texts.values())) if texts else ()
            self.server.run(
                "vectors/write",
                elements=list(texts),
                vectors=[vector.tolist() for vector in vectors],
                made_of=[digest(text, self.encoder.fingerprint) for text in texts.values()],
            )
            self.done += end - start
            self.embedded += len(texts)
            self.textless += end - start - len(texts)
            self.progress(self.done, self.total)

        in_batches(len(elements), BATCH, batch)
