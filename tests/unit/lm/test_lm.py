"""Prompts are filled in from files, and models run here go on where texts end."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LanguageModelError
from kgqa_graphdb.lm import TransformersModel, prompt
from kgqa_graphdb.steps import Sampling


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


def completed(model: TransformersModel, prompt: str, sampling: Sampling) -> str:
    ((text,),) = model.generate([prompt], sampling)
    return text


@pytest.mark.data
def test_completions_do_not_depend_on_what_stands_beside_them_in_a_batch() -> None:
    model, short = TransformersModel(str(model_folder())), Sampling(max_tokens=12)
    prompts = ["Once upon a time", "The big dog", "Lily"]
    together = model.generate(prompts, short)
    assert together == [model.generate([one], short)[0] for one in prompts]
    assert together[0][0].startswith(", there was a little girl")  # what this model is known to say
    assert len(completed(model, "Once upon a time", Sampling(max_tokens=2))) < len(together[0][0])


@pytest.mark.data
def test_same_seed_draws_the_same_and_another_one_something_else() -> None:
    model = TransformersModel(str(model_folder()))
    drawn = [
        completed(model, "Once upon a time", Sampling(max_tokens=40, temperature=1, seed=seed)) for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.data
def test_several_completions_stop_texts_and_a_stream() -> None:
    model = TransformersModel(str(model_folder()))
    ((first, second),) = model.generate(["Once upon a time"], Sampling(max_tokens=12, n=2))
    assert first != second
    whole = completed(model, "Once upon a time", Sampling(max_tokens=12))
    assert completed(model, "Once upon a time", Sampling(max_tokens=12, stop=(" there",))) == ","
    assert "".join(model.stream("Once upon a time", Sampling(max_tokens=12))).strip() == whole.strip()


@pytest.mark.data
def test_what_the_model_would_say_is_likelier_than_anything_else() -> None:
    model = TransformersModel(str(model_folder()))
    likely, unlikely = model.score([("Once upon a time", ", there was"), ("Once upon a time", "zebra zebra")])
    assert unlikely < likely < 0
    assert model.count_tokens(["", "Once upon a time"])[0] == 0
    assert model.count_tokens([]) == []
    assert 0 < model.count_tokens(["Once upon a time"])[0] < model.context_window


@pytest.mark.data
def test_a_json_schema_that_it_cannot_keep_to_is_refused() -> None:
    with pytest.raises(LanguageModelError, match="JSON schema"):
        TransformersModel(str(model_folder())).generate(["x"], Sampling(json_schema="{}"))


def test_folder_without_a_model_is_named(tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed")
    with pytest.raises(LanguageModelError, match=f"{tmp_path}.*name a folder"):
        TransformersModel(str(tmp_path)).generate(["x"], Sampling(max_tokens=1))


@pytest.mark.data
def test_threads_that_share_a_model_get_what_one_gets() -> None:
    model = TransformersModel(str(model_folder()))
    texts = ["Once upon a time there was a girl", "a", "word " * 50]
    expected = model.count_tokens(texts), model.generate(texts, Sampling(max_tokens=1))

    def both(_: int) -> tuple[list[int], list[tuple[str, ...]]]:
        return model.count_tokens(texts), model.generate(texts, Sampling(max_tokens=1))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(both, range(60))) == [expected] * 60


@pytest.mark.data
def test_a_stream_draws_what_the_seed_says_and_ends_with_the_error_that_ends_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model, drawn = TransformersModel(str(model_folder())), Sampling(max_tokens=12, temperature=1.0, seed=3)
    assert "".join(model.stream("Once", drawn)) == "".join(model.stream("Once", drawn))

    def fails(**_: object) -> None:
        raise KeyError("made")

    monkeypatch.setattr(model._load()[1], "generate", fails)
    with pytest.raises(KeyError, match="made"):
        list(model.stream("Once", drawn))
