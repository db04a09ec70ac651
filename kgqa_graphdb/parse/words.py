"""The closed classes of English by which questions count, compare, rank and leave out; no word is of any graph."""

from __future__ import annotations

from typing import Literal, TypeAlias

from kgqa_graphdb.reductions import REDUCTIONS, of_family

Direction: TypeAlias = Literal["max", "min"]

NUMBERS = {
    word: number
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
    if word != "one"  # "one" is a pronoun more often
}
HIGH = frozenset(REDUCTIONS["max"].words)
LOW = frozenset(REDUCTIONS["min"].words)
RANKED = frozenset("top first bottom".split())
"""What "3 …" may follow without a measure of its own: "the top 3 products by price"."""
DIMENSIONS: dict[str, tuple[tuple[Direction, str], ...]] = {
    "oldest": (("min", "date of birth"), ("min", "year or date founded or released"), ("max", "age")),
    "youngest": (("max", "date of birth"), ("min", "age")),
    "newest": (("max", "year or date released"),),
    "latest": (("max", "year or date"),),
    "recent": (("max", "year or date"),),
    "earliest": (("min", "year or date"),),
    "longest": (("max", "length or duration"),),
    "shortest": (("min", "length or duration"), ("min", "height")),
    "tallest": (("max", "height"),),
    "highest": (("max", "height or elevation"),),
    "deepest": (("max", "depth"),),
    "widest": (("max", "width"),),
    "heaviest": (("max", "weight or mass"),),
    "lightest": (("min", "weight or mass"),),
    "fastest": (("max", "speed"),),
    "slowest": (("min", "speed"),),
    "cheapest": (("min", "price or cost"),),
    "costliest": (("max", "price or cost"),),
    "expensive": (("max", "price or cost"),),
    "largest": (("max", "size or area or population"), ("max", "diameter or width")),
    "biggest": (("max", "size or area or population"), ("max", "diameter or width")),
    "smallest": (("min", "size or area or population"), ("min", "diameter or width")),
    "populous": (("max", "population"),),
    "richest": (("max", "wealth or income"),),
    "poorest": (("min", "wealth or income"),),
}
"""What an adjective compares, and which way; "most" and "least" before one go the same way and the other."""
COMPARATIVES = {
    f"{one[:-2]}r": one for one in DIMENSIONS if one.endswith("est") and one not in ("latest", "earliest", "highest")
}
"""Comparatives and their superlatives: "cheaper", "older"."""
ADJECTIVES = ("expensive", "recent", "populous")
"""What is compared with "more" and "less"."""
SIZES = frozenset("largest biggest smallest longest shortest".split())
"""What compares any measure that is named with it: "a population larger than 5 million"."""
MOMENTS = "year or date"
"""What is compared where a year is named and no measure."""
TIMES = frozenset("year month week day decade century".split())
PERSONS = frozenset("person people human employee user member customer author actor player student".split())
EXCEPTIONS = frozenset("without except excluding".split())
"""Negations with which a condition begins."""
NEGATIONS = EXCEPTIONS | frozenset("not never no n't".split())
AUXILIARIES = frozenset("is are was were do does did has have had can could".split())
BOUNDARIES = frozenset("that who which whose whom where with having and but , ; when while".split())
"""Where one condition ends and the next begins."""
PREPOSITIONS = frozenset("of in on at to for from by with into over across within".split())
MOST = 999
"""A larger number before a noun says a year, not how many."""
DEFINITE = frozenset("the these those all both my your his her its our their 's s".split())
"""Words after which a number says how many there are, not how many there should be."""
FILLERS = frozenset(
    """a an the all any each every is are was were be been do does did has have had there their its his her it as also
    currently ever only than s both either or some someone something named called titled word words phrase term text
    please me us per number amount times different distinct unique whole among overall""".split()
)
"""Words that say nothing of what is compared."""
TOTALS = {word: one.name for one in of_family("values") for word in one.words}
"""What is asked for of all values together."""
EACH = TOTALS | {word: one.name for one in of_family("values") for word in one.adjectives}
"""What of several numbers is meant."""
COUNTS = frozenset(REDUCTIONS["count"].words)
AMOUNTS = frozenset((*COUNTS, *EACH))
"""What measures are called that are counted or summed up."""
RELATIVE = frozenset("that who which whose with where having".split())
CONTAINS = frozenset("contain contains containing include includes including mention mentions mentioning".split())
STARTS = frozenset("start starts starting begin begins beginning".split())
CORRELATED = frozenset("they them themselves himself herself itself together".split())
"""Words that speak of the same one again."""
BEYOND = frozenset(
    """same percentage percent ratio divisible multiple path paths degrees consecutive
    respectively ending ends twice half versus neither nor nobody none percent last second third
    compared""".split()
)
"""Words of what no plan can express yet."""


def dimensions_of(adjective: str) -> tuple[tuple[Direction, str], ...]:
    """What a superlative compares, and which way: "cheapest", "most expensive", "least recent"."""
    degree, _, word = adjective.rpartition(" ")
    known = DIMENSIONS.get(word, (("max", word),))
    opposite: dict[Direction, Direction] = {"max": "min", "min": "max"}
    return tuple((opposite[way], measure) for way, measure in known) if degree == "least" else known
