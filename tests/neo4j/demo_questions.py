"""Questions to the demo graph that count, compare, rank and leave out, with answers from its facts alone.

The demo graph has no kinds: what a noun names is known from the relations' words only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kgqa_graphdb.types import Value
from tests.unit.test_demo import facts

YES, NO = "yes", "no"


@dataclass(frozen=True)
class Facts:
    """The demo graph's facts, as (head, relation, tail)."""

    triples: tuple[tuple[str, str, str], ...]

    @classmethod
    def read(cls) -> Facts:
        return cls(facts())

    def heads(self, relation: str, tail: str) -> set[str]:
        return {head for head, known, end in self.triples if (known, end) == (relation, tail)}

    def tails(self, head: str, relation: str) -> set[str]:
        return {tail for start, known, tail in self.triples if (start, known) == (head, relation)}

    def numbers(self, relation: str) -> dict[str, float]:
        return {
            head: float(tail) if "." in tail else int(tail) for head, known, tail in self.triples if known == relation
        }

    def texts(self, relation: str) -> dict[str, str]:
        return {head: tail for head, known, tail in self.triples if known == relation}


def greatest(among: Iterable[str], values: dict[str, float] | dict[str, str], most: int = 1) -> set[str]:
    return set(sorted((one for one in among if one in values), key=lambda one: values[one])[-most:])


def least(among: Iterable[str], values: dict[str, float] | dict[str, str]) -> set[str]:
    return set(sorted((one for one in among if one in values), key=lambda one: values[one])[:1])


def among(ones: Iterable[str], values: dict[str, float], test: Callable[[float], bool]) -> set[str]:
    return {one for one in ones if one in values and test(values[one])}


def left_out(f: Facts) -> dict[str, set[str]]:
    """What is asked for without something else."""
    saturn, jupiter = f.heads("moon_of", "Saturn"), f.heads("moon_of", "Jupiter")
    by_galileo = f.heads("discovered_by", "Galileo Galilei")
    walkers, on_saturn_v = f.heads("walked_on", "the Moon"), f.heads("launched_on", "Saturn V")
    to_jupiter, to_saturn = f.heads("visited", "Jupiter"), f.heads("visited", "Saturn")
    nasa = f.heads("operated_by", "NASA")
    first, second = f.tails("Voyager 1", "visited"), f.tails("Voyager 2", "visited")
    armstrong = f.heads("crew_member", "Neil Armstrong")
    return {
        "Which moons of Saturn were not discovered by William Herschel?": saturn
        - f.heads("discovered_by", "William Herschel"),
        "moons of Jupiter that were not discovered by Galileo Galilei": jupiter - by_galileo,
        "moons of Jupiter but not those discovered by Galileo Galilei": jupiter - by_galileo,
        "moons of Saturn except those discovered by Giovanni Domenico Cassini": saturn
        - f.heads("discovered_by", "Giovanni Domenico Cassini"),
        "Which moons of Uranus weren't discovered by William Lassell?": f.heads("moon_of", "Uranus")
        - f.heads("discovered_by", "William Lassell"),
        "Which crew members of Apollo 11 did not walk on the Moon?": f.tails("Apollo 11", "crew_member") - walkers,
        "Which spacecraft visited Saturn but not Jupiter?": to_saturn - to_jupiter,
        "Which spacecraft visited Jupiter but did not visit Saturn?": to_jupiter - to_saturn,
        "Which spacecraft visited Jupiter and not Pluto?": to_jupiter - f.heads("visited", "Pluto"),
        "spacecraft that visited Jupiter without visiting Saturn": to_jupiter - to_saturn,
        "Which spacecraft operated by NASA did not visit Jupiter?": nasa - to_jupiter,
        "Who walked on the Moon but was not born in the United States?": walkers - f.heads("born_in", "United States"),
        "What was launched on Saturn V but not from Kennedy Space Center?": on_saturn_v
        - f.heads("launched_from", "Kennedy Space Center"),
        "Which missions of Neil Armstrong were not launched on Saturn V?": armstrong - on_saturn_v,
        "Which planets did Voyager 2 visit that Voyager 1 did not visit?": second - first,
        "Which planets were visited by Voyager 2 but not by Voyager 1?": second - first,
        "moons of Saturn except Titan": saturn - {"Titan"},
        "all moons of Saturn but not Titan": saturn - {"Titan"},
        "moons of Saturn other than Titan": saturn - {"Titan"},
        "moons of Saturn without Titan or Rhea": saturn - {"Titan", "Rhea"},
        "moons of Jupiter excluding Europa and Io": jupiter - {"Europa", "Io"},
        "crew members of Apollo 11 but not Neil Armstrong": f.tails("Apollo 11", "crew_member") - {"Neil Armstrong"},
        "What is the largest moon of Saturn except Titan?": greatest(saturn - {"Titan"}, f.numbers("diameter")),
        "Which moon of Saturn is not the largest?": saturn - {"Titan"},
        "Which missions did Neil Armstrong fly on without Buzz Aldrin?": armstrong
        - f.heads("crew_member", "Buzz Aldrin"),
        "Which spacecraft operated by NASA were launched without Saturn V?": nasa - on_saturn_v,
        "Which moons that William Herschel did not discover orbit Saturn?": saturn
        - f.heads("discovered_by", "William Herschel"),
        "Which planets that Voyager 1 never visited were visited by Voyager 2?": second - first,
        "Which spacecraft visited neither Jupiter nor Saturn?": nasa - to_jupiter - to_saturn,
        "Which moons of Saturn were discovered before 1700 but not by Giovanni Domenico Cassini?": among(
            saturn, f.numbers("year_discovered"), lambda year: year < 1700
        )
        - f.heads("discovered_by", "Giovanni Domenico Cassini"),
        "Which missions did Neil Armstrong fly on except Apollo 11?": armstrong - {"Apollo 11"},
        "Who flew on Apollo 11 but did not walk on the Moon?": f.tails("Apollo 11", "crew_member") - walkers,
        "Which members of Apollo 12 never walked on the Moon?": f.tails("Apollo 12", "crew_member") - walkers,
        "Which spacecraft landed on the Moon but were not launched on Saturn V?": f.heads("landed_on", "the Moon")
        - on_saturn_v,
        "spacecraft operated by NASA that did not land on Mars or the Moon": nasa
        - f.heads("landed_on", "Mars")
        - f.heads("landed_on", "the Moon"),
        "spacecraft which visited Jupiter, but not Saturn": to_jupiter - to_saturn,
        "Which spacecraft orbiting or visiting Jupiter were not operated by NASA?": to_jupiter - nasa,
        "Which moons of Jupiter weren't found by Galileo?": jupiter - by_galileo,
    }


def joined(f: Facts) -> dict[str, set[str]]:
    """What is said of two topics, of either, or how many or how much there is."""
    saturn, mars, uranus = (f.heads("moon_of", planet) for planet in ("Saturn", "Mars", "Uranus"))
    herschel = f.heads("discovered_by", "William Herschel")
    walkers = f.heads("walked_on", "the Moon")
    to_jupiter, to_saturn, to_pluto = (f.heads("visited", planet) for planet in ("Jupiter", "Saturn", "Pluto"))
    apollo = f.tails("Apollo 11", "crew_member")
    width = [value for moon, value in f.numbers("diameter").items() if moon in mars]
    counts = {
        "How many moons does Mars have?": mars,
        "How many moons of Saturn are there?": saturn,
        "How many spacecraft landed on Mars?": f.heads("landed_on", "Mars"),
        "How many people walked on the Moon?": walkers,
        "How many moons did William Herschel discover?": {one for one in herschel if f.tails(one, "moon_of")},
        "How many planets has Voyager 2 visited?": f.tails("Voyager 2", "visited"),
        "How many crew members did Apollo 11 have?": apollo,
        "number of missions launched on Saturn V": f.heads("launched_on", "Saturn V"),
        "How many moons of Saturn were discovered by William Herschel?": saturn & herschel,
        "How many moons of Saturn were not discovered by William Herschel?": saturn - herschel,
        "How many spacecraft visited both Jupiter and Saturn?": to_jupiter & to_saturn,
        "How many spacecraft visited Jupiter or Pluto?": to_jupiter | to_pluto,
        "How many missions did Neil Armstrong fly on?": f.heads("crew_member", "Neil Armstrong"),
        "How many spacecraft have been launched from Baikonur Cosmodrome?": f.heads(
            "launched_from", "Baikonur Cosmodrome"
        ),
        "How many people born in the United States walked on the Moon?": walkers & f.heads("born_in", "United States"),
        "Count the moons of Jupiter": f.heads("moon_of", "Jupiter"),
    }
    return {
        "Which moons of Saturn were discovered by William Herschel?": saturn & herschel,
        "Which spacecraft visited both Jupiter and Saturn?": to_jupiter & to_saturn,
        "Which crew members of Apollo 11 walked on the Moon?": apollo & walkers,
        "Which planets were visited by both Voyager 1 and Voyager 2?": f.tails("Voyager 1", "visited")
        & f.tails("Voyager 2", "visited"),
        "Who walked on the Moon and was born in Germany?": walkers & f.heads("born_in", "Germany"),
        "Which spacecraft visited Uranus or Pluto?": f.heads("visited", "Uranus") | to_pluto,
        "moons of Mars or Uranus": mars | uranus,
        "Which moons were discovered by Asaph Hall or Gerard Kuiper?": f.heads("discovered_by", "Asaph Hall")
        | f.heads("discovered_by", "Gerard Kuiper"),
        "What was discovered by either Galileo Galilei or Christiaan Huygens?": f.heads(
            "discovered_by", "Galileo Galilei"
        )
        | f.heads("discovered_by", "Christiaan Huygens"),
        "What is the average diameter of the moons of Mars?": {Value(sum(width) / len(width), unit="km").name},
        "total diameter of the moons of Mars": {Value(sum(width), unit="km").name},
        **{question: {str(len(counted))} for question, counted in counts.items()},
    }


def compared(f: Facts) -> dict[str, set[str]]:
    """The greatest and the least, and what is more or less than something."""
    saturn, jupiter, uranus, mars = (f.heads("moon_of", one) for one in ("Saturn", "Jupiter", "Uranus", "Mars"))
    neptune = f.heads("moon_of", "Neptune")
    width, found, orbit = f.numbers("diameter"), f.numbers("year_discovered"), f.numbers("orbital_period")
    launched, born = f.texts("launch_date"), f.texts("birth_date")
    year = {one: float(day[:4]) for one, day in (launched | born).items()}
    walkers, apollo = f.heads("walked_on", "the Moon"), f.tails("Apollo 11", "crew_member")
    on_saturn_v, on_mars = f.heads("launched_on", "Saturn V"), f.heads("landed_on", "Mars")
    to_jupiter, by_cassini = f.heads("visited", "Jupiter"), f.heads("discovered_by", "Giovanni Domenico Cassini")
    seen_first = among(saturn, found, lambda one: one < 1700)
    return {
        "What is the largest moon of Saturn?": greatest(saturn, width),
        "What is the smallest moon of Jupiter?": least(jupiter, width),
        "Which moon of Saturn has the greatest diameter?": greatest(saturn, width),
        "Which moon of Uranus is the widest?": greatest(uranus, width),
        "What are the 2 widest moons of Saturn?": greatest(saturn, width, 2),
        "What are the three largest moons of Saturn?": greatest(saturn, width, 3),
        "Which moon of Saturn was discovered first?": least(saturn, found),
        "Which moon of Uranus was discovered last?": greatest(uranus, found),
        "Which moon of Neptune has the smallest diameter?": least(neptune, width),
        "Who is the oldest person who walked on the Moon?": least(walkers, born),
        "Who was the youngest person that walked on the Moon?": greatest(walkers, born),
        "What is the latest mission launched on Saturn V?": greatest(on_saturn_v, launched),
        "Which spacecraft that landed on Mars was launched first?": least(on_mars, launched),
        "Which planet visited by Voyager 2 has the longest orbital period?": greatest(
            f.tails("Voyager 2", "visited"), orbit
        ),
        "What is the earliest launched spacecraft that visited Jupiter?": least(to_jupiter, launched),
        "biggest moon of Jupiter": greatest(jupiter, width),
        "What's the biggest moon of Uranus?": greatest(uranus, width),
        "Which is the smallest of the moons of Saturn?": least(saturn, width),
        "smallest moon of Mars": least(mars, width),
        "Which of Jupiter's moons is the largest?": greatest(jupiter, width),
        "Which crew member of Apollo 11 was born first?": least(apollo, born),
        "Who was the oldest crew member of Apollo 11?": least(apollo, born),
        "What is the most recent spacecraft to land on Mars?": greatest(on_mars, launched),
        "Which spacecraft launched on Saturn V was launched last?": greatest(on_saturn_v, launched),
        "the largest moon of Saturn discovered by Giovanni Domenico Cassini": greatest(saturn & by_cassini, width),
        "Which moon of Saturn is the second largest?": greatest(saturn, width, 2) - greatest(saturn, width),
        "Which moons of Saturn have a diameter of more than 1000?": among(saturn, width, lambda one: one > 1000),
        "Which moons of Jupiter are wider than 4000 km?": among(jupiter, width, lambda one: one > 4000),
        "Which moons of Uranus were discovered before 1800?": among(uranus, found, lambda one: one < 1800),
        "Which moons of Saturn were discovered after 1700?": among(saturn, found, lambda one: one > 1700),
        "Which moons of Saturn were discovered in 1684?": among(saturn, found, lambda one: one == 1684),
        "Which moons of Saturn were discovered between 1680 and 1700?": among(
            saturn, found, lambda one: 1680 <= one <= 1700
        ),
        "Which spacecraft that landed on Mars were launched after 2000?": among(on_mars, year, lambda one: one > 2000),
        "Which missions launched on Saturn V were launched in 1969?": among(on_saturn_v, year, lambda one: one == 1969),
        "How many moons of Saturn were discovered before 1700?": {str(len(seen_first))},
        "Which moons of Saturn are larger than Rhea?": among(saturn, width, lambda one: one > width["Rhea"]),
        "Which moons of Saturn are smaller than Rhea?": among(saturn, width, lambda one: one < width["Rhea"]),
        "Which moons of Saturn were discovered before Rhea?": among(saturn, found, lambda one: one < found["Rhea"]),
        "Which moons of Jupiter have a diameter below 4000?": among(jupiter, width, lambda one: one < 4000),
        "Which moons were discovered by William Herschel after 1787?": among(
            f.heads("discovered_by", "William Herschel"), found, lambda one: one > 1787
        ),
        "What is the tallest rocket launched from Kennedy Space Center?": greatest(
            set().union(*(f.tails(one, "launched_on") for one in f.heads("launched_from", "Kennedy Space Center"))),
            f.numbers("height"),
        ),
        "Who walked on the Moon and was born before 1930?": among(walkers, year, lambda one: one < 1930),
        "Which moons of Neptune were discovered after 1900?": among(neptune, found, lambda one: one > 1900),
        "How many of the moons of Saturn are larger than 1000 km?": {
            str(len(among(saturn, width, lambda one: one > 1000)))
        },
        "Which moons of Saturn have a diameter between 1000 and 1200 km?": among(
            saturn, width, lambda one: 1000 <= one <= 1200
        ),
        "Which moons of Uranus were discovered in the 1850s?": among(uranus, found, lambda one: 1850 <= one < 1860),
        "Which spacecraft operated by NASA were launched in 1977?": among(
            f.heads("operated_by", "NASA"), year, lambda one: one == 1977
        ),
        "Which spacecraft that visited Jupiter were launched before 1980?": among(
            to_jupiter, year, lambda one: one < 1980
        ),
        "moons of Saturn discovered before 1700 that are wider than 1100 km": among(
            seen_first, width, lambda one: one > 1100
        ),
        "Which moons of Saturn discovered by Giovanni Domenico Cassini are wider than 1200 km?": among(
            saturn & by_cassini, width, lambda one: one > 1200
        ),
    }


def whether(f: Facts) -> dict[str, set[str]]:
    """Yes or no."""
    width, found = f.numbers("diameter"), f.numbers("year_discovered")
    launched, born = f.texts("launch_date"), f.texts("birth_date")
    asked = {
        "Was Titan discovered by Christiaan Huygens?": ("Titan", "discovered_by", "Christiaan Huygens"),
        "Was Titan discovered by Galileo Galilei?": ("Titan", "discovered_by", "Galileo Galilei"),
        "Did Galileo Galilei discover Europa?": ("Europa", "discovered_by", "Galileo Galilei"),
        "Did Voyager 2 visit Neptune?": ("Voyager 2", "visited", "Neptune"),
        "Did Voyager 1 visit Neptune?": ("Voyager 1", "visited", "Neptune"),
        "Has Voyager 1 visited Uranus?": ("Voyager 1", "visited", "Uranus"),
        "Is Europa a moon of Jupiter?": ("Europa", "moon_of", "Jupiter"),
        "Is Titan a moon of Jupiter?": ("Titan", "moon_of", "Jupiter"),
        "Did Neil Armstrong walk on the Moon?": ("Neil Armstrong", "walked_on", "the Moon"),
        "Did Michael Collins walk on the Moon?": ("Michael Collins", "walked_on", "the Moon"),
        "Was Apollo 11 launched on Saturn V?": ("Apollo 11", "launched_on", "Saturn V"),
        "Was Buzz Aldrin born in Germany?": ("Buzz Aldrin", "born_in", "Germany"),
        "Does Saturn orbit the Sun?": ("Saturn", "orbits", "the Sun"),
        "Is Cassini named after Giovanni Domenico Cassini?": (
            "Cassini",
            "named_after",
            "Giovanni Domenico Cassini",
        ),
        "Was Juno operated by ESA?": ("Juno", "operated_by", "ESA"),
    }
    told = {
        "Is Titan wider than 5000 km?": width["Titan"] > 5000,
        "Was Titan discovered before 1700?": found["Titan"] < 1700,
        "Was Triton discovered before 1700?": found["Triton"] < 1700,
        "Is Titan larger than Rhea?": width["Titan"] > width["Rhea"],
        "Is Ganymede wider than Titan?": width["Ganymede"] > width["Titan"],
        "Is Io smaller than Europa?": width["Io"] < width["Europa"],
        "Was Rhea discovered after Titan?": found["Rhea"] > found["Titan"],
        "Was Tethys discovered before 1680?": found["Tethys"] < 1680,
        "Was Apollo 12 launched after Apollo 11?": launched["Apollo 12"] > launched["Apollo 11"],
        "Was Voyager 2 launched before Voyager 1?": launched["Voyager 2"] < launched["Voyager 1"],
        "Was Buzz Aldrin born before Neil Armstrong?": born["Buzz Aldrin"] < born["Neil Armstrong"],
        "Was Voyager 1 launched before Voyager 2?": launched["Voyager 1"] < launched["Voyager 2"],
        "Was Neil Armstrong born before Buzz Aldrin?": born["Neil Armstrong"] < born["Buzz Aldrin"],
        **{question: fact in f.triples for question, fact in asked.items()},
    }
    return {question: {YES if yes else NO} for question, yes in told.items()}
