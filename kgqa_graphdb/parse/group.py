"""Where a question groups what it counts or sums up: "how many films per year", "the year with the most films"."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from kgqa_graphdb.language.english_words import COUNTS, HIGH, LOW, RANKED, TOTALS, Direction
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.parse.clause import clause_of_each
from kgqa_graphdb.parse.mark import Marked

_EACH = r"(?:(?:in|for|of|by|from|at|with|on|to) )?(?:each|every|per)(?: of the)?(?: different| unique)? "
_PER = re.compile(rf"^(.+?),? (?:(?:grouped )?by(?! each| every)|{_EACH.strip()}) ((?:\w+ ?){{1,3}})$")
_EACH_DOES = re.compile(r"^(.+?) (did|do|does|has|have|had|was|were|is|are) (?:each|every) (\w+) (.+)$")
_TOTALS = re.compile(rf"\b(?:how many|{'|'.join((*COUNTS, *TOTALS))})\b")
_ASKS = (
    r"^(?:in |from |at |on |to )?(?:which|what|list|show|find|name|give me|identify|what are|who are|which are)"
    r"(?: is| are)?(?: the)? "
)
_HEAD = r"(?:top )?(?:#?(\d+|\{c\d+\}) )?((?:(?!by |with )[a-z]+ ){1,3}?)"
_VERBS = r"(?:(?:has|have|had|were|was|are|is|did|with|where|that have|in which) )*"
_MOST = r"(?:the )?(?:(most|fewest|least)|(highest|largest|greatest|lowest|smallest) (?:number|count) of)"


@dataclass(frozen=True, slots=True)
class Grouping:
    """What answers are grouped by.

    :ivar rest: the question without that
    :ivar per: words for the value, or for a kind
    :ivar way: the groups with the most or the least are asked for
    :ivar most: so many of them
    :ivar test: a mark of a number that groups are compared with
    :ivar clause: what is said of each group, ``[X]``
    """

    rest: str
    per: str
    way: Direction | None = None
    most: int = 1
    test: str = ""
    clause: str = ""


def grouping(marked: Marked, values: Collection[str]) -> Grouping | None:
    """What a question groups by; ``None``: nothing.

    :param values: words for what entities have
    """
    text, nouns = " ".join(marked.text.split()), marked.nouns
    values = {*values} - {*nouns}
    if _TOTALS.search(text) and not (HIGH | LOW | RANKED) & {*text.split()}:
        found = _PER.match(text)
        if found and (found[2] in nouns or _names_value(found[2], values)):
            return Grouping(found[1], found[2], clause=clause_of_each(found[1], text[found.end(1) :].lstrip(", ")))
        found = _EACH_DOES.match(text)
        if found and found[3] in nouns:
            clause = f"{found[1]} {found[2]} {TOPIC} {found[4]}"
            return Grouping(f"{found[1]} {found[4]}", found[3], clause=clause)
    noun = "|".join(map(re.escape, sorted(nouns, key=len, reverse=True)))
    for pattern in (rf"{_VERBS}{_MOST}", rf"{_VERBS}(\{{c\d+\}})", r"by (?:the )?number of"):
        found = re.match(rf"{_ASKS}{_HEAD}{pattern} ((?:{noun})\b.*)$", text)
        if found is None or not _names_value(found[2].strip(), values):
            continue
        most = marked.number(f"#{found[1]}" if found[1] and found[1].isdigit() else found[1] or "") or 1
        if pattern.endswith(r"(\{c\d+\})"):
            return Grouping(found[4], found[2].strip(), test=found[3])
        low = pattern.endswith(_MOST) and (found[3] or found[4]) in ("fewest", "least", "lowest", "smallest")
        return Grouping(found[found.lastindex or 0], found[2].strip(), "min" if low else "max", most)
    common = re.match(
        rf"{_ASKS}(?:top )?(?:#?(\d+|\{{c\d+\}}) )?(most|least) (?:common|frequent|popular) ((?:\w+ ){{1,3}}?)"
        rf"(?:of|for|among|in|across) (?:the |all )*((?:{noun})\b.*)$",
        text,
    )
    if common and _names_value(common[3].strip(), values):
        most = marked.number(f"#{common[1]}" if common[1] and common[1].isdigit() else common[1] or "") or 1
        return Grouping(common[4], common[3].strip(), "max" if common[2] == "most" else "min", most)
    return None


def _names_value(words: str, values: Collection[str]) -> bool:
    return words in ("year", "years") or words in values
