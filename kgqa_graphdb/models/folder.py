"""Writes a trained model's folder: what was there before stays until the new model is complete."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.models.card import CARD, OLD_CARD, READY, ModelCard, as_json, is_old_model, parse_card

PART = "model.part"
"""Folder, in the model's own, of a new model that is being written."""


def claim_folder(folder: Path, method: str) -> None:
    """Make a folder for a model of a method, and finish writing the one that it has if that was cut off.

    :raises UsageError: it can't be made, or it holds something else
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        finish_writing(folder)
    except OSError as error:
        raise UsageError(f"{folder} can't be made: {error.strerror}; name another folder") from error
    if (folder / CARD).exists():
        found = parse_card(folder / CARD).method
    elif (folder / OLD_CARD).exists():
        found = "paths" if is_old_model(folder) else "something else"
    else:
        return
    if found != method:
        raise UsageError(f"{folder} is no model of the method {method}, but of {found}; name another folder")


@contextmanager
def write_model(folder: Path, card: ModelCard, parts: Iterable[str] = ()) -> Iterator[Path]:
    """A folder to write a model's files to; they and the card replace the model in ``folder`` when the block ends.

    Where the writing is cut off, ``folder`` has the old model, or :func:`claim_folder` completes the new one.

    :param parts: names of all files and folders that such a model may have: those that the new one lacks are removed
    :raises OSError: the folder can't be written to
    """
    folder.mkdir(parents=True, exist_ok=True)
    finish_writing(folder)
    part = folder / PART
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    yield part
    old = [folder / name for name in parts if not (part / name).exists()]
    (part / CARD).write_text(as_json(card), encoding="utf-8")
    part.rename(folder / READY)
    finish_writing(folder)
    for path in old + ([folder / OLD_CARD] if is_old_model(folder) else []):
        _remove(path)


def finish_writing(folder: Path) -> None:
    """Put a model in its place that was written completely; nothing is done where there is none.

    The card comes last: until then the folder is no model, and :func:`kgqa_graphdb.models.read_card` says so.
    """
    ready = folder / READY
    if not ready.is_dir():
        return
    for path in sorted(ready.iterdir(), key=lambda path: path.name == CARD):
        _remove(folder / path.name)
        path.rename(folder / path.name)
    ready.rmdir()


def write_card(folder: Path, card: ModelCard) -> None:
    """Write a card alone: the file is whole or as it was."""
    part = folder / f"{CARD}.part"
    part.write_text(as_json(card), encoding="utf-8")
    part.replace(folder / CARD)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
