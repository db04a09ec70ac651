"""What of its answers a question wants: the answers themselves, their number, a sum, or whether there are any."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kgqa_graphdb.language.english_words import AUXILIARIES, EACH, PLAIN_PREPOSITIONS, TOTALS
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.parse.head import head
from kgqa_graphdb.parse.lexicon import Kind
from kgqa_graphdb.parse.mark import Marked
from kgqa_graphdb.reductions import ReductionName

COUNT = re.compile(
    r"^(?:how many|(?:what is |what's |give me |find |tell me )?the (?:total )?(?:number|count) of|"
    r"count(?: of)?(?: how many)?|number of)\b(?: of)?(?: different| distinct| unique| the| all)*"
)
_OF = {"sum": "sum of(?: the)?"}
"""Words for reductions that ask for one only with what is here, as "sum" alone does not."""
_TOTAL = re.compile(
    r"^(?:what is |what's |what was |find |give me |calculate |compute |show |tell me )?(?:the )?"
    rf"({'|'.join(_OF.get(word, word) for word in EACH)})(?: number of| amount of)? (.+?)"
    r"(?: (?:of|for|across|among|over|by) |$)"
)
_HAVE = re.compile(
    r"^(?:in total,? )?how many (\w+(?: \w+)?) (?:do|did) (?:all )?(?:of )?(?:the )?(.+?) have"
    r"(?: in total| altogether| overall| together)?\b(.*)$"
)
"""How many of something all together have: "how many beds do the wards have?"."""
_OF_ALL = re.compile(
    r"^(?:what is |what's |what was |find |give me |calculate |compute |show |tell me )?(?:the )?"
    rf"(?:(?:({'|'.join(EACH)}) )?({'|'.join(EACH)}|amount)) of (?:all )?(?:the )?(.+)$"
)
"""A property called as a total is, of all of a kind: "the total of the orders of X", "the total amount of orders"."""
TOTALLED = re.compile(rf"{COUNT.pattern}|.*\b(?:{'|'.join(_OF.get(word, word) for word in TOTALS)})\b")
_NUMBER_OF = re.compile(
    r"^(?:what is |what's |what was |find |give me |tell me )?the (?:total |overall )?number of (\w+(?: \w+)?) "
    r"(?:of|for|in|across|on) (?:all )?(?:of )?(?:the )?(.+)$"
)
"""The same of what each of a kind has so many of: "the total number of beds of the wards"."""
_ALL = re.compile(r"^(?:is|are|was|were|do|does|did|has|have) (?:all(?: of)?(?: the)?|every|each) (.+)$")
"""Whether all of some are so: none is not."""
_THERE = re.compile(r"^(?:is|are|was|were) there (?:any |some |an? )?")


def wanted(marked: Marked, topic: bool) -> tuple[ReductionName, str, str]:
    """What of the answers is wanted, what is summed up, and the rest of the question."""
    text = marked.text
    found = _HAVE.match(text)
    if found and found[1] in marked.values and (TOPIC not in found[2] or _begins_with(marked.nouns, found[2])):
        return "sum", found[1], f"{found[2]} {found[3]}"
    found = _NUMBER_OF.match(text)
    if found and found[1] in marked.values and found[1] not in marked.nouns and _begins_with(marked.nouns, found[2]):
        return "sum", found[1], found[2]
    if found := COUNT.match(text):
        return "count", "", text[found.end() :].strip()
    found = _OF_ALL.match(text)
    if found and _begins_with(marked.nouns, found[3]) and (found[1] or found[2] != "amount"):
        # Where nothing is called so, nobody knows what is summed up.
        own = [word for word in (found[2], found[1]) if word in marked.values]
        return EACH[found[1] or found[2]], (*own, "amount" if found[2] == "amount" else "")[0], found[3]
    if found := _TOTAL.match(text):
        return EACH[found[1].split()[0]], found[2], text[found.end() :]
    if found := _ALL.match(text):
        return "none", "", found[1]
    if found := _THERE.match(text):
        return "exists", "", text[found.end() :]
    first, _, rest = text.partition(" ")
    asks = first in AUXILIARIES and topic and not rest.startswith("you ")
    return ("exists", "", rest) if asks else ("answers", "", text)


def _begins_with(nouns: Mapping[str, Kind], text: str) -> bool:
    """Whether a text begins with a noun for a kind, or with a word or two about one."""
    words = text.split()
    place, _, kind = head(words, nouns)
    return kind is not None and place <= 2 and not PLAIN_PREPOSITIONS & {*words[:place]}
