"""Which of a question's links are its topics, and the question as rankers read it from one of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import combinations
from typing import TypeVar

from rapidfuzz import fuzz

from kgqa_graphdb.language.english_words import BEFORE_NUMBERS, TITLES
from kgqa_graphdb.language.folding import folded_text
from kgqa_graphdb.language.masking import mask_mention
from kgqa_graphdb.language.names import words_of
from kgqa_graphdb.link.places import has_capital, is_quoted
from kgqa_graphdb.types import Link

T = TypeVar("T")
LIKELY_SHARE = 0.5
"""Of the best link's score: what scores less is hardly a topic."""
NAMED = 0.9
"""The score of a link that names its entity."""
NO_NOUN = 2 / 3
"""Of the first topic's score: what a word in lower case must have to be the second, where names have capitals."""
LIKE_NAME = 90
"""0..100: how like its entity's name a mention must be to name it, whatever its score."""
_WORD = re.compile(r"\w+")
_DECADE = re.compile(r"[12]\d\d0s", re.ASCII)
"""A mention that is a decade."""


def likely_links(links: Sequence[Link], share: float = LIKELY_SHARE) -> list[Link]:
    """Of links, likeliest first, those that may be topics.

    :param share: of the best one's score that they must have
    """
    return [link for link in links if link.score >= share * links[0].score]


def named_links(text: str, links: Sequence[Link], nouns: Collection[str], *, parts: bool = False) -> list[Link]:
    """The links to something named, not to a kind or a number.

    :param nouns: for kinds
    :param parts: words of a name name it, too, where they begin with capitals and may be meant of nothing else
    """
    return [link for link in links if _names(text, link, nouns) or (parts and _is_part(text, link, links, nouns))]


def _is_part(text: str, link: Link, links: Sequence[Link], nouns: Collection[str]) -> bool:
    """Whether a link is to the only thing that words with capitals may be a part of the name of."""
    mention = text[link.start : link.end]
    words = folded_text(mention).split()
    if not words or mention.lower() in nouns or not has_capital(text, link.start, link.end):
        return False
    rivals = {one.entity for one in links if not one.is_apart(link)}
    return len(rivals) == 1 and {*words} <= {*folded_text(link.entity.name).split()}


def topics_of(text: str, links: Sequence[Link]) -> list[Link]:
    """Of links those that stand apart, likeliest first; "film" is none because something happens to be called so."""
    found: list[Link] = []
    for link in links:
        mention = text[link.start : link.end]
        noun = found and mention.islower() and link.score < NO_NOUN * found[0].score
        if all(map(link.is_apart, found)) and not (noun and not text[found[0].start : found[0].end].islower()):
            found.append(link)
    return found


def disjoint_pair(topics: Sequence[T], link_of: Callable[[T], Link]) -> tuple[T, T] | None:
    """The likeliest two topics that do not overlap in the question; ``None``: all do.

    :param topics: likeliest first
    :param link_of: where one is named
    """
    pairs = combinations(topics, 2)
    return next(((one, other) for one, other in pairs if link_of(one).is_apart(link_of(other))), None)


def without_names(text: str, links: Iterable[Link]) -> str:
    """A question with blanks in the place of names: what is left stands where it stood."""
    for link in links:
        text = f"{text[: link.start]}{' ' * (link.end - link.start)}{text[link.end :]}"
    return text


def mask_topic(text: str, link: Link, others: Sequence[Link] = ()) -> str:
    """A question as rankers read it: with placeholders for its topic and for others."""
    return mask_mention(text, *_mention(text, link), [_mention(text, other) for other in others])


def _mention(text: str, link: Link) -> tuple[int, int]:
    """Where a topic is named, with the word for its kind if that stands before: "order 10248" speaks of no relation."""
    before = text[: link.start].rstrip()
    for label in link.entity.labels:
        found = re.search(rf"\b{re.escape(words_of(label))}$", before, re.IGNORECASE)
        if found and before != text[: link.start]:
            return found.start(), link.end
    return link.start, link.end


def _names(text: str, link: Link, nouns: Collection[str]) -> bool:
    """Whether a link is to something named, not to a kind or a number."""
    mention = text[link.start : link.end].lower()
    before = text[: link.start].lower().split()[-1:]
    decade = _DECADE.fullmatch(mention) is not None and {*before} <= {"the", *BEFORE_NUMBERS}
    number = mention.isdigit() and bool({*before} & BEFORE_NUMBERS)
    if (mention in nouns or decade or number) and not is_quoted(text, link.start, link.end):
        return False  # "after 1984" and "the 1990s" are no films
    is_code = link.entity.has_key and mention == link.entity.id.lower() and not mention.isdigit()
    untitled = [
        " ".join(one for one in _WORD.findall(of) if one not in TITLES) for of in (mention, link.entity.name.lower())
    ]
    like = max(fuzz.ratio(mention, link.entity.name.lower()), fuzz.ratio(*untitled) if all(untitled) else 0)
    return is_code or link.score >= NAMED or like >= LIKE_NAME
