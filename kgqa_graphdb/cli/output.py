"""What commands print: one JSON document on stdout, or text for a person; progress goes to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from itertools import takewhile
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeAlias

import typer

if TYPE_CHECKING:
    from rich.progress import Progress

JsonFlag: TypeAlias = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on stdout.")]
GraphName: TypeAlias = Annotated[str, typer.Option("--graph", "-g", help="Name of the graph.", show_default=False)]


@dataclass
class Settings:
    """The options of every command, and what became of it.

    :ivar emitted: a JSON document was printed; there is never a second one
    :ivar wrong_usage: what is wrong with the command line
    """

    debug: bool = False
    emitted: bool = False
    wrong_usage: str = ""


settings = Settings()


def emit_json(document: Any) -> None:
    """Print one JSON document on stdout; dates as ISO 8601."""
    settings.emitted = True
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2, default=_encode) + "\n")
    sys.stdout.flush()


def emit_error(message: str, status: int) -> None:
    """With ``--json``, print a document that says why there is no other: ``{"error", "status"}``."""
    asked = "--json" in takewhile(lambda argument: argument != "--", sys.argv[1:])
    if asked and not settings.emitted:
        emit_json({"error": message, "status": status})


def _encode(value: object) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)


def say(text: str = "") -> None:
    """Print a line for a person on stdout."""
    typer.echo(text)


def print_status(text: str) -> None:
    """Print a line about progress on stderr."""
    typer.echo(text, err=True)


class Advance(Protocol):
    """Moves a progress bar to ``done`` of ``total`` units; a total of ``None`` is not known yet."""

    def __call__(self, done: int, total: int | None = None) -> None: ...


@contextmanager
def stages() -> Iterator[Callable[[str, int], Callable[[int, int], None]]]:
    """Progress bars on stderr, one below the other: what begins a bar of so many units gives what moves it."""
    with _bars() as bars:

        def begin(label: str, total: int) -> Callable[[int, int], None]:
            task = bars.add_task(label, total=total)
            return lambda done, total: bars.update(task, completed=done, total=total)

        yield begin


@contextmanager
def progress(label: str, *, total: int | None = None) -> Iterator[Advance]:
    """A progress bar on stderr; silent where stderr is not a terminal."""
    with _bars() as bar:
        task = bar.add_task(label, total=total)

        def advance(done: int, total: int | None = None) -> None:
            bar.update(task, completed=done, total=total)

        yield advance


def _bars() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, disable=not console.is_terminal)
