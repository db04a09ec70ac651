"""Performs what the text encoder and trained models work on: one call for all that a round asks of one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kgqa_graphdb.encode import CachedEncoder
from kgqa_graphdb.errors import EncoderError, KgqaError, LanguageModelError
from kgqa_graphdb.lm.protocols import LanguageModel
from kgqa_graphdb.steps import Compute, Embed
from kgqa_graphdb.types import Vectors


class TextEncoder(Protocol):
    """Embeds texts; shape (texts, dim), float32, unit L2 norm."""

    def encode(self, texts: Sequence[str]) -> Vectors: ...


@dataclass(frozen=True, slots=True)
class LocalModels:
    """What requests that need no server are performed with."""

    encoder: TextEncoder | None = None
    language_model: LanguageModel | None = None


def call_once(items: Mapping[int, Any], work: Callable[[list[Any]], Sequence[Any]]) -> dict[int, Any]:
    """One call for all items of a round.

    :param items: place of the request → what it asks for
    :return: place → answer, or the error that prevented it
    """
    try:
        answers = work(list(items.values()))
        check_count("a model", len(answers), len(items))
    except KgqaError as error:
        return dict.fromkeys(items, error)
    return dict(zip(items, answers, strict=True))


def check_count(what: str, given: int, wanted: int) -> None:
    """See that something gave as many outputs as it has inputs.

    :param what: gave them, for the message
    :raises LanguageModelError: it did not
    """
    if given != wanted:
        raise LanguageModelError(
            f"{what} gave {given:,} outputs where {wanted:,} were asked for: it must give one for each, in order"
        )


def embed_all(requests: Mapping[int, Embed], models: LocalModels) -> dict[int, Any]:
    """Answer every :class:`Embed` of a round in one call of the encoder, and one for texts whose vectors are kept."""
    encoder = models.encoder
    if encoder is None:
        return dict.fromkeys(requests, EncoderError("no text encoder is installed"))
    errors = {place: _encoder_mismatch(encoder, one.encoder) for place, one in requests.items() if one.encoder}
    answers: dict[int, Any] = {place: error for place, error in errors.items() if error}
    for keep in (False, True):
        some = {place: one.texts for place, one in requests.items() if one.keep is keep and place not in answers}
        texts = list(dict.fromkeys(text for one in some.values() for text in one))
        if not some:
            continue
        try:
            vectors = encoder.encode(texts, keep=keep) if isinstance(encoder, CachedEncoder) else encoder.encode(texts)
        except KgqaError as error:
            answers |= dict.fromkeys(some, error)
            continue
        if len(vectors) != len(texts):
            wrong = f"the text encoder gave {len(vectors):,} vectors for {len(texts):,} texts: one for each"
            answers |= dict.fromkeys(some, EncoderError(wrong))
            continue
        row = {text: number for number, text in enumerate(texts)}
        answers |= {place: vectors[[row[text] for text in one]] for place, one in some.items()}
    return answers


def _encoder_mismatch(encoder: TextEncoder, fingerprint: str) -> KgqaError | None:
    """What is wrong when vectors must be of one encoder, and this is another."""
    try:
        same = getattr(encoder, "fingerprint", "") == fingerprint
    except KgqaError as error:
        return error
    return None if same else EncoderError("its vectors were made by another text encoder than the one in use")


def compute_all(requests: Mapping[int, Compute], models: LocalModels) -> dict[int, Any]:
    """Answer every :class:`Compute` of a round, one call for each model."""
    by_work: dict[Callable[[Sequence[Any]], Sequence[Any]], dict[int, Any]] = {}
    for place, request in requests.items():
        by_work.setdefault(request.work, {})[place] = request.item
    return {place: answer for work, items in by_work.items() for place, answer in call_once(items, work).items()}
