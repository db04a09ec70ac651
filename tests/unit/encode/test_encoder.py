"""The encoder on onnxruntime: the vectors that the model's formulas give, from files found and built once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kgqa_graphdb.encode import OnnxEncoder, locate_encoder
from kgqa_graphdb.encode import locate as locate_module
from kgqa_graphdb.encode.encoder import MAX_BATCH_TOKENS, _batches
from kgqa_graphdb.errors import EncoderError
from tests.unit.encode.models import CONFIG, WORDS, tiny_weights, write_model
from tests.unit.encode.numpy_bert import sentence_embedding

TEXTS = ["who directed the film", "a river", "the river flows into the sea", ""]


def ids_of(text: str) -> list[int]:
    return [2, *(WORDS.index(word) for word in text.split()), 3]


def test_vectors_are_those_of_the_formulas(tiny_model: Path) -> None:
    weights = {key: value.astype(np.float64) for key, value in tiny_weights().items()}
    expected = np.stack([sentence_embedding(weights, CONFIG, ids_of(text)) for text in TEXTS])
    np.testing.assert_allclose(OnnxEncoder(str(tiny_model)).encode(TEXTS), expected, atol=2e-6)


def test_a_model_that_takes_its_first_token_is_honoured(tiny_model: Path) -> None:
    mean = OnnxEncoder(str(tiny_model)).encode(TEXTS)
    (tiny_model / "1_Pooling").mkdir()
    (tiny_model / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}', encoding="utf-8")
    first = OnnxEncoder(str(tiny_model)).encode(TEXTS)
    assert np.abs(mean - first).max() > 1e-3


def test_vectors_are_float32_of_unit_norm_and_one_a_text(tiny_model: Path) -> None:
    encoder = OnnxEncoder(str(tiny_model))
    vectors = encoder.encode(TEXTS)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), encoder.dim)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert encoder.encode([]).shape == (0, encoder.dim)


def test_a_text_has_the_same_vector_alone_and_among_many_of_other_lengths(tiny_model: Path) -> None:
    encoder = OnnxEncoder(str(tiny_model))
    texts = [" ".join(WORDS[4 : 4 + 1 + number % 9]) for number in range(150)]
    together = encoder.encode(texts)
    for number in (0, 8, 77, 149):
        np.testing.assert_allclose(together[number], encoder.encode([texts[number]])[0], atol=2e-6)


def test_a_text_of_ten_thousand_words_is_cut(tiny_model: Path) -> None:
    encoder = OnnxEncoder(str(tiny_model))
    long = encoder.encode(["river " * 10_000])
    np.testing.assert_allclose(long, encoder.encode(["river " * 30]), atol=1e-6)  # 32 positions, two of them special


def test_the_model_is_built_once(tiny_model: Path, own_cache: Path) -> None:
    first = locate_encoder(str(tiny_model))
    assert first.onnx.is_relative_to(own_cache)
    changed = first.onnx.stat().st_mtime_ns
    assert locate_encoder(str(tiny_model)) == first
    assert first.onnx.stat().st_mtime_ns == changed
    assert [path.name for path in first.onnx.parent.parent.iterdir()] == [first.onnx.parent.name]


def test_another_training_of_the_model_is_another_model(tiny_model: Path, tmp_path: Path) -> None:
    other = write_model(tmp_path / "other" / "tiny", tiny_weights(seed=1))
    one, two = locate_encoder(str(tiny_model)), locate_encoder(str(other))
    assert one.name == two.name
    assert one.fingerprint != two.fingerprint
    assert one.onnx != two.onnx


def test_a_build_that_was_cut_off_is_done_again(tiny_model: Path) -> None:
    built = locate_encoder(str(tiny_model))
    built.onnx.with_name("model.onnx_data").unlink()
    assert OnnxEncoder(str(tiny_model)).encode(["a river"]).shape == (1, 24)


def test_a_folder_with_an_onnx_file_is_used_as_it_is(tiny_model: Path, tmp_path: Path) -> None:
    built = locate_encoder(str(tiny_model))
    copy = tmp_path / "exported"
    built.onnx.parent.rename(copy)
    assert locate_encoder(str(copy)).onnx == copy / "model.onnx"


def test_the_environment_names_the_encoder(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGQA_ENCODER", str(tiny_model))
    assert OnnxEncoder().name == "tiny"


def test_constructing_reads_nothing() -> None:
    OnnxEncoder("/no/such/folder")


def test_a_name_that_is_nothing_says_so() -> None:
    with pytest.raises(EncoderError, match="neither a folder nor a hub id"):
        OnnxEncoder("no such folder!").encode(["x"])


def test_a_folder_without_a_model_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match=r"tokenizer\.json"):
        locate_encoder(str(tmp_path))


def test_a_model_of_another_kind_is_refused_with_the_cure(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "gpt", tiny_weights(), model_type="gpt2")
    with pytest.raises(EncoderError, match="Export it to ONNX"):
        locate_encoder(str(folder))


def test_weights_that_lack_a_tensor_are_refused_by_name(tmp_path: Path) -> None:
    weights = tiny_weights()
    del weights["encoder.layer.1.output.dense.bias"]
    with pytest.raises(EncoderError, match=r"encoder\.layer\.1\.output\.dense\.bias"):
        locate_encoder(str(write_model(tmp_path / "holed", weights)))


def test_damaged_files_end_in_one_error(tiny_model: Path) -> None:
    built = locate_encoder(str(tiny_model))
    built.onnx.write_bytes(b"not a graph")
    with pytest.raises(EncoderError, match="can't load"):
        OnnxEncoder(str(tiny_model)).encode(["x"])


def test_a_cache_that_cannot_be_written_names_the_variable(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGQA_CACHE", str(tiny_model / "config.json" / "below-a-file"))
    with pytest.raises(EncoderError, match="KGQA_CACHE"):
        locate_encoder(str(tiny_model))


def test_a_hub_that_was_unreachable_is_not_asked_again_at_once(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
    monkeypatch.setattr(locate_module, "DEFAULT_PACKAGE", "no_such_package")
    monkeypatch.setenv("HF_HOME", str(own_cache / "empty-hub"))
    failed = own_cache / "encoders" / f"someone--model.v{locate_module.BUILD_VERSION}.unreachable"
    failed.parent.mkdir(parents=True)
    failed.touch()
    asked: list[object] = []
    monkeypatch.setattr("socket.getaddrinfo", lambda *address, **_: asked.append(address))
    with pytest.raises(EncoderError, match="could not be reached"):
        locate_encoder("someone/model")
    assert not asked


@pytest.mark.usefixtures("default_model")
def test_the_default_model_knows_what_is_near_in_meaning(own_cache: Path) -> None:
    encoder = OnnxEncoder()
    question, near, far = encoder.encode(["who directed this film", "the director of the movie", "a river's length"])
    assert encoder.name == "sentence-transformers/all-MiniLM-L6-v2"
    assert question @ near > 0.5 > 0.2 > question @ far
    assert (own_cache / "encoders").is_dir()


def test_batches_are_of_so_many_tokens_at_most_padding_included() -> None:
    lengths = [3] * 100 + [512, 20, 9_000]
    batches = list(_batches(lengths))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert all(len(one) * max(lengths[index] for index in one) <= MAX_BATCH_TOKENS for one in batches if len(one) > 1)
    assert [len(one) for one in batches] == [1, 4, 64, 34]
