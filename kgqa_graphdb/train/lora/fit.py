"""Fits a LoRA adapter (Hu et al. 2021) of a language model: the likelihood of completions, given their prompts."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn

from kgqa_graphdb.errors import LanguageModelError
from kgqa_graphdb.lm.adapters import imported_peft
from kgqa_graphdb.lm.loaded import LoadedModel
from kgqa_graphdb.train.checkpoint import arrays_of
from kgqa_graphdb.train.lora.examples import TextExample
from kgqa_graphdb.train.trainer import LoopOptions, Optimisation
from kgqa_graphdb.types import Floats

if TYPE_CHECKING:
    from torch import Tensor

WARM_UP = 0.03
NOT_LEARNED = -100
"""The label of a token that is read, not written."""
MAX_HELD_OUT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class LoraOptions(LoopOptions):
    """How to train. Rank, alpha, dropout, rate, warm-up and the most tokens are those of Retrieve-Rewrite-Answer.

    :ivar batch: examples in a batch; there 128, with 10 epochs of 13,000. Fewer examples need smaller ones
    :ivar at_once: examples that are read at once
    :ivar max_tokens: of prompt and completion; an example that has more is left out
    """

    steps: int = 1_000
    batch: int = 32
    at_once: int = 4
    rate: float = 1e-4
    rank: int = 64
    alpha: int = 128
    dropout: float = 0.05
    max_tokens: int = 1024


class _Adapter(nn.Module):
    """The parameters of an adapter alone, so that checkpoints don't hold the model."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        learned = {name: one for name, one in model.named_parameters() if one.requires_grad}
        self.names = {name.replace(".", "/"): name for name in learned}
        self.learned = nn.ParameterDict({name.replace(".", "/"): one for name, one in learned.items()})


class LoraTrainer:
    """Trains an adapter.

    :param loaded: the model, which is given the adapter
    :param examples: to learn
    :param held_out: to judge by
    :param what: digest of what is trained on
    :raises LanguageModelError: no example is short enough
    """

    def __init__(
        self,
        loaded: LoadedModel,
        examples: Sequence[TextExample],
        held_out: Sequence[TextExample],
        options: LoraOptions,
        what: str = "",
    ) -> None:
        torch.manual_seed(options.seed)
        self.rng = np.random.default_rng(options.seed)
        self.options, self.loaded = options, loaded
        self.identity = json.dumps([what, {**asdict(options), "at_once": None}])  # fewer at once teach the same
        self.model = adapted(loaded, options)
        self.device = torch.device(self.model.device)
        forward = inspect.signature(self.model.get_base_model().forward)
        self._keeps_logits = "logits_to_keep" in forward.parameters
        self.examples = self._tokenised(examples)
        self.held_out = self._tokenised(held_out)[:MAX_HELD_OUT]
        if not self.examples:
            raise LanguageModelError(
                f"no example has at most {options.max_tokens:,} tokens: show fewer facts, or allow more tokens"
            )
        self._adapter = _Adapter(self.model)
        parts = nn.ModuleList([self._adapter])
        self.optimisation = Optimisation(parts, [options.rate], options.steps, WARM_UP)

    def loss(self, step: int) -> Tensor:
        """The mean loss of a batch's written tokens; all parts but the last are gone back through here."""
        self.model.train()
        count = min(self.options.batch, len(self.examples))
        chosen = [self.examples[place] for place in self.rng.choice(len(self.examples), count, replace=False)]
        chosen.sort(key=lambda one: len(one[0]) + len(one[1]))  # those of about one length together
        written = sum(len(completion) for _, completion in chosen)
        parts = [chosen[start : start + self.options.at_once] for start in range(0, count, self.options.at_once)]
        passed = 0.0
        for part in parts[:-1]:
            loss = self._summed(part) / written
            loss.backward()
            passed += float(loss.item())
        return self._summed(parts[-1]) / written + passed

    def evaluate(self, weights: Mapping[str, Floats]) -> float | None:
        """The mean log-probability of a held-out token; ``None``: nothing is held out."""
        if not self.held_out:
            return None
        self.model.eval()
        total, written, size = 0.0, 0, self.options.at_once
        with torch.no_grad():
            for start in range(0, len(self.held_out), size):
                some = self.held_out[start : start + size]
                total += float(self._summed(some).item())
                written += sum(len(completion) for _, completion in some)
        return -total / written

    def weights(self) -> dict[str, Floats]:
        """The adapter's weights as they are now."""
        state = {self._adapter.names[name]: one for name, one in self._adapter.learned.items()}
        return arrays_of({name: one.detach().float() for name, one in state.items()})

    def put(self, weights: Mapping[str, Floats]) -> None:
        """Give the adapter other weights."""
        own = dict(self.model.named_parameters())
        with torch.no_grad():
            for name, value in weights.items():
                own[name].copy_(torch.from_numpy(value))

    def _tokenised(self, examples: Sequence[TextExample]) -> list[tuple[list[int], list[int]]]:
        """Token ids of prompts, as they are asked, and of completions with the end of the text."""
        tokenizer, found = self.loaded.tokenizer, []
        for one in examples:
            read = self.loaded.ids(one.prompt)
            written = [*tokenizer(one.completion, add_special_tokens=False)["input_ids"], tokenizer.eos_token_id]
            if len(read) + len(written) <= min(self.options.max_tokens, self.loaded.window):
                found.append((read, written))
        return found

    def _summed(self, some: Sequence[tuple[list[int], list[int]]]) -> Tensor:
        """The summed loss of the written tokens of some examples."""
        apart = self.loaded.reads_apart
        rows = [read if apart else [*read, *written] for read, written in some]
        said = [written if apart else [NOT_LEARNED] * len(read) + written for read, written in some]
        labels = self._padded(said, NOT_LEARNED)
        inputs = {
            "input_ids": self._padded(rows, int(self.loaded.tokenizer.pad_token_id)),
            "attention_mask": self._padded([[1] * len(row) for row in rows], 0),
        }
        if apart:
            logits: Tensor = self.model(**inputs, labels=labels).logits
        else:  # of a prompt's tokens nothing is learned, so no probabilities of a whole vocabulary are computed there
            labels = labels[:, 1:]
            places = (labels != NOT_LEARNED).any(dim=0).nonzero().squeeze(1)
            keep = {"logits_to_keep": places} if self._keeps_logits else {}
            logits = self.model(**inputs, **keep, use_cache=False).logits
            labels = labels[:, places]
            logits = logits if keep else logits[:, places]
        found: Tensor = nn.functional.cross_entropy(
            logits.flatten(0, 1).float(), labels.flatten(), ignore_index=NOT_LEARNED, reduction="sum"
        )
        return found

    def _padded(self, rows: Sequence[list[int]], filling: int) -> Tensor:
        """Rows filled up behind, shape (rows, longest)."""
        longest = max(map(len, rows))
        return torch.tensor([[*row, *[filling] * (longest - len(row))] for row in rows], device=self.device)


def adapted(loaded: LoadedModel, options: LoraOptions) -> Any:
    """A model with a new adapter on all its linear layers; the adapter is of float32 whatever the model is.

    :raises MissingExtraError: peft is not installed
    """
    peft = imported_peft()
    config = peft.LoraConfig(
        task_type="SEQ_2_SEQ_LM" if loaded.reads_apart else "CAUSAL_LM", r=options.rank, lora_alpha=options.alpha,
        lora_dropout=options.dropout, target_modules="all-linear"
    )  # fmt: skip
    model = peft.get_peft_model(loaded.model, config)
    model.peft_config["default"].base_model_name_or_path = loaded.name  # peft has put a path of this machine there
    return model
