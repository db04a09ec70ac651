"""Learns how a candidate is chosen for another guesser, with the ranker of a trained model as it is.

Which place and how many votes mean a right guess differs from one guesser to the next, what a subgraph says does not.
"""

from __future__ import annotations

import logging
import shutil
import time
from dataclasses import asdict, replace
from pathlib import Path

from kgqa_graphdb.catalog import graph_fingerprint
from kgqa_graphdb.documents import expanded
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.methods.rerank import relation_words_of
from kgqa_graphdb.models import TrainingFigures, claim_folder, write_model
from kgqa_graphdb.questions import with_topics
from kgqa_graphdb.rerank.choice import FEATURES
from kgqa_graphdb.rerank.files import METHOD, PARTS, read_model
from kgqa_graphdb.train.paths.train import check_count
from kgqa_graphdb.train.rerank.choose import choose
from kgqa_graphdb.train.rerank.train import RankSettings, check_teaching, joined_cases
from kgqa_graphdb.train.settings import Source, Stage, Trained, Training

log = logging.getLogger(__name__)


def train_choice(
    source: Source, output: Path, ranker_of: Path, *, training: Training, settings: RankSettings, stage: Stage
) -> Trained:
    """Learn the choice from all of the questions; needs no torch.

    :param ranker_of: folder of a trained model; how its ranker reads subgraphs stays
    :param settings: of which the numbers of candidates and neighbours count
    :raises UsageError: there is no such model, it is written to itself, or of too few questions a right and a wrong
        candidate are joined with the topics
    """
    files = read_model(ranker_of)
    if output.resolve() == expanded(ranker_of).resolve():
        raise UsageError(f"{output} is the model whose ranker is taken; name another folder")
    check_count(source)
    claim_folder(output, METHOD)
    started, kg, old = time.perf_counter(), source.kg, files.details
    settings = replace(
        settings, hops=old.hops, highlight=old.highlight, subgraph=old.subgraph, max_tokens=old.max_tokens,
        ranker=old.ranker,
    )  # fmt: skip
    pairs = with_topics([*source.pairs, *source.dev], given=training.given_topics)
    cases = joined_cases(kg, pairs, output, settings, stage)
    teaching = check_teaching(cases, kg.graph_name)
    mapping, asked = kg.graph.mapping, [case for case in cases if case.sequences]
    choice, metrics = choose(asked, files.ranker, relation_words_of(mapping))
    log.info("choice from %d of %d questions: %s", len(teaching), len(cases),
             ", ".join(f"{key} {value:.4f}" for key, value in metrics.items()))  # fmt: skip
    seconds = time.perf_counter() - started
    figures = TrainingFigures(
        options={"ranker_of": str(ranker_of)}, questions=len(teaching), left_out=len(cases) - len(teaching),
        metrics=metrics, seconds=round(seconds, 1),
    )  # fmt: skip
    details = replace(
        old, candidates=settings.candidates, neighbours=settings.neighbours, bias=choice.bias, training=figures,
        weights=dict(zip(FEATURES, choice.weights, strict=True)),
    )  # fmt: skip
    graphs = {mapping.graph: kg.perform(graph_fingerprint(mapping))}
    with write_model(output, replace(files.card, graphs=graphs, details=asdict(details)).made_now(), PARTS) as part:
        for name in PARTS:
            if (expanded(ranker_of) / name).is_file():
                shutil.copyfile(expanded(ranker_of) / name, part / name)
    return Trained(output, len(cases), len(teaching) / len(cases), metrics["hits_at_1"], 0, seconds)
