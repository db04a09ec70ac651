"""An encoder of which a copy was fine-tuned to read questions; all else is read by the encoder as it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kgqa_graphdb.encode.encoder import Encoder
from kgqa_graphdb.types import Floats, Vectors


class TunedEncoder:
    """Reads questions with one encoder and embeds texts, such as a graph's words, with another.

    :param words: the encoder as it was
    :param read: the fine-tuned one's vectors of tokens
    """

    def __init__(self, words: Encoder, read: Callable[[Sequence[str]], list[Floats]]) -> None:
        self._words = words
        self._read = read

    @property
    def name(self) -> str:
        """The name of the encoder as it was."""
        return self._words.name

    @property
    def dim(self) -> int:
        """Length of a vector, of a text as of a token."""
        return self._words.dim

    @property
    def fingerprint(self) -> str:
        """Changes when the vectors of texts do."""
        return self._words.fingerprint

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts with the encoder as it was.

        :return: shape (texts, dim), float32, unit L2 norm
        :raises EncoderError: the model can't be found or run
        """
        return self._words.encode(texts)

    def encode_tokens(self, texts: Sequence[str]) -> list[Floats]:
        """The vectors of the tokens of each question, as the fine-tuned encoder has them.

        :return: shape (tokens, dim) each, float32
        :raises EncoderError: the model can't be found or run
        """
        return self._read(texts)
