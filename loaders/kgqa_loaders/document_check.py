"""Looks through RDF documents before they are parsed: a few hundred bytes can take all memory of a machine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NoReturn
from xml.parsers import expat

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.files import open_bytes

MAX_DEPTH = 1_000
"""Elements inside each other: parsers take time with the square of it, and RDF needs few."""
MAX_TRIPLE_TERMS = 100
"""Triple terms inside each other; 20,000 of them end the process."""
_PIECE = 1 << 20
_TRIPLE_TERM = re.compile(rb"<<|>>|\.[ \t\r]*\n")


def check_terms(path: Path, describe: str) -> None:
    """See that a file in Turtle or one of its kin has no triple terms deep inside each other.

    :raises LoadError: it has
    :raises OSError: it can't be read
    """
    depth, last = 0, b""
    with open_bytes(path) as stream:
        while piece := stream.read(_PIECE):
            if b"<<" in (whole := last + piece):
                for match in _TRIPLE_TERM.finditer(whole):
                    if match[0] == b"<<":
                        depth += 1
                        if depth > MAX_TRIPLE_TERMS:
                            raise LoadError(
                                f"{describe} has triple terms (<< >>) inside each other over {MAX_TRIPLE_TERMS} deep; "
                                "annotate facts, not annotations of annotations"
                            )
                    elif (
                        match[0] == b">>" or b"#" not in whole[whole.rfind(b"\n", 0, match.start()) + 1 : match.start()]
                    ):
                        depth = 0  # a statement ends, or a term does: then it is not deep
            last = piece[-1:] if piece.endswith((b"<", b">")) else b""


def check_xml(path: Path, describe: str) -> None:
    """See that an XML file is well-formed and does no harm.

    A DOCTYPE is refused whatever it holds: its entities may fetch files and addresses, or expand to all memory.

    :raises LoadError: it has a DOCTYPE, is not well-formed, or is too deep
    :raises OSError: it can't be read
    """
    parser = expat.ParserCreate()
    depth = 0

    def refuse(what: str, cure: str) -> NoReturn:
        raise LoadError(f"{describe} has {what} at line {parser.CurrentLineNumber}; {cure}")

    def doctype(name: str, system: str | None, public: str | None, internal: int) -> None:
        refuse(
            "a DOCTYPE, whose entities may read other files or take all memory,",
            "if you trust it, write its entities out with: xmllint --nonet --noent --dropdtd FILE > PLAIN.rdf, or "
            "convert it with: riot --output=turtle FILE > PLAIN.ttl",
        )

    def begin(name: str, attributes: Any) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            refuse(f"elements inside each other over {MAX_DEPTH:,} deep", "convert the file to N-Triples")

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    try:
        with open_bytes(path) as stream:
            while piece := stream.read(_PIECE):
                parser.Parse(piece, False)
            parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise LoadError(
            f"{describe} is no RDF-XML at line {error.lineno}: {expat.ErrorString(error.code)}; correct it there, or "
            "convert the file to N-Triples, of which single lines may be wrong"
        ) from error
    except (ValueError, LookupError) as error:  # an encoding that there is not
        raise LoadError(f"{describe} is no RDF-XML: {error}; convert it to UTF-8") from error
