"""Language models that run here, by transformers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import Any

from kgqa_graphdb.errors import LanguageModelError
from kgqa_graphdb.lm.diverse import diverse_beams
from kgqa_graphdb.lm.files import find_files
from kgqa_graphdb.lm.loaded import LoadedModel, TransformersSettings, load_model
from kgqa_graphdb.lm.prefix import SharedPrefix, keeps_all, shared_ids
from kgqa_graphdb.lm.stops import before_stop, stream_before_stop
from kgqa_graphdb.steps import Sampling

PADDED_FREELY = 64
"""Tokens up to which a prompt may be padded whatever its length; else to twice that, since padding takes time, too."""


class TransformersModel:
    """A causal or sequence-to-sequence model, loaded when it is first used.

    One call at a time uses model or tokenizer: a tokenizer keeps how it pads, so what one thread asks changes what
    another gets. Special tokens in prompts are taken apart, so that no name in a fact ends a turn of a chat.
    """

    def __init__(self, name: str, settings: TransformersSettings | None = None) -> None:
        """
        :param name: a folder, a GGUF file, an installed package that carries one of them, or an id of the Hugging Face
            hub
        """
        self.name = name
        self.settings = settings or TransformersSettings()
        self._loaded: LoadedModel | None = None
        self._lock = Lock()

    @property
    def context_window(self) -> int:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.context_window`."""
        loaded = self._load()
        with self._lock:
            return loaded.window - loaded.frame

    @property
    def fingerprint(self) -> str:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.fingerprint`."""
        files = find_files(self.name, self.settings.adapter)
        return hashlib.sha256(repr((files.fingerprint, self.settings)).encode()).hexdigest()[:16]

    def generate(self, prompts: Sequence[str], sampling: Sampling) -> list[tuple[str, ...]]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.generate`; prompts of about one length are read together, and what
        all of them begin with is read once.
        """
        loaded = self._load()
        whole = self._tokenised(loaded, prompts, sampling)
        prefix = self._prefix(loaded, whole, sampling)
        inputs = list(map(prefix.rest, whole))
        order = sorted(range(len(prompts)), key=lambda place: len(inputs[place]))
        completions: dict[int, tuple[str, ...]] = {}
        size = self.settings.batch
        while order:
            longest = len(inputs[order[-1]])  # first: if any batch does not fit in memory, it is this one
            batch = [one for one in order[-size:] if longest <= max(PADDED_FREELY, 2 * len(inputs[one]))]
            try:
                texts = self._continued(loaded, [inputs[place] for place in batch], sampling, prefix)
            except _OutOfMemoryError as error:
                if size == 1:
                    raise LanguageModelError(
                        f"language model {self.name!r} has not enough memory for a prompt of "
                        f"{len(whole[batch[-1]]):,} tokens: ask with a smaller budget, quantise the model, or take a "
                        "smaller one"
                    ) from error
                size = (len(batch) + 1) // 2
                continue
            rows = (tuple(texts[row : row + sampling.n]) for row in range(0, len(texts), sampling.n))
            completions |= dict(zip(batch, rows, strict=True))
            del order[-len(batch) :]
        return [completions[place] for place in range(len(prompts))]

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.score`; a prompt that many pairs share is read once."""
        loaded = self._load()
        by_prompt: dict[str, dict[str, float]] = {}
        for prompt, continuation in pairs:
            by_prompt.setdefault(prompt, {})[continuation] = 0.0
        for prompt, scores in by_prompt.items():
            texts = list(scores)
            for start in range(0, len(texts), self.settings.batch):
                some = texts[start : start + self.settings.batch]
                scores.update(zip(some, self._scored(loaded, prompt, some), strict=True))
        return [by_prompt[prompt][continuation] for prompt, continuation in pairs]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.count_tokens`."""
        tokenizer = self._load().tokenizer
        if not texts:
            return []
        with self._lock:
            return [len(ids) for ids in tokenizer(list(texts), add_special_tokens=False)["input_ids"]]

    def stream(self, prompt: str, sampling: Sampling) -> Iterator[str]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.stream`."""
        loaded = self._load()
        import torch
        from transformers import StoppingCriteriaList, TextIteratorStreamer

        pieces: Any = TextIteratorStreamer(loaded.tokenizer, skip_prompt=True, skip_special_tokens=True)
        inputs = loaded.padded(self._tokenised(loaded, [prompt], sampling))
        left = Event()  # whoever read the stream went away

        def work() -> None:
            with self._lock, torch.random.fork_rng():
                torch.manual_seed(sampling.seed)
                gone = StoppingCriteriaList([lambda ids, scores: torch.full((ids.shape[0],), left.is_set())])
                options = loaded.options(sampling)
                with loaded.adapters.using(sampling.adapter):
                    self._checked(loaded.model.generate, **inputs, **options, streamer=pieces, stopping_criteria=gone)

        pool = ThreadPoolExecutor(1, thread_name_prefix="kgqa-generate")
        done = pool.submit(work)
        pool.shutdown(wait=False)
        done.add_done_callback(lambda _: pieces.end())  # whatever it failed by, nobody waits for more
        try:
            yield from stream_before_stop(pieces, sampling.stop)
        finally:
            left.set()
        done.result()

    def _tokenised(self, loaded: LoadedModel, prompts: Sequence[str], sampling: Sampling) -> list[list[int]]:
        """The token ids of prompts, in the model's chat template where it has one.

        :raises LanguageModelError: one is too long
        """
        with self._lock:
            inputs = [loaded.ids(prompt) for prompt in prompts]
        room = loaded.window - (0 if loaded.reads_apart else sampling.max_tokens)
        for ids in inputs:
            if len(ids) > room:
                raise LanguageModelError(
                    f"a prompt has {len(ids):,} tokens, and language model {self.name!r} reads {room:,} beside its "
                    "answer: give it fewer facts, or take a model with a larger context window"
                )
        return inputs

    def _prefix(self, loaded: LoadedModel, inputs: Sequence[list[int]], sampling: Sampling) -> SharedPrefix:
        """What all inputs begin with, read; nothing where that can't be gone on from in several rows."""
        import torch

        ids = () if loaded.reads_apart or sampling.n > 1 else shared_ids(inputs)
        if not ids:
            return SharedPrefix()
        with self._lock, torch.no_grad(), loaded.adapters.using(sampling.adapter):
            read = torch.tensor([ids], device=loaded.model.device)  # (1, prefix)
            try:
                cache = self._checked(loaded.model, input_ids=read, use_cache=True).get(loaded.cache_name)
            except _OutOfMemoryError:  # the batches are made smaller
                return SharedPrefix()
        return SharedPrefix(ids, cache) if keeps_all(cache) else SharedPrefix()

    def _continued(
        self, loaded: LoadedModel, inputs: Sequence[list[int]], sampling: Sampling, prefix: SharedPrefix
    ) -> list[str]:
        """The completions of a batch, ``sampling.n`` of each input, which goes on from a prefix."""
        import torch

        with self._lock, torch.random.fork_rng(), torch.no_grad():
            batch = self._checked(prefix.before, batch=loaded.padded(inputs), cache_name=loaded.cache_name)
            torch.manual_seed(sampling.seed)
            with loaded.adapters.using(sampling.adapter):
                if sampling.groups > 1:
                    found = self._checked(diverse_beams, loaded=loaded, inputs=batch, sampling=sampling)
                    made = [beam.ids for beams in found for beam in beams]
                else:
                    made = self._checked(loaded.model.generate, **batch, **loaded.options(sampling))
                    made = made[:, 0 if loaded.reads_apart else batch["input_ids"].shape[1] :]
            texts = loaded.tokenizer.batch_decode(made, skip_special_tokens=True)  # batch * n
        return [before_stop(text, sampling.stop) for text in texts]

    def _scored(self, loaded: LoadedModel, prompt: str, continuations: Sequence[str]) -> list[float]:
        """The log probabilities of some continuations of one prompt."""
        import torch

        with self._lock, torch.no_grad(), loaded.adapters.using(""):
            read = torch.tensor([loaded.ids(prompt)], device=loaded.model.device)  # (1, prompt)
            texts = [loaded.tokenizer(one, add_special_tokens=False)["input_ids"] for one in continuations]
            rows, longest = len(texts), max(map(len, texts))
            said = torch.zeros((rows, longest), dtype=torch.long, device=loaded.model.device)
            for row, ids in enumerate(texts):
                said[row, : len(ids)] = torch.tensor(ids, dtype=torch.long)
            if not longest:
                return [0.0] * rows
            if loaded.reads_apart:
                logits = self._checked(loaded.model, input_ids=read.repeat(rows, 1), labels=said).logits
            else:
                first = self._checked(loaded.model, input_ids=read, use_cache=True)
                cache = first[loaded.cache_name]
                cache.batch_repeat_interleave(rows)
                rest = self._checked(loaded.model, input_ids=said, **{loaded.cache_name: cache}).logits
                logits = torch.cat([first.logits[:, -1:].repeat(rows, 1, 1), rest[:, :-1]], dim=1)
            # (continuations, longest)
            likely = logits.float().log_softmax(-1).gather(-1, said.unsqueeze(-1)).squeeze(-1)
            return [float(likely[row, : len(ids)].sum()) for row, ids in enumerate(texts)]

    def _checked(self, call: Any, **inputs: Any) -> Any:
        """Call into the model.

        :raises LanguageModelError: it fails
        """
        import torch

        try:
            return call(**inputs)
        except torch.OutOfMemoryError as error:
            torch.cuda.empty_cache()
            raise _OutOfMemoryError from error
        except (RuntimeError, ValueError, IndexError) as error:
            raise LanguageModelError(f"language model {self.name!r} failed: {error}") from error

    def _load(self) -> LoadedModel:
        """Tokenizer and model.

        :raises LanguageModelError: there are none of that name, or they are of another kind
        :raises MissingExtraError: transformers or torch is not installed
        """
        with self._lock:
            if self._loaded is None or self._loaded.adapters.broken:
                self._loaded = load_model(self.name, self.settings)
            return self._loaded


class _OutOfMemoryError(LanguageModelError):
    """The device has not enough memory."""
