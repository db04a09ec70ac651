"""What an exported graph says of itself: a JSON file that is written last, so that a folder with it is complete."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kgqa_graphdb.errors import ExportError

FORMAT = "kgqa-graph"
VERSION = 1
MANIFEST = "manifest.json"
COLUMNS = "columns-"
"""How the folder of columns begins; the manifest says which of them is the graph's."""


class RelationInfo(BaseModel):
    """A relation of an exported graph.

    :ivar id: as the mapping has it
    :ivar phrase: words for walking from head to tail
    :ivar inverse_phrase: words for walking from tail to head
    :ivar facts: how many there are
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    phrase: str = ""
    inverse_phrase: str = ""
    symmetric: bool = False
    facts: int = 0


class Manifest(BaseModel):
    """What is in the folder of an exported graph.

    :ivar version: of the files' layout
    :ivar fingerprint: of the graph that was exported; see :func:`kgqa_graphdb.export.fingerprint`
    :ivar columns: name of the folder of columns
    :ivar label_sets: the labels that a node has, each set of labels once; a column says which set a node has
    :ivar properties: names of the columns of numbers that entities have
    :ivar qualifiers: names of the columns of numbers that facts have
    :ivar owned: this package loaded the graph; else the first label of a set is the entity's kind
    :ivar features: name of a feature of entities or relations → what made it
    :ivar dropped: relationships that lead to no entity of the graph
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: str = FORMAT
    version: int = VERSION
    graph: str
    fingerprint: str
    columns: str
    entities: int
    facts: int
    relations: tuple[RelationInfo, ...]
    label_sets: tuple[tuple[str, ...], ...]
    properties: tuple[str, ...] = ()
    qualifiers: tuple[str, ...] = ()
    dropped: int = 0
    owned: bool = True
    made_by: str = ""
    features: dict[str, str] = Field(default_factory=dict)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of an exported graph.

    :raises ExportError: there is none, or it is of another version
    """
    path = folder / MANIFEST
    try:
        found = _as_json(path)
    except (FileNotFoundError, NotADirectoryError):
        cut_off = any(folder.glob(f"{COLUMNS}*")) if folder.is_dir() else False
        reason = "its export was cut off" if cut_off else f"there is no {MANIFEST}"
        raise ExportError(
            f"{folder} holds no exported graph: {reason}; make one with: kgqa export --graph NAME --output {folder}"
        ) from None
    except OSError as error:
        raise ExportError(f"{path} can't be read: {error.strerror}; export the graph again") from error
    if found.get("format") != FORMAT:
        raise ExportError(f"{path} is of something else than an exported graph; name another folder")
    if found.get("version") != VERSION:
        raise ExportError(
            f"{folder} was exported in version {found.get('version')} of the files, and this package reads {VERSION};"
            f" export it again with: kgqa export --graph {found.get('graph')} --output {folder}"
        )
    try:
        return Manifest.model_validate(found)
    except ValidationError as error:
        raise ExportError(f"{path} is damaged ({error.error_count()} faults); export the graph again") from error


def _as_json(path: Path) -> dict[str, Any]:
    """What a manifest file says; nothing if it is no JSON object."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def claim_folder(folder: Path) -> None:
    """See that a folder may hold an exported graph, and take away what an export that was cut off has left in it.

    :raises ExportError: it holds something else, or can't be made
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        others = [path.name for path in folder.iterdir() if not path.name.startswith((COLUMNS, MANIFEST))]
        said = _as_json(folder / MANIFEST) if (folder / MANIFEST).exists() else {"format": FORMAT}
    except OSError as error:
        raise ExportError(f"{folder} can't be made: {error.strerror}; name another folder") from error
    if said.get("format") != FORMAT:
        others.append(MANIFEST)
    if others:
        raise ExportError(f"{folder} holds something else ({min(others)!r}); name a new folder")
    current = said.get("columns", "")
    for path in folder.glob(f"{COLUMNS}*"):
        if path.name != current:
            shutil.rmtree(path, ignore_errors=True)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Put a manifest in its place: from then on the folder is that graph. The columns of the one before are removed."""
    part = folder / f"{MANIFEST}.part"
    part.write_text(manifest.model_dump_json(indent=1) + "\n", encoding="utf-8")
    part.replace(folder / MANIFEST)
    for path in folder.glob(f"{COLUMNS}*"):
        if path.name != manifest.columns:
            shutil.rmtree(path, ignore_errors=True)
