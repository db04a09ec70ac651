"""What several prompts begin with, such as a method's instruction: read once, not with each of them."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

LEAST_SHARED = 16
"""Tokens that are worth reading apart."""


@dataclass(frozen=True, slots=True)
class SharedPrefix:
    """The first tokens of all prompts, as the model has read them.

    :ivar ids: none: every prompt is read whole
    :ivar cache: what the model made of them; of one row
    """

    ids: tuple[int, ...] = ()
    cache: Any = None

    def rest(self, ids: Sequence[int]) -> list[int]:
        """What is left to be read of a prompt."""
        return list(ids[len(self.ids) :])

    def before(self, batch: dict[str, Any], cache_name: str) -> dict[str, Any]:
        """A batch of what is left to be read, with the prefix before it; its padding stands between both.

        :param batch: ``input_ids`` and ``attention_mask`` of shape (rows, longest)
        :param cache_name: what the model calls a cache
        """
        if not self.ids:
            return batch
        import torch

        ids = batch["input_ids"]
        first = torch.tensor([self.ids], dtype=ids.dtype, device=ids.device).repeat(len(ids), 1)  # (rows, prefix)
        cache = deepcopy(self.cache)  # generating adds to it
        cache.batch_repeat_interleave(len(ids))
        return {
            "input_ids": torch.cat([first, ids], dim=1),
            "attention_mask": torch.cat([torch.ones_like(first), batch["attention_mask"]], dim=1),
            cache_name: cache,
        }


def shared_ids(inputs: Sequence[list[int]]) -> tuple[int, ...]:
    """The first tokens that all of several prompts have, where they are worth it; each has at least one more."""
    if len(inputs) < 2:
        return ()
    first, last = min(inputs), max(inputs)  # in the order of a dictionary
    most = min(map(len, inputs)) - 1
    same = next((place for place in range(most) if first[place] != last[place]), most)
    return tuple(first[:same]) if same >= LEAST_SHARED else ()


def keeps_all(cache: Any) -> bool:
    """Whether a cache holds every token, so that others can follow in any row; one with a sliding window does not."""
    from transformers.cache_utils import DynamicCache, DynamicLayer

    return isinstance(cache, DynamicCache) and all(type(layer) is DynamicLayer for layer in cache.layers)
