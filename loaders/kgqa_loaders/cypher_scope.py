"""Keeps a Cypher script to nodes of its own: each node pattern of it gets a label that only the script's nodes have.

``MERGE (a:Person {name: 'Ann'})`` becomes ``MERGE (a:Person:_KGQA_Script {name: 'Ann'})``: it finds no node of another
graph of the database, and nor does any ``MATCH``. Since all nodes that a script gets hold of are its own, and these
are joined to none but each other, what it walks to is its own too. ``labels(a)`` becomes a list without that label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kgqa_loaders.cypher_text import NAME, Token, bare, tokens

MARK = "_KGQA_Script"
"""The label of a script's nodes, while it runs."""

_LABEL = "_KGQA_label"
_PATTERNS = frozenset({"MATCH", "CREATE", "MERGE", "INSERT"})
_CREATING = frozenset({"CREATE", "MERGE", "INSERT"})
_CLAUSES = frozenset(
    "WHERE RETURN WITH SET REMOVE ON UNWIND CALL FOREACH DELETE DETACH NODETACH ORDER SKIP OFFSET LIMIT UNION USING "
    "YIELD FINISH LET FILTER OPTIONAL LOAD USE NEXT WHEN THEN ELSE".split()
)
_SUBQUERIES = frozenset({"EXISTS", "COUNT", "COLLECT"})
_GROUPS = frozenset({"SHORTESTPATH", "ALLSHORTESTPATHS"})
_OPENING, _CLOSING = "([{", ")]}"
_COLONS = re.compile(rf":\s*{NAME}\s*:\s*{NAME}")
_WRITING = re.compile(r"(Locking)?(Create|Merge|Set|RemoveLabels|Foreach)")
_READING = re.compile(r"Scan|Seek|CountFromCountStore")


@dataclass(slots=True)
class _Frame:
    """What stands between two brackets.

    :ivar pattern: the keyword of the clause whose patterns come now; empty: an expression comes
    """

    bracket: str = ""
    pattern: str = ""


@dataclass(slots=True)
class _Scoping:
    """One statement. Where it is not clear whether a node pattern comes, it is taken for one: then Neo4j refuses it.

    :ivar pieces: its tokens
    :ivar solid: places of those that are no blanks and no comments
    :ivar colons: labels are parted by colons; a statement that has both these and ``&`` is none
    :ivar seen: what may be a variable of the statement so far
    :ivar marks: place of a token → what comes before it
    """

    pieces: list[Token]
    solid: list[int]
    colons: bool
    frames: list[_Frame] = field(default_factory=lambda: [_Frame()])
    seen: set[str] = field(default_factory=set)
    marks: dict[int, str] = field(default_factory=dict)

    def run(self) -> str:
        """The text with the label in each node pattern."""
        for at in range(len(self.solid)):
            kind, text = self.kind(at), self.text(at)
            if kind == "sign" and text in _OPENING:
                self.frames.append(_Frame(text, self.opened(at, text)))
            elif kind == "sign" and text in _CLOSING and len(self.frames) > 1:
                self.frames.pop()
            elif kind in ("word", "name") and not self.is_key(at):
                if kind == "word":
                    self.follow(at, text.upper())
                if _plain(text).lower() == "labels" and self.text(at + 1) == "(":
                    self.hide(at)
                self.seen.add(_plain(text))
        parts = (self.marks.get(place, "") + piece.text for place, piece in enumerate(self.pieces))
        return "".join(parts) + self.marks.get(len(self.pieces), "")

    def kind(self, at: int) -> str:
        return self.pieces[self.solid[at]].kind if 0 <= at < len(self.solid) else ""

    def text(self, at: int) -> str:
        return self.pieces[self.solid[at]].text if 0 <= at < len(self.solid) else ""

    def is_key(self, at: int) -> bool:
        """Whether a word is a property key, a label or a parameter."""
        before, after = self.text(at - 1), self.text(at + 1)
        return before in (".", ":", "$", "&", "!") or (after == ":" and self.frames[-1].bracket == "{")

    def follow(self, at: int, word: str) -> None:
        """Follow the clauses."""
        if word in _PATTERNS:
            if not (self.text(at - 1).upper() == "ON" and self.text(at + 1).upper() == "SET"):
                self.frames[-1].pattern = word
        elif word in _CLAUSES and self.text(at + 1) != "=":  # or it is a path's variable
            self.frames[-1].pattern = ""

    def opened(self, at: int, bracket: str) -> str:
        """The keyword of the clause whose patterns come between two brackets; a node pattern gets its label."""
        pattern = self.frames[-1].pattern
        before = self.text(at - 1).upper()
        if bracket == "{":
            return "MATCH" if before in _SUBQUERIES else ""
        if bracket == "[" or before in ("FOREACH", "CALL"):
            return ""
        if pattern:
            if before in _GROUPS or self.text(at + 1) == "(" or (self.text(at + 2) == "=" and self.text(at + 3) == "("):
                return pattern
            self.mark(at, pattern)
        elif self.is_in_path(at):
            self.mark(at, "MATCH")
        return ""

    def is_in_path(self, at: int) -> bool:
        """Whether a bracket in an expression opens a node pattern: a relationship leads from it or to it."""
        before = self.text(at - 2) + self.text(at - 1)
        if before in ("--", "]-", "->", "<-"):
            return True
        end = self.closing(at)
        after = self.text(end + 1) + self.text(end + 2)
        return after in ("--", "-[", "->", "<-")

    def closing(self, at: int) -> int:
        depth = 0
        for place in range(at, len(self.solid)):
            if self.kind(place) == "sign":
                depth += (self.text(place) in _OPENING) - (self.text(place) in _CLOSING)
            if not depth:
                return place
        return len(self.solid)

    def mark(self, at: int, pattern: str) -> None:
        """Put the label into the node pattern whose bracket stands there."""
        place = at + 1
        named = self.kind(place) in ("word", "name") and self.text(place).upper() not in ("WHERE", "IS")
        if self.kind(place) == "word" and self.text(place + 1) in (":", ")", "{", "$"):
            named = True
        place += named
        bare = self.text(place) == ")"
        if pattern in _CREATING and named and bare and _plain(self.text(at + 1)) in self.seen:
            return  # a node that the statement got hold of before
        expression, first = self.labels(place)
        if not expression:
            self.put(place, f":{MARK} ")
        elif set(expression) & set("|!%("):
            self.put(first, f"{MARK}&(")
            self.put(first + len(expression), ") ")
        else:
            self.put(first, MARK + (":" if self.colons else "&"))

    def labels(self, place: int) -> tuple[list[str], int]:
        """The tokens of a pattern's labels, and where the first stands; none where it has no labels."""
        if self.text(place) != ":" and self.text(place).upper() != "IS":
            return [], place
        first, end, depth = place + 1, place + 1, 0
        while end < len(self.solid):
            text = self.text(end)
            if not depth and (text in (")", "{", "$") or text.upper() == "WHERE"):
                break
            depth += (text == "(") - (text == ")")
            end += 1
        return [self.text(at) for at in range(first, end)], first

    def hide(self, at: int) -> None:
        """Leave the label out of what the function ``labels`` gives; a script can't name the variable itself."""
        if (end := self.closing(at + 1)) < len(self.solid):
            self.put(at, f"[{_LABEL} IN ")
            behind = self.solid[end] + 1
            self.marks[behind] = f" WHERE NOT {_LABEL} STARTS WITH '_KGQA_']" + self.marks.get(behind, "")

    def put(self, at: int, text: str) -> None:
        place = self.solid[at] if at < len(self.solid) else len(self.pieces) - 1
        self.marks[place] = self.marks.get(place, "") + text


def _plain(name: str) -> str:
    return name[1:-1].replace("``", "`") if name.startswith("`") else name


def scoped(text: str) -> str:
    """A statement that sees and makes none but the script's own nodes."""
    pieces = list(tokens(text))
    solid = [place for place, piece in enumerate(pieces) if piece.kind not in ("space", "comment")]
    return _Scoping(pieces, solid, bool(_COLONS.search(bare(iter(pieces))))).run()


def unscoped(plan: Mapping[str, Any]) -> str:
    """What a statement's plan reads beside the script's own nodes, as the plan has it; empty for nothing.

    Nothing should: this is a second look, at what Neo4j made of the statement.

    :param plan: from the driver, of an ``EXPLAIN``
    """
    steps = list(_steps(plan))
    checked = "\n".join(details for _, details in steps)
    for operator, details in steps:
        if not _READING.search(operator):
            continue
        if "CountFromCountStore" in operator or MARK in details:
            if MARK not in details:
                return f"{operator} {details}"
            continue
        path = re.match(r"\(([^)]*)\).*\(([^)]*)\)", details) if "Relationship" in operator else None
        variables = path.groups() if path else [re.split(r"[:\s(,]", details)[0]]
        if not all(_is_marked(name, checked) for name in variables):
            return f"{operator} {details}"
    return ""


def _is_marked(name: str, checked: str) -> bool:
    """Whether a variable, or one that is the same as it, is checked to have the label."""
    same = [name, *re.findall(rf"(\w+) = {re.escape(name)}\b", checked)]
    return any(re.search(rf"(?<![\w`]){re.escape(one)}:(\w+[&:])*{MARK}\b", checked) for one in same)


def found_nothing(profile: Mapping[str, Any]) -> bool:
    """Whether a part of a statement that was to write never got a row: what it matches is not there.

    What a ``FOREACH`` writes does not count: it may have nothing to go through.

    :param profile: from the driver, of a ``PROFILE``
    """
    operator, children = str(profile["operatorType"]), list(profile.get("children") or ())
    if _WRITING.match(operator) and not profile.get("rows"):
        return True
    return any(map(found_nothing, children[:1] if operator.startswith("Foreach") else children))


def _steps(plan: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield str(plan["operatorType"]), str((plan.get("args") or {}).get("Details") or "")
    for child in plan.get("children") or ():
        yield from _steps(child)
