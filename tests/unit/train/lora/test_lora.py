"""Adapters of language models: what they learn from, that they learn it, and how they are put on and taken off."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kgqa_graphdb.errors import LanguageModelError, UsageError
from kgqa_graphdb.lm import TransformersModel
from kgqa_graphdb.lm import loaded as loaded_module
from kgqa_graphdb.lm.loaded import fast_dtype
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.models import read_card
from kgqa_graphdb.questions import Gold, Pair
from kgqa_graphdb.steps import Sampling
from kgqa_graphdb.train.lora import examples as examples_module
from kgqa_graphdb.train.lora.examples import UNKNOWN, TextExample, guesser_examples, kg2text_examples, parted
from kgqa_graphdb.types import Entity, Fact, Value
from kgqa_graphdb.verbalise import FactLine, fact_sentence
from tests.unit.lm.test_lm import completed, model_folder

pytest.importorskip("peft", reason="peft is not installed")

from safetensors.numpy import load_file, save_file

from kgqa_graphdb.train.lora import train as train_module
from kgqa_graphdb.train.lora.fit import LoraOptions
from kgqa_graphdb.train.lora.train import LoraTraining, train_adapter

MADE, WON = make_relation("directed_by"), make_relation("won", kind="property")
UP, ANN, BEN = (Entity(name, name) for name in ("Up", "Ann", "Ben"))
FACTS = (Fact(UP, MADE, ANN), Fact(UP, MADE, BEN), Fact(UP, WON, Value(2001)))
LINES = [FactLine(fact_sentence(fact), (fact,)) for fact in FACTS]


def read(pair: Pair, share: float, monkeypatch: pytest.MonkeyPatch) -> TextExample:
    monkeypatch.setattr(examples_module, "UNANSWERED", share)
    return examples_module._read_example("who made Up", pair, LINES, random.Random(0))


def test_a_reader_learns_all_gold_answers_that_stand_in_the_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Pair("1", "who made Up", (Gold(name="Ben"), Gold(name="Ann"), Gold(name="Cid")))
    example = read(asked, 0.0, monkeypatch)
    assert example.completion == "Ann\nBen"
    assert "Question: who made Up" in example.prompt
    assert "2001" in example.prompt  # what a wrong path leads to
    assert read(Pair("1", "when", (Gold(name="2001"),)), 0.0, monkeypatch).completion == "2001"


def test_a_reader_learns_to_say_that_the_facts_have_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    example = read(Pair("1", "who made Up", (Gold(name="Ann"), Gold(name="Ben"))), 1.0, monkeypatch)
    assert example.completion == UNKNOWN
    assert "Ann" not in example.prompt
    assert "2001" in example.prompt


def test_a_corpus_is_lines_of_ours_or_a_list_of_instructions(tmp_path: Path) -> None:
    lines, listed = tmp_path / "lines.jsonl", tmp_path / "listed.json"
    lines.write_text(json.dumps({"triples": "(Up, made by, Ann)", "text": "Ann made Up."}) + "\n", encoding="utf-8")
    listed.write_text(
        json.dumps(
            [{"instruction": "Transform: (Up, made by, Ann) (Up, won, 2001).", "input": "", "output": "A text."}]
        ),
        encoding="utf-8",
    )
    one, other = kg2text_examples([lines, listed])
    assert one.completion == "Ann made Up."
    assert "\n(Up, made by, Ann)\n" in one.prompt
    assert "\n(Up, made by, Ann) (Up, won, 2001)\n" in other.prompt
    for text, why in (("{", "can't read"), ("[1]", "no list"), ('{"triples": "Up", "text": "t"}', "entry 1 is no")):
        lines.write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match=why):
            kg2text_examples([lines])


def training(base: Path, steps: int = 12) -> LoraTraining:
    options = LoraOptions(steps=steps, check=6, patience=9, batch=8, at_once=3, rate=5e-3, rank=16, alpha=32)
    return LoraTraining(str(base), "float32", options)


EXAMPLES = [TextExample("The big dog", " sat."), TextExample("Once upon a time", " sat.")] * 20


@pytest.mark.data
def test_an_adapter_learns_and_is_put_on_and_taken_off(tmp_path: Path) -> None:
    base = model_folder()
    made = train_adapter("kg2text", EXAMPLES, tmp_path, training=training(base), stage=lambda *_: lambda *_: None)
    assert made.held_out > -1.5  # how a text ends this model can't learn: nothing leads to that token
    assert {one.name for one in tmp_path.iterdir()} == {
        "adapter_config.json",
        "adapter_model.safetensors",
        "model.json",
    }
    assert read_card(tmp_path, "kg2text").details["examples"] == 38
    short, plain = Sampling(max_tokens=4), TransformersModel(str(base))
    before = completed(plain, "The big dog", short)
    with_adapter = Sampling(max_tokens=4, adapter=str(tmp_path))
    after = completed(plain, "The big dog", with_adapter)
    assert after.strip() == "sat."
    assert completed(plain, "The big dog", short) == before != after
    own = TransformersModel(str(tmp_path))
    assert completed(own, "The big dog", short) == after
    assert completed(own, "The big dog", with_adapter) == after
    with pytest.raises(LanguageModelError, match="no peft adapter"):
        completed(plain, "The big dog", Sampling(adapter=str(base)))
    with pytest.raises(LanguageModelError, match="is an adapter itself"):
        train_adapter(
            "reader", EXAMPLES, tmp_path / "on", training=training(tmp_path), stage=lambda *_: lambda *_: None
        )
    trained_again = {name: 0 * value for name, value in load_file(tmp_path / "adapter_model.safetensors").items()}
    save_file(trained_again, tmp_path / "adapter_model.safetensors")
    assert completed(plain, "The big dog", with_adapter) == before


@pytest.mark.data
def test_an_adapter_that_does_not_fit_leaves_nothing_of_itself(tmp_path: Path) -> None:
    base, short = model_folder(), Sampling(max_tokens=4)
    train_adapter("kg2text", EXAMPLES, tmp_path, training=training(base), stage=lambda *_: lambda *_: None)
    weights = load_file(tmp_path / "adapter_model.safetensors")
    last = list(weights)[-1]
    save_file({**weights, last: np.zeros((3, 3), np.float32)}, tmp_path / "adapter_model.safetensors")
    plain = TransformersModel(str(base))
    before = completed(plain, "The big dog", short)
    for _ in range(2):
        with pytest.raises(LanguageModelError, match="is no adapter for this language model"):
            completed(plain, "The big dog", Sampling(max_tokens=4, adapter=str(tmp_path)))
        assert completed(plain, "The big dog", short) == before


@pytest.mark.data
def test_examples_to_hold_out_that_are_too_long_are_said_before_the_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = training(model_folder())
    settings = replace(settings, options=replace(settings.options, max_tokens=16))
    examples = [TextExample("The big dog", " sat" * 40), *EXAMPLES]
    monkeypatch.setattr(train_module, "parted", lambda all_, share, seed: (all_[1:], all_[:1]))
    with pytest.raises(UsageError, match="raise --max-tokens"):
        train_adapter("reader", examples, tmp_path, training=settings, stage=lambda *_: lambda *_: None)


def test_a_guesser_learns_from_questions_as_they_are_asked() -> None:
    pairs = [Pair("1", "who made [Up]", (Gold(name="Ann"),))]
    (example,) = guesser_examples(None, pairs)  # type: ignore[arg-type]  # all names are given
    assert "Question: who made Up\n" in example.prompt


@pytest.mark.data
def test_a_training_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    base, steps = model_folder(), []

    def counted(name: str, total: int) -> object:
        def progress(done: int, of: int) -> None:
            steps.append(done)
            if done == 7 and len(steps) == 7:
                raise KeyboardInterrupt

        return progress

    with pytest.raises(KeyboardInterrupt):
        train_adapter("reader", EXAMPLES, tmp_path, training=training(base), stage=counted)  # type: ignore[arg-type]
    train_adapter("reader", EXAMPLES, tmp_path, training=training(base), stage=counted)  # type: ignore[arg-type]
    assert steps == [*range(1, 8), *range(7, 13)]  # from the checkpoint after six batches
    assert not (tmp_path / "checkpoint.pt").exists()


def test_too_few_examples_are_refused_and_some_are_held_out(tmp_path: Path) -> None:
    settings = LoraTraining("model", "float32", LoraOptions())
    with pytest.raises(UsageError, match="2 examples are too few"):
        train_adapter("reader", EXAMPLES[:2], tmp_path, training=settings, stage=lambda *_: lambda *_: None)
    train, held_out = parted(EXAMPLES, 0.05, 0)
    assert (len(train), len(held_out)) == (38, 2)


def test_weights_of_a_gguf_file_are_unpacked_for_a_training() -> None:
    """Packed ones can't be trained, and newer releases of transformers keep them so where they have the kernels."""
    import transformers

    options = loaded_module._unpacked()
    newer = hasattr(transformers, "GgufConfig")
    assert [one.dequantize for one in options.values()] == [True] * newer


@pytest.mark.parametrize(
    ("cuda", "units", "dtype"),
    [(True, {}, "bfloat16"), (False, {"avx2": True, "avx512_bf16": False}, "float32"),
     (False, {"amx_bf16": True}, "bfloat16"), (False, None, "float32")],
)  # fmt: skip
def test_models_are_trained_in_bfloat16_only_where_the_hardware_computes_in_it(
    monkeypatch: pytest.MonkeyPatch, cuda: bool, units: dict[str, bool] | None, dtype: str
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: cuda)
    monkeypatch.setattr("torch.cuda.is_bf16_supported", lambda: True)
    if units is None:  # an older torch
        monkeypatch.delattr("torch.cpu.get_capabilities", raising=False)
    else:
        monkeypatch.setattr("torch.cpu.get_capabilities", lambda: units, raising=False)
    assert fast_dtype() == dtype
