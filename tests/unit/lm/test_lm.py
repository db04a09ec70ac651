"""Prompts are filled in from files, and models run here go on where texts end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LanguageModelError
from kgqa_graphdb.lm import TransformersModel, prompt


def test_prompt_is_filled_in_once() -> None:
    text = prompt("paraphrase", question="who wrote <question> in [X]")
    assert text.endswith("Question: who wrote <question> in [X]\nAnother way:")


@pytest.mark.parametrize("values", [{}, {"question": "q", "answer": "a"}, {"questions": "q"}])
def test_prompt_refuses_other_values_than_it_has_placeholders_for(values: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"takes \['question'\]"):
        prompt("paraphrase", **values)


def model_folder() -> Path:
    pytest.importorskip("transformers", reason="transformers is not installed")
    folder = Path(os.environ.get("KGQA_DATA", "data")) / "models" / "stories260K-llama"
    if not folder.is_dir():
        pytest.skip(f"no {folder}: set KGQA_DATA to the folder that holds models/stories260K-llama")
    return folder


@pytest.mark.data
def test_completions_do_not_depend_on_what_stands_beside_them_in_a_batch() -> None:
    model = TransformersModel(str(model_folder()))
    prompts = ["Once upon a time", "The big dog", "Lily"]
    together = model.complete(prompts, max_tokens=12, temperature=0, seed=0)
    assert together == [model.complete([one], max_tokens=12, temperature=0, seed=0)[0] for one in prompts]
    assert together[0].startswith(", there was a little girl")  # what this model is known to say
    assert len(model.complete(["Once upon a time"], max_tokens=2, temperature=0, seed=0)[0]) < len(together[0])


@pytest.mark.data
def test_same_seed_draws_the_same_and_another_one_something_else() -> None:
    model = TransformersModel(str(model_folder()))
    drawn = [model.complete(["Once upon a time"], max_tokens=40, temperature=1, seed=seed)[0] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_folder_without_a_model_is_named(tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed")
    with pytest.raises(LanguageModelError, match=f"{tmp_path}.*name a folder"):
        TransformersModel(str(tmp_path)).complete(["x"], max_tokens=1, temperature=0, seed=0)
