"""Token vectors of the questions that were read last."""

from __future__ import annotations

from collections.abc import Sequence

from kgqa_graphdb.encode import TokenEncoder
from kgqa_graphdb.types import Floats

MAX_KEPT = 512
"""Questions, their topics masked, whose token vectors are kept: some 12 MB."""


class RecentTokens:
    """Reads questions once; those that differ in their topic alone are the same, and met again and again."""

    def __init__(self, encoder: TokenEncoder) -> None:
        self.encoder = encoder
        self._recent: dict[str, Floats] = {}

    def read(self, texts: Sequence[str]) -> list[Floats]:
        """Vectors of the tokens of each question, shape (tokens, dim of the encoder) each.

        :raises EncoderError: the encoder can't be run
        """
        recent = self._recent
        missing = [text for text in dict.fromkeys(texts) if text not in recent]
        known = recent | dict(zip(missing, self.encoder.encode_tokens(missing) if missing else (), strict=True))
        self._recent = known if len(known) <= MAX_KEPT else {}
        return [known[text] for text in texts]
