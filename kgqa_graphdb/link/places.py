"""Where in a question names stand, and how much what stands there looks like a name."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice

from rapidfuzz import fuzz

from kgqa_graphdb.graph import Named
from kgqa_graphdb.language.folding import Folded, folded_text, occurrences, symbols_agree, with_symbols
from kgqa_graphdb.link.words import LinkWords

OTHER_CASE = 0.97
"""What a name is worth that differs from the question in case or accents."""
LIKE_WORD = 60
"""0..100: how like a word of a misspelled name one of the question must be that is a part of it."""
LIKE_PART_OF_WORDS = 80
"""The same, of words that are written as one or in two: "spider man" for Spiderman."""
_QUOTES = frozenset("\"'“”‘’„«»‹›「」『』《》")
_LAST_HYPHEN = re.compile(r"[-\u2212][?!.\s]*$")
"""A sign behind the last word of a question; amid it that is a dash."""
MAX_OCCURRENCES = 8
"""Places of one name in a question that are looked at: a question of one word a thousand times says no more."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a folded question a candidate is named, and how well: 0..1.

    :ivar typed: characters of the name, if it stands there letter for letter, marks included; 0: it does not
    :ivar marks: how many of these are marks before its first letter, and behind its last
    """

    named: Named
    start: int
    end: int
    quality: float
    typed: int = 0
    marks: tuple[int, int] = (0, 0)

    @property
    def span(self) -> tuple[int, int]:
        """Its first character, and one past its last."""
        return self.start, self.end

    def is_unspaced(self, text: Folded) -> bool:
        """Whether no space parts it from what stands next to it, as names do in Chinese."""
        around = text.text[max(self.start - 1, 0) : self.start] + text.text[self.end : self.end + 1]
        return bool(around.replace(" ", ""))


def exact_places(text: Folded, named: Named, original: str) -> Iterator[Place]:
    """Where in the question a candidate's names stand, folded, with the symbols that they have."""
    for rank, name in enumerate((named.entity.name, *named.aliases)):
        for start, end in islice(occurrences(folded_text(name), text.text), MAX_OCCURRENCES):
            left, right = text.original(start, end)
            if symbols_fit(name, original, left, right):
                marks = _marks(name, original, left, right)
                typed = right - left + sum(marks) if marks else 0
                quality = (1.0 if typed else OTHER_CASE) - (0.02 if rank else 0.0)
                yield Place(named, start, end, quality, typed, marks or (0, 0))


def with_marks(place: Place, original: str, text: Folded) -> tuple[int, int]:
    """Where in the original a name stands, with the symbols and marks that are parts of it."""
    left, right = text.original(*place.span)
    start, end = with_symbols(original, left, right)
    before, after = place.marks
    return min(start, left - before), max(end, right + after)


def symbols_fit(name: str, original: str, left: int, right: int) -> bool:
    """Whether the symbols at a stretch of the question are those of a name: "C++" does not name C."""
    start, end = with_symbols(original, left, right)
    if _LAST_HYPHEN.match(original, end) and not name.endswith(("-", "\u2212")):
        return False
    return symbols_agree(name, original[start:end])


def _marks(name: str, original: str, left: int, right: int) -> tuple[int, int] | None:
    """How many marks of a name stand before and behind a stretch of the question; ``None``: another name stands there.

    The mark at the end of the question counts for nothing: it may be the question's.
    """
    inside = [place for place, char in enumerate(name) if char.isalnum()]
    before, after = (inside[0], len(name) - 1 - inside[-1]) if inside else (0, 0)
    if original[max(left - before, 0) : right + after] != name:
        return None
    ends = right + after == len(original.rstrip()) and name.endswith(("?", "."))
    return before, after - 1 if ends else after


def near_place(name: str, text: str, at_least: float, words: LinkWords) -> tuple[int, int, float] | None:
    """The stretch of whole words most like a misspelled name; 0.9 × likeness, since exact names go first."""
    if len(name) < 4 or name in words.stop:
        return None
    found = fuzz.partial_ratio_alignment(name, text, score_cutoff=at_least * 100 - 12)
    if found is None or found.dest_end <= found.dest_start:
        return None
    start = text.rfind(" ", 0, found.dest_start + 1) + 1
    end = text.find(" ", max(found.dest_end - 1, start))
    end = len(text) if end < 0 else end
    likeness = fuzz.ratio(name, text[start:end]) / 100
    start, end = _without_others(name, text, start, end, words)
    if likeness >= at_least or len(words.content(text[start:end].split())) > 1:  # one word alone is seldom enough
        likeness = max(likeness, fuzz.ratio(name, text[start:end]) / 100)
    return (start, end, 0.9 * likeness) if likeness >= at_least else None


def _without_others(name: str, text: str, start: int, end: int, words: LinkWords) -> tuple[int, int]:
    """A stretch of words like a name, without words at its ends that are like none of the name's.

    "sinead o brien work" is like "sinead o brien ii", but the verb is the question's.
    """
    own = name.split()
    joined = "".join(own)

    def is_other(word: str) -> bool:
        alike = max(fuzz.ratio(word, one) for one in own)
        if word not in own and words.is_for_relation(word):
            return True
        is_part = len(word) > 2 and fuzz.partial_ratio(word, joined) >= LIKE_PART_OF_WORDS
        return alike < LIKE_WORD and not is_part

    said = text[start:end].split()
    while len(said) > 1 and is_other(said[-1]):
        end -= len(said.pop()) + 1
    while len(said) > 1 and is_other(said[0]):
        start += len(said.pop(0)) + 1
    return start, end


def best_typed(places: Iterable[Place]) -> dict[tuple[int, int], Place]:
    """Of the places where names stand letter for letter the best at each span: of "Yahoo" and "Yahoo!" the longer."""
    best: dict[tuple[int, int], Place] = {}
    for place in places:
        known = best.get(place.span)
        if place.typed and (known is None or (place.typed, place.quality) > (known.typed, known.quality)):
            best[place.span] = place
    return best


def lacks_marks(place: Place, typed: Mapping[tuple[int, int], Place]) -> bool:
    """Whether another entity is called as one at a place, but with the marks that stand there: "M!" is not M.

    :param typed: see :func:`best_typed`
    """
    best = typed.get(place.span)
    return best is not None and 0 < place.typed < best.typed


def is_outdone(place: Place, typed: Mapping[tuple[int, int], Place]) -> bool:
    """Whether another entity is called just as the question has it, and the one at a place is not.

    :param typed: see :func:`best_typed`
    """
    best = typed.get(place.span)
    return best is not None and (place.typed < best.typed or place.quality < best.quality == 1.0)


def nested_spans(spans: Iterable[tuple[int, int]], whole: Iterable[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """Those of some spans that lie within a longer one of others."""
    others = sorted(set(whole))
    starts = [start for start, _ in others]
    reach = [0, *accumulate((end for _, end in others), max)]  # where those end at most that begin before each
    return frozenset(
        (start, end)
        for start, end in spans
        if reach[bisect_right(starts, start)] > end or reach[bisect_left(starts, start)] >= end
    )


def straddling_spans(text: Folded, spans: Iterable[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """Of the spans of names those that begin amid one and end in another that follows it.

    Of "orleans jazz" in "new orleans jazz museum", where "new orleans" and "jazz museum" are names, too.
    """
    known = frozenset(spans)
    longest: dict[int, int] = {}  # where names begin → where the longest of them ends
    for start, end in known:
        longest[start] = max(end, longest.get(start, 0))
    followed: defaultdict[int, set[int]] = defaultdict(set)  # places amid a name → where those that follow it begin
    for start, end in known:
        after = end + text.text.startswith(" ", end)
        if after in longest:
            for place in range(start + 1, end):
                followed[place].add(after)
    return frozenset(
        (start, end) for start, end in known if any(after < end <= longest[after] for after in followed.get(start, ()))
    )


def is_free(text: Folded, place: Place, taken: Iterable[tuple[int, int]], unknown: Collection[str]) -> bool:
    """Whether a misspelled name may stand where it does, among exact ones.

    It may hold one of them, as "Marlo Quintt" holds "Marlo", if no name holds a word of the rest.
    """
    inside = [span for span in taken if place.start < span[1] and span[0] < place.end]
    if any(start < place.start or place.end < end for start, end in inside):
        return False
    rest = text.text[place.start : place.end]
    for start, end in inside:
        rest = rest.replace(text.text[start:end], " ", 1)
    return not inside or any(word in unknown for word in rest.split())


def is_name(
    text: Folded,
    place: Place,
    taken: Sequence[tuple[int, int]],
    original: str,
    cased: bool,
    words: LinkWords,
) -> bool:
    """Whether a name that stands in the question is surely meant as one.

    It is not where its words are for a relation, nor where it is one small word at the end of others: "planet" in "the
    red planet".
    """
    own = text.text[place.start : place.end].split()
    left, right = text.original(place.start, place.end)
    if cased and has_capital(original, left, right):
        return True
    if words.are_for_relations(own):
        return False
    before = text.text[: place.start].split()
    if len(own) > 1 or not before or before[-1] in words.stop or words.is_for_relation(before[-1]):
        return True
    start = place.start - 1 - len(before[-1])
    return any(span[0] <= start and start + len(before[-1]) <= span[1] for span in taken)


def has_capital(original: str, start: int, end: int) -> bool:
    """Whether a stretch of a question has a capital; one at the beginning of the question says nothing."""
    return any(map(str.isupper, original[max(start, 1) : end]))


def is_quoted(original: str, start: int, end: int) -> bool:
    """Whether a stretch of a question stands in quotes."""
    return start > 0 and end < len(original) and original[start - 1] in _QUOTES and original[end] in _QUOTES


def letters_of(text: Folded, words: LinkWords) -> int:
    """How many letters the words of a question have that may be a name's."""
    return sum(map(len, words.content_or_all(text.text.split())))


def mention_weight(
    text: Folded, span: tuple[int, int], original: str, letters_in_all: int, cased: bool, words: LinkWords
) -> float:
    """How much a mention looks like a name, 0..1.

    Longer is better, and so are capitals inside a sentence; words that name relations are worse. The constants were
    chosen on MetaQA's dev questions.

    :param letters_in_all: see :func:`letters_of`
    """
    own = text.text[slice(*span)].split()
    content = words.content(own)
    letters = sum(map(len, content)) + 0.3 * sum(len(word) for word in own if word in words.stop)
    left, right = text.original(*span)
    capital = cased and has_capital(original, left, right)
    capital = capital or any(map(str.isdigit, original[left:right]))
    share = letters / max(1.0, letters_in_all)
    weight = 0.35 + 0.4 * min(share, 1.0) + 0.02 * min(len(own), 5) + (0.15 if capital else 0.0)
    for_relation = not capital and words.are_for_relations(content)
    return weight * (0.7 if for_relation else 1.0)
