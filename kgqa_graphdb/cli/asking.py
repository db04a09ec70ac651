"""What ``kgqa ask`` and ``kgqa evaluate`` share: how a person says which method answers, and how it is set."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.settings import parse_settings

Mapping: TypeAlias = Annotated[
    Path | None, typer.Option("--mapping", help="Mapping file of a graph that kgqa did not load.")
]
Method: TypeAlias = Annotated[
    str, typer.Option("--method", "-m", help="How to answer; kgqa methods lists what there is, with settings.")
]
Model: TypeAlias = Annotated[
    Path | None, typer.Option("--model", help="Folder of a trained model; kgqa train makes one.")
]
MethodSettings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A setting of the method; may be repeated.", show_default=False),
]
LanguageModelName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--language-model",
        metavar="NAME",
        help="For methods that use one: a folder with a transformers model, a GGUF file, a package that carries one, "
        "an id of the Hugging Face hub, langchain:PROVIDER:MODEL, or scripted:FILE.json, a table of answers.",
        show_default=False,
    ),
]
LanguageModelSettings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--language-model-set",
        metavar="KEY=VALUE",
        help="A setting of the language model, such as adapter=DIR or dtype=bfloat16; may be repeated. "
        "kgqa methods lists them.",
        show_default=False,
    ),
]
Verbalise: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--verbalise",
        help="Have the language model write the sentence from the proof's facts; where what it writes is not what they "
        "say, the sentence is the usual one, and a note says why.",
    ),
]
Readings: TypeAlias = Annotated[
    int | None,
    typer.Option("--readings", min=1, help="Short for --set readings=N, of the method paths.", show_default=False),
]
AbstainBelow: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--abstain-below",
        min=0.0,
        max=1.0,
        help="Short for --set abstain_below=P, of the method paths.",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class Asking:
    """How to answer, as options of a command say it."""

    method: str
    model: Path | None
    language_model: str | None
    mapping: Path | None
    given_settings: list[str] | None
    readings: int | None = None
    abstain_below: float | None = None
    given_language_model_settings: list[str] | None = None
    verbalise: bool = False

    def client_options(self) -> dict[str, Any]:
        """What a client is made with, checked before any server is asked.

        :raises UsageError: a setting is no KEY=VALUE, there is no such method or setting, or something is missing
        """
        from kgqa_graphdb.methods import MethodConfig, method_spec

        shorthands = {"readings": self.readings, "abstain_below": self.abstain_below}
        settings: dict[str, Any] = {name: value for name, value in shorthands.items() if value is not None}
        settings |= parse_settings(self.given_settings or (), "--set", "readings=2")
        language_model = language_model_options(self.language_model, self.given_language_model_settings)
        config = MethodConfig(self.method, self.model, settings)
        spec = method_spec(self.method)
        spec.check(config, language_model=self.language_model is not None)
        if self.language_model is not None and "language_model" not in spec.uses and not self.verbalise:
            raise UsageError(
                f"method {self.method!r} uses no language model; leave out --language-model, or have it write the "
                "sentence: --verbalise"
            )
        return {
            "method": self.method,
            "model": self.model,
            "settings": settings,
            **language_model,
            "verbalise": self.verbalise,
            "mapping": self.mapping,
        }


def language_model_options(name: str | None, given_settings: list[str] | None) -> dict[str, Any]:
    """The language model that a client is made with.

    :raises UsageError: a setting is no KEY=VALUE, or is of a language model that is not named
    """
    option = "--language-model-set"
    settings = parse_settings(given_settings or (), option, "dtype=bfloat16")
    if settings and name is None:
        raise UsageError(f"{option} sets a language model, and none is named: --language-model NAME")
    return {"language_model": name, "language_model_settings": settings}
