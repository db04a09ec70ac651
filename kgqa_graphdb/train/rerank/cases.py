"""What a ranker learns from: questions whose candidates were linked, joined with the topics, and told right or wrong.

They are kept in a file beside the model, so that a training that was cut off does not read the graph again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from kgqa_graphdb.client import KGQA
from kgqa_graphdb.errors import KgqaError, UsageError
from kgqa_graphdb.methods.rerank import Rerank, sequence_of, trust_of
from kgqa_graphdb.mining import find_gold
from kgqa_graphdb.questions import Pair, question_of
from kgqa_graphdb.rerank.choice import known_features
from kgqa_graphdb.rerank.shown import RankRequest, RelationWords, RoleGraph
from kgqa_graphdb.steps import Steps, together
from kgqa_graphdb.train.settings import Progress
from kgqa_graphdb.types import Floats

FORMAT = 3
"""Of the file. 1 had sequences alone, 2 no trust in topics."""
AT_ONCE = 32
"""Questions that are asked side by side."""


@dataclass(frozen=True, slots=True)
class Case:
    """The candidates of a question that are joined with its topics.

    :ivar sequences: what a cross-encoder reads of each
    :ivar graphs: what a graph network reads of each
    :ivar known: what is known of each before, shape (candidates, :data:`kgqa_graphdb.rerank.choice.KNOWN`)
    :ivar right: whether each is an answer
    """

    id: str
    text: str
    sequences: tuple[str, ...]
    graphs: tuple[RoleGraph, ...]
    known: tuple[tuple[float, ...], ...]
    right: tuple[bool, ...]

    @property
    def features(self) -> Floats:
        """What is known of each candidate before it is ranked."""
        return np.array(self.known, dtype=np.float32).reshape(len(self.known), -1)

    def request(self, words: RelationWords) -> RankRequest:
        """What a ranker is asked.

        :param words: of the graph's relations
        """
        return RankRequest(self.text, self.sequences, self.graphs, words)

    @property
    def teaches(self) -> bool:
        """Whether a right candidate can be told from a wrong one."""
        return any(self.right) and not all(self.right)


def read_cases(
    kg: KGQA,
    pairs: Sequence[Pair],
    method: Rerank,
    file: Path,
    *,
    highlight: bool,
    subgraph: bool,
    progress: Progress,
    guesser: str = "",
) -> list[Case]:
    """The cases of questions; those that a file holds already are not read again.

    A question that can't be asked, or of which no candidate is joined with a topic, is a case without candidates.

    :param method: finds and joins candidates
    :param file: of lines of JSON; written as far as it gets at any moment
    :param progress: called with (done, total) questions
    :param guesser: name of the client's language model; empty: it has none
    :raises UsageError: the file is of other questions, or can't be read
    """
    how = method.settings
    what = hashlib.sha256(repr((FORMAT, kg.graph_name, how.source, method.gathering, highlight, subgraph)).encode())
    if guesser:
        what.update(repr((guesser, how.adapter, how.beams, how.groups, how.diversity)).encode())
    for pair in pairs:
        what.update(repr((pair.id, pair.question, pair.answers, pair.topics, pair.candidates)).encode())
    head = json.dumps({"of": what.hexdigest()})
    done = _kept(file, head)
    progress(len(done), len(pairs))
    with file.open("w" if not done else "a", encoding="utf-8", newline="\n") as stream:
        if not done:
            stream.write(head + "\n")
        while some := pairs[len(done) : len(done) + AT_ONCE]:
            for case in _cases(kg, some, method, highlight=highlight, subgraph=subgraph):
                done.append(case)
                stream.write(json.dumps(asdict(case), ensure_ascii=False) + "\n")
            stream.flush()
            progress(len(done), len(pairs))
    return done


def _cases(kg: KGQA, pairs: Sequence[Pair], method: Rerank, *, highlight: bool, subgraph: bool) -> Sequence[Case]:
    def one(pair: Pair) -> Steps[Case]:
        try:
            prepared = yield from method.prepare(question_of(pair), kg.graph)
        except KgqaError:
            return Case(pair.id, pair.question, (), (), (), ())
        gathered = prepared.gathered
        joined = gathered.joined
        gold = yield from find_gold(pair.answers, kg.graph)
        known = known_features(joined, trust_of(prepared.linked))
        return Case(
            pair.id,
            prepared.linked.question.text,
            tuple(sequence_of(own, highlight=highlight, subgraph=subgraph) for _, own in joined),
            tuple(RoleGraph.of(own) for _, own in joined),
            tuple(map(tuple, known.tolist())),
            tuple(own.candidate.element_id in gold.nodes for _, own in joined),
        )

    return kg.perform(together(one(pair) for pair in pairs))


def _kept(file: Path, head: str) -> list[Case]:
    """The cases that a file holds, up to a line that was cut off.

    :raises UsageError: it is of other questions, or can't be read
    """
    if not file.exists():
        return []
    try:
        first, *lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as error:
        raise UsageError(f"can't read {file}: {getattr(error, 'strerror', None) or error}") from error
    if first != head and first:
        raise UsageError(
            f"{file} holds what was read for other questions or settings: choose another folder, or remove the file"
        )
    found = []
    for line in lines:
        try:
            one = json.loads(line)
        except ValueError:
            break
        graphs = tuple(RoleGraph(tuple(own["roles"]), tuple(map(tuple, own["edges"]))) for own in one["graphs"])
        known, sequences = tuple(map(tuple, one["known"])), tuple(one["sequences"])
        found.append(Case(one["id"], one["text"], sequences, graphs, known, tuple(one["right"])))
    whole = file.with_name(f"{file.name}.part")
    whole.write_text("\n".join([head, *lines[: len(found)], ""]), encoding="utf-8", newline="\n")
    whole.replace(file)
    return found
