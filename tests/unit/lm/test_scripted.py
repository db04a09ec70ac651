"""A language model that answers from a table."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LanguageModelError
from kgqa_graphdb.lm import ScriptedModel, TransformersModel, open_language_model
from kgqa_graphdb.steps import Sampling


def test_the_longest_text_of_the_table_that_a_prompt_contains_decides() -> None:
    model = ScriptedModel({"moon": "Titan", "moon of Mars": "Phobos"})
    assert model.generate(["which moon of Mars", "a moon"], Sampling()) == [("Phobos",), ("Titan",)]
    assert model.prompts == ["which moon of Mars", "a moon"]


def test_a_completion_ends_at_a_stop_text_and_at_its_tokens() -> None:
    model = ScriptedModel({}, default="one two\nthree")
    assert model.generate(["x"], Sampling(stop=("\n",))) == [("one two",)]
    assert model.generate(["x"], Sampling(max_tokens=1)) == [("one",)]
    assert "".join(model.stream("x", Sampling())) == "one two\nthree"


def test_a_script_is_read_from_a_file_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    file.write_text('{"capital": "Paris", "": "nothing"}', encoding="utf-8")
    model = open_language_model(f"scripted:{file}")
    assert model.generate(["the capital", "x"], Sampling()) == [("Paris",), ("nothing",)]
    assert model.name == f"scripted:answers.json ({hashlib.sha256(file.read_bytes()).hexdigest()[:8]})"
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "answers.json"
    other.write_text('{"capital": "Rome"}', encoding="utf-8")
    assert open_language_model(f"scripted:{other}").name != model.name


@pytest.mark.parametrize("text", ["[1]", '{"a": 1}', "{"])
def test_another_file_is_refused_by_its_name(tmp_path: Path, text: str) -> None:
    file = tmp_path / "answers.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(LanguageModelError, match=r"answers\.json"):
        open_language_model(f"scripted:{file}")


def test_any_other_name_is_one_for_transformers() -> None:
    for name in ("some/model", "C:/models/mine", "transformers:some/model"):
        model = open_language_model(name)
        assert isinstance(model, TransformersModel)
        assert model.name == name.removeprefix("transformers:")
