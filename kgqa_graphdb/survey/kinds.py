"""Proposes what identifies and names the nodes of a label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kgqa_graphdb.mapping import EntityKind, NameProperty, Naming, choose_naming, flat
from kgqa_graphdb.mapping.naming import MOSTLY_DIFFERENT, OWN_NUMBERS, code_keys, own_words
from kgqa_graphdb.survey.readable import why_not
from kgqa_graphdb.survey.schema import LabelSurvey, Property

SHORT = 60
"""Characters that a text has on average at most, if it is to be a name."""
MOST_SHOWN = 3
"""Properties that a person is offered for a name."""
OPAQUE = 16
"""Characters from which on an identifier is nothing that a person would type."""

TEXT, NUMBER = frozenset({"STRING"}), frozenset({"INTEGER"})
_KEY_NAME = re.compile(r"(?i:id|key|code|uuid|guid|isbn|sku|number)|.*[a-z](Id|ID)|(?i:.*_id)")
"""Of names such as ``postalCode`` only the label's own counts: ``productCode`` of a product."""
_ALIASES = frozenset(
    "alias aliases altname altnames alternativename alternativenames alternatename alternatenames synonym synonyms "
    "nickname nicknames shortname abbreviation abbreviations abbr acronym symbol ticker aka alsoknownas formername "
    "formernames othernames originaltitle".split()
)


def kind_of_label(label: LabelSurvey) -> EntityKind:
    """What identifies the nodes of a label, and what people call them."""
    naming = _naming(label)
    names, parts = naming.names, naming.aliases
    key = _key(label)
    if not names:
        names = _number(label, key)
    aliases = tuple(p.key for p in label.properties if flat(p.key) in _ALIASES and p.key not in names and _is_text(p))
    return EntityKind(label.label, key, names, (*parts, *aliases))


def called_kind(label: LabelSurvey) -> EntityKind:
    """The same; what has neither a name nor a key to say aloud is called by a code, such as a registration."""
    kind = kind_of_label(label)
    return kind if kind.names else replace(kind, names=code_naming(label, kind.key))


def is_opaque(label: LabelSurvey, key: str | None) -> bool:
    """Whether a key is nothing that people ask by: there is none, or it is called just ``id``, or is long."""
    prop = next((p for p in label.properties if p.key == key), None)
    return prop is None or flat(prop.key) in ("id", "uuid", "guid") or prop.mean_size >= OPAQUE


def _is_text(prop: Property) -> bool:
    return prop.types <= {"STRING", "LIST<STRING>"}


def _naming(label: LabelSurvey) -> Naming:
    """The properties that make up a name, and those that are a name alone too."""
    texts = {p.key: p for p in label.properties if p.types & TEXT and p.types <= TEXT | NUMBER}
    found = choose_naming((label.label,), tuple(_as_name(prop) for prop in texts.values()))
    by_word = {flat(key): key for key in texts}
    own = flat(label.label)
    key = next((by_word[word] for word in ("id", "entityid", f"{own}id", "identifier") if word in by_word), None)
    if key and _is_worded(texts[key]) and not any(_is_worded(texts[one]) for one in found.names):
        return Naming((key,))
    if found.names:
        return found
    # "territoryDescription", "regionDescription": some schemas call a name so.
    for word in (f"{own}description", "description", f"{own}text", f"{own}value", own):
        prop = texts.get(by_word.get(word, ""))
        if prop is not None and _mostly_differs(prop) and prop.mean_size <= SHORT and 2 * prop.lettered >= prop.present:
            return Naming((prop.key,))
    return Naming()


def _as_name(prop: Property) -> NameProperty:
    share = prop.different / prop.present if prop.present else 0.0
    return NameProperty(prop.key, 2 * prop.spaced >= prop.present, share, prop.present)


def _is_worded(prop: Property) -> bool:
    """Whether the texts of a property read as names, not as codes: an id such as "Lake Town" is what people say."""
    return prop.mean_size <= SHORT and 2 * prop.worded >= prop.present > 0


def _mostly_differs(prop: Property) -> bool:
    return prop.different >= MOSTLY_DIFFERENT * prop.present


def _number(label: LabelSurvey, key: str | None) -> tuple[str, ...]:
    """A number that people call a node by, where its key is nothing to say aloud."""
    if not is_opaque(label, key):
        return ()
    numbers = {"reference", *(own + number for own in ("", *own_words(label.label)) for number in OWN_NUMBERS)}
    for prop in label.properties:
        if prop.key != key and flat(prop.key) in numbers and prop.types in (TEXT, NUMBER) and _mostly_differs(prop):
            return (prop.key,)
    return ()


def code_naming(label: LabelSurvey, key: str | None) -> tuple[str, ...]:
    """A code or an address that people call a node by which has no name, and whose key is nothing to say aloud."""
    if not is_opaque(label, key):
        return ()
    by_key = {p.key: p for p in label.properties if p.types and p.types <= TEXT | NUMBER and _mostly_differs(p)}
    codes = code_keys((label.label,), [one for one in by_key if one != key])
    return next(((code,) for code in codes if 2 * by_key[code].present >= label.sampled), ())


def would_name(label: LabelSurvey) -> tuple[str, ...]:
    """Properties that might name the nodes of a label, for a person to choose from, likeliest first."""
    texts = [p for p in label.properties if p.types & TEXT and p.types <= TEXT | NUMBER and p.mean_size <= SHORT]
    telling = [p for p in texts if p.different > 1 and not why_not(p)]
    telling.sort(key=lambda p: (-p.different / max(p.present, 1), -p.present, p.key))
    return tuple(p.key for p in telling[:MOST_SHOWN])


def likely_keys(label: LabelSurvey) -> Iterator[str]:
    """The properties that may identify a node, likeliest first: by constraint, else by name and because all differ."""
    names = _naming(label).names
    by_key = {p.key: p for p in label.properties if p.types in (TEXT, NUMBER)}

    def apart(key: str) -> bool:
        whole = by_key[key].present == by_key[key].different == label.sampled
        return whole and key not in label.repeated

    own = {own + word for own in own_words(label.label) for word in ("id", "key", *OWN_NUMBERS)}
    looks = [key for key in by_key if _KEY_NAME.fullmatch(key) or flat(key) in own]
    looks.sort(key=lambda key: _key_order(key, label.label))
    constrained = [key for key in label.unique if key in by_key]
    candidates = [
        *(key for key in looks if key in constrained),
        *constrained,
        *(key for key in looks if apart(key)),
        *(key for key in names if len(names) == 1 and key in by_key and apart(key)),
    ]
    yield from dict.fromkeys(candidates)


def _key(label: LabelSurvey) -> str | None:
    return next(likely_keys(label), None)


def _key_order(key: str, label: str) -> tuple[bool, bool, str]:
    word = flat(key)
    return (word not in ("id", f"{flat(label)}id"), not word.endswith("id"), key)
