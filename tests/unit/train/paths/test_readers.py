"""Readers: one reads with an encoder as it is, one learns characters from what is trained on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch  # noqa: TID253 - what needs it is skipped where it is not installed

from kgqa_graphdb.encode import CHARACTERS
from kgqa_graphdb.encode.characters import UNKNOWN, WEIGHTS_PREFIX
from kgqa_graphdb.train.paths.characters import CharacterNetwork, alphabet_of
from kgqa_graphdb.train.paths.make_reader import make_reader
from kgqa_graphdb.train.paths.readers import CharacterReader, FrozenReader
from kgqa_graphdb.types import Floats
from tests.unit.rank.networks import WordEncoder

STEPS = [["the 源头 of X", "the length of X"], ["what X borders"]]
QUESTIONS = ["X有多长", "X有几条", "how long is X"]


class CountingEncoder(WordEncoder):
    """Counts the texts that it reads."""

    def __init__(self) -> None:
        self.read = 0

    def encode_tokens(self, texts: Sequence[str]) -> list[Floats]:
        self.read += len(texts)
        return super().encode_tokens(texts)


def test_a_character_of_one_question_is_not_learned_unless_a_relation_has_it() -> None:
    alphabet = alphabet_of(QUESTIONS, STEPS[0])
    assert set("X有源头length") <= set(alphabet)
    assert not set("多几") & set(alphabet)
    assert alphabet == alphabet_of(reversed(QUESTIONS), reversed(STEPS[0]))


def test_an_encoder_as_it_is_reads_each_question_once_and_learns_nothing() -> None:
    encoder = CountingEncoder()
    reader = FrozenReader(encoder, STEPS)
    encoder.read = 0
    for _ in range(3):
        vectors, mask = reader.read(["how long is X", "how long is X", "X"])
    assert encoder.read == 2
    assert vectors.shape == (3, 5, 32)
    assert mask.sum(axis=1).tolist() == [5, 5, 2]
    assert not list(reader.network.parameters())
    assert reader.afresh(["X"]) is reader
    for graph, texts in enumerate(STEPS):
        np.testing.assert_allclose(reader.steps(graph).numpy(), encoder.encode(texts), atol=1e-6)


def test_what_is_learned_reads_the_same_at_question_time() -> None:
    reader = make_reader(CHARACTERS, QUESTIONS, STEPS, seed=0)
    reader.network.eval()
    weights = {name: value.numpy() for name, value in reader.network.state_dict(prefix=WEIGHTS_PREFIX).items()}
    encoder = reader.encoder(weights)
    with torch.no_grad():
        vectors, mask = reader.read(QUESTIONS)
        steps = [reader.steps(graph).numpy() for graph in range(2)]
    for found, texts in zip(steps, STEPS, strict=True):
        np.testing.assert_allclose(found, encoder.encode(texts), atol=1e-5)
    for row, there, tokens in zip(vectors.numpy(), mask, encoder.encode_tokens(QUESTIONS), strict=True):
        np.testing.assert_allclose(row[there], tokens, atol=1e-5)


def test_the_seed_decides_the_first_weights_and_beginning_again_gives_them_back() -> None:
    def first(reader: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        assert isinstance(reader, CharacterReader)
        return next(reader.network.parameters()).detach().numpy()

    one, same, other = (CharacterReader(QUESTIONS, STEPS, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first(one), first(same))
    np.testing.assert_array_equal(first(one), first(one.afresh(QUESTIONS)))
    assert (first(one) != first(other)).any()
    assert one.fingerprint == other.fingerprint
    assert one.fingerprint != one.afresh(["山有多高", "山有多大"]).fingerprint


def test_some_characters_are_shown_as_unknown_in_training_and_none_afterwards() -> None:
    torch.manual_seed(0)
    network = CharacterNetwork(9, layers=0)
    symbols = torch.full((50, 40), 5)
    unread = network.train()(symbols) == network.embedding.weight[UNKNOWN]
    assert 0.02 < float(unread.all(dim=-1).float().mean()) < 0.1
    assert bool((network.eval()(symbols) == network.embedding.weight[5]).all())
