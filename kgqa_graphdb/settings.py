"""Settings that a person gives as KEY=VALUE: fields of a frozen dataclass, each with a default and a doc."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, asdict, field, fields
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

from kgqa_graphdb.errors import UsageError, nearest

S = TypeVar("S")


def setting(default: Any, doc: str) -> Any:
    """A field of a settings class.

    :param doc: what it does, with units and range; ``kgqa methods`` shows it
    """
    return field(default=default, metadata={"doc": doc})


def check_settings_class(kind: type[Any], owner: str) -> None:
    """Check that each setting has a default and a doc.

    :raises TypeError: one has not
    """
    undocumented = [one.name for one in fields(kind) if not one.metadata.get("doc")]
    if undocumented or any(one.default is MISSING for one in fields(kind)):
        raise TypeError(f"settings of {owner} need a default and a doc each: {undocumented}")


def read_settings(kind: type[S], values: Mapping[str, Any], owner: str) -> S:
    """The settings with these values; those that are texts are read as what the setting is, ``none`` as ``None``.

    :param owner: what is set, in messages: "method 'paths'"
    :raises UsageError: there is no such setting, or it can't have that value
    """
    known = [one.name for one in fields(kind)]  # type: ignore[arg-type]  # a dataclass
    for name in values:
        if name not in known:
            choose = f"it has: {', '.join(known)}" if known else "it has none"
            raise UsageError(f"{owner} has no setting {name!r}{nearest(name, known)}; {choose}")
    if not values:
        return kind()
    from pydantic import TypeAdapter, ValidationError

    hints = get_type_hints(kind)
    read: dict[str, Any] = {}
    for name, value in values.items():
        try:
            read[name] = None if _is_none(value, hints[name]) else TypeAdapter(hints[name]).validate_python(value)
        except ValidationError as error:
            reason = error.errors()[0]["msg"].lower()
            raise UsageError(f"setting {name!r} of {owner} can't be {value!r}: {reason}") from error
    return kind(**read)


def parse_settings(given: Iterable[str], option: str, example: str) -> dict[str, str]:
    """What a person gave as KEY=VALUE, again and again.

    :param option: of the command line, for the message
    :raises UsageError: one is no KEY=VALUE
    """
    settings = {}
    for one in given:
        key, sign, value = one.partition("=")
        if not (sign and key.strip()):
            raise UsageError(f"{option} {one!r} is not KEY=VALUE; for instance: {option} {example}")
        settings[key.strip()] = value.strip()
    return settings


def changed_settings(settings: Any) -> dict[str, Any]:
    """The settings that are not at their default."""
    defaults = {one.name: one.default for one in fields(settings)}
    return {name: value for name, value in asdict(settings).items() if value != defaults[name]}


def settings_to_dicts(kind: type[Any]) -> list[dict[str, Any]]:
    """The settings of a class as JSON has them."""
    hints = get_type_hints(kind)
    return [
        {"name": one.name, "type": _type_name(hints[one.name]), "default": one.default, "doc": one.metadata["doc"]}
        for one in fields(kind)
    ]


def _is_none(value: object, hint: Any) -> bool:
    """Whether a text says ``None``, as ``kgqa methods`` does, of a setting that can be that."""
    return isinstance(value, str) and value.lower() == "none" and NoneType in get_args(hint)


def _type_name(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint).replace("typing.", "")
