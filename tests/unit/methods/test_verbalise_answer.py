"""What a language model makes of a method's answer: another sentence, or a note, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from kgqa_graphdb.lm import ScriptedModel
from kgqa_graphdb.methods.finish import give_up, verbalise_answer
from kgqa_graphdb.plan import Answer, Tokens
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Question
from tests.unit.methods.made import MadeGraph
from tests.unit.replies import dated, moons
from tests.unit.verbalise.graphs import ModelOnly


def told(answer: Answer, text: str) -> Answer:
    return run(verbalise_answer(answer, MadeGraph()), ModelOnly(ScriptedModel({}, default=text)))


def test_only_the_sentence_and_who_wrote_it_are_others() -> None:
    answer = moons().answer
    text = "Deimos <b>& co</b> [1] and Phobos [2] are moons of Mars."
    found = told(answer, text)
    assert (found.text, found.verbalised_by, found.notes) == (text, "scripted", ())
    assert (found.answers, found.proof, found.cypher) == (answer.answers, answer.proof, answer.cypher)
    assert found.tokens is not None


def test_what_is_refused_leaves_the_answer_with_a_note() -> None:
    answer = dated().answer
    found = told(answer, "Phobos was found on 1877-08-19.")
    assert (found.text, found.verbalised_by) == (answer.text, "templates")
    assert "'1877-08-19'" in found.notes[-1]
    assert told(answer, "Phobos was found on 18 August 1877.").verbalised_by == "scripted"


def test_tokens_of_the_method_and_of_the_sentence_are_summed() -> None:
    answer = dated().answer
    alone = told(answer, "Phobos was found on 1877-08-18.").tokens
    assert alone is not None
    both = told(replace(answer, tokens=Tokens(10, 1)), "Phobos was found on 1877-08-18.").tokens
    assert both == Tokens(alone.prompt + 10, alone.completion + 1)


def test_an_abstention_is_left_as_it_is() -> None:
    answer = give_up("paths", Question("?"), (), "no")
    assert told(answer, "Paris") is answer
