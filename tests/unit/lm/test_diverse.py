"""A diverse beam search chooses by the formula, and is the ordinary one where there is nothing to avoid."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch  # noqa: TID253

from kgqa_graphdb.errors import LanguageModelError, UsageError
from kgqa_graphdb.lm import ScriptedModel, TransformersModel
from kgqa_graphdb.lm.diverse import Beam, diverse_beams
from kgqa_graphdb.lm.loaded import LoadedModel
from kgqa_graphdb.steps import Sampling

END, A, B, C, X, Y, Z, START = range(8)
NEXT: Mapping[int, Mapping[int, float]] = {
    START: {A: 0.5, B: 0.3, C: 0.2},
    A: {X: 0.55, Y: 0.45},
    B: {X: 0.6, Y: 0.4},
    C: {X: 0.7, Y: 0.2, Z: 0.1},
    **{last: {END: 1.0} for last in (END, X, Y, Z)},
}
"""Token → its successors' probabilities."""


class Made(dict[str, Any]):
    """What a model gives."""

    logits: Any


class Cache:
    """Keeps the last token of each row, by which rows that were mixed up are found out."""

    def __init__(self) -> None:
        self.last: Any = None

    def reorder_cache(self, rows: Any) -> None:
        self.last = self.last[rows]


class Markov:
    """A causal model whose next token depends on the last one alone."""

    def __init__(self, successors: Mapping[int, Mapping[int, float]]) -> None:
        self.successors = successors
        self.config = SimpleNamespace(is_encoder_decoder=False)
        self.generation_config = SimpleNamespace(eos_token_id=END)
        self.rows: list[tuple[int, ...]] = []

    def forward(self, input_ids: Any, attention_mask: Any, past_key_values: Cache | None, use_cache: bool) -> Made:
        assert attention_mask.shape[0] == input_ids.shape[0]
        self.rows.append(tuple(input_ids.shape))
        cache = past_key_values or Cache()
        if cache.last is not None:  # every row goes on as its last token may
            went = zip(cache.last.tolist(), input_ids[:, -1].tolist(), strict=True)
            assert all(now in self.successors[last] or not self.successors[last] for last, now in went)
        cache.last = input_ids[:, -1]
        made = Made({"past_key_values": cache})
        made.logits = torch.full((*input_ids.shape, 8), -30.0)
        for row, last in enumerate(cache.last.tolist()):
            for token, probability in self.successors[last].items():
                made.logits[row, -1, token] = math.log(probability)
        return made

    __call__ = forward


def searched(sampling: Sampling, successors: Mapping[int, Mapping[int, float]] = NEXT) -> list[Beam]:
    """The completions after START."""
    inputs = {"input_ids": torch.tensor([[START]]), "attention_mask": torch.tensor([[1]])}
    (beams,) = diverse_beams(LoadedModel("made", None, Markov(successors), chat=False), inputs, sampling)
    return beams


@pytest.mark.parametrize(
    ("sampling", "expected"),
    [
        # The ordinary search: 0.5 · 0.55 and 0.5 · 0.45 beat 0.3 · 0.6, so both begin with A.
        (Sampling(max_tokens=5, n=2), {(A, X): 0.275, (A, Y): 0.225}),
        # ln 0.5 - 0.3 = -0.99 beats ln 0.3 = -1.20; then ln 0.225 = -1.49 beats ln 0.275 - 0.3 = -1.59.
        (Sampling(max_tokens=5, n=2, groups=2, diversity=0.3), {(A, X): 0.275, (A, Y): 0.225}),
        # ln 0.3 = -1.20 beats ln 0.5 - 1 = -1.69; then ln 0.12 = -2.12 beats ln 0.18 - 1 = -2.71.
        (Sampling(max_tokens=5, n=2, groups=2, diversity=1.0), {(A, X): 0.275, (B, Y): 0.12}),
        # In the third group ln 0.2 = -1.61 beats ln 0.5 - 1; then ln 0.14 - 1 = -2.97 beats Z, which costs nothing
        # (ln 0.02 = -3.91), and Y (ln 0.04 - 1 = -4.22).
        (Sampling(max_tokens=5, n=3, groups=3, diversity=1.0), {(A, X): 0.275, (C, X): 0.14, (B, Y): 0.12}),
    ],
    ids=["one group", "a little", "much", "three groups"],
)
def test_groups_choose_by_the_formula_and_are_scored_without_penalties(
    sampling: Sampling, expected: Mapping[tuple[int, ...], float]
) -> None:
    beams = searched(sampling)
    assert [beam.ids for beam in beams] == [(*tokens, END) for tokens in expected]
    assert [beam.log_probability for beam in beams] == pytest.approx(list(map(math.log, expected.values())), abs=1e-5)
    assert [beam.score for beam in beams] == pytest.approx([math.log(one) / 3 for one in expected.values()], abs=1e-5)


def test_each_beam_of_an_earlier_group_that_chose_a_token_is_counted() -> None:
    """After X and Y both beams of the first group go on with Z; 0.8 is less than what W lacks, twice that is more."""
    w = C
    after = {START: {X: 0.5, Y: 0.5}, X: {Z: 0.9, w: 0.1}, Y: {Z: 0.7, w: 0.3}, Z: {END: 1.0}, w: {END: 1.0}}
    sampling = Sampling(max_tokens=3, n=4, groups=2, diversity=0.8)
    after[END] = {END: 1.0}
    beams = searched(sampling, after)
    # The second group pays twice 0.8 for X, Y and Z: ln 0.45 - 1.6 = -2.40, ln 0.35 - 1.6 = -2.65, ln 0.15 = -1.90,
    # ln 0.05 = -3.00. Paying once it would take X Z (-1.60) before Y W (-1.90).
    assert sorted(beam.ids[:2] for beam in beams) == sorted([(X, Z), (Y, Z), (Y, w), (X, Z)])


def test_an_end_costs_nothing_and_may_come_while_others_go_on() -> None:
    after = {START: {A: 0.6, B: 0.4}, A: {END: 0.9, X: 0.1}, B: {END: 0.6, Y: 0.4}, X: {Y: 1.0}, Y: {X: 1.0}, END: {}}
    beams = searched(Sampling(max_tokens=6, n=2, groups=2, diversity=1.0), after)
    # ln 0.6 - 1 for the end of the second would be less than ln 0.4 for Y.
    assert [beam.ids for beam in beams] == [(A, END), (B, END)]
    assert [beam.score for beam in beams] == pytest.approx([math.log(0.54) / 2, math.log(0.24) / 2], abs=1e-5)
    after[B] = {Y: 1.0}  # the second never ends
    beams = searched(Sampling(max_tokens=6, n=2, groups=2, diversity=1.0), after)
    short, long = sorted(beams, key=lambda beam: len(beam.ids))
    assert (short.ids, long.ids) == ((A, END), (B, Y, X, Y, X, Y))
    assert long.score == pytest.approx(math.log(0.4) / 6, abs=1e-5)


def test_a_prompt_is_read_once_whatever_the_number_of_its_beams() -> None:
    model = Markov(NEXT)
    inputs = {"input_ids": torch.tensor([[A, START], [END, START]]), "attention_mask": torch.tensor([[1, 1], [0, 1]])}
    both = diverse_beams(LoadedModel("made", None, model, chat=False), inputs, Sampling(max_tokens=3, n=4, groups=2))
    assert both[0] == both[1]
    assert model.rows == [(2, 2), (8, 1), (8, 1)]


ENDS = [2, 3, 4]


def llama(seed: int) -> Any:
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=24, hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
        bos_token_id=1, eos_token_id=ENDS, pad_token_id=0,
    )  # fmt: skip
    return drawn(LlamaForCausalLM(config), seed)


def t5(seed: int) -> Any:
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(
        vocab_size=24, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2, decoder_start_token_id=0,
        eos_token_id=ENDS, pad_token_id=0, tie_word_embeddings=False,
    )  # fmt: skip
    return drawn(T5ForConditionalGeneration(config), seed)


def drawn(model: Any, seed: int) -> Any:
    """A model with random weights, which is sure of nothing and hesitates between few."""
    torch.manual_seed(seed)
    with torch.no_grad():
        for weights in model.parameters():
            weights.normal_(0.0, 0.5)
        model.lm_head.weight.normal_(0.0, 0.8)
    return model.eval()


def with_adapter(seed: int) -> Any:
    from peft import LoraConfig, get_peft_model

    torch.manual_seed(seed)
    adapter = LoraConfig(r=2, init_lora_weights=False, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM")
    return get_peft_model(llama(seed), adapter).eval()


@pytest.mark.parametrize("make", [llama, t5, with_adapter])
@pytest.mark.parametrize("seed", range(4))
def test_one_group_is_the_ordinary_beam_search(make: Any, seed: int) -> None:
    model, max_tokens, n = make(seed), 8, 3
    prompts = [[5, 6, 7, 8], [9, 10], [11, 12, 13]]
    left = not model.config.is_encoder_decoder
    inputs = padded(prompts, left=left)
    with torch.no_grad():
        made = model.generate(
            **inputs, num_beams=n, num_return_sequences=n, max_new_tokens=max_tokens, do_sample=False,
            return_dict_in_generate=True, output_scores=True,
        )  # fmt: skip
        found = diverse_beams(LoadedModel("made", None, model, False), inputs, Sampling(max_tokens=max_tokens, n=n))
    read = inputs["input_ids"].shape[1] if left else 1
    beams = [beam for row in found for beam in row]
    assert [until_end(ids) for ids in made.sequences[:, read:].tolist()] == [until_end(beam.ids) for beam in beams]
    assert made.sequences_scores.tolist() == pytest.approx([beam.score for beam in beams], abs=1e-4)


@pytest.mark.parametrize("make", [llama, t5])
def test_ends_come_in_the_middle_of_what_is_searched_there(make: Any) -> None:
    found = [searched_by(make(seed), Sampling(max_tokens=8, n=3)) for seed in range(4)]
    lengths = {len(beam.ids) for row in found for beam in row}
    assert min(lengths) < 8
    assert len(lengths) > 1


@pytest.mark.parametrize("make", [llama, t5])
def test_groups_that_avoid_nothing_come_to_the_same_and_others_to_more(make: Any) -> None:
    model = make(1)
    alone = searched_by(model, Sampling(max_tokens=8, n=2))
    same = searched_by(model, Sampling(max_tokens=8, n=6, groups=3))
    assert [beam.ids for beam in same] == [beam.ids for beam in alone for _ in range(3)]
    other = searched_by(model, Sampling(max_tokens=8, n=6, groups=3, diversity=5.0))
    assert len({beam.ids for beam in other}) == 6
    assert len({beam.ids[0] for beam in other}) > len({beam.ids[0] for beam in alone})
    assert other == searched_by(model, Sampling(max_tokens=8, n=6, groups=3, diversity=5.0))
    assert [beam.score for beam in other] == sorted((beam.score for beam in other), reverse=True)


def searched_by(model: Any, sampling: Sampling) -> list[Beam]:
    """The completions of one prompt."""
    with torch.no_grad():
        (beams,) = diverse_beams(LoadedModel("made", None, model, False), padded([[5, 6, 7]], left=True), sampling)
    return beams


def padded(prompts: Sequence[Sequence[int]], *, left: bool) -> dict[str, Any]:
    """A batch; shape (prompts, longest)."""
    most = max(map(len, prompts))
    gaps = [[0] * (most - len(ids)) for ids in prompts]
    rows = [[*gap, *ids] if left else [*ids, *gap] for gap, ids in zip(gaps, prompts, strict=True)]
    ids = torch.tensor(rows)
    return {"input_ids": ids, "attention_mask": (ids != 0).long()}


def until_end(ids: Sequence[int]) -> list[int]:
    return list(ids[: next((place for place, token in enumerate(ids) if token in ENDS), len(ids))])


def model_folder() -> Path:
    folder = Path(os.environ.get("KGQA_DATA", "data")) / "models" / "stories260K-llama"
    if not folder.is_dir():
        pytest.skip(f"no {folder}: set KGQA_DATA to the folder that holds models/stories260K-llama")
    return folder


@pytest.mark.data
def test_a_model_writes_more_different_texts_in_groups_alone_and_beside_others() -> None:
    model, prompts = TransformersModel(str(model_folder())), ["Once upon a time", "The big dog was", "Lily"]
    (plain,) = model.generate(prompts[:1], Sampling(max_tokens=8, n=6))
    groups = Sampling(max_tokens=8, n=6, groups=3, diversity=5.0)
    together = model.generate(prompts, groups)
    assert together == [model.generate([one], groups)[0] for one in prompts]
    assert [len(one) for one in together] == [6, 6, 6]
    assert len({text[:6] for text in together[0]}) > len({text[:6] for text in plain})
    stopped = model.generate(prompts[:1], replace(groups, stop=(" there", "e w")))
    assert not any(" there" in text or "e w" in text for text in stopped[0])
    with pytest.raises(LanguageModelError, match="JSON schema in a beam search"):
        model.generate(prompts, Sampling(n=2, groups=2, json_schema="{}"))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n": 5, "groups": 2}, "5 completions can't be spread over 2 groups"),
        ({"n": 2, "groups": 0}, "over 0 groups"),
        ({"n": 4, "groups": 2, "temperature": 0.5}, "at temperature 0.5 completions are drawn"),
        ({"n": 4, "groups": 2, "diversity": -1.0}, "can't cost -1"),
        ({"n": 4, "groups": 2, "diversity": math.nan}, "can't cost nan"),
    ],
)
def test_groups_that_are_none_are_refused(given: Mapping[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Sampling(**given)


def test_a_script_answers_a_search_in_groups_too() -> None:
    assert ScriptedModel({}, default="a").generate(["x"], Sampling(n=4, groups=2, diversity=1.0)) == [("a",) * 4]
