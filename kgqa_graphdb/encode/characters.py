"""A text encoder that reads characters: small, trained together with the ranker that uses it, for any language.

Each character has a vector; two layers of convolution let it see those beside it. It holds no words and no weights from
elsewhere, so it knows what its training has shown and nothing else. The same in torch is
:mod:`kgqa_graphdb.train.paths.characters`.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import count

import numpy as np

from kgqa_graphdb.types import Floats, Ints, Vectors

CHARACTERS = "characters"
"""What this encoder is called where encoders are named."""
WEIGHTS_PREFIX = "encoder."
"""What the names of its weights begin with, among those of a ranker."""
WINDOW = 5
"""Characters that a layer sees at once."""
MAX_CHARACTERS = 256
"""Longer texts are cut."""
PADDING, UNKNOWN, BEGIN = range(3)
"""Symbols that are no characters: after a text's end, for what the alphabet does not have, before the first."""
FIRST_CHARACTER = 3
_TOPICS = re.compile(r"((?<![A-Za-z0-9])[XY](?![A-Za-z0-9]))")
_MAX_BATCH_TEXTS = 256


def readable(text: str) -> str:
    """A text as it is read: in lower case, of one width; only X and Y that stand for topics keep their capitals."""
    parts = _TOPICS.split(unicodedata.normalize("NFKC", text))
    return "".join(part if place % 2 else part.lower() for place, part in enumerate(parts))


class Alphabet:
    """The characters that are known.

    :param characters: in the order of their symbols, each once
    """

    def __init__(self, characters: str) -> None:
        self.characters = characters
        self._symbols = {character: FIRST_CHARACTER + place for place, character in enumerate(characters)}

    def __len__(self) -> int:
        """How many symbols there are, those that are no characters among them."""
        return FIRST_CHARACTER + len(self.characters)

    def symbols(self, texts: Sequence[str]) -> Ints:
        """Texts as symbols, shape (texts, longest + 1): :data:`BEGIN`, the characters, :data:`PADDING`."""
        read = [readable(text)[:MAX_CHARACTERS] for text in texts]
        found = np.full((len(texts), 1 + max(map(len, read), default=0)), PADDING, dtype=np.int64)
        found[:, 0] = BEGIN
        for row, text in enumerate(read):
            found[row, 1 : len(text) + 1] = [self._symbols.get(character, UNKNOWN) for character in text]
        return found


class CharacterEncoder:
    """Reads characters with trained weights, in numpy.

    :param alphabet: the characters that the weights know
    :param weights: a ranker's; of these the ones whose names begin with :data:`WEIGHTS_PREFIX`, and then are those of
        :class:`kgqa_graphdb.train.paths.characters.CharacterNetwork`
    """

    name = CHARACTERS

    def __init__(self, alphabet: str, weights: Mapping[str, Floats]) -> None:
        self._alphabet = Alphabet(alphabet)
        self._weights = {
            name.removeprefix(WEIGHTS_PREFIX): value
            for name, value in weights.items()
            if name.startswith(WEIGHTS_PREFIX)
        }

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return int(self._weights["embedding.weight"].shape[1])

    @cached_property
    def fingerprint(self) -> str:
        """Changes when the alphabet or the weights do."""
        digest = hashlib.sha256(self._alphabet.characters.encode())
        for name in sorted(self._weights):
            digest.update(self._weights[name].tobytes())
        return digest.hexdigest()[:16]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts: the means of their characters' vectors.

        :return: shape (texts, dim), float32, unit L2 norm
        """
        means = np.array([tokens.mean(axis=0) for tokens in self.encode_tokens(texts)], dtype=np.float32)
        means = means.reshape(len(texts), self.dim)
        unit: Vectors = means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), np.float32(1e-12))
        return unit

    def encode_tokens(self, texts: Sequence[str]) -> list[Floats]:
        """The vectors of the characters of each text, after that of its beginning.

        :return: shape (characters + 1, dim) each, float32
        """
        found: list[Floats] = []
        for start in range(0, len(texts), _MAX_BATCH_TEXTS):
            symbols = self._alphabet.symbols(texts[start : start + _MAX_BATCH_TEXTS])
            sizes = (symbols != PADDING).sum(axis=1).tolist()
            found += [vectors[:size] for vectors, size in zip(self._read(symbols), sizes, strict=True)]
        return found

    def _read(self, symbols: Ints) -> Floats:
        """Vectors of symbols, shape (texts, symbols, dim)."""
        there = (symbols != PADDING)[:, :, None]
        vectors = self._weights["embedding.weight"][symbols] * there
        for layer in count():
            if f"layers.{layer}.weight" not in self._weights:
                break
            weight = self._weights[f"layers.{layer}.weight"]  # (dim, dim, window)
            beside = np.pad(vectors, ((0, 0), (WINDOW // 2, WINDOW // 2), (0, 0)))
            width = symbols.shape[1]
            seen = np.concatenate([beside[:, place : place + width] for place in range(WINDOW)], axis=2)
            flat = seen.reshape(-1, seen.shape[2]) @ weight.transpose(2, 1, 0).reshape(-1, self.dim)
            new = np.maximum(flat + self._weights[f"layers.{layer}.bias"], 0).reshape(vectors.shape)
            vectors = (vectors + new) * there
        return np.asarray(vectors, dtype=np.float32)
