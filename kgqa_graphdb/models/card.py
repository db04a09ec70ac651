"""The model card: the file ``model.json`` of a trained model's folder, whichever method the model is of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from kgqa_graphdb.documents import expanded, parse_json
from kgqa_graphdb.errors import UsageError, nearest
from kgqa_graphdb.types import WalkRule

T = TypeVar("T")

CARD = "model.json"
OLD_CARD = "config.json"
"""What a folder had in the place of a card before there were cards."""
READY = "model.new"
"""Folder, in the model's own, of a new model that is written completely and is about to replace the old one."""
STRICT = {"extra": "forbid"}
"""``__pydantic_config__`` of a dataclass that is read from a file: unknown keys are refused."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What is known of a trained model.

    :ivar method: that answers with it
    :ivar format: version of the method's own part: its details and its files
    :ivar kgqa_version: of the package that trained it
    :ivar made_at: ISO 8601, in UTC
    :ivar seed: of the training
    :ivar graphs: name → fingerprint of each graph that it was trained on; empty: it is for no graph in particular. See
        :func:`kgqa_graphdb.catalog.graph_fingerprint`
    :ivar walk: the walk rule that was chosen for its graph; ``None``: none was, or there are several graphs
    :ivar encoder: name or folder of the text encoder that it reads with; empty: it has none
    :ivar encoder_fingerprint: of that encoder when the model was trained
    :ivar details: the method's own part, which the method reads with :func:`validated`
    """

    __pydantic_config__ = STRICT

    method: str
    format: int
    kgqa_version: str = ""
    made_at: str = ""
    seed: int = 0
    graphs: Mapping[str, str] = field(default_factory=dict)
    walk: WalkRule | None = None
    encoder: str = ""
    encoder_fingerprint: str = ""
    details: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def made_now(self) -> ModelCard:
        """The same card, of a model that this version of the package has made just now."""
        made_at = datetime.now(UTC).isoformat(timespec="seconds")
        return replace(self, kgqa_version=version("kgqa-graphdb"), made_at=made_at)

    @property
    def graph(self) -> str:
        """The graph that it was trained on; empty where there is none, or several."""
        return next(iter(self.graphs)) if len(self.graphs) == 1 else ""

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits that differ for another training."""
        return hashlib.sha256(as_json(self).encode()).hexdigest()[:8]


def as_json(value: Any) -> str:
    """A dataclass as it is written to a file: sets in order, text as it stands."""
    return json.dumps(asdict(value), ensure_ascii=False, indent=1, default=sorted) + "\n"


def read_card(folder: Path | str, method: str = "", formats: tuple[int, ...] = ()) -> ModelCard:
    """The card of a model's folder.

    :param method: that the model must be of; empty: any
    :param formats: of that method that can be read; none: all can
    :raises UsageError: it is no trained model, one of another method or format, or its card is wrong
    """
    folder = expanded(folder)
    train = f"kgqa train {method or 'METHOD'}"
    if (folder / READY).is_dir():
        raise UsageError(f"writing the model in {folder} was cut off; the same {train} command finishes it")
    try:
        card = parse_card(folder / CARD)
    except FileNotFoundError:
        if is_old_model(folder):
            cure = f"convert it: kgqa models convert {folder}"
            raise UsageError(f"{folder} was made by an older version of kgqa; {cure}") from None
        raise UsageError(f"{folder} is no trained model: it has no {CARD}; {train} makes one") from None
    if method and card.method != method:
        raise UsageError(
            f"{folder} is a model of the method {card.method}, not of {method}: use it with --method {card.method}, or "
            f"name a folder that {train} made"
        )
    if formats and card.format not in formats:
        raise UsageError(
            f"{folder} was made by another version of kgqa (format {card.format}); train it again: {train}"
        )
    return card


def read_card_and_details(folder: Path | str, method: str, format: int, details: type[T]) -> tuple[ModelCard, T]:
    """The card of a model's folder, and the method's own part of it.

    :param details: a dataclass whose ``__pydantic_config__`` is :data:`STRICT`
    :raises UsageError: it is no model of the method and format, or a key of it is wrong
    """
    card = read_card(folder, method, (format,))
    return card, validated(details, card.details, expanded(folder) / CARD, "details.")


def parse_card(path: Path) -> ModelCard:
    """The card in a file.

    :raises FileNotFoundError: there is none
    :raises UsageError: it can't be read, or is wrong
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:  # bytes that are no text, a name that no file can have
        raise UsageError(f"{path} can't be read: {error}; train it again") from error
    return validated(ModelCard, text, path)


def validated(kind: type[T], source: str | Mapping[str, Any], path: Path, prefix: str = "") -> T:
    """A dataclass from JSON; its types are checked, nothing is converted.

    :param kind: a dataclass whose ``__pydantic_config__`` is :data:`STRICT`
    :param source: JSON text, or what such text was read to
    :param path: the file that it is from, for messages
    :param prefix: where in the file it stands, for messages: ``"details."``
    :raises UsageError: a key is unknown or missing, or a value is of the wrong kind
    """
    from pydantic import TypeAdapter, ValidationError

    text = source if isinstance(source, str) else json.dumps(source)
    try:
        return TypeAdapter(kind).validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = prefix + ".".join(map(str, first["loc"]))
        cure = "train it again"
        if first["type"] == "json_invalid":
            raise UsageError(f"{path} can't be read: {first['msg']}; {cure}") from error
        if first["type"] == "unexpected_keyword_argument":
            near = nearest(str(first["loc"][-1]), _keys(kind)) or f"; {cure}"
            raise UsageError(f"{path}: the key {key!r} is unknown{near}") from error
        if first["type"] in ("missing", "missing_argument"):
            raise UsageError(f"{path}: the key {key!r} is missing; {cure}") from error
        raise UsageError(f"{path}: {key!r} can't be {first['input']!r}: {first['msg']}; {cure}") from error


def _keys(kind: Any) -> list[str]:
    """The keys that a dataclass has in a file, those of dataclasses inside it too."""
    inner = [own for own in get_type_hints(kind).values() if is_dataclass(own)]
    return [one.name for one in fields(kind)] + [key for own in inner for key in _keys(own)]


def is_old_model(folder: Path) -> bool:
    """Whether a folder is a model that was made before there were cards."""
    try:
        found = parse_json((folder / OLD_CARD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and {"model", "version"} <= found.keys()
