"""Conditions on the relationships that a plan has walked: "worked on X since 2020" is of that work, on X, alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kgqa_graphdb.compose.compare import Test
from kgqa_graphdb.compose.composed import scalar_tests
from kgqa_graphdb.compose.fits import explains, is_direct
from kgqa_graphdb.language import Language
from kgqa_graphdb.language.english_words import AUXILIARIES, ENDINGS, FILLERS, MOMENTS, PLAIN_PREPOSITIONS, UNTIL
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.mapping.hops import end_labels
from kgqa_graphdb.plan import Aggregate, Combine, Every, Follow, Onward, Plan
from kgqa_graphdb.reductions import REDUCTIONS
from kgqa_graphdb.types import Path, QualifierTest, Step


def followed(plan: Plan) -> list[Path]:
    """The paths that lead to a plan's answers, apart from those that are taken away."""
    match plan:
        case Follow(_, path) | Onward(_, path):
            return [path]
        case Combine(op, parts):
            return [path for part in (parts[:1] if op == "not" else parts) for path in followed(part)]
        case Aggregate():
            return followed(plan.over)
    return []


def back_over(path: Path) -> Path:
    """A path from its end to its beginning."""
    return tuple(Step(step.relation, not step.inverse) for step in reversed(path))


def walked_first(
    found: Sequence[tuple[Path, float]], walked: Path, text: str, mapping: GraphMapping, *, moment: bool
) -> list[tuple[Path, float]]:
    """The paths that a condition's words may mean, with the qualifiers of what was walked where they belong.

    They come after what the answers have themselves and the words say, and before all else: what somebody else did is
    not meant where the question speaks of what was walked.

    :param found: other paths from the answers, likeliest first
    :param walked: the path that led to the answers
    :param moment: a point in time is compared
    """
    language = mapping.language
    words = [word for word in text.replace(TOPIC, " ").split() if word not in _SAY_NOTHING]
    own = [(path, 1.0) for path in _qualified(walked, mapping) if _means(path, words, language, moment=moment)]
    if moment:
        own = _of_moments(own, words, language)
    said = " ".join(words)
    before = [one for one in found if is_direct(one[0]) and (not words or explains(one[0], said, language))]
    rest = [one for one in found if one not in before and one[0] not in {path for path, _ in own}]
    return [*before, *own, *rest]


_SAY_NOTHING = FILLERS | PLAIN_PREPOSITIONS | AUXILIARIES | {*MOMENTS.split()}


def _qualified(walked: Path, mapping: GraphMapping) -> Iterator[Path]:
    """The qualifiers of a walked path, each with the way back to it."""
    for back in range(1, len(walked) + 1):
        step = walked[-back]
        if step.relation.kind != "edge":
            continue
        for one in mapping.qualifiers:
            if one.of in ("", step.relation.id):
                yield (*back_over(walked[-back:]), Step(one))


def _means(path: Path, words: Sequence[str], language: Language, *, moment: bool) -> bool:
    """Whether words may mean a qualifier: all are its own, its relation's or of the kinds there, one its own."""
    step, qualifier = path[-2:]
    kinds = {*end_labels(step), *end_labels(replace(step, inverse=not step.inverse))}
    nouns = {form for kind in kinds for word in language.words_of(kind).split() for form in _forms(word, language)}
    content = [word for word in words if word not in nouns and word not in ENDINGS]
    named = any(explains((qualifier,), word, language) for word in content)
    return explains((step, qualifier), " ".join(content), language) and (moment or named)


def _forms(word: str, language: Language) -> tuple[str, str]:
    return word, language.plural_of(word)


def _of_moments(own: list[tuple[Path, float]], words: Sequence[str], language: Language) -> list[tuple[Path, float]]:
    """Of the qualifiers of one relation those that say when it began, or, where the words say so, ended."""
    ended = bool({*words} & ENDINGS)
    late = [one for one in own if {*language.words_of(one[0][-1].relation.type).split()} & UNTIL]
    return late if ended else [one for one in own if one not in late]


def retraces(path: Path, walked: Path) -> bool:
    """Whether a path to a qualifier goes back over what was walked."""
    edges = path[:-1]
    same = [(step.relation.id, step.inverse) for step in edges]
    back = [(step.relation.id, step.inverse) for step in back_over(walked)]
    return path[-1].relation.kind == "qualifier" and bool(edges) and back[: len(same)] == same


def bound_to_walk(plan: Plan, path: Path, tests: Sequence[Test], *, taken: bool) -> Plan | None:
    """A plan whose path walks only relationships of which tests hold; ``None``: they can't be of one relationship.

    :param path: back over what was walked, to the qualifier
    :param taken: it is what the plan takes away whose path does
    """
    scalar = scalar_tests(path[-1].relation, tests)
    return _bound(plan, len(path) - 1, path, scalar, taken=taken) if scalar else None


def _bound(plan: Plan, depth: int, path: Path, tests: tuple[QualifierTest, ...], *, taken: bool) -> Plan | None:
    match plan:
        case Follow(path=walked) if retraces(path, walked):
            place = len(walked) - depth
            step = replace(walked[place], tests=(*walked[place].tests, *tests))
            return replace(plan, path=(*walked[:place], step, *walked[place + 1 :]))
        case Combine("not", parts):
            place = len(parts) - 1 if taken else 0
            part = _bound(parts[place], depth, path, tests, taken=False)
            return replace(plan, parts=(*parts[:place], part, *parts[place + 1 :])) if part else None
        case Combine(op, parts):
            some = [_bound(part, depth, path, tests, taken=taken) for part in parts]
            whole = [one or part for one, part in zip(some, parts, strict=True)]
            unbound = any(one is None and not isinstance(part, Every) for one, part in zip(some, parts, strict=True))
            return replace(plan, parts=tuple(whole)) if any(some) and not (op == "or" and unbound) else None
        case Aggregate() if REDUCTIONS[plan.op].family == "comparison":
            over = _bound(plan.over, depth, path, tests, taken=taken)
            return replace(plan, over=over) if over else None
    return None
