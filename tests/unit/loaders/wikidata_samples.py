"""A small Wikidata that is made up, as JSON entities and as RDF."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kgqa_loaders.records import ReadOptions, Record, Reject
from kgqa_loaders.wikidata.dump import open_dump

ENTITY = "http://www.wikidata.org/entity/"
GREGORIAN, JULIAN = ENTITY + "Q1985727", ENTITY + "Q1985786"
GUID = "0a1b2c3d-0000-4000-8000-00000000000"


def time(text: str, precision: int = 11, calendar: str = GREGORIAN) -> dict[str, Any]:
    value = {"time": text, "timezone": 0, "before": 0, "after": 0, "precision": precision, "calendarmodel": calendar}
    return {"type": "time", "value": value}


def item_value(id_: str) -> dict[str, Any]:
    return {"type": "wikibase-entityid", "value": {"entity-type": "item", "numeric-id": int(id_[1:]), "id": id_}}


def quantity(amount: str, unit: str = "1", **bounds: str) -> dict[str, Any]:
    return {"type": "quantity", "value": {"amount": amount, "unit": unit if unit == "1" else ENTITY + unit, **bounds}}


def string(text: str) -> dict[str, Any]:
    return {"type": "string", "value": text}


def text_in(language: str, text: str) -> dict[str, Any]:
    return {"type": "monolingualtext", "value": {"language": language, "text": text}}


def place(latitude: float, longitude: float, globe: str = "Q2") -> dict[str, Any]:
    value = {"latitude": latitude, "longitude": longitude, "altitude": None, "precision": 0.1, "globe": ENTITY + globe}
    return {"type": "globecoordinate", "value": value}


def snak(property_id: str, value: dict[str, Any] | str, datatype: str = "") -> dict[str, Any]:
    if isinstance(value, str):
        return {"snaktype": value, "property": property_id}
    held = {"snaktype": "value", "property": property_id, "datavalue": value}
    return held | ({"datatype": datatype} if datatype else {})


def claim(
    property_id: str, value: dict[str, Any] | str, id_: str = "", rank: str = "normal", datatype: str = "", **more: Any
) -> dict[str, Any]:
    """A statement; ``qualifiers`` maps properties to lists of values, ``references`` is a list of such maps."""
    held: dict[str, Any] = {"mainsnak": snak(property_id, value, datatype), "type": "statement", "rank": rank}
    if id_:
        held["id"] = id_
    if "qualifiers" in more:
        held["qualifiers"] = _snaks(more["qualifiers"])
    if "references" in more:
        held["references"] = [{"hash": "0", "snaks": _snaks(snaks)} for snaks in more["references"]]
    return held


def _snaks(values: dict[str, list[Any]]) -> dict[str, Any]:
    return {key: [snak(key, value) for value in group] for key, group in values.items()}


def texts(**by_language: str) -> dict[str, Any]:
    return {code.replace("_", "-"): {"language": code, "value": text} for code, text in by_language.items()}


def entity(id_: str, *claims: dict[str, Any], kind: str = "item", **more: Any) -> dict[str, Any]:
    held: dict[str, list[Any]] = {}
    for statement in claims:
        held.setdefault(statement["mainsnak"]["property"], []).append(statement)
    return {"type": kind, "id": id_, **more, "claims": held}


def dump_of(*entities: Any) -> bytes:
    """An array with an entity a line, as Wikidata's dumps are."""
    return b"[\n" + b",\n".join(json.dumps(item).encode() for item in entities) + b"\n]\n"


def read(tmp_path: Path, content: bytes, **options: Any) -> list[Record]:
    path = tmp_path / "dump.json"
    path.write_bytes(content)
    return list(open_dump(path, "dump.json", ReadOptions(**{"types": "facts"} | options)).records())


def records_of(tmp_path: Path, *entities: Any, **options: Any) -> list[Record]:
    """The records of some entities, all good."""
    records = read(tmp_path, dump_of(*entities), **options)
    assert not rejects(records), rejects(records)
    return records


def rejects(records: Iterable[Record]) -> list[Reject]:
    return [record for record in records if isinstance(record, Reject)]


ISLAND = entity(
    "Q100",
    claim("P31", item_value("Q200"), f"Q100${GUID}1"),
    claim("P17", item_value("Q300"), f"Q100${GUID}2", qualifiers={"P580": [time("+1912-00-00T00:00:00Z", 9)]}),
    claim("P571", time("+1911-05-03T00:00:00Z"), f"Q100${GUID}3"),
    claim("P1082", quantity("+1200", upperBound="+1250", lowerBound="+1150"), f"Q100${GUID}4",
          qualifiers={"P585": [time("+2011-00-00T00:00:00Z", 9)]}),
    claim("P2046", quantity("+3.5", "Q712226"), f"Q100${GUID}5"),
    claim("P625", place(12.5, -70.25), f"Q100${GUID}6"),
    claim("P1705", text_in("nl", "Het Eiland"), f"Q100${GUID}7"),
    claim("P227", string("X-77"), f"Q100${GUID}8", datatype="external-id"),
    labels=texts(en="Made Island", nl="Verzonnen Eiland"),
    descriptions=texts(en="island that is made up"),
    aliases={"en": [{"language": "en", "value": "The Island"}]},
    sitelinks={"enwiki": {"site": "enwiki", "title": "Made Island (island)", "badges": []}},
)  # fmt: skip
