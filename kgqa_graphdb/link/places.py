"""Where in a question names stand, and how much what stands there looks like a name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from kgqa_graphdb.graph import Named
from kgqa_graphdb.language.folding import Folded, folded_text, occurrences
from kgqa_graphdb.link.words import LinkWords

OTHER_CASE = 0.97
"""What a name is worth that differs from the question in case or accents."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a folded question a candidate is named, and how well: 0..1."""

    named: Named
    start: int
    end: int
    quality: float

    @property
    def span(self) -> tuple[int, int]:
        """Its first character, and one past its last."""
        return self.start, self.end

    def is_inside(self, spans: Sequence[tuple[int, int]]) -> bool:
        """Whether it lies within a longer one of some spans."""
        return any(span[0] <= self.start and self.end <= span[1] and span != self.span for span in spans)

    def is_unspaced(self, text: Folded) -> bool:
        """Whether no space parts it from what stands next to it, as names do in Chinese."""
        around = text.text[max(self.start - 1, 0) : self.start] + text.text[self.end : self.end + 1]
        return bool(around.replace(" ", ""))


def exact_places(text: Folded, named: Named, original: str) -> Iterable[Place]:
    """Where in the question a candidate's names stand, folded."""
    for rank, name in enumerate((named.entity.name, *named.aliases)):
        for start, end in occurrences(folded_text(name), text.text):
            same = _stands_as_typed(name, original, *text.original(start, end))
            yield Place(named, start, end, (1.0 if same else OTHER_CASE) - (0.02 if rank else 0.0))


def _stands_as_typed(name: str, original: str, left: int, right: int) -> bool:
    """Whether a name stands at a stretch of the question, the marks that it begins and ends with around that."""
    inside = [place for place, char in enumerate(name) if char.isalnum()]
    before, after = (inside[0], len(name) - 1 - inside[-1]) if inside else (0, 0)
    return original[max(left - before, 0) : right + after] == name


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
    return (start, end, 0.9 * likeness) if likeness >= at_least else None


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


def mention_weight(text: Folded, start: int, end: int, original: str, cased: bool, words: LinkWords) -> float:
    """How much a mention looks like a name, 0..1.

    Longer is better, and so are capitals inside a sentence; words that name relations are worse. The constants were
    chosen on MetaQA's dev questions.
    """
    own, every = text.text[start:end].split(), text.text.split()
    content = words.content(own)
    letters = sum(map(len, content)) + 0.3 * sum(len(word) for word in own if word in words.stop)
    left, right = text.original(start, end)
    capital = cased and has_capital(original, left, right)
    capital = capital or any(map(str.isdigit, original[left:right]))
    share = letters / max(1.0, sum(map(len, words.content_or_all(every))))
    weight = 0.35 + 0.4 * min(share, 1.0) + 0.02 * min(len(own), 5) + (0.15 if capital else 0.0)
    for_relation = not capital and words.are_for_relations(content)
    return weight * (0.7 if for_relation else 1.0)
