"""What reads questions and the steps' words while a ranker is trained: an encoder as it is, or one that learns too."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import torch
from torch import nn

from kgqa_graphdb.encode import CachedEncoder, TokenEncoder
from kgqa_graphdb.encode.characters import CHARACTERS, PADDING, Alphabet, CharacterEncoder
from kgqa_graphdb.rank.decoder import padded
from kgqa_graphdb.train.device import best_device
from kgqa_graphdb.train.paths.characters import CharacterNetwork, alphabet_of
from kgqa_graphdb.types import Bools, Floats

if TYPE_CHECKING:
    from torch import Tensor


class Reader(Protocol):
    """Reads in torch.

    :ivar network: what learns; without weights where nothing does
    :ivar device: where it computes, and the ranker with it
    :ivar width: length of a vector
    :ivar alphabet: the characters that it learns; none where nothing is learned
    :ivar fingerprint: says what it was before the training
    """

    network: nn.Module
    device: torch.device
    width: int
    alphabet: str
    fingerprint: str

    def afresh(self, questions: Iterable[str]) -> Reader:
        """The same as it was before the training, for other questions."""
        ...

    def steps(self, graph: int) -> Tensor:
        """Vectors of the words of a graph's steps, shape (steps, width).

        :param graph: which of those that it was made with
        """
        ...

    def read(self, texts: Sequence[str]) -> tuple[Tensor, Bools]:
        """Token vectors of questions, shape (questions, tokens, width), and where there is a token."""
        ...

    def encoder(self, weights: Mapping[str, Floats]) -> TokenEncoder:
        """What reads so at question time.

        :param weights: of the whole ranker
        """
        ...

    def keep(self, weights: Mapping[str, Floats], output: Path) -> Mapping[str, Floats]:
        """Write what reads so at question time to a model's folder, where it is not among the weights.

        :param weights: of the whole ranker
        :return: those that are still to be written
        """
        ...


class FrozenReader:
    """Reads with an encoder as it is, each question once.

    :param steps: of each graph the steps' words
    """

    def __init__(self, encoder: TokenEncoder, steps: Sequence[Sequence[str]]) -> None:
        self.network: nn.Module = nn.Module()
        self.device = best_device()
        self.alphabet = ""
        self.fingerprint = encoder.fingerprint
        self._kept = _Kept(encoder)
        self._steps = [torch.from_numpy(self._kept.encode(texts)).to(self.device) for texts in steps]
        self.width = self._steps[0].shape[1]

    def afresh(self, questions: Iterable[str]) -> Reader:
        """The same: it learns nothing."""
        return self

    def steps(self, graph: int) -> Tensor:
        """Vectors of the words of a graph's steps, shape (steps, width)."""
        return self._steps[graph]

    def read(self, texts: Sequence[str]) -> tuple[Tensor, Bools]:
        """Token vectors of questions, shape (questions, tokens, width), and where there is a token."""
        vectors, mask = padded(self._kept.encode_tokens(texts))
        return torch.from_numpy(vectors).to(self.device), mask

    def encoder(self, weights: Mapping[str, Floats]) -> TokenEncoder:
        """The same, whatever was learned."""
        return self._kept

    def keep(self, weights: Mapping[str, Floats], output: Path) -> Mapping[str, Floats]:
        """Nothing to write: the encoder is found again by its name."""
        return weights


class CharacterReader:
    """Learns to read characters.

    :param questions: what is trained on
    :param steps: of each graph the steps' words
    :param seed: of its first weights
    """

    def __init__(self, questions: Iterable[str], steps: Sequence[Sequence[str]], seed: int) -> None:
        torch.manual_seed(seed)
        self._steps, self._seed = steps, seed
        self.alphabet = alphabet_of(questions, chain.from_iterable(steps))
        self._symbols = Alphabet(self.alphabet)
        self.device = best_device()
        network = CharacterNetwork(len(self._symbols)).to(self.device)
        self.network: nn.Module = network
        self.width = network.embedding.embedding_dim
        self.fingerprint = hashlib.sha256(f"{CHARACTERS} {network} {self.alphabet}".encode()).hexdigest()[:16]
        self._step_symbols = [torch.from_numpy(self._symbols.symbols(texts)).to(self.device) for texts in steps]

    def afresh(self, questions: Iterable[str]) -> Reader:
        """One that has learned nothing yet."""
        return CharacterReader(questions, self._steps, self._seed)

    def steps(self, graph: int) -> Tensor:
        """Vectors of the words of a graph's steps, shape (steps, width), unit L2 norm."""
        symbols = self._step_symbols[graph]
        vectors = self.network(symbols)
        count = (symbols != PADDING).sum(dim=1, keepdim=True)
        return nn.functional.normalize(vectors.sum(dim=1) / count, dim=-1)

    def read(self, texts: Sequence[str]) -> tuple[Tensor, Bools]:
        """Token vectors of questions, shape (questions, characters, width), and where there is a character."""
        symbols = self._symbols.symbols(texts)
        vectors: Tensor = self.network(torch.from_numpy(symbols).to(self.device))
        return vectors, symbols != PADDING

    def encoder(self, weights: Mapping[str, Floats]) -> TokenEncoder:
        """Reads with what was learned."""
        return CharacterEncoder(self.alphabet, weights)

    def keep(self, weights: Mapping[str, Floats], output: Path) -> Mapping[str, Floats]:
        """Nothing to write: what was learned is among the weights."""
        return weights


class _Kept(CachedEncoder):
    """An encoder whose vectors are kept: of texts as they are, of tokens in half the memory."""

    def __init__(self, encoder: TokenEncoder) -> None:
        super().__init__(encoder)
        self._tokens_of = encoder.encode_tokens
        self._known: dict[str, np.ndarray[Any, np.dtype[np.float16]]] = {}

    def encode_tokens(self, texts: Sequence[str]) -> list[Floats]:
        """Token vectors of texts, shape (tokens, dim) each."""
        missing = list(dict.fromkeys(text for text in texts if text not in self._known))
        if missing:
            found = self._tokens_of(missing)
            self._known |= {text: one.astype(np.float16) for text, one in zip(missing, found, strict=True)}
        return [self._known[text].astype(np.float32) for text in texts]
