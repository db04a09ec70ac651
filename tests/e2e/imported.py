"""What a process imports from which commands are forked."""

from __future__ import annotations

import gc
import importlib
import sys
from pathlib import Path

# PyTorch Geometric takes ten seconds, and few commands use it.
LEFT_OUT = {"pyg", "gnn2r", "rerank"}

# As :func:`kgqa_graphdb.cli.main` does, before the Neo4j driver is imported.
sys.modules.setdefault("pandas", None)  # type: ignore[arg-type]

for package in ("kgqa_graphdb", "kgqa_loaders"):
    folder = Path(importlib.import_module(package).__path__[0])
    for file in folder.rglob("*.py"):
        parts = file.relative_to(folder.parent).with_suffix("").parts
        if not LEFT_OUT.intersection(parts) and not file.name.startswith("__"):
            importlib.import_module(".".join(parts))
for library in ("onnxruntime", "tokenizers", "torch._dynamo"):  # the last is what an optimiser imports, five seconds
    importlib.import_module(library)
gc.freeze()
