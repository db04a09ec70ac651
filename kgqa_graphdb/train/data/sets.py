"""What is learned from each graph: mined pairs, composed questions, and what of both is held out."""

from __future__ import annotations

import logging
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeVar

from kgqa_graphdb.catalog import graph_fingerprint
from kgqa_graphdb.encode import CHARACTERS
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.lm import TransformersModel
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.questions import Pair, read_pairs, sampled
from kgqa_graphdb.rank.question import read_question
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.data.compose import compose
from kgqa_graphdb.train.data.examples import Example, mine
from kgqa_graphdb.train.data.items import Item, items_of
from kgqa_graphdb.train.data.paraphrase import Composed, PromptedParaphraser, reworded
from kgqa_graphdb.train.data.phrases import nouns_of
from kgqa_graphdb.train.data.prober import PathProber
from kgqa_graphdb.train.data.synonyms import SynonymFinder
from kgqa_graphdb.train.settings import Source, Stage, Training
from kgqa_graphdb.types import WalkRule

log = logging.getLogger(__name__)

HELD_OUT = 0.1
"""Share of the questions, by their wording, that is not trained on where no dev file is given."""
MAX_HELD_OUT = 1_000
"""Of all graphs together."""
MIN_ITEMS = 20
COMPOSED = 12_000
PLAIN_SHARE = 0.05
_LATIN = re.compile("[A-Za-z]")


class HasText(Protocol):
    """A question to train on."""

    @property
    def text(self) -> str: ...


T = TypeVar("T", bound=HasText)
AnyT = TypeVar("AnyT")


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """What is learned on one graph's schema.

    :ivar asked: questions of pairs for which there is a path
    :ivar made: questions that nobody asked
    :ivar train: of ``asked`` what is not held out, and what is made of that
    :ivar held_out: questions of pairs to judge by; none of their wordings is in ``train``
    :ivar composed: of ``made`` what is not held out
    :ivar unseen: the others of ``made``
    :ivar pairs: how many were looked at
    :ivar walk: the walk rule that was chosen; ``None``: nobody asked
    :ivar fingerprint: of the graph; see :func:`kgqa_graphdb.catalog.graph_fingerprint`
    :ivar prober: sees what paths lead to; ``None``: there is no graph, or nobody asked
    """

    mapping: GraphMapping
    schema: Schema
    asked: Sequence[Item] = ()
    made: Sequence[Item] = ()
    train: Sequence[Item] = ()
    held_out: Sequence[Item] = ()
    composed: Sequence[Item] = ()
    unseen: Sequence[Item] = ()
    pairs: int = 0
    walk: WalkRule | None = None
    fingerprint: str = ""
    prober: PathProber | None = None

    @property
    def shown(self) -> int:
        """Questions that are trained on: those of pairs, or those that nobody asked where there are none."""
        return len(self.train or self.composed)

    def whole(self) -> TrainingSet:
        """The same with what was held out trained on, too."""
        return replace(self, train=self.asked, composed=self.made)


def make_sets(sources: Sequence[Source], output: Path, training: Training, stage: Stage) -> list[TrainingSet]:
    """Mine each graph's pairs, compose questions, and hold some of both out.

    :param output: folder in which what was mined is kept
    :raises UsageError: there is nothing to train on, or to hold out
    """
    count, hold_out = len(sources), not any(source.dev for source in sources)
    most = MAX_HELD_OUT // count
    speaker = PromptedParaphraser(TransformersModel(training.paraphrase)) if training.paraphrase else None
    words = None if training.encoder == CHARACTERS else SynonymFinder(training.encoder)
    sets = []
    for source in sources:
        graph = source.kg.graph.mapping.graph  # no name has a dot in it, so files of two graphs never share one
        names = ("mined", "mined-dev") if count == 1 else (f"mined-{graph}", f"mined-{graph}.dev")
        cache, dev_cache = (output / f"{name}.jsonl" for name in names)
        training_set = TrainingSet(source.kg.graph.mapping, Schema(source.kg.graph.mapping))
        made = training.composed
        if made is None:
            made = composed_count(training_set.schema, beside_pairs=bool(source.pairs))
        made = made // count if source.pairs else made  # where nobody has asked anything they are all there is
        reword = None
        if speaker:
            wordings = output / ("wordings.jsonl" if count == 1 else f"wordings-{graph}.jsonl")
            progress = stage(f"Paraphrasing {graph}", made)
            reword = partial(reworded, paraphraser=speaker, cache=wordings, seed=training.seed, progress=progress)
        training_set = with_composed(training_set, made, training, most, words, reword)
        sets.append(_with_pairs(training_set, source, cache, dev_cache, training, stage, hold_out=hold_out, most=most))
    if not any(training_set.shown for training_set in sets):
        raise UsageError("there is nothing to train on: name a file of --questions, or let --composed be more than 0")
    if not any(training_set.held_out or training_set.unseen for training_set in sets):
        raise UsageError("all questions have one wording, so none can be held out: name others with --dev")
    return sets


def _with_pairs(
    training_set: TrainingSet,
    source: Source,
    cache: Path,
    dev_cache: Path,
    training: Training,
    stage: Stage,
    *,
    hold_out: bool,
    most: int,
) -> TrainingSet:
    """With a graph's pairs and the paths to their answers.

    :param hold_out: of those to train on; else what is held out are those of ``dev``
    :param most: so many are held out at most
    :raises UsageError: too few have a path
    """
    mapping, schema, max_hops = training_set.mapping, training_set.schema, training.max_hops
    find = partial(mine, source.kg, max_hops=max_hops, given_topics=training.given_topics)
    examples: list[Example] = []
    dev_examples: list[Example] = []
    walk: WalkRule | None = None
    if source.pairs:
        progress = stage(f"Mining {mapping.graph}", len(source.pairs))
        examples, walk = find(source.pairs, cache, seed=training.seed, progress=progress)
    if source.dev:
        progress = stage(f"Mining {mapping.graph} dev", len(source.dev))
        dev_examples, _ = find(source.dev, dev_cache, walk=walk, progress=progress)
    asked, dev = items_of(examples, schema), items_of(dev_examples, schema)
    if source.pairs and len(asked) < MIN_ITEMS:
        raise UsageError(
            f"only {len(asked)} of {len(examples):,} questions have a path of at most {max_hops} hops to an answer in "
            f"graph {mapping.graph!r}: are they of this graph? See kgqa evaluate --coverage"
        )
    if source.dev and not dev:
        raise UsageError(
            f"no question to hold out has a path of at most {max_hops} hops to an answer in graph {mapping.graph!r}"
        )
    train, held_out = parted(asked, training.seed, most) if hold_out else (asked, some_of(dev, training.seed, most))
    log.info("graph %s, walk rule %s: %d of %d questions have a path to an answer; %d held out",
             mapping.graph, walk or mapping.walk, len(asked), len(examples), len(held_out))  # fmt: skip
    fingerprint = source.kg.perform(graph_fingerprint(mapping))
    walked = Graph(replace(mapping, walk=walk or mapping.walk))
    prober = PathProber(source.kg, walked, schema) if asked else None
    return replace(training_set, asked=asked, train=train, held_out=held_out, pairs=len(examples), walk=walk,
                   fingerprint=fingerprint, prober=prober)  # fmt: skip


def with_composed(
    training_set: TrainingSet,
    count: int,
    training: Training,
    most: int,
    words: SynonymFinder | None = None,
    reword: Callable[[Sequence[Composed]], list[Composed]] | None = None,
) -> TrainingSet:
    """With so many questions that nobody asked, a tenth of them held out.

    :param most: so many are held out at most
    :param words: finds other words for the schema's nouns
    :param reword: says some of them in other words, which are shown beside them
    """
    schema = training_set.schema
    alike = words.of(nouns_of(schema)) if words and count else {}
    composed = list(islice(compose(schema, training.seed, training.max_hops, alike), count))
    made = [
        Item(read_question(text, schema.vocabulary).text, starts, (path,), (1.0,), 1.0)
        for text, path, starts in (*composed, *(reword(composed) if reword else ()))
    ]
    return with_made(training_set, made, training.seed, most)


def with_made(training_set: TrainingSet, made: Sequence[Item], seed: int, most: int) -> TrainingSet:
    """With questions that nobody asked, a tenth of them, and at most so many, held out."""
    composed, unseen = parted(made, seed, most)
    return replace(training_set, made=made, composed=composed, unseen=unseen)


def with_plain(training_set: TrainingSet, seed: int) -> TrainingSet:
    """With questions that say a relation's words and nothing else; an encoder that knows no words has to learn them."""
    beside = plain_items(training_set.schema, len(training_set.train), seed)
    return replace(training_set, train=[*training_set.train, *beside], asked=[*training_set.asked, *beside])


def plain_items(schema: Schema, beside: int, seed: int) -> list[Item]:
    """Questions that say a relation's words and nothing else, before and after the topic.

    :param beside: questions of pairs that they are shown with; they make up :data:`PLAIN_SHARE` as many
    """
    items = [
        Item(text, tuple(sorted({row, *schema.followers(row ^ 1).tolist()})), ((row,),), (1.0,), 1.0)
        for row, step in enumerate(schema.steps)
        if not step.inverse
        for text in _beside_topic(step.phrase)
    ]
    return random.Random(seed).choices(items, k=round(PLAIN_SHARE * beside)) if items else []


def _beside_topic(phrase: str) -> tuple[str, str]:
    """A topic and a relation's words; a space parts them where they are of Latin letters."""
    gap = " " if _LATIN.search(phrase) else ""
    topic = read_question(TOPIC).text
    return f"{topic}{gap}{phrase}", f"{phrase}{gap}{topic}"


def composed_count(schema: Schema, *, beside_pairs: bool) -> int:
    """How many questions to compose where nobody says: they are English.

    Beside pairs none where the words of most relations are in other letters; without pairs they are all there is.
    """
    latin = [bool(_LATIN.search(step.relation.phrase)) for step in schema.steps]
    return 0 if beside_pairs and sum(latin) * 2 < len(latin) else COMPOSED


def read_samples(files: Sequence[Path], limit: int | None, seed: int) -> list[Pair]:
    """The pairs of some files, at most so many of each; ids say which file they are of where there are several."""
    found: list[Pair] = []
    for number, file in enumerate(files):
        pairs = sampled(read_pairs(file), limit, seed)
        found += [replace(pair, id=f"{number}/{pair.id}") for pair in pairs] if len(files) > 1 else pairs
    return found


def parted(items: Sequence[T], seed: int, most: int) -> tuple[list[T], list[T]]:
    """Items to train on and to hold out; none of the wordings of one occurs in the other."""
    rng = random.Random(seed)
    texts = sorted({item.text for item in items})
    chosen = set(rng.sample(texts, max(1, round(HELD_OUT * len(texts))) if len(texts) > 1 else 0))
    held_out = [item for item in items if item.text in chosen]
    return [item for item in items if item.text not in chosen], rng.sample(held_out, min(most, len(held_out)))


def some_of(items: Sequence[AnyT], seed: int, most: int) -> list[AnyT]:
    """A random sample of at most so many."""
    return random.Random(seed).sample(items, min(most, len(items)))
