"""Diverse beam search, of which transformers has none by now.

Vijayakumar et al. 2018: the beams of a search are spread over groups, which choose one after the other at each step.
With Θ(y) the log probability of what a beam has written, and Y_h the tokens that the beams of group h chose at this
step, group g takes the continuations with the greatest

    Θ(y) - diversity · Σ_{h<g} Σ_{v in Y_h} [v = the last token of y]

As in the formula, a penalty counts for the choice at its step alone: it is not carried on in Θ, by which completions
are compared at the end. What the paper leaves open is as in the ordinary beam search of transformers, to which one
group comes: ``Θ / tokens`` is the score of what has ended, a group keeps the best of its size, and it is done when
nothing that it still writes has a greater score. The end of a text is no token that others must avoid.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kgqa_graphdb.errors import LanguageModelError
from kgqa_graphdb.lm.loaded import LoadedModel
from kgqa_graphdb.steps import Sampling

_NEVER = -1e9
"""Log probability of what is no continuation."""


@dataclass(frozen=True, slots=True)
class Beam:
    """A completion.

    :ivar ids: its tokens, with the end of the text if it came to one
    :ivar log_probability: natural, of all its tokens, without penalties
    """

    ids: tuple[int, ...]
    log_probability: float

    @property
    def score(self) -> float:
        """The mean log probability of its tokens."""
        return self.log_probability / len(self.ids)


@dataclass(slots=True)
class _Group:
    """What the beams of one group of one prompt have come to.

    :ivar size: beams that are kept
    :ivar ended: the best that have ended, the best first
    """

    size: int
    ended: list[Beam] = field(default_factory=list)
    done: bool = False

    def end(self, beam: Beam) -> None:
        self.ended = sorted([*self.ended, beam], key=lambda one: -one.score)[: self.size]  # stable

    def close(self, best: float, length: int) -> None:
        """Be done if nothing is better than what has ended.

        :param best: the greatest log probability of what is still written, of so many tokens
        """
        self.done = self.done or (len(self.ended) == self.size and best / length <= self.ended[-1].score)


def diverse_beams(loaded: LoadedModel, inputs: Mapping[str, Any], sampling: Sampling) -> list[list[Beam]]:
    """Search for completions in groups. Of the model's generation config only its ends of a text count.

    :param inputs: ``input_ids`` and ``attention_mask``, each of shape (prompts, longest), padded on the left where the
        model is a causal one
    :return: for each prompt ``sampling.n`` completions, the greatest score first; groups may come to the same
    :raises LanguageModelError: the model can't keep to a JSON schema so, or go on in several ways from what it read
    """
    import torch

    if sampling.json_schema:
        raise LanguageModelError(
            f"language model {loaded.name!r} can't keep to a JSON schema in a beam search: ask for one completion, "
            "or for free text"
        )
    rows = _Rows(loaded, inputs)
    likely = rows.read()  # (prompts, vocabulary)
    prompts, vocabulary = likely.shape
    size = sampling.n // sampling.groups
    shape = (prompts, sampling.groups, size)
    likely = likely[:, None, None].expand(*shape, vocabulary)
    sums = torch.full(shape, _NEVER, device=likely.device)
    sums[..., 0] = 0.0  # all beams are the same at first
    written = torch.zeros((*shape, 0), dtype=torch.long, device=likely.device)
    ends = _ends(loaded)
    has_ended = _endings(loaded, sampling, ends)
    candidates = max(2, 1 + len(ends)) * size  # so that enough go on where some end
    found = [[_Group(size) for _ in range(sampling.groups)] for _ in range(prompts)]
    for length in range(1, sampling.max_tokens + 1):
        avoided = torch.zeros_like(likely[:, 0, 0])  # (prompts, vocabulary): beams of earlier groups that chose a token
        chosen = []
        for place in range(sampling.groups):
            groups = [one[place] for one in found]
            total = likely[:, place] + sums[:, place, :, None]  # (prompts, size, vocabulary)
            step = _continued(total, written[:, place], avoided * sampling.diversity, candidates)
            ended = has_ended(step.written) | (length == sampling.max_tokens)
            _keep_ended(groups, step, ended)
            running = step.choose(ended.int().argsort(dim=1, stable=True)[:, :size], ended)
            for group, best in zip(groups, running.sums.amax(1).tolist(), strict=True):
                group.close(best, length)
            live = torch.tensor([[not group.done] for group in groups], device=likely.device)  # (prompts, 1)
            counted = (live & (running.sums > _NEVER / 2)).to(avoided.dtype)  # (prompts, size)
            avoided.scatter_add_(1, running.written[:, :, -1], counted)
            chosen.append(running)
        if length == sampling.max_tokens or all(group.done for groups in found for group in groups):
            break
        sums = torch.stack([one.sums for one in chosen], dim=1)  # (prompts, groups, size)
        written = torch.stack([one.written for one in chosen], dim=1)  # (prompts, groups, size, length)
        parents = torch.stack([one.parents for one in chosen], dim=1)  # (prompts, groups, size)
        likely = rows.go_on(parents, written[..., -1]).view(*shape, vocabulary)
    return [sorted((beam for group in groups for beam in group.ended), key=lambda one: -one.score) for groups in found]


@dataclass(frozen=True, slots=True)
class _Step:
    """Continuations of the beams of one group, the best first.

    :ivar sums: their log probabilities, without penalties; shape (prompts, continuations)
    :ivar parents: which beam of the group each goes on from; the same shape
    :ivar written: their tokens; shape (prompts, continuations, length)
    """

    sums: Any
    parents: Any
    written: Any

    def choose(self, places: Any, ended: Any) -> _Step:
        """Those at some places, of which what has ended is not gone on with; shape of both (prompts, size)."""
        texts = places[..., None].expand(-1, -1, self.written.shape[-1])
        sums = self.sums + ended * _NEVER
        return _Step(sums.gather(1, places), self.parents.gather(1, places), self.written.gather(1, texts))


def _continued(total: Any, written: Any, penalties: Any, count: int) -> _Step:
    """The best continuations of one group.

    :param total: log probabilities of what is written with each next token; shape (prompts, size, vocabulary)
    :param written: shape (prompts, size, length)
    :param penalties: what each token costs; shape (prompts, vocabulary)
    """
    import torch

    vocabulary = total.shape[-1]
    judged = (total - penalties[:, None]).flatten(1)  # (prompts, size * vocabulary)
    places = judged.topk(min(count, judged.shape[1])).indices  # (prompts, continuations)
    parents, tokens = places // vocabulary, places % vocabulary
    before = written.gather(1, parents[..., None].expand(-1, -1, written.shape[-1]))
    return _Step(total.flatten(1).gather(1, places), parents, torch.cat([before, tokens[..., None]], dim=-1))


def _keep_ended(groups: list[_Group], step: _Step, ended: Any) -> None:
    """Have each prompt's group keep what has ended among the best continuations of its size."""
    for row, group in enumerate(groups):
        if group.done or not bool(ended[row, : group.size].any()):
            continue
        ends, texts, sums = ended[row].tolist(), step.written[row].tolist(), step.sums[row].tolist()
        for place in range(group.size):
            if ends[place]:
                group.end(Beam(tuple(texts[place]), sums[place]))


def _ends(loaded: LoadedModel) -> list[int]:
    """The tokens that end a text."""
    given = loaded.model.generation_config.eos_token_id
    return [] if given is None else [given] if isinstance(given, int) else list(given)


def _endings(loaded: LoadedModel, sampling: Sampling, ends: list[int]) -> Callable[[Any], Any]:
    """What tells which texts have ended, by their last token or a stop text: shape (…, length) → (…), booleans."""
    import torch
    from transformers import StopStringCriteria

    stops = StopStringCriteria(loaded.tokenizer, list(sampling.stop)) if sampling.stop else None

    def has_ended(written: Any) -> Any:
        last = written[..., -1]
        ended = torch.isin(last, torch.tensor(ends, dtype=last.dtype, device=last.device))
        if stops is not None:
            ended |= stops(written.flatten(0, -2), None).view(ended.shape)
        return ended

    return has_ended


class _Rows:
    """What a model has read and written, a row for each beam."""

    def __init__(self, loaded: LoadedModel, inputs: Mapping[str, Any]) -> None:
        self._loaded = loaded
        self._inputs = inputs
        self._mask = inputs["attention_mask"]
        self._cache: Any = None
        self._encoded: Any = None

    def read(self) -> Any:
        """Read the prompts: log probabilities of the next token, of shape (prompts, vocabulary)."""
        import torch

        ids, model = self._inputs["input_ids"], self._loaded.model
        if not self._loaded.reads_apart:
            return self._forward(ids)
        self._encoded = model.get_encoder()(input_ids=ids, attention_mask=self._mask)[0]
        start = model.generation_config.decoder_start_token_id
        start = model.config.decoder_start_token_id if start is None else start
        return self._forward(torch.full((len(ids), 1), start, device=ids.device))

    def go_on(self, parents: Any, tokens: Any) -> Any:
        """Go on with other rows.

        :param parents: the beam of its group that each goes on from; shape (prompts, groups, size)
        :param tokens: what comes next in each; the same shape
        :return: log probabilities of the token after that; shape (prompts * groups * size, vocabulary)
        :raises LanguageModelError: the model keeps what it read in a way that can't be gone on from in several ways
        """
        import torch

        if not hasattr(self._cache, "reorder_cache"):
            raise LanguageModelError(
                f"language model {self._loaded.name!r} can't search with several beams: ask for one completion"
            )
        prompts, groups, size = parents.shape
        first = torch.arange(prompts, device=parents.device)[:, None, None]
        if len(self._mask) > prompts:  # a row for each beam, no more for each prompt
            first = (first * groups + torch.arange(groups, device=parents.device)[:, None]) * size + parents
        rows = first.expand(parents.shape).flatten()
        self._cache.reorder_cache(rows)
        self._mask = self._mask[rows]
        if self._loaded.reads_apart:
            self._encoded = self._encoded[rows]
        else:
            self._mask = torch.cat([self._mask, torch.ones_like(self._mask[:, :1])], dim=1)
        return self._forward(tokens.flatten()[:, None])

    def _forward(self, ids: Any) -> Any:
        """Read further tokens, of shape (rows, tokens)."""
        named: dict[str, Any] = {"attention_mask": self._mask, "use_cache": True, self._loaded.cache_name: self._cache}
        if self._loaded.reads_apart:
            named |= {"decoder_input_ids": ids, "encoder_outputs": (self._encoded,)}
        else:
            named["input_ids"] = ids
        if "position_ids" in self._loaded.parameters and not self._loaded.reads_apart:
            named["position_ids"] = (self._mask.cumsum(1) - 1).clamp(min=0)[:, -ids.shape[1] :]
        if "logits_to_keep" in self._loaded.parameters:
            named["logits_to_keep"] = 1
        made = self._loaded.model(**named)
        self._cache = made.get(self._loaded.cache_name)
        return made.logits[:, -1].float().log_softmax(-1)
