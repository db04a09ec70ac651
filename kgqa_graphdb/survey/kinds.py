"""Proposes what identifies and names the nodes of a label."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kgqa_graphdb.mapping import EntityKind
from kgqa_graphdb.survey.schema import LabelSurvey, Property

MOSTLY_DIFFERENT = 0.9
"""A property such as ``companyName`` is a name when so many of its values differ; ``shipName`` of orders is none."""
SHORT = 60
"""Characters that a text has on average at most, if it is to be a name."""
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


def flat(name: str) -> str:
    """A name without case and what joins its words: ``first_name`` and ``firstName`` alike."""
    return re.sub(r"[\W_]+", "", name).lower()


def kind_of_label(label: LabelSurvey) -> EntityKind:
    """What identifies the nodes of a label, and what people call them."""
    names, parts = _names(label)
    key = _key(label, names)
    if not names:
        names = _number(label, key)
    aliases = tuple(p.key for p in label.properties if flat(p.key) in _ALIASES and p.key not in names and _is_text(p))
    return EntityKind(label.label, key, names, (*parts, *aliases))


def is_opaque(label: LabelSurvey, key: str | None) -> bool:
    """Whether a key is nothing that people ask by: there is none, or it is called just ``id``, or is long."""
    prop = next((p for p in label.properties if p.key == key), None)
    return prop is None or flat(prop.key) in ("id", "uuid", "guid") or prop.mean_size >= OPAQUE


def _is_text(prop: Property) -> bool:
    return prop.types <= {"STRING", "LIST<STRING>"}


def _names(label: LabelSurvey) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The properties that make up a name, and those that are a name alone too."""
    texts = {p.key: p for p in label.properties if p.types == TEXT}
    by_word = {flat(key): key for key in texts}
    own = flat(label.label)
    first = next((by_word[word] for word in ("firstname", "givenname", "forename") if word in by_word), None)
    last = next((by_word[word] for word in ("lastname", "surname", "familyname") if word in by_word), None)
    for word in ("name", "fullname", "displayname", f"{own}name", "nameen", "labelen"):
        if word in by_word:
            return (by_word[word],), ()
    if first and last:
        return (first, last), (last,)
    for word in ("title", f"{own}title", "label", f"{own}label", "caption", "headline", "titleen"):
        if word in by_word:
            return (by_word[word],), ()
    named = [p for p in texts.values() if flat(p.key).endswith("name") and _mostly_differs(p)]
    if named:
        return (max(named, key=lambda p: p.present).key,), ()
    # "territoryDescription", "regionDescription": some schemas call a name so.
    for word in (f"{own}description", "description", f"{own}text", f"{own}value", own):
        prop = texts.get(by_word.get(word, ""))
        if prop is not None and _mostly_differs(prop) and prop.mean_size <= SHORT and 2 * prop.lettered >= prop.present:
            return (prop.key,), ()
    return (), ()


def _mostly_differs(prop: Property) -> bool:
    return prop.different >= MOSTLY_DIFFERENT * prop.present


def _number(label: LabelSurvey, key: str | None) -> tuple[str, ...]:
    """A number that people call a node by, where its key is nothing to say aloud."""
    if not is_opaque(label, key):
        return ()
    own = flat(label.label)
    numbers = {f"{own}number", f"{own}no", f"{own}nr", "number", "no", "nr", f"{own}code", "code", "reference"}
    for prop in label.properties:
        if prop.key != key and flat(prop.key) in numbers and prop.types in (TEXT, NUMBER) and _mostly_differs(prop):
            return (prop.key,)
    return ()


def likely_keys(label: LabelSurvey) -> Iterator[str]:
    """The properties that may identify a node, likeliest first: by constraint, else by name and because all differ."""
    names, _ = _names(label)
    by_key = {p.key: p for p in label.properties if p.types in (TEXT, NUMBER)}

    def apart(key: str) -> bool:
        whole = by_key[key].present == by_key[key].different == label.sampled
        return whole and key not in label.repeated

    own = {f"{flat(label.label)}{word}" for word in ("id", "code", "key", "number", "no")}
    looks = [key for key in by_key if _KEY_NAME.fullmatch(key) or flat(key) in own]
    looks.sort(key=lambda key: _key_order(key, label.label))
    constrained = [key for key in label.unique if key in by_key]
    candidates = [
        *(key for key in looks if key in constrained),
        *constrained,
        *(key for key in looks if apart(key)),
        *(key for key in names if len(names) == 1 and apart(key)),
    ]
    yield from dict.fromkeys(candidates)


def _key(label: LabelSurvey, names: Sequence[str]) -> str | None:
    return next(likely_keys(label), None)


def _key_order(key: str, label: str) -> tuple[bool, bool, str]:
    word = flat(key)
    return (word not in ("id", f"{flat(label)}id"), not word.endswith("id"), key)
