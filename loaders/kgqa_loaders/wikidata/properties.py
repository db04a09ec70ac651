"""Labels of properties that public tables made of Wikidata have, and the lists of labels beside them lack.

Read from Wikidata (CC0). Whatever a source or a names file calls a property wins over them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from kgqa_loaders.records import GUESS_RANK

RANK = GUESS_RANK - 1

PROPERTY_LABELS: Mapping[str, str] = MappingProxyType({
    "P143": "imported from Wikimedia project", "P453": "character role", "P459": "determination method",
    "P515": "phase of matter", "P531": "diplomatic mission sent", "P552": "handedness", "P741": "playing hand",
    "P929": "color space", "P1060": "disease transmission process", "P1151": "topic's main Wikimedia portal",
    "P1424": "topic's main template", "P1465": "category for people who died here", "P1480": "sourcing circumstances",
    "P1534": "end cause", "P1611": "NATO code for grade", "P1622": "driving side",
    "P1642": "acquisition transaction", "P1791": "category of people buried here",
    "P1792": "category of associated people", "P1853": "blood type",
    "P1879": "income classification (Philippines)", "P1981": "FSK film rating", "P2061": "aspect ratio",
    "P2241": "reason for deprecated rank", "P2303": "exception to constraint", "P2359": "Roman nomen gentilicium",
    "P2363": "NMHH film rating", "P2517": "category for recipients of this award",
    "P2614": "World Heritage criteria", "P2629": "BBFC rating", "P3025": "open days", "P3150": "birthday",
    "P3156": "Australian Classification", "P3216": "ClassInd rating", "P3306": "ICAA rating",
    "P3402": "CNC film rating (Romania)", "P3489": "pregnancy category", "P3650": "JMK film rating",
    "P3818": "KMRB film rating", "P3823": "Ethnologue language status", "P3831": "object of statement has role",
    "P3871": "tributary orientation", "P4424": "mandates", "P4649": "identity of subject in context",
    "P4967": "prerequisite", "P4969": "derivative work", "P5008": "on focus list of Wikimedia project",
    "P5009": "complies with", "P5021": "test taken", "P5023": "activity policy in this place", "P5025": "gens",
    "P5096": "member of the crew of", "P5102": "nature of statement", "P5109": "has grammatical gender",
    "P5110": "has grammatical person", "P5125": "Wikimedia outline", "P5131": "possible medical findings",
    "P5150": "INCAA film rating", "P5201": "IMDA rating", "P5658": "railway traffic side", "P5800": "narrative role",
    "P6104": "maintained by WikiProject", "P6112": "category for members of a team", "P6149": "running mate",
    "P6186": "category for eponymous categories", "P6216": "copyright status", "P6872": "has written for",
    "P6886": "writing language", "P7078": "typing discipline",
})  # fmt: skip
"""Property → label."""
