"""Answers the requests that need no server: texts to embed, models to run, marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from kgqa_graphdb.encode import CachedEncoder
from kgqa_graphdb.errors import EncoderError, KgqaError
from kgqa_graphdb.steps import Batch, Compute, Embed, Generate, Mark, Request
from kgqa_graphdb.types import Vectors


class TextEncoder(Protocol):
    """Embeds texts; shape (texts, dim), float32, unit L2 norm."""

    def encode(self, texts: Sequence[str]) -> Vectors: ...


def leaves_of(requests: Sequence[Request[Any]]) -> list[Request[Any]]:
    """The requests inside batches, at any depth, in order."""
    found: list[Request[Any]] = []
    for request in requests:
        found.extend(leaves_of(request.requests) if isinstance(request, Batch) else [request])
    return found


def nested(requests: Sequence[Request[Any]], answers: Iterator[Any]) -> list[Any]:
    """The leaves' answers, nested as the requests were."""
    return [
        tuple(nested(request.requests, answers)) if isinstance(request, Batch) else next(answers)
        for request in requests
    ]


def embed_all(leaves: Sequence[Request[Any]], encoder: TextEncoder | None) -> dict[int, Any]:
    """Answer every :class:`Embed` of a round in one call of the encoder, and one for texts whose vectors are kept.

    :return: index of the leaf → vectors or error
    """
    wanted = {index: leaf for index, leaf in enumerate(leaves) if isinstance(leaf, Embed)}
    if not wanted:
        return {}
    if encoder is None:
        return dict.fromkeys(wanted, EncoderError("no text encoder is installed"))
    answers: dict[int, Any] = {}
    for index, leaf in list(wanted.items()):
        if leaf.encoder and (error := _other_encoder(encoder, leaf.encoder)):
            answers[index] = error
            del wanted[index]
    for keep in (False, True):
        some = {index: leaf.texts for index, leaf in wanted.items() if leaf.keep is keep}
        texts = list(dict.fromkeys(text for leaf_texts in some.values() for text in leaf_texts))
        if not some:
            continue
        try:
            vectors = encoder.encode(texts, keep=keep) if isinstance(encoder, CachedEncoder) else encoder.encode(texts)
        except KgqaError as error:
            answers |= dict.fromkeys(some, error)
            continue
        row = {text: number for number, text in enumerate(texts)}
        answers |= {index: vectors[[row[text] for text in leaf_texts]] for index, leaf_texts in some.items()}
    return answers


def compute_all(leaves: Sequence[Request[Any]]) -> dict[int, Any]:
    """Answer every :class:`Compute` of a round, one call for each model.

    :return: index of the leaf → answer or error
    """
    by_work: dict[Any, list[int]] = {}
    for index, leaf in enumerate(leaves):
        if isinstance(leaf, Compute):
            by_work.setdefault(leaf.work, []).append(index)
    answers: dict[int, Any] = {}
    for work, indices in by_work.items():
        items = [leaf.item for index in indices if isinstance(leaf := leaves[index], Compute)]
        try:
            answers |= zip(indices, work(items), strict=True)
        except KgqaError as error:
            answers |= dict.fromkeys(indices, error)
    return answers


def _other_encoder(encoder: TextEncoder, fingerprint: str) -> KgqaError | None:
    """What is wrong when vectors must be of one encoder, and this is another."""
    try:
        same = getattr(encoder, "fingerprint", "") == fingerprint
    except KgqaError as error:
        return error
    return None if same else EncoderError("its vectors were made by another text encoder than the one in use")


def refuse(request: Request[Any]) -> Any:
    """The answer to a request that needs no server."""
    if isinstance(request, Mark):
        return None
    if isinstance(request, Generate):
        return KgqaError("no language model is configured")
    raise TypeError(f"unknown request {request!r}")
