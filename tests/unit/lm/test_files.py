"""Language models are found by folder, file, package or adapter."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LanguageModelError, UsageError
from kgqa_graphdb.lm import CachedModel, ScriptedModel, open_language_model
from kgqa_graphdb.lm.files import find_files, setting_text


def folder_with(path: Path, *names: str) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    for name in names:
        (path / name).write_text("{}")
    return path


def test_a_folder_a_file_and_a_package_that_carry_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = folder_with(tmp_path / "plain", "config.json")
    packed = folder_with(tmp_path / "made_up_model", "small.gguf", "__init__.py")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert (find_files(str(plain)).source, find_files(str(plain)).options) == (str(plain), {})
    for name in (str(packed), str(packed / "small.gguf"), "made-up-model"):
        files = find_files(name)
        assert (files.source, files.options) == (str(packed), {"gguf_file": "small.gguf"})
    assert find_files("json").source == "json"  # a package without a model: an id of the hub
    assert find_files("someone/model").source == "someone/model"


def test_an_adapter_brings_its_base_or_is_put_on_one(tmp_path: Path) -> None:
    base = folder_with(tmp_path / "base", "config.json")
    adapter = folder_with(tmp_path / "adapter")
    (adapter / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": str(base)}))
    alone, put = find_files(str(adapter)), find_files(str(base), str(adapter))
    assert (alone.source, alone.adapter) == (put.source, put.adapter) == (str(base), adapter)
    before = alone.fingerprint
    (adapter / "adapter_model.safetensors").write_bytes(b"1")
    assert find_files(str(adapter)).fingerprint != before


def test_an_adapter_of_an_adapter_is_none(tmp_path: Path) -> None:
    for name, base in (("inner", "x/y"), ("outer", "inner"), ("own", "own")):
        folder = folder_with(tmp_path / name)
        base = str(tmp_path / base) if base in ("inner", "own") else base
        (folder / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": base}))
    assert find_files(str(tmp_path / "inner")).source == "x/y"
    for name in ("outer", "own"):
        with pytest.raises(LanguageModelError, match="is one itself"):
            find_files(str(tmp_path / name))


def test_a_chat_template_or_a_tokenizer_is_part_of_the_fingerprint(tmp_path: Path) -> None:
    folder, found = folder_with(tmp_path, "config.json"), set()
    for name in ("", "chat_template.jinja", "tokenizer.model", "merges.txt"):
        if name:
            (folder / name).write_text("x")
        found.add(find_files(str(folder)).fingerprint)
    assert len(found) == 4


def test_a_setting_that_names_an_adapter_says_which_it_was(tmp_path: Path) -> None:
    adapter = folder_with(tmp_path / "adapter", "adapter_config.json")
    first = setting_text(str(adapter))
    (adapter / "adapter_model.safetensors").write_bytes(b"1")
    assert first.startswith(f"{adapter} (")
    assert setting_text(str(adapter)) != first
    assert (setting_text("triples"), setting_text(3), setting_text("")) == ("triples", "3", "")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ((), "holds no language model"),
        (("a.gguf", "b.gguf"), r"several models: name one of the files a\.gguf, b\.gguf"),
    ],
)
def test_folders_without_one_model_are_refused(tmp_path: Path, names: tuple[str, ...], message: str) -> None:
    with pytest.raises(LanguageModelError, match=message):
        find_files(str(folder_with(tmp_path, *names)))


@pytest.mark.parametrize("text", ["[]", "{}", "no json", "[" * 100_000, '{"base_model_name_or_path": 3}'])
def test_adapters_that_are_none_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "adapter_config.json").write_text(text)
    with pytest.raises(LanguageModelError):
        find_files(str(tmp_path))
    with pytest.raises(LanguageModelError, match="is no peft adapter"):
        find_files("x", str(tmp_path / "elsewhere"))


def test_names_open_models_of_their_kind_with_its_settings(tmp_path: Path) -> None:
    script = tmp_path / "s.json"
    script.write_text('{"": "yes"}')
    assert isinstance(open_language_model(f"scripted:{script}"), ScriptedModel)
    assert isinstance(open_language_model("someone/model", cache=tmp_path), CachedModel)
    uncached = open_language_model("someone/model", {"cache": "false", "dtype": "bfloat16"}, tmp_path)
    assert not isinstance(uncached, CachedModel)
    with pytest.raises(UsageError, match="has no setting 'dtyp'; nearest: 'dtype'"):
        open_language_model("someone/model", {"dtyp": "x"})
    with pytest.raises(UsageError, match="can't be 'int3'"):
        open_language_model("someone/model", {"dtype": "int3"})
    with pytest.raises(UsageError, match="not for a ScriptedModel"):
        open_language_model(ScriptedModel({}), {"dtype": "float32"})
