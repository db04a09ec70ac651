"""Reads Freebase's ontology: from a folder of plain tables, or from the schema's own nodes inside a dump.

The folder holds ``fb_types`` (``TYPE meta.subclassOf common.topic``), ``fb_roles`` (``TYPE PROPERTY TYPE``) and
``reverse_properties`` (``PROPERTY<TAB>PROPERTY``); any of them may be missing, and files of other names are left alone.
A type that does not include ``common.topic`` is a mediator there; in a dump, those that say so are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.files import blocks_of
from kgqa_loaders.freebase.schema import VALUES, Schema, depth, is_mediator_like, mirrored
from kgqa_loaders.records import Reject
from kgqa_loaders.triples import decoded

_MANY = 200_000
"""So many blank nodes of a kind show how relations meet at them."""
NS = r"http://rdf\.(?:freebase|basekb)\.com/ns/"
_TABLES = ("fb_types", "fb_roles", "reverse_properties")
_HINT = re.compile(
    rb"type\.property\.(?:schema|expected_type|reverse_property|master_property|unique)"
    rb"|freebase\.type_hints\.(?:mediator|included_types)|owl#inverseOf"
)
_TERM = r"(?:<(?:" + NS + r"|http://www\.w3\.org/2002/07/)|ns:)"
_SCHEMA_LINE = re.compile(
    _TERM + r"([^>\s]+)>?\s+" + _TERM + r"([^>\s]+)>?\s+(?:" + _TERM + r"([^>\s]+?)>?|\"?(\w+)(?:\"\S*?)?)\s*\.\s*"
)


def read_ontology(place: str) -> Schema:
    """The ontology of a folder of tables, or of a dump.

    :param place: path of the folder or file; empty: there is none
    :raises LoadError: it can't be read, or a folder has none of the tables
    """
    if not place:
        return Schema()
    path = Path(place)
    if not path.exists():
        raise LoadError(f"there is no ontology at {place}; give a folder with {', '.join(_TABLES)}, or a dump")
    return _read_tables(path) if path.is_dir() else read_hints(path, place)


# ── tables ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _read_tables(folder: Path) -> Schema:
    files = {name: file for name in _TABLES for file in sorted(folder.glob(f"{name}*")) if file.is_file()}
    if not files:
        raise LoadError(f"{folder} holds no ontology; it should have {', '.join(_TABLES)}")
    rejects: list[Reject] = []

    def rows(name: str, width: int) -> Iterator[list[str]]:
        if name not in files:
            return
        for block in blocks_of(files[name], str(files[name])):
            for number, line in enumerate(decoded(block.data), start=block.line):
                text = line if isinstance(line, str) else line.object.decode(errors="backslashreplace")
                columns = text.split()
                if columns[width:] == ["."]:
                    columns = columns[:width]
                if len(columns) == width and isinstance(line, str):
                    yield columns
                elif columns:
                    reason = f"{name}: {len(columns)} columns instead of {width}"
                    rejects.append(Reject(number, reason, text.rstrip("\r")))

    topics = {type_ for type_, _, included in rows("fb_types", 3) if included == "common.topic"}
    ends = {property_: (head, tail) for head, property_, tail in rows("fb_roles", 3)}
    pairs = [(one, other) for one, other in rows("reverse_properties", 2)]
    # Without the types nothing distinguishes a mediator from a topic.
    types = {type_ for pair in ends.values() for type_ in pair} if topics else set()
    mediators = frozenset(type_ for type_ in types - topics - VALUES if is_mediator_like(type_))
    return Schema(ends, mirrored(pairs, (), mediators, ends), mediators, rejects=tuple(rejects))


# ── hints inside a dump ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class _Hints:
    """The schema that the lines of a dump describe."""

    heads: dict[str, str] = field(default_factory=dict)
    tails: dict[str, str] = field(default_factory=dict)
    mediators: set[str] = field(default_factory=set)
    unique: set[str] = field(default_factory=set)
    pairs: set[tuple[str, str]] = field(default_factory=set)
    masters: set[tuple[str, str]] = field(default_factory=set)

    def add(self, subject: str, predicate: str, object_: str, literal: str) -> None:
        """Take one line in; where two differ, the text that comes first counts, whatever their order."""
        if not depth(subject):
            return
        if predicate == "type.property.schema" and object_:
            self.heads[subject] = min(object_, self.heads.get(subject, object_))
        elif predicate == "type.property.expected_type" and object_:
            self.tails[subject] = min(object_, self.tails.get(subject, object_))
        elif predicate == "type.property.reverse_property" and object_:
            self.masters.add((subject, object_))
        elif predicate == "type.property.master_property" and object_:
            self.masters.add((object_, subject))
        elif predicate == "owl#inverseOf" and object_:
            self.pairs.add((subject, object_))
        elif predicate == "type.property.unique" and literal == "true":
            self.unique.add(subject)
        elif predicate == "freebase.type_hints.mediator" and literal == "true":
            self.mediators.add(subject)

    def schema(self) -> Schema:
        ends = {name: (self.heads.get(name, ""), self.tails.get(name, "")) for name in {*self.heads, *self.tails}}
        mediators = frozenset(self.mediators)
        # A dump may say "reverse property" of both; then nothing shows which is the master.
        both = {pair for pair in self.masters if pair[::-1] in self.masters}
        found = mirrored(self.pairs | both, self.masters - both, mediators, ends)
        return Schema(ends, found, mediators, frozenset(self.unique))


def read_hints(path: Path, describe: str) -> Schema:
    """The ontology in a dump's own lines, in one pass over it that looks closely at these lines only.

    :raises LoadError: it can't be read to its end
    """
    hints = _Hints()
    for block in blocks_of(path, describe):
        start = 0
        while (hit := _HINT.search(block.data, start)) is not None:
            left = block.data.rfind(b"\n", 0, hit.start()) + 1
            start = (block.data.find(b"\n", hit.end()) + 1) or len(block.data)
            found = _SCHEMA_LINE.fullmatch(block.data[left:start].decode(errors="replace"))
            if found is not None:
                hints.add(*(group or "" for group in found.groups()))
    return hints.schema()


# ── what blank nodes show ────────────────────────────────────────────────────────────────────────────────────────────


def observed(facts: Iterator[tuple[str, str, str, bool]]) -> Schema:
    """An ontology for a source in which mediators are blank nodes, from how its relations meet at them.

    :param facts: head, relation, tail, and whether the tail is a value; ids dotted, blank ones begin with ``_:``
    """
    out: set[str] = set()
    values: set[str] = set()
    into: dict[str, set[str]] = {}
    meets: dict[str, str] = {}  # blank node → domain of the relations that leave it
    for head, relation, tail, is_value in facts:
        if head.startswith("_:"):
            (values if is_value else out).add(relation)
            if len(meets) < _MANY:
                meets.setdefault(head, relation.rpartition(".")[0])
        elif tail.startswith("_:") and not is_value and len(tails := into.setdefault(relation, set())) < _MANY:
            tails.add(tail)
    ends = {relation: (relation.rpartition(".")[0], "") for relation in out}
    ends |= {relation: (relation.rpartition(".")[0], "type.text") for relation in values - out}
    for relation, blanks in into.items():
        types = sorted({meets[blank] for blank in blanks if blank in meets})
        if len(types) == 1 and types[0]:
            ends[relation] = (relation.rpartition(".")[0], types[0])
    mediators = frozenset(head for relation, (head, _) in ends.items() if relation in out | values and head)
    return Schema(ends, mediators=mediators)
