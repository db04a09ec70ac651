"""A reader that fine-tunes the encoder of questions, while the steps' words stay embedded as they were."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import torch.nn.functional as functional

from kgqa_graphdb.encode import OnnxEncoder, TokenEncoder, TunedEncoder, copy_settings, locate_encoder, locate_weights
from kgqa_graphdb.encode.bert import WEIGHTS, build_onnx, read_config, read_weights
from kgqa_graphdb.encode.characters import WEIGHTS_PREFIX
from kgqa_graphdb.errors import EncoderError
from kgqa_graphdb.rank.model import QUESTION_ENCODER
from kgqa_graphdb.train.paths.bert import Bert
from kgqa_graphdb.train.paths.readers import FrozenReader, Reader
from kgqa_graphdb.types import Bools, Floats, Ints

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import ModuleList

LAYERS = 6
"""Layers that are trained, from the last; the embeddings and the layers below stay as they are."""
_MAX_BATCH_TEXTS = 64
_MAX_KEPT_TEXTS = 20_000
"""Whose vectors below the layers that learn are kept, of 25 tokens each some 400 MB."""
_ALIKE = 16
"""Questions of like length that are read together: of PathQuestion-Large's a batch of 64 has half as many tokens so."""


class FineTunedReader(FrozenReader):
    """Learns to read questions, from an encoder's own weights; the steps' words are read as they always were.

    :param name: of the encoder; see :func:`kgqa_graphdb.encode.locate_encoder`
    :param steps: of each graph the steps' words
    :param layers: that learn, from the last
    :raises EncoderError: the encoder can't be found, or its weights are no BERT's
    """

    def __init__(self, name: str, steps: Sequence[Sequence[str]], layers: int = LAYERS) -> None:
        super().__init__(OnnxEncoder(name), steps)
        self._folder = locate_weights(name)
        config, weights = read_config(self._folder), read_weights(self._folder)
        try:
            self._bert = Bert(config, weights, layers).to(self.device)
        except KeyError as error:
            raise EncoderError(f"{self._folder / WEIGHTS} lacks the tensor {error.args[0]!r}") from error
        from tokenizers import Tokenizer

        files = locate_encoder(name)
        self._tokenizer = Tokenizer.from_file(str(files.tokenizer))
        self._tokenizer.enable_truncation(max_length=files.max_tokens)
        self._tokenizer.no_padding()
        self.network = self._bert.upper
        self._untrained = copy.deepcopy(self._bert.upper.state_dict())
        self.fingerprint = f"{self.fingerprint} fine-tuned {layers}"
        self._below: dict[str, np.ndarray[Any, np.dtype[np.float16]]] = {}

    def afresh(self, questions: Iterable[str]) -> Reader:
        """The same with the weights that it began with."""
        again = copy.copy(self)
        again._bert = copy.deepcopy(self._bert)
        again._bert.upper.load_state_dict(self._untrained)
        again.network = again._bert.upper
        return again

    def read(self, texts: Sequence[str]) -> tuple[Tensor, Bools]:
        """Token vectors of questions, shape (questions, tokens, width), and where there is a token."""
        return self._read(texts, None)

    def _read(self, texts: Sequence[str], upper: ModuleList | None) -> tuple[Tensor, Bools]:
        encoded = self._tokenizer.encode_batch(list(texts))
        sizes = np.array([len(one.ids) for one in encoded])
        order = np.argsort(sizes, kind="stable")
        mask = np.arange(sizes.max()) < sizes[:, None]  # (texts, tokens)
        parts = []
        for start in range(0, len(order), _ALIKE):  # a short question beside a long one would be mostly padding
            some = order[start : start + _ALIKE]
            ids = np.zeros((len(some), sizes[some].max()), dtype=np.int64)
            for row, own in zip(ids, some, strict=True):
                row[: sizes[own]] = encoded[own].ids
            there = torch.from_numpy(mask[some, : ids.shape[1]]).to(self.device)
            below = self._lower([texts[place] for place in some.tolist()], ids, there)
            vectors = self._bert.above(below, there, upper)
            parts.append(functional.pad(vectors, (0, 0, 0, mask.shape[1] - ids.shape[1])))
        found = torch.cat(parts)[torch.from_numpy(np.argsort(order)).to(self.device)]
        return found, mask

    def _lower(self, texts: Sequence[str], ids: Ints, there: Tensor) -> Tensor:
        """What the layers that do not learn make of texts, once of each; shape (texts, tokens, dim)."""
        if not self._bert.first:
            return self._bert.below(torch.from_numpy(ids).to(self.device), there)
        if len(self._below) >= _MAX_KEPT_TEXTS:
            self._below.clear()
        new = [row for row, text in enumerate(texts) if text not in self._below]
        if new:
            made = self._bert.below(torch.from_numpy(ids[new]).to(self.device), there[new]).cpu().numpy()
            sizes = there.sum(dim=1).tolist()
            for row, vectors in zip(new, made, strict=True):
                self._below[texts[row]] = vectors[: sizes[row]].astype(np.float16)
        found = np.zeros((*ids.shape, self.width), dtype=np.float32)
        for row, text in enumerate(texts):
            found[row, : len(self._below[text])] = self._below[text]
        return torch.from_numpy(found).to(self.device)

    def encoder(self, weights: Mapping[str, Floats]) -> TokenEncoder:
        """Reads questions with what was learned, in torch."""
        upper = copy.deepcopy(self._bert.upper).eval()
        upper.load_state_dict({name: torch.from_numpy(value) for name, value in _own(weights).items()})

        def read(texts: Sequence[str]) -> list[Floats]:
            found: list[Floats] = []
            for start in range(0, len(texts), _MAX_BATCH_TEXTS):
                with torch.no_grad():
                    vectors, mask = self._read(texts[start : start + _MAX_BATCH_TEXTS], upper)
                found += [own[there] for own, there in zip(vectors.cpu().numpy(), mask, strict=True)]
            return found

        return TunedEncoder(self._kept, read)

    def keep(self, weights: Mapping[str, Floats], output: Path) -> dict[str, Floats]:
        """Write the encoder with what it learned to a folder, as safetensors and as ONNX.

        :param weights: of the whole ranker
        :return: those that are the ranker's alone
        """
        from safetensors.numpy import save_file

        part = output / QUESTION_ENCODER
        part.mkdir()
        copy_settings(self._folder, part)
        save_file(read_weights(self._folder) | self._bert.named(_own(weights)), part / WEIGHTS)
        build_onnx(part, part / "model.onnx")
        return {name: value for name, value in weights.items() if not name.startswith(WEIGHTS_PREFIX)}


def _own(weights: Mapping[str, Floats]) -> dict[str, Floats]:
    """Of a ranker's weights those of the encoder, by the encoder's own names."""
    return {
        name.removeprefix(WEIGHTS_PREFIX): value for name, value in weights.items() if name.startswith(WEIGHTS_PREFIX)
    }
