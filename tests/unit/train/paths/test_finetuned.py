"""Fine-tuning: torch and onnxruntime read alike, only what is to learn learns, and answering needs no torch."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch  # noqa: TID253 - what needs it is skipped where it is not installed

from kgqa_graphdb.encode import OnnxEncoder
from kgqa_graphdb.encode.bert import WEIGHTS, read_weights
from kgqa_graphdb.encode.characters import CHARACTERS, WEIGHTS_PREFIX
from kgqa_graphdb.errors import EncoderError, UsageError
from kgqa_graphdb.models import ModelCard, write_weights
from kgqa_graphdb.rank.model import FORMAT, METHOD, QUESTION_ENCODER, read_details, read_model
from kgqa_graphdb.rank.model import WEIGHTS as DECODER
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.trained import step_texts
from kgqa_graphdb.train.data.sets import TrainingSet, with_composed
from kgqa_graphdb.train.paths import finetuned
from kgqa_graphdb.train.paths.finetuned import FineTunedReader
from kgqa_graphdb.train.paths.save import writing
from kgqa_graphdb.train.paths.train import train_on_sets, try_encoder
from kgqa_graphdb.train.settings import Training
from kgqa_graphdb.types import Floats
from tests.unit.encode.models import tiny_weights, write_model
from tests.unit.rank.networks import DETAILS, random_weights
from tests.unit.train.data.test_compose import KITCHEN, RIVERS

STEPS = ["the river", "flows into the sea"]
OTHERS = ["who directed", "the film", "a film"]
QUESTIONS = ["who directed the film", "a river", "the river flows into the sea", ""]


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KGQA_CACHE", str(tmp_path / "cache"))
    return write_model(tmp_path / "tiny", tiny_weights())


def weights_of(reader: FineTunedReader) -> dict[str, Floats]:
    held = reader.network.state_dict(prefix=WEIGHTS_PREFIX)
    return {name: value.detach().cpu().numpy().copy() for name, value in held.items()}


def train_a_little(reader: FineTunedReader) -> dict[str, Floats]:
    optimiser = torch.optim.SGD(reader.network.parameters(), lr=0.5)
    reader.network.train()
    for _ in range(3):
        vectors, mask = reader.read(QUESTIONS)
        loss = (vectors[torch.from_numpy(mask).to(reader.device)] ** 3).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return weights_of(reader)


def saved(reader: FineTunedReader, weights: Mapping[str, Floats], output: Path, encoder: Path) -> Path:
    details = replace(DETAILS, question_encoder=QUESTION_ENCODER)
    card = ModelCard(METHOD, FORMAT, encoder=str(encoder))
    with writing(output, card, details) as part:
        write_weights(reader.keep(dict(random_weights()) | dict(weights), part), part / DECODER)
    return output


@pytest.mark.parametrize("kept", [1, 100])
def test_what_lies_below_the_layers_that_learn_is_computed_once_and_reads_alike(
    tiny: Path, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finetuned, "_MAX_KEPT_TEXTS", kept)
    reader = FineTunedReader(str(tiny), [STEPS], layers=1)
    wanted = OnnxEncoder(str(tiny)).encode_tokens(QUESTIONS)
    learned = train_a_little(reader)
    assert {name.split(".")[1] for name in learned} == {"0"}  # one layer alone
    calls: list[int] = []
    below = reader._bert.below
    monkeypatch.setattr(reader._bert, "below", lambda ids, mask: (calls.append(len(ids)), below(ids, mask))[1])
    reader._bert.upper.load_state_dict(reader._untrained)
    found = reader.encoder(weights_of(reader))
    for one, other in zip(found.encode_tokens(QUESTIONS), wanted, strict=True):
        np.testing.assert_allclose(one, other, atol=2e-3)  # half the precision is kept
    assert (not calls) == (kept == 100)


def test_before_it_learns_it_reads_as_the_encoder_does(tiny: Path) -> None:
    reader = FineTunedReader(str(tiny), [STEPS, OTHERS])
    wanted = OnnxEncoder(str(tiny))
    found = reader.encoder(weights_of(reader))
    for one, other in zip(found.encode_tokens(QUESTIONS), wanted.encode_tokens(QUESTIONS), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4)
    for graph, texts in enumerate((STEPS, OTHERS)):
        np.testing.assert_allclose(reader.steps(graph).cpu().numpy(), wanted.encode(texts), atol=1e-6)


def test_what_it_learned_reads_the_same_at_question_time(tiny: Path, tmp_path: Path) -> None:
    reader = FineTunedReader(str(tiny), [STEPS, OTHERS])
    weights = train_a_little(reader)
    model = read_model(saved(reader, weights, tmp_path / "model", tiny))
    before = OnnxEncoder(str(tiny))
    questions = zip(
        model.encoder.encode_tokens(QUESTIONS),
        reader.encoder(weights).encode_tokens(QUESTIONS),
        before.encode_tokens(QUESTIONS),
        strict=True,
    )
    for found, wanted, untrained in questions:
        np.testing.assert_allclose(found, wanted, atol=1e-4)
        assert np.abs(found - untrained).max() > 1e-2
    np.testing.assert_array_equal(model.encoder.encode(STEPS), before.encode(STEPS))
    assert model.encoder.fingerprint == before.fingerprint
    assert (model.encoder.name, model.encoder.dim) == (before.name, before.dim)


def test_only_the_upper_layers_learn(tiny: Path, tmp_path: Path) -> None:
    reader = FineTunedReader(str(tiny), [STEPS, OTHERS], layers=1)
    folder = saved(reader, train_a_little(reader), tmp_path / "model", tiny)
    before, after = read_weights(tiny), read_weights(folder / QUESTION_ENCODER)
    changed = {name for name, value in after.items() if (value != before[name]).any()}
    assert before.keys() == after.keys()
    assert changed
    assert all(name.startswith("encoder.layer.1.") for name in changed)


def test_a_padded_question_reads_as_it_does_alone(tiny: Path) -> None:
    reader = FineTunedReader(str(tiny), [STEPS, OTHERS])
    reader.network.eval()
    with torch.no_grad():
        together, mask = reader.read(QUESTIONS)
        alone, _ = reader.read([QUESTIONS[1]])
    assert mask.sum(axis=1).tolist() == [6, 4, 8, 2]
    np.testing.assert_allclose(together[1, :4].cpu(), alone[0].cpu(), atol=1e-5)


def test_beginning_again_forgets_and_leaves_the_other_alone(tiny: Path) -> None:
    reader = FineTunedReader(str(tiny), [STEPS, OTHERS])
    first = weights_of(reader)
    learned = train_a_little(reader)
    again = reader.afresh(QUESTIONS)
    assert isinstance(again, FineTunedReader)
    for name, value in weights_of(again).items():
        np.testing.assert_array_equal(value, first[name])
    train_a_little(again)
    for name, value in weights_of(reader).items():
        np.testing.assert_array_equal(value, learned[name])


def test_its_folder_has_its_own_weights_and_the_rankers_are_apart(tiny: Path, tmp_path: Path) -> None:
    reader = FineTunedReader(str(tiny), [STEPS, OTHERS])
    folder = saved(reader, weights_of(reader), tmp_path / "model", tiny)
    files = {path.name for path in (folder / QUESTION_ENCODER).iterdir()}
    assert {"model.onnx", "model.onnx_data", "model.safetensors", "tokenizer.json", "config.json"} <= files
    assert {path.name for path in folder.iterdir()} == {QUESTION_ENCODER, "model.json", "decoder.safetensors"}
    assert not [name for name in read_weights_of_ranker(folder) if name.startswith(WEIGHTS_PREFIX)]
    # What was fine-tuned can be fine-tuned again.
    further = FineTunedReader(str(folder / QUESTION_ENCODER), [STEPS, OTHERS])
    assert further.width == reader.width


@pytest.mark.parametrize("of_any_graph", [False, True])
def test_one_encoder_is_fine_tuned_on_the_questions_of_several_graphs(
    tiny: Path, tmp_path: Path, of_any_graph: bool
) -> None:
    output = tmp_path / "model"
    output.mkdir()
    training = Training(encoder=str(tiny), fine_tune=True, steps=6, max_hops=2)
    sets = [
        replace(with_composed(TrainingSet(mapping, Schema(mapping)), 60, training, most=10), fingerprint=f"of {number}")
        for number, mapping in enumerate((RIVERS, replace(KITCHEN, graph="kitchen")))
    ]
    train_on_sets(
        sets, output, training=training, stage=lambda name, total: lambda *done: None, of_any_graph=of_any_graph
    )
    model, before = read_model(output), OnnxEncoder(str(tiny))
    prints = {} if of_any_graph else {RIVERS.graph: "of 0", "kitchen": "of 1"}
    card, details = read_details(output)
    assert (card.graphs, card.graph) == (prints, "")
    assert (details.question_encoder, details.training.options["encoder_rate"]) == (QUESTION_ENCODER, 3e-5)
    kept = read_weights_of_ranker(output)
    assert {value.dtype.itemsize for value in kept.values()} == {2 if of_any_graph else 4}
    assert not [name for name in kept if name.startswith(WEIGHTS_PREFIX)]
    (learned,), (untrained,) = (encoder.encode_tokens(["a river"]) for encoder in (model.encoder, before))
    assert np.abs(learned - untrained).max() > 1e-6
    for training_set in sets:  # the words of either graph are read by the encoder as it was
        words = step_texts(training_set.schema)
        np.testing.assert_array_equal(model.encoder.encode(words), before.encode(words))


def read_weights_of_ranker(folder: Path) -> dict[str, Floats]:
    from safetensors.numpy import load_file

    return dict(load_file(folder / "decoder.safetensors"))


def test_reading_questions_needs_no_torch(tiny: Path, tmp_path: Path) -> None:
    reader = FineTunedReader(str(tiny), [STEPS, OTHERS])
    folder = saved(reader, weights_of(reader), tmp_path / "model", tiny)
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "from kgqa_graphdb.rank.model import read_model\n"
        f"print(len(read_model({str(folder)!r}).encoder.encode_tokens(['a river'])[0]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.returncode) == ("4", 0), done.stderr


def test_a_model_without_its_encoder_is_refused(tiny: Path, tmp_path: Path) -> None:
    reader = FineTunedReader(str(tiny), [STEPS, OTHERS])
    folder = saved(reader, weights_of(reader), tmp_path / "model", tiny)
    (folder / QUESTION_ENCODER).rename(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="encoder is missing"):
        read_model(folder)


def test_an_encoder_of_onnx_alone_can_not_be_fine_tuned(tiny: Path) -> None:
    OnnxEncoder(str(tiny)).encode(["a"])
    (built,) = (path for path in tiny.parent.rglob("model.onnx"))
    with pytest.raises(EncoderError, match=rf"no {WEIGHTS}, without which an encoder can't be fine-tuned"):
        FineTunedReader(str(built.parent), [STEPS])
    training = Training(encoder=str(built.parent))
    try_encoder(training, built.parent)  # nothing is fine-tuned
    with pytest.raises(EncoderError, match="can't be fine-tuned"):
        try_encoder(training, built.parent, fine_tunes=True)
    try_encoder(replace(training, encoder=CHARACTERS), built.parent, fine_tunes=True)
