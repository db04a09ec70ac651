"""What questions say for politeness alone."""

from __future__ import annotations

import pytest

from kgqa_graphdb.language import ENGLISH


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("If you don't mind, how many lakes are there?", "how many lakes are there?"),
        ("How many lakes are there, if you don’t mind?", "How many lakes are there?"),
        ("Where is Toplitz, if you don't mind my asking?", "Where is Toplitz?"),
        ("Where is Toplitz, if it's not too much trouble?", "Where is Toplitz?"),
        ("Please tell me who mapped Toplitz.", "who mapped Toplitz."),
        ("Could you please tell me who mapped Toplitz, please?", "who mapped Toplitz?"),
        ("Would you mind telling me which lake is the deepest?", "which lake is the deepest?"),
        ("I would like to know which lakes are deep.", "which lakes are deep."),
        ("I'd like to know when Toplitz was mapped, thank you", "when Toplitz was mapped"),
        ("Who mapped Toplitz? Thanks in advance!", "Who mapped Toplitz!"),
        ("Hello, who mapped Toplitz?", "who mapped Toplitz?"),
        ("Tell me the depth of Toplitz", "the depth of Toplitz"),
        ("can you please list the lakes", "can you list the lakes"),
        # asides that deny nothing
        ("Without further ado, who mapped Toplitz?", "who mapped Toplitz?"),
        ("Who mapped Toplitz? Not that it matters.", "Who mapped Toplitz?"),
        # a question whether something is so
        ("Could you tell me whether Otto Nuss mapped Toplitz?", "did Otto Nuss map Toplitz?"),
        ("I wonder if Otto visits Toplitz.", "does Otto visit Toplitz?"),
        ("Do you know if Toplitz is deeper than Grund", "is Toplitz deeper than Grund?"),
        ("Please tell me whether or not there are lakes deeper than 40", "are there lakes deeper than 40?"),
        ("I would like to know if Otto was born in Graz", "was Otto born in Graz?"),
        ("Is it true that otto mapped toplitz?", "is it so that otto mapped toplitz?"),
        # asked on in an order that only clauses have
        ("Could you tell me who the oldest mapper is?", "who is the oldest mapper?"),
        ("Tell me what the depth of Toplitz is", "what is the depth of Toplitz?"),
    ],
)
def test_a_question_is_read_without_it(said: str, asked: str) -> None:
    assert ENGLISH.without_politeness(said) == asked


@pytest.mark.parametrize(
    "question",
    [
        "Who recorded Please Please Me?",
        "Please Please Me is by whom?",
        "please please me is by whom",
        "If You Don't Mind is sung by whom?",
        "Who recorded Tell Me Why?",
        "Tell me about Toplitz",
        "Can you name a mapper of Toplitz?",
        "do you know Toplitz",
        "Which lakes are not deep?",
        "Who knows if Otto left?",
        "Is Toplitz deeper than Grund?",
        "please",
    ],
)
def test_names_and_what_asks_for_something_stay(question: str) -> None:
    assert ENGLISH.without_politeness(question) == question
