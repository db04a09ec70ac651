"""Prompts are filled in from files, and models run here go on where texts end."""

from __future__ import annotations

import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from kgqa_graphdb.errors import LanguageModelError
from kgqa_graphdb.lm import TransformersModel, TransformersSettings, prompt
from kgqa_graphdb.lm.prefix import shared_ids
from kgqa_graphdb.steps import Sampling


def test_prompt_is_filled_in_once() -> None:
    text = prompt("paraphrase", question="who wrote <question> in [X]")
    assert text.endswith("Question: who wrote <question> in [X]\nAnother way:")


@pytest.mark.parametrize("values", [{}, {"question": "q", "answer": "a"}, {"questions": "q"}])
def test_prompt_refuses_other_values_than_it_has_placeholders_for(values: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"takes \['question'\]"):
        prompt("paraphrase", **values)


def model_folder() -> Path:
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


INSTRUCTION = "Once upon a time there was a little girl who had a red ball. She liked to play with it all day. "


@pytest.mark.data
@pytest.mark.parametrize(
    "sampling",
    [Sampling(max_tokens=12), Sampling(max_tokens=12, stop=(" the",)), Sampling(max_tokens=6, n=2)],
    ids=["greedy", "stop", "two"],
)
def test_what_all_prompts_begin_with_changes_no_completion(sampling: Sampling, monkeypatch: pytest.MonkeyPatch) -> None:
    model = TransformersModel(str(model_folder()), TransformersSettings(batch=2))
    ends = ["One day", "Her mother said that she must not go out into the rain, but", "Then a big dog", "Lily"]
    prompts = [INSTRUCTION + end for end in ends]
    together = model.generate(prompts, sampling)
    assert together == [model.generate([one], sampling)[0] for one in prompts]
    monkeypatch.setattr("kgqa_graphdb.lm.prefix.LEAST_SHARED", 1_000)
    assert together == model.generate(prompts, sampling)


@pytest.mark.data
def test_what_all_prompts_begin_with_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model = TransformersModel(str(model_folder()))
    loaded, read = model._load(), list[int]()
    forward = loaded.model.forward
    assert loaded.cache_name  # as the signature has it, before it is replaced

    def counted(*, input_ids: Any, **inputs: Any) -> Any:
        read.append(input_ids.numel())
        return forward(input_ids=input_ids, **inputs)

    monkeypatch.setattr(loaded.model, "forward", counted)
    prompts = [f"{INSTRUCTION}{end}" for end in ("One day", "One day", "The dog")]
    lengths = [len(loaded.ids(one)) for one in prompts]
    model.generate(prompts, Sampling(max_tokens=1))
    assert sum(read) < min(lengths) + 3 * 8
    read.clear()
    assert model.generate(["Lily", "Lily"], Sampling(max_tokens=1))  # not worth it
    assert len(read) == 1


@pytest.mark.data
def test_a_long_prompt_is_padded_to_twice_its_length_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    model = TransformersModel(str(model_folder()))
    loaded, shapes = model._load(), list[tuple[int, ...]]()
    padded = type(loaded).padded

    def seen(self: Any, inputs: Any) -> Any:
        shapes.append(tuple(map(len, inputs)))
        return padded(self, inputs)

    monkeypatch.setattr(type(loaded), "padded", seen)
    model.generate(["Lily", "A dog " * 60, "The dog " * 40, "Tim", "A dog " * 16], Sampling(max_tokens=1))
    assert len(shapes) == 3
    assert all(max(shape) <= max(64, 2 * min(shape)) for shape in shapes)


def test_shared_tokens_leave_one_of_each_prompt_to_be_read() -> None:
    long = list(range(40))
    assert shared_ids([long, [*long, 1], [*long, 2]]) == tuple(range(39))
    assert shared_ids([long, [*long[:20], 99]]) == tuple(range(20))
    assert shared_ids([long]) == shared_ids([long, [5, *long]]) == shared_ids([]) == ()


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
def test_completions_keep_to_a_json_schema() -> None:
    model = TransformersModel(str(model_folder()))
    schema = json.dumps({"type": "object", "properties": {"sure": {"enum": ["yes", "no"]}}, "required": ["sure"]})
    ((text,), (other,)) = model.generate(["Is it so?", "Once"], Sampling(max_tokens=40, json_schema=schema))
    assert json.loads(text)["sure"] in ("yes", "no")
    assert json.loads(other)["sure"] in ("yes", "no")


@pytest.mark.data
@pytest.mark.parametrize(
    ("sampling", "message"),
    [(Sampling(json_schema="no json"), "is no JSON schema"), (Sampling(json_schema="{}", n=2), "in a beam search")],
)
def test_a_json_schema_that_it_cannot_keep_to_is_refused(sampling: Sampling, message: str) -> None:
    with pytest.raises(LanguageModelError, match=message):
        TransformersModel(str(model_folder())).generate(["x"], sampling)


def test_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(LanguageModelError, match=f"{tmp_path}.*holds no language model"):
        TransformersModel(str(tmp_path)).generate(["x"], Sampling(max_tokens=1))
    (tmp_path / "config.json").write_text('{"model_type": "none of these"}')
    with pytest.raises(LanguageModelError, match=f"{tmp_path}.*can't be loaded.*name a folder"):
        TransformersModel(str(tmp_path)).generate(["x"], Sampling(max_tokens=1))


@pytest.mark.data
def test_names_in_a_prompt_are_no_special_tokens() -> None:
    loaded = TransformersModel(str(model_folder()))._load()
    end = loaded.tokenizer.eos_token
    assert len(end) > 2
    assert loaded.tokenizer.eos_token_id in loaded.tokenizer(f"a {end} b")["input_ids"]
    assert loaded.tokenizer.eos_token_id not in loaded.ids(f"a {end} b")


@pytest.mark.data
def test_marks_of_turns_that_are_not_called_special_are_taken_apart_too() -> None:
    loaded = TransformersModel(str(model_folder()))._load()
    loaded.tokenizer.add_tokens(["<|User|>"], special_tokens=False)
    (turn,) = loaded.tokenizer.convert_tokens_to_ids(["<|User|>"])
    assert turn in loaded.tokenizer("x <|User|> y")["input_ids"]
    assert turn not in loaded.ids("x <|User|> y")


@pytest.mark.data
def test_prompts_go_through_a_chat_template_where_there_is_one(tmp_path: Path) -> None:
    shutil.copytree(model_folder(), tmp_path / "chat")
    template = "{% for one in messages %}[{{ one.role }}] {{ one.content }}{% endfor %}[assistant]"
    (tmp_path / "chat" / "chat_template.jinja").write_text(template)
    chat, plain = TransformersModel(str(tmp_path / "chat")), TransformersModel(str(model_folder()))
    assert chat._load().tokenizer.decode(chat._load().ids("Hello")).strip() == "[user] Hello[assistant]"
    without = TransformersModel(str(tmp_path / "chat"), TransformersSettings(chat=False))
    assert without._load().ids("Hello") == plain._load().ids("Hello")
    with pytest.raises(LanguageModelError, match="has no chat template"):
        TransformersModel(str(model_folder()), TransformersSettings(chat=True)).count_tokens(["x"])


@pytest.mark.data
def test_what_a_chat_template_adds_leaves_less_for_prompts(tmp_path: Path) -> None:
    shutil.copytree(model_folder(), tmp_path / "chat")
    turns = "{% for one in messages %}{{ one.content }}{% endfor %}"
    (tmp_path / "chat" / "chat_template.jinja").write_text("You are a helpful assistant. " * 5 + turns)
    chat, plain = TransformersModel(str(tmp_path / "chat")), TransformersModel(str(model_folder()))
    assert chat.context_window < plain.context_window - 20
    word = "the "
    full = word * (chat.context_window - 5)
    while chat.count_tokens([full])[0] > chat.context_window - 5:
        full = full[: -len(word)]
    assert chat.generate([full], Sampling(max_tokens=5))


@pytest.mark.data
def test_batches_are_halved_where_memory_does_not_suffice(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    model, prompts = TransformersModel(str(model_folder())), ["Once upon a time", "Lily", "The big dog", "A", "Tom was"]
    expected = model.generate(prompts, Sampling(max_tokens=5))
    generate, sizes, most = model._load().model.generate, [], 2

    def small(**inputs: Any) -> Any:
        sizes.append(len(inputs["input_ids"]))
        if sizes[-1] > most:
            raise torch.OutOfMemoryError("made")
        return generate(**inputs)

    monkeypatch.setattr(model._load().model, "generate", small)
    assert model.generate(prompts, Sampling(max_tokens=5)) == expected
    assert sizes == [5, 3, 2, 2, 1]
    most = 0
    with pytest.raises(LanguageModelError, match="not enough memory for a prompt of"):
        model.generate(prompts, Sampling(max_tokens=5))


@pytest.mark.data
def test_a_prompt_that_the_model_can_not_read_is_refused() -> None:
    model = TransformersModel(str(model_folder()))
    with pytest.raises(LanguageModelError, match=r"a prompt has [\d,]+ tokens, and language model .* reads"):
        model.generate(["word " * 2 * model.context_window], Sampling(max_tokens=5))


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

    monkeypatch.setattr(model._load().model, "generate", fails)
    with pytest.raises(KeyError, match="made"):
        list(model.stream("Once", drawn))
