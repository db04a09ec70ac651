"""What a language model writes is shown only where it can stand for the question."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.lm import ScriptedModel, TransformersModel
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.steps import Sampling
from kgqa_graphdb.train.data.compose import compose
from kgqa_graphdb.train.data.paraphrase import AT_ONCE, PromptedParaphraser, is_usable, paraphrased, reworded
from tests.unit.lm.test_lm import model_folder
from tests.unit.rank.graphs import schema_of

QUESTION = "who is the director of [X]"


class Scripted:
    """Says what it was told to say, and remembers what it was asked."""

    def __init__(self, says: dict[str, str], name: str = "scripted") -> None:
        self.name = name
        self.says = says
        self.asked: list[str] = []

    def paraphrase(self, questions: Sequence[str], seed: int) -> list[str]:
        self.asked += questions
        return [self.says.get(question, "") for question in questions]


class Parrot(ScriptedModel):
    """A language model that answers in several lines, and goes on with the examples."""

    def generate(self, prompts: Sequence[str], sampling: Sampling) -> list[tuple[str, ...]]:
        questions = [one.rsplit("Question: ", 1)[1].split("\n")[0] for one in prompts]
        return [(f" do tell me {question} \n\nQuestion: what else",) for question in questions]


def unheard(done: int, total: int) -> None:
    """Progress that is not shown."""


@pytest.mark.parametrize(
    ("wording", "usable"),
    [
        ("which person directed [X]?", True),
        ("who directed it", False),  # the topic is lost
        ("who directed [X] and [X]", False),
        ("who directed [X] and [Y]", False),
        ("[X]", False),
        ("Who is the director of [X]?", False),  # the same
        ("who is the one that has directed and also made and shown and sold the thing called [X]", False),
        ("who directed [X] → somebody", False),
        ("", False),
    ],
)
def test_wording_names_the_topic_once_in_a_short_line_of_its_own(wording: str, usable: bool) -> None:
    assert is_usable(wording, QUESTION) is usable


def test_first_line_of_what_a_model_says_is_the_wording() -> None:
    assert PromptedParaphraser(Parrot({}, name="parrot")).paraphrase([QUESTION], 0) == [f"do tell me {QUESTION}"]


def test_wordings_of_two_questions_differ_and_are_no_other_question(tmp_path: Path) -> None:
    says = {"a of [X]": "which a has [X]", "b of [X]": "Which a has [X]?", "c of [X]": "a of [X]"}
    found = paraphrased(list(says), Scripted(says), tmp_path / "said.jsonl", 0, unheard)
    assert found == {"a of [X]": "which a has [X]"}


def test_what_was_said_before_is_not_asked_again(tmp_path: Path) -> None:
    cache = tmp_path / "said.jsonl"
    questions = [f"number {number} of [X]" for number in range(AT_ONCE + 5)]
    says = {question: f"which {question}" for question in questions}
    whole = paraphrased(questions, Scripted(says), cache, 0, unheard)
    lines = cache.read_text().splitlines(keepends=True)
    assert len(lines) == len(questions) == len(whole)
    cache.write_text("".join(lines[:3]) + lines[3][:20])  # cut off in the middle of a line
    again = Scripted(says)
    assert paraphrased(questions, again, cache, 0, unheard) == whole
    assert again.asked == questions[3:]
    assert [json.loads(line)["question"] for line in cache.read_text().splitlines()] == questions


def test_wordings_of_another_model_are_refused(tmp_path: Path) -> None:
    cache = tmp_path / "said.jsonl"
    paraphrased([QUESTION], Scripted({}), cache, 0, unheard)
    with pytest.raises(UsageError, match="wordings by scripted"):
        paraphrased([QUESTION], Scripted({}, "another"), cache, 0, unheard)


def test_rewording_keeps_path_and_starts(tmp_path: Path) -> None:
    asked = [(QUESTION, (2,), (0, 2)), ("author of [X]", (4,), (4,)), (QUESTION, (6,), (6,))]
    says = {QUESTION: "who directed [X]", "author of [X]": "nothing to the point"}
    found = reworded(asked, Scripted(says), tmp_path / "said.jsonl", 0, unheard)
    assert found == [("who directed [X]", (2,), (0, 2))]


@pytest.mark.data
def test_nonsense_of_a_tiny_model_is_left_out(tmp_path: Path) -> None:
    mapping, _ = schema_of([(make_relation(name), "film", "person") for name in ("directed_by", "written_by")])
    made = compose(Schema(mapping), 0, 2)
    asked = [next(made) for _ in range(12)]
    speaker = PromptedParaphraser(TransformersModel(str(model_folder())))
    found = reworded(asked, speaker, tmp_path / "said.jsonl", 0, unheard)
    said = [json.loads(line) for line in (tmp_path / "said.jsonl").read_text().splitlines()]
    assert {one["question"] for one in said} == {text for text, _, _ in asked}
    assert any(one["wording"] for one in said)
    assert all(text.count("[X]") == 1 for text, _, _ in found)
    assert len(found) < len(said)
