"""``kgqa methods``."""

from __future__ import annotations

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
    from textwrap import fill

    from kgqa_graphdb.methods import all_methods

    specs, broken = all_methods()
    for reason in broken:
        print_status(f"kgqa: {reason}")
    if json:
        emit_json({"methods": [spec.to_dict() for spec in specs]})
        return
    for number, spec in enumerate(specs):
        say(("\n" if number else "") + f"{spec.name}: {spec.summary}")
        say(f"  from   {spec.citation}")
        needs = [_NEEDS[one] for one in sorted(spec.needs)] + ([f"the extra {spec.extra}"] if spec.extra else [])
        if needs:
            say(f"  needs  {', '.join(needs)}")
        for one in spec.to_dict()["settings"]:
            default = "none" if one["default"] is None else one["default"]
            say(f"  --set {one['name']}={default}  ({one['type']})")
            say(fill(one["doc"], 100, initial_indent=" " * 9, subsequent_indent=" " * 9))
