"""``kgqa methods``."""

from __future__ import annotations

from typing import Any

from kgqa_graphdb.cli.app import app
from kgqa_graphdb.cli.output import JsonFlag, emit_json, print_status, say

EXAMPLES = """
Examples:

  kgqa methods

  kgqa ask "…" --graph films --method paths --set readings=2 --model trained
"""
_NEEDS = {"model": "a trained model (--model DIR)", "language_model": "a language model (--language-model NAME)"}


@app.command(epilog=EXAMPLES)
def methods(json: JsonFlag = False) -> None:
    """List what can answer: what each method needs, its settings, and where it is from."""
    from kgqa_graphdb.lm.locate import KINDS
    from kgqa_graphdb.methods import all_methods
    from kgqa_graphdb.settings import settings_to_dicts

    specs, broken = all_methods()
    for reason in broken:
        print_status(f"kgqa: {reason}")
    language_models = {kind: settings_to_dicts(settings) for kind, (settings, _) in KINDS.items()}
    if json:
        emit_json({"methods": [spec.to_dict() for spec in specs], "language_models": language_models})
        return
    for number, spec in enumerate(specs):
        say(("\n" if number else "") + f"{spec.name}: {spec.summary}")
        say(f"  from   {spec.citation}")
        needs = [_NEEDS[one] for one in sorted(spec.needs)] + ([f"the extra {spec.extra}"] if spec.extra else [])
        if needs:
            say(f"  needs  {', '.join(needs)}")
        if spec.may_use:
            say(f"  may use {', '.join(_NEEDS[one] for one in sorted(spec.may_use))}")
        _say_settings("--set", spec.to_dict()["settings"])
    for kind, settings in language_models.items():
        if settings:
            say(f"\nlanguage models of the kind {kind}:")
            _say_settings("--language-model-set", settings)


def _say_settings(option: str, settings: list[dict[str, Any]]) -> None:
    from textwrap import fill

    for one in settings:
        default = "none" if one["default"] is None else one["default"]
        say(f"  {option} {one['name']}={default}  ({one['type']})")
        say(fill(one["doc"], 100, initial_indent=" " * 9, subsequent_indent=" " * 9))
