"""The quick way for N-Triples and N-Quads: facts between IRIs in columns, names, classes and literals line by line."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import lru_cache, partial

from kgqa_loaders.bulk.columns import Plain, too_long, usual_text
from kgqa_loaders.normal import (
    ALIAS,
    DESCRIPTION,
    LABEL,
    NAME,
    VALUE,
    Packed,
    Row,
    is_reserved,
    name_flaw,
    pack_value,
    text_flaw,
    value_flaw,
)
from kgqa_loaders.records import Block, Record
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
_LINES = re.compile(r"<([^>]+)> <([^>]+)> <([^>]+)> \.\n|(.*)\n")
"""A fact between IRIs, or any other line; what the quick classes of characters let through is checked afterwards."""
_TEXT = re.compile(r'<([^>]+)> <([^>]+)> "([^"]*)"(.*)')
_SHORT = 64
"""Characters of a literal that is worth remembering."""
_SPECIAL = frozenset({TYPE, *NAMES, *ALIASES, *DESCRIPTIONS, *OF_PROPERTIES})


class IriReader:
    """Reads blocks of :class:`kgqa_loaders.rdf.RdfLines`; what is unusual in any way is left, as are blank nodes.

    :param others: relations that may be no edges
    """

    def __init__(self, vocabulary: Vocabulary, others: Set[str]) -> None:
        self.vocabulary = vocabulary
        self.others = others
        self.relations: dict[str, str] = {}  # IRI → id
        self.unusual = {""}  # predicates that are no such relations
        self.noted: set[str] = set()
        self.roles = {iri: (NAME, place) for place, iri in reversed(list(enumerate(NAMES)))}
        self.roles |= dict.fromkeys(ALIASES, (ALIAS, 0))
        self.roles |= {iri: (DESCRIPTION, place) for place, iri in reversed(list(enumerate(DESCRIPTIONS)))}
        self.classes: dict[str, str] = {}
        self.endings: dict[str, tuple[str, str] | None] = {}
        self.last = ""

    def __call__(self, block: Block) -> Plain | None:
        """The columns of a block."""
        text = usual_text(block)
        if text is None:
            return None
        found = _LINES.findall(text if text.endswith("\n") else f"{text}\n")
        relations, properties = self.relations, self.vocabulary.properties
        for predicate in {line[1] for line in found} - self.unusual - relations.keys():
            self._is_usual(predicate)
        facts = [line for line in found if line[1] in relations]
        others = [line for line in found if line[1] not in relations]
        if properties and not properties.isdisjoint([line[0] for line in facts]):
            return None
        heads, tails = [line[0] for line in facts], [line[2] for line in facts]
        ends = "\0".join([*heads, *tails])
        if any(character in ends for character in "<\\\n") or not (
            all(map(str.strip, heads)) and all(map(str.strip, tails))
        ):
            return None
        if too_long(heads, tails):
            return None
        records: list[Record] = []
        for predicate in {line[1] for line in facts} - self.noted:
            self._note(predicate, records)
        rows: list[Row] = []
        rest = [line for line in map(partial(self._other, rows, records), others) if line]
        columns = Plain(heads, [relations[line[1]] for line in facts], tails, rows=rows, records=records)
        return columns._replace(rest="\n".join(rest).encode())

    def _other(self, rows: list[Row], records: list[Record], found: tuple[str, str, str, str]) -> str:
        """Read a line that is no fact between IRIs; the line itself where that has to be done the usual way."""
        subject, predicate, target, line = found
        if subject:  # all three are IRIs
            label = self._class(target) if predicate == TYPE and self.vocabulary.types == "labels" else ""
            if not label or is_reserved(label) or not self._is_subject(subject):
                return f"<{subject}> <{predicate}> <{target}> ."
            rows.append(Row(LABEL, subject, label))
            return ""
        match = _TEXT.fullmatch(line)
        if match is None or "\\" in line or not self._is_subject(match[1]):
            return line
        subject, predicate, text, ending = match.groups()
        if ending not in self.endings:
            parts = _AFTER_TEXT.fullmatch(ending)
            self.endings[ending] = (parts[1] or "", parts[2] or "") if parts else None
        kind = self.endings[ending]
        if kind is None:
            return line
        place = self.vocabulary.place(kind[0])
        if predicate in self.roles:
            role, within = self.roles[predicate]
            if not text or (text_flaw(text) if role == DESCRIPTION else name_flaw(text)):
                return line
            if place is not None:
                if role == ALIAS:
                    rows.append(Row(ALIAS, subject, text))
                else:
                    rows.append(Row(role, subject, f"{place * 10 + within:04}", text))
            return ""
        if predicate not in self.relations and (predicate in self.unusual or not self._is_usual(predicate)):
            return line
        if place is not None:
            try:
                value = _packed(text, kind[1]) if len(text) <= _SHORT else _packed.__wrapped__(text, kind[1])
            except ValueError:
                return line
            rows.append(Row(VALUE, subject, self.relations[predicate], *value))
            if predicate not in self.noted:
                self._note(predicate, records)
        return ""

    def _is_usual(self, iri: str) -> bool:
        """Whether a predicate is a relation like most."""
        usual = not any(character in iri for character in "<\\\n") and iri not in _SPECIAL
        usual = usual and relation_id(iri) not in self.others and not name_flaw(relation_id(iri))
        if usual:
            self.relations[iri] = relation_id(iri)
        else:
            self.unusual.add(iri)
        return usual

    def _note(self, predicate: str, records: list[Record]) -> None:
        """Add the note that a relation's IRI gives, once a process."""
        self.noted.add(predicate)
        records.append(note(predicate))

    def _is_subject(self, iri: str) -> bool:
        """Whether an IRI is an entity without further ado."""
        if iri == self.last:  # dumps go subject by subject
            return True
        odd = any(character in iri for character in "<\\\n") or iri in self.vocabulary.properties or name_flaw(iri)
        if not odd:
            self.last = iri
        return not odd

    def _class(self, iri: str) -> str:
        """The label of a class; empty for one that has to be checked."""
        label = self.classes.get(iri)
        if label is None:
            whole = not any(character in iri for character in "<\\\n") and iri not in PROPERTY_CLASSES
            found = class_label(iri) if whole else ""
            if len(self.classes) > 100_000:
                self.classes.clear()
            label = self.classes[iri] = "" if not found or name_flaw(found) else found
        return label


@lru_cache(maxsize=16_384)
def _packed(text: str, datatype: str) -> Packed:
    """The value of a literal.

    :raises ValueError: it is none, or can't be stored
    """
    value = value_of(text, datatype)
    if flaw := value_flaw(value):
        raise ValueError(flaw)
    return pack_value(value)
