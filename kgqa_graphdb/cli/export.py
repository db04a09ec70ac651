"""``kgqa export``: a graph as columns of numbers, for learning on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgqa_graphdb.cli.app import INTERRUPTED, app
from kgqa_graphdb.cli.asking import Mapping
from kgqa_graphdb.cli.db import open_connection
from kgqa_graphdb.cli.interrupt import interruptible
from kgqa_graphdb.cli.output import GraphName, JsonFlag, emit_json, print_status, progress, say

if TYPE_CHECKING:
    from kgqa_graphdb.cli.output import Advance
    from kgqa_graphdb.evaluate.subgraphs import SubgraphCoverage
    from kgqa_graphdb.export import ExportedGraph
    from kgqa_graphdb.questions import Pair

HOPS, NODES = 2, 500
EXAMPLES = """
Examples:

  kgqa export --graph space --output space-export

  kgqa export --graph shop --mapping shop.toml --property price --output shop-export

  kgqa export --graph metaqa --output metaqa-export --questions qa_dev.txt --hops 3 --nodes 500

The folder has the graph as columns that memory maps read, so that it may be larger than memory, with the keys and names
of entities and relations. In Python it is ExportedGraph.open("space-export"); with the extra gnn PyTorch Geometric's
loaders take it. An export that was cut off begins anew; what the folder had stays until the new one is complete.
"""


@app.command(epilog=EXAMPLES)
def export(
    graph: GraphName,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write; replaced if it has an export.")],
    properties: Annotated[
        list[str] | None,
        typer.Option("--property", metavar="NAME", help="Export a property of entities as numbers; may be repeated."),
    ] = None,
    qualifiers: Annotated[
        list[str] | None,
        typer.Option("--qualifier", metavar="NAME", help="Export a property of facts as numbers; may be repeated."),
    ] = None,
    features: Annotated[
        bool, typer.Option("--features", help="Embed the names of entities and the words of relations, too.")
    ] = False,
    questions: Annotated[
        Path | None,
        typer.Option("--questions", "-q", help="File of questions: how many answers lie in subgraphs around topics?"),
    ] = None,
    hops: Annotated[
        int | None, typer.Option("--hops", min=1, help="Of those subgraphs.", show_default=str(HOPS))
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option("--nodes", min=0, help="Entities of one, by PageRank; 0: all.", show_default=str(NODES)),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Take a random sample of the questions.", show_default="all")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the sample.")] = 0,
    mapping: Mapping = None,
    json: JsonFlag = False,
) -> None:
    """Export a graph as columns of numbers, for graph neural networks and other learning."""
    import time
    from dataclasses import asdict

    from kgqa_graphdb.errors import UsageError
    from kgqa_graphdb.questions import read_pairs, sampled

    if not questions and (hops, nodes, limit) != (None, None, None):
        raise UsageError("--hops, --nodes and --limit say which subgraphs of questions are measured: add --questions")
    hops, nodes = HOPS if hops is None else hops, NODES if nodes is None else nodes
    pairs = sampled(read_pairs(questions), limit, seed) if questions else []
    began = time.perf_counter()
    try:
        with progress(f"Exporting {graph}") as bar:
            options: dict[str, Any] = {"properties": properties or (), "qualifiers": qualifiers or ()}
            exported = interruptible(lambda: _export(graph, output, mapping, bar, options))
    except KeyboardInterrupt:
        print_status(f"kgqa: interrupted; nothing new is in {output}. The same command begins anew.")
        raise typer.Exit(INTERRUPTED) from None
    seconds = time.perf_counter() - began
    if features:
        exported = interruptible(lambda: _embed(exported))
    covered = _coverage(exported, pairs, hops, nodes) if pairs else None
    manifest = exported.manifest
    if json:
        emit_json(
            {
                "graph": manifest.graph,
                "output": str(output),
                "entities": manifest.entities,
                "facts": manifest.facts,
                "relations": len(manifest.relations),
                "dropped": manifest.dropped,
                "fingerprint": manifest.fingerprint,
                "seconds": round(seconds, 3),
                "facts_per_s": round(manifest.facts / seconds, 1),
                **({"coverage": asdict(covered)} if covered else {}),
            }
        )
        return
    say(
        f"Graph '{graph}' is in {output}: {manifest.entities:,} entities, {manifest.facts:,} facts, "
        f"{len(manifest.relations):,} relations, in {seconds:.1f} s ({manifest.facts / seconds:,.0f} facts/s)."
    )
    if manifest.dropped:
        say(f"{manifest.dropped:,} relationships are left out: they lead to nodes that the mapping does not have.")
    if covered:
        say(
            f"Subgraphs of {hops} hops and {f'at most {nodes:,}' if nodes else 'all'} entities around the topics of "
            f"{covered.questions:,} questions have an answer for {covered.any_answer:.1%}, all answers for "
            f"{covered.all_answers:.1%}, and {covered.answers:.1%} of a question's answers; on average they have "
            f"{covered.nodes:,.0f} entities and {covered.facts:,.0f} facts. {covered.without_topic:,} questions have"
            " none."
        )


def _export(graph: str, output: Path, mapping: Path | None, bar: Advance, options: dict[str, Any]) -> ExportedGraph:
    from kgqa_graphdb.client import KGQA

    connection = open_connection()
    with KGQA.connect(graph, connection=connection, mapping=mapping) as kg:
        return kg.export(output, progress=bar, **options)


def _embed(exported: ExportedGraph) -> ExportedGraph:
    from kgqa_graphdb.encode import OnnxEncoder
    from kgqa_graphdb.export import write_features

    encoder = OnnxEncoder()
    with progress("Embedding names") as bar:
        return write_features(exported, encoder.encode, encoder.name, bar)


def _coverage(exported: ExportedGraph, pairs: list[Pair], hops: int, nodes: int) -> SubgraphCoverage:
    from kgqa_graphdb.evaluate.subgraphs import subgraph_coverage
    from kgqa_graphdb.export import SubgraphSettings

    with progress("Cutting subgraphs") as bar:
        return subgraph_coverage(exported, pairs, SubgraphSettings(hops=hops, max_nodes=nodes), bar)
