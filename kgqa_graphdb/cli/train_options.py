"""Options that several commands of ``kgqa train`` have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

ModelFolder: TypeAlias = Annotated[
    Path, typer.Option("--output", "-o", help="Folder for the model.", show_default=False)
]
Questions: TypeAlias = Annotated[
    list[Path],
    typer.Option("--questions", "-q", help="File of questions and answers; may be repeated.", show_default=False),
]
Limit: TypeAlias = Annotated[
    int | None,
    typer.Option("--limit", min=1, help="Train on a random sample of so many of each file.", show_default="all"),
]
GivenTopics: TypeAlias = Annotated[
    bool,
    typer.Option("--given-topics", help="Learn from the topics that a file gives, not from those found in its text."),
]
Encoder: TypeAlias = Annotated[
    str,
    typer.Option(
        "--encoder",
        help="Text encoder: a folder or a hub id; characters: a small one trained from your questions alone, for "
        "languages that the usual one does not know.",
        show_default="the usual one",
    ),
]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", help="Of the sample, of what is held out, of the training.")]
MappingFile: TypeAlias = Annotated[
    Path | None, typer.Option("--mapping", help="Mapping file of a graph that kgqa did not load.")
]
