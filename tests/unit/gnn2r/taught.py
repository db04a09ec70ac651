"""A model that was taught a few questions by heart, in a folder: step I, or both steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import OnnxEncoder
from kgqa_graphdb.export import SubgraphSettings
from kgqa_graphdb.export.named import relation_words
from kgqa_graphdb.export.words import told_apart
from kgqa_graphdb.gnn2r.files import FORMAT, METHOD, PARTS, WEIGHTS, Gnn2rDetails, read_model
from kgqa_graphdb.gnn2r.graphs import QuestionGraph
from kgqa_graphdb.gnn2r.reasoner import StepOne
from kgqa_graphdb.models import ModelCard, read_weights, write_model, write_weights
from kgqa_graphdb.questions import Gold, Pair
from kgqa_graphdb.types import Floats, Ints

STEPS, STEPS_TWO = 150, 12
SEEDS = 12
CANDIDATES = 3
LAYERS = 2
HOPS = 2


def pairs_of(asked: dict[str, set[str]]) -> list[Pair]:
    """Questions and the names of their answers."""
    return [
        Pair(question, question, tuple(Gold(name=name) for name in sorted(names))) for question, names in asked.items()
    ]


def teach(folder: Path, sources: Sequence[tuple[KGQA, Sequence[Pair]]]) -> str:
    """Train a model on questions of some graphs; on one thread, so that sums have the same order on every machine."""
    import torch

    from kgqa_graphdb.train.gnn2r.fit import StepOneOptions, StepOneTrainer
    from kgqa_graphdb.train.gnn2r.judge import best_threshold, distances_of, mean_f1
    from kgqa_graphdb.train.gnn2r.lessons import lessons_of, linked_pairs
    from kgqa_graphdb.train.loop import train_model
    from kgqa_graphdb.train.paths.readers import FrozenReader

    subgraphs = SubgraphSettings(hops=HOPS)
    graphs = [kg.export(folder / f"export-{number}") for number, (kg, _) in enumerate(sources)]
    words = [relation_words(told_apart(graph.manifest.relations)) for graph in graphs]
    total = sum(len(some) // 2 for some in words)
    lessons, first, asked = [], 0, []
    for graph, (kg, pairs), own in zip(graphs, sources, words, strict=True):
        linked = linked_pairs(kg, graph, pairs, lambda done, of: None)
        found, left_out = lessons_of(graph, linked, subgraphs, "apart")
        assert not left_out, left_out
        asked.append(found)
        lessons += [replace(one, graph=_moved(one.graph, len(own) // 2, first, total)) for one in found]
        first += len(own) // 2
    all_words = [word for half in (0, 1) for some in words for word in _half(some, half)]
    encoder = OnnxEncoder()
    details = Gnn2rDetails(hops=HOPS, max_nodes=500, layers=LAYERS, inverse="apart", threshold=1.0)
    card = ModelCard(METHOD, FORMAT, encoder=encoder.name, graphs={kg.graph_name: "" for kg, _ in sources})
    flat = [one for some in asked for one in some]
    torch.set_num_threads(1)
    for seed in range(SEEDS):
        options = StepOneOptions(steps=STEPS, check=STEPS, rate=2e-3, dim=64, layers=LAYERS, seed=seed)
        trainer = StepOneTrainer(lessons, all_words, FrozenReader(encoder, [all_words]), None, options, HOPS)
        fitted = train_model(trainer, None, lambda done, of: None)
        _write(folder, card, details, fitted.weights)
        step_ones = [StepOne.of(read_model(folder), graph.manifest.relations) for graph in graphs]
        distances = [own for step, some in zip(step_ones, asked, strict=True) for own in distances_of(step, some)]
        threshold = best_threshold(flat, distances)
        if mean_f1(flat, distances, threshold) == 1:
            _write(folder, card, replace(details, threshold=threshold), fitted.weights)
            return str(folder)
    raise AssertionError(f"after {STEPS} steps with any of {SEEDS} seeds some question was not known by heart")


def _write(folder: Path, card: ModelCard, details: Gnn2rDetails, weights: Mapping[str, Floats]) -> None:
    with write_model(folder, replace(card, details=asdict(details)), PARTS) as part:
        write_weights(weights, part / WEIGHTS)


def teach_both(taught: Path, folder: Path, sources: Sequence[tuple[KGQA, Sequence[Pair]]]) -> str:
    """Train step II on questions of some graphs, beside a step I that was taught them; their walk rule stays."""
    from kgqa_graphdb.train.gnn2r.cases import Case, CaseMaker
    from kgqa_graphdb.train.gnn2r.lessons import linked_pairs
    from kgqa_graphdb.train.gnn2r.step_two import StepTwoSettings, fit_cases
    from kgqa_graphdb.train.settings import Training

    files = read_model(taught)
    subgraphs, cases = SubgraphSettings(hops=HOPS), list[Case]()
    for number, (kg, pairs) in enumerate(sources):
        graph = kg.open_export(taught / f"export-{number}")
        step_one = StepOne.of(files, graph.manifest.relations)
        maker = CaseMaker(kg, graph, step_one, subgraphs, "apart", CANDIDATES, "walks", subgraphs.hops)
        linked = linked_pairs(kg, graph, pairs, lambda done, of: None)
        cases += maker.make(linked, kg.graph.mapping.walk, lambda done, of: None, learn=True)
    assert len(cases) == sum(len(pairs) for _, pairs in sources)
    settings = StepTwoSettings(candidates=CANDIDATES, steps=STEPS_TWO)
    fitted = fit_cases(
        cases, cases, "no_backtrack", folder, training=Training(), settings=settings,
        stage=lambda name, total: lambda done, of: None,
    )  # fmt: skip
    assert fitted is not None
    metrics = fitted.details.training.metrics
    assert metrics["f1"] == metrics["best_f1"], f"after {STEPS_TWO} steps some question is not known by heart"
    card = replace(files.card, details=asdict(replace(files.details, step_two=fitted.details)))
    weights = read_weights(taught / WEIGHTS)
    with write_model(folder, card, PARTS) as part:
        write_weights(weights, part / WEIGHTS)
        fitted.save(part)
    return str(folder)


def widened(taught: str, folder: Path, hops: int, path_hops: int | None = None) -> str:
    """A model that was taught, but whose subgraphs and paths are of so many hops."""
    files = read_model(taught)
    _write(
        folder, files.card, replace(files.details, hops=hops, path_hops=path_hops), read_weights(Path(taught) / WEIGHTS)
    )
    return str(folder)


def _half(words: Sequence[str], half: int) -> Sequence[str]:
    size = len(words) // 2
    return words[half * size : (half + 1) * size]


def _moved(graph: QuestionGraph, own: int, first: int, total: int) -> QuestionGraph:
    """A subgraph whose relations are numbered as those of all graphs together: all forwards, then all backwards."""
    relation: Ints = np.where(graph.relation < own, graph.relation + first, graph.relation - own + first + total)
    return replace(graph, relation=relation)
