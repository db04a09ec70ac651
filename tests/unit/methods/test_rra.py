"""How the method rra can be set, and what it needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.link.asked import question_key
from kgqa_graphdb.methods import MethodConfig, method_spec
from kgqa_graphdb.rra.knowledge import read_texts

SPEC = method_spec("rra")


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"paths": 0}, "0 relation paths"),
        ({"paths": "21"}, "21 relation paths"),
        ({"reasoning_paths": 0}, "0 reasoning paths"),
        ({"hops": 0}, "no question has 0 hops"),
        ({"max_tokens": 0}, "writes nothing in 0 tokens"),
        ({"budget": -1}, "no room in -1 tokens"),
        ({"knowledge": "file"}, "go together"),
        ({"texts": "a.jsonl"}, "go together"),
        ({"rewriter": "adapter"}, "a rewriter writes texts"),
        ({"knowledge": "song"}, "'knowledge'"),
        ({"prompt": "song"}, "'prompt'"),
        ({"path": 3}, "nearest: 'paths'"),
    ],
)
def test_wrong_settings_are_named(settings: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        SPEC.settings_of(settings)


def test_a_language_model_is_needed_unless_nobody_reads() -> None:
    config = MethodConfig("rra", "folder")
    with pytest.raises(UsageError, match="needs a language model"):
        SPEC.check(config, language_model=False)
    SPEC.check(MethodConfig("rra", "folder", {"reader": "none"}), language_model=False)
    with pytest.raises(UsageError, match="needs a trained model"):
        SPEC.check(MethodConfig("rra", None, {"reader": "none"}), language_model=False)


def test_texts_are_read_by_their_questions_and_wrong_lines_named(tmp_path: Path) -> None:
    file = tmp_path / "texts.jsonl"
    file.write_text(json.dumps({"question": "Who directed [Up]?", "text": "Ann did."}) + "\n\n", encoding="utf-8")
    assert read_texts(str(file)) == {question_key("who directed  Up"): "Ann did."}
    for line, why in (("{", "line 1 is no JSON"), ('{"question": 1, "text": ""}', "line 1 is no"), ("[]", "is no")):
        file.write_text(line, encoding="utf-8")
        with pytest.raises(UsageError, match=why):
            read_texts(str(file))
    with pytest.raises(UsageError, match="can't read the texts"):
        read_texts(str(tmp_path / "missing.jsonl"))
