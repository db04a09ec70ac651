"""The quick way for N-Triples and N-Quads: facts between IRIs in columns, names, classes and literals line by line."""

from __future__ import annotations

import re
from collections.abc import Set

from kgqa_loaders.bulk.plain import Plain, too_long, usual_text
from kgqa_loaders.normal import ALIAS, DESCRIPTION, LABEL, NAME, Row, name_flaw, text_flaw
from kgqa_loaders.records import Block, Literal, Record
from kgqa_loaders.vocabulary import (
    ALIASES,
    DESCRIPTIONS,
    NAMES,
    OF_PROPERTIES,
    PROPERTY_CLASSES,
    TYPE,
    Vocabulary,
    class_label,
    note,
    relation_id,
    value_of,
)

_AFTER_TEXT = re.compile(r"(?:@([A-Za-z][A-Za-z0-9-]*)|\^\^<([^<>\n\r\\]*)>)? \.")
_SPECIAL = frozenset({TYPE, *NAMES, *ALIASES, *DESCRIPTIONS, *OF_PROPERTIES})
_MISSING = ("", "")


class IriReader:
    """Reads blocks of :class:`kgqa_loaders.rdf.RdfLines`; what is unusual in any way is left, as are blank nodes.

    :param others: relations that may be no edges
    """

    def __init__(self, vocabulary: Vocabulary, others: Set[str]) -> None:
        self.vocabulary = vocabulary
        self.properties = {f"<{iri}>" for iri in vocabulary.properties}
        self.others = others
        self.relations: dict[str, str] = {}  # as written → id
        self.unusual: set[str] = set()  # predicates that are no such relations
        self.noted: set[str] = set()
        self.roles = {f"<{iri}>": (NAME, place) for place, iri in reversed(list(enumerate(NAMES)))}
        self.roles |= {f"<{iri}>": (ALIAS, 0) for iri in ALIASES}
        self.roles |= {f"<{iri}>": (DESCRIPTION, place) for place, iri in reversed(list(enumerate(DESCRIPTIONS)))}
        self.type = f"<{TYPE}>" if vocabulary.types == "labels" else ""
        self.classes: dict[str, str] = {}
        self.endings: dict[str, tuple[str, str] | None] = {}

    def __call__(self, block: Block) -> Plain | None:
        """The columns of a block."""
        text = usual_text(block)
        if text is None:
            return None
        facts, rest = [], []
        rows: list[Row] = []
        records: list[Record] = []
        relations, properties, roles, unusual = self.relations, self.properties, self.roles, self.unusual
        last = subject_id = ""
        for line in text.removesuffix("\n").split("\n"):
            row = line.split(" ", 2)
            if len(row) == 3 and row[0] not in properties:
                subject, predicate, target = row
                known = predicate in relations or (predicate not in unusual and self._is_usual(predicate))
                if known and target[-3:] == "> ." and target[0] == "<":
                    facts.append(row)
                    continue
                if subject != last:
                    subject_id = self._subject(subject)
                    last = subject
                if subject_id:
                    if predicate == self.type:
                        if label := self._class(target):
                            rows.append(Row(LABEL, subject_id, label))
                            continue
                    elif target[:1] == '"' and "\\" not in target:
                        if predicate in roles:
                            if self._named(subject_id, predicate, target, rows):
                                continue
                        elif known and self._literal(subject_id, predicate, target, records):
                            continue
            rest.append(line)
        columns = self._columns(facts)
        for predicate in {row[1] for row in facts} - self.noted:
            self._note(predicate, records)
        return columns and columns._replace(rest="\n".join(rest).encode(), rows=rows, records=records)

    def _is_usual(self, predicate: str) -> bool:
        """Whether a predicate is a relation like most."""
        iri = predicate[1:-1]
        usual = predicate[:1] == "<" and predicate.find(">") == len(predicate) - 1 and "<" not in iri
        usual = usual and "\\" not in predicate and iri not in _SPECIAL
        usual = usual and relation_id(iri) not in self.others and not name_flaw(relation_id(iri))
        if usual:
            self.relations[predicate] = relation_id(iri)
        else:
            self.unusual.add(predicate)
        return usual

    def _note(self, predicate: str, records: list[Record]) -> None:
        """Add what a relation's IRI says of it, once a process."""
        self.noted.add(predicate)
        records.append(note(predicate[1:-1]))

    def _subject(self, written: str) -> str:
        """The id of a subject; empty for one that has to be looked at."""
        whole = written[:1] == "<" and written.find(">") == len(written) - 1 and "\\" not in written
        return written[1:-1] if whole and "<" not in written[1:] and not name_flaw(written[1:-1]) else ""

    def _class(self, target: str) -> str:
        label = self.classes.get(target)
        if label is None:
            iri = target[1:-3]
            whole = target[:1] == "<" and target.find(">") == len(target) - 3 and target[-2:] == " ."
            whole = whole and "<" not in iri and "\\" not in iri and iri not in PROPERTY_CLASSES
            found = class_label(iri) if whole else ""
            label = self.classes[target] = "" if not found or name_flaw(found) else found
            if len(self.classes) > 100_000:
                self.classes.clear()
        return label

    def _parts(self, target: str) -> tuple[str, str, str] | None:
        """Text, language and datatype of a literal without escapes."""
        end = target.rfind('"')
        ending = target[end + 1 :]
        found = self.endings.get(ending, _MISSING)
        if found is _MISSING:
            match = _AFTER_TEXT.fullmatch(ending)
            found = self.endings[ending] = (match[1] or "", match[2] or "") if match else None
        text = target[1:end]
        return None if found is None or end < 1 or '"' in text else (text, *found)

    def _named(self, subject: str, predicate: str, target: str, rows: list[Row]) -> bool:
        """Add a name, alias or description; whether it could be read."""
        parts = self._parts(target)
        if parts is None:
            return False
        text, language, _ = parts
        place = self.vocabulary.place(language)
        kind, within = self.roles[predicate]
        if place is None:
            return True  # in a language that is not wanted
        if not text or (text_flaw(text) if kind == DESCRIPTION else name_flaw(text)):
            return False
        rows.append(
            Row(kind, subject, text) if kind == ALIAS else Row(kind, subject, f"{place * 10 + within:04}", text)
        )
        return True

    def _literal(self, subject: str, predicate: str, target: str, records: list[Record]) -> bool:
        """Add a value; whether it could be read."""
        parts = self._parts(target)
        if parts is None:
            return False
        text, language, datatype = parts
        if self.vocabulary.place(language) is not None:
            try:
                value = value_of(text, datatype)
            except ValueError:
                return False
            records.append(Literal(0, subject, self.relations[predicate], value))
            if predicate not in self.noted:
                self._note(predicate, records)
        return True

    def _columns(self, facts: list[list[str]]) -> Plain | None:
        """The facts in columns, if each end is in brackets and has no other bracket in it, and nothing is escaped."""
        if not facts:
            return Plain([], [], [])
        subjects = "\n".join([row[0] for row in facts])
        objects = "\n".join([row[2] for row in facts])
        count = len(facts)
        whole = subjects[0] == "<" and subjects[-1] == ">" and subjects.count(">\n<") == count - 1
        whole = whole and objects.count("> .\n<") == count - 1
        marks = [column.count(mark) for column in (subjects, objects) for mark in "<>"]
        if not whole or marks != [count] * 4 or "\\" in subjects or "\\" in objects:
            return None
        heads, tails = subjects[1:-1].split(">\n<"), objects[1:-3].split("> .\n<")
        if not (all(map(str.strip, heads)) and all(map(str.strip, tails))) or too_long(heads, tails):
            return None
        relations = self.relations
        return Plain(heads, [relations[row[1]] for row in facts], tails)
