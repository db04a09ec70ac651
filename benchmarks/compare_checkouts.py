"""Do two checkouts of this project answer alike? Answers, scores, proof, Cypher, texts and notes, question by question.

    python benchmarks/compare_checkouts.py BEFORE AFTER --home first --second-home second
    python benchmarks/compare_checkouts.py BEFORE --output recorded …                 only ask, and keep the answers
    python benchmarks/compare_checkouts.py recorded/before AFTER --sets metaqa,demo --count 50 …

``BEFORE`` and ``AFTER`` are checkouts, or folders of answers that were kept. Each checkout's code asks the same
questions of the same servers in a process of its own, in batches. Trained models are asked where ``--model-before`` and
``--model-after`` name their folders, one of metaqa and one of wq. The exit status is 1 where anything differs but
scores within 1e-6. What differs:

    answers   other answers, or an abstention             links    topics that were found, or their scores
    order     the same answers in another order           proof    facts and words of the executed plans
    score     a score differs by more than 1e-6           Cypher   the statement's text or its parameters
    ≤1e-6     a score differs by less; not counted        text     the sentence, the notes, or why it abstains

The graphs are written once, by the older checkout: in its folder, ``PYTHONPATH=$PWD:$PWD/loaders``. Two local servers
hold them, as the two forms of northwind share labels:

    export KGQA_HOME=first
    kgqa load $KGQA_DATA/metaqa/kb.txt --graph metaqa
    cd $KGQA_DATA/pathquestion
    kgqa load 2H-kb.txt --graph pq2 && kgqa load 3H-kb.txt --graph pq3
    kgqa load PQL2-KB.txt --graph pql2 && kgqa load PQL3-KB.txt --graph pql3
    cd $KGQA_DATA/freebase && kgqa load derived/webqsp_cwq_named_triples.tsv --graph wq --ontology ontology
    kgqa demo
    python -m benchmarks.comparison_graphs --second second
    cd $KGQA_DATA/metaqa && kgqa train paths --graph metaqa -q 1-hop/vanilla/qa_dev.txt -q 2-hop/vanilla/qa_dev.txt \\
        -q 3-hop/vanilla/qa_dev.txt --limit 1000 --steps 800 --composed 4000 --output model
    kgqa train paths --graph wq -q WebQSP.train.json --given-topics --limit 400 --steps 300 --composed 1000 \\
        --output model_wq

Questions are random samples (seed 0) of the data sets in ``KGQA_DATA``, and all of those in ``tests/neo4j`` of
``BEFORE``; where ``BEFORE`` is a folder of kept answers, their questions are asked. Vectors of relation paths are
kept in ``KGQA_CACHE``, so that both checkouts rank with the same ones.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from comparison_questions import Asked, QuestionSet, chosen_sets, environment

BATCH = 64
TOLERANCE = 1e-6
"""Scores of one sum in another order differ by less."""
SHOWN = 240
"""Characters of a value that differs."""
Models = dict[str, Path]
KINDS = ("answers", "order", "score", "links", "proof", "Cypher", "text")


# ── asking ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def ask(job: dict[str, Any]) -> None:
    """Ask a set's questions; runs in a process that has a checkout's code, and uses nothing but its public names."""
    import kgqa_graphdb
    from kgqa_graphdb import KGQA, KgqaError, Question

    if Path(job["checkout"]).resolve() not in Path(kgqa_graphdb.__file__).resolve().parents:
        sys.exit(f"{kgqa_graphdb.__file__} is imported, not that of {job['checkout']}")

    def entries(kg: KGQA, batch: Sequence[Asked]) -> list[dict[str, Any]]:
        try:
            replies = kg.ask_many([
                Question(" ".join(one["text"].split()), topics=tuple(one["topics"])) if "topics" in one else one["text"]
                for one in batch
            ])  # fmt: skip
        except KgqaError as error:
            if len(batch) > 1:
                return [entry for one in batch for entry in entries(kg, [one])]
            return [{"error": f"{type(error).__name__}: {error}"}]
        return [entry_of(reply) for reply in replies]

    options = {key: job[key] for key in ("mapping", "model") if job[key]}
    output, started = Path(job["output"]), time.perf_counter()
    part = output.with_suffix(".part")
    with gzip.open(part, "wt", encoding="utf-8") as file, KGQA.connect(job["graph"], **options) as kg:
        for start in range(0, len(job["questions"]), BATCH):
            batch = job["questions"][start : start + BATCH]
            for asked, entry in zip(batch, entries(kg, batch), strict=True):
                file.write(json.dumps({"asked": asked, **entry}, ensure_ascii=False, default=str) + "\n")
    part.replace(output)
    seconds = time.perf_counter() - started
    print(f"{job['checkout']}: {job['name']}, {len(job['questions'])} questions, {seconds:.0f} s", flush=True)


def entry_of(reply: Any) -> dict[str, Any]:
    """What is kept of a reply: its JSON without times, with the scores as they are and the reason for an abstention."""
    entry: dict[str, Any] = reply.to_dict()
    del entry["timings_ms"]
    for kept, scored in zip(entry["answers"], reply.answers, strict=True):
        kept["score"] = float(scored.score)
    for kept, path in zip(entry["paths"], reply.paths, strict=True):
        kept["score"] = float(path.score)
    return entry | {"why": reply.abstained}


def job_of(
    one: QuestionSet, questions: list[Asked], source: Path, models: Models, to: Path, homes: tuple[Path, Path]
) -> dict[str, Any]:
    """What a process is to ask.

    :param homes: ``KGQA_HOME`` of the first and of the second server
    """
    home = homes[one.second]
    return {
        "checkout": str(source.absolute()),
        "home": str(home),
        "name": one.name,
        "graph": one.graph,
        "mapping": str(home / "graphs" / f"{one.graph}.toml") if one.mapped else "",
        "model": str(models[one.model].absolute()) if one.model else "",
        "questions": questions,
        "output": str(recorded(to.absolute(), one.name)),
    }


def ask_all(source: Path, jobs: Sequence[dict[str, Any]], python: str) -> None:
    """Have a checkout's code ask all questions, in a process a server."""
    for home in dict.fromkeys(job["home"] for job in jobs):
        own = [job for job in jobs if job["home"] == home]
        folder = Path(own[0]["output"]).parent
        folder.mkdir(parents=True, exist_ok=True)
        command = [python, str(Path(__file__).resolve()), "--ask"]
        subprocess.run(
            command, input=json.dumps(own), text=True, check=True, env=environment(source, Path(home)), cwd=folder
        )


def recorded(folder: Path, name: str) -> Path:
    """The file of the answers to a set."""
    return folder / f"{name}.jsonl.gz"


def read_recorded(folder: Path, name: str, count: int | None) -> list[dict[str, Any]]:
    """Answers that were kept."""
    with gzip.open(recorded(folder, name), "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file][:count]


# ── comparing ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Compared:
    """What differs in the answers to a set.

    :ivar tiny: questions of which scores differ by less than the tolerance
    :ivar examples: of each difference its kind, the question, and both values
    """

    questions: int = 0
    differing: int = 0
    tiny: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    examples: list[tuple[str, str, Any, Any]] = field(default_factory=list)

    def add(self, before: dict[str, Any], after: dict[str, Any]) -> None:
        """Compare two entries of one question."""
        self.questions += 1
        found = {kind: (one, other) for kind, one, other in differences(before, after)}
        self.tiny += "≤1e-6" in found
        found.pop("≤1e-6", None)
        self.differing += bool(found)
        self.kinds.update(found.keys())
        self.examples += [(kind, before["asked"]["text"], *values) for kind, values in found.items()]


def differences(before: dict[str, Any], after: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """The kinds of differences between two entries, with both values; ``≤1e-6`` for scores that all but agree."""
    if "error" in before or "error" in after:
        if before.get("error") != after.get("error"):
            yield "answers", before.get("error", "no error"), after.get("error", "no error")
        return
    found, others = unscored(before["answers"]), unscored(after["answers"])
    if found != others or before["abstained"] != after["abstained"]:
        same = before["abstained"] == after["abstained"] and sorted(map(json.dumps, found)) == sorted(
            map(json.dumps, others)
        )
        yield "order" if same else "answers", found, others
    for key in ("answers", "paths"):
        yield from score_differences(scores_of(before[key]), scores_of(after[key]))
    plans, other_plans = unscored(before["paths"]), unscored(after["paths"])
    if plans != other_plans:
        yield "proof", plans, other_plans
    rest = {*before, *after} - {"asked", "answers", "abstained", "paths", "linked", "cypher"}
    for kind, keys in (("links", {"linked"}), ("Cypher", {"cypher"}), ("text", rest)):
        one, other = ({key: entry.get(key) for key in sorted(keys)} for entry in (before, after))
        if one != other:
            yield kind, one, other


def score_differences(before: list[float], after: list[float]) -> Iterator[tuple[str, Any, Any]]:
    """Whether scores of as many things differ, and whether by more than the tolerance."""
    if before != after and len(before) == len(after):
        near = all(math.isclose(a, b, rel_tol=0, abs_tol=TOLERANCE) for a, b in zip(before, after, strict=True))
        yield "≤1e-6" if near else "score", before, after


def scores_of(entries: list[dict[str, Any]]) -> list[float]:
    """The scores of answers or of paths."""
    return [entry["score"] for entry in entries]


def unscored(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Answers or paths without their scores."""
    return [{key: value for key, value in entry.items() if key != "score"} for entry in entries]


def compare(before: Sequence[dict[str, Any]], after: Sequence[dict[str, Any]], name: str) -> Compared:
    """Compare the answers to a set; ends the program where they are to other questions."""
    if [one["asked"] for one in before] != [one["asked"] for one in after]:
        sys.exit(f"{name}: the answers are to other questions; record them with the same --sets and --count")
    found = Compared()
    for one, other in zip(before, after, strict=True):
        found.add(one, other)
    return found


def show(found: dict[str, Compared], examples: int) -> None:
    """Print a table, and the first differences of each set."""
    print(f"{'set':<26}{'questions':>10}{'equal':>8}" + "".join(f"{kind:>9}" for kind in KINDS) + f"{'≤1e-6':>9}")
    for name, one in found.items():
        kinds = "".join(f"{one.kinds[kind] or '':>9}" for kind in KINDS)
        print(f"{name:<26}{one.questions:>10}{one.questions - one.differing:>8}{kinds}{one.tiny or '':>9}")
    for name, one in found.items():
        for kind, question, before, after in one.examples[:examples]:
            left, right = parting(before, after)
            print(f"\n{name}, {kind}: {question}\n  before  {left}\n  after   {right}")


def parting(before: Any, after: Any) -> tuple[str, str]:
    """Two values from shortly before where they part."""
    left, right = (json.dumps(value, ensure_ascii=False) for value in (before, after))
    alike = next((at for at, (one, other) in enumerate(zip(left, right, strict=False)) if one != other), 0)
    at = max(0, alike - SHOWN // 4)
    return left[at : at + SHOWN], right[at : at + SHOWN]


# ── the command ──────────────────────────────────────────────────────────────────────────────────────────────────────


def models_of(folders: Sequence[Path]) -> Models:
    """Folders of trained models by the graph that each was trained for."""
    return {_trained_on(folder): folder for folder in folders}


def _trained_on(folder: Path) -> str:
    """The graph that a model was trained on, by its card, or by what there was before there were cards."""
    card = folder / "model.json"
    if card.exists():
        return str(next(iter(json.loads(card.read_text(encoding="utf-8"))["graphs"])))
    return str(json.loads((folder / "config.json").read_text(encoding="utf-8"))["graph"])


def is_checkout(folder: Path) -> bool:
    """Whether a folder is a checkout, not one of answers."""
    return (folder / "kgqa_graphdb").is_dir()


def parsed_options() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="a checkout, or a folder of kept answers")
    parser.add_argument("after", type=Path, nargs="?", help="the same; left out: only keep BEFORE's answers")
    for side in ("before", "after"):
        text = f"folder of a model that {side.upper()}'s code is asked with; may be repeated, once a graph"
        parser.add_argument(f"--model-{side}", type=Path, action="append", default=[], help=text)
    parser.add_argument("--sets", default="", help="names of sets or groups, with commas between; all if left out")
    parser.add_argument("--count", type=int, help="questions of each set at most")
    parser.add_argument("--output", type=Path, default=Path("compared"), help="folder for before/ and after/")
    parser.add_argument("--home", type=Path, required=True, help="KGQA_HOME of the first server")
    parser.add_argument("--second-home", type=Path, required=True, help="KGQA_HOME of the second one")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that asks")
    parser.add_argument("--examples", type=int, default=5, help="differences of each set that are shown")
    return parser.parse_args()


def sets_in_reach(sets: Sequence[QuestionSet], source: Path, models: Models) -> list[QuestionSet]:
    """The sets that a checkout has models for, or that answers were kept of; says which are left out."""
    checkout = is_checkout(source)
    kept = [
        one
        for one in sets
        if (not one.model or one.model in models if checkout else recorded(source, one.name).is_file())
    ]
    if missing := [one.name for one in sets if one not in kept]:
        why = "is given no model for them" if checkout else "holds no answers to them"
        print(f"left out, as {source} {why}: {', '.join(missing)}", file=sys.stderr)
    return kept


def main() -> None:
    """Ask and compare."""
    if sys.argv[1:] == ["--ask"]:
        for job in json.load(sys.stdin):
            ask(job)
        return
    options = parsed_options()
    count, homes = options.count, (options.home.absolute(), options.second_home.absolute())
    sides = [("before", options.before, models_of(options.model_before))]
    if options.after:
        sides.append(("after", options.after, models_of(options.model_after)))
    sets = chosen_sets(options.sets)
    for _, source, models in sides:
        sets = sets_in_reach(sets, source, models)
    if is_checkout(options.before):
        questions = {one.name: one.read(options.before.absolute())[:count] for one in sets}
    else:
        questions = {
            one.name: [line["asked"] for line in read_recorded(options.before, one.name, count)] for one in sets
        }
    folders: list[Path] = []
    for side, source, models in sides:
        folders.append(options.output / side if is_checkout(source) else source)
        if is_checkout(source):
            jobs = [job_of(one, questions[one.name], source, models, folders[-1], homes) for one in sets]
            ask_all(source.absolute(), jobs, options.python)
    if not options.after:
        return
    found = {}
    for one in sets:
        before, after = (read_recorded(folder, one.name, count) for folder in folders)
        found[one.name] = compare(before, after, one.name)
    show(found, options.examples)
    sys.exit(any(one.differing for one in found.values()))


if __name__ == "__main__":
    main()
