"""Reading characters: what is one symbol, what is unknown, and that texts are read as if each were alone."""

from __future__ import annotations

import numpy as np
import pytest

from kgqa_graphdb.encode.characters import (
    BEGIN,
    FIRST_CHARACTER,
    MAX_CHARACTERS,
    PADDING,
    UNKNOWN,
    Alphabet,
    CharacterEncoder,
    readable,
)
from tests.unit.rank.networks import character_weights

ALPHABET = "Xabc河流"


def make_encoder(seed: int = 0) -> CharacterEncoder:
    return CharacterEncoder(ALPHABET, character_weights(len(Alphabet(ALPHABET)), seed))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Who Directed X", "who directed X"),
        ("X流入哪里", "X流入哪里"),
        ("谁和Y一起", "谁和Y一起"),
        ("ＡＢＣ１２３", "abc123"),
        ("Xavier or MAX", "xavier or max"),
    ],
)
def test_only_a_topic_keeps_its_capital(text: str, read: str) -> None:
    assert readable(text) == read


def test_texts_begin_with_a_symbol_and_end_in_padding() -> None:
    symbols = Alphabet(ALPHABET).symbols(["X河", "山"])
    assert symbols.tolist() == [[BEGIN, FIRST_CHARACTER, FIRST_CHARACTER + 4], [BEGIN, UNKNOWN, PADDING]]


def test_a_long_text_is_cut_and_an_empty_one_still_begins() -> None:
    encoder = make_encoder()
    long, empty = encoder.encode_tokens(["河" * 1_000, ""])
    assert long.shape == (MAX_CHARACTERS + 1, encoder.dim)
    assert empty.shape == (1, encoder.dim)


def test_texts_are_read_as_if_each_were_alone() -> None:
    texts = ["abc", "X河流流流流流流流流", "b"]
    for text, together in zip(texts, make_encoder().encode_tokens(texts), strict=True):
        (alone,) = make_encoder().encode_tokens([text])
        np.testing.assert_allclose(together, alone, atol=1e-5)


def test_a_text_has_one_unit_vector() -> None:
    encoder = make_encoder()
    vectors = encoder.encode(["河流", "abc"])
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert encoder.encode([]).shape == (0, encoder.dim)


def test_other_weights_or_another_alphabet_have_another_fingerprint() -> None:
    weights = character_weights(len(Alphabet(ALPHABET)))
    prints = {
        make_encoder().fingerprint,
        make_encoder(1).fingerprint,
        CharacterEncoder("abc河流X", weights).fingerprint,
    }
    assert len(prints) == 3
    assert make_encoder().fingerprint == make_encoder().fingerprint


def test_numpy_and_torch_agree() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from kgqa_graphdb.train.paths.characters import CharacterNetwork

    network = CharacterNetwork(len(Alphabet(ALPHABET)), dim=16).eval()
    weights = {f"encoder.{name}": value.numpy() for name, value in network.state_dict().items()}
    texts = ["X河流入哪里", "abc", "who is it of X"]
    with torch.no_grad():
        there = network(torch.from_numpy(Alphabet(ALPHABET).symbols(texts))).numpy()
    for row, here in zip(there, CharacterEncoder(ALPHABET, weights).encode_tokens(texts), strict=True):
        np.testing.assert_allclose(here, row[: len(here)], atol=1e-5)
        assert not row[len(here) :].any()
