"""``kgqa train corpus``: texts of a teacher for reasoning paths, of which those are kept that help to answer.

Source: Retrieve-Rewrite-Answer, section 4.2. There the subgraph is that of the annotated path; here it is what a
predictor retrieves, as far as it leads to gold answers, so that question-answer pairs suffice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from itertools import chain
from pathlib import Path

from kgqa_graphdb.client import KGQA
from kgqa_graphdb.documents import parse_json
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.link.asked import parse_question
from kgqa_graphdb.lm import LanguageModel, as_data, prompt
from kgqa_graphdb.plan import ReasoningPath
from kgqa_graphdb.questions import Pair, with_topics
from kgqa_graphdb.rra.knowledge import TEXT_TOKENS, rewrite_prompt
from kgqa_graphdb.steps import Sampling
from kgqa_graphdb.train.lora.examples import ASKED_AT_ONCE, GoldTexts
from kgqa_graphdb.train.settings import Progress
from kgqa_graphdb.verbalise import fact_triple

MOST_TEXTS = 3
"""Reasoning paths of a question that texts are made of."""
ANSWER_TOKENS = 256


@dataclass(frozen=True, slots=True)
class Corpus:
    """What came of it.

    :ivar questions: that were looked at
    :ivar kept: of these the ones whose texts helped to answer
    :ivar written: texts of the teacher, of all questions
    :ivar texts: of these those in the file
    """

    output: Path
    questions: int
    kept: int
    written: int
    texts: int


@dataclass(frozen=True, slots=True)
class CorpusMaker:
    """Has a teacher write texts and a reader answer from them.

    :ivar kg: a client whose method is rra without a reader
    """

    kg: KGQA
    teacher: LanguageModel
    reader: LanguageModel

    def make(
        self, pairs: Sequence[Pair], output: Path, *, given_topics: bool = False, progress: Progress | None = None
    ) -> Corpus:
        """Write the texts that are kept, a line of JSON each; the same call goes on where one was cut off.

        :raises UsageError: the file holds texts of other questions
        """
        pairs = [pair for pair in with_topics(pairs, given=given_topics) if pair.answers]
        by = (self.kg.graph_name, self.kg.answered_by, self.teacher.fingerprint, self.reader.fingerprint, pairs)
        output.parent.mkdir(parents=True, exist_ok=True)
        state = _State(output, hashlib.sha256(repr(by).encode()).hexdigest())
        counts = state.read()
        for start in range(counts.done, len(pairs), ASKED_AT_ONCE):
            some = pairs[start : start + ASKED_AT_ONCE]
            lines, written = self._lines(some)
            counts = counts.plus(len(some), len(lines), written, sum(map(len, lines)))
            state.write(list(chain.from_iterable(lines)), counts)
            if progress:
                progress(counts.done, len(pairs))
        return Corpus(output, len(pairs), counts.kept, counts.written, counts.texts)

    def _lines(self, pairs: Sequence[Pair]) -> tuple[list[list[dict[str, str]]], int]:
        """The texts of each question that is kept, and how many were written of all."""
        replies = self.kg.ask_many([parse_question(pair.question, pair.topics) for pair in pairs])
        golds = [GoldTexts.of(pair) for pair in pairs]
        samples = [reply.answer.retrieved.sample if reply.answer.retrieved else () for reply in replies]
        chosen = [_leading(sample, gold) for sample, gold in zip(samples, golds, strict=True)]
        prompts = [rewrite_prompt(path) for paths in chosen for path in paths]
        written = iter(self.teacher.generate(prompts, Sampling(max_tokens=TEXT_TOKENS)) if prompts else [])
        texts = [[as_data(next(written)[0]) for _ in paths] for paths in chosen]
        asked = [
            prompt("rra", facts="\n".join(own), question=as_data(reply.question))
            for own, reply in zip(texts, replies, strict=True)
            if own
        ]
        answered = iter(self.reader.generate(asked, Sampling(max_tokens=ANSWER_TOKENS)) if asked else [])
        found = []
        for pair, paths, own in zip(pairs, chosen, texts, strict=True):
            if own and _hit(next(answered)[0], pair):
                triples = (" ".join(as_data(fact_triple(fact)) for fact in path.facts) for path in paths)
                found.append([
                    {"question": pair.question, "triples": one, "text": text}
                    for one, text in zip(triples, own, strict=True)
                ])  # fmt: skip
        return found, len(prompts)


def _leading(sample: Sequence[Sequence[ReasoningPath]], gold: GoldTexts) -> list[ReasoningPath]:
    """The first reasoning paths to gold answers."""
    return [path for some in sample for path in some if gold.has(path.end)][:MOST_TEXTS]


def _hit(answer: str, pair: Pair) -> bool:
    """Whether an answer has a gold one in it, without regard to case: the paper's hit@1."""
    said = answer.lower()
    return any((gold.name or gold.id).lower() in said for gold in pair.answers)


@dataclass(frozen=True, slots=True)
class _Counts:
    """How far a corpus is: questions that were looked at, and what :class:`Corpus` has of them."""

    done: int = 0
    kept: int = 0
    written: int = 0
    texts: int = 0

    def plus(self, done: int, kept: int, written: int, texts: int) -> _Counts:
        """The same after more."""
        return _Counts(self.done + done, self.kept + kept, self.written + written, self.texts + texts)


@dataclass(frozen=True, slots=True)
class _State:
    """How far a corpus is: it stands beside its file.

    :ivar what: digest of what it is made from
    """

    output: Path
    what: str

    @property
    def _file(self) -> Path:
        return self.output.with_name(f"{self.output.name}.progress")

    def read(self) -> _Counts:
        """How far it is; what was written after that is taken away.

        :raises UsageError: the file is there, and of other questions
        """
        if not self.output.exists() and not self._file.exists():
            return _Counts()
        try:
            state = parse_json(self._file.read_text(encoding="utf-8"))
            lines = self.output.read_text(encoding="utf-8").split("\n")[:-1]
            counts = _Counts(*(int(state[one.name]) for one in fields(_Counts)))
            same = state["what"] == self.what
        except (OSError, ValueError, KeyError, TypeError):
            same = False
        if not same or len(lines) < counts.texts:
            raise UsageError(f"{self.output} holds texts of other questions or models; name another file, or remove it")
        self.output.write_text("".join(f"{line}\n" for line in lines[: counts.texts]), encoding="utf-8", newline="\n")
        return counts

    def write(self, lines: Sequence[dict[str, str]], counts: _Counts) -> None:
        """Add lines, and say how far it is."""
        with self.output.open("a", encoding="utf-8", newline="\n") as stream:
            stream.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        part = self._file.with_name(f"{self._file.name}.part")
        state = {"what": self.what, **asdict(counts)}
        part.write_text(json.dumps(state), encoding="utf-8")
        part.replace(self._file)
