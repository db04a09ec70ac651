"""Commands: models show, models convert."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgqa_graphdb.cli.app import app
from kgqa_graphdb.cli.output import JsonFlag, emit_json, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kgqa_graphdb.models import ModelCard

MAX_SHOWN = 5
"""Entries of a list that are shown; --json shows all."""
models = typer.Typer(help="Show and convert folders of trained models.", no_args_is_help=True)
app.add_typer(models, name="models")
Folder = Annotated[Path, typer.Argument(help="Folder of a trained model.", show_default=False)]


@models.command("show", epilog="Example: kgqa models show model")
def show_model(folder: Folder, json: JsonFlag = False) -> None:
    """Print the model card of a folder: which method and graph it is of, how it was trained, how good it is."""
    from kgqa_graphdb.models import read_card

    _print(read_card(folder), folder, json=json)


@models.command("convert", epilog="Example: kgqa models convert model --output model-converted")
def convert_model(
    folder: Folder,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder for the converted model.", show_default="the same")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Convert a folder that an older version of kgqa trained; its weights stay as they are."""
    from kgqa_graphdb.rank.convert import convert_model as convert

    _print(convert(folder, output), output or folder, json=json)


def _print(card: ModelCard, folder: Path, *, json: bool) -> None:
    from dataclasses import asdict

    about = {"folder": str(folder), "digest": card.digest, **asdict(card)}
    if json:
        emit_json(about)
        return
    for line in card_lines(about):
        say(line)


def card_lines(values: Mapping[str, object], indent: str = "") -> Iterator[str]:
    """Keys and values for a person, long lists cut."""
    width = max((len(key) for key in values), default=0)
    for key, value in values.items():
        if isinstance(value, dict) and value:
            yield f"{indent}{key}"
            yield from card_lines(value, f"{indent}  ")
        else:
            yield f"{indent}{key:<{width}}  {_text(value)}".rstrip()


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        shown = ", ".join(map(_text, value[:MAX_SHOWN]))
        return shown if len(value) <= MAX_SHOWN else f"{shown}, … {len(value):,} in all"
    if isinstance(value, dict):
        return " ".join(f"{key} {_text(one)}" for key, one in value.items()) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return "none" if value in (None, "") else str(value)
