"""Chooses what reads questions while a ranker is trained."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kgqa_graphdb.encode import CHARACTERS, OnnxEncoder
from kgqa_graphdb.train.paths.finetuned import FineTunedReader
from kgqa_graphdb.train.paths.readers import CharacterReader, FrozenReader, Reader


def make_reader(
    encoder: str, questions: Iterable[str], steps: Sequence[Sequence[str]], seed: int, *, fine_tune: bool = False
) -> Reader:
    """The reader of an encoder's name.

    :param questions: what is trained on
    :param steps: of each graph the steps' words
    :param fine_tune: the encoder learns, too; that of characters does in any case
    :raises EncoderError: the encoder can't be found or run
    """
    if encoder == CHARACTERS:
        return CharacterReader(questions, steps, seed)
    if fine_tune:
        return FineTunedReader(encoder, steps)
    return FrozenReader(OnnxEncoder(encoder), steps)
