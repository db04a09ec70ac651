"""Lines of N-Triples and N-Quads, parsed in plain Python, for every loader whose source has them.

A block is parsed at once with one regular expression; only a block that holds something unusual is gone through line by
line. IRIs are taken as they are, also those with characters that the standard forbids: public dumps are full of them.
https://www.w3.org/TR/n-quads/
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kgqa_loaders.records import Block, Reject
from kgqa_loaders.triples import decoded, undecoded

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


class Quad(NamedTuple):
    """A line: its statement, and its number.

    :ivar subject: IRI, or a blank node such as ``_:b0``
    :ivar object: IRI, blank node, or the text of a literal
    :ivar literal: whether the object is a literal
    :ivar datatype: IRI of a literal's datatype; empty: it is a text
    :ivar language: tag of a text's language; empty: none
    :ivar graph: IRI or blank node of the named graph; empty: the default graph
    """

    subject: str
    predicate: str
    object: str
    literal: bool
    datatype: str = ""
    language: str = ""
    graph: str = ""


_IRI = r"<[^<>\n\r]*+>"
_NODE = rf"{_IRI}|_:[^\s<>\"]*[^\s<>\".]"
_FACT = (
    rf"[ \t]*({_NODE})[ \t]*({_IRI})[ \t]*"
    rf"(?:({_NODE})|\"([^\"\\\n\r]*+(?:\\.[^\"\\\n\r]*+)*+)\"(?:@([A-Za-z][A-Za-z0-9-]*)|\^\^({_IRI}))?)"
    rf"[ \t]*({_NODE})?[ \t]*\.[ \t]*(?:\#[^\n\r]*)?"
)
_FACTS = re.compile(rf"^{_FACT}\r?$", re.MULTILINE)
_LINE = re.compile(_FACT)
_NOTHING = re.compile(r"[ \t\r]*(#.*)?")
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_HALF = re.compile("[\ud800-\udfff]")
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}


def quads(block: Block) -> Iterator[tuple[int, Quad | Reject]]:
    """The lines of a block, each with its number; blank lines and comments are left out."""
    for number, groups in raw_quads(block):
        if isinstance(groups, Reject):
            yield number, groups
            continue
        try:
            yield number, quad(groups)
        except ValueError as error:
            yield number, Reject(number, str(error), "\t".join(groups))


def raw_quads(block: Block) -> Iterator[tuple[int, tuple[str, ...] | Reject]]:
    """The lines of a block in seven columns as they are written; for those who need the speed.

    The columns are subject, predicate, resource, text, language, datatype, graph; IRIs in their brackets, nothing
    unescaped; a line has a resource or a text.
    """
    try:
        text = block.data.decode()
    except UnicodeDecodeError:
        yield from _one_by_one(block)
        return
    if block.line == 1:
        text = text.removeprefix("\ufeff")
    found = _FACTS.findall(text)
    if len(found) == text.count("\n") + (not text.endswith("\n")):  # each line is a fact
        yield from enumerate(found, start=block.line)
    else:
        yield from _one_by_one(block)


def _one_by_one(block: Block) -> Iterator[tuple[int, tuple[str, ...] | Reject]]:
    for number, line in enumerate(decoded(block.data), start=block.line):
        found = line_columns(number, line)
        if found is not None:
            yield number, found


def line_columns(number: int, line: str | UnicodeDecodeError) -> tuple[str, ...] | Reject | None:
    """The seven columns of a line as they are written, or what is wrong with it; nothing for a blank or a comment.

    :param line: its text without its line feed, or why it has none
    """
    if isinstance(line, UnicodeDecodeError):
        return undecoded(number, line)
    text = line.removesuffix("\r")
    if number == 1:
        text = text.removeprefix("\ufeff")
    if match := _LINE.fullmatch(text):
        return match.groups("")
    return None if _NOTHING.fullmatch(text) else Reject(number, flaw(text), text)


def quad(groups: tuple[str, ...]) -> Quad:
    """The statement of a line's seven columns.

    :raises ValueError: an escape in it stands for no character
    """
    subject, predicate, resource, text, language, datatype, graph = groups
    if resource:
        return Quad(node(subject), node(predicate), node(resource), False, "", "", node(graph))
    if "\\" in text:
        text = unescaped(text)
    return Quad(node(subject), node(predicate), text, True, node(datatype), language, node(graph))


def node(written: str) -> str:
    """An IRI without its brackets, its escapes resolved; a blank node as it is."""
    bare = written[1:-1] if written.startswith("<") else written
    return unescaped(bare) if "\\" in bare else bare


def unescaped(text: str) -> str:
    r"""A text whose escapes (``\n``, ``\u00E9``, …) are resolved; two that make a surrogate pair are one character.

    :raises ValueError: one stands for no character
    """
    plain = _ESCAPE.sub(_character, text)
    if _HALF.search(plain):
        try:
            return plain.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            raise ValueError("an escape stands for half a character") from None
    return plain


def _character(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) > 1:
        number = int(code[1:], 16)
        if number > 0x10FFFF:
            raise ValueError(f"\\{code} stands for no character")
        return chr(number)
    if code not in _ESCAPED:
        raise ValueError(f"\\{code} stands for no character")
    return _ESCAPED[code]


def flaw(line: str) -> str:
    """What is wrong with a line that is no fact."""
    rest = line.strip()
    if "<<" in rest:
        return "it annotates a fact; load the file with --format rdf"
    if not rest.endswith("."):
        return "no full stop at its end"
    position = 0
    for part, pattern in (("subject", _NODE), ("predicate", _IRI), ("object", _OBJECT)):
        found = re.compile(rf"[ \t]*(?:{pattern})").match(rest, position)
        if found is None:
            return f"no {part}: neither an IRI in <> nor {_OTHER[part]} at character {position + 1}"
        position = found.end()
    return "more than subject, predicate, object and graph"


_OBJECT = rf"{_NODE}|\"(?:[^\"\\]|\\.)*+\"(?:@[A-Za-z][A-Za-z0-9-]*|\^\^{_IRI})?"
_OTHER = {"subject": "a blank node", "predicate": "a part of one", "object": "a text in quotes"}
