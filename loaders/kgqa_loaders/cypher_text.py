"""The text of Cypher scripts: its tokens, its statements, and what no loaded script may hold.

Cypher replaces ``\\u0027`` and its like before anything else, inside and outside of quotes; so does :func:`decoded`,
and what is checked is what the server gets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kgqa_graphdb.errors import LoadError

_TOKEN = re.compile(
    r"(?P<comment>//[^\n\r]*|/\*.*?(?:\*/|\Z))"
    r"|(?P<string>'(?:[^'\\]|\\.)*+(?:'|\Z)|\"(?:[^\"\\]|\\.)*+(?:\"|\Z))"
    r"|(?P<name>`(?:[^`]|``)*+(?:`|\Z))"
    r"|(?P<space>[\s\u180e]+)"
    r"|(?P<word>[^\W\d]\w*)"
    r"|(?P<number>\d\w*)"
    r"|(?P<sign>.)",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\\\|\\u+([0-9A-Fa-f]{4})")
_SHELL = re.compile(r"[ \t]*:(?P<command>\w+)[ \t]*(?P<rest>[^\n]*)(?:\n|\Z)")
_PARAM = re.compile(r"(?:\{?)\s*`?(?P<name>\w+)`?\s*(?:=>|:)\s*(?P<value>.*?);?\s*", re.DOTALL)
_PREFIX = r"\s*(?:(?:CYPHER(?:\s+\d+)?(?:\s+\w+\s*=\s*\w+)*)\s+)*"
SCHEMA = re.compile(
    r"\s*(CREATE|DROP)\s+(OR\s+REPLACE\s+)?((RANGE|TEXT|POINT|LOOKUP|FULLTEXT|VECTOR|BTREE|UNIQUE)\s+)?"
    r"(CONSTRAINT|INDEX)\b|\s*CALL\s+db\.(awaitIndex\w*|index\.\w+(\.\w+)*|resampleIndex)\b",
    re.IGNORECASE,
)
"""A statement about constraints or indexes, which is skipped."""
_NAMESPACES = "point|date|datetime|localdatetime|time|localtime|duration|vector"
"""What functions with a point in their names may begin with: those of Cypher itself that see nothing but their
arguments."""
NAME = r"(?:[^\W\d]\w*|`x`)"
"""A name in a statement's bare text."""
_REFUSED = tuple(
    (re.compile(pattern, re.IGNORECASE), why)
    for pattern, why in (
        (r"\bLOAD\s+(CSV|PARQUET|JSON|WITH)\b", "reads a file (LOAD CSV); load that file with kgqa load"),
        (r"\bapoc\s*\.", "needs APOC; run it with cypher-shell and ask the graph with: kgqa map"),
        (r"\bCALL\s+[A-Z_`]", "calls a procedure; take that statement out"),
        (r"\bIN\s+([\w$]+\s+)?(CONCURRENT\s+)?TRANSACTIONS\b", "starts transactions of its own; take that out"),
        (r"\bDELETE\b", "deletes; take that statement out, for kgqa load never deletes"),
        (r"(?:^|\{|\bUNION\b(\s+(ALL|DISTINCT)\b)?)\s*USE\b", "asks for another graph (USE); take that out"),
        (rf"^{_PREFIX}(EXPLAIN|PROFILE)\b", "asks for a plan; take EXPLAIN or PROFILE out"),
        (rf"^(?!{_PREFIX}(CREATE|MERGE|INSERT|MATCH|OPTIONAL|UNWIND|WITH|FOREACH|CALL|RETURN|LET|FILTER)\b)",
         "manages the server; take that out"),
        (rf"^{_PREFIX}CREATE\s+(?!{NAME}\s*=)[A-Z_]", "manages the server; take that out"),
        (rf"(?<![\w`.$])(?!(?:{_NAMESPACES})\s*\.){NAME}\s*(?:\.\s*{NAME}\s*)+\(",
         "calls a function that is none of Cypher's own; take that out"),
        (r"[:&|!(]\s*\$\s*(?:(?:ALL|ANY)\s*)?\(", "takes a label from a value ($(…)); write it out"),
    )
)  # fmt: skip
_NO_VALUE = re.compile(
    r"(?<![.$\w])(UNION|NEXT|MATCH|LOAD|CALL|CREATE|MERGE|INSERT|USE|EXISTS|COUNT|COLLECT)\b(?!\s*[:(])", re.I
)


class Token(NamedTuple):
    """A piece of a script.

    :ivar kind: ``comment``, ``string``, ``name`` (in backticks), ``space``, ``word``, ``number`` or ``sign``
    """

    kind: str
    text: str


class ScriptStatement(NamedTuple):
    """A statement of a script.

    :ivar line: number of its first line, from 1
    :ivar bare: its text with what stands in quotes and comments left out
    :ivar parameter: name of the parameter that its one value is to be, from ``:param``; empty: it is a statement
    """

    line: int
    text: str
    bare: str
    parameter: str = ""


def decoded(script: str) -> str:
    r"""A script whose ``\uXXXX`` are the characters that they stand for.

    :raises LoadError: one stands for no character, or for a part of another one
    """
    text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else match[0], script)
    text = re.sub(
        "[\ud800-\udbff][\udc00-\udfff]", lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text
    )
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise LoadError("an escape \\u stands for half a character; write the character itself")
    if text != script and any(match[1] for match in _ESCAPED.finditer(text)):
        raise LoadError("an escape \\u stands for a part of another escape; write the character itself")
    return text


def tokens(text: str) -> Iterator[Token]:
    """The pieces of a text; together they are the text."""
    for match in _TOKEN.finditer(text):
        yield Token(match.lastgroup or "sign", match[0])


def bare(pieces: Iterator[Token]) -> str:
    """A text with what stands in quotes and comments left out."""
    stands_for = {"comment": " ", "space": " ", "string": "x", "name": "`x`"}
    return "".join(stands_for.get(kind, text) for kind, text in pieces)


def statements(script: str) -> Iterator[ScriptStatement]:
    """The statements of a script, without cypher-shell's commands for transactions.

    :raises LoadError: a command of cypher-shell that can't be followed
    """
    position, line = 0, 1
    taken: list[Token] = []
    start = 1
    fresh = True  # nothing of a statement has come yet but blanks and comments
    while position < len(script):
        at_line = position == 0 or script[position - 1] == "\n"
        if fresh and at_line and (command := _SHELL.match(script, position)):
            yield from _command(line, command["command"].lower(), command["rest"].strip())
            position, line = command.end(), line + command[0].count("\n")
            taken = []
            continue
        match = _TOKEN.match(script, position)
        kind, piece = (match.lastgroup or "sign", match[0]) if match else ("sign", script[position])
        if fresh and kind == "space" and "\n" in piece:
            piece = piece[: piece.index("\n") + 1]  # a command of the shell may stand on the next line
        position += len(piece)
        if piece == ";":
            if not fresh:
                yield _statement(start, taken)
            taken, fresh = [], True
        else:
            if fresh and kind not in ("comment", "space"):
                fresh, start = False, line
            taken.append(Token(kind, piece))
        line += piece.count("\n")
    if not fresh:
        yield _statement(start, taken)


def _statement(line: int, taken: list[Token]) -> ScriptStatement:
    return ScriptStatement(line, "".join(piece.text for piece in taken).strip(), bare(iter(taken)).strip())


def _command(line: int, command: str, rest: str) -> Iterator[ScriptStatement]:
    if command in ("begin", "commit", "auto", "schema", "play", "clear"):
        return
    if command in ("param", "params") and (match := _PARAM.fullmatch(rest.removesuffix("}"))):
        text = f"RETURN {match['value']} AS value"
        yield ScriptStatement(line, text, bare(tokens(text)), match["name"])
        return
    raise LoadError(
        f"line {line}: ':{command}' can't be followed here; take it out, or run the script with cypher-shell"
    )


_NUMBER = re.compile(r"(\d+(_\d+)*([eE]\d*)?|0[xX][0-9A-Fa-f_]+|0o[0-7_]+)[dDfF]?")


def _odd(kind: str, text: str) -> bool:
    """Whether a token may be read by Neo4j as something else: dashes and arrows have look-alikes, for one."""
    return (
        not (text.isascii() and text.isprintable())
        if kind == "sign"
        else (kind == "number" and not _NUMBER.fullmatch(text))
    )


def check(statement: ScriptStatement) -> None:
    """See that a statement does nothing but create, from what it says itself.

    :raises LoadError: it reads files, calls procedures, deletes, or manages the server
    """
    for pattern, why in _REFUSED:
        if pattern.search(statement.bare):
            raise LoadError(f"line {statement.line} {why}")
    for kind, text in tokens(statement.text):
        if _odd(kind, text):
            raise LoadError(
                f"line {statement.line} holds {text[:20]!r} outside quotes; put it into quotes or backticks"
            )
        if kind in ("word", "name") and text.lstrip("`").startswith("_KGQA"):
            raise LoadError(f"line {statement.line} names {text[:40]!r}, which is kgqa's own; call it something else")
    if statement.parameter and (";" in statement.bare or _NO_VALUE.search(statement.bare)):
        raise LoadError(
            f"line {statement.line}: the parameter ${statement.parameter} is no plain value; write the value itself"
        )
