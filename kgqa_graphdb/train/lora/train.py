"""``kgqa train reader``, ``kg2text`` and ``guesser``: an adapter of a language model in a folder."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeAlias

from kgqa_graphdb.documents import expanded
from kgqa_graphdb.errors import LanguageModelError, UsageError
from kgqa_graphdb.lm.files import find_files
from kgqa_graphdb.lm.loaded import TransformersSettings, fast_dtype, load_model
from kgqa_graphdb.models import ModelCard, claim_folder, write_model
from kgqa_graphdb.train.loop import train_model
from kgqa_graphdb.train.lora.examples import TextExample, parted
from kgqa_graphdb.train.lora.fit import LoraOptions, LoraTrainer
from kgqa_graphdb.train.settings import Stage, Trained

log = logging.getLogger(__name__)
Trainee: TypeAlias = Literal["reader", "kg2text", "guesser"]
FORMAT = 1
HELD_OUT = 0.05
MIN_EXAMPLES = 20
CHECKPOINT = "checkpoint.pt"
PARTS = ("adapter_config.json", "adapter_model.safetensors")
"""Files that peft writes."""


@dataclass(frozen=True, slots=True)
class LoraTraining:
    """What a person says of such a training.

    :ivar base: the language model, by what ``--language-model`` takes
    :ivar dtype: of its weights; auto: see :func:`kgqa_graphdb.lm.loaded.fast_dtype`. The adapter's are float32
    """

    base: str
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    options: LoraOptions = field(default_factory=LoraOptions)


def train_adapter(
    kind: Trainee, examples: Sequence[TextExample], output: Path, *, training: LoraTraining, stage: Stage
) -> Trained:
    """Train an adapter on examples; the same call goes on where one was cut off.

    :param output: folder for it; ``--language-model`` takes it, and so does its setting ``adapter``
    :raises UsageError: there are too few examples, or the folder holds something else
    :raises LanguageModelError: the model can't be loaded, or is an adapter itself, or no example is short enough
    """
    if len(examples) < MIN_EXAMPLES:
        raise UsageError(f"{len(examples)} examples are too few to learn from: {MIN_EXAMPLES} are the least")
    claim_folder(output, kind)
    train, held_out = parted(examples, HELD_OUT, training.options.seed)
    folder = expanded(training.base)
    base = str(folder.resolve()) if folder.exists() else training.base  # it is found from anywhere
    dtype = fast_dtype() if training.dtype == "auto" else training.dtype
    if find_files(base).adapter:
        raise LanguageModelError(f"{base!r} is an adapter itself: name the model that it is for with --language-model")
    loaded = load_model(base, TransformersSettings(dtype=dtype), to_train=True)
    options = replace(training.options, check=max(1, min(training.options.check, training.options.steps // 5)))
    what = hashlib.sha256(repr((kind, training.base, dtype, train, held_out)).encode()).hexdigest()
    trainer = LoraTrainer(loaded, train, held_out, options, what)
    left_out = len(train) - len(trainer.examples)
    log.info("%d examples, %d held out, %d too long", len(trainer.examples), len(trainer.held_out), left_out)
    if not trainer.held_out:
        raise UsageError(
            f"the examples to hold out are longer than {options.max_tokens:,} tokens, so that nothing could be judged: "
            "raise --max-tokens, or give more questions"
        )
    fitted = train_model(trainer, output / CHECKPOINT, stage("Training", options.steps))
    trainer.put(fitted.weights)
    score = trainer.evaluate(fitted.weights) or 0.0
    details = {
        "base": base, "dtype": dtype, "options": asdict(options), "examples": len(trainer.examples),
        "held_out": len(trainer.held_out), "held_out_log_p": score, "history": fitted.history,
        "seconds": round(fitted.seconds, 1),
    }  # fmt: skip
    card = ModelCard(kind, FORMAT, seed=options.seed, details=details).made_now()
    with write_model(output, card, PARTS) as part:
        # No embedding is trained; else peft asks the hub for the model's vocabulary.
        trainer.model.save_pretrained(str(part), save_embedding_layers=False)
        (part / "README.md").unlink(missing_ok=True)  # an empty form
    (output / CHECKPOINT).unlink(missing_ok=True)
    return Trained(output, len(examples), 0.0, score, fitted.best_step, fitted.seconds)
